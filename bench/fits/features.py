"""Quality against time of the ways in which the kernel can enter a fit (`--features`), the table behind its choice `auto`.

    .venv-bench/bin/python bench/fits/features.py --rows 1000
    .venv-bench/bin/python bench/fits/features.py --rows 10000 --choices auto,nystrom:100,nystrom:200,nystrom:400,300 --steps 300

Digits of MNIST (with --rows above 70,000: a simulated table of 100 columns), one start, nothing held out. `bound` is the lower
bound per entry in nats, which fits of the same table share as a scale whatever their features; `nn1` the leave-one-out accuracy of
the nearest neighbour in two latent dimensions. `seconds` are processor time of the whole program, all threads: what other
programs do at the same time has little part in it.
"""

from __future__ import annotations

import functools
import resource
from collections.abc import Callable
from pathlib import Path

import numpy as np
import report
import scores
import simulated
import tables
from program import Program, ProgramError

CHOICES = ("auto", "exact", "nystrom:100", "nystrom:200", "nystrom:300", "nystrom:500", "50", "150", "300")
MOST_EXACT = 3000  # samples
DIGITS = 70000


def table(rows: int, data: Path) -> tables.Table:
    return tables.load("mnist", data, rows) if rows <= DIGITS else simulated.simulate(rows, [100], missing=0)


def processor_seconds() -> float:
    """Of the programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def one_fit(program: Program, data: Path, rows: int, choice: str, seed: int, steps: int | None) -> report.Record:
    whole = table(rows, data)
    options = ["--features", choice, "--seed", str(seed), "--restarts", "1", "--holdout", "0"]
    before = processor_seconds()
    what: report.Record = {"rows": rows, "choice": choice, "seed": seed, "program": program.fingerprint()}
    try:
        with program.fit(whole.views, [*options, *(["--steps", str(steps)] if steps else [])]) as run:
            metrics, seconds = run.metrics(), processor_seconds() - before
            accuracy = None if whole.labels is None else scores.neighbour_accuracy(run.latent(), whole.labels)
            return {
                **what,
                "bound": metrics["objective"] / whole.entries,
                "nn1": accuracy,
                "seconds": seconds,
                "steps": metrics["steps"],
                "status": metrics["stopped"],
            }
    except ProgramError as error:
        return {**what, "error": str(error)}


def main() -> int:
    parser = report.options(__doc__, "features")
    parser.add_argument("--rows", type=report.numbers, default=[1000], help="Samples: 1000,10000 (default 1000)")
    parser.add_argument("--choices", type=report.names, default=list(CHOICES), help=f"Default {','.join(CHOICES)}")
    parser.add_argument("--seeds", type=report.numbers, default=[1], help="Seeds (default 1)")
    parser.add_argument("--steps", type=int, help="Steps at most (default those of `bochner fit`)")
    parser.add_argument("--fresh", action="store_true", help="Run again what is in --out already")
    arguments = parser.parse_args()
    program, data = report.program_of(arguments), tables.data_folder(arguments.data)
    work: dict[str, Callable[[], report.Record]] = {}
    for rows in arguments.rows:
        for choice in arguments.choices:
            if choice == "exact" and rows > MOST_EXACT:
                continue
            for seed in arguments.seeds:
                key = f"{rows} {choice} seed {seed} steps {arguments.steps} {' '.join(program.extra)} {program.version()}"
                work[key] = functools.partial(one_fit, program, data, rows, choice, seed, arguments.steps)
    records = report.Results(arguments.out, arguments.fresh).complete(work)  # one at a time: processor time is that of all children
    columns = ["bound", "nn1", "seconds", "steps"]
    rows_out = []
    for rows in arguments.rows:
        for choice in arguments.choices:
            own = [r for r in records if r["rows"] == rows and r["choice"] == choice and "error" not in r]
            means = [float(np.mean([r[c] for r in own])) if own and own[0][c] is not None else None for c in columns]
            if own:
                rows_out.append([rows, choice, *means, own[0]["status"]])
    report.markdown("Quality against time", ["samples", "--features", *columns, "status"], rows_out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
