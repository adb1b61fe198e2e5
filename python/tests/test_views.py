"""How one table is cut into views, and how columns are matched."""

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
