"""Predict a whole view that a fifth of the samples do not have, against ridge, a GP on principal components and MOFA2.

    .venv-bench/bin/python bench/fits/missing_views.py --rows 500
    .venv-bench/bin/python bench/fits/missing_views.py --rows 1000 --methods bochner

Six sets, every view hidden in turn; all methods see the same entries. R^2 is over all hidden entries against the training
means, every column in units of its training standard deviation.
"""

from __future__ import annotations

import functools
import time
from pathlib import Path

import numpy as np
import references
import report
import scores
import tables
from program import Program, ProgramError
from references import Hidden

METHODS = ("bochner", "mean", "ridge", "gp", "mofa")


def hide(table: tables.Table, target: str, seed: int, share: float = 0.2) -> Hidden:
    """Hides the target for a share of the samples that have an entry of it and of another view."""
    seen = {name: np.isfinite(view).any(axis=1) for name, view in table.views.items()}
    others = np.any([rows for name, rows in seen.items() if name != target], axis=0)
    able = np.flatnonzero(seen[target] & others)
    rows = np.zeros(table.samples, bool)
    rows[np.random.RandomState(seed).permutation(able)[: round(share * len(able))]] = True
    return Hidden({**table.views, target: np.where(rows[:, None], np.nan, table.views[target])}, target, rows)


def bochner(program: Program, task: Hidden, truth: np.ndarray, dims: int, seed: int) -> report.Record:
    try:
        with program.fit(task.views, ["--dims", str(dims), "--seed", str(seed)]) as run:
            middle, low, high = (table[task.rows] for table in run.imputed(task.target))
            status = run.metrics()["stopped"]
    except ProgramError as error:
        return {"error": str(error)}
    mean, scale = references.moments(task.views[task.target])
    score = scores.r_squared(truth, np.where(np.isfinite(middle), middle, mean), mean, scale)
    return {"r2": score, "coverage": scores.coverage(truth, low, high), "status": status}


def reference(method: str, task: Hidden, truth: np.ndarray, dims: int) -> report.Record:
    predict = {
        "mean": references.predict_mean,
        "ridge": references.predict_ridge,
        "gp": functools.partial(references.predict_gp, dims=dims),
        "mofa": references.predict_mofa,
    }
    mean, scale = references.moments(task.views[task.target])
    return {"r2": scores.r_squared(truth, mean + scale * predict[method](task), mean, scale)}


def one_score(program: Program | None, read, name: str, target: str, method: str, dims: int, seed: int) -> report.Record:
    table = read()
    task = hide(table, target, seed)
    truth = table.views[target][task.rows]
    what = {"set": name, "view": target, "method": method, "dims": dims, "hidden": len(truth), "columns": truth.shape[1]}
    begin = time.perf_counter()
    score = bochner(program, task, truth, dims, seed) if program and method == "bochner" else reference(method, task, truth, dims)
    return {**what, **score, "seconds": time.perf_counter() - begin}


def work(arguments, program: Program | None, data: Path) -> dict[str, functools.partial]:
    build = f"{' '.join(program.extra)} program {program.fingerprint()}" if program else ""
    todo = {}
    for name in arguments.tables:
        read = functools.lru_cache(maxsize=1)(functools.partial(tables.load, name, data, arguments.rows))
        for target in read().views:
            for method in arguments.methods:
                for dims in arguments.dims if method in ("bochner", "gp") else [10 if method == "mofa" else 0]:
                    key = f"{name} {target} {method} {dims} seed {arguments.seed} {arguments.rows} rows"
                    task = functools.partial(one_score, program, read, name, target, method, dims, arguments.seed)
                    todo[f"{key} {build}" if method == "bochner" else key] = task
    return todo


def label(record: report.Record) -> str:
    return f"{record['method']} {record['dims']}" if record["dims"] else str(record["method"])


def print_scores(records: list[report.Record]) -> dict[tuple[str, str], dict[str, float]]:
    """R^2 of every set and view in a row, a column for each method."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    for r in records:
        found.setdefault((r["set"], r["view"]), {})[label(r)] = r.get("r2", float("nan"))
    columns = list(dict.fromkeys(map(label, records)))
    hidden = {(r["set"], r["view"]): f"{r['hidden']} x {r['columns']}" for r in records}
    rows = [[*at, hidden[at], *map(r.get, columns)] for at, r in found.items()]
    report.markdown("R^2 of hidden views", ["set", "view", "hidden", *columns], rows)
    return found


def print_coverage(records: list[report.Record]) -> None:
    ours = [r for r in records if "coverage" in r]
    if ours:
        columns = ["set", "view", "dims", "coverage", "status", "seconds"]
        report.markdown("Coverage of 90 % intervals", columns, [[r[c] for c in columns] for r in ours])


def print_summary(found: dict[tuple[str, str], dict[str, float]], records: list[report.Record], dims: list[int]) -> None:
    print()
    ours = [f"bochner {q}" for q in dims]
    others = [name for name in dict.fromkeys(map(label, records)) if not name.startswith("bochner")]
    for mine in ours:
        for other in others:
            pairs = [(r[mine], r[other]) for r in found.values() if mine in r and other in r]
            if pairs:
                print(f"- {mine} >= {other} - 0.02: {sum(a >= b - 0.02 for a, b in pairs)} of {len(pairs)}")
    for few, more in zip(ours, ours[1:]):
        falls = [(at, r[few] - r[more]) for at, r in found.items() if few in r and more in r and r[more] < r[few] - 0.02]
        text = ", ".join(f"{name} {view} by {fall:.2f}" for (name, view), fall in falls)
        if any(few in r and more in r for r in found.values()):
            print(f"- from {few} to {more} R^2 falls by more than 0.02 in {len(falls)}: {text or 'none'}")
    cover = [r["coverage"] for r in records if "coverage" in r]
    if cover:
        print(f"- coverage {min(cover):.3f} to {max(cover):.3f}")
    print(f"- failed: {sum('error' in r for r in records)} of {len(records)}")


def main() -> int:
    parser = report.options(__doc__, "missing_views")
    sets = list(tables.MULTI_VIEW)
    parser.add_argument("--tables", type=report.names, default=sets, help=f"Of {', '.join(sets)}")
    parser.add_argument("--rows", type=int, default=500, help="Most samples of a set (default 500)")
    parser.add_argument("--dims", type=report.numbers, default=[2, 5, 10, 20], help="Latent dimensions (default 2,5,10,20)")
    parser.add_argument("--methods", type=report.names, default=list(METHODS), help=f"Of {', '.join(METHODS)} (default all)")
    parser.add_argument("--seed", type=int, default=1, help="Seed of the hidden samples and the fits (default 1)")
    parser.add_argument("--jobs", type=int, default=1, help="Methods at the same time (default 1)")
    arguments = parser.parse_args()
    tables.check_names(arguments.tables)
    program = report.program_of(arguments) if "bochner" in arguments.methods else None
    todo = work(arguments, program, tables.data_folder(arguments.data))
    records = report.Results(arguments.out).complete(todo, arguments.jobs)
    found = print_scores(records)
    print_coverage(records)
    print_summary(found, records, arguments.dims)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
