#!/usr/bin/env python3
"""Runs the same commands with two builds of the program and compares the run folders, byte by byte.

    tools/compare_runs.py OLD/bin/bochner NEW/bin/bochner [--only fit,kpca] [--keep FOLDER]

For changes that must not change results. Files that differ are listed with the largest difference between the numbers
that they hold, relative to the larger of 1 and the number. Not compared: log.jsonl, and what metrics.json says in seconds
and in prose. The exit code is 1 if a number differs by more than --tolerance (default 0: not at all).
"""
import argparse
import json
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile

PROSE = {"seconds", "sentence", "message", "warnings", "advice"}
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|nan|inf")


def write_csv(path, header, rows):
    path.write_text("\n".join([",".join(header)] + [",".join(str(c) for c in row) for row in rows]) + "\n")


def make_tables(folder):
    """Small tables of every kind: smooth functions of two hidden numbers, with missing values, counts, classes, series."""
    rng = random.Random(1)
    n = 60
    hidden = [(rng.gauss(0, 1), rng.gauss(0, 1)) for _ in range(n)]
    ids = [f"s{i:02d}" for i in range(n)]

    def view(columns, missing):
        phases = [(rng.gauss(0, 1), rng.gauss(0, 1), rng.uniform(0, 6)) for _ in range(columns)]
        for i, (u, v) in enumerate(hidden):
            values = [f"{math.sin(a * u + b * v + p) + 0.1 * rng.gauss(0, 1):.6f}" for a, b, p in phases]
            yield [ids[i]] + ["" if rng.random() < missing else c for c in values]

    for name, columns, missing in (("a", 8, 0.1), ("b", 5, 0.2), ("whole", 6, 0)):
        write_csv(folder / f"{name}.csv", ["id"] + [f"{name}{j}" for j in range(columns)], view(columns, missing))
    write_csv(folder / "counts.csv", ["id"] + [f"c{j}" for j in range(4)],
              [[ids[i]] + [int(math.exp(1 + 0.5 * u)) + rng.randrange(3) for _ in range(4)] for i, (u, v) in enumerate(hidden)])
    write_csv(folder / "outcome.csv", ["id", "x1", "x2", "y", "kind", "level"],
              [[ids[i], f"{u:.6f}", f"{v:.6f}", f"{math.sin(2 * u) + 0.3 * v + 0.1 * rng.gauss(0, 1):.6f}", "high" if u + v > 0 else "low",
                1 + int(4 * rng.random() * (u > 0))] for i, (u, v) in enumerate(hidden)])
    write_csv(folder / "inputs.csv", ["id", "x1", "x2"], [[ids[i], f"{u:.6f}", f"{v:.6f}"] for i, (u, v) in enumerate(hidden)])
    write_csv(folder / "series.csv", ["time", "load"], [[t, f"{math.sin(t / 4) + 0.2 * math.sin(t / 1.7) + 0.05 * rng.gauss(0, 1):.6f}"] for t in range(160)])
    write_csv(folder / "paths.csv", ["id", "time", "p0", "p1", "p2"],
              [[f"t{t}", t, *(f"{math.sin(t / (4 + j)) + 0.1 * rng.gauss(0, 1):.6f}" for j in range(3))] for t in range(40)])


COMMANDS = {  # run folder: arguments; a later one may read the folder of an earlier one
    "fit": "fit --view a=a.csv --view b=b.csv --steps 150",
    "fit_random": "fit --view a=a.csv --features 60 --steps 80 --seed 3",
    "fit_nystrom": "fit --view whole=whole.csv --features nystrom:20 --kernel rbf --steps 80 --dims 3 --restarts 1",
    "apply": "apply fit/model.bochner --view a=a.csv",
    "bayes": "fit --model bayes --view a=a.csv --view counts=counts.csv:poisson --warmup 40 --draws 40 --frequencies 12",
    "bayes_time": "fit --model bayes --view paths=paths.csv --time time --warmup 40 --draws 40 --frequencies 10 --forecast 3",
    "bayes_apply": "apply bayes/model.bochner --view a=a.csv",
    "regress": "regress --x inputs.csv --y outcome.csv:y --steps 200 --inducing 20",
    "regress_harmonic": "regress --x inputs.csv --y outcome.csv:y --steps 150 --inducing 12 --symmetry negate --likelihood student",
    "classify": "classify --x inputs.csv --y outcome.csv:kind --steps 200 --inducing 20",
    "predict": "predict regress/model.bochner --x inputs.csv",
    "kpca": "kpca --view a=whole.csv --view whole=inputs.csv --dims 3 --samples 5 --traverse 2",
    "kpca_fourier": "kpca --view whole=whole.csv --features 40 --labels outcome.csv:kind --dims 3",
    "kpca_apply": "apply kpca/model.bochner --view a=whole.csv",
    "forecast": "forecast --series series.csv --steps 10 --lags 12 --backtest 2",
    "evaluate": "evaluate --latent fit/latent.csv --labels outcome.csv:kind",
    "demo": "demo",
}


def run_all(program, folder, wanted):
    folder.mkdir(parents=True)
    make_tables(folder)
    for name in wanted:
        out = [] if name == "evaluate" else ["--out", name]
        done = subprocess.run([str(program), *COMMANDS[name].split(), *out], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{program}: {COMMANDS[name]}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        if name == "evaluate":
            (folder / name).mkdir()
            (folder / name / "printed.txt").write_text(done.stdout)


def numbers_of(text):
    return [float(x) for x in NUMBER.findall(text)]


def without_prose(value):
    if isinstance(value, dict):
        return {k: without_prose(v) for k, v in value.items() if k not in PROSE}
    return [without_prose(v) for v in value] if isinstance(value, list) else value


def difference(old, new):
    """None if the files are equal, else the largest difference of their numbers (infinite if they do not match up)."""
    if old.read_bytes() == new.read_bytes():
        return None
    if old.name == "metrics.json":
        before, after = (json.dumps(without_prose(json.loads(p.read_text()))) for p in (old, new))
        if before == after:
            return None
    else:
        try:
            before, after = old.read_text(), new.read_text()
        except UnicodeDecodeError:
            return math.inf
    a, b = numbers_of(before), numbers_of(after)
    if len(a) != len(b):
        return math.inf
    return max((abs(x - y) / max(1, abs(x)) for x, y in zip(a, b) if x != y and not (math.isnan(x) and math.isnan(y))), default=0.0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--only", default="", help="names of runs, separated by commas: " + ", ".join(COMMANDS))
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the runs, kept")
    parser.add_argument("--tolerance", type=float, default=0.0)
    parser.add_argument("--ignore", default="", help="names of files that may differ, separated by commas: config.toml")
    options = parser.parse_args()
    folder = options.keep or pathlib.Path(tempfile.mkdtemp(prefix="compare_runs."))
    wanted = [n for n in COMMANDS if not options.only or n in options.only.split(",")]
    for side, program in (("old", options.old), ("new", options.new)):
        run_all(program.resolve(), folder / "runs", wanted)  # one folder for both: the runs write down where they are
        (folder / "runs").rename(folder / side)
    files = equal = 0
    worst = 0.0
    for name in wanted:
        sides = [{p.relative_to(folder / s / name).as_posix() for p in (folder / s / name).rglob("*") if p.is_file()} - {"log.jsonl", *options.ignore.split(",")} for s in ("old", "new")]
        for missing in sorted(sides[0] ^ sides[1]):
            print(f"{name}/{missing}: only in the {'old' if missing in sides[0] else 'new'} run")
            worst = math.inf
        for file in sorted(sides[0] & sides[1]):
            files += 1
            found = difference(folder / "old" / name / file, folder / "new" / name / file)
            if found is None:
                equal += 1
            else:
                worst = max(worst, found)
                print(f"{name}/{file}: differs, numbers by {found:.2g}")
    print(f"{len(wanted)} runs, {files} files: {equal} equal, {files - equal} different, largest difference {worst:.2g}")
    return 0 if worst <= options.tolerance else 1


if __name__ == "__main__":
    sys.exit(main())
