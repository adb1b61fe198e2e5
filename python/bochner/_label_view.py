"""Classes of samples as one more view of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._labels import encode
from ._numbers import Array, unmasked
from ._validation import is_frame
from ._views import Parsed, Table

LABELS = "labels"  # the name of the view, as on the command line


def label_table(parsed: Parsed, labels: Any, classes: list[str] | None) -> Table:
    """A column for each class, 1 where a sample belongs to it and 0 elsewhere; NaN for samples whose class is not known.

    ``classes``: of a fitted model, which has no others.
    """
    parsed.join()
    objects = _labels_of(parsed, labels)
    index = parsed.index() if parsed.has_ids else None
    codes = Table(LABELS, np.zeros((len(objects), 1)), ["label"], True, index, labels=objects[:, None])
    [names] = encode(codes, None if classes is None else [classes])
    code = codes.values[:, 0]
    known = np.flatnonzero(~np.isnan(code))
    values = np.full((len(objects), len(names)), np.nan)
    values[known] = 0
    values[known, code[known].astype(np.intp)] = 1
    return Table(LABELS, values, names, True, index)


def _labels_of(parsed: Parsed, labels: Any) -> Array:
    """One label for each joined row, None where there is none."""
    if isinstance(labels, str):
        obs = getattr(parsed.source, "obs", None)
        if obs is None:
            raise ValueError(f"labels is {labels!r}, which names a column of .obs, but X is not AnnData or MuData")
        if labels not in obs:
            raise ValueError(f".obs has no column {labels!r}, only {', '.join(map(repr, obs.columns))}")
        labels = obs[labels]
    if is_frame(labels) and labels.shape[1] == 1:
        labels = labels.iloc[:, 0]
    if parsed.has_ids and hasattr(labels, "loc") and hasattr(labels, "index"):
        known = {str(i): label for i, label in zip(labels.index, np.asarray(labels, dtype=object), strict=True)}
        if not any(i in known for i in parsed.ids):
            raise ValueError(f"labels has no entry for any sample, {parsed.ids[0]!r} for instance")
        return np.array([known.get(i) for i in parsed.ids], dtype=object)
    out = np.asarray(parsed.along_rows(unmasked(labels), "labels"), dtype=object)
    if out.ndim == 2 and out.shape[1] == 1:
        out = out[:, 0]
    if out.ndim != 1:
        raise ValueError(f"labels has shape {out.shape}, but must be one label for each sample")
    return out
