"""Bayesian latent variable models by Markov chains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _core
from ._latent import LatentModel, each_view, hidden
from ._progress import run_fit
from ._validation import Array, as_matrix, check_fitted, check_interval, is_frame, is_missing, seed_of
from ._views import Parsed, annotate


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

    def _label_views(self) -> list[str] | None:
        if isinstance(self.likelihood, Mapping):
            return [name for name, word in self.likelihood.items() if word == "categorical"]
        return None if self.likelihood == "categorical" else []

    def _likelihoods(self, names: list[str]) -> list[str]:
        return [str(w) for w in each_view(self.likelihood, names, "likelihood", "gaussian")]

    def _trials(self, trials: Any, parsed: Parsed, name: str) -> Array | None:
        """Trials of a binomial view for all joined rows, or one number; None if they are not told."""
        own = trials.get(name) if isinstance(trials, Mapping) else trials
        if own is None:
            return None
        if np.asarray(own).ndim == 0:
            return np.full((1, 1), float(own))
        columns = self._columns()[name] if hasattr(self, "_parts") else None
        of_view = next((t for t in parsed.tables if t.name == name), None)
        table = as_matrix(own, f"trials of {name}", owner=type(self).__name__, allow_nan=False)
        if of_view is None:
            raise ValueError(f"trials of view {name!r} are a table, but the data have no such view; give a number")
        if table.shape != of_view.values.shape:
            raise ValueError(
                f"trials of view {name!r} have shape {table.shape}, but the view has {of_view.values.shape}"
            )
        if is_frame(own):
            at = {str(label): n for n, label in enumerate(own.index)}
            if not all(i in at for i in of_view.ids):
                raise ValueError(f"trials of view {name!r} do not have the rows of the view")
            table = table[[at[i] for i in of_view.ids]]
            names = [str(c) for c in own.columns]
            wanted = columns or of_view.columns
            if set(names) == set(wanted):
                table = table[:, [names.index(c) for c in wanted]]
        out = np.ones((len(parsed.ids), table.shape[1]))
        out[parsed.rows_of(of_view)] = table
        return out

    def fit(self, X: Any, y: Any = None, *, time: Any = None, group: Any = None, start: Any = None) -> BayesianGPLVM:
        """Draws from the posterior given one table, a dict of tables, AnnData or MuData.

        ``time`` (one number for each sample) makes latents paths over time; rows of different ``group`` have paths of
        their own. ``start`` (samples x components) is where chains begin. Series and DataFrames are matched by
        their index; arrays go with the rows of the views, which must then be the same in all of them.
        """
        if self.kernel not in ("dp", "rbf"):
            raise ValueError(f"kernel is {self.kernel!r}, but must be 'dp' or 'rbf'")
        if hasattr(self, "_parts"):
            del self._parts
        parsed = self._read_new(X)
        names = parsed.names
        words = []
        encoded: dict[str, list[list[str]]] = {}
        for t, likelihood in zip(parsed.tables, self._likelihoods(names), strict=True):
            if likelihood == "categorical":
                encoded[t.name] = self._encode(t, None)
        data = parsed.dataset(allow_disjoint=False)
        for t, likelihood in zip(parsed.tables, self._likelihoods(names), strict=True):
            trials = self._trials(self.trials, parsed, t.name) if likelihood == "binomial" else None
            if likelihood == "binomial" and trials is None:
                raise ValueError(f"view {t.name!r} is binomial and needs trials: a number, or a table of them")
            words.append((likelihood, trials, encoded.get(t.name, [])))
        self._class_names = encoded
        if group is not None and time is None:
            raise ValueError("group says which rows share a path over time, and needs time")
        when = None
        if time is not None:
            when = np.ascontiguousarray(parsed.along_rows(time, "time").reshape(-1), dtype=np.float64)
        groups: list[int] = []
        if group is not None:
            groups = [int(g) for g in np.unique(parsed.along_rows(group, "group"), return_inverse=True)[1]]
        given = None
        if start is not None:
            at = parsed.along_rows(start, "start")
            given = as_matrix(at, "start", owner=type(self).__name__, allow_nan=False)
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
        annotate(parsed, self.latent_, self.latent_sd_, None, self._info())
        self.ids_ = parsed.index()
        return self

    @staticmethod
    def _encode(table: Any, classes: list[list[str]] | None) -> list[list[str]]:
        """Labels as whole numbers from 0; what is None, NaN or empty was not measured."""
        objects = table.labels
        found: list[list[str]] = []
        table.values = np.full(objects.shape, np.nan)
        for m in range(objects.shape[1]):
            column = [None if is_missing(o) else _label(o) for o in objects[:, m]]
            own = classes[m] if classes is not None else sorted({c for c in column if c is not None})
            at = {c: k for k, c in enumerate(own)}
            for n, c in enumerate(column):
                if c is None:
                    continue
                if c not in at:
                    raise ValueError(f"view {table.name!r} has the label {c!r}, which the model does not know")
                table.values[n, m] = at[c]
            found.append(own)
        return found

    def _read_known(self, X: Any) -> Parsed:
        parsed = super()._read_known(X)
        for t in parsed.tables:
            if t.labels is not None:
                self._encode(t, self._class_names[t.name])
        return parsed

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
        """Latents of the joined rows, and the trials of binomial views."""
        data = parsed.dataset(allow_disjoint=True)
        told: dict[str, Array | None] = {}
        for name, word in self._words.items():
            told[name] = self._told(parsed, trials, name) if word == "binomial" else None
        none = np.zeros((0, 0))
        each = [told[t.name] for t in parsed.tables]
        beside = [none if own is None else own for own in each] if any(own is not None for own in each) else []
        return list(self._fit.embed(data, beside, parsed.has_ids, self._threads())), told

    def _told(self, parsed: Parsed, trials: Any, name: str) -> Array | None:
        if trials is not None:
            return self._trials(trials, parsed, name)
        own = self.trials.get(name) if isinstance(self.trials, Mapping) else self.trials
        return np.full((1, 1), float(own)) if own is not None and np.asarray(own).ndim == 0 else None

    def transform(self, X: Any, return_std: bool = False, *, trials: Any = None) -> Any:
        """Posterior means of the latents of samples with any subset of views and entries.

        ``trials`` of binomial views as in the constructor, of these samples; else the number of the constructor, or the
        mean number of ``fit``. Rows with an index draw their own random numbers; rows of arrays all draw the same ones, so that the answer for
        a row does not depend on its place.
        """
        parsed = self._read_known(X)
        draws = np.stack(self._draws(parsed, trials)[0])
        return self._finish(parsed, draws.mean(0), draws.std(0), return_std)

    def _at(self, view: str, draws: list[Array], known: Array | None, interval: float, trials: Array | None) -> Any:
        return self._fit.predict(view, draws, known, trials, interval, False, self._threads())

    def _repeated(self, Z: Any) -> list[Array]:
        check_fitted(self)
        at = as_matrix(Z, "Z", owner=type(self).__name__, allow_nan=False)
        if at.shape[1] != self._n_out():
            raise ValueError(f"Z has {at.shape[1]} columns, but the model has {self._n_out()} dimensions")
        return [at] * len(self.latent_draws_)

    def inverse_transform(self, Z: Any, return_std: bool = False) -> Any:
        """What every view is expected to be at latents Z; probabilities of the classes for labels."""
        draws = self._repeated(Z)
        answers = {name: self._at(name, draws, None, 0.0, None) for name, _ in self._parts}
        mean = self._joined({name: a[0] for name, a in answers.items()})
        if not return_std:
            return mean
        return mean, self._joined({name: np.sqrt(a[2]) for name, a in answers.items()})

    def _joined(self, by_view: dict[str, Array]) -> Any:
        wide = any(by_view[name].shape[1] != len(columns) for name, columns in self._parts)
        return by_view if wide else self._together(by_view)

    def impute(self, X: Any, interval: float | None = None, *, trials: Any = None) -> Any:
        """X with its holes filled by expected values; with ``interval=0.9`` also the ends of 90 % intervals.

        Views of labels are left out of the answer: ``predict_view`` has their probabilities.
        """
        if interval is not None:
            check_interval(interval)
        parsed = self._read_known(X)
        if parsed.kind == "table" and "categorical" in self._words.values():
            raise ValueError("impute does not fill labels in a table; predict_view has their probabilities")
        draws, told = self._draws(parsed, trials)
        filled, low, high = {}, {}, {}
        for name, columns in self._parts:
            if self._words[name] == "categorical":
                continue
            seen = np.full((len(parsed.ids), len(columns)), np.nan)
            for t in parsed.tables:
                if t.name == name:
                    seen[parsed.rows_of(t)] = t.values
            mean, _, _, lo, hi, _ = self._at(name, draws, seen, interval or 0.0, told[name])
            known = ~np.isnan(seen)
            filled[name] = np.where(known, seen, mean)
            if interval is not None:
                low[name] = np.where(known, seen, lo)
                high[name] = np.where(known, seen, hi)
        columns_of = self._columns()
        out = parsed.answer(filled, columns_of)
        if interval is None:
            return out
        return out, parsed.answer(low, columns_of), parsed.answer(high, columns_of)

    def predict_view(self, X: Any, view: str, return_std: bool = False, *, trials: Any = None) -> Any:
        """A view from the other views of the samples; probabilities of the classes for labels."""
        parsed = self._read_known(X)
        self._check_others(view)
        for t in parsed.tables:
            if t.name == view:
                t.values = np.full_like(t.values, np.nan)
        draws, told = self._draws(parsed, trials)
        mean, _, variance, *_ = self._at(view, draws, None, 0.0, told[view])
        return (mean, np.sqrt(variance)) if return_std else mean

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Any:
        """Expected measurements of new samples whose latents are near those of training samples."""
        check_fitted(self)
        rng = np.random.default_rng(seed_of(random_state))
        rows = rng.integers(len(self.latent_), size=n_samples)
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
        if h < 1:
            raise ValueError(f"h is {h}, but must be at least 1")
        if not (gap > 0 and np.isfinite(gap)):
            raise ValueError(f"gap is {gap}, but must be a positive number")
        draws = list(self._fit.forecast(int(h), float(gap)))
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


def _label(value: Any) -> str:
    """A label as text; whole numbers that a hole has made floats stay whole."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)
