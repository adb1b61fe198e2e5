"""Bayesian latent variable models by Markov chains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _core
from ._entries import check_entries, check_mean_trials, groups_of, times_of
from ._labels import encode
from ._latent import LatentModel, each_view, hidden
from ._numbers import dtype_of
from ._progress import run_fit
from ._rules import COMMON, VIEWS, by_view, integer, one_of, trials
from ._samples_of_fit import SamplesOfFit, rows_of_fit
from ._trials import trials_of
from ._validation import Array, as_matrix, check_fitted, check_interval, count_of, counted, seed_of
from ._views import Kinds, Parsed, annotate


class BayesianGPLVM(LatentModel):
    """Tables of numbers, counts or labels of the same samples as a few dimensions, by Markov chains.

    Parameters
    ----------
    n_components : int
    likelihood : str or dict
        For all views, or by name of view: ``"gaussian"``, ``"poisson"``, ``"negbinom"``, ``"binomial"``,
        ``"bernoulli"``, ``"multinomial"`` (rows given their totals) or ``"categorical"`` (columns of labels).
    trials : int, array or dict
        Of binomial views: a number, or a table of them.
    kernel : "dp" or "rbf"
        A Dirichlet-process mixture over frequencies, or one Gaussian.
    n_frequencies : int
    time_kernel : "matern12", "matern32", "matern52" or "walk"
        Of the paths of latents over time, if ``fit`` is given ``time``.
    n_chains, n_warmup, n_draws, thin, n_stored : int
        Chains; sweeps of each that are not kept; draws of each; sweeps between draws; draws of all chains together that
        the model keeps to predict from.
    start : "variational" or "pca"
        Where chains begin.
    views, random_state, n_jobs, verbose, callback
        As for ``MultiViewGPLVM``.

    Attributes
    ----------
    latent_, latent_sd_ : arrays
        Mean and standard deviation over draws, turned to one frame.
    latent_draws_ : list of arrays
    monitors_ : list of (name, R-hat, bulk ESS, tail ESS)
    rhat_ : float
        The largest; above 1.05 chains do not agree yet.
    status_ : str
        ``"converged"`` if no R-hat is above 1.05 and predictions are worth 100 independent draws, ``"finished"`` if all draws
        were taken without that, ``"stopped by callback"`` if they were not.

    Examples
    --------
    >>> from bochner import BayesianGPLVM, datasets
    >>> data = datasets.make_s_curve(40, {"counts": (6, "rbf", "poisson")}, random_state=1)
    >>> model = BayesianGPLVM(likelihood="poisson", n_frequencies=10, n_warmup=20, n_draws=20, random_state=1)
    >>> model.fit(data.views["counts"]).latent_.shape
    (40, 2)
    """

    _prefix = "latent"
    _samples: SamplesOfFit | None = None  # those whose latents are paths over time
    _trials_of_fit: Mapping[str, Array] = {}  # of binomial views
    _rules = {
        **COMMON,
        "views": VIEWS,
        "n_components": integer(1, 100),
        "likelihood": by_view(
            one_of("gaussian", "poisson", "negbinom", "binomial", "bernoulli", "multinomial", "categorical")
        ),
        "trials": trials(),
        "kernel": one_of("dp", "rbf"),
        "n_frequencies": integer(1, 10**4),
        "time_kernel": one_of("matern12", "matern32", "matern52", "walk"),
        "n_chains": integer(1, 1000),
        "n_warmup": integer(0, 10**7),
        "n_draws": integer(1, 10**7),
        "thin": integer(1, 10**6),
        "n_stored": integer(1, 10**6),
        "start": one_of("variational", "pca"),
    }

    def __init__(
        self,
        *,
        n_components: int = 2,
        likelihood: str | Mapping[str, str] = "gaussian",
        trials: Any = None,
        kernel: str = "dp",
        n_frequencies: int = 50,
        time_kernel: str = "matern32",
        n_chains: int = 2,
        n_warmup: int = 500,
        n_draws: int = 500,
        thin: int = 1,
        n_stored: int = 200,
        start: str = "variational",
        views: Mapping[str, Any] | None = None,
        random_state: Any = None,
        n_jobs: int | None = -1,
        verbose: int = 0,
        callback: Any = None,
    ) -> None:
        self.n_components = n_components
        self.likelihood = likelihood
        self.trials = trials
        self.kernel = kernel
        self.n_frequencies = n_frequencies
        self.time_kernel = time_kernel
        self.n_chains = n_chains
        self.n_warmup = n_warmup
        self.n_draws = n_draws
        self.thin = thin
        self.n_stored = n_stored
        self.start = start
        self.views = views
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.callback = callback

    def _kinds(self) -> Kinds:
        def of(wanted: str) -> list[str] | None:
            if isinstance(self.likelihood, Mapping):
                return [name for name, word in self.likelihood.items() if word == wanted]
            return None if self.likelihood == wanted else []

        return Kinds(labels=of("categorical"), booleans=of("bernoulli"))

    def fit(self, X: Any, y: Any = None, *, time: Any = None, group: Any = None, start: Any = None) -> BayesianGPLVM:
        """Draws from the posterior given one table, a dict of tables, AnnData or MuData.

        ``time`` (one number for each sample) makes latents paths over time; rows of different ``group`` have paths of
        their own. ``start`` (samples x components) is where chains begin. Series and DataFrames are matched by
        their index; arrays go with the rows of the views, which must then be the same in all of them.
        """
        self._check_params()
        parsed, owner = self._read_new(X), type(self).__name__
        likelihoods = each_view(self.likelihood, parsed.names, "likelihood", "gaussian")
        classes: dict[str, list[list[str]]] = {}
        for t, likelihood in zip(parsed.tables, likelihoods, strict=True):
            if likelihood == "categorical":
                classes[t.name] = encode(t, None)
            check_entries(t, likelihood)
        data = parsed.dataset(allow_disjoint=False)
        words = []
        for t, likelihood in zip(parsed.tables, likelihoods, strict=True):
            trials = trials_of(self.trials, parsed, t.name, None, owner) if likelihood == "binomial" else None
            if likelihood == "binomial" and trials is None:
                raise ValueError(f"view {t.name!r} is binomial and needs trials: a number, or a table of them")
            words.append((likelihood, trials, classes.get(t.name, [])))
        if group is not None and time is None:
            raise ValueError("group says which rows share a path over time, and needs time")
        when, groups = None, []
        if time is not None:
            when = times_of(parsed.along_rows(time, "time"), parsed.ids)
            own = np.empty(0) if group is None else parsed.along_rows(group, "group")
            groups = groups_of(own, when, parsed.ids)
        given = None
        if start is not None:
            at = parsed.along_rows(start, "start")
            given = as_matrix(at, "start", owner=owner, allow_nan=False)
            if given.shape[1] != self.n_components:
                raise ValueError(f"start has {given.shape[1]} columns, but n_components is {self.n_components}")
        seed = self._seed()
        self._keep(
            run_fit(
                self,
                lambda on_step: _core.fit_bayes(
                    data, words, self.n_components, self.kernel == "dp", self.n_frequencies, self.time_kernel,
                    self.n_chains, self.n_warmup, self.n_draws, self.thin, self.n_stored, self.start, when, groups,
                    given, seed, self._threads(), on_step,
                )
            )
        )  # fmt: skip
        self._remember_layout(parsed)
        self._class_names = classes
        self._samples = None if when is None else SamplesOfFit(parsed, self._measured(parsed))
        self._trials_of_fit = {t.name: w[1] for t, w in zip(parsed.tables, words, strict=True) if w[1] is not None}
        annotate(parsed, self.latent_, self.latent_sd_, None, self._info())
        self.ids_ = parsed.index()
        return self

    def _read_known(self, X: Any) -> Parsed:
        parsed = super()._read_known(X)
        for t in parsed.tables:
            if t.labels is not None:
                encode(t, self._class_names[t.name])
            check_entries(t, self._words[t.name])
        return parsed

    def _measured(self, parsed: Parsed) -> dict[str, Array]:
        return {name: parsed.measured(name, len(columns)) for name, columns in self._parts}

    def _rows_of_fit(self, parsed: Parsed, fitted: bool | None) -> Array:
        """The sample of ``fit`` that each joined row is, -1 for a new one; without time all are like new ones."""
        if fitted is None and not self._fit.has_time:
            return np.full(len(parsed.ids), -1)
        return rows_of_fit(fitted, self._samples, parsed, self._measured(parsed), self.ids_)

    def _keep(self, fit: Any) -> None:
        self._fit = fit
        self._parts = [(name, list(columns)) for name, columns, _ in fit.views]
        self._words = {name: word for name, _, word in fit.views}
        self.latent_ = fit.latent_mean
        self.latent_sd_ = fit.latent_sd
        self.latent_draws_ = list(fit.latent_draws)
        self.log_density_ = fit.log_density
        self.monitors_ = list(fit.monitors)
        self.rhat_ = max((m[1] for m in self.monitors_ if np.isfinite(m[1])), default=float("nan"))
        self.n_draws_ = int(fit.draws)
        self.status_ = fit.status

    def _draws(self, parsed: Parsed, trials: Any) -> tuple[list[Array], dict[str, Array | None]]:
        """Latents of the joined rows, each placed by its entries alone, and the trials of binomial views."""
        data = parsed.dataset(allow_disjoint=True)
        told = self._told_all(parsed, trials)
        for t in parsed.tables:
            if self._words[t.name] == "binomial" and told[t.name] is None:
                check_mean_trials(t, self._fit.mean_trials(t.name))
        each = [told[t.name] for t in parsed.tables]
        beside = [np.zeros((0, 0)) if own is None else own for own in each]
        return list(self._fit.embed(data, beside, parsed.has_ids, self._threads())), told

    def _told_all(self, parsed: Parsed, trials: Any) -> dict[str, Array | None]:
        return {
            name: self._told(parsed, trials, name) if word == "binomial" else None for name, word in self._words.items()
        }

    def _told(self, parsed: Parsed, trials: Any, name: str) -> Array | None:
        if trials is not None:
            return trials_of(trials, parsed, name, self._columns()[name], type(self).__name__)
        own = self.trials.get(name) if isinstance(self.trials, Mapping) else self.trials
        return np.full((1, 1), float(own)) if own is not None and np.asarray(own).ndim == 0 else None

    def transform(
        self, X: Any, return_std: bool = False, *, trials: Any = None, fitted: bool | None = None
    ) -> Any:
        """Posterior means of the latents of samples with any subset of views and entries.

        A new sample is placed by its entries alone. If ``fit`` was given ``time``, a sample of ``fit`` is where its path
        is: ``latent_``. It is known again by its label and its entries, arrays as a whole; ``fitted=True`` says that X has
        samples of ``fit`` (a model file does not tell), ``fitted=False`` that all are new.

        ``trials`` of binomial views as in the constructor, of these samples; else the number of the constructor, or the
        mean number of ``fit``. Rows with an index draw their own random numbers; rows of arrays all draw the same ones, so
        that the answer for a row does not depend on its place.
        """
        parsed = self._read_known(X)
        parsed.join()
        at = self._rows_of_fit(parsed, fitted)
        old = at >= 0
        mean, sd = np.empty((len(at), self._n_out())), np.empty((len(at), self._n_out()))
        mean[old], sd[old] = self.latent_[at[old]], self.latent_sd_[at[old]]
        if not old.all():
            draws = np.stack(self._draws(parsed, trials)[0])
            mean[~old], sd[~old] = draws.mean(0)[~old], draws.std(0)[~old]
        return self._finish(parsed, mean, sd, return_std)

    def _at(self, view: str, draws: list[Array], known: Array | None, interval: float, trials: Array | None) -> Any:
        return self._fit.predict(view, draws, known, trials, interval, False, self._threads())

    def _at_samples_of_fit(self, view: str, at: Array, known: Array, interval: float, trials: Array | None) -> Any:
        """At rows of the fit, with the numbers that ``bochner fit`` writes into ``imputed/``."""
        if trials is None:
            trials = self._trials_of_fit.get(view)
            trials = trials if trials is None or trials.size == 1 else np.ascontiguousarray(trials[at])
        draws = [np.ascontiguousarray(draw[at]) for draw in self.latent_draws_]
        return self._fit.predict(view, draws, known, trials, interval, True, self._threads())

    def _repeated(self, Z: Any) -> list[Array]:
        check_fitted(self)
        at = as_matrix(Z, "Z", owner=type(self).__name__, allow_nan=False)
        if at.shape[1] != self._n_out():
            raise ValueError(f"Z has {counted(at.shape[1], 'column')}, but the model has {counted(self._n_out(), 'dimension')}")
        return [at] * len(self.latent_draws_)

    def inverse_transform(self, Z: Any, return_std: bool = False) -> Any:
        """What every view is expected to be at latents Z; probabilities of the classes for labels."""
        draws = self._repeated(Z)
        answers = {name: self._at(name, draws, None, 0.0, None) for name, _ in self._parts}
        dtype = dtype_of(Z)
        mean = self._joined({name: a[0] for name, a in answers.items()}, dtype)
        if not return_std:
            return mean
        return mean, self._joined({name: np.sqrt(a[2]) for name, a in answers.items()}, dtype)

    def _joined(self, by_view: dict[str, Array], dtype: Any) -> Any:
        wide = any(by_view[name].shape[1] != len(columns) for name, columns in self._parts)
        if wide:
            return {name: values.astype(dtype, copy=False) for name, values in by_view.items()}
        return self._together(by_view, dtype)

    def impute(
        self, X: Any, interval: float | None = None, *, trials: Any = None, fitted: bool | None = None
    ) -> Any:
        """X with its missing values filled by expected values; with ``interval=0.9`` also the ends of 90 % intervals.

        If ``fit`` was given ``time``, samples of ``fit`` are filled along their paths, as ``bochner fit`` does;
        ``fitted`` as in ``transform``. Views of labels are left out of the answer: ``predict_view`` has their
        probabilities.
        """
        if interval is not None:
            check_interval(interval)
        parsed = self._read_known(X)
        if parsed.kind == "table" and "categorical" in self._words.values():
            raise ValueError("impute does not fill labels in a table; predict_view has their probabilities")
        parsed.join()
        at = self._rows_of_fit(parsed, fitted)
        old, new = np.flatnonzero(at >= 0), np.flatnonzero(at < 0)
        draws, told = self._draws(parsed, trials) if len(new) else ([], self._told_all(parsed, trials))
        answers: tuple[dict[str, Array], ...] = ({}, {}, {})  # filled, low, high
        for name, seen in self._measured(parsed).items():
            if self._words[name] == "categorical":
                continue
            parts: list[tuple[Any, Any, Any]] = []  # rows, where their answers are, answers
            if len(old):
                given = told[name] if trials is not None else None
                given = given if given is None or given.size == 1 else np.ascontiguousarray(given[old])
                own = np.ascontiguousarray(seen[old])
                parts.append((old, slice(None), self._at_samples_of_fit(name, at[old], own, interval or 0.0, given)))
            if len(new):
                parts.append((new, new, self._at(name, draws, seen, interval or 0.0, told[name])))
            for out, which in zip(answers, (0, 3, 4)[: 1 if interval is None else 3], strict=False):
                out[name] = seen.copy()
                for rows, theirs, answer in parts:
                    out[name][rows] = np.where(np.isnan(seen[rows]), answer[which][theirs], seen[rows])
        columns_of = self._columns()
        filled = parsed.answer(answers[0], columns_of)
        if interval is None:
            return filled
        return filled, parsed.answer(answers[1], columns_of), parsed.answer(answers[2], columns_of)

    def predict_view(self, X: Any, view: str, return_std: bool = False, *, trials: Any = None) -> Any:
        """A view from the other views of the samples; probabilities of the classes for labels."""
        parsed = self._read_known(X)
        self._check_others(view)
        for t in parsed.tables:
            if t.name == view:
                t.values = np.full_like(t.values, np.nan)
        draws, told = self._draws(parsed, trials)
        mean, _, variance, *_ = self._at(view, draws, None, 0.0, told[view])
        mean = mean.astype(parsed.dtype, copy=False)
        return (mean, np.sqrt(variance).astype(parsed.dtype, copy=False)) if return_std else mean

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Any:
        """Expected measurements of new samples whose latents are near those of training samples."""
        check_fitted(self)
        rng = np.random.default_rng(seed_of(random_state))
        rows = rng.integers(len(self.latent_), size=count_of(n_samples, "n_samples"))
        noise = rng.standard_normal((n_samples, self._n_out()))
        return self.inverse_transform(self.latent_[rows] + self.latent_sd_[rows] * noise)

    def score(self, X: Any, y: Any = None, *, trials: Any = None) -> float:
        """Mean log density of held-out entries: a fifth of what X has is hidden, found again from the rest, and judged."""
        whole = self._read_known(X)
        masks, seen = hidden(whole, 0.2, 0)
        draws, told = self._draws(seen, trials)
        total, count = 0.0, 0
        for t, left, mask in zip(whole.tables, seen.tables, masks, strict=True):
            truth = np.full((len(seen.ids), t.values.shape[1]), np.nan)
            known = truth.copy()  # totals of multinomial rows come from what is left
            rows = seen.rows_of(t)
            truth[rows] = np.where(mask, t.values, np.nan)
            known[rows] = left.values
            density = self._fit.log_density_of(t.name, draws, truth, known, told[t.name], self._threads())
            total += float(np.nansum(density))
            count += int((~np.isnan(density)).sum())
        return total / max(count, 1)

    def forecast(self, h: int, gap: float, interval: float = 0.9) -> dict[str, tuple[Array, Array, Array]]:
        """Median and ends of intervals of every view at ``h`` times after the last one, ``gap`` apart, group by group.

        Probabilities of the classes, instead of the median, for labels.
        """
        check_fitted(self)
        check_interval(interval)
        h = count_of(h, "h")
        if not (gap > 0 and np.isfinite(gap)):
            raise ValueError(f"gap is {gap}, but must be a positive number")
        draws = list(self._fit.forecast(h, float(gap)))
        out = {}
        for name, _ in self._parts:
            mean, _, _, low, high, median = self._at(name, draws, None, interval, None)
            out[name] = (mean if self._words[name] == "categorical" else median, low, high)
        return out

    @classmethod
    def load(cls, path: Any, *, views: Mapping[str, Any] | None = None, n_jobs: int | None = -1) -> BayesianGPLVM:
        """A model that ``save`` or ``bochner fit --model bayes`` wrote; ``views`` as in the constructor."""
        fit = _core.BayesFit.load(str(path))
        words = {name: word for name, _, word in fit.views}
        model = cls(n_components=int(fit.latent_mean.shape[1]), likelihood=words, views=views, n_jobs=n_jobs)
        model._keep(fit)
        model._class_names = {name: fit.classes(name) for name, word in words.items() if word == "categorical"}
        model.ids_ = list(fit.ids)
        model.seed_ = int(fit.seed)
        if len(model._parts) == 1:
            model.n_features_in_ = len(model._parts[0][1])
        return model

