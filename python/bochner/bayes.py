"""Bayesian latent variable models by Markov chains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _core
from ._latent import LatentModel, each_view, hidden
from ._validation import Array, as_matrix, check_fitted, seed_of
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

    def _label_views(self) -> list[str]:
        if isinstance(self.likelihood, Mapping):
            return [name for name, word in self.likelihood.items() if word == "categorical"]
        if self.likelihood != "categorical":
            return []
        return list(self.views) if self.views is not None else ["X"]

    def _likelihoods(self, names: list[str]) -> list[str]:
        return [str(w) for w in each_view(self.likelihood, names, "likelihood", "gaussian")]

    def _trials(self, name: str, likelihood: str, shape: tuple[int, ...]) -> Array | None:
        if likelihood != "binomial":
            return None
        own = self.trials.get(name) if isinstance(self.trials, Mapping) else self.trials
        if own is None:
            raise ValueError(f"view {name!r} is binomial and needs trials: a number, or a table of them")
        if np.ndim(own) == 0:
            return np.full((1, 1), float(own))
        table = as_matrix(own, f"trials of {name}", owner=type(self).__name__)
        if table.shape != shape:
            raise ValueError(f"trials of view {name!r} have shape {table.shape}, but the view has {shape}")
        return table

    def fit(self, X: Any, y: Any = None, *, time: Any = None, group: Any = None, start: Any = None) -> BayesianGPLVM:
        """Draws from the posterior given one table, a dict of tables, AnnData or MuData.

        ``time`` (one number for each sample) makes latents paths over time; rows of different ``group`` have paths of
        their own. ``start`` (samples x components) is where chains begin.
        """
        if self.kernel not in ("dp", "rbf"):
            raise ValueError(f"kernel is {self.kernel!r}, but must be 'dp' or 'rbf'")
        parsed = self._read_new(X)
        names = parsed.names
        words = []
        self._class_names: dict[str, list[list[str]]] = {}
        for t, likelihood in zip(parsed.tables, self._likelihoods(names), strict=True):
            classes: list[list[str]] = []
            if likelihood == "categorical":
                classes = self._encode(t, None)
                self._class_names[t.name] = classes
            words.append((likelihood, self._trials(t.name, likelihood, t.values.shape), classes))
        data = parsed.dataset(allow_disjoint=False)
        when = None if time is None else np.ascontiguousarray(np.asarray(time, dtype=np.float64).reshape(-1))
        groups = [] if group is None else [int(g) for g in np.unique(np.asarray(group), return_inverse=True)[1]]
        given = None if start is None else as_matrix(start, "start", owner=type(self).__name__, allow_nan=False)
        seed = self._seed()
        self._keep(
            self._run(
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
            column = [None if o is None or o != o or str(o) == "" else str(o) for o in objects[:, m]]
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

    def _draws(self, parsed: Parsed) -> list[Array]:
        data = parsed.dataset(allow_disjoint=True)
        trials: list[Array] = []
        if "binomial" in self._words.values():
            trials = [
                self._new_trials(t.name, t.values.shape) if self._words[t.name] == "binomial" else np.zeros((0, 0))
                for t in parsed.tables
            ]
        return list(self._fit.embed(data, trials, parsed.has_ids, self._threads()))

    def _new_trials(self, name: str, shape: tuple[int, ...]) -> Array:
        own = self.trials.get(name) if isinstance(self.trials, Mapping) else self.trials
        if own is not None and (np.ndim(own) == 0 or np.shape(own) == shape):
            return np.ascontiguousarray(np.atleast_2d(np.asarray(own, dtype=np.float64)))
        return np.zeros((0, 0))

    def transform(self, X: Any, return_std: bool = False) -> Any:
        """Posterior means of the latents of samples with any subset of views and entries.

        Rows with an index draw their own random numbers; rows of arrays all draw the same ones, so that the answer for
        a row does not depend on its place.
        """
        parsed = self._read_known(X)
        draws = np.stack(self._draws(parsed))
        return self._finish(parsed, draws.mean(0), draws.std(0) if return_std else None)

    def _at(self, view: str, draws: list[Array], known: Array | None, interval: float, of_function: bool = False) -> Any:
        trials = None
        if self._words[view] == "binomial" and known is not None:
            own = self._new_trials(view, known.shape)
            trials = own if own.size else None
        return self._fit.predict(view, draws, known, trials, interval, of_function, self._threads())

    def _repeated(self, Z: Any) -> list[Array]:
        check_fitted(self)
        at = as_matrix(Z, "Z", owner=type(self).__name__, allow_nan=False)
        if at.shape[1] != self._n_out():
            raise ValueError(f"Z has {at.shape[1]} columns, but the model has {self._n_out()} dimensions")
        return [at] * len(self.latent_draws_)

    def inverse_transform(self, Z: Any, return_std: bool = False) -> Any:
        """What every view is expected to be at latents Z; probabilities of the classes for labels."""
        draws = self._repeated(Z)
        answers = {name: self._at(name, draws, None, 0.0) for name, _ in self._parts}
        mean = self._joined({name: a[0] for name, a in answers.items()})
        if not return_std:
            return mean
        return mean, self._joined({name: np.sqrt(a[2]) for name, a in answers.items()})

    def _joined(self, by_view: dict[str, Array]) -> Any:
        wide = any(by_view[name].shape[1] != len(columns) for name, columns in self._parts)
        return by_view if wide else self._together(by_view)

    def impute(self, X: Any, interval: float | None = None) -> Any:
        """X with its holes filled by expected values; with ``interval=0.9`` also the ends of 90 % intervals.

        Views of labels are left out of the answer: ``predict_view`` has their probabilities.
        """
        if interval is not None and not 0 < interval < 1:
            raise ValueError(f"interval is {interval}, but must be between 0 and 1")
        parsed = self._read_known(X)
        draws = self._draws(parsed)
        filled, low, high = {}, {}, {}
        for name, columns in self._parts:
            if self._words[name] == "categorical":
                continue
            seen = np.full((len(parsed.ids), len(columns)), np.nan)
            for t in parsed.tables:
                if t.name == name:
                    seen[parsed.rows_of(t)] = t.values
            mean, _, _, lo, hi = self._at(name, draws, seen, interval or 0.0)
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

    def predict_view(self, X: Any, view: str, return_std: bool = False) -> Any:
        """A view from the other views of the samples; probabilities of the classes for labels."""
        parsed = self._read_known(X)
        if view not in self._words:
            raise ValueError(f"the model has no view {view!r}, only {', '.join(map(repr, self._words))}")
        for t in parsed.tables:
            if t.name == view:
                t.values = np.full_like(t.values, np.nan)
        mean, _, variance, _, _ = self._at(view, self._draws(parsed), None, 0.0)
        return (mean, np.sqrt(variance)) if return_std else mean

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Any:
        """Expected measurements of new samples whose latents are near those of training samples."""
        check_fitted(self)
        rng = np.random.default_rng(seed_of(random_state))
        rows = rng.integers(len(self.latent_), size=n_samples)
        noise = rng.standard_normal((n_samples, self._n_out()))
        return self.inverse_transform(self.latent_[rows] + self.latent_sd_[rows] * noise)

    def score(self, X: Any, y: Any = None) -> float:
        """Mean log density of held-out entries: a fifth of what X has is hidden, found again from the rest, and judged."""
        whole = self._read_known(X)
        masks, seen = hidden(whole, 0.2, 0)
        draws = self._draws(seen)
        total, count = 0.0, 0
        for t, mask in zip(whole.tables, masks, strict=True):
            truth = np.full((len(seen.ids), t.values.shape[1]), np.nan)
            rows = seen.rows_of(t)
            truth[rows] = np.where(mask, t.values, np.nan)
            trials = self._new_trials(t.name, truth.shape) if self._words[t.name] == "binomial" else np.zeros((0, 0))
            density = self._fit.log_density_of(t.name, draws, truth, trials if trials.size else None, self._threads())
            total += float(np.nansum(density))
            count += int((~np.isnan(density)).sum())
        return total / max(count, 1)

    def forecast(self, h: int, gap: float, interval: float = 0.9) -> dict[str, tuple[Array, Array, Array]]:
        """Mean and ends of intervals of every view at ``h`` times after the last one, ``gap`` apart, group by group."""
        check_fitted(self)
        draws = list(self._fit.forecast(int(h), float(gap)))
        out = {}
        for name, _ in self._parts:
            mean, _, _, low, high = self._at(name, draws, None, interval)
            out[name] = (mean, low, high)
        return out

    @classmethod
    def load(cls, path: Any, *, n_jobs: int | None = -1) -> BayesianGPLVM:
        """A model that ``save`` or ``bochner fit --model bayes`` wrote."""
        fit = _core.BayesFit.load(str(path))
        words = {name: word for name, _, word in fit.views}
        model = cls(n_components=int(fit.latent_mean.shape[1]), likelihood=words, n_jobs=n_jobs)
        model._keep(fit)
        model._class_names = {name: fit.classes(name) for name, word in words.items() if word == "categorical"}
        model.ids_ = list(fit.ids)
        model.seed_ = int(fit.seed)
        if len(model._parts) == 1:
            model.n_features_in_ = len(model._parts[0][1])
        return model
