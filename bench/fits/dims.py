"""Does `--dims auto` find the number of dimensions of simulated tables, and does a fit tell shared from private ones?

    .venv-bench/bin/python bench/fits/dims.py --seeds 1..20

Two views of 30 columns each, smooth functions of 2, 3 and 5 latents of 150 samples, and noise. Then tables in which the first latent
drives both views, the second one view alone and the third the other alone: `roles` is what `--dims 3` says of its dimensions.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
import report
import simulated
import tables
from program import Program, ProgramError

DIMS = (2, 3, 5)
SAMPLES, COLUMNS, NOISE = 150, 30, 0.3


def known(dims: int, seed: int) -> tables.Table:
    rng = np.random.RandomState(seed)
    latent = rng.randn(SAMPLES, dims)
    views = {}
    for name in ("a", "b"):
        frequency, phase = 0.6 * rng.randn(dims, 60), rng.uniform(0, 2 * np.pi, 60)
        smooth = np.sqrt(2 / 60) * np.cos(latent @ frequency + phase) @ rng.randn(60, COLUMNS)
        views[name] = smooth + NOISE * rng.randn(SAMPLES, COLUMNS)
    return tables.Table(views)


def shared_and_private(seed: int) -> tables.Table:
    rng = np.random.RandomState(seed)
    latent = rng.randn(SAMPLES, 3)
    views = {}
    for name, own in (("a", [0, 1]), ("b", [0, 2])):
        parts = [simulated.smooth(rng, 0.7 * latent[:, [q]], COLUMNS) for q in own]
        views[name] = sum(parts) + NOISE * rng.randn(SAMPLES, COLUMNS)
    return tables.Table(views)


def find_dims(program: Program, dims: int, seed: int) -> report.Record:
    what: report.Record = {"truth": dims, "seed": seed}
    try:
        with program.fit(known(dims, seed).views, ["--dims", "auto", "--seed", str(seed), "--steps", "20", "--restarts", "1"]) as run:
            return {**what, "found": run.latent().shape[1], "seconds": run.seconds}
    except ProgramError as error:
        return {**what, "error": str(error)}


def find_roles(program: Program, seed: int) -> report.Record:
    what: report.Record = {"seed": seed}
    try:
        with program.fit(shared_and_private(seed).views, ["--dims", "3", "--seed", str(seed)]) as run:
            return {**what, "roles": sorted(run.metrics()["dimensions"]), "seconds": run.seconds}
    except ProgramError as error:
        return {**what, "error": str(error)}


def main() -> int:
    parser = report.options(__doc__, "dims")
    parser.add_argument("--seeds", type=report.numbers, default=list(range(1, 21)), help="Seeds (default 1..20)")
    parser.add_argument("--jobs", type=int, default=2, help="Runs at a time (default 2)")
    arguments = parser.parse_args()
    program = report.program_of(arguments)
    build = program.fingerprint()
    counts: dict[str, Callable[[], report.Record]] = {
        f"dims {dims} seed {seed} {build}": functools.partial(find_dims, program, dims, seed)
        for dims in DIMS
        for seed in arguments.seeds
    }
    roles: dict[str, Callable[[], report.Record]] = {
        f"roles seed {seed} {build}": functools.partial(find_roles, program, seed) for seed in arguments.seeds
    }
    results = report.Results(arguments.out)
    found = results.complete(counts, arguments.jobs)
    rows = []
    for dims in DIMS:
        own = [r for r in found if r["truth"] == dims]
        rows.append([dims, sum(r.get("found") == dims for r in own), len(own), str([r.get("found") for r in own])])
    report.markdown("Dimensions found by --dims auto", ["truth", "right", "of", "found"], rows)
    told = results.complete(roles, arguments.jobs)
    right = ["a only", "b only", "shared"]
    report.markdown("Shared and private dimensions", ["right", "of"], [[sum(r.get("roles") == right for r in told), len(told)]])
    for record in told:
        if record.get("roles") != right:
            print(f"seed {record['seed']}: {record.get('roles') or record.get('error')}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
