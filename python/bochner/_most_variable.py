"""Views reduced to the columns that vary most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import _core
from ._views import Parsed


def keep_most_variable(parsed: Parsed, most_variable: int | Mapping[str, int | None] | None) -> None:
    """Keeps in each view the given number of columns, those of the largest variance of their measured entries; labels stay whole."""
    if isinstance(most_variable, Mapping):
        unknown = next((name for name in most_variable if name not in parsed.names), None)
        if unknown is not None:
            raise ValueError(f"most_variable names view {unknown!r}, but the views are {', '.join(map(repr, parsed.names))}")
    for t in parsed.tables:
        count: Any = most_variable.get(t.name) if isinstance(most_variable, Mapping) else most_variable
        if count is None:
            continue
        if t.labels is not None:
            if isinstance(most_variable, Mapping):
                raise ValueError(f"most_variable names view {t.name!r}, which holds labels, and these have no variance")
            continue
        kept = _core.most_variable(values=t.values, count=int(count))
        if len(kept) < len(t.columns):
            _core.check_kept_names(view=t.name, columns=t.columns, kept=kept)
            t.keep(kept)
