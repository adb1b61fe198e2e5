"""Multi-view kernel principal components."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _core
from ._latent import LatentModel, each_view
from ._numbers import dtype_of
from ._progress import run_fit
from ._rules import COMMON, VIEWS, by_view, integer, kernel, kpca_features, one_of, optional, positive
from ._validation import Array, as_matrix, check_fitted, count_of, counted, seed_of
from ._views import Parsed, annotate


class MultiViewKernelPCA(LatentModel):
    """Kernel PCA of one or several tables, solved in feature space or in sample space, whichever is smaller.

    Samples that lack views are placed by the views they have; a view can be predicted from the others. It learns from the
    samples that have every entry of every view.

    Parameters
    ----------
    n_components : int
    kernel, lengthscale, features, scaling, weight, preimage
        For all views, or a dict by name of view. Kernels as for ``MultiViewGPLVM``; ``lengthscale=None`` takes the median
        distance between samples; ``features`` is ``"auto"``, ``"exact"``, ``"finite"``, ``"300"``, ``"nystrom:500"`` or
        ``"network:32"``; ``scaling`` is ``"standardise"``, ``"centre"``, ``"whole"`` or ``"none"``; ``preimage`` is
        ``"auto"``, ``"identity"``, ``"smoother"``, ``"fixed-point"``, ``"ridge"``, ``"gradient"`` or ``"network"``.
    solver : str
        ``"auto"``, ``"primal"``, ``"dual"``, ``"primal-stiefel"``, ``"dual-stiefel"``.
    views, random_state, n_jobs, verbose, callback
        As for ``MultiViewGPLVM``.

    Attributes
    ----------
    eigenvalues_, explained_variance_ratio_, solver_, notes_, seed_

    Examples
    --------
    >>> from bochner import MultiViewKernelPCA, datasets
    >>> data = datasets.make_s_curve(n_samples=60, views={"a": 8, "b": 6}, random_state=1)
    >>> model = MultiViewKernelPCA(n_components=3, random_state=0).fit(data.views)
    >>> model.transform({"a": data.views["a"]}).shape
    (60, 3)
    >>> model.predict_view({"a": data.views["a"]}, "b").shape
    (60, 6)
    """

    _prefix = "component"
    _rules = {
        **COMMON,
        "views": VIEWS,
        "n_components": integer(1, 10**5),
        "kernel": by_view(kernel()),
        "lengthscale": by_view(optional(positive())),
        "features": by_view(kpca_features()),
        "scaling": by_view(one_of("standardise", "centre", "whole", "none")),
        "weight": by_view(positive()),
        "preimage": by_view(
            one_of("auto", "identity", "smoother", "fixed-point", "ridge", "gradient", "network")
        ),
        "solver": one_of("auto", "primal", "dual", "primal-stiefel", "dual-stiefel"),
    }

    def __init__(
        self,
        *,
        n_components: int = 2,
        kernel: str | Mapping[str, str] = "rbf",
        lengthscale: float | Mapping[str, float] | None = None,
        features: str | Mapping[str, str] = "auto",
        scaling: str | Mapping[str, str] = "standardise",
        weight: float | Mapping[str, float] = 1.0,
        preimage: str | Mapping[str, str] = "auto",
        solver: str = "auto",
        views: Mapping[str, Any] | None = None,
        random_state: Any = None,
        n_jobs: int | None = -1,
        verbose: int = 0,
        callback: Any = None,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.lengthscale = lengthscale
        self.features = features
        self.scaling = scaling
        self.weight = weight
        self.preimage = preimage
        self.solver = solver
        self.views = views
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.callback = callback

    def fit(self, X: Any, y: Any = None) -> MultiViewKernelPCA:
        """Learns from one table, a dict of tables (rows joined by index), AnnData or MuData."""
        self._check_params()
        parsed = self._read_new(X)
        data = parsed.dataset(allow_disjoint=False)
        _check_complete(parsed)
        names = parsed.names
        lengths = [0.0 if v is None else v for v in each_view(self.lengthscale, names, "lengthscale", None)]
        words = list(
            zip(
                each_view(self.kernel, names, "kernel", "rbf"),
                lengths,
                map(str, each_view(self.features, names, "features", "auto")),
                each_view(self.scaling, names, "scaling", "standardise"),
                each_view(self.weight, names, "weight", 1.0),
                each_view(self.preimage, names, "preimage", "auto"),
                strict=True,
            )
        )
        seed = self._seed()
        self._keep(
            run_fit(
                self,
                lambda on_step: _core.fit_kpca(
                    data, words, self.n_components, self.solver, seed, self._threads(), on_step
                )
            )
        )
        self._remember_layout(parsed)
        self.ids_ = parsed.index()
        if parsed.kind in ("anndata", "mudata"):
            annotate(parsed, self._scores(data), None, None, self._info())
        return self

    def _keep(self, fit: Any) -> None:
        self._fit = fit
        self._parts = [(name, list(columns)) for name, columns in fit.views]
        self.eigenvalues_ = fit.eigenvalues
        self.explained_variance_ratio_ = fit.explained
        self.solver_ = fit.solver
        self.notes_ = list(fit.notes)

    def _n_out(self) -> int:
        return len(self.eigenvalues_)

    def _scores(self, data: Any) -> Array:
        out: Array = self._fit.scores(self._fit.embed(data, self._threads()))
        return out

    def transform(self, X: Any) -> Any:
        """Scores, scaled as those of scikit-learn's KernelPCA; NaN for samples without a complete view."""
        parsed = self._read_known(X)
        return self._finish(parsed, self._scores(parsed.dataset(allow_disjoint=True)), None, False)

    def _components(self, Z: Any) -> Array:
        check_fitted(self)
        at = as_matrix(Z, "Z", owner=type(self).__name__)
        if at.shape[1] != self._n_out():
            raise ValueError(f"Z has {counted(at.shape[1], 'column')}, but the model has {counted(self._n_out(), 'component')}")
        return np.ascontiguousarray(at / np.sqrt(self.eigenvalues_))

    def inverse_transform(self, Z: Any) -> Any:
        """Pre-images of scores Z in every view: one table, or a dict, as the data of ``fit`` were."""
        h = self._components(Z)
        return self._together(
            {
                name: self._fit.predict_view(v, h, [], self._threads())
                for v, (name, _) in enumerate(self._parts)
            },
            dtype_of(Z),
        )

    def predict_view(self, X: Any, view: str) -> Array:
        """A view from the other views of the samples; NaN where no other is there."""
        parsed = self._read_known(X)
        self._check_others(view)
        names = [name for name, _ in self._parts]
        out: Array = self._fit.predict_from_others(
            names.index(view), parsed.dataset(allow_disjoint=True), self._threads()
        )
        return out.astype(parsed.dtype, copy=False)

    def impute(self, X: Any) -> Any:
        """X with its holes filled by pre-images of where its complete views place each sample."""
        parsed = self._read_known(X)
        data = parsed.dataset(allow_disjoint=True)
        seen = {name: parsed.measured(name, len(columns)) for name, columns in self._parts}
        guess = self._preimages(data, seen)
        filled = {name: np.where(np.isnan(seen[name]), guess[name], seen[name]) for name in seen}
        return parsed.answer(filled, self._columns())

    def _preimages(self, data: Any, seen: dict[str, Array]) -> dict[str, Array]:
        """Every view where its complete views place each sample; where there is none, at the mean."""
        h = np.ascontiguousarray(np.nan_to_num(self._fit.embed(data, self._threads())))
        complete = np.column_stack([~np.isnan(values).any(axis=1) for values in seen.values()])
        out = {name: np.empty_like(values) for name, values in seen.items()}
        # Learned pre-images differ with the views that components came from.
        for pattern in np.unique(complete, axis=0):
            rows = np.flatnonzero((complete == pattern).all(axis=1))
            present = [bool(p) for p in pattern] if pattern.any() else []
            for v, name in enumerate(seen):
                out[name][rows] = self._fit.predict_view(
                    v, np.ascontiguousarray(h[rows]), present, self._threads()
                )
        return out

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Any:
        """New samples: components drawn near the training ones, and their pre-images."""
        check_fitted(self)
        h = self._fit.sample(count_of(n_samples, "n_samples"), seed_of(random_state))
        return self.inverse_transform(self._fit.scores(h))

    def score(self, X: Any, y: Any = None) -> float:
        """Minus the mean square of what pre-images miss, each column in units of its standard deviation in X.

        This model has no densities.
        """
        parsed = self._read_known(X)
        data = parsed.dataset(allow_disjoint=True)
        tables = {name: parsed.measured(name, len(columns)) for name, columns in self._parts}
        guess = self._preimages(data, tables)
        total, count = 0.0, 0
        for name, seen in tables.items():
            sd = np.nanstd(seen, axis=0)
            error = (seen - guess[name]) / np.where(sd > 0, sd, 1)
            known = ~np.isnan(error)
            total += float((error[known] ** 2).sum())
            count += int(known.sum())
        return -total / max(count, 1)

    @classmethod
    def load(cls, path: Any, *, n_jobs: int | None = -1) -> MultiViewKernelPCA:
        """A model that ``save`` or ``bochner kpca`` wrote."""
        fit = _core.KpcaFit.load(str(path))
        model = cls(n_components=len(fit.eigenvalues), n_jobs=n_jobs)
        model._keep(fit)
        model.ids_ = list(fit.ids)
        if len(model._parts) == 1:
            model.n_features_in_ = len(model._parts[0][1])
        return model


def _check_complete(parsed: Parsed) -> None:
    complete = np.ones(len(parsed.ids), dtype=bool)
    for t in parsed.tables:
        here = np.zeros(len(parsed.ids), dtype=bool)
        here[parsed.rows_of(t)] = ~np.isnan(t.values).any(axis=1)
        complete &= here
    if len(complete) >= 3 and complete.sum() < 3:
        raise ValueError(
            f"kernel PCA learns from samples that have every entry of every view, and only {complete.sum()} of "
            f"{len(complete)} do; leave out columns or views with many missing values, or use MultiViewGPLVM, which "
            "accepts them"
        )

