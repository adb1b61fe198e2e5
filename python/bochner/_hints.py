"""What tables look like, and which parameters suit that."""

from __future__ import annotations

from collections.abc import Sequence

from . import _core

_TEXTS = {
    "counts": "looks like counts: take logarithms, as np.log1p, or use BayesianGPLVM with likelihood 'poisson' or 'negbinom'",
    "binary": "is mostly zeros and ones: BayesianGPLVM with likelihood 'bernoulli' models them as such",
    "heavy_tails": "has columns with heavy tails: look for outliers",
    "heavy_tails_positive": "has columns with heavy tails: logarithms, as np.log1p, may help",
    "samples_in_columns": "seems to have its samples in columns; rows must be samples, so transpose it",
    "ordered_rows": (
        "has neighbouring rows that are alike, as in a time series or in rows sorted by class; held-out entries are "
        "scattered, so the verdict says nothing about gaps"
    ),
    "row_sizes": (
        "is mostly zeros, and its large samples are {ratio:.1f} times as large as its small ones, as in text or counts; if "
        "their profiles matter and not their sizes, use normalise='rows'"
    ),
}

_SORTED = "the rows are sorted by label; the fit does not depend on their order, but splits into blocks of rows do"


def hints(data: _core.Dataset, labels: str | None = None, normalised: Sequence[str] = ()) -> list[str]:
    """One message for each property of a table that a model with Gaussian noise does not expect.

    Views whose rows are ``normalised`` need not be told to do so; ``labels`` is the view of labels.
    """
    by_label = labels is not None and _core.sorted_by_label(data=data, view=labels)
    return [_SORTED] * by_label + [
        f"view {view!r} {_TEXTS['heavy_tails_positive' if kind == 'heavy_tails' and positive else kind].format(ratio=ratio)}"
        for kind, view, positive, ratio in _core.table_hints(data=data)
        if view != labels
        and not (kind == "row_sizes" and view in normalised)
        and not (kind == "ordered_rows" and by_label)
    ]
