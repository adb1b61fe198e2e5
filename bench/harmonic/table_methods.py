"""`bochner regress` and `bochner classify`, and what else people use on tables.

Every method takes the program, the name of the table, its rows and a time limit in seconds, and returns its scores.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from program import Program
from report import Record
from table_data import GLOBES, Split


def number_scores(y: np.ndarray, mean: np.ndarray, sd: np.ndarray | float) -> Record:
    z = (y - mean) / sd
    return {
        "miss": float(np.sqrt(np.mean((y - mean) ** 2))),
        "nll": float(np.mean(0.5 * np.log(2 * np.pi) + np.log(sd) + 0.5 * z**2)),
        "coverage": float(np.mean(np.abs(z) < 1.6448536)),
    }


def class_scores(y: np.ndarray, p: np.ndarray) -> Record:
    """`p`: a column for each class from 0. `confidence` is the mean probability of the class that is predicted."""
    p = np.clip(p, 1e-12, 1)
    return {
        "miss": float(np.mean(p.argmax(axis=1) != y)),
        "nll": float(-np.mean(np.log(p[np.arange(len(y)), y]))),
        "confidence": float(p.max(axis=1).mean()),
    }


def held_out(rows: Split) -> np.ndarray:
    return np.random.default_rng(2).permutation(len(rows.y)) < len(rows.y) // 10


def run_bochner(program: Program, table: str, rows: Split, limit: float, *options: str) -> Record:
    with TemporaryDirectory(prefix="bochner-bench-") as temporary:
        folder = Path(temporary)
        np.save(folder / "X.npy", rows.X)
        np.save(folder / "X_new.npy", rows.X_new)
        np.savetxt(folder / "y.csv", rows.y, header="y", comments="", fmt="%.17g")
        np.savetxt(folder / "y_new.csv", rows.y_new, header="y", comments="", fmt="%.17g")
        given = [*options, *(["--sphere", "1,2"] if table in GLOBES else [])]
        command = "classify" if rows.classes else "regress"
        seconds = program.call(
            [command, folder / "X.npy", "--y", f"{folder}/y.csv:y", "--test", "0", *given, *program.extra, "--out", folder / "run"],
            limit,
        )
        program.call(
            ["predict", folder / "run/model.bochner", folder / "X_new.npy", "--y", f"{folder}/y_new.csv:y", "--out", folder / "new"]
        )
        scores = json.loads((folder / "new/metrics.json").read_text(encoding="utf-8"))["truth"]
        fit = json.loads((folder / "run/metrics.json").read_text(encoding="utf-8"))
        own: Record = {"seconds": seconds, "inducing": fit["inducing"], "steps": fit["steps"], "stopped": fit["stopped"]}
        (one,) = scores.values()
        if not rows.classes:
            return {"miss": one["rmse"], "nll": one["nll"], "coverage": one.get("coverage90"), **own}
        lines = (folder / "new/predictions.csv").read_text(encoding="utf-8").splitlines()
        header = lines[0].split(",")
        first = [i for i, name in enumerate(header) if name.startswith("p_")]
        p = np.array([[float(line.split(",")[i]) for i in first] for line in lines[1:]])
        return {**class_scores(rows.y_new, p), **own}


def run_deep(program: Program, table: str, rows: Split, limit: float) -> Record:
    return run_bochner(program, table, rows, limit, "--layers", "2")


def run_lightgbm(program: Program, _: str, rows: Split, limit: float) -> Record:
    """Early stopping by a tenth of the rows, which also give the errors their standard deviation."""
    import lightgbm

    held = held_out(rows)
    kind = lightgbm.LGBMClassifier if rows.classes else lightgbm.LGBMRegressor
    model = kind(n_estimators=5000, learning_rate=0.05, n_jobs=program.threads, verbose=-1, random_state=0)
    stop = lightgbm.early_stopping(50, verbose=False)
    model.fit(rows.X[~held], rows.y[~held], eval_X=rows.X[held], eval_y=rows.y[held], callbacks=[stop])
    if rows.classes:
        return class_scores(rows.y_new, model.predict_proba(rows.X_new))
    sd = float(np.sqrt(np.mean((rows.y[held] - model.predict(rows.X[held])) ** 2)))
    return number_scores(rows.y_new, model.predict(rows.X_new), sd)


def run_linear(_: Program, __: str, rows: Split, ___: float) -> Record:
    """Ridge or logistic regression; the penalty by validation."""
    from sklearn.linear_model import LogisticRegressionCV, RidgeCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    held = held_out(rows)
    last = LogisticRegressionCV(Cs=8, max_iter=1000, scoring="neg_log_loss") if rows.classes else RidgeCV(np.logspace(-3, 3, 13))
    if rows.classes:
        return class_scores(rows.y_new, make_pipeline(StandardScaler(), last).fit(rows.X, rows.y).predict_proba(rows.X_new))
    model = make_pipeline(StandardScaler(), last).fit(rows.X[~held], rows.y[~held])
    sd = float(np.sqrt(np.mean((rows.y[held] - model.predict(rows.X[held])) ** 2)))
    return number_scores(rows.y_new, model.predict(rows.X_new), sd)


def run_svgp(program: Program, _: str, rows: Split, limit: float, inducing: int = 500, batch: int = 512) -> Record:
    """GPyTorch: Matern 3/2 with a length-scale per input, Adam 0.01 on everything, ten passes over the rows and at least
    5,000 steps, or half of the time limit; the step size falls like a cosine over the second half."""
    import gpytorch
    import torch

    torch.set_num_threads(program.threads)
    torch.manual_seed(0)
    if rows.classes:
        raise NotImplementedError("the SVGP of this bench is for numbers")
    centre, scale = rows.X.mean(axis=0), np.where(rows.X.std(axis=0) > 0, rows.X.std(axis=0), 1)
    x, x_new = (torch.tensor((A - centre) / scale, dtype=torch.float64) for A in (rows.X, rows.X_new))
    target = torch.tensor(rows.y, dtype=torch.float64)
    begin = time.perf_counter()

    class Svgp(gpytorch.models.ApproximateGP):
        def __init__(self, Z: torch.Tensor):
            q = gpytorch.variational.CholeskyVariationalDistribution(len(Z))
            super().__init__(gpytorch.variational.VariationalStrategy(self, Z, q, learn_inducing_locations=True))
            self.mean_module = gpytorch.means.ConstantMean()
            self.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.MaternKernel(nu=1.5, ard_num_dims=Z.shape[1]))
            self.covar_module.base_kernel.lengthscale = Z.shape[1] ** 0.5

        def forward(self, inputs: torch.Tensor) -> gpytorch.distributions.MultivariateNormal:
            return gpytorch.distributions.MultivariateNormal(self.mean_module(inputs), self.covar_module(inputs))

    model = Svgp(x[torch.randperm(len(x))[:inducing]].clone()).double()
    likelihood = gpytorch.likelihoods.GaussianLikelihood().double()
    bound = gpytorch.mlls.VariationalELBO(likelihood, model, num_data=len(x))
    optimiser = torch.optim.Adam([*model.parameters(), *likelihood.parameters()], lr=0.01)
    model.train(), likelihood.train()
    total = max(5000, 10 * len(x) // batch)
    for step in range(total):
        share = max(step / total, (time.perf_counter() - begin) / (limit / 2))
        if share >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = 0.01 * (1 if share < 0.5 else 0.01 + 0.99 * np.cos(np.pi * (share - 0.5)) ** 2)
        chosen = torch.randint(len(x), (min(batch, len(x)),))
        optimiser.zero_grad()
        (-bound(model(x[chosen]), target[chosen])).backward()
        optimiser.step()
    model.eval(), likelihood.eval()
    with torch.no_grad():
        parts = [likelihood(model(x_new[i : i + 1024])) for i in range(0, len(x_new), 1024)]
        mean = torch.cat([p.mean for p in parts]).numpy()
        sd = torch.cat([p.stddev for p in parts]).numpy()
    return {**number_scores(rows.y_new, mean, sd), "steps": step + 1}


METHODS: dict[str, Callable[[Program, str, Split, float], Record]] = {
    "bochner": run_bochner, "deep": run_deep, "lightgbm": run_lightgbm, "linear": run_linear, "svgp": run_svgp,
}  # fmt: skip
OURS = ("bochner", "deep")
NEEDS = {"lightgbm": "lightgbm", "linear": "sklearn", "svgp": "gpytorch"}
