"""Trials of binomial views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._entries import check_trials
from ._numbers import Array
from ._validation import as_matrix, is_frame
from ._views import Parsed


def trials_of(trials: Any, parsed: Parsed, name: str, columns: Sequence[str] | None, owner: str) -> Array | None:
    """Trials of a view for all joined rows, or one number as 1 x 1; None if they are not given.

    ``columns``: of the fitted model, if there is one.
    """
    own = trials.get(name) if isinstance(trials, Mapping) else trials
    if own is None:
        return None
    of_view = next((t for t in parsed.tables if t.name == name), None)
    if np.asarray(own).ndim == 0:
        one = np.full((1, 1), float(own))
        if of_view is not None:
            check_trials(of_view, one)
        return one
    table = as_matrix(own, f"trials of view {name!r}", owner=owner, allow_nan=False)
    if of_view is None:
        raise ValueError(f"trials of view {name!r} are a table, but the data have no such view; give a number")
    names = [str(c) for c in own.columns] if is_frame(own) else None
    if of_view.kept is not None and table.shape[1] == of_view.width:
        by_name = names is not None and set(of_view.columns) <= set(names)
        at_columns = [names.index(c) for c in of_view.columns] if names is not None and by_name else list(of_view.kept)
        table = table[:, at_columns]
        names = None if names is None else [names[m] for m in at_columns]
    if table.shape != of_view.values.shape:
        raise ValueError(f"trials of view {name!r} have shape {table.shape}, but the view has {of_view.values.shape}")
    if names is not None:
        at = {str(label): n for n, label in enumerate(own.index)}
        if not all(i in at for i in of_view.ids):
            raise ValueError(f"trials of view {name!r} do not have the rows of the view")
        table = table[[at[i] for i in of_view.ids]]
        wanted = list(columns) if columns is not None else of_view.columns
        if set(names) == set(wanted):
            table = table[:, [names.index(c) for c in wanted]]
    check_trials(of_view, table)
    out = np.ones((len(parsed.ids), table.shape[1]))
    out[parsed.rows_of(of_view)] = table
    return out
