"""Forecasting as the inference of a missing view."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._assess import Verdict, verdict_of
from ._backtest import Backtest, Tuning, backtest_of
from ._numbers import dtype_of
from ._params import Estimator
from ._rules import COMMON, integer, kernel, kpca_features, number, one_of, optional, positive
from ._times import check_times
from ._validation import (
    Array,
    as_matrix,
    check_fitted,
    check_interval,
    count_of,
    counted,
    feature_names,
    is_frame,
    seed_of,
    threads_of,
)


@dataclass
class Forecast:
    """A forecast of ``h`` steps: ``mean`` (h x series), and for every coverage the ends of its intervals."""

    mean: Array
    lower: dict[float, Array]
    upper: dict[float, Array]
    series: list[str]

    def to_frame(self) -> Any:
        """Tidy: a row for every step, series and coverage (pandas)."""
        import pandas as pd

        rows = []
        for s, name in enumerate(self.series):
            for t in range(len(self.mean)):
                if not self.lower:
                    rows.append((name, t + 1, self.mean[t, s], np.nan, np.nan, np.nan))
                for c in self.lower:
                    rows.append((name, t + 1, self.mean[t, s], c, self.lower[c][t, s], self.upper[c][t, s]))
        return pd.DataFrame(rows, columns=["series", "step", "mean", "coverage", "lower", "upper"])


class KernelForecaster(Estimator):
    """Forecasts of one or several series by kernel PCA of the last ``lags + 1`` times and the next one.

    Parameters
    ----------
    lags : int
        A forecast looks at the last ``lags + 1`` times.
    n_components : int or None
        None: a tenth of the windows, between 10 and 200.
    kernel, lengthscale, features, solver
        Of the past, as for ``MultiViewKernelPCA``.
    preimage : {"ridge", "identity"}
        ``"identity"`` is for series without noise.
    validation_fraction : float
        The last part of the series, held back once to learn the size of the errors; 0: no intervals.
    horizon : int
        Steps ahead up to which errors are learned. ``bochner forecast`` takes the number of steps it forecasts.
    random_state, n_jobs
        As for ``MultiViewGPLVM``.

    Examples
    --------
    >>> from bochner import KernelForecaster, datasets
    >>> t, y = datasets.make_sines(400)
    >>> model = KernelForecaster(lags=60, random_state=0).fit(y)
    >>> ahead = model.forecast(20, coverage=[0.8, 0.95])
    >>> ahead.mean.shape, sorted(ahead.lower)
    ((20, 1), [0.8, 0.95])

    Errors of forecasts from three origins in the series, beside those of simple ones, and parameters that do better:

    >>> result = model.backtest(y, h=20, n_folds=3)
    >>> sorted(result.overall)
    ['coverage90', 'rmse', 'rmse_linear_ar', 'rmse_mean', 'rmse_seasonal_naive', 'rmse_smoothing']
    >>> best = KernelForecaster(lags=20, random_state=0).tune(y[:200], h=20, n_folds=2).best
    >>> sorted(best)
    ['lags', 'lengthscale', 'n_components']
    >>> tuned = KernelForecaster(**best, random_state=0).fit(y)
    """

    _dtype: Any = np.float64
    _rules = {
        "random_state": COMMON["random_state"],
        "n_jobs": COMMON["n_jobs"],
        "lags": integer(0, 10**5),
        "n_components": optional(integer(1, 10**5)),
        "kernel": kernel(),
        "lengthscale": optional(positive()),
        "features": kpca_features(),
        "solver": one_of("auto", "primal", "dual", "primal-stiefel", "dual-stiefel"),
        "preimage": one_of("ridge", "identity"),
        "validation_fraction": number(0, 0.5),
        "horizon": integer(1, 10**6),
    }

    def __init__(
        self,
        *,
        lags: int = 20,
        n_components: int | None = None,
        kernel: str = "rbf",
        lengthscale: float | None = None,
        features: str = "auto",
        solver: str = "auto",
        preimage: str = "ridge",
        validation_fraction: float = 0.2,
        horizon: int = 1000,
        random_state: Any = None,
        n_jobs: int | None = -1,
    ) -> None:
        self.lags = lags
        self.n_components = n_components
        self.kernel = kernel
        self.lengthscale = lengthscale
        self.features = features
        self.solver = solver
        self.preimage = preimage
        self.validation_fraction = validation_fraction
        self.horizon = horizon
        self.random_state = random_state
        self.n_jobs = n_jobs

    _command = "forecast"

    def _add_tags(self, tags: Any) -> None:
        tags.input_tags.allow_nan = True

    def fit(self, X: Any, y: Any = None, *, known: Any = None) -> KernelForecaster:
        """Learns from X, times x series in the order of time (NaN in gaps), or one series.

        A DatetimeIndex or PeriodIndex must increase (else ValueError), and should be evenly spaced (else a warning).
        ``known`` (times x columns) is what is known ahead of time: calendar, weather forecast, dose.
        """
        self._check_params()
        check_times(X, "X")
        series = as_matrix(X, "X", owner=type(self).__name__, allow_1d=True, min_rows=3)
        self._dtype = dtype_of(X)
        self.n_features_in_ = series.shape[1]
        names = feature_names(X)
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self._names = [str(c) for c in X.columns] if is_frame(X) else [f"y{s}" for s in range(series.shape[1])]
        self.seed_ = seed_of(self.random_state)
        self._fit = _core.fit_forecast(
            data=self._table(series, known), options=self._options(), seed=self.seed_, threads=threads_of(self.n_jobs)
        )
        return self

    def _table(self, series: Array, known: Any) -> _core.SeriesTable:
        return _core.SeriesTable(y=series, known=_known(known, len(series), type(self).__name__))

    def _options(self) -> _core.ForecastOptions:
        out = _core.ForecastOptions()
        out.lags = self.lags
        out.dims = self.n_components or 0
        out.kernel = self.kernel
        out.lengthscale = 0.0 if self.lengthscale is None else self.lengthscale
        out.features = str(self.features)
        out.solver = self.solver
        out.preimage = self.preimage
        out.validation = self.validation_fraction
        out.horizon = self.horizon
        return out

    def backtest(
        self, X: Any, *, h: int = 20, n_folds: int = 5, known: Any = None, season: int | None = None
    ) -> Backtest:
        """Forecasts of the last ``n_folds`` stretches of X, each by a model fitted to what lies before, and simple ones of them.

        This estimator itself is neither fitted nor changed.

        Parameters
        ----------
        X : array of shape (n_times,) or (n_times, n_series)
            In the order of time, NaN in gaps.
        h : int
            Steps of each stretch. Stretches do not overlap, and the last ends with the series.
        n_folds : int
        known : array of shape (n_times, n_columns) or None
            As in ``fit``.
        season : int or None
            Of the seasonal naive forecast; None finds it by the autocorrelation.
        """
        return backtest_of(self._folds(X, h, n_folds, known, season))

    def assess(
        self, X: Any, *, h: int = 20, n_folds: int = 5, known: Any = None, season: int | None = None
    ) -> Verdict:
        """Whether forecasts of X may be trusted: the verdict of ``bochner forecast --backtest``.

        Parameters as in ``backtest``; this estimator itself is neither fitted nor changed.
        """
        folds = self._folds(X, h, n_folds, known, season)
        return verdict_of(_core.assess_forecast(folds=folds, tuned=False))

    def _folds(self, X: Any, h: int, n_folds: int, known: Any, season: int | None) -> list[_core.BacktestFold]:
        series, how = self._for_backtest(X, h, n_folds)
        if season is not None:
            how.season = count_of(season, "season")
        return _core.backtest(
            data=self._table(series, known), options=self._options(), how=how, seed=seed_of(self.random_state),
            threads=threads_of(self.n_jobs),
        )  # fmt: skip

    def tune(self, X: Any, *, h: int = 20, n_folds: int = 5, known: Any = None) -> Tuning:
        """Tries lags, length-scales and numbers of components by a backtest of X: ``bochner forecast --tune``.

        Lags are a quarter to twice those of this estimator, which is neither fitted nor changed: use
        ``set_params(**tuning.best)``. Parameters as in ``backtest``.
        """
        series, how = self._for_backtest(X, h, n_folds)
        tried = _core.tune_forecast(
            data=self._table(series, known), options=self._options(), how=how, seed=seed_of(self.random_state),
            threads=threads_of(self.n_jobs),
        )  # fmt: skip
        if not tried:
            raise ValueError(f"X has {counted(len(series), 'time')}, too few to try any lags; use smaller lags, h or n_folds")
        return Tuning(
            [{"lags": o.lags, "lengthscale": o.lengthscale, "n_components": o.dims} for o, _ in tried],
            np.array([rmse for _, rmse in tried]),
        )

    def _for_backtest(self, X: Any, h: int, n_folds: int) -> tuple[Array, _core.BacktestOptions]:
        self._check_params()
        check_times(X, "X", stacklevel=5)
        how = _core.BacktestOptions()
        how.steps = count_of(h, "h")
        how.folds = count_of(n_folds, "n_folds")
        return as_matrix(X, "X", owner=type(self).__name__, allow_1d=True, min_rows=3), how

    def forecast(self, h: int, *, known: Any = None, coverage: Sequence[float] | float = (0.8, 0.95)) -> Forecast:
        """``h`` steps after the end of the series, with intervals; float32 if the series of ``fit`` was."""
        check_fitted(self)
        h = count_of(h, "h")
        wanted = [coverage] if isinstance(coverage, (int, float)) else list(coverage)
        shares = [check_interval(c, "coverage") for c in wanted] if self.validation_fraction > 0 else []
        mean, intervals = self._fit.forecast(
            steps=h, known=self._known_ahead(known, h), coverage=shares, threads=threads_of(self.n_jobs)
        )
        if shares and not intervals:
            warnings.warn("the model has no errors to make intervals from: the series was too short", stacklevel=2)
            shares = []
        return Forecast(
            mean.astype(self._dtype, copy=False),
            {c: i[0].astype(self._dtype, copy=False) for c, i in zip(shares, intervals, strict=True)},
            {c: i[1].astype(self._dtype, copy=False) for c, i in zip(shares, intervals, strict=True)},
            list(self._names),
        )

    def _known_ahead(self, known: Any, h: int) -> Array:
        """What is known of the times to come, as many columns of it as ``fit`` had."""
        out = _known(known, h, type(self).__name__)
        if out.shape[1] != self._fit.known:
            raise ValueError(
                f"known has {out.shape[1]} columns, but fit had {self._fit.known}: give what is known of the {h} times "
                "ahead, in the same columns"
            )
        return out

    def score(self, X: Any, y: Any = None, *, known: Any = None) -> float:
        """R^2 of the forecast of X, the times right after the series of ``fit``; the mean over series."""
        check_fitted(self)
        truth = as_matrix(X, "X", owner=type(self).__name__, allow_1d=True)
        if truth.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {truth.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                "features as input."
            )
        error = truth - self.forecast(len(truth), known=known, coverage=()).mean
        spread = np.nansum((truth - np.nanmean(truth, axis=0)) ** 2, axis=0)
        return float(np.mean(1 - np.nansum(error**2, axis=0) / np.where(spread > 0, spread, 1)))

    def _report_tables(self) -> dict[str, Any]:
        if self._fit.known > 0:
            return {}  # forecasts need what is known of the times to come
        h, shares = 20, (0.8, 0.95) if self.validation_fraction > 0 else ()
        ahead = self.forecast(h, coverage=shares)
        columns, values = ["time"], [np.arange(1.0, h + 1)]
        for s, name in enumerate(self._names):
            columns.append(name)
            values.append(ahead.mean[:, s])
            for share in ahead.lower:
                columns += [f"{name}_lo{100 * share:g}", f"{name}_hi{100 * share:g}"]
                values += [ahead.lower[share][:, s], ahead.upper[share][:, s]]
        return {"forecast.csv": (columns, [list(row) for row in np.column_stack(values)])}

    def save(self, path: Any) -> None:
        """Writes the model file of the command line."""
        check_fitted(self)
        self._fit.save(str(path))

    @classmethod
    def load(cls, path: Any, *, n_jobs: int | None = -1) -> KernelForecaster:
        """A model that ``save`` or ``bochner forecast`` wrote."""
        fit = _core.ForecastFit.load(str(path))
        model = cls(lags=int(fit.lags), n_components=int(fit.dims), n_jobs=n_jobs)
        model._fit = fit
        model.n_features_in_ = int(fit.series)
        model._names = [f"y{s}" for s in range(model.n_features_in_)]
        return model


def _known(known: Any, rows: int, owner: str) -> Array:
    if known is None:
        return np.zeros((rows, 0))
    out = as_matrix(known, "known", owner=owner, allow_nan=False, allow_1d=True)
    if len(out) != rows:
        raise ValueError(f"known has {counted(len(out), 'row')}, but {'1 time goes' if rows == 1 else f'{rows} times go'} with it")
    return out
