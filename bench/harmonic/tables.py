"""`bochner regress` and `bochner classify` with their defaults beside LightGBM, linear models and GPyTorch's SVGP on tables.

    .venv-bench/bin/python bench/harmonic/tables.py --rows 5000 --folds 1
    .venv-bench/bin/python bench/harmonic/tables.py --folds 5 --threads 2

UCI tables with their own folds, two tables of 250,000 rows (elevation of the earth; a pixel by the twelve that precede it in its
image), and three tables of classes. Numbers are standardised. Every method learns from the same rows and is scored on the rows of
the fold: RMSE or the share of wrong classes, negative log density (NLL), coverage of 90 % intervals or the mean confidence, and
seconds and memory of a process of its own, which ends at --limit. Differences to `bochner` are paired by fold. Methods that are
not installed are left out.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import multiprocessing
import os
import resource
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fits"))

import numpy as np
import report
from program import Program, ProgramError
from table_data import CLASSES, FOLDS, NAMES, split
from table_methods import METHODS, NEEDS, OURS

START_SECONDS = 60  # of a process, and of predictions


def folder_of(given: str | None) -> Path:
    root = Path(__file__).resolve().parents[2]
    return Path(given or os.environ.get("BOCHNER_DATA") or root.parent / "shared/data")


def work_of(out: Connection, program: Program, name: str, data: Path, fold: int, rows: int, method: str, limit: float) -> None:
    """In a process of its own: its memory, and that of the program it starts, are those of the method."""
    given = split(name, data, fold, rows)
    begin = time.perf_counter()
    try:
        record = METHODS[method](program, name, given, limit)
    except (ProgramError, NotImplementedError) as error:
        record = {"error": str(error)}
    who = resource.RUSAGE_CHILDREN if method in OURS else resource.RUSAGE_SELF
    out.send({"seconds": time.perf_counter() - begin, "megabytes": resource.getrusage(who).ru_maxrss / 1024, **record})


def result(arguments: argparse.Namespace, program: Program, name: str, fold: int, method: str) -> report.Record:
    about: report.Record = {"table": name, "fold": fold, "method": method}
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(False)
    process = context.Process(
        target=work_of, args=(there, program, name, folder_of(arguments.data), fold, arguments.rows, method, arguments.limit)
    )
    process.start()
    there.close()
    try:
        if here.poll(arguments.limit + START_SECONDS):
            return {**about, **here.recv()}
        return {**about, "error": f"not finished after {arguments.limit:.0f} s"}
    except EOFError:
        return {**about, "error": "ended without a result"}
    finally:
        process.terminate()
        process.join()


def values(records: list[report.Record], table: str, method: str, what: str) -> dict[int, float]:
    """By fold."""
    return {r["fold"]: r[what] for r in records if (r["table"], r["method"]) == (table, method) and r.get(what) is not None}


def mean(by_fold: dict[int, float]) -> float:
    return float(np.mean(list(by_fold.values()))) if by_fold else float("nan")


def paired(ours: dict[int, float], theirs: dict[int, float]) -> str:
    """Their mean less ours, over the folds of both, with its standard error."""
    both = [theirs[fold] - ours[fold] for fold in sorted(ours.keys() & theirs.keys())]
    if not both:
        return "-"
    error = f" +- {np.std(both, ddof=1) / np.sqrt(len(both)):.3f}" if len(both) > 1 else ""
    return f"{np.mean(both):+.3f}{error}"


def main() -> None:
    parser = report.options(__doc__, "harmonic")
    parser.add_argument("--tables", type=report.names, default=list(NAMES), help="Names, separated by commas")
    parser.add_argument("--methods", type=report.names, default=list(METHODS), help="Names, separated by commas")
    parser.add_argument("--folds", type=int, default=5, help="How many of the ten folds (default 5)")
    parser.add_argument("--rows", type=int, default=0, help="Rows of each table, at most (default all)")
    parser.add_argument("--limit", type=float, default=600, help="Seconds that a method may take (default 600)")
    arguments = parser.parse_args()
    program = report.program_of(arguments)
    methods = [m for m in arguments.methods if m not in NEEDS or importlib.util.find_spec(NEEDS[m])]
    work = {}
    for name in arguments.tables:
        for fold in range(arguments.folds):
            for method in methods:
                own = f" {program.fingerprint()} {arguments.extra}".rstrip() if method in OURS else ""
                key = f"{name} {fold} {arguments.rows} {method} {arguments.threads} {arguments.limit:g}{own}"
                work[key] = functools.partial(result, arguments, program, name, fold, method)
    records = report.Results(arguments.out).complete(work)
    header = ["table", "method", "RMSE or error", "NLL", "NLL less that of bochner", "coverage", "confidence", "s", "MB"]
    table = []
    for name in arguments.tables:
        for method in methods:
            if method == "svgp" and name in CLASSES:
                continue
            of = functools.partial(values, records, name, method)
            difference = paired(values(records, name, "bochner", "nll"), of("nll"))
            means = [mean(of(what)) for what in ("coverage", "confidence", "seconds", "megabytes")]
            table.append([name, method, mean(of("miss")), mean(of("nll")), difference, *means])
    report.markdown(f"{arguments.folds} of {FOLDS} folds, {arguments.rows or 'all'} rows", header, table)


if __name__ == "__main__":
    main()
