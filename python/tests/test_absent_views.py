"""Views that samples lack altogether are predicted from the views that they have."""

import json
import pickle
import signal

import numpy as np
import pandas as pd
import pytest
from support import QUICK, read_csv, run, write_csv

from bochner import MultiViewGPLVM, _core

pytestmark = pytest.mark.filterwarnings("ignore::bochner.ConvergenceWarning")
LACKING = slice(90, 105)  # samples of fit that have no view b


@pytest.fixture(scope="module")
def views():
    """View b is a curved function of view a. 120 samples to learn from, some without b, and 40 new ones."""
    rng = np.random.default_rng(5)
    t = rng.normal(size=(160, 2))
    a = t @ rng.normal(size=(2, 8)) + 0.2 * rng.normal(size=(160, 8))
    b = np.sin(t @ rng.normal(size=(2, 6)) + rng.uniform(0, 6, 6)) + 0.1 * rng.normal(size=(160, 6))
    return {name: np.round(Y, 6) for name, Y in (("a", a), ("b", b))}


@pytest.fixture(scope="module")
def seen(views):
    out = {name: Y[:120].copy() for name, Y in views.items()}
    out["b"][LACKING] = np.nan
    return out


@pytest.fixture(scope="module")
def fitted(seen):
    return MultiViewGPLVM(kernel="rbf", max_iter=200, random_state=1).fit(seen)


def squared_error(guess, truth):
    return float(np.mean((guess - truth) ** 2))


def test_a_view_that_the_other_determines(views, seen, fitted):
    new, truth = {"a": views["a"][120:]}, views["b"][120:]
    guess, std = fitted.predict_view(new, "b", return_std=True)
    assert squared_error(guess, truth) < 0.5 * squared_error(np.nanmean(seen["b"], axis=0), truth)
    inside = np.abs(guess - truth) < 1.645 * std
    assert 0.8 < inside.mean() < 0.98
    with_own = fitted.predict_view({"a": new["a"], "b": truth}, "b")
    assert with_own.tobytes() == guess.tobytes()  # it does not look at the view itself
    alone = np.vstack([fitted.predict_view({"a": row[None]}, "b") for row in new["a"]])
    assert alone.tobytes() == guess.tobytes()  # nor at other samples


def test_imputed_views_are_predicted_views(views, seen, fitted):
    filled, low, high = fitted.impute(seen, interval=0.9)
    guess, std = fitted.predict_view(seen, "b", return_std=True)
    assert filled["b"][LACKING].tobytes() == guess[LACKING].tobytes()
    z = (high["b"] - filled["b"])[LACKING] / std[LACKING]
    assert np.allclose(z, 1.6448536, atol=1e-6) and (low["b"][LACKING] < high["b"][LACKING]).all()
    measured = ~np.isnan(seen["b"])
    assert np.array_equal(filled["b"][measured], seen["b"][measured])
    new = {"a": views["a"][120:]}  # the whole table is absent
    assert fitted.impute(new)["b"].tobytes() == fitted.predict_view(new, "b").tobytes()
    at_latents = fitted.inverse_transform(fitted.transform(new))["b"]
    assert not np.allclose(at_latents, fitted.predict_view(new, "b"))


def test_samples_with_part_of_a_view_are_filled_at_their_latents(views, fitted):
    new = {name: Y[120:].copy() for name, Y in views.items()}
    new["b"][:, 2:] = np.nan
    mean, sd = fitted.transform(new, return_std=True)
    expected, *_ = fitted._fit.predict(view="b", mean=mean, sd=sd, threads=1)
    assert fitted.impute(new)["b"][:, 2:].tobytes() == np.ascontiguousarray(expected[:, 2:]).tobytes()


def test_a_sample_without_any_view_has_a_prediction(views, fitted):
    filled = fitted.impute({name: np.full((2, Y.shape[1]), np.nan) for name, Y in views.items()})
    assert all(np.isfinite(Y).all() for Y in filled.values())
    assert np.isfinite(fitted.predict_view({"b": views["b"][:3]}, "b")).all()  # nothing to predict it from


def test_scores_of_hidden_views(fitted):
    absent = fitted.assessment_.absent_views
    assert list(absent) == ["a", "b"] and absent["a"]["samples"] == 5 and absent["b"]["samples"] == 5  # of 105 with both
    assert absent["b"]["entries"] == 30 and absent["b"]["rmse"] < absent["b"]["rmse_mean"] and absent["b"]["r2"] > 0.3
    assert set(fitted.calibration_) == {"a", "b"} and 1 not in fitted.calibration_.values()
    one = MultiViewGPLVM(**QUICK).fit(np.random.default_rng(0).normal(size=(40, 8)))
    assert one.assessment_.scores and one.assessment_.absent_views == {}


def test_copies_predict_alike(tmp_path, views, fitted):
    fitted.save(tmp_path / "model.bochner")
    new = {"a": views["a"][120:]}
    answers = [part.tobytes() for part in fitted.predict_view(new, "b", return_std=True)]
    for copy in (pickle.loads(pickle.dumps(fitted)), MultiViewGPLVM.load(tmp_path / "model.bochner")):
        assert [part.tobytes() for part in copy.predict_view(new, "b", return_std=True)] == answers
        assert copy.impute(new)["b"].tobytes() == fitted.impute(new)["b"].tobytes()
        assert copy.calibration_ == fitted.calibration_
    assert pickle.loads(pickle.dumps(fitted)).assessment_ == fitted.assessment_


def test_models_of_earlier_versions_answer_at_latents(tmp_path, views, seen):
    """They have no predictors of absent views."""
    made = MultiViewGPLVM(**QUICK)
    options = made._options(["a", "b"])
    data = _core.dataset([(name, [str(n) for n in range(120)], [f"{name}_{m}" for m in range(Y.shape[1])], Y)
                          for name, Y in seen.items()])  # fmt: skip
    fit, _ = _core.fit_gplvm(data=data, options=options, seed=0, threads=1, on_step=None)
    fit.save(str(tmp_path / "model.bochner"))
    model = MultiViewGPLVM.load(tmp_path / "model.bochner")
    new = {"a": views["a"][120:]}
    mean, sd = model.transform(new, return_std=True)
    expected, *_ = fit.predict(view="b", mean=mean, sd=sd, threads=1)
    assert model.impute(new)["b"].tobytes() == model.predict_view(new, "b").tobytes() == expected.tobytes()
    assert np.isfinite(expected).all()


def test_an_interrupted_fit_does_without_predictors(views, seen):
    """It has latents, and answers at them."""
    steps = []

    def callback(step, of, objective):
        steps.append(step)
        if step == 5:
            signal.raise_signal(signal.SIGINT)

    signal.signal(signal.SIGINT, signal.default_int_handler)
    with pytest.warns(UserWarning, match="interrupted"):
        model = MultiViewGPLVM(kernel="rbf", max_iter=50, n_restarts=1, random_state=0, callback=callback).fit(seen)
    new = {"a": views["a"][120:]}
    mean, sd = model.transform(new, return_std=True)
    expected, *_ = model._fit.predict(view="b", mean=mean, sd=sd, threads=1)
    assert model.predict_view(new, "b").tobytes() == expected.tobytes() and steps[-1] <= 6
    assert model.assessment_.kind == "doubtful"


def frame(Y):
    """A table as write_csv writes it."""
    return pd.DataFrame(Y, index=[f"s{n}" for n in range(len(Y))], columns=[f"g{m}" for m in range(Y.shape[1])])


@pytest.mark.parametrize("holdout", [0.1, 0])
def test_the_program_predicts_alike(tmp_path, views, seen, holdout):
    for name, Y in seen.items():
        write_csv(tmp_path / f"{name}.csv", Y)
    write_csv(tmp_path / "new.csv", views["a"][120:])
    tables = [w for name in seen for w in ("--view", f"{name}={tmp_path / name}.csv")]
    run("fit", *tables, "--kernel", "rbf", "--steps", 100, "--seed", 7, "--holdout", holdout, "--out", tmp_path / "run")
    run("apply", tmp_path / "run/model.bochner", "--view", f"a={tmp_path / 'new.csv'}", "--out", tmp_path / "new")
    X = {name: frame(Y) for name, Y in seen.items()}
    model = MultiViewGPLVM(kernel="rbf", max_iter=100, random_state=7).fit(X, holdout=holdout)
    model.save(tmp_path / "python.bochner")
    assert (tmp_path / "python.bochner").read_bytes() == (tmp_path / "run/model.bochner").read_bytes()
    filled, low, _ = model.impute({"a": frame(views["a"][120:])}, interval=0.9)
    assert np.array_equal(read_csv(tmp_path / "new/predicted/b.csv"), filled["b"])
    assert np.allclose(read_csv(tmp_path / "new/predicted/b_lo.csv"), low["b"], rtol=1e-13, atol=1e-14)
    lacking = read_csv(tmp_path / "run/imputed/b.csv")[LACKING]  # whatever the latents
    assert np.array_equal(lacking, model.impute(X)["b"].to_numpy()[LACKING])
    metrics = json.loads((tmp_path / "run/metrics.json").read_text())
    assert model.assessment_.absent_views == metrics["heldout_views"]
    assert bool(metrics["heldout_views"]) == (holdout > 0)
    assert (tmp_path / "run/heldout_views.csv").exists() == (holdout > 0)
    assert (set(model.calibration_.values()) == {1.0}) == (holdout == 0)
