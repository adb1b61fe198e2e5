"""The command line of the papers' scripts."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import report
import tables
from parts import FULL, QUICK, Part, run_parts


def main(description: str | None, name: str, parts: list[Part]) -> int:
    parser = report.options(description, name)
    every = [part.name for part in parts]
    parser.add_argument("--parts", type=report.names, default=every, help=f"Of {', '.join(every)} (default all)")
    parser.add_argument("--full", action="store_true", help="Five seeds, all rows, the papers' number of steps")
    parser.add_argument("--seeds", type=report.numbers, help="Seeds: 1,2,3 or 1..5 (default two, or five with --full)")
    parser.add_argument("--rows", type=int, help="Samples of tables that have thousands, at most (default 500, or all with --full)")
    parser.add_argument("--fresh", action="store_true", help="Run again what is in --out already")
    parser.add_argument("--jobs", type=int, default=2, help="Runs at a time (default 2)")
    parser.set_defaults(out=Path("bench-fits") / f"{name}.jsonl")
    arguments = parser.parse_args()
    unknown = [part for part in arguments.parts if part not in every]
    if unknown:
        raise SystemExit(f"{name}: no part '{unknown[0]}'; there are {', '.join(every)}")
    chosen = [part for part in parts if part.name in arguments.parts]
    form = FULL if arguments.full else QUICK
    if arguments.seeds:
        form = dataclasses.replace(form, seeds=tuple(arguments.seeds))
    if arguments.rows:
        form = dataclasses.replace(form, rows=arguments.rows)
    program, data = report.program_of(arguments), tables.data_folder(arguments.data)
    run_parts(chosen, program, data, report.Results(arguments.out, arguments.fresh), form, arguments.jobs)
    return 0
