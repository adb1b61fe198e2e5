"""What fits leave in an estimator, and who may use it."""

import threading

import numpy as np
import pytest
from sklearn.pipeline import FeatureUnion
from sklearn.preprocessing import StandardScaler
from support import QUICK, SHORT

from bochner import BayesianGPLVM, MultiViewGPLVM


def test_a_model_forgets_the_table_it_was_fitted_to_before(Y):
    m = MultiViewGPLVM(**QUICK).fit(Y)
    m.fit({"a": Y[:, :3], "b": Y[:, 3:]})
    assert not hasattr(m, "n_features_in_")


def test_a_fit_that_fails_leaves_the_one_before(Y):
    m = BayesianGPLVM(**SHORT).fit(Y)
    Z = m.transform(Y)
    with pytest.raises(ValueError, match="likelihood"):
        m.set_params(likelihood="poisson").fit(Y)
    assert np.array_equal(m.set_params(likelihood="gaussian").transform(Y), Z)


def test_callbacks_may_answer_in_numpy(Y):
    heard = []

    def callback(*step):
        heard.append(step)
        return np.bool_(False)

    MultiViewGPLVM(**QUICK, callback=callback).fit(Y)
    assert len(heard) == 1


def test_threads_may_share_a_model(Y):
    m = MultiViewGPLVM(**QUICK, n_jobs=1).fit(Y).set_output(transform="pandas")
    errors = []

    def use():
        try:
            m.transform(Y)
        except Exception as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=use) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors


def test_unions_of_frames_have_one_index(Y):
    union = FeatureUnion([("s", StandardScaler()), ("g", MultiViewGPLVM(**QUICK))]).set_output(transform="pandas")
    out = union.fit_transform(Y)
    assert out.shape == (20, 7) and not out.isna().any().any()


def test_scores_need_something_measured(Y):
    m = MultiViewGPLVM(**QUICK).fit(Y)
    one = np.full((1, 5), np.nan)
    with pytest.raises(ValueError, match="no measured entry"):
        m.score(one)
    one[0, 2] = 3.0
    assert m.score(one) < 0
