"""Columns that describe samples and enter a model linearly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _core
from ._numbers import Array
from ._validation import is_frame
from ._views import Parsed

EFFECTS = ("mean", "sd", "low", "high", "rhat", "ess_bulk", "ess_tail")


def covariates_of(covariates: Any, parsed: Parsed) -> tuple[list[str], list[list[str]]]:
    """Names and cells of the columns, for the joined rows: of a DataFrame, a Series, a dict of columns or an array."""
    if is_frame(covariates):
        columns = {str(name): covariates[name] for name in covariates.columns}
    elif isinstance(covariates, Mapping):
        columns = {str(name): own for name, own in covariates.items()}
    elif hasattr(covariates, "loc"):
        columns = {str(getattr(covariates, "name", None) or "covariate_0"): covariates}
    else:
        array = np.asarray(covariates)
        array = array.reshape(-1, 1) if array.ndim == 1 else array
        if array.ndim != 2:
            raise ValueError(f"covariates have shape {array.shape}, but must be a table, a row for each sample")
        columns = {f"covariate_{k}": array[:, k] for k in range(array.shape[1])}
    if not columns:
        raise ValueError("covariates has no column")
    return list(columns), [_cells(parsed.along_rows(own, f"covariate {name!r}"), name) for name, own in columns.items()]


def _cells(values: Array, name: str) -> list[str]:
    if values.ndim != 1:
        raise ValueError(f"covariate {name!r} has shape {values.shape}, but must be one value for each sample")
    return [_text(value) for value in values.tolist()]


def _text(value: Any) -> str:
    missing = value is None or value != value or str(value) == "<NA>"
    return "" if missing else repr(float(value)) if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)


def known_covariates(covariates: Any, parsed: Parsed, names: Sequence[str]) -> list[list[str]]:
    """Cells of new samples, for the columns of a model in its order."""
    if covariates is None:
        raise ValueError(
            f"the model was fitted with covariates {', '.join(map(repr, names))}: give those of these samples as covariates="
        )
    given = dict(zip(*covariates_of(covariates, parsed), strict=True))
    absent = [name for name in names if name not in given]
    if absent:
        raise ValueError(f"covariates lack {absent[0]!r}, which the model was fitted with")
    return [given[name] for name in names]


def design_of(fit: Any, covariates: Any, parsed: Parsed) -> Array | None:
    """Rows of the design of new samples; None for a model without covariates."""
    if not fit.covariates:
        if covariates is not None:
            raise ValueError("covariates: the model was fitted without any")
        return None
    cells = known_covariates(covariates, parsed, fit.covariates)
    data = _core.BayesData(data=parsed.dataset(allow_disjoint=True))
    data.set_known_covariates(fit=fit, cells=cells)
    return np.ascontiguousarray(data.design)
