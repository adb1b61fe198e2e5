"""The command line and the package: one model file, the same bytes."""

import csv
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from bochner import BayesianGPLVM, HarmonicGPClassifier, MultiViewGPLVM, datasets

PROGRAM = Path(os.environ.get("BOCHNER_PROGRAM", Path(__file__).parents[2] / "build/bin/bochner"))


def run(*arguments):
    subprocess.run([PROGRAM, *map(str, arguments), "--quiet"], check=True)


def write_csv(path, Y):
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["id", *(f"g{m}" for m in range(Y.shape[1]))])
        for n, row in enumerate(Y):
            out.writerow([f"s{n}", *("" if np.isnan(v) else repr(float(v)) for v in row)])


def read_csv(path):
    with open(path) as file:
        rows = list(csv.reader(file))
    return np.array([[float(v) for v in row[1:]] for row in rows[1:]])


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


def test_a_fit_of_the_package_is_a_fit_of_the_program(tmp_path):
    Y = datasets.make_s_curve(60, {"rna": 10}, random_state=3).views["rna"]
    MultiViewGPLVM(kernel="rbf", max_iter=40, random_state=5).fit({"rna": Y}).save(tmp_path / "model.bochner")
    np.save(tmp_path / "rna.npy", Y)
    run("apply", tmp_path / "model.bochner", "--view", f"rna={tmp_path / 'rna.npy'}", "--out", tmp_path / "new")
    assert read_csv(tmp_path / "new/latent.csv").shape == (60, 2)


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
    assert np.array_equal(chances, model.predict_proba(X))
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
    model.fit({"counts": counts, "kind": labels}, time=time, group=group.astype(kind))
    model.save(tmp_path / "python.bochner")
    assert model._class_names == {"kind": [[str(k) for k in range(1, 11)]]}
    assert (tmp_path / "python.bochner").read_bytes() == (tmp_path / "run/model.bochner").read_bytes()
