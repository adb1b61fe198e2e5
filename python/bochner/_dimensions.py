"""What the dimensions of a latent variable model mean."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._assess import Verdict
from ._latent import LatentModel
from ._validation import Array, check_fitted, count_of


class TopFeature(NamedTuple):
    """A column that depends on a dimension."""

    view: str
    column: str
    relevance: float
    loading: float
    lower: float


class Relevances(LatentModel):
    """How much of every view and column each dimension explains, and which way columns go along it."""

    relevance_: dict[str, Array]
    explained_: dict[str, float]
    loadings_: dict[str, Array]
    component_views_: list[list[str]]
    assessment_: Verdict
    _column_relevance: dict[str, Array]
    _column_entries: dict[str, Array]

    def _explain(self, names: list[str], seen: Any) -> None:
        by_view, by_column, explained, depends, entries = self._fit.relevance(data=seen, threads=self._threads())
        self.relevance_ = dict(zip(names, by_view, strict=True))
        self.explained_ = {name: float(share) for name, share in zip(names, explained, strict=True)}
        self._column_relevance = dict(zip(names, by_column, strict=True))
        self._column_entries = dict(zip(names, entries, strict=True))
        self.component_views_ = [
            [name for name, own in zip(names, depends, strict=True) if own[q]] for q in range(self._n_out())
        ]

    @property
    def explained_heldout_(self) -> dict[str, float]:
        """For every view, the fraction of the variance of held-out entries that the model explains.

        Below 0 where the means of the columns predict better, NaN where nothing was held out (or labels, which have no variance).
        What ``explained_`` says of the entries that the model has seen is larger, and of sparse tables much too large.
        """
        return {name: self.assessment_.scores.get(name, {}).get("r2", np.nan) for name in self.explained_}

    def _check_dim(self, dim: Any) -> int:
        check_fitted(self)
        if not isinstance(dim, (int, np.integer)) or not 0 <= dim < self._n_out():
            raise ValueError(f"dim is {dim!r}, but must be an int from 0 to {self._n_out() - 1}")
        return int(dim)

    def top_features(self, dim: int, n_features: int = 10) -> list[TopFeature]:
        """The columns of all views that certainly depend on a dimension (0 is the first), with their relevances and loadings.

        They are sorted by ``lower``, the lower end of the 90 % interval of the relevance: columns that hardly vary, or were measured
        in a few samples only, come last, however large their relevance is in the training data.
        ``pandas.DataFrame(model.top_features(0))`` makes a table of them.
        """
        q = self._check_dim(dim)
        count = count_of(n_features, "n_features")
        if not hasattr(self, "loadings_"):
            raise ValueError("a model from a file has no training data, hence no relevances; they are in its run folder")
        columns = {view[0]: view[1] for view in self._fit.views}
        names = list(self._column_relevance)
        found = _core.top_columns(
            relevance=[self._column_relevance[name] for name in names],
            entries=[self._column_entries[name] for name in names],
            loadings=[self.loadings_[name] for name in names],
            dim=q,
            most=count,
        )
        return [TopFeature(names[v], columns[names[v]][m], *numbers) for v, m, *numbers in found]

    def _response(self, view: str, dim: int, n_points: int, **options: Any) -> Any:
        q = self._check_dim(dim)
        names = [own[0] for own in self._fit.views]
        if view not in names:
            raise ValueError(f"the model has no view {view!r}, only {', '.join(map(repr, names))}")
        count = count_of(n_points, "n_points")
        return self._fit.response(view=view, dim=q, count=count, threads=self._threads(), **options)

    def response(self, view: str, dim: int, n_points: int = 21) -> tuple[Array, Array]:
        """Partial dependence: values of a dimension, and every column of a view there, (n_points, columns).

        The other dimensions are where the samples of ``fit`` are, and the answer is the mean over these.
        """
        z, mean = self._response(view, dim, n_points)
        return z, mean


class Dimensions(Relevances):
    """How columns answer to a dimension."""

    def _interpret(self, names: list[str], seen: _core.Dataset) -> None:
        """What the dimensions mean."""
        self._explain(names, seen)
        self.loadings_ = dict(zip(names, self._fit.loadings(data=seen, threads=self._threads()), strict=True))
