"""What tests share: quick settings, and the program of the command line."""

import csv
import os
import subprocess
from pathlib import Path

import numpy as np

QUICK = {"kernel": "rbf", "max_iter": 10, "random_state": 0}  # of MultiViewGPLVM
SHORT = {"n_frequencies": 8, "n_warmup": 5, "n_draws": 5, "start": "pca", "random_state": 0}  # of BayesianGPLVM

PROGRAM = Path(os.environ.get("BOCHNER_PROGRAM", Path(__file__).parents[2] / "build/bin/bochner"))


def run(*arguments):
    subprocess.run([PROGRAM, *map(str, arguments), "--quiet"], check=True)


def write_csv(path, Y, columns=None):
    """A table of samples s0, s1, ..; columns g0, g1, .. unless they have names."""
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["id", *(columns or (f"g{m}" for m in range(Y.shape[1])))])
        for n, row in enumerate(Y):
            out.writerow([f"s{n}", *("" if np.isnan(v) else repr(float(v)) for v in row)])


def read_csv(path):
    """The numbers of a table without its first column; NaN for empty cells."""
    with open(path) as file:
        rows = list(csv.reader(file))
    return np.array([[float(v) if v else np.nan for v in row[1:]] for row in rows[1:]])


def header(path):
    with open(path) as file:
        return next(csv.reader(file))
