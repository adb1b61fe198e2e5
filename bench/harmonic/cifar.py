"""CIFAR-10 with the small architecture C1: a convolution of 5 x 5 windows with stride 3 and 10 maps, then patches of 5 x 5 [001, Table 2].

    .venv-bench/bin/python bench/harmonic/cifar.py                                  2,000 images, 300 steps
    .venv-bench/bin/python bench/harmonic/cifar.py --rows 50000 --steps 20000       all images: hours

One layer (patches alone) and two, with one group of m inducing points (M) and with two (2 x M: --symmetry negate), at equal steps.
Pixels are divided by 255 and centred by the program. Accuracy, negative log density and mean confidence on --test images.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fits"))

import numpy as np
import report
from program import Program
from table_data import Split
from table_methods import run_bochner

MODELS = {
    "1 layer, M": ("--layers", "patches:5:3"),
    "1 layer, 2 x M": ("--layers", "patches:5:3", "--symmetry", "negate"),
    "2 layers, M": ("--layers", "conv:5:3:10,patches:5"),
    "2 layers, 2 x M": ("--layers", "conv:5:3:10,patches:5", "--symmetry", "negate"),
}


def images(data: Path, part: str, most: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of pixels, colours of a pixel side by side. The file holds R - G, G and B - G, differences along columns."""
    file = np.load(data / "cifar10_rgb_packed.npz")
    chosen = np.sort(np.random.default_rng(seed).permutation(len(file[f"{part}_labels"]))[:most])
    planes = np.cumsum(file[f"{part}_planes"][:, chosen].astype(np.int64), axis=3)
    green = planes[1]
    rgb = np.stack([planes[0] + green, green, planes[2] + green], axis=-1) % 256
    return rgb.reshape(len(chosen), -1) / 255.0, file[f"{part}_labels"][chosen].astype(np.int64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = Path(__file__).resolve().parents[2]
    data = os.environ.get("BOCHNER_DATA") or root.parent / "shared/data"
    parser.add_argument("--data", type=Path, default=Path(data))
    parser.add_argument("--program", type=Path, default=root / "build/bin/bochner")
    parser.add_argument("--rows", type=int, default=2000, help="Training images (default 2000)")
    parser.add_argument("--test", type=int, default=1000, help="Test images (default 1000)")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--inducing", type=int, default=100, help="Of each layer and group (the paper has 384 and 1000)")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--models", default=",".join(map(str, range(1, len(MODELS) + 1))), help="Of 1 to 4 (default all)")
    parser.add_argument("--out", type=Path, default=Path("bench-fits/cifar.jsonl"), help="Results, to resume from")
    arguments = parser.parse_args()
    program = Program(arguments.program, arguments.threads)
    X, y = images(arguments.data, "train", arguments.rows, 0)
    X_new, y_new = images(arguments.data, "test", arguments.test, 1)
    rows = Split(X, y, X_new, y_new, True)
    chosen = [list(MODELS)[int(k) - 1] for k in report.names(arguments.models)]
    size = ["--inducing", str(arguments.inducing), "--batch", str(arguments.batch), "--steps", str(arguments.steps)]
    work = {}
    for name in chosen:
        options = [*MODELS[name], "--image", "32x32x3", "--likelihood", "softmax", *size]
        key = f"{name} {arguments.rows} {arguments.test} {' '.join(size)} {program.fingerprint()}"
        work[key] = lambda options=options: run_bochner(program, "cifar", rows, 1e9, *options)
    records = report.Results(arguments.out).complete(work)
    table = [[n, 1 - float(r["miss"]), r["nll"], r["confidence"], r["seconds"]] for n, r in zip(chosen, records, strict=True)]
    title = f"CIFAR-10, {arguments.rows} images, {arguments.steps} steps of {arguments.batch}, m = {arguments.inducing}"
    report.markdown(title, ["model", "accuracy", "NLL", "confidence", "seconds"], table)


if __name__ == "__main__":
    main()
