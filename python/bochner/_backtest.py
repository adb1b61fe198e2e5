"""How good forecasts were from rolling origins, and which parameters were best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._validation import Array


@dataclass
class Backtest:
    """Errors of forecasts from rolling origins, an entry for each, in the units of the series; NaN where nothing was measured.

    Attributes
    ----------
    times_before : array of int
        Times that each forecast was learned from.
    measured : array of int
        Values that its errors are over.
    rmse, mae : arrays
        Root mean squared and mean absolute error of the model.
    rmse_seasonal_naive, rmse_linear_ar, rmse_smoothing : arrays
        Root mean squared error of the last season again, of linear autoregression on as many lags (ridge regression), and of
        exponential smoothing with a damped trend and the season.
    rmse_mean : array
        Root mean squared error of the mean of the values before.
    coverage90 : array
        Share of the values within 90 % intervals; NaN without intervals.
    overall : dict
        ``rmse``, those of the baselines and ``coverage90`` over all values of all folds.
    """

    times_before: Array
    measured: Array
    rmse: Array
    mae: Array
    rmse_seasonal_naive: Array
    rmse_linear_ar: Array
    rmse_smoothing: Array
    rmse_mean: Array
    coverage90: Array
    overall: dict[str, float]

    @property
    def beats_baselines(self) -> bool:
        """Whether its error over all folds is smaller than those of all baselines; ``assess`` asks whether that may be chance."""
        others = ("rmse_seasonal_naive", "rmse_linear_ar", "rmse_smoothing", "rmse_mean")
        return self.overall["rmse"] < min(self.overall[name] for name in others)

    def to_frame(self) -> Any:
        """A row for each fold, from 1: the ``backtest.csv`` of the command line (pandas)."""
        import pandas as pd

        names = (
            "times_before", "measured", "rmse", "mae", "rmse_seasonal_naive", "rmse_linear_ar", "rmse_smoothing",
            "rmse_mean", "coverage90",
        )  # fmt: skip
        index = pd.RangeIndex(1, len(self.rmse) + 1, name="fold")
        return pd.DataFrame({name: getattr(self, name) for name in names}, index=index)


def backtest_of(folds: Sequence[_core.BacktestFold]) -> Backtest:
    scores = _core.backtest_scores(folds=folds)
    return Backtest(
        np.array([f.origin for f in folds]),
        np.array([f.measured for f in folds]),
        np.array([f.rmse for f in folds]),
        np.array([f.mae for f in folds]),
        np.array([f.naive_rmse for f in folds]),
        np.array([f.ar_rmse for f in folds]),
        np.array([f.smoothing_rmse for f in folds]),
        np.array([f.mean_rmse for f in folds]),
        np.array([f.coverage for f in folds]),
        {
            "rmse": scores.rmse,
            "rmse_seasonal_naive": scores.naive_rmse,
            "rmse_linear_ar": scores.ar_rmse,
            "rmse_smoothing": scores.smoothing_rmse,
            "rmse_mean": scores.mean_rmse,
            "coverage90": scores.coverage90,
        },
    )


@dataclass
class Tuning:
    """Parameters that were tried, the best first: ``params`` for ``set_params``, and their ``rmse`` over all folds."""

    params: list[dict[str, Any]]
    rmse: Array

    @property
    def best(self) -> dict[str, Any]:
        return self.params[0]

    def to_frame(self) -> Any:
        """A row for each choice, by rank from 1 (pandas)."""
        import pandas as pd

        index = pd.RangeIndex(1, len(self.rmse) + 1, name="rank")
        return pd.DataFrame([{**p, "rmse": e} for p, e in zip(self.params, self.rmse, strict=True)], index=index)
