"""Scores of a latent space and of predictions; NaN in `truth` counts nowhere."""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import KFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors


def neighbour_accuracy(latent: np.ndarray, labels: np.ndarray, neighbours: int = 1) -> float:
    """Leave-one-out accuracy of the majority of the nearest neighbours; a tie goes to the label of the nearest."""
    classes, code = np.unique(labels, return_inverse=True)
    near = NearestNeighbors(n_neighbors=neighbours).fit(latent).kneighbors(return_distance=False)  # without the sample itself
    votes = np.zeros((len(latent), len(classes)))
    for rank in range(neighbours):
        np.add.at(votes, (np.arange(len(latent)), code[near[:, rank]]), 1 - 1e-3 * rank / neighbours)
    return float(np.mean(votes.argmax(axis=1) == code))


def fold_accuracy(latent: np.ndarray, labels: np.ndarray, folds: int = 5, shuffles: int = 5) -> float:
    """Accuracy of the nearest neighbour among the samples of the other folds, the mean over shuffles."""
    accuracy = []
    for seed in range(shuffles):
        split = KFold(folds, shuffle=True, random_state=seed)
        accuracy.append(cross_val_score(KNeighborsClassifier(1), latent, labels, cv=split).mean())
    return float(np.mean(accuracy))


def r_squared(truth: np.ndarray, prediction: np.ndarray, mean: np.ndarray, scale: np.ndarray) -> float:
    """1 - SSE / SSE of the training means, over all entries with every column in units of its scale."""
    use = np.isfinite(truth) & (scale > 0)
    unit = np.where(scale > 0, scale, 1)
    error = np.where(use, (truth - prediction) / unit, 0)
    baseline = np.where(use, (truth - mean) / unit, 0)
    return float(1 - np.sum(error**2) / np.sum(baseline**2))


def coverage(truth: np.ndarray, low: np.ndarray, high: np.ndarray) -> float:
    """The fraction of entries within their intervals."""
    use = np.isfinite(truth) & np.isfinite(low) & np.isfinite(high)
    return float(np.mean((low[use] <= truth[use]) & (truth[use] <= high[use]))) if use.any() else float("nan")
