"""Other ways to predict a view from the others, and to embed: ridge, a GP, MOFA2, UMAP.

Columns of several views are standardised by what a method may see; a view alone, such as pixels, keeps the scales of its
columns, as standardised borders of images are noise. A missing input counts as the mean of its column.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize
from sklearn.decomposition import PCA
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.linear_model import RidgeCV

from tables import Views


def moments(view: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of the observed entries of each column, 0 where there are none; 0 also for rounding."""
    seen = np.isfinite(view)
    count = np.maximum(seen.sum(axis=0), 1)
    mean = np.where(seen, view, 0).sum(axis=0) / count
    scale = np.sqrt((np.where(seen, view - mean, 0) ** 2).sum(axis=0) / count)
    return mean, np.where(scale > 1e-12 * np.abs(mean), scale, 0)


def standardised(view: np.ndarray) -> np.ndarray:
    """Columns that do not vary become 0."""
    mean, scale = moments(view)
    return (view - mean) * np.where(scale > 0, 1 / np.where(scale > 0, scale, 1), 0)


def scaled(views: Views) -> Views:
    """Standardised columns; those of a view alone are centred, with one scale for all."""
    if len(views) > 1:
        return {name: standardised(view) for name, view in views.items()}
    return {name: (view - moments(view)[0]) / np.nanstd(view) for name, view in views.items()}


@dataclass(frozen=True)
class Hidden:
    """A view that some samples do not have."""

    views: Views  # NaN in the rows `rows` of the target
    target: str
    rows: np.ndarray  # N booleans

    def inputs(self) -> np.ndarray:
        """The other views of all samples, N x D."""
        return np.nan_to_num(np.hstack([standardised(view) for name, view in self.views.items() if name != self.target]))

    def outputs(self) -> np.ndarray:
        """The target of the samples that have it."""
        return standardised(self.views[self.target][~self.rows])

    def patterns(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Columns of the target with the same missing entries, and the rows of `outputs` that they have."""
        seen = np.isfinite(self.outputs())
        for pattern in np.unique(seen, axis=1).T:
            if pattern.any():
                yield np.flatnonzero((seen == pattern[:, None]).all(axis=0)), np.flatnonzero(pattern)


def predict_mean(task: Hidden) -> np.ndarray:
    return np.zeros((task.rows.sum(), task.views[task.target].shape[1]))


def predict_ridge(task: Hidden) -> np.ndarray:
    """The penalty by leave-one-out, the same for all columns with the same entries."""
    X, Y, prediction = task.inputs(), task.outputs(), predict_mean(task)
    for columns, rows in task.patterns():
        if len(rows) > 2:
            model = RidgeCV(np.logspace(-1, 5, 13)).fit(X[~task.rows][rows], Y[np.ix_(rows, columns)])
            prediction[:, columns] = model.predict(X[task.rows]).reshape(-1, len(columns))
    return prediction


def negative_evidence(theta: np.ndarray, kernel, X: np.ndarray, groups: list) -> tuple[float, np.ndarray]:
    """-log p(Y | X) per entry and its gradient, over groups (rows, Y of these rows) of columns with the same kernel.

    GaussianProcessRegressor has the same value for several columns, but forms N x N x M arrays.
    """
    K, dK = kernel.clone_with_theta(theta)(X, eval_gradient=True)
    value, gradient, entries = 0.0, np.zeros_like(theta), sum(Y.size for _, Y in groups)
    for rows, Y in groups:
        block = np.ix_(rows, rows)
        try:
            factor = cho_factor(K[block] + 1e-8 * np.eye(len(rows)), lower=True)
        except np.linalg.LinAlgError:
            return 1e10, np.zeros_like(theta)
        alpha = cho_solve(factor, Y)
        value += 0.5 * np.sum(Y * alpha) + Y.shape[1] * np.log(np.diag(factor[0])).sum() + 0.5 * Y.size * np.log(2 * np.pi)
        inner = alpha @ alpha.T - Y.shape[1] * cho_solve(factor, np.eye(len(rows)))
        gradient -= 0.5 * np.einsum("ij,ijp->p", inner, dK[block])
    return value / entries, gradient / entries


def fit_kernel(X: np.ndarray, groups: list, iterations: int = 60):
    """The kernel with the most evidence of two starts: from long lengthscales alone, signal can be taken for noise."""
    found = []
    for variance, length in ((1.0, 1.0), (0.5, 0.3)):
        kernel = ConstantKernel(variance) * RBF(np.full(X.shape[1], length), (1e-2, 1e3)) + WhiteKernel(0.5, (1e-4, 10))
        options = {"bounds": kernel.bounds, "options": {"maxiter": iterations}}
        found.append(minimize(negative_evidence, kernel.theta, (kernel, X, groups), jac=True, **options))
    return kernel.clone_with_theta(min(found, key=lambda result: result.fun).x)


def predict_gp(task: Hidden, dims: int) -> np.ndarray:
    """One squared exponential kernel with a lengthscale per component and one noise variance for all columns."""
    X = task.inputs()
    X = PCA(min(dims, *X.shape), random_state=0).fit_transform(X)
    X /= np.sqrt(X.var(axis=0).sum())
    Y, seen = task.outputs(), ~task.rows
    kernel = fit_kernel(X[seen], [(rows, Y[np.ix_(rows, columns)]) for columns, rows in task.patterns()])
    K, cross, prediction = kernel(X[seen]), kernel(X[task.rows], X[seen]), predict_mean(task)
    for columns, rows in task.patterns():
        factor = cho_factor(K[np.ix_(rows, rows)] + 1e-8 * np.eye(len(rows)), lower=True)
        prediction[:, columns] = cross[:, rows] @ cho_solve(factor, Y[np.ix_(rows, columns)])
    return prediction


def mofa(views: Views, factors: int = 10, iterations: int = 1000) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Factors (N x K) and weights (M x K) of each view, of scaled columns; columns that do not vary have weight 0."""
    from mofapy2.run.entry_point import entry_point

    tables = scaled(views)
    vary = {name: np.nanmax(np.abs(np.where(np.isfinite(t), t, 0)), axis=0) > 0 for name, t in tables.items()}
    with contextlib.redirect_stdout(io.StringIO()):
        model = entry_point()
        model.set_data_options(scale_views=False)
        model.set_data_matrix([[t[:, vary[name]]] for name, t in tables.items()], likelihoods=["gaussian"] * len(tables))
        model.set_model_options(factors=factors)
        model.set_train_options(iter=iterations, convergence_mode="fast", seed=1, quiet=True)
        model.build()
        model.run()
    nodes = model.model.getNodes()
    weights = {name: np.zeros((t.shape[1], nodes["Z"].getExpectation().shape[1])) for name, t in tables.items()}
    for name, W in zip(tables, nodes["W"].getExpectation()):
        weights[name][vary[name]] = W
    return nodes["Z"].getExpectation(), weights


def predict_mofa(task: Hidden, factors: int = 10) -> np.ndarray:
    Z, weights = mofa(task.views, factors)
    return Z[task.rows] @ weights[task.target].T


def umap(views: Views, dims: int = 2) -> np.ndarray:
    from umap import UMAP

    return UMAP(n_components=dims, random_state=1).fit_transform(np.nan_to_num(np.hstack(list(scaled(views).values()))))
