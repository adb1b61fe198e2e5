"""When samples were measured: times and groups of a model over time, and where new samples are on its axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._entries import groups_of, times_of
from ._labels import label_codes
from ._numbers import Array
from ._validation import is_missing
from ._views import Parsed

UNKNOWN_GROUP = -1


@dataclass(frozen=True)
class Axis:
    """Of the joined rows."""

    time: Array  # days since 1970 of dates; NaN: not known
    group: list[int]  # empty: one group
    names: list[str]  # of the groups
    dates: bool = False
    columns: tuple[str, str] = ("", "")  # of time and group, where they have names

    def set_on(self, data: Any) -> Any:
        column, group_column = self.columns
        data.set_axis(
            time=self.time, group=self.group, group_names=self.names, dates=self.dates, column=column, group_column=group_column
        )
        return data


def axis_of_fit(parsed: Parsed, time: Any, group: Any) -> Axis:
    values, dates = _numbers(parsed.along_rows(time, "time"))
    when = times_of(values, parsed.ids)
    if group is None:
        groups_of(np.empty(0), when, parsed.ids)  # times must differ
        return Axis(when, [], [], dates, (_name(time), ""))
    labels = parsed.along_rows(group, "group").reshape(-1)
    return Axis(when, groups_of(labels, when, parsed.ids), label_codes(labels)[0], dates, (_name(time), _name(group)))


def axis_of_new(fit: Any, parsed: Parsed, time: Any, group: Any) -> Axis | None:
    """None: nothing is known. NaN or NaT is the time of a sample that has none."""
    if time is None:
        if group is not None:
            raise ValueError("group says on whose path a sample is, and needs time")
        return None
    if not fit.has_time:
        raise ValueError("time: the model was fitted without times")
    if not fit.has_axis:
        raise ValueError("time: the model is of an earlier release, which kept no times; fit it again")
    names: Sequence[str] = fit.group_names
    if group is not None and not names:
        raise ValueError("group: the model was fitted without groups")
    if group is None and names:
        raise ValueError("the model was fitted with groups: give those of these samples as group=")
    values, dates = _numbers(parsed.along_rows(time, "time"))
    known = ~np.isnan(values) if values.dtype.kind == "f" else np.ones(len(values), dtype=bool)
    if dates != fit.dates and known.any():
        raise ValueError(f"time: the times of fit are {'dates' if fit.dates else 'numbers'}, these are not")
    when = np.full(len(values), np.nan)
    when[known] = times_of(values[known], [i for i, own in zip(parsed.ids, known, strict=True) if own])
    if group is None:
        return Axis(when, [], [], dates)
    codes = label_codes(parsed.along_rows(group, "group").reshape(-1), list(names))[1]
    return Axis(when, [int(code) if code >= 0 else UNKNOWN_GROUP for code in codes], [], dates)


def _name(column: Any) -> str:
    name = getattr(column, "name", None)
    return "" if name is None else str(name)


def _numbers(time: Array) -> tuple[Array, bool]:
    """A number for each row, None, NA and NaT as NaN; dates as days since 1970. Whether they were dates."""
    if time.ndim > 1 and time.size != len(time):
        raise ValueError(f"time has shape {time.shape}, but must be one number for each sample")
    flat = time.reshape(-1)
    if flat.dtype == object:
        missing = np.array([is_missing(t) for t in flat], dtype=bool)
        if (~missing).any() and all(hasattr(t, "isoformat") for t in flat[~missing]):
            flat = np.where(missing, np.datetime64("NaT"), flat).astype("datetime64[us]")
        elif missing.any():
            flat = np.where(missing, np.nan, flat)
            if all(isinstance(t, (int, float, np.number)) and not isinstance(t, bool) for t in flat):
                flat = flat.astype(np.float64)
    if flat.dtype.kind != "M":
        return flat, False
    days = (flat - np.datetime64(0, "D")) / np.timedelta64(1, "D")
    return np.where(np.isnat(flat), np.nan, days), True
