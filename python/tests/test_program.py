"""The command line and the package: one model file, the same bytes."""

import csv
import os
import subprocess
from pathlib import Path

import numpy as np

from bochner import MultiViewGPLVM, datasets

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
