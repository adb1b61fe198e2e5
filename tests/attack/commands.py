"""The quickest run of every command that reads tables, with one of its tables left open.

`TABLE` stands for the table under attack, `OUT` for the run folder.
"""

TABLE, OUT = "<table>", "<out>"

QUICK_FIT = ["--dims", "1", "--kernel", "rbf", "--steps", "3", "--restarts", "1"]
QUICK_BAYES = ["--inference", "mcmc", "--dims", "1", "--frequencies", "3", "--chains", "1", "--warmup", "2", "--draws",
               "3", "--start", "pca", "--kernel", "rbf"]
QUICK_REGRESS = ["--inducing", "6", "--steps", "5", "--batch", "16"]
END = ["--threads", "1", "--out", OUT]

# The table takes the place of one with the ids, columns and kind of numbers of ROLE[1] in base.py.
ROLES: dict[str, tuple[list[str], str]] = {
    "fit": (["fit", "--view", f"a={TABLE}", *QUICK_FIT], "a"),
    "fit beside": (["fit", "--view", f"b={TABLE}", "--view", "a=a.csv", *QUICK_FIT], "a"),
    "fit meta": (["fit", "--view", "a=a.csv", "--meta", TABLE, *QUICK_FIT], "a"),
    "bayes": (["fit", "--view", f"a={TABLE}", *QUICK_BAYES], "a"),
    "bayes poisson": (["fit", "--view", f"n={TABLE}:poisson", *QUICK_BAYES], "counts"),
    "bayes trials": (["fit", "--view", "n=counts.csv:binomial", "--trials", f"n={TABLE}", *QUICK_BAYES], "counts"),
    "bayes categorical": (["fit", "--view", f"k={TABLE}:categorical", "--view", "a=a.csv", *QUICK_BAYES], "counts"),
    "bayes time": (["fit", "--view", f"a={TABLE}", "--time", "c0", *QUICK_BAYES], "a"),
    "apply": (["apply", "models/fit/model.bochner", "--view", f"a={TABLE}"], "a"),
    "apply bayes": (["apply", "models/bayes/model.bochner", "--view", f"a={TABLE}"], "a"),
    "apply kpca": (["apply", "models/kpca/model.bochner", "--view", f"a={TABLE}"], "a"),
    "regress x": (["regress", "--x", TABLE, "--y", "y.csv", *QUICK_REGRESS], "a"),
    "regress y": (["regress", "--x", "x.csv", "--y", TABLE, *QUICK_REGRESS], "a"),
    "regress xy": (["regress", "--x", TABLE, "--y", f"{TABLE}:c3", *QUICK_REGRESS], "a"),
    "classify x": (["classify", "--x", TABLE, "--y", "labels.csv:type", *QUICK_REGRESS], "a"),
    "classify y": (["classify", "--x", "x.csv", "--y", f"{TABLE}:c0", *QUICK_REGRESS], "counts"),
    "predict x": (["predict", "models/regress/model.bochner", "--x", TABLE], "a"),
    "predict y": (["predict", "models/regress/model.bochner", "--x", "x.csv", "--y", TABLE], "a"),
    "predict classes": (["predict", "models/classify/model.bochner", "--x", TABLE], "a"),
    "kpca": (["kpca", "--view", f"a={TABLE}", "--dims", "2"], "a"),
    "kpca beside": (["kpca", "--view", "a=x.csv", "--view", f"b={TABLE}", "--dims", "2"], "a"),
    "kpca labels": (["kpca", "--view", "a=x.csv", "--labels", f"{TABLE}:c0", "--dims", "2"], "counts"),
    "forecast": (["forecast", "--series", TABLE, "--lags", "2", "--steps", "2", "--dims", "2"], "a"),
    "forecast known": (["forecast", "--series", "series.csv", "--known", TABLE, "--lags", "2", "--steps", "2", "--dims",
                        "2"], "a"),
    "evaluate": (["evaluate", "--latent", TABLE, "--truth", "x.csv"], "a"),
    "evaluate truth": (["evaluate", "--latent", "x.csv", "--truth", TABLE], "a"),
    "evaluate data": (["evaluate", "--latent", "x.csv", "--data", TABLE, "--neighbours", "3"], "a"),
    "evaluate labels": (["evaluate", "--latent", "x.csv", "--labels", f"{TABLE}:c0", "--folds", "2"], "counts"),
}


def words(role: str, table: str, out: str = "out") -> list[str]:
    filled = [word.replace(TABLE, table).replace(OUT, out) for word in ROLES[role][0] + END]
    return filled
