"""Pictures of fitted models. Needs matplotlib; every function returns the axes it drew on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ._axes import axes as _axes
from ._axes import needs as _needs
from ._latent import latent_names
from ._numbers import unmasked
from ._plot_draws import kernel, latent_line, paths, predictive_check, rank, spectral_density
from ._validation import Array, check_fitted, counted

__all__ = [
    "calibration", "data_map", "dimension", "explained", "imputations", "input_relevance", "kernel", "latent",
    "partial_dependence", "paths", "predictive_check", "rank", "relevance", "responses", "spectrum", "top_features", "trace",
]  # fmt: skip


def latent(model: Any, *, labels: Any = None, dims: tuple[int, ...] = (0, 1), ellipses: bool = True, ax: Any = None) -> Any:
    """Samples in two latent dimensions (``dims``, from 0: ``(0, 1)`` are z1 and z2), with ellipses of one standard deviation where the model has them.

    One dimension (``dims=(0,)``, or a model with a single one): samples in the order of their latents, with two standard deviations.
    """
    from matplotlib.collections import EllipseCollection

    check_fitted(model)
    _needs(model, "latent_", "latents; plot its transform() instead")
    Z = np.asarray(model.latent_)
    if len(dims) == 1 or Z.shape[1] == 1:
        return latent_line(model, labels, dims[0] if len(dims) == 1 else 0, ellipses, ax)
    a, b = dims
    if max(dims) >= Z.shape[1]:
        raise ValueError(f"dims is {dims}, but the model has {counted(Z.shape[1], 'dimension')}, from 0 to {Z.shape[1] - 1}")
    ax = _axes(ax)
    if ellipses and hasattr(model, "latent_sd_"):
        sd = np.asarray(model.latent_sd_)
        ax.add_collection(
            EllipseCollection(
                2 * sd[:, a], 2 * sd[:, b], np.zeros(len(Z)), units="xy", offsets=Z[:, [a, b]],
                offset_transform=ax.transData, facecolor="0.5", alpha=0.15, edgecolor="none",
            )
        )  # fmt: skip
    groups = np.zeros(len(Z)) if labels is None else np.asarray(labels)
    if len(groups) != len(Z):
        raise ValueError(f"labels has {counted(len(groups), 'entry', 'entries')}, but the model has {counted(len(Z), 'sample')}")
    for value in np.unique(groups):
        at = groups == value
        ax.plot(Z[at, a], Z[at, b], ".", label=None if labels is None else str(value))
    if labels is not None:
        ax.legend()
    ax.autoscale_view()
    names = latent_names(Z.shape[1])
    ax.set(xlabel=names[a], ylabel=names[b])
    return ax


def data_map(views: Mapping[str, Any], *, ax: Any = None) -> Any:
    """Which entries of every view were measured: dark where they were. Views side by side, rows in their order."""
    ax = _axes(ax)
    rows = max(len(v) for v in views.values())
    left = 0
    ticks = []
    for name, table in views.items():
        seen = ~np.isnan(np.asarray(unmasked(table), dtype=float))
        ax.imshow(
            seen, extent=(left, left + seen.shape[1], len(seen), 0), aspect="auto", cmap="Greys", vmin=0, vmax=1.5,
            interpolation="nearest",
        )  # fmt: skip
        ticks.append((left + seen.shape[1] / 2, name))
        left += seen.shape[1]
        ax.axvline(left, color="C3", lw=1)
    ax.set(xlim=(0, left), ylim=(rows, 0), ylabel="sample")
    ax.set_xticks([t for t, _ in ticks], [n for _, n in ticks])
    return ax


def relevance(model: Any, *, ax: Any = None) -> Any:
    """How much of every view each dimension explains, all of them together, and of held-out entries, if there are some."""
    check_fitted(model)
    _needs(model, "relevance_", "relevance of dimensions")
    ax = _axes(ax)
    names = list(model.relevance_)
    by_dimension = np.array([model.relevance_[n] for n in names])
    totals = {"all": model.explained_}
    if any(np.isfinite(share) for share in getattr(model, "explained_heldout_", {}).values()):
        totals["held out"] = model.explained_heldout_
    # A gap before what is not a dimension.
    shares = np.column_stack([by_dimension, np.full(len(names), np.nan)] + [[t[n] for n in names] for t in totals.values()])
    most = max(float(np.nanmax(shares)), 1e-6)
    image = ax.imshow(np.clip(shares, 0, None), vmin=0, vmax=most, cmap="Blues", aspect="auto")
    ax.set_yticks(range(len(names)), names)
    places = [q for q in range(shares.shape[1]) if q != by_dimension.shape[1]]
    ax.set_xticks(places, [*latent_names(by_dimension.shape[1]), *totals])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    for v, q in np.argwhere(np.isfinite(shares)) if shares.size <= 150 else ():
        ax.text(q, v, _percent(shares[v, q]), ha="center", va="center", color="w" if shares[v, q] > 0.6 * most else "0.15")
    bar = ax.figure.colorbar(image, ax=ax, label="variance explained", format=lambda x, _: f"{100 * x:.0f} %")
    bar.outline.set_visible(False)
    return ax


def input_relevance(model: Any, n_features: int = 15, *, ax: Any = None) -> Any:
    """How far each input of a HarmonicGPRegressor or HarmonicGPClassifier counts, the largest on top."""
    check_fitted(model)
    _needs(model, "relevance_", "relevance of inputs")
    ax = _axes(ax)
    top = sorted(model.relevance_.items(), key=lambda item: -item[1])[:n_features][::-1]
    ax.barh([name for name, _ in top], [share for _, share in top], color="C0", height=0.6)
    ax.set(xlabel="relevance")
    _open(ax)
    return ax


def partial_dependence(model: Any, feature: str | int, *, data: Any = None, ax: Any = None) -> Any:
    """The mean prediction of a HarmonicGPRegressor or HarmonicGPClassifier along one column of its inputs."""
    check_fitted(model)
    _needs(model, "partial_dependence", "partial dependence")
    ax = _axes(ax)
    values, mean = model.partial_dependence(feature, data)
    names = list(model._fit.classes)[-mean.shape[1]:] or list(model._fit.outcomes)
    for p, name in enumerate(names):
        ax.plot(values, mean[:, p], "o" if values.dtype == object else "-", color=f"C{p}", label=name)
    ax.set(xlabel=str(feature), ylabel="mean probability" if model._fit.classes else "mean prediction")
    if len(names) > 1:
        ax.legend(frameon=False)
    _open(ax)
    return ax


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %".replace("-0 %", "0 %")


def explained(model: Any, *, ax: Any = None) -> Any:
    """The variance of every view that the model explains: of the entries that it has seen, and of held-out ones.

    A bar below zero: the means of the columns predict held-out entries of the view better than the model.
    """
    check_fitted(model)
    _needs(model, "explained_", "variance explained")
    ax = _axes(ax)
    names = list(model.explained_)
    at = np.arange(len(names))
    seen = np.array([model.explained_[n] for n in names])
    held = getattr(model, "explained_heldout_", {})
    unseen = np.array([held.get(n, np.nan) for n in names])
    both = bool(np.isfinite(unseen).any())
    ax.barh(at - 0.2 * both, seen, height=0.38 if both else 0.6, color="0.75", label="training")
    if both:
        ax.barh(at + 0.2, unseen, height=0.38, color=["C3" if share < 0 else "C0" for share in unseen], label="held out")
    for y, share in [*zip(at - 0.2 * both, seen, strict=True), *zip(at + 0.2, unseen, strict=True)]:
        if np.isfinite(share):
            side = "right" if share < 0 else "left"
            ax.annotate(
                _percent(share), (share, y), xytext=(-4 if share < 0 else 4, 0), textcoords="offset points", va="center", ha=side
            )
    ax.axvline(0, color="0.3", lw=0.8)
    ax.set_yticks(at, names)
    ax.invert_yaxis()
    ax.margins(x=0.15)
    ax.xaxis.set_major_formatter(lambda x, _: f"{100 * x:.0f} %")
    ax.set(xlabel="variance explained")
    _open(ax)
    if both:
        worse = {"held out, column means are better": "C3"} if (unseen < 0).any() else {}
        _legend_above(ax, {"training": "0.75", "held out": "C0", **worse})
    return ax


def _open(ax: Any) -> None:
    """Without a frame on top and on the right."""
    ax.spines[["top", "right"]].set_visible(False)


def _legend_above(ax: Any, colours: Mapping[str, str]) -> None:
    """Beside nothing that is drawn."""
    from matplotlib.patches import Patch

    handles = [Patch(color=colour, label=name) for name, colour in colours.items()]
    ax.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=4, frameon=False, borderaxespad=0.2, handlelength=1)


def top_features(model: Any, dim: int = 0, n_features: int = 10, *, ax: Any = None) -> Any:
    """Loadings of the columns that most certainly depend on a dimension, as ``top_features`` sorts them; a colour for each view.

    Lines are posterior standard deviations, where the model has them. A column that rises and falls has a small loading.
    """
    check_fitted(model)
    _needs(model, "top_features", "top features")
    top = model.top_features(dim, n_features)
    ax = _axes(ax)
    views = list(model.relevance_)
    columns = {view[0]: list(view[1]) for view in model._fit.views}
    for i, t in enumerate(top):
        sd = model.loadings_sd_[t.view][columns[t.view].index(t.column), dim] if hasattr(model, "loadings_sd_") else None
        ax.barh(
            i, t.loading, xerr=sd, color=f"C{views.index(t.view)}", height=0.7,
            error_kw={"ecolor": "0.25", "elinewidth": 1, "capsize": 0},
        )  # fmt: skip
    ax.set_yticks(range(len(top)), [t.column for t in top])
    ax.set_ylim(len(top) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.axvline(0, color="0.3", lw=0.8)
    ax.set(xlabel=f"loading on {latent_names(model._n_out())[dim]} (sd per sd)")
    _open(ax)
    if len(views) > 1:
        _legend_above(ax, {v: f"C{i}" for i, v in enumerate(views) if any(t.view == v for t in top)})
    return ax


def responses(model: Any, dim: int = 0, n_features: int = 5, *, ax: Any = None) -> Any:
    """How the columns that depend most on a dimension change along it, each in its own standard deviations."""
    check_fitted(model)
    _needs(model, "response", "response curves")
    ax = _axes(ax)
    columns = {view[0]: list(view[1]) for view in model._fit.views}
    name = latent_names(model._n_out())[dim]
    ends = []
    for i, top in enumerate(model.top_features(dim, n_features)):
        z, curves = model.response(top.view, dim)
        own = curves[:, columns[top.view].index(top.column)]
        spread = own.std()
        own = (own - own.mean()) / (spread if spread > 0 else 1)
        ax.plot(z, own, color=f"C{i}", label=f"{top.view}/{top.column}" if len(columns) > 1 else top.column)
        ends.append(own[-1])
    ax.set(xlabel=name, ylabel="mean, standardised")
    _open(ax)
    if ends:
        ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))  # curves cross everywhere
    return ax


def _samples_of_fit(model: Any, data: Any) -> Any:
    """The tables, with rows in the order of the latents."""
    parsed = model._read_known(data)
    parsed.dataset(allow_disjoint=True)  # joins the rows
    if list(parsed.index()) != list(model.ids_):
        raise ValueError("data are not the samples of fit, in their order")
    return parsed


def dimension(model: Any, dim: int = 0, n_features: int = 6, *, data: Any = None) -> Any:
    """A dimension in one figure: the loadings of its top columns, and a panel for each with its response curve.

    ``data``, the X of ``fit``, adds the samples. Returns the axes: that of the loadings first, then those of the columns.
    """
    import matplotlib.pyplot as plt

    check_fitted(model)
    _needs(model, "response", "response curves")
    top = model.top_features(dim, n_features)
    if not top:
        raise ValueError(f"no column depends on dimension {dim}")
    wide = min(3, len(top))
    high = -(-len(top) // wide)
    figure = plt.figure(figsize=(3.2 + 2.1 * wide, max(0.8 + 1.8 * high, 2.6)), layout="constrained")
    grid = figure.add_gridspec(high, wide + 1, width_ratios=[1.5, *[1] * wide])
    first = top_features(model, dim, n_features, ax=figure.add_subplot(grid[:, 0]))
    measured = None if data is None else _samples_of_fit(model, data)
    columns = {view[0]: list(view[1]) for view in model._fit.views}
    views = list(model.relevance_)
    axes = [first]
    for i, t in enumerate(top):
        ax = figure.add_subplot(grid[i // wide, 1 + i % wide])
        m = columns[t.view].index(t.column)
        z, curves = model.response(t.view, dim)
        if measured is not None and t.view in measured.names:
            ax.plot(model.latent_[:, dim], measured.measured(t.view, len(columns[t.view]))[:, m], ".", color="0.7", ms=4, mew=0)
        ax.plot(z, curves[:, m], color=f"C{views.index(t.view)}", lw=2)
        ax.set_title(t.column, fontsize="medium")
        _open(ax)
        if i + wide >= len(top):
            ax.set_xlabel(latent_names(model._n_out())[dim])
        axes.append(ax)
    return np.array(axes)


def spectrum(model: Any, view: str | None = None, *, dim: int = 0, draws: int = 5000, ax: Any = None) -> Any:
    """The learned spectral density of a view along one latent dimension, from draws of its frequencies.

    ``BayesianGPLVM``: median and 90 % band of its posterior; ``kernel`` has the same for the kernel.
    """
    check_fitted(model)
    if hasattr(model, "log_density_"):
        return spectral_density(model, view, dim, ax)
    _needs(model._fit, "frequencies", "spectral density")
    ax = _axes(ax)
    name = view if view is not None else model._parts[0][0]
    omega = np.asarray(model._fit.frequencies(view=name, count=draws, seed=0))
    ax.hist(omega[:, dim], bins=80, density=True, color="C0")
    ax.set(xlabel=f"angular frequency along {latent_names(omega.shape[1])[dim]}", ylabel="density", title=name)
    return ax


def trace(model: Any, *, ax: Any = None) -> Any:
    """The objective over steps, a line for each start; for Markov chains the log density, a line for each chain."""
    check_fitted(model)
    if not hasattr(model, "log_density_"):
        _needs(model, "trace_", "trace")
    ax = _axes(ax)
    if hasattr(model, "log_density_"):
        for c, line in enumerate(np.asarray(model.log_density_)):
            ax.plot(line, label=f"chain {c + 1}")
        ax.set(xlabel="draw", ylabel="log density")
        ax.legend()
        return ax
    steps = np.asarray(model.trace_)
    if hasattr(model, "bound_"):
        ax.plot(steps[:, 0], steps[:, 1])
    else:
        for start in np.unique(steps[:, 0]):
            own = steps[steps[:, 0] == start]
            ax.plot(own[:, 1], own[:, 2], label=f"start {int(start) + 1}")
        ax.legend()
    ax.set(xlabel="step", ylabel="bound")
    return ax


def calibration(truth: Any, mean: Any, std: Any, *, ax: Any = None) -> Any:
    """How often Gaussian intervals hold the truth, against how often they should. NaN in the truth does not count."""
    from statistics import NormalDist

    ax = _axes(ax)
    t, m, s = (np.asarray(unmasked(v), dtype=float).ravel() for v in (truth, mean, std))
    z = np.abs(t - m) / s
    z = z[np.isfinite(z)]
    shares = np.linspace(0.02, 0.98, 49)
    held = [float((z <= NormalDist().inv_cdf(0.5 + p / 2)).mean()) for p in shares]
    ax.plot([0, 1], [0, 1], color="0.7", lw=1)
    ax.plot(shares, held)
    ax.set(xlabel="intervals promise", ylabel="intervals hold", xlim=(0, 1), ylim=(0, 1), aspect="equal")
    return ax


def imputations(truth: Any, filled: Any, low: Any = None, high: Any = None, *, where: Any = None, ax: Any = None) -> Any:
    """Filled entries beside the truth, with their intervals. ``where`` says which entries were missing; default: all."""
    ax = _axes(ax)
    t, f = np.asarray(unmasked(truth), dtype=float), np.asarray(unmasked(filled), dtype=float)
    at: Array = np.ones(t.shape, dtype=bool) if where is None else np.asarray(where)
    at = at & np.isfinite(t) & np.isfinite(f)
    if low is not None and high is not None:
        lo, hi = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
        ax.vlines(t[at], lo[at], hi[at], color="C0", alpha=0.3, lw=1)
    ax.plot(t[at], f[at], ".", color="C0", ms=4)
    ends = [float(t[at].min()), float(t[at].max())] if at.any() else [0, 1]
    ax.plot(ends, ends, color="0.7", lw=1, zorder=0)
    ax.set(xlabel="truth", ylabel="filled")
    return ax
