"""What harmonic Gaussian processes for regression and classification share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from . import _inputs
from ._assess import Assessed, Verdict, check_holdout, data_hash, verdict_of
from ._numbers import dtype_of
from ._params import Estimator
from ._progress import run_fit
from ._rules import (
    COMMON, boolean, british, circle, columns, counts, image, integer, is_pair, kernel, layers, number, optional, positive, scaling,
    sphere, symmetry,
)  # fmt: skip
from ._validation import (
    Array, check_features, check_fitted, count_of, counted, feature_names, seed_of, threads_of, width_of,
)  # fmt: skip

Pair = tuple[str | int, str | int]  # columns of longitude and latitude

# Outside of the class, whose fields have the names of these functions.
_RULES = {
    **COMMON,
    "kernel": kernel(),
    "ard": optional(boolean()),
    "lengthscale": optional(positive()),
    "symmetry": symmetry(),
    "circle": circle(),
    "sphere": sphere(),
    "categorical": columns(),
    "scaling": scaling("auto", "standardise", "common", "pixels", "none"),
    "layers": layers(),
    "image": optional(image()),
    "n_inducing": optional(integer(1, 10**5)),
    "hidden_inducing": optional(counts()),
    "n_draws": integer(1, 10**5),
    "shared_inducing": boolean(),
    "shared_covariance": boolean(),
    "max_iter": optional(integer(1, 10**9)),
    "minutes": number(0.01, 1e5),
    "batch_size": integer(1, 10**6),
    "step_size": optional(number(1e-6, 1)),
    "natural_step": number(0, 1),
    "validation_fraction": number(0, 0.5),
    "patience": integer(1, 10**6),
    "calibrate": boolean(),
}


@dataclass(kw_only=True, eq=False, repr=False)
class HarmonicGP(Estimator, Assessed):
    """What the regressor and the classifier share; its fields are their parameters."""

    kernel: str = "matern32"
    ard: bool | None = None
    lengthscale: float | None = None
    likelihood: str = "auto"
    symmetry: str | Sequence[str] = ()
    circle: Mapping[str | int, float] | None = None
    sphere: Pair | Sequence[Pair] | None = None
    categorical: Sequence[str | int] | None = None
    scaling: str = "auto"
    layers: int | Sequence[str] = 1
    image: Sequence[int] | None = None
    n_inducing: int | None = None
    hidden_inducing: Sequence[int] | None = None
    n_draws: int = 20
    shared_inducing: bool = False
    shared_covariance: bool = False
    max_iter: int | None = None
    minutes: float = 3.0
    batch_size: int = 512
    step_size: float | None = None
    natural_step: float = 0.2
    validation_fraction: float = 0.1
    patience: int = 5
    calibrate: bool = True
    random_state: Any = None
    n_jobs: int | None = -1
    verbose: int = 0
    callback: Any = None

    _rules = _RULES

    def _add_tags(self, tags: Any) -> None:
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True

    @property
    def _encoding(self) -> Any:
        """What X goes through; None for plain numbers."""
        encoding = self._fit.encoding
        return encoding if encoding.columns else None

    def _read_new(self, X: Any) -> tuple[Array, Any]:
        """The numbers of X, and their encoding."""
        names = feature_names(X)
        columns = _column_names(X, names)
        chosen = [columns[_position(c, None if names is None else columns, len(columns), "categorical")]
                  for c in self.categorical or ()]  # fmt: skip
        out, encoding = _inputs.learn(X, columns, chosen, owner=type(self).__name__, min_rows=2)
        self.n_features_in_ = len(columns) or out.shape[1]
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return out, encoding

    def _read_known(self, X: Any) -> Array:
        check_fitted(self)
        width = width_of(X)
        if width is not None:
            check_features(self, X, width)
        names = [str(d) for d in range(self.n_features_in_)]
        if self._encoding is not None:
            names = list(self._encoding.columns)
        return _inputs.known(X, names, self._encoding, owner=type(self).__name__)

    def _options(self, likelihood: str, columns: Sequence[str] | None, width: int) -> _core.HarmonicOptions:
        """``columns``: names of the inputs, if they have some; ``width``: how many there are."""

        def at(column: str | int, what: str) -> int:
            return _position(column, columns, width, what)

        out = _core.HarmonicOptions()
        out.kernel = self.kernel
        out.ard = None if self.ard is None else bool(self.ard)
        out.lengthscale = 0.0 if self.lengthscale is None else float(self.lengthscale)
        out.likelihood = likelihood
        out.symmetries = [self.symmetry] if isinstance(self.symmetry, str) else list(self.symmetry)
        if out.symmetries == ["none"]:
            out.symmetries = []
        out.circles = [(at(c, "circle"), float(period)) for c, period in (self.circle or {}).items()]
        out.spheres = [(at(lon, "sphere"), at(lat, "sphere")) for lon, lat in _pairs(self.sphere)]
        out.scaling = british(self.scaling)
        out.layers = [str(self.layers)] if isinstance(self.layers, int | np.integer) else list(self.layers)
        out.image = "" if self.image is None else "x".join(str(int(side)) for side in self.image)
        out.inducing = 0 if self.n_inducing is None else int(self.n_inducing)
        out.hidden_inducing = [int(count) for count in self.hidden_inducing or ()]
        out.draws = int(self.n_draws)
        out.shared_inducing = bool(self.shared_inducing)
        out.shared_covariance = bool(self.shared_covariance)
        out.steps = 0 if self.max_iter is None else int(self.max_iter)
        out.minutes = float(self.minutes)
        out.batch = int(self.batch_size)
        out.step_size = 0.0 if self.step_size is None else float(self.step_size)
        out.natural_step = float(self.natural_step)
        out.validation = float(self.validation_fraction)
        out.patience = int(self.patience)
        out.calibrate = bool(self.calibrate)
        return out

    def _learn(
        self, X: Array, Y: Array, outcomes: list[str], classes: list[str], likelihood: str, holdout: float | None,
        encoding: Any, weights: Array | None = None,
    ) -> None:  # fmt: skip
        """``holdout``: share of the rows to judge by, the same rows as those of ``bochner regress --test``."""
        names = getattr(self, "feature_names_in_", None)
        columns = None if names is None else [str(n) for n in names]
        inputs = columns or [str(d) for d in range(self.n_features_in_)]
        options = self._options(likelihood, columns, self.n_features_in_)
        if encoding is not None:
            encoded = list(encoding.names)
            options.circles = [(encoded.index(inputs[c]), period) for c, period in options.circles]
            options.spheres = [(encoded.index(inputs[a]), encoded.index(inputs[b])) for a, b in options.spheres]
            inputs = encoded
        seed = seed_of(self.random_state)
        share = check_holdout(holdout, type(self).__name__)
        test = _core.held_out_rows(rows=len(X), share=share, seed=seed)
        x, y = (np.delete(a, test, axis=0) if test else a for a in (X, Y))
        w = None if weights is None else np.ascontiguousarray(np.delete(weights, test) if test else weights)
        if w is not None and not w.sum() > 0:
            raise ValueError("sample_weight is zero for all rows to learn from")
        if test and len(x) < 3:
            raise ValueError(f"holdout leaves {counted(len(x), 'row')} to learn from, but at least 3 are needed")
        rows = _core.HarmonicRows(
            X=x, Y=y, inputs=inputs, outcomes=outcomes, classes=classes, encoding=encoding or _core.InputEncoding(),
            weights=w,
        )
        fit = run_fit(
            self,
            lambda on_step: _core.fit_harmonic(
                rows=rows, options=options, seed=seed, threads=self._threads(), on_step=on_step
            ),
        )
        self.seed_ = seed
        self._keep(fit)
        self._some_rows = np.ascontiguousarray(x[:: max(1, len(x) // 500)][:500])
        self._relevance: dict[str, float] | None = None
        self._baselines = _core.harmonic_baselines(fit=fit, X=x, Y=y)
        found = _core.assess_harmonic(
            fit=fit, baselines=self._baselines, X=np.ascontiguousarray(X[test]), Y=np.ascontiguousarray(Y[test]),
            threads=self._threads(),
        )  # fmt: skip
        self._judge(found, data_hash((X, Y)), len(test) > 0, stacklevel=4)

    def _assess(self, X: Array, Y: Array) -> Verdict:
        kept = self._kept(data_hash((X, Y)))
        if kept is not None:
            return kept
        if not hasattr(self, "_baselines"):
            raise ValueError("the model comes from a file, which has no baselines to compare with; fit it here")
        return verdict_of(
            _core.assess_harmonic(fit=self._fit, baselines=self._baselines, X=X, Y=Y, threads=self._threads())
        )

    def _keep(self, fit: Any) -> None:
        self._fit = fit
        self.n_iter_ = max(1, int(fit.steps))
        self.bound_ = fit.bound
        self.status_ = fit.status
        self.trace_ = fit.trace
        self.notes_ = list(fit.notes)
        self.symmetries_ = list(fit.symmetries)
        name, names, theta = fit.kernel
        self.kernel_ = {"kernel": name, **_natural(names, theta)}
        for name in ("lengthscale_", "noise_"):  # of an earlier fit
            self.__dict__.pop(name, None)
        ell = fit.lengthscales
        if len(ell) == len(fit.input_names):
            self.lengthscale_ = dict(zip(fit.input_names, ell.tolist(), strict=True))
        if len(fit.noise):
            self.noise_ = dict(zip(fit.outcomes, fit.noise.tolist(), strict=True))
        self.calibration_ = _calibration(fit)
        text = "" if self._encoding is None else self._encoding.text
        if text:
            self.notes_.append(text)

    def _threads(self) -> int:
        return threads_of(self.n_jobs)

    def predict_parts(self, X: Any) -> list[tuple[Array, Array]]:
        """Mean and variance of what each group of harmonics adds to the latent functions."""
        x, dtype = self._read_known(X), dtype_of(X)
        return [
            (mean.astype(dtype, copy=False), variance.astype(dtype, copy=False))
            for mean, variance in self._fit.parts(X=x, threads=self._threads())
        ]

    @property
    def relevance_(self) -> dict[str, float]:
        """How far each column of X counts; looked at once, with at most 500 rows of ``fit``."""
        if not hasattr(self, "_some_rows"):
            raise AttributeError("relevance_ needs rows: a model that is loaded, or not fitted, has none")
        if self._relevance is None:
            shares = self._fit.relevance(X=self._some_rows, seed=self.seed_, threads=self._threads())
            self._relevance = dict(zip(self._fit.table_columns, shares.tolist(), strict=True))
        return self._relevance

    def partial_dependence(self, feature: str | int, X: Any = None) -> tuple[Array, Array]:
        """The mean prediction when a column of X is set to each of some values: 20 quantiles, or all levels of a category.

        Returns these values, and the means (values x outcomes; probabilities of classes, of the second of two). ``X``: rows to average
        over; rows of ``fit`` otherwise, which a model that is loaded does not have.
        """
        check_fitted(self)
        columns = list(self._fit.table_columns)
        at = _position(feature, columns if hasattr(self, "feature_names_in_") else None, len(columns), "feature")
        if X is None and not hasattr(self, "_some_rows"):
            raise ValueError("the model comes from a file, which has no rows; hand over X")
        rows = self._some_rows if X is None else self._read_known(X)
        levels, values, mean = self._fit.partial_dependence(X=rows, column=at, threads=self._threads())
        return (np.asarray(levels, dtype=object) if levels else values), mean

    def _draws(self, X: Any, n_samples: int, random_state: Any) -> Array:
        """N x P x n_samples."""
        count = count_of(n_samples, "n_samples")
        x = self._read_known(X)
        draws = self._fit.sample(X=x, count=count, seed=seed_of(random_state), threads=self._threads())
        return np.stack(draws, axis=2)

    def _quantiles(self, X: Any, levels: Any) -> Array:
        """N x P x levels."""
        asked = np.atleast_1d(np.asarray(levels, dtype=np.float64))
        if asked.ndim != 1 or len(asked) == 0 or not ((asked > 0) & (asked < 1)).all():
            raise ValueError(f"quantiles is {levels!r}, but must be a level between 0 and 1, or a list of them")
        x = self._read_known(X)
        return np.stack(self._fit.quantiles(X=x, levels=asked.tolist(), threads=self._threads()), axis=2)

    def _report_tables(self) -> dict[str, Any]:
        rows = [[n + 1, *row] for n, row in enumerate(np.asarray(self.trace_))]
        return {"trace.csv": (["n", "step", "bound", "validation"], rows)} if rows else {}

    def save(self, path: Any) -> None:
        """Writes the model file of the command line: ``bochner predict path`` reads it."""
        check_fitted(self)
        self._fit.save(str(path))

    @classmethod
    def load(cls, path: Any, *, n_jobs: int | None = -1) -> Any:
        """A model that ``save``, ``bochner regress`` or ``bochner classify`` wrote."""
        fit = _core.HarmonicFit.load(str(path))
        names = list(fit.table_columns)
        numbered = names == [str(d) for d in range(len(names))]
        encoded = [int(n) if numbered and n.isdigit() else n for n in fit.inputs]
        model = cls(**_parameters(fit.options, encoded), n_jobs=n_jobs)
        model._keep(fit)
        model.seed_ = int(fit.seed)
        model.n_features_in_ = len(names)
        if not numbered:
            model.feature_names_in_ = np.asarray(names, dtype=object)
        model._loaded(fit)
        return model

    def _loaded(self, fit: Any) -> None:
        raise NotImplementedError


def _column_names(X: Any, names: Any) -> list[str]:
    return [str(n) for n in names] if names is not None else [str(d) for d in range(width_of(X) or 0)]


def _natural(names: Sequence[str], theta: Array) -> dict[str, float]:
    """Parameters of a kernel in their own units: "log ell[1]" becomes "ell[1]"."""
    return {
        (name[4:] if name.startswith("log ") else name): float(np.exp(t) if name.startswith("log ") else t)
        for name, t in zip(names, theta, strict=True)
    }


def _parameters(options: _core.HarmonicOptions, columns: Sequence[str | int]) -> dict[str, Any]:
    """Parameters of the estimator, from the options of a model file."""

    def named(column: int) -> str | int:
        return columns[column]

    return {
        "kernel": options.kernel,
        "ard": options.ard,
        "lengthscale": options.lengthscale or None,
        "likelihood": options.likelihood,
        "symmetry": list(options.symmetries),
        "circle": {named(c): period for c, period in options.circles} or None,
        "sphere": [(named(lon), named(lat)) for lon, lat in options.spheres] or None,
        "scaling": options.scaling,
        "layers": _layers(options.layers),
        "image": tuple(int(side) for side in options.image.split("x")) if options.image else None,
        "n_inducing": options.inducing,
        "hidden_inducing": list(options.hidden_inducing) or None,
        "n_draws": options.draws,
        "shared_inducing": options.shared_inducing,
        "shared_covariance": options.shared_covariance,
        "max_iter": options.steps,
        "minutes": options.minutes,
        "batch_size": options.batch,
        "step_size": options.step_size or None,
        "natural_step": options.natural_step,
        "validation_fraction": options.validation,
        "patience": options.patience,
        "calibrate": options.calibrate,
    }


def _layers(words: Sequence[str]) -> int | list[str]:
    if not words:
        return 1
    return int(words[0]) if words[0].isdigit() else list(words)


def _pairs(sphere: Any) -> list[tuple[str | int, str | int]]:
    if sphere is None:
        return []
    return [tuple(sphere)] if is_pair(sphere) else [(lon, lat) for lon, lat in sphere]


def _position(column: str | int, columns: Sequence[str] | None, width: int, what: str) -> int:
    """Of a column of X, by its name or from 0."""
    if isinstance(column, str):
        if columns is None:
            raise ValueError(f"{what} names column {column!r}, but X has no column names; use its position, from 0")
        if column not in columns:
            raise ValueError(f"{what} names column {column!r}, but the columns of X are {', '.join(map(repr, columns))}")
        return list(columns).index(column)
    if not 0 <= column < width:
        raise ValueError(f"{what} names column {column}, but X has {counted(width, 'column')}, from 0 to {width - 1}")
    return int(column)


def _calibration(fit: Any) -> dict[str, Any]:
    """What calibration changed, by outcome where outcomes have some of their own."""
    temperature, factor, spread = fit.calibration
    if fit.classes:
        return {"temperature": temperature}

    def named(values: Array) -> dict[str, float]:
        return dict(zip(fit.outcomes, values.tolist(), strict=False))  # empty where nothing was calibrated

    if fit.options.likelihood == "poisson":
        return {}
    if fit.options.likelihood == "negbinom":
        return {"size": named(1 / factor)}
    return {"noise": named(factor), "spread": named(spread)}
