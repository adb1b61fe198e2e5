"""Do intervals hold, and is a noise variance for each column worth having? Entries hidden by this script judge both.

    .venv-bench/bin/python bench/fits/intervals.py --seeds 1..3 --rows 300

Simulated tables (two views, columns whose noise differs by a factor of up to ten) and real ones. A tenth of the entries is
hidden before the program sees the table; all defaults. `coverage` is the fraction of them within their 90 % intervals;
`density` their mean log density in units of the columns, `one_variance` that of the same means with the same variance for all
entries of a view, the best one in hindsight.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import report
import scores
import simulated
import tables
from program import Program, ProgramError, Run

HIDDEN = 0.1
HALF_WIDTH = 1.6448536269514722  # of a 90 % interval, in standard deviations


def mixed_noise(samples: int, seed: int) -> tables.Table:
    """Smooth functions of two latents; noise sd from 0.15 to 1.5."""
    rng = np.random.RandomState(seed)
    latent = rng.randn(samples, 2)
    views = {}
    for name, columns in (("wide", 60), ("narrow", 12)):
        sd = np.exp(rng.uniform(np.log(0.15), np.log(1.5), columns))
        views[name] = simulated.smooth(rng, latent, columns) + sd * rng.randn(samples, columns)
    return tables.Table(views, None)


def hide(table: tables.Table, seed: int) -> tuple[tables.Views, tables.Views]:
    """The table as the program sees it, and what it does not see; the other entries are NaN."""
    rng = np.random.RandomState(1000 + seed)
    seen, hidden = {}, {}
    for name, view in table.views.items():
        chosen = rng.rand(*view.shape) < HIDDEN
        seen[name], hidden[name] = np.where(chosen, np.nan, view), np.where(chosen, view, np.nan)
    return seen, hidden


def density(error: np.ndarray, sd: np.ndarray | float) -> float:
    return float(np.mean(-0.5 * np.log(2 * np.pi) - np.log(sd) - 0.5 * (error / sd) ** 2))


def view_scores(run: Run, name: str, seen: np.ndarray, hidden: np.ndarray) -> report.Record:
    middle, low, high = run.imputed(name)
    scale = np.nanstd(seen, axis=0)
    use = np.isfinite(hidden) & (scale > 0)
    unit = np.broadcast_to(np.where(scale > 0, scale, 1), hidden.shape)[use]
    error = (hidden[use] - middle[use]) / unit
    return {
        "coverage": scores.coverage(np.where(use, hidden, np.nan), low, high),
        "density": density(error, np.maximum((high - low)[use] / (2 * HALF_WIDTH) / unit, 1e-12)),
        "one_variance": density(error, max(float(np.sqrt(np.mean(error**2))), 1e-12)),
    }


def one_fit(program: Program, read: Callable[[], tables.Table], table: str, seed: int) -> report.Record:
    seen, hidden = hide(read(), seed)
    what: report.Record = {"table": table, "seed": seed}
    try:
        with program.fit(seen, ["--seed", str(seed)]) as run:
            return {**what, "views": {name: view_scores(run, name, seen[name], hidden[name]) for name in seen}}
    except ProgramError as error:
        return {**what, "error": str(error)}


def work(arguments, program: Program, data: Path) -> dict[str, Callable[[], report.Record]]:
    todo: dict[str, Callable[[], report.Record]] = {}
    for table in ["simulated", *arguments.tables]:
        for seed in arguments.seeds:
            if table == "simulated":
                read = functools.partial(mixed_noise, arguments.rows, seed)
            else:
                read = functools.partial(tables.load, table, data, arguments.rows)
            key = f"{table} seed {seed} rows {arguments.rows} {' '.join(program.extra)} program {program.fingerprint()}"
            todo[key] = functools.partial(one_fit, program, read, table, seed)
    return todo


def main() -> int:
    parser = report.options(__doc__, "intervals")
    parser.add_argument("--tables", type=report.names, default=list(tables.TABLES), help="Real tables (default all)")
    parser.add_argument("--seeds", type=report.numbers, default=[1, 2, 3], help="Seeds: 1..3 or 1,2 (default 1..3)")
    parser.add_argument("--rows", type=int, default=300, help="Samples, at most (default 300)")
    parser.add_argument("--jobs", type=int, default=2, help="Runs at a time (default 2)")
    arguments = parser.parse_args()
    tables.check_names(arguments.tables)
    records = report.Results(arguments.out).complete(
        work(arguments, report.program_of(arguments), tables.data_folder(arguments.data)), arguments.jobs
    )
    rows, better = [], 0
    names = dict.fromkeys((str(r["table"]), view) for r in records for view in r.get("views", {}))
    for table, view in names:
        own = [r["views"][view] for r in records if r["table"] == table and view in r.get("views", {})]
        mean = {score: float(np.mean([one[score] for one in own])) for score in ("coverage", "density", "one_variance")}
        spread = [one["coverage"] for one in own]
        better += mean["density"] > mean["one_variance"]
        rows.append([table, view, mean["coverage"], min(spread), max(spread), mean["density"], mean["one_variance"]])
    for record in records:
        if "error" in record:
            rows.append([record["table"], f"seed {record['seed']}: {record['error']}"])
    columns = ["table", "view", "coverage", "lowest", "highest", "density", "one_variance"]
    report.markdown("90 % intervals of hidden entries", columns, rows)
    print(f"\nA variance for each entry has the better log density in {better} of {len(names)} views.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
