"""Booleans, dates, durations and strings are not taken as numbers."""

import datetime

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from bochner import (
    BayesianGPLVM,
    HarmonicGPClassifier,
    HarmonicGPRegressor,
    KernelForecaster,
    MultiViewGPLVM,
    MultiViewKernelPCA,
)

N = 20
RNG = np.random.default_rng(0)
NUMBERS = RNG.normal(size=(N, 3))
DAYS = np.datetime64("2024-01-01") + np.arange(N)
COLUMNS = {
    "booleans": NUMBERS[:, 0] > 0,
    "dates": DAYS,
    "durations": DAYS - DAYS[0],
    "strings": np.array([f"{v:.3f}" for v in NUMBERS[:, 0]]),
}
OBJECTS = {
    "booleans": [bool(v > 0) for v in NUMBERS[:, 0]],
    "dates": [datetime.date(2024, 1, 1 + n) for n in range(N)],
    "durations": [datetime.timedelta(days=n) for n in range(N)],
    "strings": [f"{v:.3f}" for v in NUMBERS[:, 0]],
}
REMEDY = {
    "booleans": r"\.astype\(float\)",
    "dates": r"np\.timedelta64\(1, 'D'\)",
    "durations": r"np\.timedelta64\(1, 'D'\)",
    "strings": r"\.astype\(float\)",
}
FITS = {
    "MultiViewGPLVM": lambda X: MultiViewGPLVM(max_iter=5).fit(X),
    "MultiViewKernelPCA": lambda X: MultiViewKernelPCA().fit(X),
    "BayesianGPLVM": lambda X: BayesianGPLVM(n_warmup=2, n_draws=2).fit(X),
    "HarmonicGPRegressor": lambda X: HarmonicGPRegressor(max_iter=2).fit(X, NUMBERS[:, 0]),
    "HarmonicGPClassifier": lambda X: HarmonicGPClassifier(max_iter=2).fit(X, NUMBERS[:, 0] > 0),
    "KernelForecaster": lambda X: KernelForecaster(lags=2).fit(X),
}


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("name", FITS)
def test_every_estimator_refuses_them(name, kind):
    fit = FITS[name]
    frame = pd.DataFrame(NUMBERS, columns=["a", "b", "c"])
    frame["when"] = COLUMNS[kind]
    encoded = name.startswith("HarmonicGP") and kind in ("booleans", "dates")  # which it takes from frames, as they are
    if encoded:
        fit(frame)
    else:
        with pytest.raises(ValueError, match=f"X, column 'when': these are {kind}, not numbers; .*{REMEDY[kind]}"):
            fit(frame)
    with pytest.raises(ValueError, match=f"X: these are {kind}.*{REMEDY[kind]}"):
        fit(np.column_stack([COLUMNS[kind], COLUMNS[kind]]))
    objects = NUMBERS.astype(object)
    objects[:, 2] = OBJECTS[kind]
    with pytest.raises(ValueError, match=f"X, column 2: these are {kind}.*{REMEDY[kind]}"):
        fit(objects)
    frame["when"] = pd.Series(OBJECTS[kind], dtype=object)
    if encoded:
        fit(frame)
        return
    with pytest.raises(ValueError, match=f"column 'when': these are {kind}"):
        fit(frame)


@pytest.mark.parametrize("kind", COLUMNS)
def test_the_view_is_named(kind):
    frame = pd.DataFrame({"x": NUMBERS[:, 0], "y": NUMBERS[:, 1], "when": COLUMNS[kind]})
    with pytest.raises(ValueError, match=f"view 'b', column 'when': these are {kind}"):
        MultiViewGPLVM().fit({"a": frame[["x", "y"]], "b": frame})
    with pytest.raises(ValueError, match=f"view 'a': these are {kind}"):
        MultiViewGPLVM().fit({"a": np.column_stack([COLUMNS[kind], COLUMNS[kind]])})


@pytest.mark.parametrize("kind", ["dates", "booleans", "strings"])
def test_what_is_handed_in_besides(kind):
    column = COLUMNS[kind]
    model = BayesianGPLVM(n_warmup=2, n_draws=2)
    for time in (column, pd.Series(column)):
        if kind == "dates":  # which are times
            model.fit(NUMBERS, time=time)
            continue
        with pytest.raises(ValueError, match=f"time: these are {kind}"):
            model.fit(NUMBERS, time=time)
    with pytest.raises(ValueError, match=f"y: these are {kind}"):
        HarmonicGPRegressor().fit(NUMBERS, column)
    with pytest.raises(ValueError, match=f"known: these are {kind}"):
        KernelForecaster(lags=2).fit(NUMBERS, known=column)


def test_other_forms_of_booleans():
    frame = pd.DataFrame({"x": NUMBERS[:, 0], "b": pd.array([True, None] * (N // 2), dtype="boolean")})
    with pytest.raises(ValueError, match="column 'b': these are booleans"):
        MultiViewGPLVM().fit(frame)
    with pytest.raises(ValueError, match="these are booleans"):
        MultiViewKernelPCA().fit(sparse.csr_array(NUMBERS > 0))
    with pytest.raises(ValueError, match="these are booleans"):
        MultiViewKernelPCA().fit((NUMBERS > 0).tolist())


def test_truth_values_are_what_bernoulli_views_are_made_of():
    short = {"n_frequencies": 6, "n_warmup": 4, "n_draws": 4, "start": "pca", "random_state": 0}
    true, ones = NUMBERS > 0, (NUMBERS > 0).astype(float)
    models = [BayesianGPLVM(likelihood="bernoulli", **short).fit(Y) for Y in (true, ones, pd.DataFrame(true))]
    assert np.array_equal(models[0].latent_, models[1].latent_)
    assert np.array_equal(models[0].latent_, models[2].latent_)
    assert np.array_equal(models[0].impute(true), ones)
    mixed = BayesianGPLVM(likelihood={"t": "bernoulli"}, views={"t": ["t"], "n": ["a", "b"]}, **short)
    frame = pd.DataFrame({"a": NUMBERS[:, 0], "b": NUMBERS[:, 1], "t": true[:, 2]})
    assert mixed.fit(frame).latent_.shape == (N, 2)
    frame["b"] = true[:, 1]
    with pytest.raises(ValueError, match="X, column 'b': these are booleans"):
        mixed.fit(frame)


def test_labels_may_be_anything():
    labels = np.column_stack([NUMBERS[:, 0] > 0, NUMBERS[:, 1] > 0])
    short = {"n_frequencies": 6, "n_warmup": 4, "n_draws": 4, "start": "pca", "random_state": 0}
    assert BayesianGPLVM(likelihood="categorical", **short).fit(labels).latent_.shape == (N, 2)
    model = HarmonicGPClassifier(n_inducing=5, max_iter=5, random_state=0).fit(NUMBERS, labels[:, 0])
    assert model.predict(NUMBERS).dtype == bool
