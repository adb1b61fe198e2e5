"""Seconds of the default of `bochner fit`, of its dry run and of `bochner apply`, against UMAP and MOFA2.

    .venv-bench/bin/python bench/fits/times.py --limit 600

Three simulated tables with 2 % of the entries missing, and 10,000 digits of MNIST with the accuracy of 10 neighbours in the
latent space. Every method runs in a process of its own, with as many threads and a time limit. Imports do not count; UMAP
compiles itself in its first call: `seconds` are those of a second call, `first_seconds` those of the first. bochner and UMAP
find two dimensions, MOFA2 ten factors.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import report
import scores
import simulated
import tables
from program import Program, ProgramError

METHODS = ("dry-run", "bochner", "umap", "mofa")
SIMULATED = {
    "1200 x (5 x 2000)": (1200, [2000] * 5),
    "544 x (2 x 3200)": (544, [3200] * 2),
    "1400 x (1000 + 10)": (1400, [1000, 10]),
}
DIGITS = "mnist 10000 x 784"
NEW_SAMPLES = 500  # of `bochner apply`


def table(name: str, data: Path | None, share: float) -> tables.Table:
    """`share` < 1: a smaller table of the same shape, to try the script."""
    if name == DIGITS:
        return tables.load("mnist", data, round(10000 * share))
    samples, columns = SIMULATED[name]
    return simulated.simulate(round(samples * share), [max(round(count * share), 3) for count in columns])


def accuracy(latent: np.ndarray, labels: np.ndarray | None) -> float | None:
    return None if labels is None else scores.neighbour_accuracy(latent, labels, 10)


def time_bochner(program: Program, whole: tables.Table, limit: float) -> report.Record:
    with program.fit(whole.views, limit=limit) as run:
        metrics = run.metrics()
        count = min(NEW_SAMPLES, whole.samples)
        applied = program.apply(run, whole.take(np.arange(count)).views, limit)
        return {
            "seconds": run.seconds,
            "fit_seconds": metrics["seconds"],
            "status": metrics["stopped"],
            "verdict": metrics["verdict"],
            "nn10": accuracy(run.latent(), whole.labels),
            "apply_per_second": count / applied,
        }


def time_reference(method: str, whole: tables.Table, limit: float, threads: int) -> report.Record:
    """Runs this file again with --worker, on the views in a folder."""
    environment = {**os.environ, **{f"{name}_NUM_THREADS": str(threads) for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")}}
    with TemporaryDirectory(prefix="bochner-bench-") as name:
        folder = Path(name)
        for view, values in whole.views.items():
            np.save(folder / f"view-{view}.npy", values)
        command = [sys.executable, __file__, "--worker", method, name]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=limit, env=environment)
        except subprocess.TimeoutExpired as error:
            raise ProgramError(f"not finished after {limit:.0f} s") from error
        if done.returncode:
            raise ProgramError((done.stderr.strip().splitlines() or ["no message"])[-1])
        return {**json.loads(done.stdout.splitlines()[-1]), "nn10": accuracy(np.load(folder / "latent.npy"), whole.labels)}


def worker(method: str, folder: Path) -> None:
    import references

    views = {path.stem.removeprefix("view-"): np.load(path) for path in sorted(folder.glob("view-*.npy"))}
    __import__({"umap": "umap", "mofa": "mofapy2.run.entry_point"}[method])
    embed = {"umap": references.umap, "mofa": lambda views: references.mofa(views)[0]}[method]
    seconds = []
    for _ in range(2 if method == "umap" else 1):
        begin = time.perf_counter()
        latent = embed(views)
        seconds.append(time.perf_counter() - begin)
    np.save(folder / "latent.npy", latent)
    print(json.dumps({"seconds": seconds[-1], "first_seconds": seconds[0]}))


def one_time(arguments, program: Program | None, data: Path | None, name: str, method: str) -> report.Record:
    whole = table(name, data, arguments.share)
    try:
        if method == "bochner":
            measured = time_bochner(program, whole, arguments.limit)
        elif method == "dry-run":
            measured = {"seconds": program.dry_run(whole.views)}
        else:
            measured = time_reference(method, whole, arguments.limit, arguments.threads)
    except ProgramError as error:
        measured = {"error": str(error)}
    return {"table": name, "method": method, **measured}


def work(arguments, program: Program | None, data: Path | None) -> dict[str, Callable[[], report.Record]]:
    todo: dict[str, Callable[[], report.Record]] = {}
    for name in arguments.tables:
        for method in arguments.methods:
            key = f"{name} {method} share {arguments.share} threads {arguments.threads}"
            if method in ("bochner", "dry-run"):
                key += f" {' '.join(program.extra)} program {program.fingerprint()}"
            todo[key] = functools.partial(one_time, arguments, program, data, name, method)
    return todo


def main() -> int:
    if sys.argv[1:2] == ["--worker"]:
        worker(sys.argv[2], Path(sys.argv[3]))
        return 0
    parser = report.options(__doc__, "times")
    everything = [*SIMULATED, DIGITS]
    parser.add_argument("--tables", type=report.names, default=everything, help=f"Of {', '.join(everything)}")
    parser.add_argument("--methods", type=report.names, default=list(METHODS), help=f"Of {', '.join(METHODS)} (default all)")
    parser.add_argument("--limit", type=float, default=1800, help="Seconds that one method may take (default 1800)")
    parser.add_argument("--share", type=float, default=1, help="Share of rows and columns, to try the script (default 1)")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.tables if name not in everything]
    if unknown:
        raise SystemExit(f"times: no table '{unknown[0]}'; there are {', '.join(everything)}")
    program = report.program_of(arguments) if {"bochner", "dry-run"} & set(arguments.methods) else None
    data = tables.data_folder(arguments.data) if DIGITS in arguments.tables else None
    records = report.Results(arguments.out).complete(work(arguments, program, data))
    columns = "table method seconds first_seconds fit_seconds nn10 apply_per_second status verdict error".split()
    report.markdown("Seconds", columns, [[r.get(c) for c in columns] for r in records])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
