"""Draws for ArviZ: what bochner writes opens there without a line of glue."""

import json
import subprocess
import warnings

import matplotlib
import numpy as np
import pandas as pd
import pytest
from support import PROGRAM

from bochner import BayesianGPLVM, _core, datasets

matplotlib.use("Agg")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    az = pytest.importorskip("arviz")
xr = pytest.importorskip("xarray")
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::FutureWarning", "ignore::DeprecationWarning")

DRAWS = {"n_chains": 2, "n_frequencies": 10, "n_warmup": 30, "n_draws": 40, "n_stored": 80, "random_state": 1, "n_jobs": 2}


@pytest.fixture(scope="module")
def views():
    made = datasets.make_s_curve(30, {"counts": (5, "rbf", "poisson"), "more": (4, "rbf", "gaussian")}, random_state=1)
    ids = [f"s{n}" for n in range(30)]
    counts = pd.DataFrame(made.views["counts"].astype(float), index=ids, columns=[f"n{m}" for m in range(5)])
    counts.iloc[3, 2] = counts.iloc[8, 0] = np.nan
    more = pd.DataFrame(10 + 5 * made.views["more"], index=ids, columns=list("abcd"))
    return {"counts": counts, "more more": more.iloc[:25]}


@pytest.fixture(scope="module")
def model(views):
    return BayesianGPLVM(likelihood={"counts": "poisson"}, **DRAWS).fit(views, holdout=0.05)


@pytest.fixture(scope="module")
def run(views, tmp_path_factory):
    """A run folder of the command line."""
    folder = tmp_path_factory.mktemp("draws")
    for name, table in views.items():
        table.to_csv(folder / f"{name}.csv")
    subprocess.run(
        [PROGRAM, "fit", "--inference", "mcmc", "--view", "counts=counts.csv:poisson", "--view", "more more=more more.csv",
         "--chains", "2", "--frequencies", "10", "--warmup", "30", "--draws", "40", "--out", "run", "--quiet"],
        cwd=folder, check=True,
    )  # fmt: skip
    return folder / "run"


@pytest.mark.parametrize("engine", ["h5netcdf", "netcdf4"])
def test_draws_open_in_arviz_without_glue(run, engine):
    pytest.importorskip({"netcdf4": "netCDF4"}.get(engine, engine))
    data = az.from_netcdf(str(run / "draws.nc"), engine=engine)
    assert {"posterior", "sample_stats", "log_likelihood", "posterior_predictive", "observed_data"} <= set(data.groups())
    latent = data.posterior["latent"]
    assert latent.dims == ("chain", "draw", "sample", "dim") and latent.shape == (2, 40, 30, 2)
    assert list(latent.dim.values) == ["z1", "z2"] and latent.sample.values[4] == "s4"
    assert not any(bool(np.isnan(v).any()) for v in data.posterior.data_vars.values())
    counts = data.observed_data["counts"]
    assert counts.dtype.kind == "i" and counts.dims == ("counts_entry",)
    assert {"counts_entry_sample", "counts_entry_column"} <= set(counts.coords)
    assert data.posterior_predictive["counts"].shape == data.log_likelihood["counts"].shape == (2, 40, counts.size)
    # The mask: what is missing or held out is NaN in the table, and nothing else is.
    table = data.constant_data["counts_table"]
    assert int((~np.isnan(table)).sum()) == counts.size
    assert np.isnan(table.sel(sample="s3", counts_column="n2"))
    square = counts.set_index(counts_entry=["counts_entry_sample", "counts_entry_column"]).unstack("counts_entry")
    assert square.shape == (30, 5) and float(square.sel(counts_entry_sample="s0", counts_entry_column="n0")) == counts.values[0]
    # Single draws of the functions are those of the fit: f at the latents explains the log likelihood.
    W, B = data.functions["W_counts"][0, 0].values, data.functions["B_counts"][0, 0].values
    angle = latent[0, 0].values @ W.T
    f = np.hstack([np.cos(angle), np.sin(angle)]) / np.sqrt(len(W)) @ B[:-1] + B[-1]
    n, m = 0, 0
    assert counts.counts_entry_sample.values[0] == "s0" and counts.counts_entry_column.values[0] == "n0"
    from scipy.stats import poisson

    expected = poisson.logpmf(counts.values[0], np.exp(f[n, m]))
    assert float(data.log_likelihood["counts"][0, 0, 0]) == pytest.approx(expected, abs=1e-9)


def test_summaries_and_plots_run(run):
    import matplotlib.pyplot as plt

    data = az.from_netcdf(str(run / "draws.nc"))
    summary = az.summary(data)
    assert len(summary) == sum(int(np.prod(v.shape[2:])) for v in data.posterior.data_vars.values())
    assert {"latent[s0, z1]", "amplitude_counts", "sigma_more_more[a]"} <= set(summary.index)
    az.plot_trace(data, var_names=["amplitude"], filter_vars="like")
    az.plot_rank(data, var_names=["amplitude"], filter_vars="like")
    az.plot_ppc(data, num_pp_samples=10)
    az.loo_pit(data, y="counts")
    plt.close("all")


def test_loo_and_waic_are_those_of_arviz(run):
    data = az.from_netcdf(str(run / "draws.nc"))
    metrics = json.loads((run / "metrics.json").read_text())
    for name, view in (("counts", "counts"), ("more_more", "more more")):
        loo, waic = az.loo(data, var_name=name), az.waic(data, var_name=name)
        for key in ("elpd_loo", "se", "p_loo", "n_samples", "n_data_points", "good_k", "warning"):
            assert metrics["loo"][view][key] == pytest.approx(loo[key], abs=1e-6), key
        for key in ("elpd_waic", "se", "p_waic", "warning"):
            assert metrics["waic"][view][key] == pytest.approx(waic[key], abs=1e-6), key


def test_pareto_k_is_that_of_arviz():
    rng = np.random.default_rng(2)
    log_likelihood = -rng.gamma(1.0, np.linspace(0.1, 2, 12), size=(800, 12))
    data = az.convert_to_inference_data({"y": log_likelihood.reshape(4, 200, 12)}, group="log_likelihood")
    theirs = az.loo(data, pointwise=True, reff=0.7)
    ours, elpd, k = _core.loo(log_likelihood=log_likelihood, reff=0.7, threads=1)
    np.testing.assert_allclose(elpd, theirs.loo_i.values, atol=1e-9)
    np.testing.assert_allclose(k, theirs.pareto_k.values, atol=1e-9)
    assert ours["pareto_k_above_good_k"] == int((theirs.pareto_k > theirs.good_k).sum()) > 0


def test_a_model_gives_the_numbers_of_its_own_file(model, views, tmp_path):
    data = model.to_inference_data(views)
    assert data.posterior["latent"].shape == (2, 40, 30, 2)
    np.testing.assert_array_equal(data.posterior["latent"][1, 3], model.latent_draws_[43])
    np.testing.assert_array_equal(data.sample_stats["log_density"].values, model.log_density_)
    assert model.loo(views)["counts"]["elpd_loo"] == pytest.approx(az.loo(data, var_name="counts").elpd_loo, abs=1e-6)
    assert model.waic(views)["counts"]["elpd_waic"] == pytest.approx(az.waic(data, var_name="counts").elpd_waic, abs=1e-6)
    # Held-out entries are not observed; rows may come in another order; a kept model file says the same.
    assert data.observed_data["counts"].size == 148 - round(0.05 * 148)
    shuffled = {name: table.sample(frac=1, random_state=0) for name, table in views.items()}
    assert model.loo(shuffled) == model.loo(views)
    model.save(tmp_path / "model.bochner")
    loaded = BayesianGPLVM.load(tmp_path / "model.bochner")
    assert loaded.loo(views, holdout=0.05) == model.loo(views)
    path = loaded.to_netcdf(tmp_path / "kept.nc")
    with xr.open_dataset(path, group="posterior") as posterior:
        np.testing.assert_array_equal(posterior["latent"].values, data.posterior["latent"].values)
    assert "log_likelihood" not in az.from_netcdf(path).groups()


def test_fewer_stored_draws_say_which_they_are(views):
    few = BayesianGPLVM(likelihood={"counts": "poisson"}, **{**DRAWS, "n_stored": 10}).fit(views)
    data = few.to_inference_data()
    assert list(data.posterior.draw.values) == [7, 15, 23, 31, 39]
    np.testing.assert_array_equal(data.sample_stats["log_density"].values, few.log_density_[:, [7, 15, 23, 31, 39]])


def test_mixtures_are_kept(run):
    with xr.open_dataset(run / "draws.nc", group="spectrum") as mixtures:
        weights = mixtures["weights_counts"]
        np.testing.assert_allclose(weights.sum("counts_component"), 1)
        components = (~np.isnan(weights)).sum("counts_component")
    with xr.open_dataset(run / "draws.nc", group="posterior") as posterior:
        np.testing.assert_array_equal(posterior["n_components_counts"], components)
    kernel = json.loads((run / "kernel.json").read_text())["counts"]
    assert kernel["n_components"]["median"] == pytest.approx(np.sort(components.values.ravel())[40], abs=1)


def test_binomial_views_take_their_trials():
    rng = np.random.default_rng(0)
    trials = rng.integers(5, 20, size=(20, 3)).astype(float)
    hits = rng.binomial(trials.astype(int), 0.4).astype(float)
    m = BayesianGPLVM(likelihood="binomial", trials=trials, **{**DRAWS, "n_warmup": 5, "n_draws": 5}).fit(hits)
    drawn = m.to_inference_data(hits).posterior_predictive
    (name,) = drawn.data_vars
    assert (drawn[name].values <= trials.ravel()).all()


def test_bad_input_is_refused(model, views, tmp_path):
    with pytest.raises(ValueError, match="X must have the samples of fit: it has 20"):
        model.loo({name: table.iloc[:20] for name, table in views.items()})
    with pytest.raises(ValueError, match="X is None"):
        model.loo(None)
    with pytest.raises(OSError, match="cannot be written"):
        model.to_netcdf(tmp_path / "none" / "draws.nc")
