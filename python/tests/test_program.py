"""The command line and the package: one model file, the same bytes."""

import csv
import json

import numpy as np
import pandas as pd
import pytest
from support import header, read_csv, run, write_csv

from bochner import (
    BayesianGPLVM,
    HarmonicGPClassifier,
    HarmonicGPRegressor,
    KernelForecaster,
    MultiViewGPLVM,
    MultiViewKernelPCA,
    datasets,
)


def test_there_and_back(tmp_path):
    Y = datasets.make_s_curve(60, {"rna": 10}, missing=0.1, random_state=3).views["rna"]
    table = tmp_path / "rna.csv"
    write_csv(table, Y)
    run("fit", "--view", f"rna={table}", "--kernel", "rbf", "--steps", 40, "--out", tmp_path / "run")
    model = MultiViewGPLVM.load(tmp_path / "run/model.bochner")
    model.save(tmp_path / "again.bochner")
    assert (tmp_path / "again.bochner").read_bytes() == (tmp_path / "run/model.bochner").read_bytes()
    for name, file in (("one", "run/model.bochner"), ("two", "again.bochner")):
        run("apply", tmp_path / file, "--view", f"rna={table}", "--out", tmp_path / name)
    for file in ("latent.csv", "latent_sd.csv", "predicted/rna.csv", "predicted/rna_lo.csv"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    latent, sd = model.transform(Y, return_std=True)
    assert np.array_equal(read_csv(tmp_path / "one/latent.csv"), latent)
    assert np.array_equal(read_csv(tmp_path / "one/latent_sd.csv"), sd)


def frame(Y, columns=None):
    """A table as write_csv writes it."""
    return pd.DataFrame(Y, index=[f"s{n}" for n in range(len(Y))], columns=columns or [f"g{m}" for m in range(Y.shape[1])])


def same(path, values):
    return np.array_equal(read_csv(path), np.asarray(values), equal_nan=True)


def test_a_fit_of_the_package_is_a_fit_of_the_program(tmp_path):
    Y = datasets.make_s_curve(60, {"rna": 10}, missing=0.1, random_state=3).views["rna"]
    write_csv(tmp_path / "rna.csv", Y)
    run(
        "fit", "--view", f"rna={tmp_path / 'rna.csv'}", "--kernel", "rbf", "--scaling", "centre", "--steps", 40,
        "--seed", 5, "--holdout", 0, "--out", tmp_path / "run",
    )  # fmt: skip
    theirs = MultiViewGPLVM.load(tmp_path / "run/model.bochner")
    for spelling in ("centre", "center"):
        model = MultiViewGPLVM(kernel="rbf", scaling=spelling, max_iter=40, random_state=5)
        model.fit({"rna": frame(Y)}, holdout=0)
        for name in ("latent_", "latent_sd_", "trace_", "noise_variance_"):
            assert np.array_equal(getattr(model, name), getattr(theirs, name)), name
    Z = model.set_output(transform="pandas").transform({"rna": frame(Y)})
    assert ["id", *Z.columns] == header(tmp_path / "run/latent.csv")
    assert same(tmp_path / "run/latent.csv", model.latent_)


@pytest.fixture(scope="module")
def views():
    data = datasets.make_s_curve(70, {"rna": 8, "protein": 5}, random_state=2)
    rng = np.random.default_rng(0)
    labels = np.array(["10", "2", "late"], dtype=object)[np.digitize(data.position, np.quantile(data.position, [0.3, 0.7]))]
    labels[rng.integers(70, size=5)] = None
    Y = {name: table.copy() for name, table in data.views.items()}
    Y["rna"][3:6] = np.nan
    return Y, labels


def test_kernel_pca(tmp_path, views):
    Y, labels = views
    for name, table in Y.items():
        write_csv(tmp_path / f"{name}.csv", table)
    with open(tmp_path / "meta.csv", "w", newline="") as file:
        csv.writer(file).writerows([["id", "stage"], *([f"s{n}", label or ""] for n, label in enumerate(labels))])
    run(
        "kpca", "--view", f"rna={tmp_path / 'rna.csv'}", "--view", f"protein={tmp_path / 'protein.csv'}",
        "--labels", f"{tmp_path / 'meta.csv'}:stage", "--dims", 4, "--lengthscale", "rna=3", "--balance",
        "--samples", 6, "--traverse", 2, "--seed", 9, "--out", tmp_path / "run",
    )  # fmt: skip
    tables = {name: frame(table) for name, table in Y.items()}
    stage = pd.Series(labels, index=tables["rna"].index)
    model = MultiViewKernelPCA(n_components=4, lengthscale={"rna": 3.0}, balance=True, random_state=9)
    Z = model.fit_transform(tables, labels=stage)
    assert same(tmp_path / "run/latent.csv", Z)
    assert header(tmp_path / "run/latent.csv")[1:] == list(model.get_feature_names_out())
    for view in ("rna", "protein", "labels"):
        assert same(tmp_path / f"run/predicted/{view}.csv", model.predict_view(tables, view, labels=stage))
    made = model.sample(6, random_state=9)
    walks = [model.traverse(c) for c in (0, 1)]
    for view in ("rna", "protein", "labels"):
        assert same(tmp_path / f"run/generated/{view}.csv", made[view])
        assert same(tmp_path / f"run/traverse/{view}.csv", np.vstack([w[view] for _, w in walks]))
    assert same(tmp_path / "run/traverse_latent.csv", np.vstack([z for z, _ in walks]))
    loaded = MultiViewKernelPCA.load(tmp_path / "run/model.bochner")
    assert loaded.classes_.tolist() == ["10", "2", "late"] and loaded.weights_ == model.weights_
    assert np.array_equal(loaded.predict_labels(tables), model.predict_labels(tables))
    run("apply", tmp_path / "run/model.bochner", "--view", f"protein={tmp_path / 'protein.csv'}", "--out", tmp_path / "new")
    new = {"protein": tables["protein"]}
    assert same(tmp_path / "new/latent.csv", model.transform(new))
    assert same(tmp_path / "new/predicted/labels.csv", model.predict_view(new, "labels"))


def test_network_features(tmp_path, views):
    Y = views[0]["protein"]
    write_csv(tmp_path / "protein.csv", Y)
    run(
        "kpca", "--view", f"protein={tmp_path / 'protein.csv'}", "--features", "network:6", "--epochs", 7, "--no-scale",
        "--seed", 2, "--out", tmp_path / "run",
    )  # fmt: skip
    model = MultiViewKernelPCA(features="network:6", n_epochs=7, scaling="none", random_state=2)
    assert same(tmp_path / "run/latent.csv", model.fit_transform({"protein": frame(Y)}))


def test_forecasts(tmp_path):
    rng = np.random.default_rng(4)
    t = np.arange(150.0)
    y = np.column_stack([np.sin(t / 3), np.cos(t / 4) + t / 100]) + 0.1 * rng.normal(size=(150, 2))
    y[20, 0] = np.nan
    write_csv(tmp_path / "series.csv", y, ["a", "b"])
    with open(tmp_path / "known.csv", "w", newline="") as file:
        csv.writer(file).writerows([["id", "k"], *([f"s{n}", n % 7] for n in range(162))])
    known = np.arange(162.0)[:, None] % 7
    run(
        "forecast", "--series", tmp_path / "series.csv", "--known", tmp_path / "known.csv", "--steps", 12, "--lags", 8,
        "--tune", "--backtest", 3, "--season", 9, "--coverage", 0.5, "--seed", 6, "--out", tmp_path / "run",
    )  # fmt: skip
    model = KernelForecaster(lags=8, horizon=12, random_state=6)
    tuning = model.tune(y, h=12, n_folds=3, known=known[:150])
    assert same(tmp_path / "run/tuning.csv", tuning.to_frame())
    model.set_params(**tuning.best)
    backtest = model.backtest(y, h=12, n_folds=3, known=known[:150], season=9)
    assert same(tmp_path / "run/backtest.csv", backtest.to_frame())
    assert header(tmp_path / "run/backtest.csv")[1:] == list(backtest.to_frame().columns)
    metrics = json.loads((tmp_path / "run/metrics.json").read_text())["backtest"]
    assert metrics == pytest.approx(backtest.overall, rel=1e-14)
    ahead = model.fit(y, known=known[:150]).forecast(12, known=known[150:], coverage=0.5)
    columns = [(ahead.mean[:, s], ahead.lower[0.5][:, s], ahead.upper[0.5][:, s]) for s in range(2)]
    assert same(tmp_path / "run/forecast.csv", np.column_stack([c for own in columns for c in own]))
    model.save(tmp_path / "model.bochner")
    loaded = KernelForecaster.load(tmp_path / "run/model.bochner")
    assert np.array_equal(loaded.forecast(5, known=known[150:155]).mean, ahead.mean[:5])


@pytest.fixture(scope="module")
def weather():
    """Inputs: an hour, a place and a number; two outcomes that depend on them."""
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.uniform(0, 24, 90), rng.uniform(-180, 180, 90), rng.uniform(-80, 80, 90), rng.normal(size=90)])
    y = np.column_stack([np.sin(X[:, 0] * np.pi / 12) + X[:, 3], np.cos(np.radians(X[:, 1]))]) + 0.1 * rng.normal(size=(90, 2))
    return X, y


HARMONIC = {"circle": {"hour": 24}, "sphere": ("lon", "lat"), "n_inducing": 20, "max_iter": 120, "random_state": 8}
COMMAND = ("--circle", "hour:24", "--sphere", "lon,lat", "--inducing", 20, "--steps", 120, "--seed", 8, "--test", 0)


@pytest.mark.parametrize(
    ("options", "parameters"),
    [
        ((), {}),
        (("--natural-step", 0), {"natural_step": 0.0}),
        (("--shared-covariance",), {"shared_covariance": True}),
        (("--likelihood", "student", "--degrees", 3), {"likelihood": "student", "degrees": 3}),
        (("--scale", "standardise", "--ard", "--batch", 40), {"scaling": "standardize", "ard": True, "batch_size": 40}),
        (("--symmetry", "auto", "--lengthscale", 0.7), {"symmetry": "auto", "lengthscale": 0.7}),
    ],
    ids=["plain", "natural", "shared", "student", "scaled", "symmetry"],
)
def test_regression(tmp_path, weather, options, parameters):
    X, y = weather
    columns = ["hour", "lon", "lat", "x"]
    write_csv(tmp_path / "x.csv", X, columns)
    write_csv(tmp_path / "y.csv", y, ["a", "b"])
    tables = ("--x", tmp_path / "x.csv", "--y", tmp_path / "y.csv")
    run("regress", *tables, *COMMAND, *options, "--out", tmp_path / "run")
    model = HarmonicGPRegressor(**HARMONIC, **parameters).fit(frame(X, columns), frame(y, ["a", "b"]))
    model.save(tmp_path / "model.bochner")
    assert (tmp_path / "model.bochner").read_bytes() == (tmp_path / "run/model.bochner").read_bytes()
    loaded = HarmonicGPRegressor.load(tmp_path / "run/model.bochner")
    assert loaded.circle == {"hour": 24} and loaded.sphere == [("lon", "lat")]
    again = loaded.set_params(random_state=8).fit(frame(X, columns), frame(y, ["a", "b"]))  # with its own parameters
    again.save(tmp_path / "again.bochner")
    assert (tmp_path / "again.bochner").read_bytes() == (tmp_path / "run/model.bochner").read_bytes()


@pytest.mark.parametrize("likelihood", ["bernoulli", "robustmax"])
def test_classification(tmp_path, weather, likelihood):
    X, y = weather
    columns = ["hour", "lon", "lat", "x"]
    labels = np.where(y[:, 0] > 0, "day", "night")
    write_csv(tmp_path / "x.csv", X, columns)
    with open(tmp_path / "y.csv", "w", newline="") as file:
        csv.writer(file).writerows([["id", "class"], *([f"s{n}", label] for n, label in enumerate(labels))])
    tables = ("--x", tmp_path / "x.csv", "--y", f"{tmp_path / 'y.csv'}:class")
    run("classify", *tables, *COMMAND, "--likelihood", likelihood, "--natural-step", 0.1, "--out", tmp_path / "run")
    model = HarmonicGPClassifier(**HARMONIC, likelihood=likelihood, natural_step=0.1).fit(frame(X, columns), labels)
    model.save(tmp_path / "model.bochner")
    assert (tmp_path / "model.bochner").read_bytes() == (tmp_path / "run/model.bochner").read_bytes()


LABELS = 1 + np.arange(120) * 7 % 10  # 1 .. 10, the first of them 1, 8, 5, 2, 9, ...


def write_columns(path, **columns):
    """Rows with the ids that arrays get."""
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["id", *columns])
        for n, row in enumerate(zip(*columns.values(), strict=True)):
            out.writerow([n, *("" if v is None else v for v in row)])


@pytest.mark.parametrize("kind", [int, str])
def test_classes_1_to_10_are_one_model(tmp_path, kind):
    X = np.random.default_rng(0).normal(size=(120, 2)) + LABELS[:, None] / 3
    y = LABELS.astype(kind)
    write_columns(tmp_path / "x.csv", **{str(d): [repr(float(v)) for v in X[:, d]] for d in range(2)})
    write_columns(tmp_path / "y.csv", **{"class": LABELS})
    run("classify", "--x", tmp_path / "x.csv", "--y", f"{tmp_path / 'y.csv'}:class", "--test", 0, "--inducing", 12,
        "--steps", 60, "--seed", 3, "--out", tmp_path / "run")  # fmt: skip
    run("predict", tmp_path / "run/model.bochner", "--x", tmp_path / "x.csv", "--out", tmp_path / "new")
    model = HarmonicGPClassifier(n_inducing=12, max_iter=60, random_state=3).fit(X, y)
    model.save(tmp_path / "python.bochner")
    assert (tmp_path / "python.bochner").read_bytes() == (tmp_path / "run/model.bochner").read_bytes()
    assert np.array_equal(model.classes_, np.unique(y))  # "1", "10", "2", ... for strings
    with open(tmp_path / "new/predictions.csv") as file:
        rows = list(csv.DictReader(file))
    assert [row["class"] for row in rows] == [str(c) for c in model.predict(X)]
    chances = np.array([[float(row[f"p_{c}"]) for c in model.classes_] for row in rows])
    # The package makes each row add up to one, as scikit-learn wants it; the program leaves what the integrals give.
    np.testing.assert_allclose(chances / chances.sum(axis=1, keepdims=True), model.predict_proba(X), rtol=1e-14)
    loaded = HarmonicGPClassifier.load(tmp_path / "python.bochner")
    assert np.array_equal(loaded.classes_, np.arange(1, 11))
    assert np.array_equal(loaded.predict(X).astype(kind), model.predict(X))


@pytest.mark.parametrize("kind", [int, float, str])
def test_labels_and_groups_1_to_10_are_one_model(tmp_path, kind):
    rng = np.random.default_rng(1)
    counts = rng.poisson(np.exp(0.2 * LABELS[:, None] + rng.normal(size=(1, 3))))
    labels = np.array([[None if n % 11 == 3 else kind(label)] for n, label in enumerate(LABELS)], dtype=object)
    group, time = 1 + (np.arange(120) * 5 + 8) % 12, np.arange(120) // 12  # groups 9, 2, 7, 12, ...
    write_columns(tmp_path / "counts.csv", **{f"counts_{m}": counts[:, m] for m in range(3)})
    write_columns(tmp_path / "kind.csv", kind_0=[None if v is None else int(v) for v in labels[:, 0]])
    write_columns(tmp_path / "meta.csv", time=time, group=[f"{g}" for g in group])
    run("fit", "--model", "bayes", "--view", f"counts={tmp_path / 'counts.csv'}:poisson", "--view",
        f"kind={tmp_path / 'kind.csv'}:categorical", "--meta", tmp_path / "meta.csv", "--time", "time", "--group", "group",
        "--holdout", 0, "--frequencies", 6, "--warmup", 6, "--draws", 6, "--start", "pca", "--seed", 4, "--out",
        tmp_path / "run")  # fmt: skip
    model = BayesianGPLVM(likelihood={"counts": "poisson", "kind": "categorical"}, n_frequencies=6, n_warmup=6, n_draws=6,
                          start="pca", random_state=4)  # fmt: skip
    model.fit({"counts": counts, "kind": labels}, time=pd.Series(time, name="time"), group=pd.Series(group.astype(kind), name="group"))
    model.save(tmp_path / "python.bochner")
    assert model._class_names == {"kind": [[str(k) for k in range(1, 11)]]}
    assert (tmp_path / "python.bochner").read_bytes() == (tmp_path / "run/model.bochner").read_bytes()
