"""Tables, dicts and frames."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from support import QUICK

from bochner import MultiViewGPLVM, datasets


@pytest.fixture(scope="module")
def data():
    return datasets.make_s_curve(60, {"a": 8, "b": 6}, missing=0.1, random_state=1)


def model(**kwargs):
    return MultiViewGPLVM(kernel="rbf", max_iter=40, random_state=3, **kwargs)


def frames(data):
    ids = [f"s{n}" for n in range(60)]
    return {
        name: pd.DataFrame(Y, index=ids, columns=[f"{name}{m}" for m in range(Y.shape[1])])
        for name, Y in data.views.items()
    }


def test_one_table_cut_into_views_is_a_dict_of_views(data):
    whole = np.hstack([data.views["a"], data.views["b"]])
    cut = model(views={"a": slice(0, 8), "b": list(range(8, 14))})
    assert np.array_equal(cut.fit_transform(whole), model().fit_transform(data.views))
    assert cut.impute(whole).shape == whole.shape
    by_name = model(views={"a": [f"c{m}" for m in range(8)], "b": [f"c{m}" for m in range(8, 14)]})
    table = pd.DataFrame(whole, columns=[f"c{m}" for m in range(14)])
    assert np.array_equal(by_name.fit_transform(table), cut.transform(whole))


def test_rows_of_frames_are_joined_by_index(data):
    views = frames(data)
    shuffled = {"a": views["a"], "b": views["b"].sample(frac=1, random_state=0)}
    one, other = model().fit(views), model().fit(shuffled)
    assert other.ids_ == one.ids_
    assert np.array_equal(one.latent_, other.latent_)


def test_union_of_rows(data):
    views = frames(data)
    part = {"a": views["a"].iloc[:45], "b": views["b"].iloc[30:]}
    m = model().fit(part)
    assert m.latent_.shape == (60, 2)
    assert m.ids_ == list(views["a"].index)
    filled = m.impute(part)
    assert filled["a"].shape == (60, 8) and not filled["a"].isna().any().any()
    assert list(filled["b"].index) == m.ids_


def test_views_without_a_common_row_are_refused_by_fit_and_answered_by_transform(data):
    views = frames(data)
    disjoint = {"a": views["a"].iloc[:30], "b": views["b"].iloc[30:]}
    with pytest.raises(ValueError, match="no sample in common"):
        model().fit(disjoint)
    m = model().fit(views)
    assert m.transform(disjoint).shape == (60, 2)


def test_a_missing_view_and_missing_columns(data):
    views = frames(data)
    m = model().fit(views)
    Z, sd = m.transform({"a": views["a"]}, return_std=True)
    _, sd_both = m.transform(views, return_std=True)
    assert sd.mean() > sd_both.mean()
    assert m.transform({"a": views["a"].iloc[:, ::-1]}).tobytes() == Z.tobytes()
    assert m.transform({"a": views["a"].iloc[:, :5]}).shape == (60, 2)
    with pytest.raises(ValueError, match="no view 'c'"):
        m.transform({"c": views["a"]})
    with pytest.raises(ValueError, match="none of the columns"):
        m.transform({"a": views["b"]})


def test_bad_dicts_say_what_to_do(data):
    views = frames(data)
    with pytest.raises(ValueError, match="60 rows but view 'b' has 50"):
        model().fit({"a": data.views["a"], "b": data.views["b"][:50]})
    with pytest.raises(ValueError, match="all views as DataFrames, or none"):
        model().fit({"a": views["a"], "b": data.views["b"]})
    with pytest.raises(ValueError, match="empty"):
        model().fit({})
    with pytest.raises(ValueError, match="kernel names view 'c'"):
        MultiViewGPLVM(kernel={"c": "rbf"}).fit(data.views)


def test_read_only_strided_and_sparse_arrays(data):
    Y = np.nan_to_num(data.views["a"])
    Z = model().fit_transform(Y)
    frozen = Y.copy()
    frozen.setflags(write=False)
    wide = np.zeros((60, 16))
    wide[:, ::2] = Y
    assert np.array_equal(model().fit_transform(frozen), Z)
    assert np.array_equal(model().fit_transform(wide[:, ::2]), Z)
    assert np.array_equal(model().fit_transform(np.asfortranarray(Y)), Z)
    assert np.array_equal(model().fit_transform(sparse.csr_array(Y)), Z)


def test_frames_come_back_as_frames(data):
    table = frames(data)["a"]
    m = model().fit(table).set_output(transform="pandas")
    Z = m.transform(table)
    assert list(Z.columns) == ["z1", "z2"] and list(Z.index) == list(table.index)
    filled = m.impute(table)
    assert list(filled.columns) == list(table.columns)
    known = table.notna()
    assert (filled[known] == table[known]).to_numpy()[known.to_numpy()].all()


def test_pandas_missing_values(Y):
    T = pd.DataFrame(Y).astype("Float64")
    T.iloc[2, 1] = pd.NA
    plain = Y.copy()
    plain[2, 1] = np.nan
    assert np.array_equal(MultiViewGPLVM(**QUICK).fit_transform(T), MultiViewGPLVM(**QUICK).fit_transform(plain))
