"""What goes with the rows of a view: trials of binomial ones, exposures of Poisson and negative binomial ones, covariates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._numbers import Array, check_numbers
from ._time_axis import Axis
from ._views import Parsed

WITH_EXPOSURE = ("poisson", "negbinom")


@dataclass(frozen=True)
class Sizes:
    """Of the rows of one view; None where nothing is known, or nothing is needed."""

    trials: Array | None = None
    exposure: Array | None = None
    design: Array | None = None  # of covariates, the same in all views
    axis: Axis | None = None  # times of new samples, likewise

    def at(self, rows: Array) -> Sizes:
        def part(own: Array | None) -> Array | None:
            return own if own is None or own.size == 1 else np.ascontiguousarray(own[rows])

        design = None if self.design is None else np.ascontiguousarray(self.design[rows])
        return Sizes(part(self.trials), part(self.exposure), design)


NOT_KNOWN = Sizes()


def exposures_of(offset: Any, parsed: Parsed) -> Array:
    """One positive number for each joined row; a single number is that of all."""
    what = "offset"
    if np.ndim(offset) == 0:
        values = np.full(len(parsed.ids), offset)
    else:
        values = parsed.along_rows(offset, what)
    if values.size != len(parsed.ids):
        raise ValueError(f"{what} has shape {values.shape}, but must be one number for each sample")
    check_numbers(values, what)
    out = np.ascontiguousarray(values.reshape(-1), dtype=np.float64)
    wrong = np.flatnonzero(~(np.isfinite(out) & (out > 0)))
    if len(wrong):
        raise ValueError(
            f"{what} of sample {parsed.ids[wrong[0]]!r} is {out[wrong[0]]:g}, but must be a positive number: an exposure, "
            "to which the mean of a count is proportional (its logarithm is added to f)"
        )
    return out


def offset_by_view(offset: Any, likelihoods: Mapping[str, str]) -> dict[str, Any]:
    """What is given for each view of counts: one for all of them, or by name of view."""
    counts = [name for name, word in likelihoods.items() if word in WITH_EXPOSURE]
    if offset is None:
        return {}
    if not isinstance(offset, Mapping):
        if not counts:
            raise ValueError("offset is for views of counts: use likelihood='poisson' or 'negbinom'")
        return dict.fromkeys(counts, offset)
    for name in offset:
        if name not in likelihoods:
            raise ValueError(f"offset: there is no view {name!r}; the views are {', '.join(map(repr, likelihoods))}")
        if name not in counts:
            raise ValueError(f"offset: view {name!r} is {likelihoods[name]}, but only poisson and negbinom counts have exposures")
    return {name: own for name, own in offset.items() if own is not None}


def set_sizes(data: Any, names: Sequence[str], sizes: Mapping[str, Sizes]) -> Any:
    """``data`` of the core with them, for its views in order."""
    trials = [sizes[name].trials for name in names]
    data.trials = [np.zeros((0, 0)) if own is None else own for own in trials]
    exposure = [sizes[name].exposure for name in names]
    data.exposure = [np.zeros(0) if own is None else own for own in exposure]
    return data
