"""Classification at scale with harmonic variational Gaussian processes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._assess import Verdict
from ._harmonic import HarmonicGP
from ._numbers import dtype_of
from ._rules import class_weights, one_of
from ._targets import as_written, check_lengths, labels_of, weights_by_class, weights_of
from ._validation import Array, check_fitted


@dataclass(kw_only=True, eq=False, repr=False)
class HarmonicGPClassifier(HarmonicGP):
    """Gaussian-process classification whose kernel is cut into its harmonics, each with inducing points of its own.

    Parameters are those of ``HarmonicGPRegressor`` without ``degrees``, ``noise`` and ``noise_model``; ``likelihood`` is ``"auto"``
    (``"bernoulli"`` for two classes, ``"softmax"`` for more), ``"bernoulli"``, ``"softmax"`` or ``"robustmax"``, which
    forgives wrong labels. ``class_weight`` is None, ``"balanced"`` (rows of a class weigh inversely to their number) or a dict
    of weights by class.

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

    class_weight: Any = None

    _estimator_type = "classifier"
    _rules = {
        **HarmonicGP._rules,
        "likelihood": one_of("auto", "bernoulli", "softmax", "robustmax"),
        "class_weight": class_weights(),
    }

    _command = "classify"

    def _add_tags(self, tags: Any) -> None:
        from sklearn.utils import ClassifierTags

        super()._add_tags(tags)
        tags.classifier_tags = ClassifierTags()

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, holdout: float | None = None) -> HarmonicGPClassifier:
        """Learns the classes y from X.

        ``sample_weight`` multiplies the expected log density of each row, together with ``class_weight``.
        ``holdout`` (0.1, for instance) is the share of the rows to hold out and judge the fit by: the same rows, scores and
        verdict as those of ``bochner classify --test``. None: it learns from all rows.
        """
        self._check_params()
        x, encoding = self._read_new(X)
        labels = labels_of(y)
        check_lengths(x, labels)
        classes, numbers = np.unique(labels, return_inverse=True)
        names = [str(c) for c in classes]
        in_model = list(_core.sorted_labels(names))  # the order of the command line
        columns = np.array([in_model.index(name) for name in names])
        K = len(classes)
        if K < 2:
            raise ValueError(f"HarmonicGPClassifier needs at least 2 classes, but y has only one class, {labels[0]!r}")
        if self.likelihood == "bernoulli" and K > 2:
            raise ValueError(f"likelihood='bernoulli' is for two classes, but y has {K}; use 'softmax' or 'robustmax'")
        likelihood = self.likelihood if self.likelihood != "auto" else ("bernoulli" if K == 2 else "softmax")
        Y = np.ascontiguousarray(columns[numbers].reshape(-1, 1), dtype=np.float64)
        weights = None if sample_weight is None else weights_of(sample_weight, len(x))
        if self.class_weight is not None:
            weights = (np.ones(len(x)) if weights is None else weights) * weights_by_class(self.class_weight, classes, numbers)
        self._learn(x, Y, ["class"], in_model, likelihood, holdout, encoding, weights)
        self.classes_, self._columns = classes, columns
        return self

    def assess(self, X: Any = None, y: Any = None) -> Verdict:
        """Whether the model may be trusted: against the most frequent class and logistic regression.

        Without data, or with those of ``fit(X, y, holdout=..)``: ``assessment_``, the verdict of ``bochner classify``. Other
        rows are judged all.
        """
        check_fitted(self)
        if X is None:
            return self._kept(None) or self.assessment_
        x, labels = self._read_known(X), labels_of(y)
        check_lengths(x, labels)
        in_model = self._columns[self._numbers(labels)]
        return self._assess(x, np.ascontiguousarray(in_model.reshape(-1, 1), dtype=np.float64))

    def _loaded(self, fit: Any) -> None:
        if not fit.classes:
            raise ValueError("this is a model of numbers; use HarmonicGPRegressor.load")
        classes = as_written(list(fit.classes))
        self._columns = np.argsort(classes, kind="stable")
        self.classes_ = classes[self._columns]

    def _probabilities(self, X: Any) -> Array:
        """In double."""
        x = self._read_known(X)
        p: Array = self._fit.predict(X=x, threads=self._threads())[4]
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

    def predict_proba(self, X: Any, *, quantiles: Any = None) -> Array:
        """Probabilities of the classes, in the order of ``classes_``; float32 for float32.

        ``quantiles``: quantiles of these probabilities at levels between 0 and 1 instead, rows x classes x levels, without the
        last axis for a single level. Exact for two classes, from 2,000 draws for more.
        """
        if quantiles is None:
            return self._probabilities(X).astype(dtype_of(X), copy=False)
        q = self._quantiles(X, quantiles)
        if q.shape[1] == 1:  # of the second class; 1 - p has the quantile of the level that is left
            q = np.concatenate([1 - self._quantiles(X, 1 - np.asarray(quantiles, dtype=np.float64)), q], axis=1)
        q = q[:, self._columns]
        return (q[..., 0] if np.ndim(quantiles) == 0 else q).astype(dtype_of(X), copy=False)

    def sample_y(self, X: Any, n_samples: int = 1, random_state: Any = 0) -> Array:
        """Draws of classes, rows x n_samples: of one function each, so that neighbours agree as the model thinks they do."""
        in_model = self._draws(X, n_samples, random_state)[:, 0].astype(int)
        out: Array = self.classes_[np.argsort(self._columns)[in_model]]
        return out

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
        at = self._numbers(labels)
        out: Array = np.log(p[np.arange(len(p)), at])
        return out.astype(dtype_of(X), copy=False)

    def _numbers(self, labels: Array) -> Array:
        """Where labels are in ``classes_``."""
        known = {label: k for k, label in enumerate(self.classes_.tolist())}
        unknown = next((label for label in labels.tolist() if label not in known), None)
        if unknown is not None:
            raise ValueError(f"y has the class {unknown!r}, which the model does not know")
        return np.array([known[label] for label in labels.tolist()])

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of the rows that are classified right, as every classifier of scikit-learn."""
        guess, labels = self.predict(X), labels_of(y)
        check_lengths(guess, labels)
        return float(np.average(guess == labels, weights=weights_of(sample_weight, len(labels))))
