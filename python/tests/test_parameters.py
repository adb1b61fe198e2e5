"""Every parameter of every estimator has a rule, and a message that names it."""

import re
import subprocess
import sys

import numpy as np
import pytest

from bochner import (
    BayesianGPLVM,
    HarmonicGPClassifier,
    HarmonicGPRegressor,
    KernelForecaster,
    MultiViewGPLVM,
    MultiViewKernelPCA,
    _core,
    datasets,
)

X = np.random.default_rng(0).normal(size=(30, 4))
FITS = {
    MultiViewGPLVM: lambda m: m.fit(X),
    MultiViewKernelPCA: lambda m: m.fit(X),
    BayesianGPLVM: lambda m: m.fit(X),
    HarmonicGPRegressor: lambda m: m.fit(X, X[:, 0]),
    HarmonicGPClassifier: lambda m: m.fit(X, X[:, 0] > 0),
    KernelForecaster: lambda m: m.fit(X),
}
COUNT = [-1, 0, 10**12, 2.5, "two", None, True, float("nan")]
SHARE = [-0.1, 0.6, "half", None, float("nan"), True]
POSITIVE = [-1.0, 0, float("inf"), float("nan"), "long", True]
WORD = ["nonsense", "", 3, None]
COMMON = {
    "random_state": [-1, 2**64, 1.5, "seed", True],
    "n_jobs": [0, 1025, 10**6, 1.5, "all", True],
    "verbose": [-1, "yes", None],
    "callback": [3, "print"],
}
VIEWS = ["ab", [0, 1], {}, {3: [0]}]
LATENT = {**COMMON, "views": VIEWS, "layer": [3, ["counts"], {"a": 3}], "key_added": ["", None, 3]}
TABLE = {
    "most_variable": [-1, 0, 10**12, 2.5, "two", True, {"X": 0}],
    "normalise": ["columns", "", 3, True, {"X": "columns"}],
}
SOLVER = {"features": ["nonsense", "", None, -3, 2.5, "finite:3"], "solver": WORD}
GP = {
    **COMMON,
    "kernel": WORD,
    "ard": [1, "yes"],
    "lengthscale": POSITIVE,
    "likelihood": WORD + ["categorical"],
    "circle": [24, "hour:24", {"hour": 0}, {"hour": "day"}, {2.5: 24}, ["hour"]],
    "sphere": ["lon,lat", 3, ("lon",), [("lon", "lat", "x")], [("lon", 2.5)], {"lon": "lat"}],
    "symmetry": ["nonsense", 3, ["negate", 3], ["auto", "negate"], None],
    "scaling": WORD + ["whole"],
    "layers": [0, 1.5, True, "2", None, [], [2], {"dense"}],
    "image": [28, "28x28", (28,), (28, 28, 3, 1), (28, 0), (2.5, 2)],
    "n_inducing": COUNT,
    "categorical": ["a", 3, [2.5], {"a": 1}],
    "hidden_inducing": [5, "5", [0], [2.5], [True]],
    "n_draws": COUNT,
    "shared_inducing": [1, "yes", None],
    "calibrate": [1, "yes", None],
    "shared_covariance": [1, "yes", None],
    "natural_step": [-0.1, 1.5, "half", None, float("nan"), True],
    "max_iter": COUNT,
    "batch_size": COUNT,
    "minutes": POSITIVE + [None],
    "step_size": POSITIVE + [2],
    "validation_fraction": SHARE,
    "patience": COUNT,
}
WRONG = {
    MultiViewGPLVM: {
        **LATENT,
        **TABLE,
        "n_components": COUNT,
        "kernel": WORD + [{"X": "nonsense"}, {"X": 3}],
        "n_mixtures": COUNT,
        "features": ["nonsense", "", None, -3, 2.5, "network:3"],
        "scaling": WORD + [{"X": "common"}],
        "noise": POSITIVE + [{"X": -1.0}],
        "noise_start": POSITIVE + [None],
        "max_iter": COUNT,
        "step_size": POSITIVE + [2],
        "patience": COUNT,
        "n_restarts": [-1, 10**12, 2.5, "two", None, True],
        "precision": WORD,
        "device": WORD + ["gpu", "cuda:", "cuda:-1"],
    },
    MultiViewKernelPCA: {
        **LATENT,
        **SOLVER,
        "n_components": COUNT,
        "kernel": WORD + [{"X": "nonsense"}],
        "lengthscale": POSITIVE + [{"X": 0}],
        "scaling": WORD + ["auto"],
        "weight": POSITIVE + [None],
        "balance": [1, "yes", None],
        "n_epochs": COUNT,
        "preimage": WORD,
    },
    BayesianGPLVM: {
        **LATENT,
        **TABLE,
        "n_components": COUNT,
        "likelihood": WORD + ["student", {"X": "nonsense"}],
        "trials": [0, -1, 2.5, "ten", {"X": 0}],
        "kernel": WORD + ["matern32"],
        "n_frequencies": COUNT,
        "time_kernel": WORD,
        "priors": [1, "noise", {"noise": "gamma:1:1"}, {"nonsense": "normal:1"}, {"lengthscale": 2.0}],
        "n_chains": COUNT,
        "n_warmup": [-1, 10**12, 2.5, "two", None, True],
        "n_draws": COUNT,
        "thin": COUNT,
        "n_stored": COUNT,
        "start": WORD + ["given"],
    },
    HarmonicGPRegressor: {
        **GP,
        "noise_model": WORD + ["heteroscedastic"],
        "degrees": [1, 0.5, 1e7, None, "four", True],
        "noise": POSITIVE + [None],
    },
    HarmonicGPClassifier: {**GP, "class_weight": ["nonsense", 3, {"a": -1.0}]},
    KernelForecaster: {
        **SOLVER,
        "random_state": COMMON["random_state"],
        "n_jobs": COMMON["n_jobs"],
        "lags": [-1, 10**12, 2.5, "two", None, True],
        "n_components": [v for v in COUNT if v is not None],
        "kernel": WORD,
        "lengthscale": POSITIVE,
        "preimage": WORD + ["smoother"],
        "validation_fraction": SHARE,
        "horizon": COUNT,
    },
}
CASES = [(cls, name) for cls, wrong in WRONG.items() for name in wrong]


@pytest.mark.parametrize("cls", FITS, ids=lambda c: c.__name__)
def test_no_parameter_is_forgotten(cls):
    assert set(WRONG[cls]) == set(cls._get_param_names()) == set(cls._rules)


@pytest.mark.parametrize(("cls", "name"), CASES, ids=lambda v: getattr(v, "__name__", v))
def test_messages_name_the_parameter_its_value_and_the_rule(cls, name):
    for value in WRONG[cls][name]:
        if value is None and cls._rules[name].holds(None):
            continue
        own = next(iter(value.values())) if isinstance(value, dict) and "X" in value else value
        shown = f"{name}['X']" if isinstance(value, dict) and "X" in value else name
        message = f"{cls.__name__}: {shown} is {own!r}, but must be "
        with pytest.raises(ValueError, match="^" + re.escape(message) + ".+"):
            FITS[cls](cls(**{name: value}))


@pytest.mark.parametrize("cls", FITS, ids=lambda c: c.__name__)
def test_defaults_keep_their_rules(cls):
    cls()._check_params()
    cls(random_state=np.random.RandomState(0), n_jobs=np.int64(2))._check_params()


def test_defaults_of_the_core():
    core, ours = _core.GplvmOptions(), MultiViewGPLVM().get_params()
    names = {"dims": "n_components", "steps": "max_iter", "step_size": "step_size", "patience": "patience",
             "restarts": "n_restarts", "features": "features"}  # fmt: skip
    for theirs, name in names.items():
        assert ours[name] == getattr(core, theirs), name
    assert (ours["kernel"], ours["n_mixtures"], ours["scaling"]) == (core.view.kernel, core.view.components, core.view.scaling)


@pytest.mark.parametrize(
    ("model", "parameters"),
    [
        (MultiViewGPLVM, {"n_components": np.int64(1), "max_iter": np.int32(3), "step_size": np.float32(0.1), "features": 20, "scaling": "center"}),
        (MultiViewKernelPCA, {"features": 20, "weight": 2, "lengthscale": {"X": None}, "scaling": {"X": "standardize"}}),
        (HarmonicGPRegressor, {"ard": np.bool_(True), "n_inducing": np.int64(5), "max_iter": 3, "symmetry": "none"}),
        (HarmonicGPClassifier, {"symmetry": ["negate"], "n_inducing": 5, "max_iter": 3, "verbose": False, "sphere": [], "circle": {}}),
        (KernelForecaster, {"lags": np.int64(2), "features": 20, "validation_fraction": 0}),
        (BayesianGPLVM, {"n_warmup": 0, "n_draws": np.int64(2), "n_frequencies": 4, "start": "pca"}),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_numbers_of_numpy_and_other_forms_do(model, parameters):
    FITS[model](model(random_state=0, **parameters))


def binomial():
    trials = np.repeat([[10.0, 30.0]], 12, axis=0)
    model = BayesianGPLVM(likelihood="binomial", trials=trials, n_frequencies=4, n_warmup=2, n_draws=2, start="pca")
    return model.fit(trials // 2)


@pytest.mark.parametrize(
    ("fit", "message"),
    [
        (lambda: BayesianGPLVM(likelihood="poisson").fit(X), "view 'X', row '0', column 'X_"),
        (lambda: BayesianGPLVM(likelihood="bernoulli").fit(np.abs(X).round() + 2), "needs 0 and 1"),
        (lambda: BayesianGPLVM(likelihood="binomial", trials=3).fit(np.full((9, 2), 4)), "4 successes in 3 trials"),
        (lambda: BayesianGPLVM(likelihood="binomial", trials=np.full((9, 2), 2.5)).fit(np.ones((9, 2))), "not a whole number"),
        (lambda: binomial().transform(np.full((3, 2), 30.0)), "successes are more than the mean number of trials of fit, 20;"),
        (lambda: binomial().transform(np.full((3, 2), 30.0), trials=25), "30 successes in 25 trials"),
        (lambda: BayesianGPLVM(likelihood="categorical").fit(np.full((9, 2), "a")), "only the label 'a'"),
        (lambda: BayesianGPLVM().fit(X, time=np.zeros(30)), "time of samples '0' and '1' is 0 for both"),
        (lambda: BayesianGPLVM().fit(X, time=np.full(30, np.inf)), "time of sample '0' is inf"),
        (lambda: BayesianGPLVM().fit(X, start=np.zeros((30, 3))), "start has 3 columns, but n_components is 2"),
        (lambda: HarmonicGPRegressor(likelihood="poisson").fit(X, X[:, 0] - 9), "y, row 0, column 0"),
        (lambda: HarmonicGPRegressor(n_inducing=5, max_iter=2).fit(X, X[:, 0]).log_density(X, X[:, :2]), "y has 2 columns"),
        (lambda: KernelForecaster(lags=2).fit(X).forecast(2.5), "h is 2.5"),
        (lambda: KernelForecaster(lags=2).fit(X).forecast(2, known=X[:2]), "known has 4 columns, but fit had 0"),
        (lambda: MultiViewKernelPCA().fit(np.where(X > X.min(0), np.nan, X)), "use MultiViewGPLVM"),
        (lambda: MultiViewKernelPCA().fit(X).sample(0), "n_samples is 0"),
        (lambda: MultiViewGPLVM(views={"a": 3}).fit(X), r"views\['a'\] is 3, but must be a list"),
        (lambda: MultiViewGPLVM(views={"a": [0, "b"]}).fit(X), r"views\['a'\] is \[0, 'b'\], but must be"),
        (lambda: MultiViewGPLVM(views={"a": [0.5]}).fit(X), r"views\['a'\] is \[0.5\], but must be"),
        (lambda: KernelForecaster(lags=2).fit(X).forecast(2, coverage=2.0), "coverage is 2.0"),
        (lambda: MultiViewGPLVM(max_iter=3).fit(X).impute(X, interval="x"), "interval is 'x'"),
    ],
)
def test_data_that_parameters_rule_out(fit, message):
    with pytest.raises(ValueError, match=message) as caught:
        fit()
    assert not re.search(r"\b(fit|make|check)_[a-z]+", str(caught.value))


def test_n_jobs_has_the_bound_of_the_command_line():
    for call in (
        lambda: datasets.make_s_curve(10, {"a": 2}, n_jobs=10**6),
        lambda: MultiViewKernelPCA(random_state=0).fit(X).set_params(n_jobs=10**6).transform(X),
        lambda: HarmonicGPRegressor(n_jobs=10**6).fit(X, X[:, 0]),
    ):
        with pytest.raises(ValueError, match="n_jobs is 1000000, but must be .* 1024"):
            call()


def test_threads_that_the_system_refuses():
    code = """
import resource
import numpy as np
from bochner import MultiViewKernelPCA
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**30,) * 2)  # too little for the stacks of a thousand threads
try:
    MultiViewKernelPCA(n_jobs=1000).fit(np.random.default_rng(0).normal(size=(20, 3)))
except ValueError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert "1000 threads; use a smaller n_jobs" in done.stdout, done.stderr


def test_wrong_types_are_both_kinds_of_error(Y):
    for kind in (TypeError, ValueError):
        with pytest.raises(kind, match="n_components is 'two'"):
            MultiViewGPLVM(n_components="two").fit(Y)
    with pytest.raises(ValueError, match="missing"):
        HarmonicGPClassifier().fit(Y, np.array(["a", None] * 10, dtype=object))
