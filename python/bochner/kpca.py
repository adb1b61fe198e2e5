"""Multi-view kernel principal components."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _core
from ._assess import Assessed, Verdict, check_holdout, data_hash, verdict_of
from ._kpca_options import kpca_options
from ._label_view import LABELS, label_table
from ._latent import LatentModel
from ._numbers import dtype_of
from ._progress import run_fit
from ._report import latent_tables
from ._rules import (
    COMMON, KEY_ADDED, LAYER, VIEWS, boolean, by_view, integer, kernel, kpca_features, one_of, optional, positive,
    scaling,
)  # fmt: skip
from ._targets import as_written
from ._validation import Array, as_matrix, check_fitted, count_of, counted, seed_of
from ._views import Parsed


class MultiViewKernelPCA(LatentModel, Assessed):
    """Kernel PCA of one or several tables, solved in feature space or in sample space, whichever is smaller.

    Samples that lack views are placed by the views they have; a view can be predicted from the others. It learns from the
    samples that have every entry of every view. Classes of the samples, given as ``labels``, are one more view.

    Parameters
    ----------
    n_components : int
    kernel, lengthscale, features, scaling, weight, preimage
        For all views, or a dict by name of view (``"labels"`` is the view of classes, which a single value leaves as it
        is). Kernels as for ``MultiViewGPLVM``; ``lengthscale=None`` takes the median distance between samples;
        ``features`` is ``"auto"``, ``"exact"``, ``"finite"``, ``"300"``, ``"nystrom:500"`` or ``"network:32"``;
        ``scaling`` is ``"standardise"``, ``"centre"``, ``"whole"`` or ``"none"``; ``preimage`` is ``"auto"``,
        ``"identity"``, ``"smoother"``, ``"fixed-point"``, ``"ridge"``, ``"gradient"`` or ``"network"``.
    balance : bool
        Multiply weights by factors that make the views count alike.
    solver : str
        ``"auto"``, ``"primal"``, ``"dual"``, ``"primal-stiefel"``, ``"dual-stiefel"``.
    n_epochs : int
        Training epochs of network features.
    views, layer, key_added, random_state, n_jobs, verbose, callback
        As for ``MultiViewGPLVM``.

    Attributes
    ----------
    eigenvalues_, explained_variance_ratio_, solver_, notes_, seed_
    weights_ : dict
        Weight of each view, as balanced.
    classes_ : array
        Classes of ``labels``, if ``fit`` was given some.

    Examples
    --------
    >>> from bochner import MultiViewKernelPCA, datasets
    >>> data = datasets.make_s_curve(n_samples=60, views={"a": 8, "b": 6}, random_state=1)
    >>> model = MultiViewKernelPCA(n_components=3, random_state=0).fit(data.views)
    >>> model.transform({"a": data.views["a"]}).shape
    (60, 3)
    >>> model.predict_view({"a": data.views["a"]}, "b").shape
    (60, 6)
    >>> side = (data.position > 0).astype(int)
    >>> known = model.fit(data.views, labels=side)
    >>> bool((known.predict_labels(data.views) == side).mean() > 0.9)
    True
    """

    classes_: Array
    _labels: str | None = None  # the view of classes
    _rules = {
        **COMMON,
        "views": VIEWS,
        "layer": LAYER,
        "key_added": KEY_ADDED,
        "n_components": integer(1, 10**5),
        "kernel": by_view(kernel()),
        "lengthscale": by_view(optional(positive())),
        "features": by_view(kpca_features()),
        "scaling": by_view(scaling("standardise", "centre", "whole", "none")),
        "weight": by_view(positive()),
        "balance": boolean(),
        "preimage": by_view(
            one_of("auto", "identity", "smoother", "fixed-point", "ridge", "gradient", "network")
        ),
        "solver": one_of("auto", "primal", "dual", "primal-stiefel", "dual-stiefel"),
        "n_epochs": integer(1, 10**6),
    }

    _command = "kpca"

    def __init__(
        self,
        *,
        n_components: int = 2,
        kernel: str | Mapping[str, str] = "rbf",
        lengthscale: float | Mapping[str, float] | None = None,
        features: str | Mapping[str, str] = "auto",
        scaling: str | Mapping[str, str] = "standardise",
        weight: float | Mapping[str, float] = 1.0,
        balance: bool = False,
        preimage: str | Mapping[str, str] = "auto",
        solver: str = "auto",
        n_epochs: int = 200,
        views: Mapping[str, Any] | None = None,
        layer: str | Mapping[str, str] | None = None,
        key_added: str = "X_bochner",
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
        self.balance = balance
        self.preimage = preimage
        self.solver = solver
        self.n_epochs = n_epochs
        self.views = views
        self.layer = layer
        self.key_added = key_added
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.callback = callback

    def fit(
        self, X: Any, y: Any = None, *, labels: Any = None, holdout: float | None = None
    ) -> MultiViewKernelPCA:
        """Learns from one table, a dict of tables (rows joined by index), AnnData or MuData.

        ``labels`` (the class of each sample; None, NaN or "" where it is not known) become one more view, ``"labels"``.
        A Series is matched by its index, an array by position; a string names a column of the ``.obs`` of AnnData or
        MuData. ``y`` is ignored, as pipelines expect of a transformer without a target.

        ``holdout`` (0.1, for instance): a second fit does without this share of the samples, and predicts each of their views
        from the others, as ``bochner kpca --holdout`` does; ``assessment_`` has the scores. The model itself learns from
        all samples.
        """
        share = check_holdout(holdout, type(self).__name__)
        self._check_params()
        parsed = self._read_new(X)
        if labels is not None:
            if LABELS in parsed.names:
                raise ValueError(f"a view cannot be called {LABELS!r} if there are labels, which make a view of that name")
            parsed.tables.append(label_table(parsed, labels, None))
        data = parsed.dataset(allow_disjoint=False)
        _check_complete(parsed)
        options, seed = kpca_options(self, parsed.names, labels is not None), self._seed()
        if self.balance:
            options = _core.balance_kpca(data=data, options=options, seed=seed, threads=self._threads())
        fit = run_fit(
            self,
            lambda on_step: _core.fit_kpca(
                data=data, options=options, seed=seed, threads=self._threads(), on_step=on_step
            ),
        )
        self._keep(fit)
        self._remember_layout(parsed)
        self.ids_ = parsed.index()
        if parsed.kind in ("anndata", "mudata"):
            self._annotate(parsed, self._scores(data), None)
        found = _core.assess_kpca(
            fit=fit, data=data, options=options, seed=seed, holdout=share, threads=self._threads()
        )
        self._judge(found, self._hash_of(parsed), share > 0)
        return self

    def _hash_of(self, parsed: Parsed) -> bytes:
        return data_hash(parsed.measured(name, len(columns)) for name, columns in self._fit.views)

    def assess(self, X: Any = None, *, labels: Any = None) -> Verdict:
        """Whether the model may be trusted: how well each view is predicted from the others, and the verdict.

        Without X, or with the X of ``fit(X, holdout=..)``: ``assessment_``, the verdict of ``bochner kpca``. Other samples:
        those that have every entry of every view are predicted by the model; ``labels`` as in ``fit``.
        """
        check_fitted(self)
        parsed = None if X is None else self._read_labelled(X, labels)
        data = None if parsed is None else parsed.dataset(allow_disjoint=True)
        kept = self._kept(None if parsed is None else self._hash_of(parsed))
        if kept is not None or data is None:
            return self.assessment_
        return verdict_of(_core.assess_new_kpca(fit=self._fit, data=data, threads=self._threads()))

    def _keep(self, fit: Any) -> None:
        self._fit = fit
        self._labels = next(iter(fit.label_views), None)
        self._names = [name for name, _ in fit.views]
        self._parts = [(name, list(columns)) for name, columns in fit.views if name != self._labels]
        self.eigenvalues_ = fit.eigenvalues
        self.explained_variance_ratio_ = fit.explained
        self.weights_ = dict(zip(self._names, fit.weights, strict=True))
        self.solver_ = fit.solver
        self.notes_ = list(fit.notes)
        if hasattr(self, "classes_"):
            del self.classes_
        if self._labels is not None:
            self._class_names = list(dict(fit.views)[self._labels])
            self.classes_ = as_written(self._class_names)

    def _n_out(self) -> int:
        return len(self.eigenvalues_)

    def _scores(self, data: Any) -> Array:
        h = self._fit.embed(data=data, threads=self._threads())
        out: Array = self._fit.scores(h=h)
        return out

    def _read_labelled(self, X: Any, labels: Any) -> Parsed:
        """Data for a fitted model, and classes of its samples where they are known."""
        parsed = self._read_known(X)
        if labels is not None:
            if self._labels is None:
                raise ValueError("labels are given, but fit had none")
            parsed.tables.append(label_table(parsed, labels, self._class_names))
        return parsed

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """``fit(X, labels=labels).transform(X, labels=labels)``."""
        labels = fit_params.get("labels")
        return self.fit(X, y, **fit_params).transform(X, labels=labels)

    def transform(self, X: Any, *, labels: Any = None) -> Any:
        """Scores, scaled as those of scikit-learn's KernelPCA; NaN for samples without a complete view.

        ``labels`` as in ``fit``, where they are known: samples are then placed by them as well, as in the ``latent.csv``
        of ``bochner kpca --labels``.
        """
        parsed = self._read_labelled(X, labels)
        return self._finish(parsed, self._scores(parsed.dataset(allow_disjoint=True)), None, False)

    def _components(self, Z: Any) -> Array:
        check_fitted(self)
        at = as_matrix(Z, "Z", owner=type(self).__name__)
        if at.shape[1] != self._n_out():
            raise ValueError(f"Z has {counted(at.shape[1], 'column')}, but the model has {counted(self._n_out(), 'component')}")
        return np.ascontiguousarray(at / np.sqrt(self.eigenvalues_))

    def inverse_transform(self, Z: Any) -> Any:
        """Pre-images of scores Z in every view: one table, or a dict, as the data of ``fit`` were.

        A dict has the view ``"labels"`` too, if there is one: a column for each class.
        """
        return self._at(self._components(Z), dtype_of(Z))

    def _at(self, h: Array, dtype: Any = np.float64) -> Any:
        """Pre-images of components."""
        guess = {
            name: self._fit.predict_view(v=v, h=h, present=[], threads=self._threads())
            for v, name in enumerate(self._names)
        }
        return self._together(guess, dtype)

    def predict_view(self, X: Any, view: str, *, labels: Any = None) -> Array:
        """A view from the other views of the samples; NaN where no other is there. ``labels`` as in ``transform``."""
        parsed = self._read_labelled(X, labels)
        self._check_others(view)
        out: Array = self._fit.predict_from_others(
            v=self._names.index(view), data=parsed.dataset(allow_disjoint=True), threads=self._threads()
        )
        return out.astype(parsed.dtype, copy=False)

    def _view_names(self) -> list[str]:
        return self._names

    def predict_labels(self, X: Any) -> Array:
        """The class of each sample: that of the largest column of the predicted view ``"labels"``."""
        check_fitted(self)
        if self._labels is None:
            raise ValueError("the model knows no classes: fit was not given labels")
        guess = self.predict_view(X, self._labels)
        unplaced = np.flatnonzero(np.isnan(guess).any(axis=1))
        if len(unplaced):
            raise ValueError(f"row {unplaced[0]} of X has no complete view to predict its class from")
        out: Array = self.classes_[guess.argmax(axis=1)]
        return out

    def impute(self, X: Any) -> Any:
        """X with its missing values filled by pre-images of where its complete views place each sample."""
        parsed = self._read_known(X)
        data = parsed.dataset(allow_disjoint=True)
        seen = {name: parsed.measured(name, len(columns)) for name, columns in self._parts}
        guess = self._preimages(data, seen)
        filled = {name: np.where(np.isnan(seen[name]), guess[name], seen[name]) for name in seen}
        return parsed.answer(filled, self._columns())

    def _preimages(self, data: Any, seen: dict[str, Array]) -> dict[str, Array]:
        """Every view where its complete views place each sample; where there is none, at the mean."""
        h = np.ascontiguousarray(np.nan_to_num(self._fit.embed(data=data, threads=self._threads())))
        complete = np.column_stack([~np.isnan(values).any(axis=1) for values in seen.values()])
        out = {name: np.empty_like(values) for name, values in seen.items()}
        # Learned pre-images differ with the views that components came from.
        for pattern in np.unique(complete, axis=0):
            rows = np.flatnonzero((complete == pattern).all(axis=1))
            given = dict(zip(seen, pattern, strict=True))
            present = [bool(given.get(name, False)) for name in self._names] if pattern.any() else []
            for name in seen:
                out[name][rows] = self._fit.predict_view(
                    v=self._names.index(name), h=np.ascontiguousarray(h[rows]), present=present, threads=self._threads()
                )
        return out

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Any:
        """New samples: components drawn near the training ones, and their pre-images in every view.

        Kernel PCA has no model of noise, so there is none in these samples. The same seed as that of ``fit`` gives the
        tables that ``bochner kpca --samples`` writes.
        """
        check_fitted(self)
        return self._at(self._fit.sample(count=count_of(n_samples, "n_samples"), seed=seed_of(random_state)))

    def traverse(self, component: int = 0, *, n_steps: int = 9, width: float = 2.0) -> tuple[Array, Any]:
        """Walks along one component, the others at their means, as ``bochner kpca --traverse`` does.

        Parameters
        ----------
        component : int
            From 0: the first column of ``transform``, ``z1``.
        n_steps : int
            Points of the walk, at least 2.
        width : float
            It goes from ``-width`` to ``width`` standard deviations of the component.

        Returns
        -------
        Z : array of shape (n_steps, n_components)
            Scores of the points.
        views : array or dict
            Their pre-images, as ``inverse_transform`` gives them.
        """
        check_fitted(self)
        if isinstance(component, bool) or not isinstance(component, (int, np.integer)) or not 0 <= component < self._n_out():
            raise ValueError(f"component is {component!r}, but must be an int from 0 to {self._n_out() - 1}")
        if count_of(n_steps, "n_steps") < 2:
            raise ValueError(f"n_steps is {n_steps!r}, but must be an int of at least 2")
        if not (np.isfinite(width) and width > 0):
            raise ValueError(f"width is {width!r}, but must be a positive number")
        h = self._fit.traverse(component=int(component), steps=int(n_steps), width=float(width))
        return self._fit.scores(h=h), self._at(h)

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

    def _report_tables(self) -> dict[str, Any]:
        explained = np.asarray(self.explained_variance_ratio_)
        rows = zip(np.asarray(self.eigenvalues_), explained, explained.cumsum(), strict=True)
        return latent_tables(self._fit.ids, self._fit.scores(h=self._fit.H), None) | {
            "components.csv": (
                ["component", "eigenvalue", "explained", "explained_so_far"],
                [[f"z{q + 1}", *row] for q, row in enumerate(rows)],
            )
        }

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
    complete = parsed.complete_rows()
    if len(complete) >= 3 and complete.sum() < 3:
        raise ValueError(
            f"kernel PCA learns from samples that have every entry of every view, and only {complete.sum()} of "
            f"{len(complete)} do; leave out columns or views with many missing values, or use MultiViewGPLVM, which "
            "accepts them"
        )

