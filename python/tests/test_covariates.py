"""Covariates of BayesianGPLVM."""

import numpy as np
import pandas as pd
import pytest

from bochner import BayesianGPLVM

SHORT = {"n_components": 1, "n_frequencies": 5, "n_warmup": 40, "n_draws": 40, "n_chains": 2, "start": "pca", "random_state": 1}


@pytest.fixture(scope="module")
def study():
    rng = np.random.default_rng(2)
    ids = [f"p{n}" for n in range(120)]
    info = pd.DataFrame({"age": rng.uniform(20, 80, 120), "sex": rng.choice(["m", "f"], 120)}, index=ids)
    z = rng.normal(size=120)
    effects = np.vstack([0.05 * rng.normal(size=6), rng.normal(size=6)])
    f = np.outer(z, rng.normal(size=6)) + np.outer(info["age"] - 50, effects[0]) + np.outer(info["sex"] == "m", effects[1])
    return pd.DataFrame(f + 0.3 * rng.normal(size=f.shape), index=ids), info, effects


@pytest.fixture(scope="module")
def model(study):
    Y, info, _ = study
    return BayesianGPLVM(**SHORT).fit(Y, covariates=info)


def test_effects_are_in_units_of_the_table(model, study):
    _, _, effects = study
    assert model.coefficients_ == ["age", "sex=m"]
    own = model.covariate_effects_["X"]
    assert own["mean"].shape == (2, 6)
    assert np.abs(own["mean"] - effects).max() < 5 * own["sd"].max()
    assert np.linalg.norm(own["mean"] - effects) < 0.3 * np.linalg.norm(effects)
    assert np.all(own["low"] < own["high"])
    assert np.isfinite(own["rhat"]).all()
    assert any(name.startswith("covariate age of X/") for name, *_ in model.monitors_)


def test_new_samples_bring_theirs_by_name(model, study):
    Y, info, _ = study
    few = Y.iloc[[5, 90, 17]]
    Z = model.transform(few, covariates=info)
    assert np.array_equal(Z, model.transform(few, covariates=info[["sex", "age"]]))  # in any order
    assert np.array_equal(Z, model.transform(few, covariates={"age": info.loc[few.index, "age"], "sex": info["sex"]}))
    older = info.assign(age=info["age"] + 30)
    assert not np.array_equal(Z, model.transform(few, covariates=older))
    assert np.isfinite(model.score(few, covariates=info))
    holes = few.copy()
    holes.iloc[:, 2] = np.nan
    filled = model.impute(holes, covariates=info)
    assert np.isfinite(np.asarray(filled)).all()
    with pytest.raises(ValueError, match="was fitted with covariates 'age', 'sex': give those of these samples as covariates="):
        model.transform(few)
    with pytest.raises(ValueError, match="covariates lack 'sex'"):
        model.transform(few, covariates=info[["age"]])
    with pytest.raises(ValueError, match="level 'x' is unknown to the model"):
        model.transform(few, covariates=info.assign(sex="x"))


def test_files_keep_them(model, study, tmp_path):
    Y, info, _ = study
    model.save(tmp_path / "model.bochner")
    read = BayesianGPLVM.load(tmp_path / "model.bochner")
    assert read.coefficients_ == model.coefficients_
    assert np.array_equal(read.covariate_effects_["X"]["mean"], model.covariate_effects_["X"]["mean"])
    assert np.array_equal(read.transform(Y.to_numpy()[:3], covariates=info.iloc[:3].to_dict("list")), model.transform(
        Y.to_numpy()[:3], covariates=info.iloc[:3].to_dict("list")
    ))


def test_refuses_in_one_message(study):
    Y, info, _ = study
    short = {**SHORT, "n_warmup": 2, "n_draws": 4}
    with pytest.raises(ValueError, match="covariate 'age', sample 'p3' has no value"):
        BayesianGPLVM(**short).fit(Y, covariates=info.assign(age=[np.nan if i == "p3" else 40.0 + n for n, i in enumerate(Y.index)]))
    with pytest.raises(ValueError, match="covariate 'age' is the same for all samples"):
        BayesianGPLVM(**short).fit(Y, covariates=info.assign(age=40))
    with pytest.raises(ValueError, match="has 5 entries, but X has 120 samples"):
        BayesianGPLVM(**short).fit(Y.to_numpy(), covariates=np.ones((5, 2)))
    without = BayesianGPLVM(**short).fit(Y)
    with pytest.raises(ValueError, match="covariates: the model was fitted without any"):
        without.transform(Y, covariates=info)


def test_other_shapes_of_covariates(study):
    Y, info, _ = study
    short = {**SHORT, "n_warmup": 4, "n_draws": 4}
    by_frame = BayesianGPLVM(**short).fit(Y, covariates=info[["age"]])
    by_series = BayesianGPLVM(**short).fit(Y, covariates=info["age"])
    assert np.array_equal(by_frame.latent_, by_series.latent_)
    arrays = BayesianGPLVM(**short).fit(Y.to_numpy(), covariates=info["age"].to_numpy())
    assert arrays.coefficients_ == ["covariate_0"]
    data = arrays.loo(Y.to_numpy())
    assert np.isfinite(data["X"]["elpd_loo"])
