"""Variational multi-view latent variable models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import _core
from ._assess import Assessed, Verdict, check_holdout, data_hash, verdict_of
from ._gplvm_model import GplvmModel
from ._hints import hints
from ._label_view import LABELS, label_table
from ._latent import each_view
from ._progress import run_fit
from ._report import latent_tables, relevance_tables, trace_table
from ._rules import (
    COMMON, KEY_ADDED, LAYER, MOST_VARIABLE, NORMALISE, VIEWS, british, by_view, device, features, integer, integer_or_auto, kernel, number, one_of,
    optional, positive, scaling,
)  # fmt: skip
from ._targets import as_written
from ._validation import Array, check_fitted, threads_of
from ._views import Parsed


MOST_COMPONENTS = 20  # that "auto" tries


class MultiViewGPLVM(GplvmModel, Assessed):
    """Tables of the same samples, with missing values, as a few dimensions with error bars.

    A variational Gaussian-process latent variable model with learned spectral kernels: every view (table) is a set of
    functions of one shared latent space. Missing values (NaN) and samples that a view lacks are left out, never filled.
    A view that a sample lacks altogether is predicted from the views that it has.

    Parameters
    ----------
    n_components : int or "auto"
        Dimensions of the latent space. ``"auto"``: as many as held-out entries pay for, from 1 to 20, by short fits with one
        more dimension at a time; ``components_tried_`` has their errors.
    kernel : str or dict
        Kernel of the functions, for all views or by name of view: ``"ngsm"``, ``"sm"``, ``"rbf"``, ``"matern32"``,
        ``"linear"``, and sums and products such as ``"rbf+linear"``.
    n_mixtures : int
        Components of spectral mixtures.
    features : str
        ``"auto"``, ``"exact"``, ``"random"``, ``"300"``, ``"orthogonal"`` or ``"nystrom:500"``: how the kernel enters.
    scaling : str or dict
        ``"auto"``, ``"none"``, ``"centre"``, ``"standardise"`` or ``"whole"``, for all views or by name; also spelled
        ``"center"`` and ``"standardize"``.
    noise : float, dict or None
        Noise variance of the scaled view; learned if None.
    noise_start : float
        Where learning the noise variance begins; much noise may collapse dimensions, and learning it does not lead back.
    max_iter, step_size, patience, n_restarts
        Of the optimiser. ``n_restarts=0``: one to six, the cheaper a step, the more.
    precision : "auto", "double" or "single"
        Of random features and inducing latents; "auto": single for large tables that are not nearly free of noise.
    device : str
        ``"cpu"``, ``"cuda"`` (the first NVIDIA card), ``"cuda:1"`` or ``"auto"``: where the steps of ``fit`` run. A card takes
        random features (``features="300"``), in double.
    normalise : "rows", dict or None
        ``"rows"``, for all views or by name: every sample is divided by the root mean square of its measured entries before the
        view is scaled, so that profiles are compared and not sizes (text, counts). Answers are in the units of the data;
        a view that a sample lacks has the median size of the samples of ``fit``.
    most_variable : int, dict or None
        Number of columns to keep of each view, or of the views named: those of the largest variance; None: all. Raw variances are
        compared, so the columns must be in the same units. ``columns_`` has the names.
    views : dict or None
        Cuts one table into views: ``{"rna": [0, 1, 2], "protein": slice(3, 9)}``, or names of columns of a DataFrame.
    layer : str, dict or None
        Layer of AnnData to read instead of ``.X``; for MuData one name, or a dict by modality.
    key_added : str
        Key of ``.obsm`` under which ``fit`` and ``transform`` leave latents in AnnData and MuData; standard deviations
        are under ``key_added + "_sd"``.
    random_state : int, numpy.random.Generator or None
        The same number gives the same bytes, whatever ``n_jobs``.
    n_jobs : int or None
        Threads; -1 for all cores, None for one.
    verbose : int
        1 shows a progress bar.
    callback : callable or None
        Called with (step, of, objective) after each step; False ends the learning, not the fit.

    Attributes
    ----------
    latent_, latent_sd_ : arrays
        Posterior mean and standard deviation of the samples of ``fit``, rows in the order of ``ids_``.
    n_components_ : int
        Dimensions of the latent space.
    relevance_ : dict
        For every view, the fraction of its variance that each dimension explains: what the model stops explaining when the
        dimension is averaged out.
    explained_ : dict
        For every view, the fraction of its variance that all dimensions together explain, of the entries that the model has seen.
    explained_heldout_ : dict
        For every view, the fraction of the variance of held-out entries that the model explains; below 0 where the means of the
        columns predict better, NaN if nothing was held out.
    loadings_ : dict
        For every view, (columns, dimensions): the mean derivative of a column along a dimension, in standard deviations of
        the column per standard deviation of the dimension. A column that rises and falls has a small loading and a large
        relevance.
    component_views_ : list of lists
        For every dimension the views that depend on it: several (shared), one (private to it) or none (unused).
    columns_ : dict
        For every view its columns, or those that ``most_variable`` kept. The others are ignored in new data, and NaN where one
        table is returned.
    hints_ : list of str
        What the tables look like, if a model with Gaussian noise does not expect it: counts, heavy tails, samples in columns,
        samples of very different sizes.
    classes_ : array
        Classes of ``labels``, if ``fit`` was given some.
    noise_variance_ : dict
    calibration_ : dict
        For every view, the factor of its predicted variances, so that 90 % intervals hold 90 % of the held-out entries; 1 if
        nothing, or too little, was held out.
    assessment_ : Verdict
        Scores of held-out entries and of views that were hidden altogether, warnings and the verdict.
    objective_, n_iter_, status_, trace_, seed_

    Examples
    --------
    >>> import numpy as np
    >>> from bochner import MultiViewGPLVM, datasets
    >>> data = datasets.make_s_curve(n_samples=60, views={"a": 8, "b": 6}, missing=0.1, random_state=1)
    >>> model = MultiViewGPLVM(kernel="rbf", max_iter=60, random_state=1)
    >>> model.fit_transform(data.views).shape
    (60, 2)
    >>> model.top_features(0)[0].view in ("a", "b")
    True
    >>> filled, low, high = model.impute(data.views, interval=0.9)
    >>> bool(np.isnan(filled["a"]).any())
    False
    """

    latent_: Array
    latent_sd_: Array
    classes_: Array
    components_tried_: list[tuple[int, float, float, float]]
    _labels: str | None = None  # the view of classes

    _rules = {
        **COMMON,
        "normalise": NORMALISE,
        "most_variable": MOST_VARIABLE,
        "views": VIEWS,
        "layer": LAYER,
        "key_added": KEY_ADDED,
        "n_components": integer_or_auto(1, 100),
        "kernel": by_view(kernel()),
        "n_mixtures": integer(1, 1000),
        "features": features(),
        "scaling": by_view(scaling("auto", "none", "centre", "standardise", "whole")),
        "noise": by_view(optional(positive())),
        "noise_start": positive(),
        "max_iter": integer(1, 10**7),
        "step_size": number(1e-6, 1),
        "patience": integer(1, 10**7),
        "n_restarts": integer(0, 1000),
        "precision": one_of("auto", "double", "single"),
        "device": device(),
    }

    def __init__(
        self,
        *,
        n_components: int | str = 2,
        kernel: str | Mapping[str, str] = "ngsm",
        n_mixtures: int = 2,
        features: str = "auto",
        scaling: str | Mapping[str, str] = "auto",
        noise: float | Mapping[str, float] | None = None,
        noise_start: float = 0.5,
        max_iter: int = 5000,
        step_size: float = 0.1,
        patience: int = 80,
        n_restarts: int = 0,
        precision: str = "auto",
        device: str = "cpu",
        normalise: str | Mapping[str, str | None] | None = None,
        most_variable: int | Mapping[str, int | None] | None = None,
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
        self.n_mixtures = n_mixtures
        self.features = features
        self.scaling = scaling
        self.noise = noise
        self.noise_start = noise_start
        self.max_iter = max_iter
        self.step_size = step_size
        self.patience = patience
        self.n_restarts = n_restarts
        self.precision = precision
        self.device = device
        self.normalise = normalise
        self.most_variable = most_variable
        self.views = views
        self.layer = layer
        self.key_added = key_added
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.callback = callback

    def fit(
        self, X: Any, y: Any = None, *, labels: Any = None, holdout: float | None = 0.05
    ) -> MultiViewGPLVM:
        """Learns from one table, a dict of tables (rows joined by index), AnnData or MuData.

        ``labels`` (the class of each sample; None, NaN or "" where it is not known) become one more view, ``"labels"``, with a
        column for each class: the latents then separate the classes as well, and ``predict_labels`` tells those of other
        samples. A Series is matched by its index, an array by position; a string names a column of the ``.obs`` of AnnData
        or MuData. ``y`` is ignored, as pipelines expect of a transformer without a target.

        ``holdout`` is the share of the measured entries to hide from the fit, and with several views also of the samples
        that each view is hidden from altogether: the fit is judged by them, and its intervals are calibrated with them. The
        same entries, scores and verdict as those of ``bochner fit --holdout``. 0 or None: it learns from all of them.
        """
        share = check_holdout(holdout, type(self).__name__)
        self._check_params()
        parsed = self._read_new(X)
        if labels is not None:
            if LABELS in parsed.names:
                raise ValueError(f"a view cannot be called {LABELS!r} if there are labels, which make a view of that name")
            parsed.tables.append(label_table(parsed, labels, None))
        data = parsed.dataset(allow_disjoint=False)
        names = parsed.names
        options, seed = self._options(names), self._seed()
        whole = LABELS if labels is not None else ""
        held_out = _core.hold_out_entries_and_views(data=data, share=share, seed=seed, whole=whole)
        seen = held_out.hide(data=data) if held_out.count > 0 else data
        normalised = each_view(self.normalise, [n for n in names if n != whole], "normalise", None)
        rows = _core.fit_row_factors(seen=seen, normalised=[w == "rows" for w in [*normalised, *([None] if whole else [])]])
        self.hints_ = hints(data, whole or None, [name for name, how in zip(names, normalised, strict=False) if how == "rows"])
        data, seen = rows.divide(data=data), rows.divide(data=seen)
        if hasattr(self, "components_tried_"):
            del self.components_tried_
        if self.n_components == "auto":
            options.dims, self.components_tried_ = _core.choose_dims(
                data=seen,
                options=options,
                most=MOST_COMPONENTS,
                seed=seed,
                threads=self._threads(),
                device=self.device,
                label_view=whole,
            )
        fit = run_fit(
            self,
            lambda on_step: _core.fit_gplvm(
                data=seen,
                options=options,
                seed=seed,
                threads=self._threads(),
                on_step=on_step,
                shown=held_out.hide_views(data=data),
                device=self.device,
            ),
        )
        fit.label_view = whole
        fit.keep_row_medians(factors=rows)
        fit = _core.calibrated_gplvm(fit=fit, data=data, held_out=held_out, threads=self._threads())
        found = _core.assess_gplvm(fit=fit, data=data, held_out=held_out, threads=self._threads())
        self._keep(_core.gplvm_with_held_out(fit=fit, data=data, held_out=held_out, threads=self._threads()))
        self._remember_layout(parsed)
        self._interpret(names, seen)
        tables = {name: own for name, own in self._column_relevance.items() if name != self._labels}
        self._annotate(parsed, self.latent_, self.latent_sd_, tables)
        self.ids_ = parsed.index()
        self._judge(found, self._hash_of(parsed), held_out.count > 0)
        return self

    def _hash_of(self, parsed: Parsed) -> bytes:
        return data_hash(parsed.measured(name, len(columns)) for name, columns in self._parts)

    def assess(self, X: Any = None, *, holdout: float = 0.05) -> Verdict:
        """Whether the model may be trusted: scores of held-out entries, warnings and the verdict.

        Without X, or with the X of ``fit(X)``: ``assessment_``, the verdict of ``bochner fit``. Other samples: a
        share of their measured entries is hidden, and predicted from the rest.
        """
        check_fitted(self)
        parsed = None if X is None else self._read_known(X)
        data = None if parsed is None else parsed.dataset(allow_disjoint=True)
        kept = self._kept(None if parsed is None else self._hash_of(parsed))
        if kept is not None or data is None:
            return self.assessment_
        share = check_holdout(holdout, type(self).__name__)
        held_out = _core.hold_out_of_new(data=data, share=share, seed=getattr(self, "seed_", 0))
        return verdict_of(
            _core.assess_new_gplvm(fit=self._fit, data=data, held_out=held_out, threads=self._threads())
        )

    def _options(self, names: list[str]) -> _core.GplvmOptions:
        out = _core.GplvmOptions()
        out.dims = MOST_COMPONENTS if self.n_components == "auto" else self.n_components
        out.features = str(self.features)
        out.precision = self.precision
        out.steps = self.max_iter
        out.step_size = self.step_size
        out.patience = self.patience
        out.restarts = self.n_restarts
        each = list(
            zip(
                each_view(self.kernel, names, "kernel", "ngsm"),
                each_view(self.scaling, names, "scaling", "auto"),
                each_view(self.noise, names, "noise", None),
                strict=True,
            )
        )
        views = []
        for kernel_of_view, scaling_of_view, noise in each:
            view = _core.GplvmViewOptions()
            view.kernel = kernel_of_view
            view.components = self.n_mixtures
            view.scaling = british(scaling_of_view)
            view.fixed_noise = noise
            view.first_noise = self.noise_start
            views.append(view)
        out.view = views[0]
        out.own = [] if len(set(each)) == 1 else views  # the bytes of model files are those of the command line
        return out

    def _keep(self, fit: Any) -> None:
        self._fit = fit
        self._labels = fit.label_view or None
        self._parts = [(name, list(columns)) for name, columns in fit.views if name != self._labels]
        if hasattr(self, "classes_"):
            del self.classes_
        if self._labels is not None:
            self.classes_ = as_written(list(dict(fit.views)[self._labels]))
        self.columns_ = self._columns()
        self.n_components_ = int(fit.latent_mean.shape[1])
        self.latent_ = fit.latent_mean
        self.latent_sd_ = fit.latent_sd
        self.objective_ = fit.objective
        self.n_iter_ = fit.steps
        self.status_ = fit.status
        self.trace_ = fit.trace
        self.noise_variance_ = {name: fit.noise_variance(view=name) for name, _ in fit.views}
        self.calibration_ = {name: fit.calibration(view=name) for name, _ in fit.views}

    def _report_tables(self) -> dict[str, Any]:
        return (
            latent_tables(self._fit.ids, self.latent_, self.latent_sd_) | relevance_tables(self) | trace_table(self.trace_)
        )

    @classmethod
    def load(cls, path: Any, *, views: Mapping[str, Any] | None = None, n_jobs: int | None = -1) -> MultiViewGPLVM:
        """A model that ``save`` or ``bochner fit`` wrote; ``views`` as in the constructor, to hand it one table.

        The file has no training data, hence no ``relevance_``.
        """
        fit = _core.GplvmFit.load(str(path))
        model = cls(n_components=int(fit.latent_mean.shape[1]), views=views, n_jobs=n_jobs)
        threads_of(n_jobs)
        model._keep(fit)
        model.ids_ = list(fit.ids)
        model.seed_ = int(fit.seed)
        if len(model._parts) == 1:
            model.n_features_in_ = len(model._parts[0][1])
        return model
