"""Tables and figures of "Scalable Variational Gaussian Processes via Harmonic Kernel Decomposition" (001), beside the paper's.

    .venv-bench/bin/python bench/papers/paper001.py            quick form: half a minute for each model of the earth
    .venv-bench/bin/python bench/papers/paper001.py --full     as in docs/benchmarks.md and longer: hours on two cores

The parts are those of build/bench/bench_harmonic and bench/harmonic/cifar.py; each prints its own table. Numbers of the paper come from
models of 1,000 points and more, trained for hours on four GPUs: what can be compared is the order of the rows.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Piece:
    title: str
    bench: str  # part of bench_harmonic, or cifar
    quick: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    paper: tuple[str, ...] = ()  # lines


EARTH = (
    "RMSE, negative log density: SVGP 1k 0.252, 0.040; SVGP 3k 0.208, -0.146; SVGP 5k 0.196, -0.203",
    "HVGP 7 x 1k 0.189, -0.246; HVGP 13 x 1k 0.177, -0.314 (6.5 million locations of ETOPO1; 0.4 to 9 hours on GPUs)",
)
PIECES = {
    "table1": Piece("Table 1: elevation of the earth, ETOPO60", "elevation", ("--minutes", "0.5"), ("--minutes", "10"), EARTH),
    "table1-fine": Piece("Table 1: elevation of the earth, ETOPO5", "elevation5", ("--minutes", "0.5"), ("--minutes", "30"), EARTH),
    "figure2": Piece(
        "Figure 2: flipped digits", "flips", ("--steps", "100"), ("--steps", "400"),
        ("flips 4 x 100 do as well as SVGP 400, negation 4 x 100 substantially worse",),
    ),
    "figure4": Piece(
        "Figure 4: shifted digits", "shifts", ("--steps", "20"), ("--steps", "2000"),
        ("shifts, shared or not, are better than SVGP 800; negation is substantially worse",),
    ),
    "figure5": Piece(
        "Figures 5 and 10: regression, and what points miss after learning (last but one column)", "uci",
        ("--splits", "1", "--steps", "300", "--sets", "kin40k,elevators"), ("--splits", "3", "--steps", "2000"),
        ("8 x M is better than M and 2M on most sets",),
    ),
    "figure6": Piece(
        "Figure 6: what points miss of the prior variance", "nystrom", ("--sets", "kin40k,elevators,bike"), (),
        ("negations along principal directions miss less than along axes, and 8 x M less than 2M",),
    ),
    "figure8": Piece(
        "Figure 8: time of a step", "steps", (), (), ("8 x M takes less time than 2M on four GPUs",),
    ),
    "figure9": Piece("Figure 9: Snelson's data", "snelson", (), (), ("the even and the odd part add up to the prediction",)),
    "table2": Piece(
        "Table 2: CIFAR-10, the architecture C1", "cifar", ("--rows", "2000", "--steps", "60"), ("--rows", "50000", "--steps", "20000"),
        ("accuracy of two layers: M 0.764, 2 x M 0.771; of one: M 0.657, 2 x M 0.663",),
    ),
}  # fmt: skip


def command_of(piece: Piece, arguments: argparse.Namespace) -> list[str]:
    options = [*(piece.full if arguments.full else piece.quick), "--data", str(arguments.data)]
    options += ["--threads", str(arguments.threads)]
    if piece.bench == "cifar":
        return [sys.executable, str(ROOT / "bench/harmonic/cifar.py"), *options]
    return [str(arguments.build / "bench/bench_harmonic"), piece.bench, *options]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data = os.environ.get("BOCHNER_DATA") or ROOT.parent / "shared/data"
    parser.add_argument("--data", type=Path, default=Path(data), help="Folder of the tables")
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="Folder of the build")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--parts", default=",".join(PIECES), help=f"Of {', '.join(PIECES)} (default all)")
    parser.add_argument("--full", action="store_true", help="Longer: hours")
    arguments = parser.parse_args()
    chosen = [name for name in arguments.parts.split(",") if name]
    unknown = [name for name in chosen if name not in PIECES]
    if unknown:
        parser.error(f"no part '{unknown[0]}'; there are {', '.join(PIECES)}")
    program = arguments.build / "bench/bench_harmonic"
    if not program.is_file():
        parser.error(f"{program} does not exist; build it with 'cmake --build build --target bench_harmonic'")
    failed = 0
    for name in chosen:
        piece = PIECES[name]
        print(f"\n## 001 {piece.title}\n", flush=True)
        failed += subprocess.run(command_of(piece, arguments), check=False).returncode != 0
        for line in piece.paper:
            print(f"paper: {line}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
