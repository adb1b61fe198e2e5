"""Tables of the sizes that users have: smooth functions of three shared latents, factors of each view alone, noise."""

from __future__ import annotations

import numpy as np

from tables import Table


def smooth(rng: np.random.RandomState, latent: np.ndarray, columns: int, waves: int = 50) -> np.ndarray:
    """Functions with the covariance of a squared exponential kernel, by `waves` random cosines."""
    frequency = rng.randn(latent.shape[1], waves)
    phase = rng.uniform(0, 2 * np.pi, waves)
    return np.sqrt(2 / waves) * np.cos(latent @ frequency + phase) @ rng.randn(waves, columns)


def simulate(samples: int, columns: list[int], seed: int = 0, missing: float = 0.02) -> Table:
    """Half of the variance of a column is shared, a quarter is that of its view's five factors, a quarter is noise."""
    rng = np.random.RandomState(seed)
    latent = rng.randn(samples, 3)
    views = {}
    for v, count in enumerate(columns, 1):
        private = rng.randn(samples, 5) @ rng.randn(5, count) / np.sqrt(5)
        view = np.sqrt(0.5) * smooth(rng, latent, count) + 0.5 * private + 0.5 * rng.randn(samples, count)
        view[rng.rand(samples, count) < missing] = np.nan
        views[f"view{v}"] = view
    return Table(views, None)
