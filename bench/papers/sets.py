"""The data sets of papers 000, 003 and 004, as the papers have them as far as they are public."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import tables

Maker = Callable[[Path, int], tables.Table]  # of a folder and a seed


def one(file: str, array: str, labels: str) -> Maker:
    def make(data: Path, seed: int) -> tables.Table:
        del seed
        with np.load(data / file) as archive:
            return tables.Table({"Y": tables.flat(archive[array])}, archive[labels])

    return make


def digits(data: Path, seed: int) -> tables.Table:
    """1,000 digits of the training set; another thousand for every seed."""
    with np.load(data / "mnist.npz") as archive:
        rows = np.random.RandomState(seed - 1).permutation(60000)[:1000]
        return tables.Table({"Y": tables.flat(archive["train_images"][rows])}, archive["train_labels"][rows])


def montreal(data: Path, seed: int) -> tables.Table:
    """The eight lanes with most days; their own table is not public."""
    del seed
    with np.load(data / "montreal_bikes_2015.npz") as archive:
        Y, missing = archive["Y"].astype(np.float64), archive["missing"]
        lanes = np.sort(np.argsort(missing.sum(axis=0), kind="stable")[:8])
        return tables.Table({"Y": np.where(missing, np.nan, Y)[:, lanes]}, archive["season"])


def bridges_in_logarithms(data: Path, seed: int) -> tables.Table:
    counts = SETS["bridges"](data, seed)
    return tables.Table({"Y": np.log1p(counts.views["Y"])}, counts.labels)


def rotated_digits(data: Path, seed: int) -> tables.Table:
    """000 Fig. 7: the digits upright and turned by a quarter, a half and three quarters, as four views."""
    upright = digits(data, seed)
    images = upright.views["Y"].reshape(-1, 28, 28)
    views = {f"turned{90 * k}": np.rot90(images, k, axes=(1, 2)).reshape(len(images), -1) for k in range(4)}
    return tables.Table(views, upright.labels)


SETS: dict[str, Maker] = {
    "bridges": one("bridges.npz", "Y", "labels"),
    "bridges_in_logarithms": bridges_in_logarithms,
    "r_cifar": one("cifar10_r2000_gray20.npz", "images", "labels"),
    "r_mnist": digits,
    "newsgroups": one("newsgroups3_counts.npz", "Y", "labels"),
    "yale": one("yale_faces_32x32.npz", "images", "labels"),
    "montreal": montreal,
}


def busiest_counters(data: Path, seed: int) -> tables.Table:
    """Of Montreal's counters without a missing day the eight with most cyclists; the papers do not name theirs."""
    del seed
    with np.load(data / "montreal_bikes_2015.npz") as archive:
        complete = archive["Y"][:, ~archive["missing"].any(axis=0)].astype(np.float64)
        return tables.Table({"Y": complete[:, np.argsort(-complete.sum(axis=0), kind="stable")[:8]]}, archive["season"])


def training_newsgroups(data: Path, seed: int) -> tables.Table:
    """The documents by which the words were chosen."""
    with np.load(data / "newsgroups3_counts.npz") as archive:
        return SETS["newsgroups"](data, seed).take(np.flatnonzero(archive["is_train"]))


COUNTS: dict[str, Maker] = {  # of 004
    "bridges": SETS["bridges"],
    "cifar": SETS["r_cifar"],
    "congress": one("congress109.npz", "Y", "labels"),
    "mnist": digits,
    "montreal": busiest_counters,
    "newsgroups": training_newsgroups,
    "spam": one("sms_spam_counts.npz", "Y", "labels"),
    "yale": SETS["yale"],
}


THOUSANDS = ("r_cifar", "newsgroups")  # of rows; the others have at most 1,000, and are used whole


def at_most(table: tables.Table, rows: int | None) -> tables.Table:
    if rows is None or table.samples <= rows:
        return table
    return table.take(np.sort(np.random.RandomState(0).permutation(table.samples)[:rows]))


def s_curve(samples: int, seed: int, in_order: bool = False) -> np.ndarray:
    """The S-shaped latent of the papers, two dimensions, standardised; in order: from one end of the S to the other."""
    rng = np.random.RandomState(seed)
    t = 3 * np.pi * (rng.rand(samples) - 0.5)
    if in_order:
        t = np.sort(t)
    X = np.c_[np.sin(t), np.sign(t) * (np.cos(t) - 1)]
    return (X - X.mean(axis=0)) / X.std(axis=0)


def draw(K: np.ndarray, columns: int, noise: float, rng: np.random.RandomState) -> np.ndarray:
    """Columns from a Gaussian process with Gram matrix K, and noise of this variance."""
    root = np.linalg.cholesky(K + 1e-8 * np.eye(len(K)))
    return root @ rng.randn(len(K), columns) + np.sqrt(noise) * rng.randn(len(K), columns)


def rbf_gram(X: np.ndarray, lengthscale: float = 1.0) -> np.ndarray:
    distance = ((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    return np.exp(-0.5 * distance / lengthscale**2)


def gibbs_gram(X: np.ndarray) -> np.ndarray:
    """The Gibbs kernel with a length-scale that grows with |x|; the power of its factor is D / 2."""
    ell = 0.5 + 0.5 * np.linalg.norm(X, axis=1)
    total = ell[:, None] ** 2 + ell[None, :] ** 2
    distance = ((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    return (2 * np.outer(ell, ell) / total) ** (X.shape[1] / 2) * np.exp(-distance / total)


def simulated_views(kernels: list[str], samples: int, columns: int, noise: float, seed: int) -> tuple[tables.Views, np.ndarray]:
    """Views of one S-curve, each from its own kernel ("rbf" or "gibbs")."""
    X, rng = s_curve(samples, seed), np.random.RandomState(100 + seed)
    grams = {"rbf": rbf_gram(X), "gibbs": gibbs_gram(X)}
    return {f"view{v}": draw(grams[name], columns, noise, rng) for v, name in enumerate(kernels, 1)}, X


def affine_r2(latent: np.ndarray, truth: np.ndarray) -> float:
    """R^2 of the truth after the best affine map of the latents."""
    A = np.c_[latent, np.ones(len(latent))]
    left = truth - A @ np.linalg.lstsq(A, truth, rcond=None)[0]
    return float(1 - (left**2).sum() / ((truth - truth.mean(axis=0)) ** 2).sum())


def emissions(likelihood: str, F: np.ndarray, rng: np.random.RandomState) -> np.ndarray:
    """Observations of functions, as the authors of 004 draw them."""
    if likelihood == "gaussian":
        return F + 0.5 * rng.randn(*F.shape)
    if likelihood == "poisson":
        return rng.poisson(np.exp(F)).astype(np.float64)
    if likelihood == "negbinom":  # dispersions 1, 2, .. M
        return rng.negative_binomial(np.arange(1, F.shape[1] + 1), 1 / (1 + np.exp(F))).astype(np.float64)
    odds = np.exp(F * (np.arange(F.shape[1]) < F.shape[1] - 1))  # the last column is zero, for identifiability
    return np.array([rng.multinomial(100, row / row.sum()) for row in odds], dtype=np.float64)


def emitted_curve(likelihood: str, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Observations, functions and latents of 004 Sec. 4: an S-curve in order, 100 functions with an RBF kernel."""
    X, rng = s_curve(500, seed, in_order=True), np.random.RandomState(100 + seed)
    F = draw(rbf_gram(X), 100, 0, rng)
    return emissions(likelihood, F, rng), F, X


def lorenz(seed: int, samples: int = 500, columns: int = 50) -> np.ndarray:
    """Euler steps, the constants and the noise of the authors' program."""
    path = np.empty((samples, 3))
    path[0] = 0, 1, 1.05
    for n in range(1, samples):
        x, y, z = path[n - 1]
        path[n] = path[n - 1] + 0.01 * np.array([10 * (y - x), x * (28 - z) - y, x * y - 2.667 * z])
    X = path - path.mean(axis=0)
    rng = np.random.RandomState(100 + seed)
    F = 10 * np.tanh(X / np.abs(X).max(axis=0) @ rng.randn(3, columns))
    return (F - F.mean(axis=0)) / F.std(axis=0) + rng.randn(samples, columns)


def standardised(Y: np.ndarray) -> np.ndarray:
    """Columns that do not vary are dropped."""
    Y = Y[:, Y.std(axis=0) > 0]
    return (Y - Y.mean(axis=0)) / Y.std(axis=0)


def exchange_rates(data: Path) -> np.ndarray:
    """Days without a missing rate, the first column dropped, logarithms, every fourth day."""
    with np.load(data / "forex_2000_2019.npz") as archive:
        rates = archive["rates"].astype(np.float64)
    return np.log(rates[np.isfinite(rates).all(axis=1)][::4, 1:])


def jumps(data: Path) -> np.ndarray:
    """CMU 01_01: the first frame is no motion; every fifth of the others."""
    with np.load(data / "cmu_01_01_bvh.npz") as archive:
        return archive["motion"][1::5].astype(np.float64)


SERIES: dict[str, Callable[[Path, int], np.ndarray]] = {  # of 004 Table 3, rows in the order of time
    "cmu": lambda data, seed: jumps(data),
    "s-curve": lambda data, seed: emitted_curve("gaussian", seed)[0],
    "lorenz": lambda data, seed: lorenz(seed),
    "forex": lambda data, seed: exchange_rates(data),
}


def series(name: str, data: Path, seed: int, rows: int | None = None) -> np.ndarray:
    """The first rows, scaled as in the authors' program: what is simulated is left in its units."""
    Y = SERIES[name](data, seed)[:rows]
    return Y if name in ("s-curve", "lorenz") else standardised(Y)
