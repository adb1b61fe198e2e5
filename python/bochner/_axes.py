"""What plots share."""

from __future__ import annotations

from typing import Any

from ._validation import counted


def axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(layout="constrained")[1]


def needs(model: Any, attribute: str, what: str) -> None:
    if not hasattr(model, attribute):
        raise ValueError(f"{type(model).__name__} has no {what}")


def check_dim(dim: int, count: int) -> int:
    if not 0 <= dim < count:
        raise ValueError(f"dim is {dim}, but the model has {counted(count, 'dimension')}, from 0 to {count - 1}")
    return dim


def view_of(model: Any, view: str | None) -> str:
    """The view, or the first one."""
    names = [name for name, _ in model._parts]
    if view is not None and view not in names:
        raise ValueError(f"view is {view!r}, but the views of the model are {', '.join(map(repr, names))}")
    return names[0] if view is None else view
