"""Samples of a fit over time keep their paths: in Python as on the command line."""

import csv
import pickle

import numpy as np
import pandas as pd
import pytest
from support import read_csv, run, write_csv

from bochner import BayesianGPLVM

SHORT = {"n_frequencies": 15, "n_chains": 1, "n_warmup": 60, "n_draws": 60, "start": "pca", "random_state": 3}


@pytest.fixture(scope="module")
def film():
    """Two views of two films of a smooth path, with frames that nobody saw; the truth; times and groups."""
    rng = np.random.default_rng(5)
    t = np.tile(np.arange(40.0), 2)
    phase = np.repeat([0.0, 1.3], 40)
    X = np.column_stack([np.sin(t / 5 + phase), np.cos(t / 8 + phase)])
    truth = {"a": 3 * X @ rng.normal(size=(2, 6)), "b": 3 * X @ rng.normal(size=(2, 4))}
    gone = rng.random(80) < 0.2
    views = {name: Y + 0.1 * rng.normal(size=Y.shape) for name, Y in truth.items()}
    for Y in views.values():
        Y[gone] = np.nan
    return views, truth, gone, t, np.repeat([0, 1], 40)


@pytest.fixture(scope="module")
def fitted(film):
    views, _, _, t, group = film
    return BayesianGPLVM(**SHORT).fit(views, time=t, group=group)


def rmse(filled, truth, gone):
    return float(np.sqrt(np.mean([(filled[name][gone] - truth[name][gone]) ** 2 for name in truth if name == "a"])))


def test_frames_that_are_missing_are_on_the_path(film, fitted):
    views, truth, gone, _, _ = film
    along = rmse(fitted.impute(views), truth, gone)
    alone = rmse(BayesianGPLVM(**SHORT).fit(views).impute(views), truth, gone)
    assert along < 0.5 * alone
    assert np.array_equal(fitted.transform(views), fitted.latent_)
    Z, sd = fitted.transform(views, return_std=True)
    assert np.array_equal(Z, fitted.latent_) and np.array_equal(sd, fitted.latent_sd_)
    assert rmse(fitted.impute(views, fitted=False), truth, gone) > 2 * along


def test_copies_know_the_samples_again(film, fitted):
    views = film[0]
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.impute(views)["a"], fitted.impute(views)["a"])
    assert np.array_equal(BayesianGPLVM(**SHORT).fit_transform(views, time=film[3], group=film[4]), fitted.latent_)


def test_new_samples_are_placed_by_their_entries_alone(film, fitted):
    views = film[0]
    other = {name: Y + 0.01 for name, Y in views.items()}
    assert np.array_equal(fitted.transform(other), fitted.transform(other, fitted=False))
    part = {name: Y[:7] for name, Y in views.items()}
    assert np.array_equal(fitted.transform(part), fitted.transform(part, fitted=False))
    with pytest.raises(ValueError, match="other samples than fit had"):
        fitted.transform(part, fitted=True)


def test_labelled_samples_are_known_one_by_one(film):
    views, _, _, t, group = film
    ids = [f"f{n}" for n in range(80)]
    frames = {name: pd.DataFrame(Y, index=ids) for name, Y in views.items()}
    model = BayesianGPLVM(**SHORT).fit(frames, time=pd.Series(t, ids), group=pd.Series(group, ids))
    rows = [5, 60, 17, 42]
    part = {name: Y.iloc[rows] for name, Y in frames.items()}
    assert np.array_equal(model.transform(part), model.latent_[rows])
    whole, some = model.impute(frames, 0.9), model.impute(part, 0.9)
    for all_rows, own in zip(whole, some, strict=True):
        assert np.array_equal(all_rows["a"].to_numpy()[rows], own["a"].to_numpy())
    mixed = {name: Y.copy() for name, Y in part.items()}
    mixed["a"].iloc[2, 0] = 9.0  # another measurement: another sample
    Z = model.transform(mixed)
    assert np.array_equal(Z[[0, 1, 3]], model.latent_[[5, 60, 42]])
    assert np.array_equal(Z[2], model.transform(mixed, fitted=False)[2])
    filled, alone = model.impute(mixed), model.impute(mixed, fitted=False)
    assert np.array_equal(filled["b"].iloc[2], alone["b"].iloc[2])
    assert np.array_equal(filled["a"].iloc[0], some[0]["a"].iloc[0])


def test_trials_of_the_fit_go_with_its_samples():
    rng = np.random.default_rng(1)
    N = rng.integers(5, 50, size=(40, 4)).astype(float)
    K = rng.binomial(N.astype(int), 0.7).astype(float)
    K[[3, 20]] = np.nan
    model = BayesianGPLVM(likelihood="binomial", trials=N, **SHORT).fit(K, time=np.arange(40.0))
    filled = model.impute(K)
    assert (filled[[3, 20]] <= N[[3, 20]]).all()
    assert np.corrcoef(filled[[3, 20]].ravel(), N[[3, 20]].ravel())[0, 1] > 0.9


def test_without_time_nothing_changes(film):
    views = film[0]
    model = BayesianGPLVM(**SHORT).fit(views)
    assert np.array_equal(model.transform(views), model.transform(views, fitted=False))


def test_the_program_fills_the_same(film, tmp_path):
    views, _, _, t, group = film
    for name, Y in views.items():
        write_csv(tmp_path / f"{name}.csv", Y)
    with open(tmp_path / "meta.csv", "w", newline="") as file:
        csv.writer(file).writerows([["id", "t", "film"], *([f"s{n}", t[n], f"film{group[n]}"] for n in range(80))])
    run(
        "fit", "--model", "bayes", "--view", f"a={tmp_path / 'a.csv'}", "--view", f"b={tmp_path / 'b.csv'}",
        "--meta", tmp_path / "meta.csv", "--time", "t", "--group", "film", "--frequencies", 15, "--chains", 1,
        "--warmup", 60, "--draws", 60, "--start", "pca", "--seed", 3, "--holdout", 0, "--out", tmp_path / "run",
    )  # fmt: skip
    ids = [f"s{n}" for n in range(80)]
    frames = {n: pd.DataFrame(Y, index=ids, columns=[f"g{m}" for m in range(Y.shape[1])]) for n, Y in views.items()}
    here = BayesianGPLVM(**SHORT).fit(frames, time=pd.Series(t, ids), group=pd.Series(group, ids))
    loaded = BayesianGPLVM.load(tmp_path / "run/model.bochner")
    with pytest.warns(UserWarning, match="fitted=True"):
        loaded.impute(frames)
    for answers, Z in (
        (here.impute(frames, 0.9), here.transform(frames)),
        (loaded.impute(frames, 0.9, fitted=True), loaded.transform(frames, fitted=True)),
    ):
        assert np.array_equal(read_csv(tmp_path / "run/latent.csv"), Z)
        for answer, ending in zip(answers, ("", "_lo", "_hi"), strict=True):
            for name in views:
                assert np.array_equal(read_csv(tmp_path / f"run/imputed/{name}{ending}.csv"), answer[name].to_numpy())
