"""Regression and classification at scale with harmonic variational Gaussian processes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from ._numbers import dtype_of
from ._params import Estimator
from ._progress import run_fit
from ._rules import COMMON, boolean, integer, kernel, number, one_of, optional, positive, symmetry
from ._targets import as_written, check_counts_of, check_lengths, labels_of, outcomes_of, weights_of
from ._validation import Array, as_matrix, check_features, check_fitted, feature_names, is_frame, seed_of, threads_of


class HarmonicGP(Estimator):
    """What the regressor and the classifier share."""

    verbose: int
    callback: Any
    _fit: Any
    _rules = {
        **COMMON,
        "kernel": kernel(),
        "ard": boolean(),
        "lengthscale": optional(positive()),
        "symmetry": symmetry(),
        "scaling": one_of("auto", "standardise", "common", "none"),
        "n_inducing": integer(1, 10**5),
        "shared_inducing": boolean(),
        "max_iter": integer(1, 10**9),
        "batch_size": integer(1, 10**6),
        "step_size": number(1e-6, 1),
        "validation_fraction": number(0, 0.5),
        "patience": integer(1, 10**6),
    }

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

    def _options(self, likelihood: str) -> Any:
        out = _core.HarmonicOptions()
        p = self.get_params()
        out.kernel = p["kernel"]
        out.ard = bool(p["ard"])
        out.lengthscale = 0.0 if p["lengthscale"] is None else float(p["lengthscale"])
        out.likelihood = likelihood
        out.symmetries = [p["symmetry"]] if isinstance(p["symmetry"], str) else list(p["symmetry"])
        if out.symmetries == ["none"]:
            out.symmetries = []
        out.scaling = p["scaling"]
        out.inducing = int(p["n_inducing"])
        out.shared_inducing = bool(p["shared_inducing"])
        out.steps = int(p["max_iter"])
        out.batch = int(p["batch_size"])
        out.step_size = float(p["step_size"])
        out.validation = float(p["validation_fraction"])
        out.patience = int(p["patience"])
        return out

    def _learn(self, X: Array, Y: Array, outcomes: list[str], classes: list[str], options: Any) -> None:
        p = self.get_params()
        inputs = [str(n) for n in getattr(self, "feature_names_in_", range(X.shape[1]))]
        self.seed_ = seed_of(p["random_state"])
        fit = run_fit(
            self,
            lambda on_step: _core.fit_harmonic(
                X, Y, inputs, outcomes, classes, options, self.seed_, threads_of(p["n_jobs"]), on_step
            ),
        )
        self._keep(fit)

    def _keep(self, fit: Any) -> None:
        self._fit = fit
        self.n_iter_ = max(1, int(fit.steps))
        self.bound_ = fit.bound
        self.status_ = fit.status
        self.trace_ = fit.trace
        self.notes_ = list(fit.notes)
        self.symmetries_ = list(fit.symmetries)

    def _threads(self) -> int:
        return threads_of(self.get_params()["n_jobs"])

    def predict_parts(self, X: Any) -> list[tuple[Array, Array]]:
        """Mean and variance of what each group of harmonics adds to the latent functions."""
        x, dtype = self._read_known(X), dtype_of(X)
        return [
            (mean.astype(dtype, copy=False), variance.astype(dtype, copy=False))
            for mean, variance in self._fit.parts(x, self._threads())
        ]

    def save(self, path: Any) -> None:
        """Writes the model file of the command line: ``bochner predict path`` reads it."""
        check_fitted(self)
        self._fit.save(str(path))

    @classmethod
    def load(cls, path: Any, *, n_jobs: int | None = -1) -> Any:
        """A model that ``save``, ``bochner regress`` or ``bochner classify`` wrote."""
        fit = _core.HarmonicFit.load(str(path))
        model: Any = cls()
        model.set_params(n_jobs=n_jobs)
        model._keep(fit)
        model.seed_ = int(fit.seed)
        model.n_features_in_ = len(fit.inputs)
        if list(fit.inputs) != [str(d) for d in range(len(fit.inputs))]:
            model.feature_names_in_ = np.asarray(list(fit.inputs), dtype=object)
        model._loaded(fit)
        return model

    def _loaded(self, fit: Any) -> None:
        raise NotImplementedError


class HarmonicGPRegressor(HarmonicGP):
    """Gaussian-process regression whose kernel is cut into its harmonics, each with inducing points of its own.

    Parameters
    ----------
    kernel : str
        ``"matern32"``, ``"rbf"``, ``"rq"``, ..
    ard : bool
        A length-scale for each column.
    lengthscale : float or None
        Where it starts; None takes the median distance.
    likelihood : "gaussian", "student" or "poisson"
    symmetry : str or list of str
        ``"none"``, ``"auto"``, or one or a list of ``"negate"``, ``"flip:..."``, ``"shift:..."``, .. as on the command line.
    scaling : "auto", "standardise", "common" or "none"
    n_inducing : int
        Inducing points of each group of harmonics.
    shared_inducing : bool
    max_iter, batch_size, step_size, validation_fraction, patience
        Of the optimiser; it stops when the validation rows gain nothing.
    random_state, n_jobs, verbose, callback
        As for ``MultiViewGPLVM``.

    Examples
    --------
    >>> from bochner import HarmonicGPRegressor, datasets
    >>> data = datasets.make_regression(100, random_state=0)
    >>> model = HarmonicGPRegressor(n_inducing=30, max_iter=300, random_state=0).fit(data.X, data.y)
    >>> mean, std = model.predict(data.X, return_std=True)
    >>> model.score(data.X, data.y) > 0.5
    True
    """

    _estimator_type = "regressor"
    _rules = {**HarmonicGP._rules, "likelihood": one_of("gaussian", "student", "poisson")}

    def __init__(
        self,
        *,
        kernel: str = "matern32",
        ard: bool = False,
        lengthscale: float | None = None,
        likelihood: str = "gaussian",
        symmetry: str | Sequence[str] = (),
        scaling: str = "auto",
        n_inducing: int = 500,
        shared_inducing: bool = False,
        max_iter: int = 2000,
        batch_size: int = 512,
        step_size: float = 0.02,
        validation_fraction: float = 0.1,
        patience: int = 20,
        random_state: Any = None,
        n_jobs: int | None = -1,
        verbose: int = 0,
        callback: Any = None,
    ) -> None:
        self.kernel = kernel
        self.ard = ard
        self.lengthscale = lengthscale
        self.likelihood = likelihood
        self.symmetry = symmetry
        self.scaling = scaling
        self.n_inducing = n_inducing
        self.shared_inducing = shared_inducing
        self.max_iter = max_iter
        self.batch_size = batch_size
        self.step_size = step_size
        self.validation_fraction = validation_fraction
        self.patience = patience
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.callback = callback

    def _add_tags(self, tags: Any) -> None:
        from sklearn.utils import RegressorTags

        super()._add_tags(tags)
        tags.regressor_tags = RegressorTags()
        tags.target_tags.multi_output = True

    def fit(self, X: Any, y: Any) -> HarmonicGPRegressor:
        """Learns y (one column, or several with holes) from X."""
        self._check_params()
        x = self._read_new(X)
        Y = outcomes_of(y, type(self).__name__)
        check_lengths(x, Y)
        if self.likelihood == "poisson":
            check_counts_of(Y)
        outcomes = [str(c) for c in y.columns] if is_frame(y) else [f"y{p}" for p in range(Y.shape[1])]
        self._learn(x, Y, outcomes, [], self._options(self.likelihood))
        self._flat = np.asarray(y).ndim == 1
        return self

    def _loaded(self, fit: Any) -> None:
        if fit.classes:
            raise ValueError("this is a model of classes; use HarmonicGPClassifier.load")
        self.likelihood = fit.likelihood
        self._flat = len(fit.outcomes) == 1

    def _moments(self, X: Any) -> tuple[Array, Array]:
        """Mean and variance of the outcomes, in double."""
        x = self._read_known(X)
        _, _, mean, variance, _ = self._fit.predict(x, self._threads())
        return (mean[:, 0], variance[:, 0]) if self._flat else (mean, variance)

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Mean of the outcome, and with ``return_std`` its standard deviation, noise included; float32 for float32."""
        mean, variance = self._moments(X)
        dtype = dtype_of(X)
        out = mean.astype(dtype, copy=False)
        return (out, np.sqrt(variance).astype(dtype, copy=False)) if return_std else out

    def log_density(self, X: Any, y: Any) -> Array:
        """log p(y | x) of every entry."""
        x = self._read_known(X)
        Y = outcomes_of(y, type(self).__name__)
        check_lengths(x, Y)
        if Y.shape[1] != len(self._fit.outcomes):
            raise ValueError(f"y has {Y.shape[1]} columns, but the model has {len(self._fit.outcomes)} outcomes")
        if self.likelihood == "poisson":
            check_counts_of(Y)
        out: Array = self._fit.log_density(x, Y, self._threads())
        return (out[:, 0] if self._flat else out).astype(dtype_of(X), copy=False)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R^2, the mean over columns, as every regressor of scikit-learn."""
        truth = outcomes_of(y, type(self).__name__)
        guess = self._moments(X)[0]
        check_lengths(guess, truth)
        guess = guess.reshape(truth.shape)
        w = weights_of(sample_weight, len(truth))
        known = ~np.isnan(truth)
        weights = np.where(known, w[:, None], 0)
        t = np.where(known, truth, 0)
        centre = (weights * t).sum(0) / weights.sum(0)
        left = (weights * (t - guess) ** 2).sum(0)
        total = (weights * (t - centre) ** 2).sum(0)
        r2 = np.where(total > 0, 1 - left / np.where(total > 0, total, 1), np.where(left > 0, 0.0, 1.0))
        return float(r2.mean())


class HarmonicGPClassifier(HarmonicGP):
    """Gaussian-process classification whose kernel is cut into its harmonics, each with inducing points of its own.

    Parameters are those of ``HarmonicGPRegressor``; ``likelihood`` is ``"auto"`` (Bernoulli for two classes, softmax for
    more), ``"softmax"`` or ``"robustmax"``.

    Attributes
    ----------
    classes_ : array
        ``np.unique(y)``: numbers as numbers, strings as strings. Model files have the order of ``bochner classify``, which
        takes strings that are all numbers ("1", "2", "10") as numbers; ``predict_proba`` brings the columns in the order of
        ``classes_``. A model that is loaded has numbers where all of its classes are numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from bochner import HarmonicGPClassifier
    >>> X = np.random.default_rng(0).normal(size=(80, 2))
    >>> y = np.where(X[:, 0] * X[:, 1] > 0, "same", "other")
    >>> model = HarmonicGPClassifier(n_inducing=30, max_iter=300, random_state=0).fit(X, y)
    >>> model.classes_.tolist(), model.predict_proba(X).shape
    (['other', 'same'], (80, 2))
    """

    _estimator_type = "classifier"
    _rules = {**HarmonicGP._rules, "likelihood": one_of("auto", "softmax", "robustmax")}

    def __init__(
        self,
        *,
        kernel: str = "matern32",
        ard: bool = False,
        lengthscale: float | None = None,
        likelihood: str = "auto",
        symmetry: str | Sequence[str] = (),
        scaling: str = "auto",
        n_inducing: int = 500,
        shared_inducing: bool = False,
        max_iter: int = 2000,
        batch_size: int = 512,
        step_size: float = 0.02,
        validation_fraction: float = 0.1,
        patience: int = 20,
        random_state: Any = None,
        n_jobs: int | None = -1,
        verbose: int = 0,
        callback: Any = None,
    ) -> None:
        self.kernel = kernel
        self.ard = ard
        self.lengthscale = lengthscale
        self.likelihood = likelihood
        self.symmetry = symmetry
        self.scaling = scaling
        self.n_inducing = n_inducing
        self.shared_inducing = shared_inducing
        self.max_iter = max_iter
        self.batch_size = batch_size
        self.step_size = step_size
        self.validation_fraction = validation_fraction
        self.patience = patience
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.callback = callback

    def _add_tags(self, tags: Any) -> None:
        from sklearn.utils import ClassifierTags

        super()._add_tags(tags)
        tags.classifier_tags = ClassifierTags()

    def fit(self, X: Any, y: Any) -> HarmonicGPClassifier:
        """Learns the classes y from X."""
        self._check_params()
        x = self._read_new(X)
        labels = labels_of(y)
        check_lengths(x, labels)
        classes, numbers = np.unique(labels, return_inverse=True)
        names = [str(c) for c in classes]
        in_model = list(_core.sorted_labels(names))  # the order of the command line
        columns = np.array([in_model.index(name) for name in names])
        K = len(classes)
        if K < 2:
            raise ValueError(f"HarmonicGPClassifier needs at least 2 classes, but y has only one class, {labels[0]!r}")
        likelihood = self.likelihood if self.likelihood != "auto" else ("bernoulli" if K == 2 else "softmax")
        Y = np.ascontiguousarray(columns[numbers].reshape(-1, 1), dtype=np.float64)
        self._learn(x, Y, ["class"], in_model, self._options(likelihood))
        self.classes_, self._columns = classes, columns
        return self

    def _loaded(self, fit: Any) -> None:
        if not fit.classes:
            raise ValueError("this is a model of numbers; use HarmonicGPRegressor.load")
        classes = as_written(list(fit.classes))
        self._columns = np.argsort(classes, kind="stable")
        self.classes_ = classes[self._columns]

    def _probabilities(self, X: Any) -> Array:
        """In double."""
        x = self._read_known(X)
        p: Array = self._fit.predict(x, self._threads())[4]
        if p.shape[1] == 1:
            p = np.hstack([1 - p, p])
        out: Array = (p / p.sum(axis=1, keepdims=True))[:, self._columns]
        return out

    def predict_parts(self, X: Any) -> list[tuple[Array, Array]]:
        """Mean and variance of what each group of harmonics adds to the latent functions, in the order of ``classes_``.

        Two classes have one function, which is large where the second of them is likely.
        """
        parts = super().predict_parts(X)
        if parts[0][0].shape[1] == len(self.classes_):
            return [(mean[:, self._columns], variance[:, self._columns]) for mean, variance in parts]
        return [(-mean, variance) for mean, variance in parts] if self._columns[0] == 1 else parts

    def predict_proba(self, X: Any) -> Array:
        """Probabilities of the classes, in the order of ``classes_``; float32 for float32."""
        return self._probabilities(X).astype(dtype_of(X), copy=False)

    def predict(self, X: Any) -> Array:
        """The most probable class of each row."""
        p = self._probabilities(X)
        out: Array = self.classes_[p.argmax(axis=1)]
        return out

    def log_density(self, X: Any, y: Any) -> Array:
        """log p(class | x) of each row."""
        p = self._probabilities(X)
        labels = labels_of(y)
        check_lengths(p, labels)
        known = {label: k for k, label in enumerate(self.classes_.tolist())}
        unknown = next((label for label in labels.tolist() if label not in known), None)
        if unknown is not None:
            raise ValueError(f"y has the class {unknown!r}, which the model does not know")
        at = np.array([known[label] for label in labels.tolist()])
        out: Array = np.log(p[np.arange(len(p)), at])
        return out.astype(dtype_of(X), copy=False)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of the rows that are classified right, as every classifier of scikit-learn."""
        guess, labels = self.predict(X), labels_of(y)
        check_lengths(guess, labels)
        return float(np.average(guess == labels, weights=weights_of(sample_weight, len(labels))))
