"""Columns of labels as whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._entries import check_classes
from ._validation import is_missing
from ._views import Table


def encode(table: Table, classes: list[list[str]] | None) -> list[list[str]]:
    """Labels as whole numbers from 0; None, NaN and empty strings are missing. Gives the classes of each column."""
    objects = table.labels
    assert objects is not None
    found: list[list[str]] = []
    table.values = np.full(objects.shape, np.nan)
    for m in range(objects.shape[1]):
        column = [None if is_missing(o) else _text(o) for o in objects[:, m]]
        own = classes[m] if classes is not None else sorted({c for c in column if c is not None})
        check_classes(table, m, own)
        at = {c: k for k, c in enumerate(own)}
        for n, c in enumerate(column):
            if c is None:
                continue
            if c not in at:
                raise ValueError(f"view {table.name!r} has the label {c!r}, which the model does not know")
            table.values[n, m] = at[c]
        found.append(own)
    return found


def _text(value: Any) -> str:
    """A label as a string; whole numbers that a missing value has made floats stay whole."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)
