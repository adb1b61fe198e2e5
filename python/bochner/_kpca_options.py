"""Parameters of kernel PCA as the options of the core."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import _core
from ._label_view import LABELS
from ._latent import each_view
from ._rules import british


def kpca_options(model: Any, names: list[str], labels: bool) -> _core.KpcaOptions:
    """The parameters of a MultiViewKernelPCA. ``names``: of all views; the last is that of classes if there are ``labels``."""

    def each(name: str, default: Any, of_labels: Any) -> list[Any]:
        value = getattr(model, name)
        out = each_view(value, names, name, default)
        if labels:
            out[-1] = value.get(LABELS, of_labels) if isinstance(value, Mapping) else of_labels
        return out

    out = _core.KpcaOptions()
    out.dims = model.n_components
    out.solver = model.solver
    out.epochs = model.n_epochs
    views: list[_core.KpcaViewOptions] = []
    for kernel, lengthscale, features, scaling, weight, preimage in zip(
        each("kernel", "rbf", "linear"),
        each("lengthscale", None, None),
        each("features", "auto", "auto"),
        each("scaling", "standardise", "none"),
        each("weight", 1.0, 1.0),
        each("preimage", "auto", "ridge"),
        strict=True,
    ):
        view = _core.KpcaViewOptions()
        view.kernel = kernel
        view.lengthscale = 0.0 if lengthscale is None else lengthscale
        view.features = str(features)
        view.scaling = british(scaling)
        view.weight = weight
        view.preimage = preimage
        view.classes = labels and len(views) == len(names) - 1
        views.append(view)
    out.own = views
    return out
