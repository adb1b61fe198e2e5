"""Masked entries of NumPy's masked arrays are missing values, wherever they are handed in."""

import numpy as np
import pytest

from bochner import (
    BayesianGPLVM,
    HarmonicGPClassifier,
    HarmonicGPRegressor,
    KernelForecaster,
    MultiViewGPLVM,
    MultiViewKernelPCA,
    plot,
)

ROWS = 24
LATENT = {
    "MultiViewGPLVM": lambda: MultiViewGPLVM(kernel="rbf", max_iter=10, random_state=0),
    "MultiViewKernelPCA": lambda: MultiViewKernelPCA(random_state=0),
    "BayesianGPLVM": lambda: BayesianGPLVM(n_frequencies=6, n_warmup=4, n_draws=4, start="pca", random_state=0),
}


def table(seed, columns, dtype=float, share=0.06):
    """Masked entries hold what would spoil everything; and the same table with NaN there."""
    rng = np.random.default_rng(seed)
    values = (10 * rng.normal(size=(ROWS, columns))).astype(dtype)
    mask = rng.random(values.shape) < share
    mask[3, 1] = True
    masked = np.ma.array(np.where(mask, np.array(10**6, dtype), values), mask=mask)
    return masked, np.where(mask, np.nan, values.astype(float))


def same(a, b):
    if isinstance(a, dict):
        return set(a) == set(b) and all(same(a[k], b[k]) for k in a)
    return np.array_equal(a, b, equal_nan=True) and not isinstance(a, np.ma.MaskedArray)


@pytest.mark.parametrize("dtype", [float, int], ids=["float", "int"])
@pytest.mark.parametrize("form", ["table", "dict", "list of rows"])
@pytest.mark.parametrize("name", LATENT)
def test_latent_models(name, form, dtype):
    one, one_nan = table(1, 5, dtype)
    two, two_nan = table(2, 4, dtype)
    X, plain = {
        "table": (one, one_nan),
        "dict": ({"a": one, "b": two}, {"a": one_nan, "b": two_nan}),
        "list of rows": (list(one), one_nan),
    }[form]
    model, twin = LATENT[name]().fit(X), LATENT[name]().fit(plain)
    assert same(model.transform(plain), twin.transform(plain))
    assert same(twin.transform(X), twin.transform(plain))
    assert same(twin.impute(X), twin.impute(plain))
    assert twin.score(X) == twin.score(plain)
    if form == "dict":
        assert same(twin.predict_view(X, "b"), twin.predict_view(plain, "b"))
    Z = np.ma.array(np.zeros((2, 2)), mask=[[True, False], [False, False]])
    if name != "MultiViewKernelPCA":  # whose scores may be NaN
        with pytest.raises(ValueError, match="Input Z contains NaN"):
            twin.inverse_transform(Z)


@pytest.mark.parametrize("dtype", [float, int], ids=["float", "int"])
def test_forecasts(dtype):
    rng = np.random.default_rng(0)
    series = (100 * np.sin(np.arange(80) / 5) + rng.normal(size=80)).astype(dtype)
    mask = np.zeros(80, dtype=bool)
    mask[[30, 31]] = True
    masked = np.ma.array(np.where(mask, 10**6, series), mask=mask)
    plain = np.where(mask, np.nan, series.astype(float))
    def make():
        return KernelForecaster(lags=5, random_state=0)
    model, twin = make().fit(masked), make().fit(plain)
    assert same(model.forecast(5).mean, twin.forecast(5).mean)
    ahead, ahead_plain = np.ma.array([1.0, 2.0, 1e6], mask=[0, 0, 1]), np.array([1.0, 2.0, np.nan])
    assert twin.score(ahead) == twin.score(ahead_plain)
    with pytest.raises(ValueError, match="Input known contains NaN"):
        make().fit(plain, known=np.ma.array(np.ones(80), mask=mask))


@pytest.mark.parametrize("make", [HarmonicGPRegressor, HarmonicGPClassifier])
def test_gps_refuse_what_is_missing(make):
    X, plain = table(3, 4)
    whole = np.nan_to_num(plain)
    y = (whole[:, 0] > 0).astype(int)
    def fresh():
        return make(n_inducing=8, max_iter=5, random_state=0)
    with pytest.raises(ValueError, match="Input X contains NaN"):  # it has not learned what that means
        fresh().fit(whole, y).predict(X)
    assert same(fresh().fit(X, y).predict(X), fresh().fit(np.ma.filled(X.astype(float), np.nan), y).predict(X))
    masked_y = np.ma.array(y, mask=[n == 3 for n in range(ROWS)])
    model = fresh().fit(whole, y)
    for call in (lambda: fresh().fit(whole, masked_y), lambda: model.score(whole, masked_y),
                 lambda: model.log_density(whole, masked_y)):  # fmt: skip
        with pytest.raises(ValueError, match="Input y contains NaN"):
            call()
    with pytest.raises(ValueError, match="sample_weight"):
        model.score(whole, y, sample_weight=np.ma.array(np.ones(ROWS), mask=y == 1))
    nothing_masked = np.ma.array(whole)
    assert same(fresh().fit(nothing_masked, np.ma.array(y)).predict(whole), model.predict(whole))


def test_outcomes_of_several_columns_may_be_missing():
    X, Y = np.nan_to_num(table(3, 4)[1]), table(4, 2)
    models = [HarmonicGPRegressor(n_inducing=8, max_iter=5, random_state=0).fit(X, y) for y in Y]
    assert same(models[0].predict(X), models[1].predict(X))
    assert models[0].score(X, Y[0]) == models[1].score(X, Y[1])


def test_labels_of_classes_and_views():
    X = np.nan_to_num(table(3, 4)[1])
    labels = np.ma.array(np.where(X[:, :2] > 0, "up", "down"), mask=np.arange(2 * ROWS).reshape(ROWS, 2) == 3)
    with pytest.raises(ValueError, match="a label is missing"):
        HarmonicGPClassifier().fit(X, labels[:, 1])
    plain = labels.data.astype(object)
    plain[1, 1] = None
    models = [LATENT["BayesianGPLVM"]().set_params(likelihood="categorical").fit({"l": L}) for L in (labels, plain)]
    assert same(models[0].latent_, models[1].latent_)


def test_times_groups_starts_and_trials():
    Y = np.nan_to_num(table(3, 4)[1])
    mask = np.arange(ROWS) == 5
    when = np.ma.array(np.arange(float(ROWS)), mask=mask)
    model = LATENT["BayesianGPLVM"]()
    with pytest.raises(ValueError, match="time of sample '5'"):
        model.fit(Y, time=when)
    with pytest.raises(ValueError, match="group of sample '5' is missing"):
        model.fit(Y, time=when.data, group=np.ma.array(np.zeros(ROWS, int), mask=mask))
    with pytest.raises(ValueError, match="Input start contains NaN"):
        model.fit(Y, start=np.ma.array(np.zeros((ROWS, 2)), mask=np.column_stack([mask, mask])))
    counts = np.ma.array(np.full(Y.shape, 9), mask=np.zeros(Y.shape))
    counts[2, 2] = np.ma.masked
    with pytest.raises(ValueError, match="trials of view 'X' contains NaN"):
        model.set_params(likelihood="binomial", trials=counts).fit(np.full(Y.shape, 3))


def test_pictures_of_what_was_measured():
    import matplotlib

    matplotlib.use("Agg")
    masked, plain = table(1, 5, int)
    ax, twin = plot.data_map({"a": masked}), plot.data_map({"a": plain})
    assert same(np.asarray(ax.images[0].get_array()), np.asarray(twin.images[0].get_array()))
