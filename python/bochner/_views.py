"""What users call data, as views of the core: one table, a dict of tables, AnnData, MuData."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _core
from ._annotated_data import is_anndata, is_mudata, layer_of_modality, measurements
from ._numbers import check_numbers, dtype_of, unmasked
from ._validation import Array, as_matrix, counted, feature_names, is_frame, is_sparse

ModelViews = Sequence[tuple[str, Sequence[str]]]


@dataclass
class Table:
    """One view of the data."""

    name: str
    values: Array  # n x M, float64, C order
    columns: list[str]
    named: bool  # whether the columns came with names
    index: list[Any] | None  # labels of the rows, if they came with some
    where: Array | None = None  # positions of its columns in the one table that it is cut from, -1 of those that it lacks
    labels: Array | None = None  # n x M objects, of categorical views
    kept: Array | None = None  # positions of its columns in the whole view, if it is reduced to some of them
    width: int = 0  # columns of that whole view

    def keep(self, columns: Array | Sequence[int]) -> None:
        """Reduces the view to some of its columns."""
        self.kept, self.width = np.asarray(columns, dtype=np.intp), self.values.shape[1]
        self.values = np.ascontiguousarray(self.values[:, self.kept])
        self.columns = [self.columns[m] for m in self.kept]
        self.where = None if self.where is None else self.where[self.kept]
        self.labels = None if self.labels is None else self.labels[:, self.kept]

    @property
    def ids(self) -> list[str]:
        rows = self.values.shape[0]
        return [str(i) for i in (range(rows) if self.index is None else self.index)]


@dataclass(frozen=True)
class Kinds:
    """Views whose entries are no plain numbers, by name; None if all views are."""

    labels: Sequence[str] | None = ()
    booleans: Sequence[str] | None = ()  # 0 and 1, which may come as False and True

    def are_labels(self, view: str) -> bool:
        return self.labels is None or view in self.labels

    def are_booleans(self, view: str) -> bool:
        return self.booleans is None or view in self.booleans


NO_KINDS = Kinds()


@dataclass
class Parsed:
    """The data, and what is needed to answer in kind."""

    kind: str  # "table", "dict", "anndata" or "mudata"
    source: Any
    tables: list[Table]
    dtype: Any = np.float64
    width: int = 0  # columns of the one table
    ids: list[str] = field(default_factory=list)  # joined

    @property
    def has_ids(self) -> bool:
        return self.tables[0].index is not None

    @property
    def names(self) -> list[str]:
        return [t.name for t in self.tables]

    def join(self) -> None:
        """Fills ``ids``, as ``dataset`` does, for who does not need the data themselves."""
        self.dataset(allow_disjoint=True)

    def dataset(self, allow_disjoint: bool) -> _core.Dataset:
        made = _core.dataset([(t.name, t.ids, t.columns, t.values) for t in self.tables], allow_disjoint)
        self.ids = list(made.ids)
        return made

    def index(self) -> list[Any]:
        """Labels of the joined rows, as the user wrote them."""
        known: dict[str, Any] = {}
        for t in self.tables:
            if t.index is not None:
                for label in t.index:
                    known.setdefault(str(label), label)
        return [known.get(i, i) for i in self.ids]

    def rows_of(self, table: Table) -> Array:
        """Where the rows of a table are among the joined ones."""
        at = {i: n for n, i in enumerate(self.ids)}
        return np.array([at[i] for i in table.ids], dtype=np.intp)

    def complete_rows(self) -> Array:
        """Which of the joined rows have every entry of every table."""
        out = np.ones(len(self.ids), dtype=bool)
        for t in self.tables:
            here = np.zeros(len(self.ids), dtype=bool)
            here[self.rows_of(t)] = ~np.isnan(t.values).any(axis=1)
            out &= here
        return out

    def measured(self, view: str, columns: int) -> Array:
        """The entries of all joined rows in a view, NaN where there are none."""
        out = np.full((len(self.ids), columns), np.nan)
        for t in self.tables:
            if t.name == view:
                out[self.rows_of(t)] = t.values
        return out

    def along_rows(self, value: Any, what: str) -> Array:
        """One entry, or one row, for each joined row: frames and series by their index, arrays by position."""
        if hasattr(value, "loc") and hasattr(value, "index"):
            at = {str(label): n for n, label in enumerate(value.index)}
            absent = next((i for i in self.ids if i not in at), None)
            if absent is not None:
                if not self.has_ids:
                    return self._by_position(value, what)
                raise ValueError(f"{what} has no entry for sample {absent!r}")
            return np.asarray(value)[[at[i] for i in self.ids]]
        if self.tables[0].ids != self.ids:
            raise ValueError(
                f"{what} is an array, but the views have different rows; give a Series or DataFrame with the index of "
                "the samples"
            )
        return self._by_position(value, what)

    def _by_position(self, value: Any, what: str) -> Array:
        array = np.asarray(unmasked(value))
        if array.ndim == 0:
            raise ValueError(f"{what} is {value!r}, but must be an array with an entry for each sample")
        if len(array) != len(self.ids):
            raise ValueError(f"{what} has {counted(len(array), 'entry', 'entries')}, but X has {counted(len(self.ids), 'sample')}")
        return array

    def answer(self, by_view: Mapping[str, Array], columns: Mapping[str, Sequence[str]]) -> Any:
        """Values of all joined rows, per view, in the shape of the input."""
        if self.kind == "table":
            # Columns that belong to no view stay as they are.
            out = as_matrix(self.source, "X", owner="impute", allow_sparse=True, booleans=True)
            out = out.astype(self.dtype, copy=True)
            for t in self.tables:
                assert t.where is not None
                here = t.where >= 0  # the table may lack columns of the model
                out[:, t.where[here]] = by_view[t.name][:, here]
            if is_frame(self.source):
                return type(self.source)(out, index=self.source.index, columns=self.source.columns)
            return out
        frames = self.kind != "dict" or any(is_frame(v) for v in self.source.values())
        if not frames:
            return {name: values.astype(self.dtype, copy=False) for name, values in by_view.items()}
        import pandas as pd

        index = self.index()
        return {
            name: pd.DataFrame(values.astype(self.dtype, copy=False), index=index, columns=list(columns[name]))
            for name, values in by_view.items()
        }


def parse(
    X: Any,
    views: Mapping[str, Any] | None,
    *,
    owner: str,
    model: ModelViews | None = None,
    kept: Mapping[str, tuple[Array, int]] | None = None,
    kinds: Kinds = NO_KINDS,
    min_rows: int = 1,
    layer: str | Mapping[str, str] | None = None,
) -> Parsed:
    """Reads the data. ``model``: views of a fitted model, whose columns are matched; ``kept``: positions of these columns, and the
    width of the view, where the fit kept some of them; ``layer``: of AnnData and MuData."""
    if is_mudata(X):
        entries = {
            name: measurements(part, layer_of_modality(layer, name, X.mod), f"modality {name!r}")
            for name, part in X.mod.items()
        }
        parsed = Parsed("mudata", X, [_annotated(name, X.mod[name], entries[name], owner, kinds) for name in X.mod])
        parsed.dtype = _common_dtype(entries.values())
    elif is_anndata(X):
        name = _only_name(model, "X")
        if isinstance(layer, Mapping):
            raise ValueError("layer is a dict, which is for MuData; give the name of a layer of the AnnData")
        entry = measurements(X, layer, "the AnnData")
        parsed = Parsed("anndata", X, [_annotated(name, X, entry, owner, kinds)], dtype_of(entry))
    elif layer is not None and model is None:
        raise ValueError(f"layer is {layer!r}, which is for AnnData and MuData, but X is a {type(X).__name__}")
    elif isinstance(X, Mapping) and not is_sparse(X):  # scipy has sparse arrays that are mappings
        parsed = _parse_dict(X, owner, kinds)
    else:
        parsed = _parse_table(unmasked(X), views, owner, _only_name(model, "X"), kinds, min_rows)
    if model is not None:
        for table in parsed.tables:
            _match(table, model, kept or {})
    return parsed


def _only_name(model: ModelViews | None, default: str) -> str:
    return model[0][0] if model is not None and len(model) == 1 else default


def _annotated(name: str, adata: Any, entry: Any, owner: str, kinds: Kinds) -> Table:
    values = as_matrix(entry, f"view {name!r}", owner=owner, allow_sparse=True, booleans=kinds.are_booleans(name))
    return Table(name, values, [str(c) for c in adata.var_names], True, [str(i) for i in adata.obs_names])


def _common_dtype(tables: Iterable[Any]) -> Any:
    """float32 if all of them are."""
    return np.float32 if {dtype_of(t) for t in tables} == {np.float32} else np.float64


def _parse_dict(X: Mapping[str, Any], owner: str, kinds: Kinds) -> Parsed:
    if not X:
        raise ValueError("the dict of views is empty; give at least one table")
    tables = []
    for name, value in X.items():
        if not isinstance(name, str) or not name:
            raise ValueError(f"a view is called {name!r}, but names of views must be texts")
        columns = [str(c) for c in value.columns] if is_frame(value) else None
        index = list(value.index) if is_frame(value) else None
        what = f"view {name!r}"
        values, objects = _values(value, what, owner, kinds.are_labels(name), booleans=kinds.are_booleans(name))
        if columns is None:
            columns = [f"{name}_{m}" for m in range(values.shape[1])]
        tables.append(Table(name, values, columns, is_frame(value), index, labels=objects))
    if any(t.index is None for t in tables):
        without = next(t for t in tables if t.index is None)
        other = next((t for t in tables if t.index is not None), None)
        if other is not None:
            raise ValueError(
                f"view {other.name!r} has an index but view {without.name!r} has none; rows are joined by index, so "
                "give all views as DataFrames, or none"
            )
        for t in tables[1:]:
            if t.values.shape[0] != tables[0].values.shape[0]:
                raise ValueError(
                    f"view {tables[0].name!r} has {counted(tables[0].values.shape[0], 'row')} but view {t.name!r} has "
                    f"{t.values.shape[0]}; give DataFrames, whose index says which rows belong together"
                )
    return Parsed("dict", X, tables, _common_dtype(X.values()))


def _values(
    value: Any, what: str, owner: str, labels: bool, min_rows: int = 1, booleans: bool = False
) -> tuple[Array, Array | None]:
    if not labels:
        return as_matrix(value, what, owner=owner, min_rows=min_rows, allow_sparse=True, booleans=booleans), None
    objects = np.asarray(unmasked(value), dtype=object)
    if objects.ndim == 1:
        objects = objects[:, None]
    return np.zeros(objects.shape), objects


def _parse_table(
    X: Any, views: Mapping[str, Any] | None, owner: str, name: str, kinds: Kinds, min_rows: int
) -> Parsed:
    frame = is_frame(X)
    index = list(X.index) if frame else None
    if index is not None and len(set(map(str, index))) != len(index):
        index = None  # one table needs no labels to join by: bootstrap samples repeat them
    some_labels = kinds.labels is None or bool(kinds.labels)
    some_booleans = kinds.booleans is None or bool(kinds.booleans)
    whole, objects = _values(X, "X", owner, some_labels, min_rows, some_booleans)
    columns = [str(c) for c in X.columns] if frame else None
    width = whole.shape[1]
    cut: dict[str, Array] = {name: np.arange(width)}
    if views is not None:
        cut = {v: _positions(v, chosen, columns, width) for v, chosen in views.items()}
    tables = []
    for view, where in cut.items():
        part = whole if len(where) == width and np.array_equal(where, np.arange(width)) else whole[:, where]
        own = [columns[m] for m in where] if columns else [f"{view}_{m}" for m in range(len(where))]
        tables.append(
            Table(
                view,
                np.ascontiguousarray(part),
                own,
                feature_names(X) is not None,
                index,
                where,
                None if objects is None or not kinds.are_labels(view) else objects[:, where],
            )
        )
        if some_booleans and not kinds.are_booleans(view) and not kinds.are_labels(view):
            check_numbers(X if hasattr(X, "dtype") or frame else np.asarray(X), "X", columns=where)
        if objects is not None and tables[-1].labels is None:
            own_part = X.iloc[:, where] if frame else objects[:, where]
            tables[-1].values = as_matrix(
                own_part, f"view {view!r}", owner=owner, booleans=kinds.are_booleans(view)
            )
    return Parsed("table", X, tables, dtype_of(X), width)


def _positions(view: str, chosen: Any, columns: list[str] | None, width: int) -> Array:
    if isinstance(chosen, slice):
        where = np.arange(width)[chosen]
    else:
        if isinstance(chosen, (str, bytes)) or not isinstance(chosen, Iterable):
            raise ValueError(f"views[{view!r}] is {chosen!r}, but must be a list of columns or a slice")
        items = list(chosen)
        if items and all(isinstance(c, str) for c in items):
            if columns is None:
                raise ValueError(f"views[{view!r}] names columns, but X is an array without names; use numbers")
            absent = [c for c in items if c not in columns]
            if absent:
                raise ValueError(f"views[{view!r}] has column {absent[0]!r}, which X does not have")
            where = np.array([columns.index(c) for c in items], dtype=np.intp)
        else:
            if not all(isinstance(c, (int, np.integer, np.bool_)) for c in items):
                raise ValueError(f"views[{view!r}] is {items!r}, but must be names of columns, or their numbers, or a mask")
            numbers = np.asarray(items)
            if numbers.dtype == bool:
                if len(numbers) != width:
                    raise ValueError(f"views[{view!r}] is a mask of {counted(len(numbers), 'column')}, but X has {width}")
                where = np.flatnonzero(numbers)
            else:
                where = numbers.astype(np.intp)
                where = np.where(where < 0, where + width, where)
    if where.size == 0:
        raise ValueError(f"views[{view!r}] has no column")
    if where.min() < 0 or where.max() >= width:
        raise ValueError(f"views[{view!r}] has column {where.max()}, but X has {width}, from 0 to {width - 1}")
    return where


def _match(table: Table, model: ModelViews, kept: Mapping[str, tuple[Array, int]]) -> None:
    """The columns of the model, in its order; those that the table lacks were not measured."""
    known = dict(model)
    if table.name not in known:
        raise ValueError(f"the model has no view {table.name!r}, only {', '.join(map(repr, known))}")
    columns = list(known[table.name])
    if table.columns != columns and len(table.columns) != len(columns):
        if not table.named and table.name in kept and kept[table.name][1] == len(table.columns):
            table.keep(kept[table.name][0])
            table.columns = columns
            return
        times = Counter(table.columns)
        # The first columns without names may be all that the table of the fit had.
        if (table.named or table.columns[: len(columns)] != columns) and all(times[c] == 1 for c in columns):
            at = {c: m for m, c in enumerate(table.columns)}
            table.keep([at[c] for c in columns])
            return
    if not table.named or table.columns == columns:
        if table.values.shape[1] != len(columns):
            raise ValueError(
                f"view {table.name!r} has {counted(table.values.shape[1], 'column')}, but the model has {len(columns)} there"
            )
        table.columns = columns
        return
    at = {c: m for m, c in enumerate(table.columns)}
    if len(at) < len(table.columns):
        twice = next(c for c in table.columns if table.columns.count(c) > 1)
        raise ValueError(
            f"view {table.name!r} has column {twice!r} twice, and its columns are not those of the model one by one; "
            "give columns names of their own"
        )
    if table.where is not None and len(at) == len(columns) and not set(at) & set(columns):
        table.columns = columns  # one table by position: names were checked before
        return
    if not set(at) & set(columns):
        raise ValueError(f"view {table.name!r} has none of the columns of the model, {columns[0]!r} first")
    values = np.full((table.values.shape[0], len(columns)), np.nan)
    labels = None if table.labels is None else np.full(values.shape, None, dtype=object)
    for m, c in enumerate(columns):
        if c in at:
            values[:, m] = table.values[:, at[c]]
            if labels is not None and table.labels is not None:
                labels[:, m] = table.labels[:, at[c]]
    if table.where is not None:
        table.where = np.array([table.where[at[c]] if c in at else -1 for c in columns], dtype=np.intp)
    table.values, table.labels, table.columns = values, labels, columns
