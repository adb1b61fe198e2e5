"""Checks of what users hand in, with the messages of scikit-learn."""

from __future__ import annotations

import os
import secrets
import sys
from typing import Any

import numpy as np

from ._numbers import Array as Array
from ._numbers import check_numbers, unmasked


def counted(n: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun, for messages: 3 rows, 1 row."""
    return f"{n} {noun if n == 1 else plural or noun + 's'}"


class NotFittedError(ValueError, AttributeError):
    """An estimator was used before ``fit``."""


def check_fitted(estimator: Any) -> None:
    if hasattr(estimator, "_fit"):
        return
    message = (
        f"This {type(estimator).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments "
        "before using this estimator."
    )
    if "sklearn" in sys.modules:  # then its users expect its own exception
        from sklearn.exceptions import NotFittedError as Theirs

        raise Theirs(message)
    raise NotFittedError(message)


def is_frame(X: Any) -> bool:
    return hasattr(X, "iloc") and hasattr(X, "columns")


def is_sparse(X: Any) -> bool:
    return hasattr(X, "toarray") and hasattr(X, "tocsr")


def as_matrix(
    X: Any, name: str, *, owner: str, allow_nan: bool = True, allow_1d: bool = False, min_rows: int = 1,
    allow_sparse: bool = False, booleans: bool = False,
) -> Array:
    """A 2-D float64 array in C order, masked entries as NaN. Copies only what is not one yet.

    Dates and strings are refused, and booleans unless they are accepted as 0 and 1.
    """
    X = unmasked(X)
    if is_sparse(X):
        if not allow_sparse:
            raise TypeError(
                f"Sparse data was passed for {name}, but dense data is required by {owner}. Use '.toarray()' to convert "
                "to a dense numpy array."
            )
        X = X.toarray()
    if is_frame(X):
        check_numbers(X, name, booleans=booleans)
        array = _frame_values(X)
    else:
        array = np.array(X) if isinstance(X, (list, tuple)) else np.asarray(X)
        check_numbers(array, name, booleans=booleans)
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{array}\n")
    if array.ndim == 1 and allow_1d:
        array = array[:, None]
    if array.ndim != 2:
        hint = (
            " Reshape your data either using array.reshape(-1, 1) if your data has a single feature or "
            "array.reshape(1, -1) if it contains a single sample."
            if array.ndim < 2
            else ""
        )
        raise ValueError(f"Expected 2D array for {name}, got {array.ndim}D array instead.{hint}")
    if array.shape[0] < min_rows:
        raise ValueError(
            f"Found array with {array.shape[0]} sample(s) (shape={array.shape}) while a minimum of {min_rows} is "
            f"required by {owner}."
        )
    if array.shape[1] < 1:
        raise ValueError(
            f"Found array with 0 feature(s) (shape={array.shape}) while a minimum of 1 is required by {owner}."
        )
    try:
        out = np.ascontiguousarray(array, dtype=np.float64)
    except TypeError as error:
        if array.dtype.kind == "O":
            raise TypeError(f"argument must be a string or a number: {error}") from error
        raise
    if np.isinf(out).any():
        raise ValueError(f"Input {name} contains infinity or a value too large for dtype('float64').")
    if not allow_nan and np.isnan(out).any():
        raise ValueError(f"Input {name} contains NaN.\n{owner} does not accept missing values encoded as NaN natively.")
    return out


def _frame_values(X: Any) -> Array:
    if all(isinstance(d, np.dtype) for d in X.dtypes):
        out: Array = X.to_numpy()
        return out
    return np.asarray(X.to_numpy(dtype=np.float64, na_value=np.nan))  # pandas' own types, which have NA


def is_missing(value: Any) -> bool:
    """None, NaN, NA or an empty text."""
    if value is None or value is np.nan or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return bool(isinstance(value, (float, np.floating)) and value != value) or value == ""


def width_of(X: Any) -> int | None:
    """Columns of what is a table, None of what is not."""
    shape = X.shape if hasattr(X, "shape") else np.asarray(X).shape
    return int(shape[1]) if len(shape) == 2 else None


def count_of(value: Any, name: str) -> int:
    """An argument of a method that counts something."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ValueError(f"{name} is {value!r}, but must be an int of at least 1")
    return int(value)


def check_interval(interval: Any, name: str = "interval") -> float:
    """A share between 0 and 1, ends excluded."""
    number = isinstance(interval, (int, float, np.integer, np.floating)) and not isinstance(interval, bool)
    if not number or not 0 < interval < 1:
        raise ValueError(f"{name} is {interval!r}, but must be a number between 0 and 1")
    return float(interval)


def feature_names(X: Any) -> Array | None:
    """Names of columns if all of them are strings, as scikit-learn has it."""
    if not is_frame(X):
        return None
    names = list(X.columns)
    if names and all(isinstance(n, str) for n in names):
        return np.asarray(names, dtype=object)
    kinds = {type(n).__name__ for n in names}
    if any(isinstance(n, str) for n in names):
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your input has "
            f"{sorted(kinds)} as feature name / column name types."
        )
    return None


def check_features(estimator: Any, X: Any, columns: int, warns: bool = True) -> None:
    """The columns of X are those of fit: as many, and with the same names where both have names.

    ``warns``: where only one of them has names.
    """
    import warnings

    fitted = getattr(estimator, "feature_names_in_", None)
    names = feature_names(X)
    owner = type(estimator).__name__
    if warns and fitted is not None and names is None:
        warnings.warn(f"X does not have valid feature names, but {owner} was fitted with feature names", stacklevel=3)
    if warns and fitted is None and names is not None:
        warnings.warn(f"X has feature names, but {owner} was fitted without feature names", stacklevel=3)
    if fitted is not None and names is not None and list(fitted) != list(names):
        raise ValueError(_different_names(list(fitted), list(names)))
    if columns != estimator.n_features_in_:
        raise ValueError(
            f"X has {columns} features, but {owner} is expecting {estimator.n_features_in_} features as input."
        )


def _different_names(fitted: list[str], given: list[str]) -> str:
    message = "The feature names should match those that were passed during fit.\n"
    unseen = sorted(set(given) - set(fitted))
    missing = sorted(set(fitted) - set(given))

    def listed(names: list[str]) -> str:
        return "".join(f"- {n}\n" for n in names[:5]) + ("- ...\n" if len(names) > 5 else "")

    if unseen:
        message += "Feature names unseen at fit time:\n" + listed(unseen)
    if missing:
        message += "Feature names seen at fit time, yet now missing:\n" + listed(missing)
    if not unseen and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message


def seed_of(random_state: Any) -> int:
    """A seed of the core: the number itself, or one drawn from a generator, or from the system for None."""
    if random_state is None:
        return secrets.randbits(63)
    if isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool):
        if random_state < 0:
            raise ValueError(f"random_state is {random_state}, but a seed must not be negative")
        if random_state >= 2**64:
            raise ValueError(f"random_state is {random_state}, but a seed must be below 2**64")
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    raise ValueError(f"random_state is {random_state!r}, but must be None, an int or a NumPy generator")


MOST_JOBS = 1024  # as on the command line


def threads_of(n_jobs: int | None) -> int:
    """Threads for ``n_jobs``: None is one, -1 all cores, -2 all but one."""
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0 or n_jobs > MOST_JOBS:
        raise ValueError(
            f"n_jobs is {n_jobs!r}, but must be None, an int from 1 to {MOST_JOBS}, or a negative one (-1 for all cores)"
        )
    if n_jobs > 0:
        return int(n_jobs)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(MOST_JOBS, max(1, cores + 1 + int(n_jobs)))
