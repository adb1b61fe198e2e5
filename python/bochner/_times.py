"""Times of series, where their index says them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ._numbers import Array
from ._validation import counted


def check_times(X: Any, name: str, stacklevel: int = 3) -> None:
    """Refuses a DatetimeIndex or PeriodIndex that is not in the order of time, and warns of times that it leaves out.

    Months, quarters, years and weekdays count as even steps. Anything without such an index is taken at its word.
    """
    index: Any = getattr(X, "index", None)
    if type(index).__name__ not in ("DatetimeIndex", "PeriodIndex"):
        return
    if index.hasnans:
        raise ValueError(f"the index of {name} has missing times; drop these rows")
    steps = np.diff(index.asi8)
    late = np.flatnonzero(steps <= 0)
    if late.size:
        n = int(late[0])
        if steps[n] == 0:
            raise ValueError(f"rows {n} and {n + 1} of {name} are both of {index[n]}; keep one row for each time")
        raise ValueError(
            f"{name} is not in the order of time: row {n + 1} is of {index[n + 1]}, and row {n} of {index[n]}; use "
            f"{name}.sort_index()"
        )
    if len(steps) < 2:
        return
    chosen = _steps_of(index)
    step, count = np.unique(chosen, return_counts=True)
    usual = step[np.argmax(count)]
    if len(step) == 1:
        return
    other = np.flatnonzero(chosen != usual)
    odd = int((chosen % usual != 0).sum())
    missing = int((chosen // usual - 1)[chosen % usual == 0].sum())
    first = int(other[0])
    found = [f"{counted(missing, 'time')} missing"] if missing else []
    found += [f"{counted(odd, 'step')} no multiple of the most common one"] if odd else []
    remedy = f"resample {name} to even steps" if odd else f"use {name}.asfreq(...), which makes missing rows NaN"
    warnings.warn(
        f"the times of {name} are not evenly spaced ({', '.join(found)}; the most common step is that from {_example(index, chosen, usual)}, "
        f"the first other one from {index[first]} to {index[first + 1]}), and forecasts take rows for even steps: {remedy}",
        stacklevel=stacklevel,
    )


def _example(index: Any, steps: Array, usual: Any) -> str:
    n = int(np.flatnonzero(steps == usual)[0])
    return f"{index[n]} to {index[n + 1]}"


def _steps_of(index: Any) -> Array:
    """In the first unit in which they are equal: that of the index, months, weekdays, days by the clock; else the last that applies."""
    out: Array = np.diff(index.asi8)
    if type(index).__name__ == "PeriodIndex":
        return out
    local = index.tz_localize(None)
    clock = np.asarray(local - local.normalize())
    choices: list[Array] = []
    latest = int(local.day.max())
    if (clock == clock[0]).all():
        if (np.asarray(local.day) == np.minimum(latest, np.asarray(local.days_in_month))).all():
            choices.append(np.diff(np.asarray(12 * local.year + local.month)))
        day = np.asarray(local.normalize(), dtype="datetime64[D]")
        if (np.asarray(local.dayofweek) < 5).all():
            choices.append(np.diff(np.busday_count("1970-01-01", day)))
        choices.append(np.diff(day).astype(np.int64))  # days of 23 and 25 hours
    for choice in choices:
        if (out == out[0]).all():
            break
        if (choice == choice[0]).all() or choice is choices[0]:
            out = choice
    return out
