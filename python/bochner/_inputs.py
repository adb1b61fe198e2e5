"""Tables of inputs as people keep them: numbers, text, categories, dates and missing values."""

from __future__ import annotations

import datetime
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from ._numbers import check_numbers
from ._validation import Array, as_matrix, is_frame, is_missing


def learn(X: Any, names: Sequence[str], categorical: Sequence[str], *, owner: str, min_rows: int) -> tuple[Array, Any]:
    """Numbers for the core, and the encoding that made them, None where X is plain numbers. ``names``: of the columns."""
    categorical = [*categorical, *(name for name in _categories(X, names) if name not in categorical)]
    if not categorical and not _has_text(X):
        out = as_matrix(X, "X", owner=owner, min_rows=min_rows, allow_sparse=True, booleans=is_frame(X))
        if not np.isnan(out).any():
            return out, None
    raw = _raw(X, names, owner=owner, min_rows=min_rows)
    encoding = _core.learn_encoding(raw, list(categorical))
    if encoding.plain:
        return as_matrix(X, "X", owner=owner, min_rows=min_rows, allow_sparse=True, booleans=is_frame(X)), None
    return _encoded(raw, encoding, owner), encoding


def known(X: Any, names: Sequence[str], encoding: Any, *, owner: str) -> Array:
    """X as numbers, in the way that was learned."""
    if encoding is None:
        out = as_matrix(X, "X", owner=owner, allow_sparse=True, booleans=is_frame(X))
        _refuse_gaps(out, [str(c) for c in X.columns] if is_frame(X) else names, owner)
        return out
    return _encoded(_raw(X, names, owner=owner), encoding, owner)


def _encoded(raw: Any, encoding: Any, owner: str) -> Array:
    out, notes = encoding.encode(raw)
    for note in notes:
        warnings.warn(note, UserWarning, stacklevel=4)
    _refuse_gaps(out, encoding.names, owner)
    return np.ascontiguousarray(out)


def _refuse_gaps(values: Array, names: Sequence[str], owner: str) -> None:
    """NaN in a column that had none when the model was learned."""
    lacking = np.flatnonzero(np.isnan(values).any(axis=0))
    if len(lacking):
        column = names[lacking[0]] if lacking[0] < len(names) else str(lacking[0])
        row = int(np.flatnonzero(np.isnan(values[:, lacking[0]]))[0])
        raise ValueError(
            f"Input X contains NaN.\n{owner} has learned from a column {column!r} without missing values, so it cannot tell what "
            f"they mean, but row {row} has one there; impute them, or fit with rows in which the column has missing values."
        )


def _categories(X: Any, names: Sequence[str]) -> list[str]:
    """Columns that pandas holds as categories, whatever these are."""
    if not is_frame(X):
        return []
    return [name for name, dtype in zip(names, X.dtypes, strict=True) if type(dtype).__name__ == "CategoricalDtype"]


def _has_text(X: Any) -> bool:
    return is_frame(X) and any(d.kind in "OMUST" if isinstance(d, np.dtype) else not _is_numeric(d) for d in X.dtypes)


def _is_numeric(dtype: Any) -> bool:
    """Of pandas' own types: numbers and booleans that may be NA."""
    return getattr(dtype, "kind", "O") in "iufb"


def _raw(X: Any, names: Sequence[str], *, owner: str, min_rows: int = 1) -> Any:
    out = _core.RawTable("X")
    if not is_frame(X):
        values = as_matrix(X, "X", owner=owner, min_rows=min_rows, allow_sparse=True)
        for name, column in zip(names, values.T, strict=True):
            out.add_numbers(name, np.ascontiguousarray(column))
        return out
    if len(X) < min_rows:
        raise ValueError(
            f"Found array with {len(X)} sample(s) (shape={X.shape}) while a minimum of {min_rows} is required by {owner}."
        )
    for m, name in enumerate(names):
        column = X.iloc[:, m]
        if _is_number_column(column):
            check_numbers(X, "X", columns=[m], booleans=True)
            numbers = np.ascontiguousarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
            if np.isinf(numbers).any():
                raise ValueError("Input X contains infinity or a value too large for dtype('float64').")
            out.add_numbers(name, numbers)
        else:
            if any(isinstance(value, (datetime.timedelta, np.timedelta64)) for value in column):
                check_numbers(X, "X", columns=[m])  # durations have no unit that is theirs
            out.add_text(name, [_cell(value) for value in column])
    return out


def _is_number_column(column: Any) -> bool:
    dtype = column.dtype
    if isinstance(dtype, np.dtype) and dtype.kind != "O":
        return dtype.kind in "iufbmc"  # durations and complex numbers are refused with a remedy
    if not isinstance(dtype, np.dtype):
        return type(dtype).__name__ != "CategoricalDtype" and _is_numeric(dtype)
    return all(is_missing(v) or isinstance(v, (int, float, np.number, np.bool_)) for v in column)


def _cell(value: Any) -> str:
    """A date as ISO 8601, a number as the command line writes it, a missing value as an empty cell."""
    if is_missing(value):
        return ""
    if hasattr(value, "isoformat"):
        return str(value.isoformat(" ")) if hasattr(value, "hour") else str(value.isoformat())
    if isinstance(value, np.datetime64):
        return str(value).replace("T", " ")
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)
