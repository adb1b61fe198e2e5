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
    "calibration", "data_map", "imputations", "kernel", "latent", "paths", "predictive_check", "rank", "relevance", "responses",
    "spectrum", "top_features", "trace",
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
    """How much of every view each dimension explains."""
    check_fitted(model)
    _needs(model, "relevance_", "relevance of dimensions")
    ax = _axes(ax)
    names = list(model.relevance_)
    values = np.array([model.relevance_[n] for n in names])
    image = ax.imshow(values, vmin=0, vmax=1, cmap="viridis", aspect="auto")
    ax.set_yticks(range(len(names)), names)
    ax.set_xticks(range(values.shape[1]), latent_names(values.shape[1]))
    ax.set(xlabel="latent dimension")
    for v in range(len(names)):
        for q in range(values.shape[1]):
            if values.size <= 100:
                ax.text(q, v, f"{100 * values[v, q]:.0f} %", ha="center", va="center", color="w" if values[v, q] < 0.6 else "k")
    ax.figure.colorbar(image, ax=ax, label="fraction of variance explained")
    return ax


def top_features(model: Any, dim: int = 0, n_features: int = 10, *, ax: Any = None) -> Any:
    """Loadings of the columns that depend most on a dimension, the most relevant on top; a colour for each view."""
    check_fitted(model)
    _needs(model, "top_features", "top features")
    top = model.top_features(dim, n_features)
    ax = _axes(ax)
    views = list(dict.fromkeys(t.view for t in top))
    for view in views:
        rows = [i for i, t in enumerate(top) if t.view == view]
        ax.barh(rows, [top[i].loading for i in rows], color=f"C{views.index(view)}", label=view)
    ax.set_yticks(range(len(top)), [t.column for t in top])
    ax.invert_yaxis()
    ax.axvline(0, color="0.3", lw=0.8)
    ax.set(xlabel=f"loading on {latent_names(model.n_components_)[dim]} (sd per sd)")
    if len(views) > 1:
        ax.legend()
    return ax


def responses(model: Any, dim: int = 0, n_features: int = 5, *, ax: Any = None) -> Any:
    """How the columns that depend most on a dimension change along it, each in its own standard deviations."""
    check_fitted(model)
    _needs(model, "top_features", "response curves")
    ax = _axes(ax)
    columns = dict(model._fit.views)
    for i, top in enumerate(model.top_features(dim, n_features)):
        z, curves = model.response(top.view, dim)
        own = curves[:, list(columns[top.view]).index(top.column)]
        spread = own.std()
        ax.plot(z, (own - own.mean()) / (spread if spread > 0 else 1), color=f"C{i}", label=f"{top.view}/{top.column}")
    ax.set(xlabel=latent_names(model.n_components_)[dim], ylabel="mean, standardised")
    if ax.lines:
        ax.legend()
    return ax


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
