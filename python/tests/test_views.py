"""How one table is cut into views, and how columns are matched."""

import warnings

import numpy as np
import pandas as pd
import pytest
from support import QUICK, SHORT

from bochner import BayesianGPLVM, MultiViewGPLVM, MultiViewKernelPCA


def test_views_by_mask_and_from_the_end(Y):
    mask = MultiViewGPLVM(views={"a": np.array([True, True, True, False, False]), "b": [-2, -1]}, **QUICK).fit(Y)
    plain = MultiViewGPLVM(views={"a": [0, 1, 2], "b": [3, 4]}, **QUICK).fit(Y)
    assert np.array_equal(mask.latent_, plain.latent_)
    with pytest.raises(ValueError, match="list of columns"):
        MultiViewGPLVM(views={"a": "ab"}).fit(Y)


def test_columns_in_no_view_stay(Y):
    m = MultiViewGPLVM(views={"a": [0, 1, 2]}, **QUICK).fit(Y)
    assert np.array_equal(m.impute(Y), Y)


def test_repeated_names_are_refused_where_order_differs(Y):
    T = pd.DataFrame(Y, columns=["a", "a", "c", "d", "e"])
    m = MultiViewGPLVM(**QUICK).fit({"t": T})
    assert m.transform({"t": T}).shape == (20, 2)
    with pytest.raises(ValueError, match="twice"):
        m.transform({"t": T.iloc[:, ::-1]})


def test_numbered_columns_go_by_position(Y):
    m = MultiViewGPLVM(**QUICK).fit(pd.DataFrame(Y))
    assert np.array_equal(m.transform(pd.DataFrame(Y, columns=range(2, 7))), m.transform(Y))


def test_one_view_has_no_other(Y):
    for m in (MultiViewGPLVM(**QUICK), MultiViewKernelPCA(random_state=0), BayesianGPLVM(**SHORT)):
        with pytest.raises(ValueError, match="one view only"):
            m.fit(Y).predict_view(Y, "X")


@pytest.mark.parametrize("kind", [MultiViewGPLVM, MultiViewKernelPCA, BayesianGPLVM])
def test_a_loaded_model_fills_columns_by_their_names(kind, tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(30, 2)) @ rng.normal(size=(2, 4)) + 100 * np.arange(4), columns=list("abcd"))
    quick = {"n_warmup": 5, "n_draws": 4, "n_chains": 1} if kind is BayesianGPLVM else {}
    if kind is MultiViewGPLVM:
        quick = {"max_iter": 20}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kind(n_components=2, random_state=0, n_jobs=1, **quick).fit(table).save(tmp_path / "m")
    model = kind.load(tmp_path / "m")
    known = {"fitted": False} if kind is BayesianGPLVM else {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it knows the names of its columns
        other = model.impute(table.iloc[:, ::-1], **known)
    pd.testing.assert_frame_equal(other, table.iloc[:, ::-1])
    gap = table.iloc[:5, ::-1].copy()
    gap.iloc[2, 0] = np.nan  # of "d", about 300
    assert abs(model.impute(gap, **known).loc[2, "d"] - 300) < 50
    assert model.impute(gap, **known)["a"].equals(gap["a"])
