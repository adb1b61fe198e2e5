"""What harmonic Gaussian processes for regression and classification share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._assess import Assessed, Verdict, check_holdout, data_hash, verdict_of
from ._numbers import dtype_of
from ._params import Estimator
from ._progress import run_fit
from ._rules import (
    COMMON, boolean, british, circle, counts, image, integer, is_pair, kernel, layers, number, optional, positive, scaling,
    sphere, symmetry,
)  # fmt: skip
from ._validation import Array, as_matrix, check_features, check_fitted, counted, feature_names, seed_of, threads_of

Pair = tuple[str | int, str | int]  # columns of longitude and latitude

# Outside of the class, whose fields have the names of these functions.
_RULES = {
    **COMMON,
    "kernel": kernel(),
    "ard": boolean(),
    "lengthscale": optional(positive()),
    "symmetry": symmetry(),
    "circle": circle(),
    "sphere": sphere(),
    "scaling": scaling("auto", "standardise", "common", "none"),
    "layers": layers(),
    "image": optional(image()),
    "n_inducing": integer(1, 10**5),
    "hidden_inducing": optional(counts()),
    "n_draws": integer(1, 10**5),
    "shared_inducing": boolean(),
    "shared_covariance": boolean(),
    "max_iter": integer(1, 10**9),
    "batch_size": integer(1, 10**6),
    "step_size": optional(number(1e-6, 1)),
    "natural_step": number(0, 1),
    "validation_fraction": number(0, 0.5),
    "patience": integer(1, 10**6),
}


@dataclass(kw_only=True, eq=False, repr=False)
class HarmonicGP(Estimator, Assessed):
    """What the regressor and the classifier share; its fields are their parameters."""

    kernel: str = "matern32"
    ard: bool = False
    lengthscale: float | None = None
    likelihood: str = "auto"
    symmetry: str | Sequence[str] = ()
    circle: Mapping[str | int, float] | None = None
    sphere: Pair | Sequence[Pair] | None = None
    scaling: str = "auto"
    layers: int | Sequence[str] = 1
    image: Sequence[int] | None = None
    n_inducing: int = 500
    hidden_inducing: Sequence[int] | None = None
    n_draws: int = 20
    shared_inducing: bool = False
    shared_covariance: bool = False
    max_iter: int = 2000
    batch_size: int = 512
    step_size: float | None = None
    natural_step: float = 0.2
    validation_fraction: float = 0.1
    patience: int = 20
    random_state: Any = None
    n_jobs: int | None = -1
    verbose: int = 0
    callback: Any = None

    _rules = _RULES

    def _add_tags(self, tags: Any) -> None:
        tags.target_tags.required = True

    def _read_new(self, X: Any) -> Array:
        out = as_matrix(X, "X", owner=type(self).__name__, allow_nan=False, min_rows=2)
        self.n_features_in_ = out.shape[1]
        names = feature_names(X)
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return out

    def _read_known(self, X: Any) -> Array:
        check_fitted(self)
        out = as_matrix(X, "X", owner=type(self).__name__, allow_nan=False)
        check_features(self, X, out.shape[1])
        return out

    def _options(self, likelihood: str, columns: Sequence[str] | None, width: int) -> _core.HarmonicOptions:
        """``columns``: names of the inputs, if they have some; ``width``: how many there are."""

        def at(column: str | int, what: str) -> int:
            return _position(column, columns, width, what)

        out = _core.HarmonicOptions()
        out.kernel = self.kernel
        out.ard = bool(self.ard)
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
        out.inducing = int(self.n_inducing)
        out.hidden_inducing = [int(count) for count in self.hidden_inducing or ()]
        out.draws = int(self.n_draws)
        out.shared_inducing = bool(self.shared_inducing)
        out.shared_covariance = bool(self.shared_covariance)
        out.steps = int(self.max_iter)
        out.batch = int(self.batch_size)
        out.step_size = 0.0 if self.step_size is None else float(self.step_size)
        out.natural_step = float(self.natural_step)
        out.validation = float(self.validation_fraction)
        out.patience = int(self.patience)
        return out

    def _learn(
        self, X: Array, Y: Array, outcomes: list[str], classes: list[str], likelihood: str, holdout: float | None
    ) -> None:
        """``holdout``: share of the rows to judge by, the same rows as those of ``bochner regress --test``."""
        names = getattr(self, "feature_names_in_", None)
        columns = None if names is None else [str(n) for n in names]
        inputs = columns or [str(d) for d in range(X.shape[1])]
        options = self._options(likelihood, columns, X.shape[1])
        seed = seed_of(self.random_state)
        share = check_holdout(holdout, type(self).__name__)
        test = _core.held_out_rows(rows=len(X), share=share, seed=seed)
        x, y = (np.delete(a, test, axis=0) if test else a for a in (X, Y))
        if test and len(x) < 3:
            raise ValueError(f"holdout leaves {counted(len(x), 'row')} to learn from, but at least 3 are needed")
        rows = _core.HarmonicRows(X=x, Y=y, inputs=inputs, outcomes=outcomes, classes=classes)
        fit = run_fit(
            self,
            lambda on_step: _core.fit_harmonic(
                rows=rows, options=options, seed=seed, threads=self._threads(), on_step=on_step
            ),
        )
        self.seed_ = seed
        self._keep(fit)
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

    def _threads(self) -> int:
        return threads_of(self.n_jobs)

    def predict_parts(self, X: Any) -> list[tuple[Array, Array]]:
        """Mean and variance of what each group of harmonics adds to the latent functions."""
        x, dtype = self._read_known(X), dtype_of(X)
        return [
            (mean.astype(dtype, copy=False), variance.astype(dtype, copy=False))
            for mean, variance in self._fit.parts(X=x, threads=self._threads())
        ]

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
        names = list(fit.inputs)
        numbered = names == [str(d) for d in range(len(names))]
        model = cls(**_parameters(fit.options, None if numbered else names), n_jobs=n_jobs)
        model._keep(fit)
        model.seed_ = int(fit.seed)
        model.n_features_in_ = len(names)
        if not numbered:
            model.feature_names_in_ = np.asarray(names, dtype=object)
        model._loaded(fit)
        return model

    def _loaded(self, fit: Any) -> None:
        raise NotImplementedError


def _parameters(options: _core.HarmonicOptions, columns: Sequence[str] | None) -> dict[str, Any]:
    """Parameters of the estimator, from the options of a model file."""

    def named(column: int) -> str | int:
        return column if columns is None else columns[column]

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
        "batch_size": options.batch,
        "step_size": options.step_size or None,
        "natural_step": options.natural_step,
        "validation_fraction": options.validation,
        "patience": options.patience,
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
