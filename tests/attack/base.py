"""What attacks start from: good tables, and a model and a checkpoint of every family, made by the program itself."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import tables
from arena import Arena, finish
from commands import QUICK_BAYES, QUICK_FIT, QUICK_REGRESS

ROWS = 30
QUIET = ["--threads", "1", "--quiet"]
CLASSES = ["red", "blue", "green"]


def write_tables(folder: Path) -> None:
    names = tables.ids(ROWS)
    a = tables.smooth(ROWS, 4, 1, missing=0.05)
    x = tables.smooth(ROWS, 4, 2)
    counts = [[int(3 + 2 * cell) for cell in row] for row in tables.smooth(ROWS, 3, 3)]
    y = [[round(row[0] + row[1] ** 2, 6)] for row in x]
    series = [[round(row[0] + 0.1 * t, 6), row[1]] for t, row in enumerate(tables.smooth(ROWS, 2, 4))]
    labels = [[CLASSES[row[0] > 0.2 or 0], CLASSES[(row[0] > 0.3) + (row[1] > 0)]] for row in x]
    for name, table, head in (
        ("a", a, None), ("b", tables.smooth(ROWS, 3, 5), tables.columns(3, "b")), ("x", x, None), ("y", y, ["y"]),
        ("counts", counts, None), ("series", series, ["u", "v"]), ("labels", labels, ["type", "kind"]),
    ):
        (folder / f"{name}.csv").write_bytes(tables.csv_text(table, head, names))
    (folder / "new.csv").write_bytes(tables.csv_text(tables.smooth(5, 4, 6), None, tables.ids(5, "n")))


# Folder, and the command that leaves a model in it.
MODELS: dict[str, list[str]] = {
    "fit": ["fit", "--view", "a=a.csv", "--view", "b=b.csv", *QUICK_FIT],
    "fit-ngsm": ["fit", "--view", "a=a.csv", "--steps", "3", "--restarts", "1", "--features", "4"],
    "fit-nystrom": ["fit", "--view", "a=a.csv", "--steps", "3", "--restarts", "1", "--kernel", "rbf+linear",
                    "--features", "nystrom:5"],
    "bayes": ["fit", "--view", "a=a.csv", "--view", "n=counts.csv:poisson", *QUICK_BAYES],
    "bayes-counts": ["fit", "--view", "a=a.csv:gaussian", "--view", "m=counts.csv:multinomial", "--view",
                     "k=labels.csv:categorical", *[w if w != "rbf" else "dp" for w in QUICK_BAYES]],
    "bayes-binomial": ["fit", "--view", "n=counts.csv:binomial", "--trials", "n=9", "--view", "r=counts.csv:negbinom",
                       *QUICK_BAYES],
    "bayes-time": ["fit", "--view", "s=series.csv", "--time", "u", *QUICK_BAYES],
    "kpca": ["kpca", "--view", "a=x.csv", "--dims", "2"],
    "kpca-views": ["kpca", "--view", "a=x.csv", "--view", "b=b.csv", "--labels", "labels.csv:type", "--dims", "3",
                   "--kernel", "linear"],
    "kpca-features": ["kpca", "--view", "a=x.csv", "--view", "b=b.csv", "--dims", "2", "--features", "a=network:4",
                      "--features", "b=16", "--epochs", "2"],
    "regress": ["regress", "--x", "x.csv", "--y", "y.csv", *QUICK_REGRESS],
    "regress-symmetry": ["regress", "--x", "x.csv", "--y", "y.csv", "--symmetry", "negate:pca:2", "--likelihood",
                         "student", *QUICK_REGRESS],
    "regress-poisson": ["regress", "--x", "x.csv", "--y", "counts.csv:c0", "--circle", "c1:3", "--ard", "--likelihood",
                        "poisson", *QUICK_REGRESS],
    "classify": ["classify", "--x", "x.csv", "--y", "labels.csv:type", *QUICK_REGRESS],
    "classify-softmax": ["classify", "--x", "x.csv", "--y", "labels.csv:kind", "--symmetry", "negate",
                         "--shared-inducing", *QUICK_REGRESS],
    "classify-robustmax": ["classify", "--x", "x.csv", "--y", "labels.csv:kind", "--likelihood", "robustmax",
                           *QUICK_REGRESS],
}

# How each of them is read again.
READERS: dict[str, list[str]] = {
    "fit": ["apply", "<model>", "--view", "a=new.csv"],
    "fit-ngsm": ["apply", "<model>", "--view", "a=new.csv"],
    "fit-nystrom": ["apply", "<model>", "--view", "a=new.csv"],
    "bayes": ["apply", "<model>", "--view", "a=new.csv"],
    "bayes-counts": ["apply", "<model>", "--view", "m=counts.csv", "--view", "k=labels.csv"],
    "bayes-binomial": ["apply", "<model>", "--view", "n=counts.csv"],
    "bayes-time": ["apply", "<model>", "--view", "s=series.csv"],
    "kpca": ["apply", "<model>", "--view", "a=new.csv"],
    "kpca-views": ["apply", "<model>", "--view", "a=new.csv"],
    "kpca-features": ["apply", "<model>", "--view", "b=b.csv"],
    "regress": ["predict", "<model>", "--x", "new.csv"],
    "regress-symmetry": ["predict", "<model>", "--x", "new.csv", "--parts"],
    "regress-poisson": ["predict", "<model>", "--x", "new.csv"],
    "classify": ["predict", "<model>", "--x", "new.csv"],
    "classify-softmax": ["predict", "<model>", "--x", "new.csv"],
    "classify-robustmax": ["predict", "<model>", "--x", "new.csv"],
}

# Runs that are caught with a checkpoint; long enough for that, and quick to end once resumed.
STOPPED: dict[str, list[str]] = {
    "fit": ["fit", "--view", "a=a.csv", "--view", "b=b.csv", "--dims", "2", "--steps", "120", "--restarts", "2"],
    "bayes": ["fit", "--view", "a=a.csv", "--view", "n=counts.csv:poisson", "--inference", "mcmc", "--dims", "2",
              "--frequencies", "5", "--chains", "2", "--warmup", "60", "--draws", "60"],
    "regress": ["regress", "--x", "x.csv", "--y", "y.csv", "--inducing", "6", "--steps", "200", "--batch", "16"],
    "classify": ["classify", "--x", "x.csv", "--y", "labels.csv:kind", "--inducing", "6", "--steps", "200", "--batch",
                 "16"],
}


def stop_with_checkpoint(arena: Arena, name: str, out: str) -> bool:
    """Starts a run and kills it as soon as it has a checkpoint; False if it was not caught."""
    process = arena.start([*STOPPED[name], *QUIET, "--checkpoint-seconds", "0", "--out", out],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    target = arena.path(out) / "checkpoint.bochner"
    while process.poll() is None and not target.exists():
        time.sleep(0.001)
    time.sleep(0.05)
    caught = process.poll() is None
    if caught:
        os.killpg(process.pid, signal.SIGKILL)
    finish(process, [], 60)
    return caught and target.exists()


def make_base(program: str, folder: Path) -> Path:
    write_tables(folder)
    arena = Arena(program, folder, folder)
    for name, command in MODELS.items():
        outcome = arena.run([*command, *QUIET, "--out", f"models/{name}"])
        if outcome.code != 0:
            sys.exit(f"the run '{name}' that attacks start from failed: {' '.join(command)}\n{outcome.message}")
    for name in STOPPED:
        for _ in range(20):
            if stop_with_checkpoint(arena, name, f"stopped/{name}"):
                break
            shutil.rmtree(folder / "stopped" / name, ignore_errors=True)
        else:
            sys.exit(f"the run '{name}' was never caught with a checkpoint")
        outcome = arena.run([*STOPPED[name], *QUIET, "--checkpoint-seconds", "0", "--out", f"reference/{name}"])
        (folder / f"reference/{name}.seconds").write_text(f"{outcome.seconds}\n")
        if outcome.code != 0:
            sys.exit(f"the run '{name}' failed:\n{outcome.message}")
    return folder
