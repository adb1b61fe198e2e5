"""float32 in, float32 out, computed in double."""

import anndata
import mudata
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

Y = np.random.default_rng(0).normal(size=(24, 6))
LATENT = [
    MultiViewGPLVM(kernel="rbf", max_iter=5, random_state=0),
    MultiViewKernelPCA(random_state=0),
    BayesianGPLVM(n_frequencies=6, n_warmup=4, n_draws=4, start="pca", random_state=0),
]


def arrays(answer):
    """All arrays in an answer."""
    if isinstance(answer, (tuple, list)):
        return [a for part in answer for a in arrays(part)]
    if isinstance(answer, dict):
        return arrays(list(answer.values()))
    return [np.asarray(answer)]


def check(call, X):
    """The answer for float32 is that for the same numbers in float64, rounded."""
    single, double = arrays(call(X)), arrays(call(X.astype(np.float32).astype(np.float64)))
    assert {a.dtype for a in single} == {np.dtype(np.float32)}
    assert {a.dtype for a in double} == {np.dtype(np.float64)}
    for a, b in zip(single, double, strict=True):
        assert np.array_equal(a, b.astype(np.float32), equal_nan=True)


@pytest.mark.parametrize("model", LATENT, ids=lambda m: type(m).__name__)
def test_latent_models(model):
    model = model.set_params(views={"a": slice(0, 4), "b": slice(4, 6)}).fit(Y)
    calls = [model.transform, model.impute, lambda X: model.predict_view(X, "b"),
             lambda X: model.inverse_transform(X[:, :2])]  # fmt: skip
    if not isinstance(model, MultiViewKernelPCA):
        calls += [
            lambda X: model.transform(X, return_std=True),
            lambda X: model.impute(X, 0.9),
            lambda X: model.predict_view(X, "b", return_std=True),
            lambda X: model.inverse_transform(X[:, :2], return_std=True),
        ]
    for call in calls:
        check(call, Y.astype(np.float32))


@pytest.mark.parametrize("model", LATENT, ids=lambda m: type(m).__name__)
def test_forms_of_data(model):
    X = Y.astype(np.float32)
    forms = {
        "frame": pd.DataFrame(X),
        "pandas' own": pd.DataFrame(X).astype("Float32"),
        "dict": {"X": X},
        "masked": np.ma.array(X),
        "sparse": sparse.csr_array(X),
        "anndata": anndata.AnnData(X),
        "mudata": mudata.MuData({"X": anndata.AnnData(X)}),
    }
    for name, form in forms.items():
        Z = model.set_params(views=None).fit(form).transform(form)
        assert Z.dtype == np.float32, name
        assert {np.asarray(a).dtype for a in arrays(model.impute(form))} == {np.dtype(np.float32)}, name
        if hasattr(form, "obsm"):
            assert form.obsm["X_bochner"].dtype == np.float32


def test_gps():
    regressor = HarmonicGPRegressor(n_inducing=8, max_iter=5, random_state=0).fit(Y, Y[:, 0])
    classifier = HarmonicGPClassifier(n_inducing=8, max_iter=5, random_state=0).fit(Y, Y[:, 0] > 0)
    calls = [
        regressor.predict,
        lambda X: regressor.predict(X, return_std=True),
        regressor.predict_parts,
        lambda X: regressor.log_density(X, Y[:, 0]),
        classifier.predict_proba,
        lambda X: classifier.log_density(X, Y[:, 0] > 0),
    ]
    for call in calls:
        check(call, Y.astype(np.float32))


def test_forecasts():
    def ahead(X):
        out = KernelForecaster(lags=3, random_state=0).fit(X).forecast(4)
        return [out.mean, *out.lower.values(), *out.upper.values()]

    check(ahead, np.sin(np.arange(60.0)).astype(np.float32))
