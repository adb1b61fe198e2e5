"""Plots of draws of Markov chains, and of latents in one dimension."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._axes import axes, check_dim, needs, view_of
from ._latent import latent_names
from ._validation import Array, check_fitted, check_interval, counted


def latent_line(model: Any, labels: Any, dim: int, bars: bool, ax: Any) -> Any:
    """One dimension: a row for each sample, in the order of their latents."""
    Z = np.asarray(model.latent_)
    check_dim(dim, Z.shape[1])
    groups = np.zeros(len(Z)) if labels is None else np.asarray(labels)
    if len(groups) != len(Z):
        raise ValueError(f"labels has {counted(len(groups), 'entry', 'entries')}, but the model has {counted(len(Z), 'sample')}")
    ax = axes(ax)
    place = np.empty(len(Z))
    place[np.argsort(Z[:, dim], kind="stable")] = np.arange(len(Z))
    if bars and hasattr(model, "latent_sd_"):
        sd = np.asarray(model.latent_sd_)[:, dim]
        ax.hlines(place, Z[:, dim] - 2 * sd, Z[:, dim] + 2 * sd, color="0.75", lw=1, zorder=1)
    for value in np.unique(groups):
        at = groups == value
        ax.plot(Z[at, dim], place[at], ".", label=None if labels is None else str(value), zorder=2)
    if labels is not None:
        ax.legend()
    ids = getattr(model, "ids_", None)
    if ids is not None and len(Z) <= 25:
        ax.set_yticks(place, [str(i) for i in ids])
    ax.set(xlabel=latent_names(Z.shape[1])[dim], ylabel="sample, in order")
    return ax


def paths(
    model: Any, time: Any = None, *, group: Any = None, dims: Any = None, interval: float = 0.9, ax: Any = None
) -> Any:
    """Latents over time: median over the stored draws of a ``BayesianGPLVM`` with a band that holds ``interval`` of them.

    ``time`` and ``group`` are those of ``fit``; a model that was loaded from a file does not know them. ``dims``: numbers from 0;
    None: all.
    """
    check_fitted(model)
    needs(model, "latent_draws_", "draws of latents")
    check_interval(interval)
    draws = np.stack(model.latent_draws_)
    time = getattr(model, "time_", None) if time is None else np.asarray(time, dtype=float)
    if time is None:
        raise ValueError("time is None, but the model does not know the times of its samples: give those of fit")
    if len(time) != draws.shape[1]:
        raise ValueError(f"time has {counted(len(time), 'entry', 'entries')}, but the model has {counted(draws.shape[1], 'sample')}")
    group = getattr(model, "group_", None) if group is None else np.asarray(group)
    groups: Array = np.zeros(len(time)) if group is None or len(group) == 0 else np.asarray(group)
    low, middle, high = np.quantile(draws, [0.5 - interval / 2, 0.5, 0.5 + interval / 2], axis=0)
    ax = axes(ax)
    names = latent_names(draws.shape[2])
    for q in range(draws.shape[2]) if dims is None else [check_dim(d, draws.shape[2]) for d in dims]:
        for i, value in enumerate(np.unique(groups)):
            at = np.flatnonzero(groups == value)
            at = at[np.argsort(time[at], kind="stable")]
            ax.fill_between(time[at], low[at, q], high[at, q], color=f"C{q}", alpha=0.25, lw=0)
            ax.plot(time[at], middle[at, q], color=f"C{q}", lw=1.2, label=names[q] if i == 0 else None)
    ax.set(xlabel="time", ylabel="latent")
    ax.legend(title=f"{100 * interval:.0f} % bands")
    return ax


def rank(model: Any, quantity: Any = "log density", view: str | None = None, *, bins: int = 20, ax: Any = None) -> Any:
    """Ranks of the draws of each chain among those of all: flat where chains agree, slanted or humped where they do not.

    ``quantity``: ``"log density"``, ``"amplitude"``, ``"concentration"`` or ``"n_components"`` (of a ``view``; None: the first),
    or an array of chains x draws. The last three are of the stored draws.
    """
    check_fitted(model)
    needs(model, "log_density_", "Markov chains")
    if isinstance(quantity, str):
        values, name = _quantity(model, quantity, view)
    else:
        values, name = np.asarray(quantity, dtype=float), "values"
    if values.ndim != 2 or values.shape[1] < 2:
        raise ValueError(f"quantity has the shape {values.shape}, but must be chains x draws, with at least two draws")
    flat = values.ravel()
    # Draws that are equal, as numbers of components are, get the ranks that they share in a random order.
    ranks = np.empty(len(flat))
    ranks[np.lexsort((np.random.default_rng(0).permutation(len(flat)), flat))] = np.arange(len(flat))
    bins = max(2, min(bins, values.shape[1] // 2))
    edges = np.linspace(-0.5, len(flat) - 0.5, bins + 1)
    ax = axes(ax)
    expected = values.shape[1] / bins
    for c, own in enumerate(ranks.reshape(values.shape)):
        counts = np.histogram(own, edges)[0] / expected
        bottom = 2.5 * c
        ax.bar(edges[:-1], counts, width=np.diff(edges), bottom=bottom, align="edge", color=f"C{c}", edgecolor="w", lw=0.5)
        ax.axhline(bottom + 1, color="0.3", ls="--", lw=0.8)
    ax.set_yticks([2.5 * c for c in range(len(values))], [f"chain {c}" for c in range(len(values))])
    ax.set(xlabel=f"rank of {name} among all draws")
    return ax


def _quantity(model: Any, quantity: str, view: str | None) -> tuple[Array, str]:
    if quantity == "log density":
        return np.asarray(model.log_density_), quantity
    places = {"concentration": 3, "amplitude": 4}
    if quantity not in (*places, "n_components"):
        raise ValueError(
            f"quantity is {quantity!r}, but must be 'log density', 'amplitude', 'concentration', 'n_components' or an array"
        )
    name = view_of(model, view)
    mixtures = _core.bayes_mixtures(fit=model._fit, view=name)
    values = [len(m[0]) if quantity == "n_components" else m[places[quantity]] for m in mixtures]
    return np.array(values, dtype=float).reshape(len(model.log_density_), -1), f"{quantity} of {name}"


def predictive_check(model: Any, X: Any, view: str | None = None, *, draws: int = 50, trials: Any = None, ax: Any = None) -> Any:
    """How often each value was measured, and how often it is in draws from the posterior predictive at the same entries.

    Counts and labels: shares of the values, with the middle 90 % of draws. Real numbers: distribution functions, a thin line for each of
    ``draws``. X: the data of ``fit``; ``trials`` as in ``to_netcdf``.
    """
    check_fitted(model)
    needs(model, "log_density_", "draws from the posterior predictive")
    name = view_of(model, view)
    found = {v: (y, drawn) for v, y, drawn in model._predictive(X, trials)}
    observed, drawn = found[name]
    if observed.size == 0:
        raise ValueError(f"view {name!r} has no measured entry in X")
    ax = axes(ax)
    if model._words[name] == "gaussian":
        shares = (np.arange(len(observed)) + 1) / len(observed)
        for own in drawn[np.linspace(0, len(drawn) - 1, min(draws, len(drawn))).astype(int)]:
            ax.plot(np.sort(own), shares, color="C0", lw=0.5, alpha=0.3)
        ax.plot([], [], color="C0", lw=0.5, label="posterior predictive")
        ax.plot(np.sort(observed), shares, color="k", lw=1.5, label="observed")
        ax.set(xlabel=name, ylabel="share up to this value")
    else:
        _shares(observed, drawn, ax)
        ax.set(xlabel=f"value of {name}", ylabel="share of entries")
        classes = getattr(model, "_class_names", {}).get(name, [])
        if classes and all(own == classes[0] for own in classes):
            ax.set_xticks(range(len(classes[0])), classes[0])
    ax.legend()
    return ax


def _shares(observed: Array, drawn: Array, ax: Any) -> None:
    """Of the values from the smallest to the largest count, in bins if there are many."""
    top = max(observed.max(), np.quantile(drawn, 0.999))
    width = max(1, int(np.ceil((top + 1) / 60)))
    edges = np.arange(-0.5, top + width + 0.5, width)
    middle = edges[:-1] + width / 2
    each = np.array([np.histogram(own, edges)[0] / len(observed) for own in drawn])
    low, median, high = np.quantile(each, [0.05, 0.5, 0.95], axis=0)
    ax.bar(middle, np.histogram(observed, edges)[0] / len(observed), width=0.9 * width, color="0.8", label="observed")
    ax.errorbar(
        middle, median, (median - low, high - median), fmt=".", color="C0", capsize=2, lw=1, label="posterior predictive, 90 %"
    )


def spectral_density(model: Any, view: str | None, dim: int, ax: Any) -> Any:
    """Median and 90 % band of the spectral density of a view along one dimension."""
    return _band(model, view, dim, ax, 0, "angular frequency along {}", "spectral density")


def kernel(model: Any, view: str | None = None, *, dim: int = 0, ax: Any = None) -> Any:
    """Median and 90 % band of the kernel that a ``BayesianGPLVM`` has learned for a view, along one latent dimension."""
    check_fitted(model)
    needs(model, "log_density_", "posterior of its kernel")
    return _band(model, view, dim, ax, 1, "distance along {}", "kernel")


def _band(model: Any, view: str | None, dim: int, ax: Any, which: int, x: str, y: str) -> Any:
    name = view_of(model, view)
    at, low, median, high = _core.bayes_spectrum(fit=model._fit, view=name, points=201)[which]
    check_dim(dim, median.shape[1])
    ax = axes(ax)
    ax.fill_between(at, low[:, dim], high[:, dim], color="C0", alpha=0.25, lw=0, label="90 %")
    ax.plot(at, median[:, dim], color="C0", label="median")
    ax.set(xlabel=x.format(latent_names(median.shape[1])[dim]), ylabel=y, title=name)
    ax.legend()
    return ax
