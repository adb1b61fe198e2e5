"""Do columns that lead top_columns.csv depend on the latents in new samples too? Their order against that of training relevances.

    .venv-bench/bin/python bench/fits/top_columns.py

Logarithms of counts of single cells, where many genes are counted in a handful of cells. A model of --rows cells embeds 400 others five times,
each time without another fifth of their entries, and predicts these: "r2" is the share of the variance of a column that is explained
there, the mean over the first columns of every dimension; "nonzero" the median number of training cells in which they were counted.
"""

from __future__ import annotations

import csv
import functools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import report
import tables
from program import Program, ProgramError, Run, read_numbers, written

COUNTS = {"pbmc": "pbmc68k_700_counts.npz", "tenx": "tenx10k_counts.npz"}
NEW, FOLDS, FIRST = 400, 5, (5, 20)


def cells(name: str, rows: int, data: Path) -> tuple[np.ndarray, np.ndarray]:
    """Training cells and new ones."""
    with np.load(data / COUNTS[name]) as archive:
        Y = np.log1p(archive["Y"].astype(np.float64))
    order = np.random.RandomState(0).permutation(len(Y))
    return Y[order[:rows]], Y[order[rows : rows + NEW]]


def new_r2(program: Program, run: Run, old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """By column, against the means of the training cells; at least -1, NaN for columns that do not vary."""
    fold = np.random.RandomState(1).randint(0, FOLDS, new.shape)
    predicted = np.empty_like(new)
    for k in range(FOLDS):
        with written({"Y": np.where(fold == k, np.nan, new)}) as (folder, arguments):
            program.call(["apply", run.folder / "model.bochner", *arguments, "--out", folder / "new"])
            predicted[fold == k] = read_numbers(folder / "new" / "predicted" / "Y.csv")[fold == k]
    total = ((new - old.mean(axis=0)) ** 2).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(total > 0, np.maximum(1 - ((new - predicted) ** 2).sum(axis=0) / total, -1), np.nan)


def listed(run: Run) -> list[list[int]]:
    """The columns of top_columns.csv by dimension."""
    found: dict[str, list[int]] = {}
    with (run.folder / "top_columns.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["dimension"], []).append(int(row["column"].rsplit("_", 1)[1]))
    return list(found.values())


def one_fit(program: Program, data: Path, name: str, rows: int, scaling: str, dims: int, seed: int) -> report.Record:
    old, new = cells(name, rows, data)
    what: report.Record = {"table": name, "scaling": scaling, "seed": seed, "program": program.fingerprint()}
    options = ["--scaling", scaling, "--dims", str(dims), "--seed", str(seed), "--restarts", "1", "--holdout", "0"]
    try:
        with program.fit({"Y": old}, options) as run:
            relevance = read_numbers(run.folder / "relevance_columns.csv")
            orders = {"relevance": [list(np.argsort(-own, kind="stable")) for own in relevance.T], "lower end": listed(run)}
            r2, nonzero = new_r2(program, run, old, new), (old > 0).sum(axis=0)
    except ProgramError as error:
        return {**what, "error": str(error)}
    for order, by_dimension in orders.items():
        for first in FIRST:
            chosen = [own[:first] for own in by_dimension]
            what[f"{order} r2 {first}"] = float(np.mean([np.nanmean(r2[own]) for own in chosen]))
            what[f"{order} nonzero {first}"] = float(np.median(np.concatenate([nonzero[own] for own in chosen])))
    return what


def main() -> int:
    parser = report.options(__doc__, "top-columns")
    parser.add_argument("--tables", type=report.names, default=list(COUNTS), help=f"Of {','.join(COUNTS)} (default all)")
    parser.add_argument("--rows", type=int, default=300, help="Training cells (default 300)")
    parser.add_argument("--dims", type=int, default=3, help="Latent dimensions (default 3)")
    parser.add_argument("--seeds", type=report.numbers, default=[1, 2], help="Seeds (default 1,2)")
    parser.add_argument("--fresh", action="store_true", help="Run again what is in --out already")
    arguments = parser.parse_args()
    program, data = report.program_of(arguments), tables.data_folder(arguments.data)
    work: dict[str, Callable[[], report.Record]] = {}
    for name in arguments.tables:
        for scaling in ("whole", "standardise"):
            for seed in arguments.seeds:
                key = f"{name} {scaling} {arguments.rows} {arguments.dims} seed {seed} {' '.join(program.extra)} {program.fingerprint()}"
                work[key] = functools.partial(one_fit, program, data, name, arguments.rows, scaling, arguments.dims, seed)
    records = [r for r in report.Results(arguments.out, arguments.fresh).complete(work) if "error" not in r]
    scores = [f"{what} {first}" for first in FIRST for what in ("r2", "nonzero")]
    rows = []
    for name, scaling in dict.fromkeys((r["table"], r["scaling"]) for r in records):
        own = [r for r in records if (r["table"], r["scaling"]) == (name, scaling)]
        for order in ("relevance", "lower end"):
            rows.append([name, scaling, order, *(float(np.mean([r[f"{order} {score}"] for r in own])) for score in scores)])  # type: ignore[arg-type]
    report.markdown("The first 5 and 20 columns of a dimension", ["table", "--scaling", "sorted by", *scores], rows)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
