"""Views reduced to the columns that vary most."""

import numpy as np
import pandas as pd
import pytest
from support import QUICK, SHORT, header, run, write_csv

from bochner import BayesianGPLVM, MultiViewGPLVM


@pytest.fixture(scope="module")
def Y():
    """Standard deviations of about 0.1, 3, 1 and 0.01."""
    n = np.arange(24)[:, None]
    m = np.arange(4)[None, :]
    return (np.sin(0.5 * n + m) + 0.1 * np.cos(7.3 * n * (m + 1))) * [0.1, 3, 1, 0.01]


def test_arrays(Y):
    model = MultiViewGPLVM(most_variable=2, **QUICK).fit(Y)
    alone = MultiViewGPLVM(**QUICK).fit(Y[:, [1, 2]])
    assert model.columns_ == {"X": ["X_1", "X_2"]}
    assert np.array_equal(model.latent_, alone.latent_)
    assert np.array_equal(model.transform(Y), alone.transform(Y[:, [1, 2]]))
    assert model.n_features_in_ == 4
    missing = Y.copy()
    missing[3, [0, 1]] = np.nan
    filled = model.impute(missing)
    assert filled[3, 1] == alone.impute(missing[:, [1, 2]])[3, 0]
    assert np.isnan(filled[3, 0]) and np.array_equal(filled[:, 3], Y[:, 3])  # columns that were not kept stay
    back = model.inverse_transform(model.latent_)
    assert back.shape == Y.shape and np.isnan(back[:, [0, 3]]).all() and np.isfinite(back[:, [1, 2]]).all()
    assert model.assess(Y) is model.assessment_


def test_frames_and_dicts(Y):
    frame = pd.DataFrame(Y, columns=list("abcd"))
    other = pd.DataFrame(Y[:, ::-1], columns=list("wxyz"))
    model = MultiViewGPLVM(most_variable={"first": 1}, **QUICK).fit({"first": frame, "second": other})
    assert model.columns_ == {"first": ["b"], "second": list("wxyz")}
    shuffled = {"second": other, "first": frame[list("dcba")]}
    assert np.array_equal(model.transform(shuffled), model.transform({"second": other, "first": frame[["b"]]}))
    assert list(model.impute({"first": frame})["first"].columns) == ["b"]
    one = MultiViewGPLVM(most_variable=9, **QUICK).fit(frame)
    assert np.array_equal(one.latent_, MultiViewGPLVM(**QUICK).fit(frame).latent_)


def test_files(Y, tmp_path):
    frame = pd.DataFrame(Y, columns=list("abcd"), index=[f"s{n}" for n in range(24)])
    write_csv(tmp_path / "X.csv", Y, list("abcd"))
    run("fit", "--view", tmp_path / "X.csv", "--kernel", "rbf", "--steps", 10, "--seed", 0, "--most-variable", 2, "--out", tmp_path / "run")
    model = MultiViewGPLVM(most_variable=2, **QUICK).fit(frame)
    model.save(tmp_path / "model.bochner")
    assert (tmp_path / "model.bochner").read_bytes() == (tmp_path / "run/model.bochner").read_bytes()
    assert header(tmp_path / "run/imputed/X.csv")[1:] == ["b", "c"]
    again = MultiViewGPLVM.load(tmp_path / "model.bochner")
    assert np.array_equal(again.transform(frame), model.transform(frame))
    assert again.impute(frame).shape == (24, 4)
    arrays = MultiViewGPLVM(most_variable=2, **QUICK).fit({"X": Y})
    arrays.save(tmp_path / "arrays.bochner")
    again = MultiViewGPLVM.load(tmp_path / "arrays.bochner")
    assert np.array_equal(again.transform({"X": Y}), arrays.transform({"X": Y}))
    assert np.array_equal(again.transform(Y), arrays.transform({"X": Y}))


def test_other_tables_are_no_wider_ones(Y, tmp_path):
    model = MultiViewGPLVM(**QUICK).fit({"X": Y[:, :2]})
    with pytest.raises(ValueError, match="view 'X' has 4 columns, but the model has 2 there"):
        model.transform({"X": Y})
    model.save(tmp_path / "model.bochner")
    with pytest.raises(ValueError, match="4 features, but MultiViewGPLVM is expecting 2"):
        MultiViewGPLVM.load(tmp_path / "model.bochner").transform(Y)
    first = MultiViewGPLVM(most_variable=2, **QUICK).fit({"X": Y[:, [1, 2, 0, 3]]})  # kept the first two, and knows it
    assert first.columns_ == {"X": ["X_0", "X_1"]}
    assert np.array_equal(first.transform({"X": Y[:, [1, 2, 0, 3]]}), first.transform({"X": Y[:, [1, 2]]}))


def test_trials_and_labels(Y):
    trials = np.tile([1.0, 8, 3], (24, 1))
    counts = np.c_[np.ones(24), np.arange(24) % 9, np.arange(24) % 3].astype(float)
    labels = np.where(Y[:, :2] > 0, "up", "down").astype(object)
    settings = {"likelihood": {"counts": "binomial", "labels": "categorical"}, "trials": {"counts": trials}, **SHORT}
    model = BayesianGPLVM(most_variable=1, **settings).fit({"counts": counts, "labels": labels})
    assert model.columns_["counts"] == ["counts_1"] and len(model.columns_["labels"]) == 2
    new = {"counts": counts[:4]}
    assert model.transform(new, trials={"counts": trials[:4]}).shape == (4, 2)
    assert np.array_equal(model.transform(new), model.transform({"counts": counts[:4, [1]]}))
    with pytest.raises(ValueError, match="'labels', which holds labels"):
        BayesianGPLVM(most_variable={"labels": 1}, **settings).fit({"counts": counts, "labels": labels})


@pytest.mark.parametrize(("value", "message"), [
    (0, "most_variable is 0, but must be None or an int from 1"),
    (2.5, "most_variable is 2.5"),
    ({"X": 0}, r"most_variable\['X'\] is 0"),
    ({"rna": 3}, "most_variable names view 'rna'"),
])  # fmt: skip
def test_wrong_values(Y, value, message):
    with pytest.raises(ValueError, match=message):
        MultiViewGPLVM(most_variable=value, **QUICK).fit(Y)


def test_names_that_repeat(Y):
    with pytest.raises(ValueError, match="2 columns named 'b'"):
        MultiViewGPLVM(most_variable=2, **QUICK).fit({"x": pd.DataFrame(Y, columns=list("abbd"))})


def test_anndata(Y):
    anndata = pytest.importorskip("anndata")
    data = anndata.AnnData(Y.copy())
    MultiViewGPLVM(most_variable=2, **QUICK).fit(data)
    relevance = data.varm["bochner_relevance"]
    assert relevance.shape == (4, 2)
    assert np.isnan(relevance[[0, 3]]).all() and np.isfinite(relevance[[1, 2]]).all()
