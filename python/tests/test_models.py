"""What the models do, beyond what scikit-learn checks."""

import copy
import os
import pickle
import signal
import threading

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from bochner import (
    BayesianGPLVM,
    HarmonicGPClassifier,
    HarmonicGPRegressor,
    KernelForecaster,
    MultiViewGPLVM,
    MultiViewKernelPCA,
    datasets,
)


@pytest.fixture(scope="module")
def data():
    return datasets.make_s_curve(80, {"a": 12, "b": 10}, missing=0.1, random_state=2)


@pytest.fixture(scope="module")
def fitted(data):
    return MultiViewGPLVM(kernel="rbf", max_iter=150, random_state=1).fit(data.views)


def r2(X, truth):
    A = np.column_stack([X, np.ones(len(X))])
    left = truth - A @ np.linalg.lstsq(A, truth, rcond=None)[0]
    return 1 - (left**2).sum() / ((truth - truth.mean(0)) ** 2).sum()


def test_latents_are_those_of_the_truth(data, fitted):
    assert r2(fitted.latent_, data.latent) > 0.9
    assert r2(fitted.transform(data.views), data.latent) > 0.9


def test_missing_values_are_filled_within_intervals(data, fitted):
    filled, low, high = fitted.impute(data.views, interval=0.9)
    missing = np.isnan(data.views["a"])
    truth = data.complete["a"][missing]
    assert np.mean((filled["a"][missing] - truth) ** 2) < 0.5 * np.var(truth)
    inside = (low["a"][missing] <= truth) & (truth <= high["a"][missing])
    assert 0.75 < inside.mean() <= 1
    assert np.array_equal(filled["a"][~missing], data.views["a"][~missing])
    with pytest.raises(ValueError, match="between 0 and 1"):
        fitted.impute(data.views, interval=90)


def test_a_view_from_the_other(data, fitted):
    guess, std = fitted.predict_view(data.views, "b", return_std=True)
    alone = fitted.predict_view({"a": data.views["a"]}, "b")
    assert np.array_equal(guess, alone)  # it does not look at the view itself
    assert np.mean((guess - data.complete["b"]) ** 2) < 0.6 * np.var(data.complete["b"])
    assert (std > 0).all()


def test_inverse_transform_and_samples(data, fitted):
    back = fitted.inverse_transform(fitted.latent_)
    assert set(back) == {"a", "b"} and back["a"].shape == (80, 12)
    assert fitted.sample(5, random_state=0)["b"].shape == (5, 10)
    assert np.array_equal(fitted.sample(5, random_state=0)["b"], fitted.sample(5, random_state=0)["b"])


@pytest.mark.parametrize("copier", [lambda m: pickle.loads(pickle.dumps(m)), copy.deepcopy])
def test_copies_answer_alike(data, fitted, copier):
    assert copier(fitted).transform(data.views).tobytes() == fitted.transform(data.views).tobytes()


def test_joblib(data, fitted, tmp_path):
    joblib.dump(fitted, tmp_path / "model.joblib")
    assert joblib.load(tmp_path / "model.joblib").transform(data.views).tobytes() == fitted.transform(data.views).tobytes()


@pytest.mark.parametrize(
    "estimator",
    [
        MultiViewGPLVM(kernel="rbf", max_iter=20, random_state=4),
        BayesianGPLVM(n_frequencies=8, n_warmup=5, n_draws=5, start="pca", random_state=4),
        MultiViewKernelPCA(random_state=4, features="30"),
    ],
    ids=lambda e: type(e).__name__,
)
def test_threads_do_not_change_a_byte(data, estimator):
    Y = data.complete["a"]
    answers = [clone(estimator).set_params(n_jobs=n).fit_transform(Y).tobytes() for n in (1, 2, 3)]
    assert answers[0] == answers[1] == answers[2]


def test_random_state_may_be_a_generator(data):
    Y = data.complete["a"]
    fits = [
        MultiViewGPLVM(kernel="rbf", max_iter=5, random_state=np.random.default_rng(7)).fit(Y).seed_ for _ in range(2)
    ]
    assert fits[0] == fits[1]
    with pytest.raises(ValueError, match="random_state is -1"):
        MultiViewGPLVM(random_state=-1).fit(Y)
    with pytest.raises(ValueError, match="random_state"):
        MultiViewGPLVM(random_state="seed").fit(Y)


def test_grid_search_over_kernels(data):
    Y = np.hstack([data.views["a"], data.views["b"]])
    search = GridSearchCV(
        MultiViewGPLVM(max_iter=100, random_state=0, views={"a": slice(0, 12), "b": slice(12, 22)}),
        {"kernel": ["rbf", "linear"]},
        cv=KFold(2, shuffle=True, random_state=0),  # rows are in the order of the curve
    ).fit(Y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.best_params_["kernel"] == "rbf"  # the truth is no plane


def test_pipelines_and_cross_validation(data):
    Y = data.complete["a"]
    scores = cross_val_score(make_pipeline(StandardScaler(), MultiViewGPLVM(kernel="rbf", max_iter=20)), Y, cv=3)
    assert scores.shape == (3,) and np.isfinite(scores).all()


def test_callbacks_hear_every_step_and_may_stop(data):
    heard = []

    def callback(step, of, objective):
        heard.append((step, of, objective))
        return len(heard) < 7

    model = MultiViewGPLVM(kernel="rbf", max_iter=50, n_restarts=1, random_state=0, callback=callback).fit(data.views)
    assert len(heard) == 7 and heard[0][1] == 50
    assert np.isfinite(model.latent_).all()

    def broken(step, of, objective):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        MultiViewGPLVM(kernel="rbf", max_iter=50, callback=broken).fit(data.views)


def test_ctrl_c_keeps_the_best_state(data):
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background of a shell
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.warns(UserWarning, match="interrupted"):
        model = MultiViewGPLVM(kernel="ngsm", max_iter=1_000_000, patience=1_000_000, random_state=0).fit(data.views)
    assert np.isfinite(model.transform(data.views)).all()


def test_a_bar_is_shown_when_asked(data, capsys):
    MultiViewGPLVM(kernel="rbf", max_iter=10, random_state=0, verbose=1).fit(data.views)
    assert "MultiViewGPLVM |" in capsys.readouterr().err


def test_the_lock_is_released(data):
    """Another thread runs while a fit does."""
    ticks = []
    done = threading.Event()

    def count():
        while not done.is_set():
            ticks.append(1)
            done.wait(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    MultiViewGPLVM(kernel="rbf", max_iter=150, random_state=0, n_jobs=1).fit(data.views)
    done.set()
    thread.join()
    assert len(ticks) > 5


def test_messages_of_the_core_are_value_errors(data):
    with pytest.raises(ValueError, match="kernel"):
        MultiViewGPLVM(kernel="nonsense").fit(data.views)
    with pytest.raises(ValueError, match="features"):
        MultiViewGPLVM(features="nonsense").fit(data.views)
    with pytest.raises(ValueError):
        MultiViewGPLVM(n_components=0).fit(data.views)
    with pytest.raises(ValueError, match="no-such-file"):
        MultiViewGPLVM.load("no-such-file.bochner")


def test_counts_by_markov_chains():
    counts = datasets.make_s_curve(150, {"counts": (60, "rbf", "poisson")}, random_state=1)
    Y = counts.views["counts"].copy()
    Y[np.random.default_rng(0).random(Y.shape) < 0.1] = np.nan
    model = BayesianGPLVM(likelihood="poisson", n_frequencies=30, n_warmup=100, n_draws=60, random_state=1).fit(Y)
    assert r2(model.latent_, counts.latent) > 0.6
    filled, low, high = model.impute(Y, interval=0.9)
    missing = np.isnan(Y)
    assert (low[missing] <= filled[missing]).all() and (filled[missing] <= high[missing] + 1e-9).all()
    assert np.isfinite(model.score(Y))
    again = pickle.loads(pickle.dumps(model))
    assert again.transform(Y).tobytes() == model.transform(Y).tobytes()


def test_labels_trials_and_time():
    rng = np.random.default_rng(0)
    t = np.linspace(0, 6, 60)
    hidden = np.column_stack([np.sin(t), np.cos(t)])
    likely = 1 / (1 + np.exp(-2 * hidden @ rng.normal(size=(2, 5))))
    views = {"shares": rng.binomial(10, likely).astype(float), "labels": np.where(hidden > 0, "up", "down")}
    model = BayesianGPLVM(
        likelihood={"shares": "binomial", "labels": "categorical"},
        trials={"shares": 10},
        n_frequencies=10, n_warmup=30, n_draws=30, random_state=0,
    ).fit(views, time=t)  # fmt: skip
    assert model.transform(views).shape == (60, 2)
    chances = model.predict_view({"shares": views["shares"]}, "labels")
    assert chances.shape == (60, 4)  # two classes of two columns
    assert np.allclose(chances[:, :2].sum(1), 1)
    ahead = model.forecast(5, gap=0.1)
    assert ahead["shares"][0].shape == (5, 5) and np.isfinite(ahead["shares"][0]).all()
    median, low, high = ahead["shares"]
    assert (low <= median).all() and (median <= high).all() and (median == median.round()).all()
    assert model.rhat_ > 1.05 and model.status_ == "finished"  # not converged: 30 draws
    with pytest.raises(ValueError, match="needs trials"):
        BayesianGPLVM(likelihood="binomial").fit(views["shares"])


def test_regression_with_error_bars():
    d = datasets.make_regression(300, 2, random_state=0)
    model = HarmonicGPRegressor(kernel="rbf", n_inducing=60, max_iter=500, random_state=0).fit(d.X[:200], d.y[:200])
    mean, std = model.predict(d.X[200:], return_std=True)
    assert model.score(d.X[:200], d.y[:200]) > 0.7
    assert mean.shape == std.shape == (100,)
    assert np.isfinite(model.log_density(d.X, d.y)).all()
    parts = model.predict_parts(d.X)
    assert len(parts) == model._fit.groups


def test_classification():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    y = np.array(["low", "middle", "high"])[(X[:, 0] > -0.5).astype(int) + (X[:, 0] > 0.5)]
    model = HarmonicGPClassifier(n_inducing=40, max_iter=400, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.9
    assert np.allclose(model.predict_proba(X).sum(1), 1)


def test_forecasts_have_tidy_intervals():
    _, y = datasets.make_sines(400)
    model = KernelForecaster(lags=60, random_state=0).fit(y[:380])
    ahead = model.forecast(20, coverage=[0.8, 0.95])
    assert np.abs(ahead.mean[:, 0] - y[380:]).max() < 0.1
    frame = ahead.to_frame()
    assert len(frame) == 40 and list(frame.columns) == ["series", "step", "mean", "coverage", "lower", "upper"]
    assert (frame["lower"] <= frame["mean"]).all() and (frame["mean"] <= frame["upper"]).all()
    assert model.score(y[380:]) > 0.95


@pytest.mark.parametrize("threads", [1, 2])
def test_model_files_of_all_kinds(tmp_path, data, threads):
    Y = data.complete["a"]
    models = [
        (MultiViewGPLVM(kernel="rbf", max_iter=10, random_state=0).fit(Y), lambda m: m.transform(Y)),
        (MultiViewKernelPCA(random_state=0).fit(Y), lambda m: m.transform(Y)),
        (BayesianGPLVM(n_frequencies=8, n_warmup=5, n_draws=5, start="pca", random_state=0).fit(Y), lambda m: m.transform(Y)),
        (HarmonicGPRegressor(n_inducing=10, max_iter=20, random_state=0).fit(Y[:, 1:], Y[:, 0]), lambda m: m.predict(Y[:, 1:])),
        (HarmonicGPClassifier(n_inducing=10, max_iter=20, random_state=0).fit(Y, Y[:, 0] > 0), lambda m: m.predict_proba(Y)),
        (KernelForecaster(lags=5, random_state=0).fit(Y[:, :2]), lambda m: m.forecast(5).mean),
    ]  # fmt: skip
    for model, answer in models:
        path = tmp_path / f"{type(model).__name__}.bochner"
        model.save(path)
        loaded = type(model).load(path, n_jobs=threads)
        assert answer(loaded).tobytes() == answer(model).tobytes()
        again = tmp_path / "again.bochner"
        loaded.save(again)
        assert again.read_bytes() == path.read_bytes()
