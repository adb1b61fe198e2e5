"""Labels of classes and groups as whole numbers, encoded as the command line encodes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from . import _core
from ._validation import Array, is_missing
from ._views import Table


def label_codes(labels: Iterable[Any], names: list[str] | None = None) -> tuple[list[str], Array]:
    """Names and codes of labels, -1 where one is missing, -2 where ``names`` are given and do not have it.

    Names are ordered as numbers if all of them are numbers, also those that are strings; else as strings. None, NaN, empty
    strings, "NA", "N/A", "#N/A", "NaN", "<NA>" and "null" are missing, as in a table that the command line reads.
    """
    found, codes = _core.encode_labels([_text(label) for label in labels], names)
    return list(found), np.asarray(codes, dtype=np.intp)


def encode(table: Table, classes: list[list[str]] | None) -> list[list[str]]:
    """Labels as whole numbers from 0. Gives the classes of each column."""
    objects = table.labels
    assert objects is not None
    found: list[list[str]] = []
    table.values = np.full(objects.shape, np.nan)
    for m in range(objects.shape[1]):
        own, codes = label_codes(objects[:, m], None if classes is None else classes[m])
        _check_classes(table, m, own)
        unknown = np.flatnonzero(codes == -2)
        if len(unknown):
            label = _text(objects[unknown[0], m])
            raise ValueError(f"view {table.name!r} has the label {label!r}, which the model does not know")
        table.values[codes >= 0, m] = codes[codes >= 0]
        found.append(own)
    return found


def _check_classes(table: Table, m: int, classes: list[str]) -> None:
    if len(classes) < 2:
        what = f"only the label {classes[0]!r}" if classes else "no label"
        raise ValueError(
            f"view {table.name!r}, column {table.columns[m]!r} has {what}, but a categorical column needs two or more; "
            "leave it out"
        )


def _text(label: Any) -> str:
    """A label as a string; whole numbers that a missing value has made floats stay whole."""
    if is_missing(label):
        return ""
    if isinstance(label, (float, np.floating)):
        return str(_core.label_text(float(label)))
    return str(label)
