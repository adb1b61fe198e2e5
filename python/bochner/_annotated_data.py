"""AnnData and MuData: what is read from them, and what is left in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._numbers import Array

if TYPE_CHECKING:
    from ._views import Parsed


def is_anndata(X: Any) -> bool:
    return hasattr(X, "obs_names") and hasattr(X, "var_names") and not hasattr(X, "mod")


def is_mudata(X: Any) -> bool:
    return hasattr(X, "mod") and hasattr(X, "obs_names")


def layer_of_modality(layer: str | Mapping[str, str] | None, name: str, modalities: Iterable[str]) -> str | None:
    if not isinstance(layer, Mapping):
        return layer
    unknown = next((n for n in layer if n not in modalities), None)
    if unknown is not None:
        raise ValueError(f"layer names modality {unknown!r}, but the modalities are {', '.join(map(repr, modalities))}")
    return layer.get(name)


def measurements(adata: Any, layer: str | None, where: str) -> Any:
    """The measurements: ``.X``, or a layer."""
    if layer is None:
        if adata.X is None:
            raise ValueError(f"{where} has no X; name a layer, as in layer={next(iter(adata.layers), 'counts')!r}")
        return adata.X
    if layer not in adata.layers:
        known = ", ".join(map(repr, adata.layers)) or "none"
        raise ValueError(f"{where} has no layer {layer!r}; its layers: {known}")
    return adata.layers[layer]


def annotate(
    parsed: Parsed, Z: Array, sd: Array | None, relevance: Mapping[str, Array] | None, info: Any, key: str = "X_bochner"
) -> None:
    """Writes latents into the .obsm of AnnData and MuData, relevances into .varm, and what the model is into .uns.

    Latents are under ``key``; the other names are those of ``key`` without a leading "X_".
    """
    if parsed.kind not in ("anndata", "mudata"):
        return
    at = {i: n for n, i in enumerate(parsed.ids)}
    name = key.removeprefix("X_")

    def placed(values: Array, names: Any) -> Array:
        out = np.full((len(names), values.shape[1]), np.nan, dtype=parsed.dtype)
        for n, label in enumerate(names):
            if str(label) in at:
                out[n] = values[at[str(label)]]
        return out

    whole = parsed.source
    for holder in [whole, *(whole.mod.values() if parsed.kind == "mudata" else [])]:
        holder.obsm[key] = placed(Z, holder.obs_names)
        if sd is not None:
            holder.obsm[f"{key}_sd"] = placed(sd, holder.obs_names)
        elif f"{key}_sd" in holder.obsm:  # of another model
            del holder.obsm[f"{key}_sd"]
        holder.uns[name] = dict(info)
    if relevance is not None:
        for t in parsed.tables:
            if t.name not in relevance:
                continue
            part = whole.mod[t.name] if parsed.kind == "mudata" else whole
            own = relevance[t.name]
            if t.kept is not None:
                own = np.full((t.width, own.shape[1]), np.nan)
                own[t.kept] = relevance[t.name]
            part.varm[f"{name}_relevance"] = own
