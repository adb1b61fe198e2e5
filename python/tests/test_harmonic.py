"""Inputs, outcomes and files of harmonic Gaussian processes."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV

from bochner import HarmonicGPClassifier, HarmonicGPRegressor


def test_parts_need_a_fit(Y):
    with pytest.raises(NotFittedError):
        HarmonicGPRegressor().predict_parts(Y)


def test_lengths_of_x_and_y_are_compared(Y):
    m = HarmonicGPRegressor(n_inducing=5, max_iter=5, random_state=0).fit(Y, Y[:, 0])
    for call in (m.log_density, m.score):
        with pytest.raises(ValueError, match="inconsistent"):
            call(Y[:5], Y[:, 0])
    c = HarmonicGPClassifier(n_inducing=5, max_iter=5, random_state=0).fit(Y, np.where(Y[:, 0] > 0, 10, 2))
    for call in (c.log_density, c.score):
        with pytest.raises(ValueError, match="inconsistent"):
            call(Y[:5], np.full(6, 2))
    with pytest.raises(ValueError, match="does not know"):
        c.log_density(Y, np.full(20, 5))


@pytest.mark.parametrize("labels", [[2, 10], [False, True], ["b", "a"], [1.5, 2.5]])
def test_classes_of_files_are_what_they_were(Y, tmp_path, labels):
    y = np.array(labels)[(Y[:, 0] > 0).astype(int)]
    if y.dtype.kind == "f":
        y = y * 2
    m = HarmonicGPClassifier(n_inducing=10, max_iter=50, random_state=0).fit(Y, y)
    m.save(tmp_path / "m")
    loaded = HarmonicGPClassifier.load(tmp_path / "m")
    assert loaded.classes_.dtype == m.classes_.dtype and np.array_equal(loaded.classes_, m.classes_)
    assert loaded.score(Y, y) == m.score(Y, y)
    with pytest.raises(ValueError, match="HarmonicGPClassifier"):
        HarmonicGPRegressor.load(tmp_path / "m")


def test_names_of_inputs_are_kept_in_files(A, tmp_path):
    m = HarmonicGPRegressor(n_inducing=5, max_iter=5, random_state=0).fit(A, A["a"])
    m.save(tmp_path / "m")
    with pytest.raises(ValueError, match="feature names"):
        HarmonicGPRegressor.load(tmp_path / "m").predict(A[list("edcba")])


SMALL = {"n_inducing": 15, "max_iter": 80, "random_state": 0}


@pytest.fixture(scope="module")
def places():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=70), "hour": rng.uniform(0, 24, 70), "lon": rng.uniform(-180, 180, 70),
                      "lat": rng.uniform(-85, 85, 70)})  # fmt: skip
    return X, np.sin(X["hour"] * np.pi / 12).to_numpy() + 0.2 * rng.normal(size=70)


def test_circles_and_spheres_close(places):
    X, y = places
    model = HarmonicGPRegressor(circle={"hour": 24}, sphere=("lon", "lat"), **SMALL).fit(X, y)
    round_the_clock = X.assign(hour=X["hour"] + 24, lon=X["lon"] + 360)
    assert model.predict(round_the_clock) == pytest.approx(model.predict(X), abs=1e-9)
    plain = HarmonicGPRegressor(**SMALL).fit(X, y)
    assert np.abs(plain.predict(round_the_clock) - plain.predict(X)).max() > 0.1
    for same in (
        HarmonicGPRegressor(circle={1: 24.0}, sphere=[(2, 3)], **SMALL).fit(X, y),
        HarmonicGPRegressor(circle={np.int64(1): 24}, sphere=[[2, 3]], **SMALL).fit(X, y),
    ):
        assert same.predict(X).tobytes() == model.predict(X).tobytes()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"circle": {"our": 24}}, "circle names column 'our', but the columns of X are 'x', 'hour', 'lon', 'lat'"),
        ({"circle": {4: 24}}, "circle names column 4, but X has 4 columns, from 0 to 3"),
        ({"sphere": ("lon", "latitude")}, "sphere names column 'latitude'"),
        ({"sphere": ("lon", "lon")}, "twice"),
        ({"sphere": ("lat", "lon")}, "latitude"),
    ],
)
def test_columns_that_are_not_there(places, parameters, message):
    with pytest.raises(ValueError, match=message):
        HarmonicGPRegressor(**parameters, **SMALL).fit(*places)


def test_arrays_have_no_names(places):
    X, y = places
    with pytest.raises(ValueError, match="X has no column names; use its position"):
        HarmonicGPRegressor(circle={"hour": 24}, **SMALL).fit(X.to_numpy(), y)


def test_parameters_reach_the_core(places):
    X, y = places
    Y = np.column_stack([y, -y])

    def fit(**parameters):
        return HarmonicGPRegressor(**{**SMALL, **parameters}).fit(X, Y).predict(X, return_std=True)[1]

    plain = fit()
    for other in ({"natural_step": 0.0}, {"shared_covariance": True}, {"noise": 0.5}, {"likelihood": "student"}):
        assert not np.array_equal(fit(**other), plain), other
    student = fit(likelihood="student")
    assert not np.array_equal(fit(likelihood="student", degrees=20), student)
    assert np.array_equal(fit(degrees=20), plain)  # of Student's t alone


def test_layers_are_kept_in_files(places, tmp_path):
    X, y = places
    model = HarmonicGPRegressor(layers=["dense:2", "dense"], hidden_inducing=[7], n_draws=3, **SMALL).fit(X, y)
    model.save(tmp_path / "m")
    loaded = HarmonicGPRegressor.load(tmp_path / "m")
    assert loaded.layers == ["dense:2", "dense"] and loaded.hidden_inducing == [7] and loaded.n_draws == 3
    assert loaded.predict(X).tobytes() == model.predict(X).tobytes()
    two = HarmonicGPRegressor(layers=2, **SMALL).fit(X, y)
    assert not np.array_equal(two.predict(X), HarmonicGPRegressor(**SMALL).fit(X, y).predict(X))


def test_images_need_their_shape():
    X, y = np.random.default_rng(0).normal(size=(40, 16)), np.arange(40) % 2
    with pytest.raises(ValueError, match="shape of the images"):
        HarmonicGPClassifier(layers=["patches:3"], **SMALL).fit(X, y)
    model = HarmonicGPClassifier(layers=["patches:3"], image=(4, 4), **SMALL).fit(X, y)
    assert model.predict_proba(X).shape == (40, 2)


def test_copies_and_searches(places):
    X, y = places
    model = HarmonicGPRegressor(circle={"hour": 24}, sphere=[("lon", "lat")], likelihood="student", **SMALL)
    assert clone(model).get_params() == model.get_params()
    fitted = model.fit(X, y)
    assert pickle.loads(pickle.dumps(fitted)).predict(X).tobytes() == fitted.predict(X).tobytes()
    search = GridSearchCV(HarmonicGPRegressor(**SMALL), {"circle": [None, {"hour": 24}], "noise": [0.1, 0.3]}, cv=3)
    assert search.fit(X, y).best_params_["circle"] == {"hour": 24}


def test_files_have_the_parameters(places, tmp_path):
    X, y = places
    model = HarmonicGPRegressor(circle={"hour": 24}, likelihood="student", degrees=7, noise=0.3, ard=True, **SMALL)
    model.fit(X, y).save(tmp_path / "m")
    loaded = HarmonicGPRegressor.load(tmp_path / "m")
    ours, theirs = model.get_params(), loaded.get_params()
    assert {k: v for k, v in theirs.items() if v != ours[k]} == {"random_state": None, "symmetry": []}
    assert loaded.predict(X).tobytes() == model.predict(X).tobytes()
    by_position = HarmonicGPRegressor(circle={1: 24}, sphere=(2, 3), **SMALL).fit(X.to_numpy(), y)
    by_position.save(tmp_path / "m")
    loaded = HarmonicGPRegressor.load(tmp_path / "m")
    assert loaded.circle == {1: 24} and loaded.sphere == [(2, 3)]


def test_bernoulli_is_for_two_classes(Y):
    with pytest.raises(ValueError, match="two classes, but y has 3"):
        HarmonicGPClassifier(likelihood="bernoulli").fit(Y, np.arange(20) % 3)
    two = np.arange(20) % 2
    one = HarmonicGPClassifier(likelihood="bernoulli", **SMALL).fit(Y, two)
    assert one.predict_proba(Y).tobytes() == HarmonicGPClassifier(**SMALL).fit(Y, two).predict_proba(Y).tobytes()
