"""scikit-learn's own checks of every estimator."""

import warnings

import pytest
from sklearn.utils.estimator_checks import check_estimator

from bochner import (
    BayesianGPLVM,
    HarmonicGPClassifier,
    HarmonicGPRegressor,
    KernelForecaster,
    MultiViewGPLVM,
    MultiViewKernelPCA,
)

ESTIMATORS = [
    MultiViewGPLVM(kernel="rbf", max_iter=30, n_jobs=1),
    MultiViewKernelPCA(n_jobs=1),
    BayesianGPLVM(n_frequencies=10, n_warmup=10, n_draws=10, n_stored=20, start="pca", n_jobs=1),
    HarmonicGPRegressor(n_inducing=50, max_iter=200, n_jobs=1),
    HarmonicGPClassifier(n_inducing=50, max_iter=200, n_jobs=1),
    KernelForecaster(lags=1, n_jobs=1),
]
WEIGHTS = "weights act on expected densities, while batches, inducing points and scales are those of the rows"
EXPECTED = {
    "HarmonicGPRegressor": {
        "check_sample_weight_equivalence_on_dense_data": WEIGHTS,
        "check_sample_weight_equivalence_on_sparse_data": WEIGHTS,
    },
    "HarmonicGPClassifier": {
        "check_sample_weight_equivalence_on_dense_data": WEIGHTS,
        "check_sample_weight_equivalence_on_sparse_data": WEIGHTS,
    },
    "KernelForecaster": {
        "check_fit1d": "a series is one-dimensional, and welcome",
        "check_fit2d_1feature": "its 10 times are too few: a forecast learns from at least 12 in a row",
        "check_estimators_pickle": "its rows have gaps, and no 12 of them in a row have none",
    }
}


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
def test_scikit_learn_checks(estimator, capsys):
    name = type(estimator).__name__
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(estimator, on_fail=None, expected_failed_checks=EXPECTED.get(name, {}))
    by_status: dict[str, list] = {}
    for result in results:
        by_status.setdefault(result["status"], []).append(result)
    with capsys.disabled():
        print(f"\n{name}: " + ", ".join(f"{len(v)} {k}" for k, v in by_status.items()))
    failed = [(r["check_name"], r["exception"]) for r in by_status.get("failed", [])]
    assert not failed
    assert not by_status.get("skipped")
    assert {r["check_name"] for r in by_status.get("xfail", [])} == set(EXPECTED.get(name, {}))
