"""What counts as a number, and what as missing."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

_DATES = (datetime.date, np.datetime64)
_DURATIONS = (datetime.timedelta, np.timedelta64)
_REMEDIES = {
    "b": "booleans, not numbers; use .astype(float) if 0 and 1 are meant",
    "M": "dates, not numbers; subtract the first and divide by a unit, as in (x - x.min()) / np.timedelta64(1, 'D')",
    "m": "durations, not numbers; divide by a unit, as in x / np.timedelta64(1, 'D')",
    "U": "strings, not numbers; use .astype(float), with NaN for missing values, or leave columns of words out",
}
_KINDS = {"b": "b", "M": "M", "m": "m", "U": "U", "S": "U", "T": "U"}


def unmasked(X: Any) -> Any:
    """X, with the masked entries of masked arrays missing: NaN among numbers (integers become float64), else None."""
    if isinstance(X, (list, tuple)) and any(isinstance(part, np.ma.MaskedArray) for part in X):
        X = np.ma.array(X)
    if not isinstance(X, np.ma.MaskedArray):
        return X
    kind = X.dtype.kind
    dtype = np.float64 if kind in "iu" else X.dtype if kind in "fc" else object
    out = np.array(X.data, dtype=dtype)
    out[np.ma.getmaskarray(X)] = None if dtype is object else np.nan
    return out


def check_numbers(X: Any, what: str, *, columns: Any = None, booleans: bool = False) -> None:
    """ValueError for booleans, dates, durations and strings: ``what`` and the column, and what to do.

    ``columns``: only these positions; ``booleans``: accepted, for what is true or false by its nature.
    """
    if hasattr(X, "iloc") and hasattr(X, "columns"):
        for m in range(X.shape[1]) if columns is None else columns:
            dtype = X.dtypes.iloc[m]
            kind = _KINDS.get(dtype.kind) or (_kind_of(X.iloc[:, m].to_numpy(dtype=object)) if dtype.kind == "O" else None)
            _refuse(kind, f"{what}, column {X.columns[m]!r}", booleans)
        return
    dtype = getattr(X, "dtype", None)
    kind = getattr(dtype, "kind", None)
    if kind == "O" and X.ndim == 2:
        for m in range(X.shape[1]) if columns is None else columns:
            _refuse(_kind_of(X[:, m]), f"{what}, column {m}", booleans)
    elif kind == "O":
        _refuse(_kind_of(np.asarray(X).reshape(-1)), what, booleans)
    elif kind is not None:
        _refuse(_KINDS.get(kind), what, booleans)


def _refuse(kind: str | None, where: str, booleans: bool) -> None:
    if kind is not None and not (booleans and kind == "b"):
        raise ValueError(f"{where}: these are {_REMEDIES[kind]}")


def _kind_of(values: Iterable[Any]) -> str | None:
    """Of the first value that is neither a number nor missing."""
    for value in values:
        if isinstance(value, (bool, np.bool_)):
            return "b"
        if isinstance(value, _DATES):
            return "M"
        if isinstance(value, _DURATIONS):
            return "m"
        if isinstance(value, (str, bytes)):
            return "U"
    return None


def dtype_of(X: Any) -> Any:
    """What answers about X are given in: float32 for float32, else float64."""
    if hasattr(X, "iloc") and hasattr(X, "dtypes") and hasattr(X, "columns"):
        single = len(X.dtypes) > 0 and all(getattr(d, "numpy_dtype", d) == np.float32 for d in X.dtypes)
    else:
        single = getattr(X, "dtype", None) == np.float32
    return np.float32 if single else np.float64
