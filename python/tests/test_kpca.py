"""Pre-images, labels, weights and generated samples of kernel PCA."""

import pickle

import anndata
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from bochner import MultiViewKernelPCA, datasets


def test_preimages_know_which_views_they_come_from():
    data = datasets.make_s_curve(150, {"a": 8, "b": 6}, random_state=1)
    m = MultiViewKernelPCA(n_components=5, random_state=0).fit(data.views)
    absent = np.full_like(data.views["a"], np.nan)
    filled = m.impute({"a": absent, "b": data.views["b"]})["a"]
    direct = m.predict_view({"b": data.views["b"]}, "a")
    assert np.allclose(filled, direct)


@pytest.fixture(scope="module")
def curve():
    data = datasets.make_s_curve(90, {"a": 8, "b": 6}, random_state=1)
    return data.views, np.where(data.position > np.median(data.position), "late", "early").astype(object)


def test_labels_are_one_more_view(curve):
    views, labels = curve
    model = MultiViewKernelPCA(n_components=4, random_state=0).fit(views, labels=labels)
    assert model.classes_.tolist() == ["early", "late"] and set(model.weights_) == {"a", "b", "labels"}
    assert np.mean(model.predict_labels(views) == labels) > 0.9
    assert np.mean(model.predict_labels({"b": views["b"]}) == labels) > 0.8
    by_class = model.predict_view(views, "labels")
    assert by_class.shape == (90, 2) and by_class.sum(1) == pytest.approx(1)
    made = model.sample(4, random_state=0)
    assert set(made) == {"a", "b", "labels"}
    assert not np.array_equal(model.transform(views), model.transform(views, labels=labels))
    assert set(model.impute(views)) == {"a", "b"}
    assert np.isfinite(model.score(views))
    model.fit(views)
    assert not hasattr(model, "classes_") and set(model.weights_) == {"a", "b"}
    for call in (lambda: model.predict_labels(views), lambda: model.transform(views, labels=labels)):
        with pytest.raises(ValueError, match="labels"):
            call()


def test_unknown_labels_do_not_count(curve):
    views, labels = curve
    some = labels.copy()
    some[::9] = None
    model = MultiViewKernelPCA(random_state=0).fit(views, labels=some)
    kept = [n for n in range(90) if some[n] is not None]
    alone = MultiViewKernelPCA(random_state=0).fit({k: v[kept] for k, v in views.items()}, labels=labels[kept])
    assert np.array_equal(model.eigenvalues_, alone.eigenvalues_)
    assert model.transform(views, labels=some).shape == (90, 2)
    with pytest.raises(ValueError, match="'never', which the model does not know"):
        model.transform(views, labels=np.full(90, "never"))
    with pytest.raises(ValueError, match="89 entries"):
        model.fit(views, labels=labels[1:])
    with pytest.raises(ValueError, match="only the label 'early'"):
        model.fit(views, labels=np.full(90, "early"))
    with pytest.raises(ValueError, match="cannot be called 'labels'"):
        model.fit({"labels": views["a"]}, labels=labels)


def test_labels_of_frames_go_by_index(curve):
    views, labels = curve
    ids = [f"s{n}" for n in range(90)]
    frames = {name: pd.DataFrame(Y, index=ids) for name, Y in views.items()}
    series = pd.Series(labels, index=ids)
    straight = MultiViewKernelPCA(random_state=0).fit(frames, labels=series)
    shuffled = MultiViewKernelPCA(random_state=0).fit(frames, labels=series.sample(frac=1, random_state=0))
    column = MultiViewKernelPCA(random_state=0).fit(frames, labels=series.to_frame("stage").astype("category"))
    for other in (shuffled, column):
        assert np.array_equal(straight.eigenvalues_, other.eigenvalues_)
    with pytest.raises(ValueError, match="no entry for any sample"):
        straight.fit(frames, labels=pd.Series(labels))


def test_labels_of_annotations(curve):
    views, labels = curve
    adata = anndata.AnnData(views["a"], obs=pd.DataFrame({"stage": labels}, index=[str(n) for n in range(90)]))
    model = MultiViewKernelPCA(random_state=0).fit(adata, labels="stage")
    table = MultiViewKernelPCA(random_state=0).fit(views["a"], labels=labels)
    assert np.array_equal(model.eigenvalues_, table.eigenvalues_)
    assert table.inverse_transform(table.transform(views["a"])).shape == (90, 8)
    assert np.array_equal(table.predict_labels(views["a"]), model.predict_labels(adata))
    with pytest.raises(ValueError, match="no column 'age', only 'stage'"):
        model.fit(adata, labels="age")
    with pytest.raises(ValueError, match="not AnnData"):
        model.fit(views, labels="stage")


def test_options_of_the_view_of_labels(curve):
    views, labels = curve
    plain = MultiViewKernelPCA(random_state=0).fit(views, labels=labels)
    same = MultiViewKernelPCA(kernel={"labels": "linear"}, random_state=0).fit(views, labels=labels)
    heavy = MultiViewKernelPCA(weight={"labels": 9.0}, random_state=0).fit(views, labels=labels)
    assert np.array_equal(plain.eigenvalues_, same.eigenvalues_)
    assert heavy.weights_ == {"a": 1.0, "b": 1.0, "labels": 9.0}


def test_balanced_views_count_alike(curve):
    views = {"a": 100 * curve[0]["a"], "b": curve[0]["b"]}
    plain = {"kernel": "linear", "scaling": "center", "n_components": 1, "random_state": 0}
    model = MultiViewKernelPCA(balance=True, **plain).fit(views)
    for name, Y in views.items():
        assert model.weights_[name] * ((Y - Y.mean(0)) ** 2).sum(1).mean() == pytest.approx(1)
    assert MultiViewKernelPCA(**plain).fit(views).weights_ == {"a": 1.0, "b": 1.0}


def test_walks_along_components(curve):
    views = curve[0]
    model = MultiViewKernelPCA(n_components=3, random_state=0).fit(views)
    Z, walk = model.traverse(1, n_steps=5, width=1.5)
    assert Z.shape == (5, 3) and (Z[:, [0, 2]] == 0).all()
    sd = model.transform(views)[:, 1].std()
    assert Z[:, 1] == pytest.approx(1.5 * sd * np.array([-1, -0.5, 0, 0.5, 1]))
    for name, Y in model.inverse_transform(Z).items():
        assert walk[name] == pytest.approx(Y)
    for wrong in ({"component": 3}, {"component": -1}, {"component": 0.5}, {"n_steps": 1}, {"width": 0}):
        name = next(iter(wrong))
        with pytest.raises(ValueError, match=f"{name} is {wrong[name]}"):
            model.traverse(**wrong)


def test_epochs_train_networks(curve):
    views = curve[0]
    short, longer = (
        MultiViewKernelPCA(features="network:6", n_epochs=n, random_state=0).fit(views).score(views) for n in (2, 60)
    )
    assert longer > short


def test_copies_and_searches(curve):
    views, labels = curve
    whole = np.hstack(list(views.values()))
    model = MultiViewKernelPCA(views={"a": slice(0, 8), "b": slice(8, 14)}, balance=True, random_state=0)
    fitted = clone(model).fit(whole, labels=labels)
    again = pickle.loads(pickle.dumps(fitted))
    assert again.predict_labels(whole).tolist() == fitted.predict_labels(whole).tolist()
    search = GridSearchCV(model, {"n_components": [1, 6], "balance": [True, False]}, cv=3).fit(whole, labels=labels)
    assert search.best_params_["n_components"] == 6
    assert np.array_equal(model.fit(whole, labels).eigenvalues_, model.fit(whole).eigenvalues_)  # y is ignored
