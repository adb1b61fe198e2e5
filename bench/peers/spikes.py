"""Spike counts: held-out neurons in bits per spike, and position decoded from latents; ours beside GPFA, PCA, FA and UMAP.

    .venv-bench/bin/python bench/peers/spikes.py --quick            one seed, 500 bins, short chains
    .venv-bench/bin/python bench/peers/spikes.py --sets hippocampus --dims 2,3

Bins are cut into 20 blocks of neighbours, four for each of five folds, and neurons are divided among the folds at random. In the
blocks of a fold its neurons are hidden, and no method sees their counts there (co-smoothing, as in the Neural Latents Benchmark).
`bits` is the log likelihood of the hidden counts under Poisson distributions with the predicted rates, minus that under the mean
rates of the other blocks, in bits per spike.

Ours is a single fit to the table with all these blanks, and its imputed rates. `bochner` has a path of its own in every block,
as the trials of GPFA do, `bochner_path` one path through all bins, `bochner_static` no time; with `_nb` counts are negative
binomial instead of Poisson. The others are fitted once for each fold, to the training bins with all neurons. Their latents of all
bins then come from the neurons that are not hidden, and a Poisson regression on the latents (degree and penalty by
cross-validation within the training bins) predicts those that are. PCA, FA and UMAP see square roots, smoothed within each block
by a Gaussian whose width is chosen in the same way. UMAP, which needs all its columns in new bins, is fitted without the hidden
neurons.

`linear` is R^2 of the position, or of the true latent, in the bins of a fold by linear regression on the latents of the others,
`knn` by the mean of their 10 nearest neighbours. `truth` has the true rates. `seconds` are those of our fit, and of all folds and
choices of the others.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fits"))

import numpy as np
import report
import tables
from program import Program, ProgramError

BLOCKS, FOLDS = 20, 5
WIDTHS = (1.0, 2.0, 4.0, 8.0)  # of the smoothing, in bins
CHOICES = [(degree, penalty) for degree in (1, 2, 3) for penalty in (1e-3, 1e-1)]  # of the Poisson regression
OURS = ("bochner", "bochner_path", "bochner_static")
METHODS = (*OURS, *(f"{name}_nb" for name in OURS), "gpfa", "pca", "fa", "umap", "truth")
MIN_SPIKES = 20  # of a neuron
GRID_BIN = 100  # so many bins of the grid cells, which have 0.0015 spikes each, are added up


@dataclass(frozen=True)
class Recording:
    counts: np.ndarray  # N x M
    target: np.ndarray | None  # N x D: the position of the animal, or the latent behind simulated counts
    rates: np.ndarray | None = None  # N x M, of simulated counts


def load(name: str, data: Path, rows: int | None) -> Recording:
    """The first bins, and neurons that have some spikes in them."""
    if name == "hippocampus":
        with np.load(data / "hippocampus.npz") as stored:
            whole = Recording(stored["spikes"], stored["position"])
    elif name == "lmt":
        with np.load(data / "lmt_simdata1.npz") as stored:
            whole = Recording(stored["spikes"], stored["latent"], stored["rates"])
    else:
        with np.load(data / "grid_cell_spikes.npz") as stored:
            spikes = stored["spikes"]  # neurons x bins
        whole = Recording(spikes.reshape(len(spikes), -1, GRID_BIN).sum(axis=2).T, None)
    counts = whole.counts[:rows].astype(np.float64)
    active = counts.sum(axis=0) >= MIN_SPIKES
    target = None if whole.target is None else whole.target[:rows].astype(np.float64)
    rates = None if whole.rates is None else whole.rates[:rows, active].astype(np.float64)
    return Recording(counts[:, active], target, rates)


SETS = ("hippocampus", "grid_cells", "lmt")


@dataclass(frozen=True)
class Split:
    block: np.ndarray  # N, of each bin
    fold: np.ndarray  # N, of each bin
    group: np.ndarray  # M, the fold in whose blocks a neuron is hidden

    @property
    def hidden(self) -> np.ndarray:
        return self.fold[:, None] == self.group[None, :]


def split(bins: int, neurons: int, seed: int) -> Split:
    rng = np.random.RandomState(seed)
    block = np.arange(bins) * BLOCKS // bins
    return Split(block, (rng.permutation(BLOCKS) % FOLDS)[block], rng.permutation(neurons) % FOLDS)


def smoothed(values: np.ndarray, block: np.ndarray, width: float) -> np.ndarray:
    """Each block by itself: what is hidden in a block is not smeared into another."""
    from scipy.ndimage import gaussian_filter1d

    return np.concatenate([gaussian_filter1d(values[block == b], width, axis=0) for b in np.unique(block)])


def linear_scores(model: object, loadings: np.ndarray, noise: np.ndarray, X: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Posterior means of z in x = mean + loadings z + noise, from some of the columns."""
    L, precision = loadings[seen], 1 / np.maximum(noise[seen], 1e-6)
    A = np.eye(L.shape[1]) + L.T @ (precision[:, None] * L)
    return np.linalg.solve(A, L.T @ (precision[:, None] * (X[:, seen] - model.mean_[seen]).T)).T  # type: ignore[attr-defined]


Embedding = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray, int], np.ndarray]


def pca(X: np.ndarray, block: np.ndarray, train: np.ndarray, seen: np.ndarray, dims: int) -> np.ndarray:
    """As probabilistic PCA, which can leave out columns."""
    from sklearn.decomposition import PCA

    model = PCA(dims).fit(X[train])
    scale = np.sqrt(np.maximum(model.explained_variance_ - model.noise_variance_, 1e-9))
    return linear_scores(model, model.components_.T * scale, np.full(X.shape[1], model.noise_variance_), X, seen)


def fa(X: np.ndarray, block: np.ndarray, train: np.ndarray, seen: np.ndarray, dims: int) -> np.ndarray:
    from sklearn.decomposition import FactorAnalysis

    model = FactorAnalysis(dims, random_state=0).fit(X[train])
    return linear_scores(model, model.components_.T, model.noise_variance_, X, seen)


def umap(X: np.ndarray, block: np.ndarray, train: np.ndarray, seen: np.ndarray, dims: int) -> np.ndarray:
    import umap as package

    model = package.UMAP(n_components=dims, random_state=0).fit(X[np.ix_(train, seen)])
    out = np.empty((len(X), dims))
    out[train], out[~train] = model.embedding_, model.transform(X[np.ix_(~train, seen)])
    return out


def gpfa(X: np.ndarray, block: np.ndarray, train: np.ndarray, seen: np.ndarray, dims: int) -> np.ndarray:
    """Elephant's, by its functions of binned counts: its class bins spike trains itself. Blocks are trials."""
    from elephant.gpfa import gpfa_core as core

    def trials(columns: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        own = [X[block == b][:, columns].T for b in np.unique(block[chosen])]
        out = np.empty(len(own), dtype=[("T", int), ("y", object)])
        for n, y in enumerate(own):
            out[n] = y.shape[1], y
        return out

    np.random.seed(0)  # of where it cuts trials
    every = np.ones(X.shape[1], dtype=bool)
    with contextlib.redirect_stdout(sys.stderr):
        model, _ = core.fit(trials(every, train), x_dim=dims)
    model.update(C=model["C"][seen], d=model["d"][seen], R=model["R"][np.ix_(seen, seen)])
    found, _ = core.exact_inference_with_ll(trials(seen, np.ones(len(X), dtype=bool)), model, get_ll=False)
    return np.concatenate([z.T for z in found["latent_variable"]])


EMBED: dict[str, Embedding] = {"gpfa": gpfa, "pca": pca, "fa": fa, "umap": umap}


def log_likelihood(counts: np.ndarray, rates: np.ndarray) -> float:
    """Poisson, without what depends on the counts alone."""
    rates = np.maximum(rates, 1e-9)
    return float((counts * np.log(rates) - rates).sum())


def regressed(Z: np.ndarray, y: np.ndarray, new: np.ndarray, degree: int, penalty: float) -> np.ndarray:
    """Rates at new latents, within the range of the fitted ones: polynomials must not run away."""
    from sklearn.linear_model import PoissonRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import PolynomialFeatures, StandardScaler

    if not y.any():
        return np.full(len(new), 0.5 / len(y))
    powers = PolynomialFeatures(degree, include_bias=False)
    regression = PoissonRegressor(alpha=penalty, solver="newton-cholesky")
    model = make_pipeline(StandardScaler(), powers, StandardScaler(), regression).fit(Z, y)
    fitted = model.predict(Z)
    return np.clip(model.predict(new), fitted.min(), fitted.max())


def chosen(Z: np.ndarray, y: np.ndarray, block: np.ndarray) -> tuple[float, tuple[int, float]]:
    """The best cross-validated log likelihood, blocks left out together, and its degree and penalty."""
    from sklearn.model_selection import GroupKFold

    folds = list(GroupKFold(4).split(Z, groups=block))
    values = [sum(log_likelihood(y[b], regressed(Z[a], y[a], Z[b], *choice)) for a, b in folds) for choice in CHOICES]
    best = int(np.argmax(values))
    return values[best], CHOICES[best]


def peer(method: str, counts: np.ndarray, parts: Split, dims: int) -> tuple[np.ndarray, np.ndarray]:
    """Rates of the hidden entries (NaN elsewhere), and the latents of all bins as each fold has them, FOLDS x N x Q."""
    rates, latents = np.full(counts.shape, np.nan), []
    for fold in range(FOLDS):
        train, shown = parts.fold != fold, parts.group != fold
        seen = np.where(train[:, None] | shown, counts, np.nan)  # so that a method that reads what is hidden fails
        best_value, best_latents, best_choices = -np.inf, np.empty(0), []
        for width in (0.0,) if method == "gpfa" else WIDTHS:
            X = smoothed(np.sqrt(seen), parts.block, width) if width else np.sqrt(seen)
            Z = EMBED[method](X, parts.block, train, shown, dims)
            found = [chosen(Z[train], seen[train, m], parts.block[train]) for m in np.flatnonzero(~shown)]
            value = sum(own for own, _ in found)
            if value > best_value:
                best_value, best_latents, best_choices = value, Z, [choice for _, choice in found]
        latents.append(best_latents)
        for m, choice in zip(np.flatnonzero(~shown), best_choices, strict=True):
            rates[~train, m] = regressed(best_latents[train], seen[train, m], best_latents[~train], *choice)
    return rates, np.array(latents)


def worker(method: str, folder: Path, dims: int) -> None:
    """In a process of its own, with one thread."""
    given = np.load(folder / "given.npz")
    begin = time.perf_counter()
    rates, latents = peer(method, given["counts"], Split(given["block"], given["fold"], given["group"]), dims)
    np.savez(folder / "found.npz", rates=rates, latents=latents)
    print(json.dumps({"seconds": time.perf_counter() - begin}))


Answer = tuple[np.ndarray, np.ndarray | None, float]  # rates of the hidden entries, latents by fold, seconds


def run_peer(method: str, counts: np.ndarray, parts: Split, dims: int, limit: float) -> Answer:
    if method == "gpfa" and importlib.util.find_spec("elephant") is None:
        raise ProgramError("GPFA needs the package elephant: pip install elephant, or tools/setup.sh bench")
    one = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")}
    with TemporaryDirectory(prefix="bochner-spikes-") as name:
        folder = Path(name)
        np.savez(folder / "given.npz", counts=counts, block=parts.block, fold=parts.fold, group=parts.group)
        command = [sys.executable, __file__, "--worker", method, name, str(dims)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=limit, env={**os.environ, **one})
        except subprocess.TimeoutExpired as error:
            raise ProgramError(f"not finished after {limit:.0f} s") from error
        if done.returncode:
            raise ProgramError((done.stderr.strip().splitlines() or ["no message"])[-1])
        with np.load(folder / "found.npz") as found:
            return found["rates"], found["latents"], json.loads(done.stdout.splitlines()[-1])["seconds"]


def run_bochner(program: Program, method: str, counts: np.ndarray, parts: Split, options: list[str], limit: float) -> Answer:
    meta: dict[str, np.ndarray] = {}
    if "static" not in method:
        meta["time"] = np.arange(len(counts))
        options = [*options, "--time", "time"]
    if method in ("bochner", "bochner_nb"):
        meta["block"] = np.array([f"b{b}" for b in parts.block])
        options = [*options, "--group", "block"]
    with program.fit({"spikes": np.where(parts.hidden, np.nan, counts)}, options, limit, meta) as run:
        return run.imputed("spikes")[0], np.repeat(run.latent()[None], FOLDS, axis=0), run.metrics()["seconds"]


def bits_per_spike(counts: np.ndarray, rates: np.ndarray, parts: Split) -> float:
    hidden = parts.hidden
    mean = np.nanmean(np.where(hidden, np.nan, counts), axis=0)
    baseline = log_likelihood(counts[hidden], np.broadcast_to(mean, counts.shape)[hidden])
    return (log_likelihood(counts[hidden], rates[hidden]) - baseline) / (np.log(2) * counts[hidden].sum())


def decoded(latents: np.ndarray, target: np.ndarray, parts: Split, model: object) -> float:
    """R^2, the mean over coordinates."""
    guess = np.empty_like(target)
    for fold, Z in enumerate(latents):
        train = parts.fold != fold
        guess[~train] = model.fit(Z[train], target[train]).predict(Z[~train])  # type: ignore[attr-defined]
    left = ((target - guess) ** 2).sum(axis=0)
    return float(np.mean(1 - left / ((target - target.mean(axis=0)) ** 2).sum(axis=0)))


def one(arguments, program: Program, data: Path, name: str, method: str, dims: int, seed: int) -> report.Record:
    from sklearn.linear_model import LinearRegression
    from sklearn.neighbors import KNeighborsRegressor

    recording = load(name, data, arguments.rows)
    counts, parts = recording.counts, split(*recording.counts.shape, seed)
    what: report.Record = {"set": name, "method": method, "dims": dims, "seed": seed}
    what |= {"bins": len(counts), "neurons": counts.shape[1]}
    try:
        if method == "truth":
            rates, latents, seconds = recording.rates, None, 0.0
        elif method.startswith("bochner"):
            likelihood = "negbinom" if method.endswith("_nb") else "poisson"
            options = ["--inference", "mcmc", "--likelihood", likelihood, "--dims", str(dims), "--holdout", "0",
                       "--seed", str(seed), *(QUICK if arguments.quick else ())]  # fmt: skip
            rates, latents, seconds = run_bochner(program, method, counts, parts, options, arguments.limit)
            what["program"] = program.fingerprint()
        else:
            rates, latents, seconds = run_peer(method, counts, parts, dims, arguments.limit)
    except ProgramError as error:
        return {**what, "error": str(error)}
    out = {**what, "bits": bits_per_spike(counts, rates, parts), "seconds": seconds}
    if latents is not None and recording.target is not None:
        out["linear"] = decoded(latents, recording.target, parts, LinearRegression())
        out["knn"] = decoded(latents, recording.target, parts, KNeighborsRegressor(10))
    return out


QUICK = ("--chains", "2", "--warmup", "100", "--draws", "100")


def print_table(records: list[report.Record]) -> None:
    """Means over seeds, with standard deviations."""
    columns = ("bits", "linear", "knn", "seconds")
    rows = {}
    for record in records:
        rows.setdefault((record["set"], record["bins"], record["neurons"], record["dims"], record["method"]), []).append(record)
    lines = []
    for key, own in rows.items():
        line: list[object] = list(key)
        for column in columns:
            values = [float(r[column]) for r in own if r.get(column) is not None]  # type: ignore[arg-type]
            spread = f" +- {np.std(values, ddof=1):.2g}" if len(values) > 1 and column != "seconds" else ""
            line.append(f"{np.mean(values):.3g}{spread}" if values else None)
        line.append(next((r["error"] for r in own if "error" in r), None))
        lines.append(line)
    title = "Held-out neurons (bits per spike) and decoded position (R^2)"
    report.markdown(title, ["set", "bins", "neurons", "dims", "method", *columns, "error"], lines)


def main() -> int:
    if sys.argv[1:2] == ["--worker"]:
        worker(sys.argv[2], Path(sys.argv[3]), int(sys.argv[4]))
        return 0
    parser = report.options(__doc__, "spikes")
    parser.add_argument("--sets", type=report.names, default=list(SETS), help=f"Of {', '.join(SETS)} (default all)")
    parser.add_argument("--methods", type=report.names, default=list(METHODS), help=f"Of {', '.join(METHODS)} (default all)")
    parser.add_argument("--dims", type=report.numbers, default=[2], help="Numbers of latent dimensions: 2,3 (default 2)")
    parser.add_argument("--seeds", type=report.numbers, help="Seeds: 1,2,3 or 1..5 (default 1,2,3, or 1 with --quick)")
    parser.add_argument("--rows", type=int, help="Bins, at most (default all, or 500 with --quick)")
    parser.add_argument("--quick", action="store_true", help="One seed, 500 bins, two short chains")
    parser.add_argument("--limit", type=float, default=3600, help="Seconds that one method may take (default 3600)")
    parser.add_argument("--jobs", type=int, default=1, help="Runs at a time (default 1)")
    parser.add_argument("--fresh", action="store_true", help="Run again what is in --out already")
    arguments = parser.parse_args()
    for kind, names, known in (("set", arguments.sets, SETS), ("method", arguments.methods, METHODS)):
        unknown = [name for name in names if name not in known]
        if unknown:
            raise SystemExit(f"spikes: no {kind} '{unknown[0]}'; there are {', '.join(known)}")
    arguments.seeds = arguments.seeds or ([1] if arguments.quick else [1, 2, 3])
    arguments.rows = arguments.rows or (500 if arguments.quick else None)
    program, data = report.program_of(arguments), tables.data_folder(arguments.data)
    work: dict[str, Callable[[], report.Record]] = {}
    for name in arguments.sets:
        for dims in arguments.dims:
            for method in arguments.methods:
                if method == "truth" and name != "lmt":  # the only simulated counts whose rates are known
                    continue
                ours = f"{'quick ' * arguments.quick}{program.version()}" if method.startswith("bochner") else ""
                for seed in arguments.seeds:
                    key = f"{name} {method} dims {dims} rows {arguments.rows} seed {seed} {ours}"
                    work[key] = functools.partial(one, arguments, program, data, name, method, dims, seed)
    results = report.Results(arguments.out, arguments.fresh)
    results.forget_errors(work, program.fingerprint())
    print_table(results.complete(work, arguments.jobs))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
