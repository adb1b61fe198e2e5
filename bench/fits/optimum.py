"""Defaults of `bochner fit` on 19 real tables: bounds of the kernels, spread over seeds, held-out errors, coverage.

    .venv-bench/bin/python bench/fits/optimum.py --tables oil_flow,mfeat --seeds 1..3 --rows 1000

Bounds of different kernels with the same seed are of the same entries in the same units: they are comparable. Those of
different seeds leave out different entries (not so with --no-holdout), which is part of their spread. The spread over seeds is in
per cent of the bound, which may be near zero, and of the gain: the bound minus that of white noise, log N(0, 1) per entry.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import report
import scores
import tables
from program import Program, ProgramError, Run

Reader = Callable[[], tables.Table]
ERRORS = ("rmse", "rmse_mean", "rmse_pca", "rmse_knn")


def heldout_scores(run: Run) -> report.Record:
    """Errors in units of the columns and log density over all held-out entries; coverage by view."""
    views = {name: view for name, view in run.heldout().items() if view["entries"] > 0}
    if not views:
        return {}
    entries = np.array([view["entries"] for view in views.values()])

    def pooled(name: str) -> np.ndarray:
        return np.array([view[name] for view in views.values()])

    errors = {name: float(np.sqrt(np.average(pooled(f"scaled_{name}") ** 2, weights=entries))) for name in ERRORS}
    density = float(np.average(pooled("log_density"), weights=entries))
    return {**errors, "log_density": density, "coverage": {name: view["coverage90"] for name, view in views.items()}}


def fit_scores(run: Run, labels: np.ndarray | None) -> report.Record:
    metrics, trace = run.metrics(), run.trace()
    return {
        "bound": metrics["objective"],
        "standard_error": trace.standard_error(),
        "best": trace.best,
        "status": metrics["stopped"],
        "steps": metrics["steps"],
        "seconds": metrics["seconds"],
        "nn1": None if labels is None else scores.neighbour_accuracy(run.latent(), labels),
        **heldout_scores(run),
        "verdict": metrics["verdict"],
    }


def one_fit(program: Program, read: Reader, table: str, seed: int, kernel: str, options: list[str]) -> report.Record:
    what: report.Record = {"table": table, "seed": seed, "kernel": kernel}
    data = read()
    try:
        with program.fit(data.views, ["--kernel", kernel, "--seed", str(seed), *options]) as run:
            return {**what, "samples": data.samples, "entries": data.entries, **fit_scores(run, data.labels)}
    except ProgramError as error:
        return {**what, "samples": data.samples, "error": str(error)}


def work(arguments, program: Program, data: Path) -> dict[str, Callable[[], report.Record]]:
    options = ["--holdout", "0"] if arguments.no_holdout else []
    settings = f"{arguments.rows} rows {' '.join([*options, *program.extra])} program {program.fingerprint()}"
    todo = {}
    for table in arguments.tables:
        read = functools.lru_cache(maxsize=1)(functools.partial(tables.load, table, data, arguments.rows))
        for seed in arguments.seeds:
            for kernel in arguments.kernels:
                task = functools.partial(one_fit, program, read, table, seed, kernel, options)
                todo[f"{table} seed {seed} {kernel} {settings}"] = task
    return todo


def print_fits(records: list[report.Record]) -> None:
    header = "table,N,kernel,seed,bound,se,status,steps,seconds,1-NN,error,mean,PCA,5-NN,log density,coverage by view,verdict"
    rows = []
    for r in records:
        start = [r["table"], r["samples"], r["kernel"], r["seed"]]
        if "error" in r:
            rows.append([*start, r["error"], *[None] * 12])
            continue
        fit = [r[name] for name in ("bound", "standard_error", "status", "steps", "seconds", "nn1")]
        cover = " ".join(f"{value:.2f}" for value in r.get("coverage", {}).values())
        rows.append([*start, *fit, *[r.get(name) for name in (*ERRORS, "log_density")], cover or None, r["verdict"]])
    report.markdown("Fits", header.split(","), rows)


def not_worse(ours: report.Record, other: report.Record) -> bool:
    """Up to twice the standard error of the difference of two bounds."""
    error = np.hypot(ours["standard_error"], other["standard_error"])
    return bool(ours["bound"] >= other["bound"] - 2 * np.nan_to_num(error))


def wins(fits: dict, table: str, kernel: str, seeds: list[int]) -> str | None:
    """The number of seeds where the kernel reaches RBF, of those where both finished."""
    both = [s for s in seeds if {(table, kernel, s), (table, "rbf", s)} <= fits.keys()]
    pairs = [(fits[table, kernel, s], fits[table, "rbf", s]) for s in both]
    return f"{sum(not_worse(a, b) for a, b in pairs)} of {len(pairs)}" if pairs and kernel != "rbf" else None


def white_noise(run: report.Record) -> float:
    """The bound of a model that explains nothing of a scaled table."""
    return -0.5 * (1 + np.log(2 * np.pi)) * run["entries"]


def kernel_summary(fits: dict, table: str, kernel: str, seeds: list[int]) -> list[object]:
    runs = [fits[table, kernel, s] for s in seeds if (table, kernel, s) in fits]
    bounds = np.array([r["bound"] for r in runs])
    accuracy = [r["nn1"] for r in runs if r["nn1"] is not None]
    cover = [value for r in runs for value in r.get("coverage", {}).values()]
    return [
        wins(fits, table, kernel, seeds),
        float(100 * np.ptp(bounds) / abs(bounds.mean())) if len(runs) > 1 else None,
        float(100 * np.ptp(bounds) / (bounds.mean() - white_noise(runs[0]))) if len(runs) > 1 else None,
        float(np.mean(accuracy)) if accuracy else None,
        float(np.std(accuracy, ddof=1)) if len(accuracy) > 1 else None,
        min(cover, default=None),
        sum(r["bound"] < r["best"] for r in runs),
        max((r["best"] - r["bound"]) / r["standard_error"] if r["standard_error"] > 0 else 0.0 for r in runs),
        sum(r["status"] != "converged" for r in runs),
    ]


def print_summary(records: list[report.Record], arguments) -> None:
    fits = {(r["table"], r["kernel"], r["seed"]): r for r in records if "error" not in r}
    header = "table|kernel|>= RBF|spread, %|of gain, %|1-NN|sd of 1-NN|worst coverage|below best|by, se|not converged".split("|")
    present = [(t, k) for t in arguments.tables for k in arguments.kernels if any((t, k, s) in fits for s in arguments.seeds)]
    rows = [[t, k, *kernel_summary(fits, t, k, arguments.seeds)] for t, k in present]
    report.markdown("Summary by table and kernel", header, rows)
    print()
    for kernel in arguments.kernels:
        mine = [(t, s) for t, k, s in fits if k == kernel]
        pairs = [(fits[t, kernel, s], fits[t, "rbf", s]) for t, s in mine if (t, "rbf", s) in fits]
        if kernel != "rbf" and pairs:
            good = sum(not_worse(a, b) for a, b in pairs)
            worse = sorted({a["table"] for a, b in pairs if not not_worse(a, b)})
            print(f"- {kernel} >= rbf within two standard errors: {good} of {len(pairs)}; worse on: {', '.join(worse) or 'none'}")
        below = sum(fits[t, kernel, s]["bound"] < fits[t, kernel, s]["best"] for t, s in mine)
        print(f"- {kernel}: final bound below the best smoothed bound of its trace: {below} of {len(mine)}")
        worst = min((row for row in rows if row[1] == kernel and row[7] is not None), key=lambda row: row[7], default=None)
        if worst:
            print(f"- {kernel}: worst coverage of a view {worst[7]:.3f} ({worst[0]})")
    errors = [r for r in records if "error" in r]
    print(f"- failed runs: {len(errors)} of {len(records)}")


def main() -> int:
    parser = report.options(__doc__, "optimum")
    parser.add_argument("--tables", type=report.names, default=list(tables.TABLES), help=f"Of {', '.join(tables.TABLES)}")
    parser.add_argument("--seeds", type=report.numbers, default=[1, 2, 3], help="Seeds: 1,2,3 or 1..3 (default 1..3)")
    parser.add_argument("--kernels", type=report.names, default=["ngsm", "sm", "rbf"], help="Kernels (default ngsm,sm,rbf)")
    parser.add_argument("--rows", type=int, default=1000, help="Most samples of a table (default 1000)")
    parser.add_argument("--jobs", type=int, default=1, help="Fits at the same time (default 1)")
    parser.add_argument("--no-holdout", action="store_true", help="Fit all entries: --holdout 0")
    arguments = parser.parse_args()
    tables.check_names(arguments.tables)
    todo = work(arguments, report.program_of(arguments), tables.data_folder(arguments.data))
    records = report.Results(arguments.out).complete(todo, arguments.jobs)
    print_fits(records)
    print_summary(records, arguments)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
