"""Outcomes and classes that regressors and classifiers learn."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ._numbers import unmasked
from ._validation import Array, as_matrix, is_missing


def check_lengths(x: Array, y: Array) -> None:
    if len(y) != len(x):
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{len(x)}, {len(y)}]")


def as_written(classes: list[str]) -> Array:
    """Classes of a model file, which keeps texts, as the numbers or truth values that they spell."""
    if set(classes) <= {"False", "True"}:
        return np.array([c == "True" for c in classes])
    for kind in (int, float):
        try:
            numbers = [kind(c) for c in classes]
        except ValueError:
            continue
        if [str(n) for n in numbers] == classes:
            return np.array(numbers)
    return np.array(classes)


def outcomes_of(y: Any, owner: str) -> Array:
    if y is None:
        raise ValueError(f"{owner} requires y to be passed, but the target y is None")
    y = unmasked(y)
    shape = np.asarray(y).shape
    return as_matrix(y, "y", owner=owner, allow_1d=True, allow_nan=len(shape) == 2 and shape[1] > 1)


def check_counts_of(Y: Array, likelihood: str) -> None:
    """What a likelihood of counts can learn from."""
    wrong = np.argwhere(~np.isnan(Y) & ~((Y >= 0) & (Y == np.floor(Y))))
    if len(wrong):
        n, p = wrong[0]
        raise ValueError(
            f"y, row {n}, column {p}: {Y[n, p]:g} is not a count, but likelihood={likelihood!r} requires non-negative integers; use "
            "likelihood='gaussian'"
        )


def weights_of(sample_weight: Any, rows: int) -> Array:
    if sample_weight is None:
        return np.ones(rows)
    out = np.asarray(unmasked(sample_weight), dtype=np.float64)
    if out.shape != (rows,):
        raise ValueError(f"sample_weight has shape {out.shape}, but there are {rows} samples")
    if not (out >= 0).all() or not np.isfinite(out).all():
        raise ValueError("sample_weight must be finite and not negative; use 0 to leave a sample out")
    return out


def weights_by_class(class_weight: Any, classes: Array, numbers: Array) -> Array:
    """Of each row: its class is ``classes[numbers]``, its weight "balanced" or that of a dict."""
    if isinstance(class_weight, str):  # "balanced"
        own = len(numbers) / (len(classes) * np.bincount(numbers))
    else:
        unknown = [c for c in class_weight if c not in classes.tolist()]
        if unknown:
            raise ValueError(f"class_weight names the class {unknown[0]!r}, but the classes are {classes.tolist()}")
        own = np.array([float(class_weight.get(c, 1.0)) for c in classes.tolist()])
    out: Array = own[numbers]
    return out


def labels_of(y: Any) -> Array:
    if y is None:
        raise ValueError("HarmonicGPClassifier requires y to be passed, but the target y is None")
    labels = np.asarray(unmasked(y))
    if labels.ndim == 2 and labels.shape[1] == 1:
        category: type[Warning] = UserWarning
        try:
            from sklearn.exceptions import DataConversionWarning

            category = DataConversionWarning
        except ImportError:
            pass
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of y to "
            "(n_samples,), for example using ravel().",
            category,
            stacklevel=3,
        )
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {labels.shape} instead.")
    if labels.dtype.kind == "c":
        raise ValueError("Complex data not supported\n")
    if labels.dtype.kind == "O" and any(is_missing(label) for label in labels):
        raise ValueError("Input y contains NaN or None: a label is missing.")
    if labels.dtype.kind == "f":
        if not np.isfinite(labels).all():
            raise ValueError("Input y contains NaN or infinity.")
        if (labels != np.floor(labels)).any():
            raise ValueError(
                "Unknown label type: continuous. Maybe you are trying to fit a classifier, which expects discrete "
                "classes on a regression target with continuous values."
            )
    return labels
