"""What a Bayesian fit is given: tables with what goes with them, and options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from . import _core
from ._covariates import covariates_of
from ._entries import check_entries
from ._labels import encode
from ._numbers import Array
from ._sizes import Sizes, exposures_of, offset_by_view, set_sizes
from ._time_axis import axis_of_fit
from ._trials import trials_of
from ._views import Parsed


@dataclass(frozen=True)
class Prepared:
    """The tables of a fit, joined."""

    data: Any
    joined: Any
    classes: dict[str, list[list[str]]]  # of views of labels
    trials: dict[str, Array]  # of binomial views


def prepare(
    model: Any, parsed: Parsed, likelihoods: Sequence[str], *, time: Any, group: Any, offset: Any, covariates: Any, owner: str
) -> Prepared:
    """Checks the entries, and reads what goes with them. ``owner``: who is asking, for messages."""
    classes: dict[str, list[list[str]]] = {}
    for t, likelihood in zip(parsed.tables, likelihoods, strict=True):
        if likelihood == "categorical":
            classes[t.name] = encode(t, None)
        check_entries(t, likelihood)
    joined = parsed.dataset(allow_disjoint=False)
    words = dict(zip(parsed.names, likelihoods, strict=True))
    trials: dict[str, Array] = {}
    for name, likelihood in words.items():
        own = trials_of(model.trials, parsed, name, None, owner) if likelihood == "binomial" else None
        if own is not None:
            trials[name] = own
        elif likelihood == "binomial":
            raise ValueError(f"view {name!r} is binomial and needs trials: a number, or a table of them")
    offsets = offset_by_view(offset, words)
    sizes = {
        name: Sizes(trials.get(name), exposures_of(offsets[name], parsed) if name in offsets else None)
        for name in parsed.names
    }
    data = set_sizes(_core.BayesData(data=joined), parsed.names, sizes)
    data.exposure_names = [str(getattr(offsets.get(name), "name", None) or "") for name in parsed.names]
    data.classes = [classes.get(name, []) for name in parsed.names]
    if covariates is not None:
        names, cells = covariates_of(covariates, parsed)
        data.set_covariates(names=names, cells=cells)
    if time is not None:
        axis_of_fit(parsed, time, group).set_on(data)
    elif group is not None:
        raise ValueError("group says which rows share a path over time, and needs time")
    return Prepared(data, joined, classes, trials)


def options_of(model: Any, likelihoods: Sequence[str], *, dynamic: bool, started: bool) -> Any:
    """``dynamic``: latents are paths over time; ``started``: the caller has latents to start from."""
    out = _core.BayesOptions()
    out.dims = model.n_components
    out.frequencies = model.n_frequencies
    out.dirichlet = model.kernel == "dp"
    out.dynamic = dynamic
    out.time_kernel = model.time_kernel
    for name, distribution in (model.priors or {}).items():
        out.set_prior(f"{name}={distribution}")
    out.chains = model.n_chains
    out.warmup = _core.BayesOptions.until_settled if isinstance(model.n_warmup, str) else model.n_warmup
    out.draws = model.n_draws
    out.thin = model.thin
    out.stored = model.n_stored
    if started:
        out.start = "given"
    elif isinstance(model.start, str):
        out.start = model.start
    else:
        out.starts = list(model.start)
    views = []
    for likelihood in likelihoods:
        view = _core.BayesViewOptions()
        view.likelihood = likelihood
        views.append(view)
    out.views = views
    return out
