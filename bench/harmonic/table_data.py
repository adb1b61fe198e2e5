"""Tables of numbers and of classes, and their folds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

UCI = ("bike", "elevators", "keggdirected", "kin40k", "pol", "tamielectric")
CLASSES = ("spambase", "mfeat", "digits")
LARGE_ROWS = 250_000
FOLDS = 10


@dataclass(frozen=True)
class Split:
    """Inputs and outcomes, to learn from and to score by."""

    X: np.ndarray
    y: np.ndarray
    X_new: np.ndarray
    y_new: np.ndarray
    classes: bool  # outcomes are numbers from 0


def etopo5(data: Path) -> tuple[np.ndarray, np.ndarray]:
    """Random places: longitude and latitude in degrees, elevation in metres."""
    file = np.load(data / "etopo5.npz")
    rng = np.random.default_rng(0)
    rows, columns = rng.integers(len(file["lat"]), size=LARGE_ROWS), rng.integers(len(file["lon"]), size=LARGE_ROWS)
    X = np.column_stack([file["lon"][columns], file["lat"][rows]])
    return X, file["elevation"][rows, columns].astype(np.float64)


def etopo60(data: Path) -> tuple[np.ndarray, np.ndarray]:
    file = np.load(data / "etopo60.npz")
    lon, lat = np.meshgrid(file["lon"], file["lat"])
    return np.column_stack([lon.ravel(), lat.ravel()]), file["elevation"].astype(np.float64).ravel()


def pixels(data: Path) -> tuple[np.ndarray, np.ndarray]:
    """A random pixel of a random image: the two rows of five above it and two on its left, and its own grey value."""
    images = np.load(data / "cifar10_gray32_60k.npz")["images"]
    rng = np.random.default_rng(0)
    image, r, c = rng.integers(len(images), size=LARGE_ROWS), *rng.integers(2, 30, size=(2, LARGE_ROWS))
    near = [(dr, dc) for dr in (-2, -1) for dc in range(-2, 3)] + [(0, -2), (0, -1)]
    X = np.column_stack([images[image, r + dr, c + dc] for dr, dc in near]).astype(np.float64)
    return X, images[image, r, c].astype(np.float64)


def household(data: Path) -> tuple[np.ndarray, np.ndarray]:
    """Active power in an hour by what was measured in the hour before, and by the hour and the day of the week."""
    file = np.load(data / "houseelectric_hourly.npz")
    hours = file["datetime"].astype("datetime64[h]")
    hour = hours.astype(np.int64) % 24
    day = (hours.astype("datetime64[D]").astype(np.int64) + 3) % 7
    X = np.column_stack([file["X"], hour, day]).astype(np.float64)
    return X[:-1], file["X"][1:, 0].astype(np.float64)


def road(data: Path) -> tuple[np.ndarray, np.ndarray]:
    file = np.load(data / "uci_3droad_first5000.npz")
    return file["lon_lat"], file["altitude"]


def song(data: Path) -> tuple[np.ndarray, np.ndarray]:
    file = np.load(data / "millionsong12.npz")
    return file["X"].astype(np.float64), file["year"].astype(np.float64)


def labelled(data: Path, name: str) -> tuple[np.ndarray, np.ndarray]:
    file = np.load(data / {"spambase": "spambase.npz", "mfeat": "mfeat.npz", "digits": "sklearn_digits.npz"}[name])
    X = file["X"] if name != "mfeat" else np.hstack([file[view] for view in ("fou", "kar", "mor", "zer")])
    return X.astype(np.float64), file["labels"].astype(np.int64)


OTHERS = {
    "etopo5": etopo5, "etopo60": etopo60, "houseelectric": household, "pixels": pixels, "3droad": road, "song": song,
}  # fmt: skip
NAMES = (*UCI, *OTHERS, *CLASSES)
GLOBES = ("etopo5", "etopo60")  # two columns: longitude and latitude


def load(name: str, data: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Inputs, outcomes (numbers are standardised), and the fold of each row."""
    if name in UCI:
        file = np.load(data / f"uci_{name}.npz")
        X, y, fold = file["X"].astype(np.float64), file["y"].astype(np.float64), file["test_mask"].argmax(axis=1)
    else:
        X, y = labelled(data, name) if name in CLASSES else OTHERS[name](data)
        fold = np.random.default_rng(1).integers(FOLDS, size=len(y))
    return X, y if name in CLASSES else (y - y.mean()) / y.std(), fold


def split(name: str, data: Path, fold: int, most: int) -> Split:
    """`most` rows at random, all where it is 0; a tenth of them is the fold."""
    X, y, folds = load(name, data)
    order = np.random.default_rng(fold).permutation(len(y))
    if most:
        order = order[:most]
    test = folds[order] == fold
    inside, outside = order[~test], order[test]
    return Split(X[inside], y[inside], X[outside], y[outside], name in CLASSES)
