"""The verdict of the package is that of the program: the same scores to the last bit, and the same message but for the names of
what to change."""

import csv
import json
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn.exceptions
from support import QUICK, SHORT, header, read_csv, run, write_csv

import bochner
from bochner import (
    BayesianGPLVM,
    HarmonicGPClassifier,
    HarmonicGPRegressor,
    KernelForecaster,
    MultiViewGPLVM,
    MultiViewKernelPCA,
    datasets,
)

FLAGS = {
    "increase --steps": "increase max_iter",
    "increase --restarts": "increase n_restarts",
    "use --dims 1": "use n_components=1",
    "increase --dims": "increase n_components",
    "increase --warmup and --draws": "increase n_warmup and n_draws",
    "increase --draws": "increase n_draws",
    "increase --test": "increase holdout",
    "use --holdout 0.05": "use fit(X, holdout=0.05)",
    "try --tune, or use the baseline": "try tune(X), or use the baseline",
}
pytestmark = pytest.mark.filterwarnings("ignore::bochner.ConvergenceWarning")


def frame(Y, columns=None):
    """A table as write_csv writes it."""
    return pd.DataFrame(Y, index=[f"s{n}" for n in range(len(Y))], columns=columns or [f"g{m}" for m in range(Y.shape[1])])


def in_python(message):
    for flag, parameter in FLAGS.items():
        message = message.replace(flag, parameter)
    assert "--" not in message
    return message


def same_verdict(folder, verdict, scores="heldout"):
    """Against the metrics.json of a run."""
    metrics = json.loads((folder / "metrics.json").read_text())
    assert verdict.kind == metrics["verdict"]
    assert str(verdict) == verdict.message == in_python(metrics["message"])
    theirs = {"backtest": metrics[scores]} if scores == "backtest" else metrics[scores]
    same_scores(theirs, verdict.scores)
    same_scores(metrics.get("heldout_views", {}), verdict.absent_views)


def same_scores(theirs, ours):
    assert set(theirs) == set(ours)
    for name, own in theirs.items():
        for score, value in own.items():  # Python's JSON gives doubles back to the last bit
            mine = ours[name][score]
            assert mine == value or (value is None and np.isnan(mine)), (name, score)


@pytest.fixture(scope="module")
def tables():
    data = datasets.make_s_curve(60, {"rna": 10, "protein": 6}, missing=0.1, random_state=3)
    return {name: np.round(Y, 6) for name, Y in data.views.items()}


def test_variational(tmp_path, tables):
    for name, Y in tables.items():
        write_csv(tmp_path / f"{name}.csv", Y)
    views = [w for name in tables for w in ("--view", f"{name}={tmp_path / name}.csv")]
    for steps in (30, 300):  # doubtful for want of steps, and judged by its scores
        run("fit", *views, "--kernel", "rbf", "--steps", steps, "--seed", 1, "--out", tmp_path / f"run{steps}")
        model = MultiViewGPLVM(kernel="rbf", max_iter=steps, random_state=1)
        X = {name: frame(Y) for name, Y in tables.items()}
        model.fit(X)  # 0.05 is the default here as there
        same_verdict(tmp_path / f"run{steps}", model.assessment_)
        absent = model.assessment_.absent_views
        assert list(absent) == ["rna", "protein"] and all(own["samples"] == 3 for own in absent.values())
        assert ["view", *absent["rna"]] == header(tmp_path / f"run{steps}/heldout_views.csv")
        table = read_csv(tmp_path / f"run{steps}/heldout_views.csv")
        assert np.array_equal(table, [list(own.values()) for own in absent.values()], equal_nan=True)
        assert np.array_equal(read_csv(tmp_path / f"run{steps}/relevance.csv"), np.column_stack(list(model.relevance_.values())))
        metrics = json.loads((tmp_path / f"run{steps}/metrics.json").read_text())
        assert [str(w) for w in model.assessment_.warnings] == [in_python(w) for w in metrics["warnings"]]
        assert model.assess(X) is model.assessment_ and model.assess() is model.assessment_
        theirs = MultiViewGPLVM.load(tmp_path / f"run{steps}/model.bochner")
        for name in ("latent_", "latent_sd_", "trace_", "noise_variance_", "calibration_"):
            assert np.array_equal(getattr(model, name), getattr(theirs, name)), name
        model.save(tmp_path / "python.bochner")
        assert (tmp_path / "python.bochner").read_bytes() == (tmp_path / f"run{steps}/model.bochner").read_bytes()
    assert list(model.assessment_.to_frame().index) == ["rna", "protein"]
    assert model.assessment_.scores["rna"]["entries"] > 0
    assert pickle.loads(pickle.dumps(model)).assess(X) == model.assessment_


def test_without_holdout_nothing_is_hidden(tables):
    model = MultiViewGPLVM(**QUICK).fit(tables, holdout=None)
    kept = MultiViewGPLVM(**QUICK).fit(tables, holdout=0)
    assert np.array_equal(model.latent_, kept.latent_)
    assert model.assessment_.scores == model.assessment_.absent_views == {}
    assert model.calibration_ == {"rna": 1.0, "protein": 1.0}
    shared = MultiViewGPLVM(**QUICK).fit(tables)
    assert np.array_equal(shared.latent_, MultiViewGPLVM(**QUICK).fit(tables, holdout=0.05).latent_)
    assert not np.array_equal(model.latent_, shared.latent_)
    assert set(shared.calibration_.values()) != {1.0}
    with pytest.warns(UserWarning, match="nothing was held out"):
        assert set(model.assess(tables).scores) == {"rna", "protein"}
    unjudged = MultiViewGPLVM(kernel="rbf", max_iter=600, random_state=0).fit(tables, holdout=0).assessment_
    assert unjudged.kind == "unjudged" and "use fit(X, holdout=0.05)" in str(unjudged)


def test_other_samples_are_judged_too(tables):
    model = MultiViewGPLVM(kernel="rbf", max_iter=200, random_state=1).fit({n: Y[:40] for n, Y in tables.items()}, holdout=0.05)
    new = {n: Y[40:] for n, Y in tables.items()}
    verdict = model.assess(new, holdout=0.2)
    assert verdict != model.assessment_ and verdict == model.assess(new, holdout=0.2)
    beaten = [v["rmse"] < v["rmse_mean"] for v in verdict.scores.values()]
    assert verdict.kind == "doubtful" or all(beaten)
    assert model.assess({"rna": tables["rna"][41:42]}).scores["rna"]["entries"] == 1
    with pytest.raises(ValueError, match="MultiViewGPLVM: holdout is 0.7, but must be"):
        model.assess(new, holdout=0.7)


def test_models_of_files_have_no_verdict(tmp_path, tables):
    MultiViewGPLVM(**QUICK).fit({"rna": tables["rna"]}).save(tmp_path / "model.bochner")
    model = MultiViewGPLVM.load(tmp_path / "model.bochner")
    with pytest.raises(ValueError, match="give data to judge it by"):
        model.assess()
    assert model.assess({"rna": tables["rna"]}).scores["rna"]["entries"] > 0


@pytest.mark.parametrize("likelihood", ["poisson", "gaussian", "categorical"])
def test_bayesian(tmp_path, likelihood):
    rng = np.random.default_rng(2)
    x = rng.normal(size=(40, 1))
    Y = np.round(x * [[1, -1, 0.5, 2]] + 0.3 * rng.normal(size=(40, 4)), 6)
    if likelihood == "poisson":
        Y = rng.poisson(np.exp(1 + 0.4 * Y)).astype(float)
    X = frame(Y)
    if likelihood == "categorical":
        X = frame(np.where(Y > 0, "up", "down"))
        X.to_csv(tmp_path / "y.csv", index_label="id")
    else:
        write_csv(tmp_path / "y.csv", Y)
    run(
        "fit", "--inference", "mcmc", "--view", f"y={tmp_path / 'y.csv'}", "--likelihood", likelihood, "--frequencies", 8,
        "--warmup", 30, "--draws", 40, "--start", "pca", "--seed", 4, "--out", tmp_path / "run",
    )  # fmt: skip
    model = BayesianGPLVM(
        likelihood=likelihood, n_frequencies=8, n_warmup=30, n_draws=40, start="pca", random_state=4
    ).fit({"y": X}, holdout=0.05)
    same_verdict(tmp_path / "run", model.assessment_)
    assert model.assess({"y": X}) is model.assessment_
    half = model.assess({"y": X.iloc[:20]}, holdout=0.3)
    assert half.scores["y"]["entries"] > model.assessment_.scores["y"]["entries"]


def rows(seed, N=200):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(N, 2)), 6)
    return X, np.round(np.sin(2 * X[:, 0]) + 0.3 * X[:, 1] + 0.1 * rng.normal(size=N), 6)


@pytest.mark.parametrize("kind", ["curve", "line", "noise"])
def test_regression(tmp_path, kind):
    X, y = rows(1)
    if kind == "line":
        y = np.round(X[:, 0] + 0.3 * np.random.default_rng(2).normal(size=len(X)), 6)
    if kind == "noise":
        y = np.round(np.random.default_rng(2).normal(size=len(X)), 6)
    write_csv(tmp_path / "x.csv", X, ["a", "b"])
    write_csv(tmp_path / "y.csv", y[:, None], ["y"])
    tables = ("--x", tmp_path / "x.csv", "--y", tmp_path / "y.csv")
    run("regress", *tables, "--inducing", 20, "--steps", 200, "--test", 0.3, "--seed", 3, "--out", tmp_path / "run")
    model = HarmonicGPRegressor(n_inducing=20, max_iter=200, random_state=3)
    model.fit(frame(X, ["a", "b"]), pd.DataFrame({"y": y}), holdout=0.3)
    same_verdict(tmp_path / "run", model.assessment_)
    expected = {"curve": "good", "line": "linear", "noise": "doubtful"}
    assert model.assessment_.kind == expected[kind]
    model.save(tmp_path / "model.bochner")
    assert (tmp_path / "model.bochner").read_bytes() == (tmp_path / "run/model.bochner").read_bytes()
    new, truth = rows(5)
    again = pickle.loads(pickle.dumps(model))
    assert again.assess(frame(new, ["a", "b"]), truth) == model.assess(frame(new, ["a", "b"]), truth)
    assert again.assess(frame(X, ["a", "b"]), pd.DataFrame({"y": y})) == model.assessment_


def test_classification(tmp_path):
    X, y = rows(7)
    labels = np.where(y > 0, "up", "down")
    write_csv(tmp_path / "x.csv", X, ["a", "b"])
    with open(tmp_path / "y.csv", "w", newline="") as file:
        csv.writer(file).writerows([["id", "class"], *([f"s{n}", label] for n, label in enumerate(labels))])
    tables = ("--x", tmp_path / "x.csv", "--y", f"{tmp_path / 'y.csv'}:class")
    run("classify", *tables, "--inducing", 20, "--steps", 200, "--test", 0.3, "--seed", 3, "--out", tmp_path / "run")
    model = HarmonicGPClassifier(n_inducing=20, max_iter=200, random_state=3).fit(X, labels, holdout=0.3)
    same_verdict(tmp_path / "run", model.assessment_)
    assert model.assessment_.scores["class"]["accuracy"] > 0.8
    with pytest.raises(ValueError, match="which the model does not know"):
        model.assess(X, np.where(y > 0, "up", "other"))


def test_kernel_pca(tmp_path):
    data = datasets.make_s_curve(70, {"rna": 8, "protein": 5}, random_state=2)
    Y = {name: np.round(table, 6) for name, table in data.views.items()}
    for name, table in Y.items():
        write_csv(tmp_path / f"{name}.csv", table)
    views = [w for name in Y for w in ("--view", f"{name}={tmp_path / name}.csv")]
    run("kpca", *views, "--dims", 4, "--seed", 9, "--holdout", 0.2, "--out", tmp_path / "run")
    X = {name: frame(table) for name, table in Y.items()}
    model = MultiViewKernelPCA(n_components=4, random_state=9).fit(X, holdout=0.2)
    same_verdict(tmp_path / "run", model.assessment_, "crossview")
    assert model.assess(X) is model.assessment_
    assert set(model.assess({n: t.iloc[:30] for n, t in X.items()}).scores) == {"rna", "protein"}
    assert MultiViewKernelPCA().fit(Y["rna"]).assessment_.kind == "unjudged"


@pytest.mark.parametrize("noise", [0.02, 3.0])
def test_forecasts(tmp_path, noise):
    y = np.round(np.sin(np.arange(200.0) / 4) ** 3 + noise * np.random.default_rng(1).normal(size=200), 6)
    write_csv(tmp_path / "series.csv", y[:, None], ["y"])
    run(
        "forecast", "--series", tmp_path / "series.csv", "--steps", 10, "--lags", 12, "--backtest", 3, "--seed", 2,
        "--out", tmp_path / "run",
    )  # fmt: skip
    same_verdict(tmp_path / "run", KernelForecaster(lags=12, random_state=2).assess(y, h=10, n_folds=3), "backtest")


def test_convergence_warnings(tables):
    quick = MultiViewGPLVM(kernel="rbf", max_iter=2, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", sklearn.exceptions.ConvergenceWarning)
        with pytest.raises(bochner.ConvergenceWarning, match="it had not converged after 2 steps \\(increase max_iter\\)"):
            quick.fit(tables)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", bochner.ConvergenceWarning)
        quick.fit(tables)
        MultiViewGPLVM(kernel="rbf", max_iter=9, random_state=0, callback=lambda *_: False).fit(tables)  # as wanted
        BayesianGPLVM(**SHORT).fit(tables["rna"])


def test_tiny_tables_hide_nothing():
    model = MultiViewGPLVM(**QUICK).fit(np.arange(6.0).reshape(3, 2) ** 2)  # a twentieth of six entries rounds to none
    assert model.assessment_.scores == model.assessment_.absent_views == {} and model.calibration_ == {"X": 1.0}


def test_verdicts_of_earlier_versions_have_no_absent_views():
    verdict = bochner.Verdict("good", "trust this fit", scores={"rna": {"rmse": 1.0}})
    old = object.__new__(bochner.Verdict)
    old.__setstate__({name: value for name, value in vars(verdict).items() if name != "absent_views"})
    assert old == verdict and old.absent_views == {}


def test_every_remedy_has_a_text():
    from bochner._assess import _REMEDIES

    assert set(_REMEDIES) == set(bochner._core.remedies())
