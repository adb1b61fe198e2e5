"""The final bound of 100 short fits against the best smoothed bound of the start that was kept; exit code 1 if it is below.

    .venv-bench/bin/python bench/fits/short_runs.py --runs 100

Every run draws its table, 50 to 300 of its samples in random order, the order of its views, the kernel, the number of steps
and the seed from one RandomState.
"""

from __future__ import annotations

import functools
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import report
import tables
from program import Program, ProgramError


@dataclass(frozen=True)
class Draw:
    """What one run draws."""

    table: str
    kernel: str
    steps: int
    seed: int
    rows: np.ndarray  # samples in their order
    views: list[str]  # in their order


def draw(rng: np.random.RandomState, load, arguments) -> Draw:
    name = arguments.tables[rng.randint(len(arguments.tables))]
    table = load(name)
    most = min(arguments.rows, table.samples)
    count = rng.randint(min(50, most), most + 1)
    rows = rng.permutation(table.samples)[:count]
    views = [list(table.views)[v] for v in rng.permutation(len(table.views))]
    kernel = arguments.kernels[rng.randint(len(arguments.kernels))]
    return Draw(name, kernel, int(rng.randint(20, arguments.steps + 1)), int(rng.randint(1, 10**6)), rows, views)


def one_run(program: Program, table: tables.Table, drawn: Draw) -> report.Record:
    views = {name: table.views[name][drawn.rows] for name in drawn.views}
    options = ["--kernel", drawn.kernel, "--steps", str(drawn.steps), "--seed", str(drawn.seed)]
    what = {**asdict(drawn), "rows": len(drawn.rows)}
    try:
        with program.fit(views, options) as run:
            trace, metrics = run.trace(), run.metrics()
    except ProgramError as error:
        return {**what, "error": str(error)}
    deficit = trace.best - metrics["objective"]
    scale = {"deficit": deficit, "deficit_se": deficit / max(trace.standard_error(), 1e-300)}
    return {**what, "bound": metrics["objective"], "best": trace.best, **scale, "status": metrics["stopped"]}


def work(arguments, program: Program, data: Path) -> dict[str, functools.partial]:
    load = functools.lru_cache(maxsize=None)(lambda name: tables.load(name, data, 1000))
    rng = np.random.RandomState(arguments.seed)
    build = f"{' '.join(program.extra)} program {program.fingerprint()}"
    todo = {}
    for number in range(arguments.runs):
        drawn = draw(rng, load, arguments)
        key = f"run {number} {drawn.table} seed {drawn.seed} steps {drawn.steps} {len(drawn.rows)} rows {drawn.kernel} {build}"
        todo[key] = functools.partial(one_run, program, load(drawn.table), drawn)
    return todo


def violations(records: list[report.Record], tolerance: float) -> list[report.Record]:
    """Below the best by more than rounding, and by more than `tolerance` standard errors."""
    fits = [r for r in records if "error" not in r]
    return [r for r in fits if r["deficit"] > 1e-9 * abs(r["best"]) and r["deficit_se"] > tolerance]


def main() -> int:
    parser = report.options(__doc__, "short_runs")
    parser.add_argument("--tables", type=report.names, default=list(tables.TABLES), help="Tables to draw from (default all)")
    parser.add_argument("--kernels", type=report.names, default=["ngsm", "sm", "rbf"], help="Kernels (default ngsm,sm,rbf)")
    parser.add_argument("--rows", type=int, default=300, help="Most samples of a run (default 300)")
    parser.add_argument("--steps", type=int, default=150, help="Most steps of a run (default 150; at least 20)")
    parser.add_argument("--runs", type=int, default=100, help="Number of runs (default 100)")
    parser.add_argument("--seed", type=int, default=0, help="Seed of the choices (default 0)")
    parser.add_argument("--jobs", type=int, default=1, help="Fits at the same time (default 1)")
    parser.add_argument("--tolerance", type=float, default=0, help="Standard errors that a bound may be below (default 0)")
    arguments = parser.parse_args()
    tables.check_names(arguments.tables)
    todo = work(arguments, report.program_of(arguments), tables.data_folder(arguments.data))
    records = report.Results(arguments.out).complete(todo, arguments.jobs)
    found = violations(records, arguments.tolerance)
    columns = ["table", "kernel", "rows", "steps", "seed", "bound", "best", "deficit", "deficit_se", "status"]
    report.markdown("Final bounds below the best of their trace", columns, [[r[c] for c in columns] for r in found])
    failed = [r for r in records if "error" in r]
    report.markdown("Failed runs", ["table", "seed", "error"], [[r["table"], r["seed"], r["error"]] for r in failed])
    print(f"\n- {len(found)} of {len(records)} below the best, {len(failed)} failed")
    return 1 if found or failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
