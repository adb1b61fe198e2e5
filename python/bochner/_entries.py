"""Whether entries are what their likelihood can be given, and times what a path can go through."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ._labels import label_codes
from ._numbers import Array, check_numbers
from ._views import Table

_COUNTS = ("poisson", "negbinom", "binomial", "multinomial")


def check_entries(table: Table, likelihood: str) -> None:
    """ValueError for an entry that the likelihood makes impossible: its view, row and column."""
    Y = table.values
    if likelihood in _COUNTS:
        good, rule = (Y >= 0) & (Y == np.floor(Y)) & (Y <= 1e15), "whole numbers from 0"
    elif likelihood == "bernoulli":
        good, rule = (Y == 0) | (Y == 1), "0 and 1"
    else:
        return
    wrong = np.argwhere(~good & ~np.isnan(Y))
    if len(wrong):
        n, m = wrong[0]
        raise ValueError(
            f"{_place(table, n, m)}: {Y[n, m]:g} is not possible, because likelihood={likelihood!r} needs {rule}"
        )


def check_trials(table: Table, trials: Array) -> None:
    """Of the rows of the table: whole numbers, and at least as many as successes."""
    every = np.broadcast_to(trials, table.values.shape)
    wrong = np.argwhere(~((every >= 0) & (every == np.floor(every))))
    if len(wrong):
        n, m = wrong[0]
        raise ValueError(f"trials of {_place(table, n, m)}: {every[n, m]:g} is not a whole number from 0")
    wrong = np.argwhere(table.values > every)
    if len(wrong):
        n, m = wrong[0]
        raise ValueError(f"{_place(table, n, m)}: {table.values[n, m]:g} successes in {every[n, m]:g} trials")


def check_mean_trials(table: Table, trials: float) -> None:
    """Of new samples whose own trials are not given."""
    wrong = np.argwhere(table.values > trials)
    if len(wrong):
        n, m = wrong[0]
        raise ValueError(
            f"{_place(table, n, m)}: {table.values[n, m]:g} successes are more than the mean number of trials of fit, "
            f"{trials:g}; give the trials of these samples as trials="
        )


def times_of(time: Array, ids: Sequence[str]) -> Array:
    """One finite number for each sample."""
    if time.size != len(ids):
        raise ValueError(f"time has shape {time.shape}, but must be one number for each sample")
    check_numbers(time, "time")
    out = np.ascontiguousarray(time.reshape(-1), dtype=np.float64)
    wrong = np.flatnonzero(~np.isfinite(out))
    if len(wrong):
        raise ValueError(f"time of sample {ids[wrong[0]]!r} is {out[wrong[0]]:g}, but must be a finite number")
    return out


def groups_of(group: Array, time: Array, ids: Sequence[str]) -> list[int]:
    """Codes of the groups, as of labels; within a group times differ. An empty array is one group."""
    out = [int(code) for code in label_codes(group.reshape(-1))[1]]
    if -1 in out:
        raise ValueError(f"group of sample {ids[out.index(-1)]!r} is missing")
    first: dict[tuple[int, float], str] = {}
    for n, i in enumerate(ids):
        other = first.setdefault((out[n] if out else 0, float(time[n])), i)
        if other != i:
            raise ValueError(
                f"time of samples {other!r} and {i!r} is {time[n]:g} for both; give rows that do not follow each other "
                "different groups"
            )
    return out


def _place(table: Table, n: int, m: int) -> str:
    return f"view {table.name!r}, row {table.ids[n]!r}, column {table.columns[m]!r}"
