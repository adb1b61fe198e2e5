"""Intervals, backtests and tuning of forecasts."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone

from bochner import KernelForecaster, datasets


def test_series_too_short_for_intervals():
    s = np.sin(np.arange(14.0))
    with pytest.warns(UserWarning, match="intervals"):
        ahead = KernelForecaster(lags=3, validation_fraction=0.3, random_state=0).fit(s).forecast(2)
    assert ahead.lower == {} and ahead.mean.shape == (2, 1)


@pytest.fixture(scope="module")
def series():
    rng = np.random.default_rng(0)
    return datasets.make_sines(260)[1] + 0.02 * rng.normal(size=260)


def test_backtests_fit_to_what_lies_before(series):
    model = KernelForecaster(lags=30, random_state=0)
    result = model.backtest(series, h=15, n_folds=3)
    assert result.times_before.tolist() == [215, 230, 245] and result.measured.tolist() == [15] * 3
    for k, origin in enumerate(result.times_before):
        ahead = clone(model).set_params(horizon=15).fit(series[:origin]).forecast(15, coverage=0.9)
        truth = series[origin : origin + 15]
        error = ahead.mean[:, 0] - truth
        assert result.rmse[k] == pytest.approx(np.sqrt(np.mean(error**2)))
        assert result.mae[k] == pytest.approx(np.mean(np.abs(error)))
        inside = (ahead.lower[0.9][:, 0] <= truth) & (truth <= ahead.upper[0.9][:, 0])
        assert result.coverage90[k] == pytest.approx(inside.mean())
    assert result.overall["rmse"] == pytest.approx(np.sqrt(np.mean(result.rmse**2)))
    assert result.overall["coverage90"] == pytest.approx(result.coverage90.mean())
    assert not hasattr(model, "_fit")


def test_the_mean_of_the_past_is_a_baseline(series):
    result = KernelForecaster(lags=10, random_state=0).backtest(series, h=15, n_folds=2)
    for k, origin in enumerate(result.times_before):
        error = series[origin : origin + 15] - series[:origin].mean()
        assert result.rmse_mean[k] == pytest.approx(np.sqrt(np.mean(error**2)))
    assert result.overall["rmse_mean"] == pytest.approx(np.sqrt(np.mean(result.rmse_mean**2)))
    assert "rmse_mean" in result.to_frame().columns


def test_white_noise_is_not_to_be_trusted():
    noise = np.random.default_rng(3).normal(size=150)
    assert KernelForecaster(random_state=0).assess(noise, h=12).kind in ("linear", "doubtful")


def test_times_of_an_index(series):
    pd = pytest.importorskip("pandas")
    model = KernelForecaster(lags=5, random_state=0)
    months = pd.date_range("2001-01-01", periods=len(series), freq="MS")
    regular = pd.DataFrame({"y": series}, index=months)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(regular)
        model.fit(regular.set_axis(pd.bdate_range("2001-01-01", periods=len(series))))
        model.fit(regular.set_axis(months.to_period("M")))
    with pytest.warns(UserWarning, match=r"2 times missing.*asfreq"):
        model.fit(regular.drop(index=months[[20, 21]]))
    with pytest.warns(UserWarning, match="no multiple"):
        model.backtest(regular.set_axis(months[:-1].append(pd.DatetimeIndex(["2090-01-07"]))), h=5, n_folds=2)
    for call in (model.fit, model.backtest, model.assess, model.tune):
        with pytest.raises(ValueError, match=r"order of time.*sort_index"):
            call(regular.iloc[::-1])
        with pytest.raises(ValueError, match="rows 4 and 5 of X are both of 2001-05-01"):
            call(regular.set_axis(months.insert(4, months[4])[:-1]))


def test_seasons_are_those_of_the_naive_forecast(series):
    model = KernelForecaster(lags=30, random_state=0)
    seasonal, wrong = (model.backtest(series, h=15, n_folds=2, season=s) for s in (100, 37))
    assert (seasonal.rmse_seasonal_naive < 0.5 * wrong.rmse_seasonal_naive).all()
    truth = series[245:260]
    assert wrong.rmse_seasonal_naive[1] == pytest.approx(np.sqrt(np.mean((series[208:223] - truth) ** 2)))
    assert np.array_equal(seasonal.rmse, wrong.rmse)
    found = model.backtest(series, h=15, n_folds=2)
    assert (found.rmse_seasonal_naive < wrong.rmse_seasonal_naive).all()


def test_gaps_do_not_count(series):
    gappy = series.copy()
    gappy[[250, 251]] = np.nan
    gappy[230:245] = np.nan
    result = KernelForecaster(lags=10, random_state=0).backtest(gappy, h=15, n_folds=2)
    assert result.measured.tolist() == [0, 13] and np.isnan(result.rmse[0])
    assert result.overall["rmse"] == pytest.approx(result.rmse[1])


def test_tuning_ranks_what_it_tried(series):
    model = KernelForecaster(lags=8, random_state=0)
    tuning = model.tune(series, h=15, n_folds=2)
    assert (np.diff(tuning.rmse) >= 0).all() and len(tuning.params) == len(tuning.rmse) == 48
    assert {p["lags"] for p in tuning.params} == {2, 4, 8, 16}
    tuned = clone(model).set_params(**tuning.best).backtest(series, h=15, n_folds=2)
    assert tuned.overall["rmse"] == pytest.approx(tuning.rmse[0])
    assert tuning.rmse[0] < model.backtest(series, h=15, n_folds=2).overall["rmse"]
    assert model.lags == 8 and not hasattr(model, "_fit")


def test_known_columns_go_along(series):
    known = np.sin(np.arange(260.0))[:, None]
    shifted = series + 3 * np.roll(known[:, 0], 0)
    model = KernelForecaster(lags=5, random_state=0)
    with_it, without = model.backtest(shifted, h=10, n_folds=2, known=known), model.backtest(shifted, h=10, n_folds=2)
    assert with_it.overall["rmse"] < without.overall["rmse"]
    with pytest.raises(ValueError, match="known has 9 rows"):
        model.backtest(shifted, h=10, known=known[:9])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"h": 0}, "h is 0"),
        ({"n_folds": 2.5}, "n_folds is 2.5"),
        ({"h": 100}, "use fewer folds, steps or lags"),
    ],
)
def test_backtests_that_cannot_be(series, arguments, message):
    for call in (KernelForecaster().backtest, KernelForecaster().tune):
        with pytest.raises(ValueError, match=message):
            call(series, **arguments)
    with pytest.raises(ValueError, match="season is -1"):
        KernelForecaster().backtest(series, season=-1)
    with pytest.raises(ValueError, match="lags is -3"):
        KernelForecaster(lags=-3).tune(series)
