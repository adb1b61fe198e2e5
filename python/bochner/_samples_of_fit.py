"""Which rows of a table are samples that a model was fitted to."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._numbers import Array
from ._views import Parsed


class SamplesOfFit:
    """Knows the samples of a fit again by their label and their entries, of which it keeps hashes.

    Without labels it knows the whole table again: rows alone may be alike, as those with no entry are.
    """

    def __init__(self, parsed: Parsed, tables: Mapping[str, Array]) -> None:
        self._rows = {i: n for n, i in enumerate(parsed.ids)}
        self._labelled = parsed.has_ids
        self._hashes = _hashes(tables)

    def find(self, parsed: Parsed, tables: Mapping[str, Array]) -> Array:
        """The row of the fit for each joined row of the data, -1 for a new sample."""
        new = _hashes(tables)
        if not (parsed.has_ids and self._labelled):
            return np.arange(len(new)) if new == self._hashes else np.full(len(new), -1)
        at = [self._rows.get(i, -1) for i in parsed.ids]
        return np.array([n if n >= 0 and self._hashes[n] == own else -1 for n, own in zip(at, new, strict=True)])


def rows_of_fit(
    fitted: bool | None, samples: SamplesOfFit | None, parsed: Parsed, tables: Mapping[str, Array], ids: Sequence[Any]
) -> Array:
    """The row of a fit over time for each joined row of the data, -1 for a new sample: as ``fitted`` says, else as the
    samples are known again. ``ids``: of the fit. Without ``samples`` (a model file) they cannot be."""
    new = np.full(len(parsed.ids), -1)
    if fitted is None and samples is not None:
        return samples.find(parsed, tables)
    if fitted is False:
        return new
    rows = _by_label(parsed, ids)
    if fitted:
        if rows is None:
            raise ValueError("fitted is True, but X has other samples than fit had")
        return rows
    if rows is not None:
        warnings.warn(
            "the model has paths over time, and a model file does not tell whether these are the samples of fit; give "
            "fitted=True if they are, else fitted=False",
            stacklevel=4,
        )
    return new


def _by_label(parsed: Parsed, ids: Sequence[Any]) -> Array | None:
    """Rows by their label alone, or by their place where there are no labels; None if they are other samples."""
    if not parsed.has_ids:
        return np.arange(len(ids)) if len(parsed.ids) == len(ids) else None
    known = {str(i): n for n, i in enumerate(ids)}
    at = [known.get(i, -1) for i in parsed.ids]
    return None if -1 in at else np.array(at)


def _hashes(tables: Mapping[str, Array]) -> list[bytes]:
    together = np.hstack(list(tables.values())) + 0.0  # one zero ..
    together[np.isnan(together)] = np.nan  # .. and one NaN
    return [hashlib.blake2b(row.tobytes(), digest_size=16).digest() for row in np.ascontiguousarray(together)]
