"""Latent spaces of peers beside ours, on the same tables in the same run.

    .venv-bench/bin/python bench/peers/peers.py --tables oil_flow,tcga_breast --rows 500

PCA, Isomap, kernel PCA and t-SNE (scikit-learn), UMAP, MOFA2 and, if it is installed, GPy's BayesianGPLVM and MRD; two dimensions
each, defaults. Every method runs in a process of its own with one thread. `nn1` is leave-one-out 1-NN accuracy, `trust`
trustworthiness with 5 neighbours, `rmse` the error of a tenth of the entries that was hidden, in units of the columns, for methods
that can predict them (others see column means there), `MB` the peak memory of the process.
"""

from __future__ import annotations

import functools
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fits"))

import numpy as np
import report
import scores
import tables
from program import Program, ProgramError

METHODS = ("bochner", "pca", "isomap", "kpca", "tsne", "umap", "mofa", "gpy_bgplvm", "gpy_mrd")
HIDDEN = 0.1
DIMS = 2


def standardised(views: tables.Views) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Each view centred, with columns of unit variance (a view alone: divided by one number), and the scales."""
    out, scales = [], []
    for view in views.values():
        sd = np.nanstd(view, axis=0) if len(views) > 1 else np.full(view.shape[1], np.nanstd(view - np.nanmean(view, axis=0)))
        scales.append(np.where(sd > 0, sd, 1))
        out.append((view - np.nanmean(view, axis=0)) / scales[-1])
    return out, scales


def beside(views: list[np.ndarray]) -> np.ndarray:
    """One table, every view with the same total variance, zeros (means) where missing."""
    return np.concatenate([np.nan_to_num(view) / np.sqrt(view.shape[1]) for view in views], axis=1)


def parted(table: np.ndarray, views: list[np.ndarray]) -> list[np.ndarray]:
    at = np.cumsum([view.shape[1] for view in views])[:-1]
    return [part * np.sqrt(part.shape[1]) for part in np.split(table, at, axis=1)]


Answer = tuple[np.ndarray, list[np.ndarray] | None]  # latents, and every view as predicted, standardised


def pca(views: list[np.ndarray]) -> Answer:
    from sklearn.decomposition import PCA

    model = PCA(DIMS).fit(beside(views))
    latent = model.transform(beside(views))
    return latent, parted(model.inverse_transform(latent), views)


def scikit(name: str, views: list[np.ndarray]) -> Answer:
    from sklearn.decomposition import KernelPCA
    from sklearn.manifold import TSNE, Isomap

    X = beside(views)
    if name == "kpca":
        distance = ((X[:200, None] - X[None, :200]) ** 2).sum(axis=2)
        model = KernelPCA(DIMS, kernel="rbf", gamma=1 / np.median(distance[distance > 0]))
    else:
        model = Isomap(n_components=DIMS) if name == "isomap" else TSNE(DIMS, random_state=0)
    return model.fit_transform(X), None


def umap(views: list[np.ndarray]) -> Answer:
    import umap as package

    return package.UMAP(n_components=DIMS, random_state=0).fit_transform(beside(views)), None


def mofa(views: list[np.ndarray]) -> Answer:
    import references

    latent, weights = references.mofa({str(v): view for v, view in enumerate(views)}, DIMS)
    return latent, [latent @ own.T for own in weights.values()]


def gpy(name: str, views: list[np.ndarray]) -> Answer:
    import GPy

    inducing = 50
    if name == "gpy_bgplvm":
        X = beside(views)
        model = GPy.models.BayesianGPLVM(X, DIMS, num_inducing=min(inducing, len(X)))
        model.optimize(messages=False, max_iters=500)
        return np.asarray(model.X.mean), parted(np.asarray(model.predict(model.X)[0]), views)
    model = GPy.models.MRD([np.nan_to_num(view) for view in views], DIMS, num_inducing=min(inducing, len(views[0])))
    model.optimize(messages=False, max_iters=500)
    return np.asarray(model.X.mean), [np.asarray(model.predict(model.X, Yindex=v)[0]) for v in range(len(views))]


EMBED: dict[str, Callable[[list[np.ndarray]], Answer]] = {
    "pca": pca,
    **{name: functools.partial(scikit, name) for name in ("isomap", "kpca", "tsne")},
    "umap": umap,
    "mofa": mofa,
    **{name: functools.partial(gpy, name) for name in ("gpy_bgplvm", "gpy_mrd")},
}


def worker(method: str, folder: Path) -> None:
    """In a process of its own: reads views, writes latents and predictions."""
    views = [np.load(path) for path in sorted(folder.glob("view-*.npy"))]
    begin = time.perf_counter()
    latent, predicted = EMBED[method](views)
    seconds = time.perf_counter() - begin
    np.save(folder / "latent.npy", latent)
    for v, view in enumerate(predicted or []):
        np.save(folder / f"predicted-{v:02}.npy", view)
    print(json.dumps({"seconds": seconds, "MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


def run_peer(method: str, views: list[np.ndarray], limit: float) -> tuple[report.Record, np.ndarray, list[np.ndarray]]:
    one = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")}
    with TemporaryDirectory(prefix="bochner-peers-") as name:
        folder = Path(name)
        for v, view in enumerate(views):
            np.save(folder / f"view-{v:02}.npy", view)
        try:
            done = subprocess.run([sys.executable, __file__, "--worker", method, name], capture_output=True, text=True,
                                  timeout=limit, env={**os.environ, **one})  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise ProgramError(f"not finished after {limit:.0f} s") from error
        if done.returncode:
            raise ProgramError((done.stderr.strip().splitlines() or ["no message"])[-1])
        predicted = [np.load(path) for path in sorted(folder.glob("predicted-*.npy"))]
        return json.loads(done.stdout.splitlines()[-1]), np.load(folder / "latent.npy"), predicted


def run_bochner(program: Program, views: list[np.ndarray], limit: float) -> tuple[report.Record, np.ndarray, list[np.ndarray]]:
    named = {f"v{v}": view for v, view in enumerate(views)}
    with program.fit(named, limit=limit) as run:
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        predicted = [run.imputed(name)[0] for name in named]
        cost = {"seconds": run.seconds, "MB": peak / 1024, "program": program.fingerprint()}
        return cost, run.latent(), predicted


def one(arguments, program: Program, data: Path, name: str, method: str) -> report.Record:
    from sklearn.manifold import trustworthiness

    whole = tables.load(name, data, arguments.rows)
    rng = np.random.RandomState(1)
    hidden = {view: rng.rand(*values.shape) < HIDDEN for view, values in whole.views.items()}
    seen, scales = standardised({view: np.where(hidden[view], np.nan, values) for view, values in whole.views.items()})
    truth = [(values - np.nanmean(np.where(hidden[view], np.nan, values), axis=0)) / scales[v]
             for v, (view, values) in enumerate(whole.views.items())]  # fmt: skip
    what: report.Record = {"table": name, "method": method}
    try:
        if method == "bochner":
            with ProcessPoolExecutor(1) as alone:  # a process whose only child is the program
                cost, latent, predicted = alone.submit(run_bochner, program, seen, arguments.limit).result()
        else:
            cost, latent, predicted = run_peer(method, seen, arguments.limit)
    except ProgramError as error:
        return {**what, "error": str(error)}
    errors = [((a - b)[mask]) ** 2 for a, b, mask in zip(truth, predicted, hidden.values(), strict=False)]
    error = np.concatenate(errors) if errors else np.array([])
    error = error[np.isfinite(error)]
    complete = beside([np.nan_to_num(view) for view in truth])
    return {
        **what,
        "nn1": None if whole.labels is None else scores.neighbour_accuracy(latent, whole.labels),
        "trust": float(trustworthiness(complete, latent, n_neighbors=5)),
        "rmse": float(np.sqrt(error.mean())) if error.size else None,
        **cost,
    }


def main() -> int:
    if sys.argv[1:2] == ["--worker"]:
        worker(sys.argv[2], Path(sys.argv[3]))
        return 0
    parser = report.options(__doc__, "peers")
    parser.add_argument("--tables", type=report.names, default=list(tables.TABLES), help="Tables (default all)")
    parser.add_argument("--methods", type=report.names, default=list(METHODS), help=f"Of {', '.join(METHODS)} (default all)")
    parser.add_argument("--rows", type=int, default=500, help="Samples, at most (default 500)")
    parser.add_argument("--limit", type=float, default=900, help="Seconds that one method may take (default 900)")
    parser.add_argument("--jobs", type=int, default=1, help="Runs at a time (default 1)")
    parser.add_argument("--fresh", action="store_true", help="Run again what is in --out already")
    arguments = parser.parse_args()
    tables.check_names(arguments.tables)
    program, data = report.program_of(arguments), tables.data_folder(arguments.data)
    work: dict[str, Callable[[], report.Record]] = {}
    for name in arguments.tables:
        for method in arguments.methods:
            build = program.version() if method == "bochner" else ""
            work[f"{name} {method} rows {arguments.rows} {build}"] = functools.partial(one, arguments, program, data, name, method)
    records = report.Results(arguments.out, arguments.fresh).complete(work, arguments.jobs)
    columns = "table method nn1 trust rmse seconds MB error".split()
    report.markdown("Peers, two dimensions", columns, [[r.get(c) for c in columns] for r in records])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
