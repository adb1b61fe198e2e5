"""Accuracy and seconds of the default on the five subsets of 1,000 MNIST digits (R-MNIST), with and without hold-out.

    .venv-bench/bin/python bench/fits/digits.py --threads 2

KNN-1 of the two-dimensional latent: `folds` is five-fold cross-validated, the mean of five shuffles, as in the papers but for the
shuffles; `nn1` leaves one out. Seconds are those of the whole program.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import report
import scores
import tables
from program import Program, ProgramError

HOLDOUTS = ("default", "none")
ROWS = 1000


def subset(data: Path, number: int) -> tables.Table:
    whole = tables.TABLES["mnist"](data)
    return whole.take(np.random.RandomState(number).permutation(whole.samples)[:ROWS])


def one_fit(program: Program, read: Callable[[], tables.Table], number: int, holdout: str, seed: int) -> report.Record:
    table = read()
    what: report.Record = {"subset": number, "holdout": holdout, "seed": seed}
    options = ["--seed", str(seed), *(["--holdout", "0"] if holdout == "none" else [])]
    try:
        with program.fit(table.views, options) as run:
            latent, metrics = run.latent(), run.metrics()
            return {
                **what,
                "folds": scores.fold_accuracy(latent, table.labels),
                "nn1": scores.neighbour_accuracy(latent, table.labels),
                "bound": metrics["objective"],
                "status": metrics["stopped"],
                "steps": metrics["steps"],
                "seconds": run.seconds,
            }
    except ProgramError as error:
        return {**what, "error": str(error)}


def work(arguments, program: Program, data: Path) -> dict[str, Callable[[], report.Record]]:
    settings = f"{' '.join(program.extra)} threads {program.threads} program {program.fingerprint()}"
    todo: dict[str, Callable[[], report.Record]] = {}
    for number in arguments.subsets:
        read = functools.lru_cache(maxsize=1)(functools.partial(subset, data, number))
        for holdout in arguments.holdouts:
            for seed in arguments.seeds:
                task = functools.partial(one_fit, program, read, number, holdout, seed)
                todo[f"subset {number} holdout {holdout} seed {seed} {settings}"] = task
    return todo


def main() -> int:
    parser = report.options(__doc__, "digits")
    parser.add_argument("--subsets", type=report.numbers, default=[0, 1, 2, 3, 4], help="Subsets (default 0..4)")
    parser.add_argument("--seeds", type=report.numbers, default=[1], help="Seeds of the fits (default 1)")
    parser.add_argument("--holdouts", type=report.names, default=list(HOLDOUTS), help="Of default, none (default both)")
    parser.add_argument("--jobs", type=int, default=1, help="Fits at the same time (default 1)")
    arguments = parser.parse_args()
    program, data = report.program_of(arguments), tables.data_folder(arguments.data)
    records = report.Results(arguments.out).complete(work(arguments, program, data), arguments.jobs)
    columns = ["holdout", "subset", "seed", "folds", "nn1", "bound", "status", "steps", "seconds", "error"]
    report.markdown("1,000 digits", columns, [[r.get(c) for c in columns] for r in records])
    print()
    for holdout in arguments.holdouts:
        own = [r for r in records if r["holdout"] == holdout and "error" not in r]
        if own:
            mean = {c: float(np.mean([r[c] for r in own])) for c in ("folds", "nn1", "seconds")}
            print(f"- hold-out {holdout}: KNN-1 {mean['folds']:.4f} by folds, {mean['nn1']:.4f} leave-one-out, "
                  f"{mean['seconds']:.0f} s, at most {max(r['seconds'] for r in own):.0f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
