"""Tables with known truth: the generators of the core."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import _core
from ._validation import Array, seed_of, threads_of

__all__ = ["LatentData", "RegressionData", "make_lorenz", "make_regression", "make_s_curve", "make_sines"]


@dataclass
class LatentData:
    """Views of the same samples, and the truth that they were made from."""

    views: dict[str, Array]  #: with missing values
    complete: dict[str, Array]  #: without
    latent: Array  #: N x Q
    position: Array  #: N, along the curve or in time


@dataclass
class RegressionData:
    """Inputs, outcomes with noise, and the functions themselves."""

    X: Array
    y: Array
    f: Array


def make_s_curve(
    n_samples: int = 500,
    views: Mapping[str, Any] | None = None,
    *,
    kernel: str = "rbf",
    likelihood: str = "gaussian",
    absent: float = 0.0,
    missing: float = 0.0,
    random_state: Any = None,
    n_jobs: int | None = -1,
) -> LatentData:
    """Functions of the S-curve, one table for each view.

    ``views`` has a number of columns for each name, or ``(columns, kernel, likelihood)``; kernels are ``"rbf"`` and
    ``"gibbs"``, likelihoods ``"gaussian"``, ``"poisson"`` and ``"negbinom"``. In every view a share ``absent`` of the
    samples is not there, and a share ``missing`` of the other entries is NaN.

    >>> from bochner import datasets
    >>> data = datasets.make_s_curve(50, {"rna": 20, "counts": (10, "rbf", "poisson")}, random_state=1)
    >>> data.views["counts"].shape, data.latent.shape
    ((50, 10), (50, 2))
    """
    recipe = []
    for name, columns in (views or {"y": 100}).items():
        own = (columns, kernel, likelihood) if isinstance(columns, int) else tuple(columns)
        recipe.append((name, int(own[0]), str(own[1]), str(own[2])))
    tables, whole, X, t = _core.simulate_s_curve(
        rows=n_samples, views=recipe, absent=absent, missing=missing, seed=seed_of(random_state), threads=threads_of(n_jobs)
    )
    names = [r[0] for r in recipe]
    return LatentData(dict(zip(names, tables, strict=True)), dict(zip(names, whole, strict=True)), X, t)


def make_lorenz(
    n_samples: int = 500,
    n_columns: int = 50,
    *,
    noise_variance: float = 1.0,
    missing: float = 0.0,
    random_state: Any = None,
) -> LatentData:
    """A table of functions of Lorenz's system, rows in the order of time.

    >>> from bochner import datasets
    >>> datasets.make_lorenz(100, 5, random_state=0).views["lorenz"].shape
    (100, 5)
    """
    tables, whole, X, t = _core.simulate_lorenz(
        rows=n_samples, columns=n_columns, noise=noise_variance, missing=missing, seed=seed_of(random_state)
    )
    return LatentData({"lorenz": tables[0]}, {"lorenz": whole[0]}, X, t)


def make_regression(
    n_samples: int = 200,
    n_features: int = 1,
    n_targets: int = 1,
    *,
    kernel: str = "rbf",
    noise_variance: float = 0.1,
    random_state: Any = None,
    n_jobs: int | None = -1,
) -> RegressionData:
    """Draws of a Gaussian process at uniform inputs, with noise.

    >>> from bochner import datasets
    >>> data = datasets.make_regression(30, 2, random_state=0)
    >>> data.X.shape, data.y.shape
    ((30, 2), (30,))
    """
    X, Y, F = _core.simulate_regression(
        rows=n_samples, inputs=n_features, outputs=n_targets, kernel=kernel, noise=noise_variance,
        seed=seed_of(random_state), threads=threads_of(n_jobs),
    )  # fmt: skip
    return RegressionData(X, Y[:, 0] if n_targets == 1 else Y, F[:, 0] if n_targets == 1 else F)


def make_sines(n_samples: int = 500, *, step: float = 0.01) -> tuple[Array, Array]:
    """Times and values of sin(2 pi t) + 0.2 sin(40 pi t): a series with nothing random in it.

    >>> from bochner import datasets
    >>> t, y = datasets.make_sines(10)
    >>> y.shape
    (10,)
    """
    t, y = _core.sum_of_sines(rows=n_samples, step=step)
    return t, y
