"""Tables as people keep them, and distributions of new outcomes, for the harmonic estimators."""

import numpy as np
import pytest

from bochner import HarmonicGPClassifier, HarmonicGPRegressor

pd = pytest.importorskip("pandas")
FEW = {"n_inducing": 20, "max_iter": 150, "random_state": 0, "n_jobs": 1}


def rides(n=150):
    rng = np.random.default_rng(0)
    day = rng.choice(["Mon", "Sat", "Sun"], n)
    temp = rng.normal(size=n)
    gap = rng.random(n) < 0.15
    y = 5.0 * (day == "Sat") + np.where(gap, 4, 2 * temp) + 0.2 * rng.normal(size=n)
    temp[gap] = np.nan
    frame = pd.DataFrame(
        {"day": pd.Categorical(day), "temp": temp, "date": pd.date_range("2015-01-01", periods=n), "open": temp > 0}
    )
    return frame, y


def test_frames_of_every_kind():
    X, y = rides()
    model = HarmonicGPRegressor(**FEW, ard=True).fit(X, y)
    assert model.n_features_in_ == 4
    assert model.feature_names_in_.tolist() == ["day", "temp", "date", "open"]
    assert list(model.relevance_) == ["day", "temp", "date", "open"]
    assert model.relevance_["day"] > model.relevance_["date"]
    assert list(model.lengthscale_) == ["day=Mon", "day=Sat", "day=Sun", "temp", "temp missing", "date", "open"]
    assert "'day' (3 levels)" in model.notes_[-1]
    assert model.score(X, y) > 0.8
    levels, mean = model.partial_dependence("day")
    assert levels.tolist() == ["Mon", "Sat", "Sun"]
    assert mean[1, 0] > mean[0, 0] + 2


def test_strings_are_the_same_as_categories():
    X, y = rides()
    a = HarmonicGPRegressor(**FEW).fit(X, y).predict(X)
    strings = X.assign(day=X["day"].astype(str), date=X["date"].dt.strftime("%Y-%m-%d"))
    assert np.array_equal(HarmonicGPRegressor(**FEW).fit(strings, y).predict(X), a)


def test_new_levels_and_new_gaps():
    X, y = rides()
    model = HarmonicGPRegressor(**FEW).fit(X, y)
    new = X.assign(day="Holiday")
    with pytest.warns(UserWarning, match="'day': 150 rows .*'Holiday'"):
        assert np.isfinite(model.predict(new)).all()
    gaps = X.copy()
    gaps.loc[3, "date"] = pd.NaT
    with pytest.raises(ValueError, match="'date' without missing values"):
        model.predict(gaps)


def test_a_model_file_keeps_the_encoding(tmp_path):
    X, y = rides()
    model = HarmonicGPRegressor(**FEW, circle={"temp": 7}).fit(X, y)
    model.save(tmp_path / "model.bochner")
    loaded = HarmonicGPRegressor.load(tmp_path / "model.bochner", n_jobs=1)
    assert loaded.circle == {"temp": 7}
    assert loaded.feature_names_in_.tolist() == list(X.columns)
    assert np.array_equal(loaded.predict(X), model.predict(X))


def test_gaps_and_categories_of_arrays():
    X, y = rides()
    A = np.column_stack([X["day"].cat.codes, X["temp"]])
    model = HarmonicGPRegressor(**FEW, categorical=[0]).fit(A, y)
    assert model.score(A, y) > 0.8
    assert model.n_features_in_ == 2
    assert list(model.lengthscale_)[:4] == ["0=0", "0=1", "0=2", "1"]
    with pytest.raises(ValueError, match="categorical names column 5"):
        HarmonicGPRegressor(**FEW, categorical=[5]).fit(A, y)


def test_sparse_inputs():
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(0)
    A = rng.normal(size=(60, 3)) * (rng.random((60, 3)) < 0.5)
    a = HarmonicGPRegressor(**FEW).fit(A, A[:, 0]).predict(A)
    assert np.array_equal(HarmonicGPRegressor(**FEW).fit(sparse.csr_matrix(A), A[:, 0]).predict(sparse.csc_matrix(A)), a)


def test_text_that_hardly_repeats_is_refused():
    X, y = rides()
    with pytest.raises(ValueError, match="'name': 150 distinct texts in 150 rows.*drop the column 'name'"):
        HarmonicGPRegressor(**FEW).fit(X.assign(name=[f"volvo{n}" for n in range(150)]), y)
    with pytest.raises(ValueError, match="X, row 5, column 'temp'.*<0.5"):
        HarmonicGPRegressor(**FEW).fit(X.assign(temp=["1.5"] * 4 + ["<0.5"] + ["2"] * 145), y)


@pytest.mark.parametrize("likelihood", ["gaussian", "student", "poisson", "negbinom"])
def test_quantiles_and_samples_agree(likelihood):
    rng = np.random.default_rng(1)
    A = rng.normal(size=(120, 2))
    y = np.sin(2 * A[:, 0]) + 0.3 * rng.normal(size=120)
    counts = likelihood in ("poisson", "negbinom")
    y = np.floor(np.exp(y + 1)) if counts else y
    model = HarmonicGPRegressor(**FEW, likelihood=likelihood).fit(A, y)
    low, middle, high = model.predict(A, quantiles=[0.05, 0.5, 0.95]).T
    assert (low <= middle).all()
    assert (middle <= high).all()
    assert np.array_equal(model.predict(A, quantiles=0.5), middle)
    draws = model.sample_y(A[:20], 2000, random_state=3)
    assert draws.shape == (20, 2000)
    below = (draws <= high[:20, None]).mean(axis=1)
    slack = 0.1 if counts else 0.04  # counts reach the level or more
    assert (below > 0.95 - 0.03).all()
    assert (below < 0.95 + slack).all()
    assert np.array_equal(draws, model.sample_y(A[:20], 2000, random_state=3))


def test_covariance_and_interval_of_a_gaussian():
    A = np.random.default_rng(1).normal(size=(80, 2))
    model = HarmonicGPRegressor(**FEW, noise_model="constant").fit(A, A[:, 0])
    mean, cov = model.predict(A, return_cov=True)
    _, std = model.predict(A, return_std=True)
    assert np.allclose(np.sqrt(np.diag(cov)), std, rtol=1e-6)
    assert np.allclose(model.predict(A, quantiles=0.975), mean + 1.959963984540054 * std)
    with pytest.raises(ValueError, match="one of return_std, return_cov and quantiles"):
        model.predict(A, return_std=True, quantiles=0.5)
    with pytest.raises(ValueError, match="quantiles is 2"):
        model.predict(A, quantiles=2)


@pytest.mark.parametrize("classes", [2, 3])
def test_quantiles_of_probabilities(classes):
    A = np.random.default_rng(1).normal(size=(90, 2))
    labels = np.array(["b", "a", "c"])[np.digitize(A[:, 0], [0.0, 0.8][: classes - 1])]
    model = HarmonicGPClassifier(**FEW).fit(A, labels)
    q = model.predict_proba(A, quantiles=[0.1, 0.5, 0.9])
    assert q.shape == (90, classes, 3)
    assert (np.diff(q, axis=2) >= 0).all()
    p = model.predict_proba(A)
    assert np.corrcoef(p[:, 0], q[:, 0, 1])[0, 1] > 0.95
    draws = model.sample_y(A, 400, random_state=0)
    assert np.abs((draws == "a").mean(axis=1) - p[:, 0]).max() < 0.15


def test_weights_are_repeated_rows():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(100, 1))
    y = np.where(rng.random(100) < 0.5, 1.0, -1.0)  # two answers for the same inputs
    heavy = HarmonicGPRegressor(**FEW).fit(A, y, sample_weight=np.where(y > 0, 9.0, 1.0))
    assert heavy.predict(A).mean() == pytest.approx(0.8, abs=0.25)
    assert np.array_equal(
        HarmonicGPRegressor(**FEW).fit(A, y, sample_weight=np.full(100, 2.0)).predict(A),
        HarmonicGPRegressor(**FEW).fit(A, y, sample_weight=np.ones(100)).predict(A),
    )
    with pytest.raises(ValueError, match="sample_weight must be finite"):
        HarmonicGPRegressor(**FEW).fit(A, y, sample_weight=-np.ones(100))


def test_class_weights():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(200, 1))
    y = (rng.random(200) < 0.1).astype(int)
    plain = HarmonicGPClassifier(**FEW).fit(A, y).predict_proba(A)[:, 1].mean()
    balanced = HarmonicGPClassifier(**FEW, class_weight="balanced").fit(A, y).predict_proba(A)[:, 1].mean()
    assert plain < 0.25
    assert balanced == pytest.approx(0.5, abs=0.12)
    with pytest.raises(ValueError, match="class_weight names the class 7"):
        HarmonicGPClassifier(**FEW, class_weight={7: 2.0}).fit(A, y)


def test_pictures_of_inputs():
    pytest.importorskip("matplotlib").use("Agg")
    from bochner import plot

    X, y = rides()
    model = HarmonicGPRegressor(**FEW).fit(X, y)
    bars = plot.input_relevance(model)
    assert [t.get_text() for t in bars.get_yticklabels()][-1] == max(model.relevance_, key=model.relevance_.get)
    assert plot.partial_dependence(model, "temp").lines[0].get_ydata() == pytest.approx(model.partial_dependence("temp")[1][:, 0])


def test_an_encoded_model_can_be_pickled():
    import pickle

    X, y = rides()
    model = HarmonicGPRegressor(**FEW).fit(X, y)
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))


def test_categories_of_pandas_are_categories_whatever_they_are():
    X, y = rides()
    X = X[["open"]].assign(
        ordinal=pd.Categorical(np.where(np.arange(150) % 2, "1st", "2nd")),
        digits=pd.Categorical((np.arange(150) % 3).astype(str)),
        code=pd.Categorical(np.arange(150) % 4),
        text=np.where(np.arange(150) % 2, "18-25", "65+"),
    )
    model = HarmonicGPRegressor(**FEW).fit(X, y)
    for name, count in (("ordinal", 2), ("digits", 3), ("code", 4), ("text", 2)):
        assert f"'{name}' ({count} levels)" in model.notes_[-1]
    assert np.isfinite(model.predict(X)).all()
    assert model.partial_dependence("code")[0].tolist() == ["0", "1", "2", "3"]


def test_missing_values_that_fit_has_not_seen_name_their_column():
    A = np.random.default_rng(0).normal(size=(60, 3))
    frame = pd.DataFrame(A, columns=["a", "b", "c"])
    gaps = A.copy()
    gaps[7, 1] = np.nan
    for X, new, name in ((A, gaps, "1"), (frame, frame.mask(np.isnan(gaps)), "b")):
        model = HarmonicGPRegressor(**FEW).fit(X, A[:, 0])
        with pytest.raises(ValueError, match=f"column '{name}' without missing values(.|\n)*row 7(.|\n)*impute"):
            model.predict(new)
        assert np.isfinite(HarmonicGPRegressor(**FEW).fit(new, A[:, 0]).predict(new)).all()
