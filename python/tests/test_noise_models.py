"""Noise that depends on the inputs, counts that scatter more than Poisson's, and what validation rows say of both."""

import numpy as np
import pytest

from bochner import HarmonicGPClassifier, HarmonicGPRegressor

QUICK = {"n_inducing": 20, "max_iter": 300, "batch_size": 200, "random_state": 0, "n_jobs": 1}


def fan(seed, rows=600):
    """Noise of sd exp(x) about a wave."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 1, (rows, 1))
    return X, np.sin(2 * X[:, 0]) + np.exp(X[:, 0]) * rng.normal(size=rows)


@pytest.mark.parametrize("noise_model", ["inputs", "joint"])
def test_the_standard_deviation_follows_the_noise(noise_model, tmp_path):
    X, y = fan(1)
    new, truth = fan(2)
    model = HarmonicGPRegressor(**QUICK, noise_model=noise_model).fit(X, y)
    constant = HarmonicGPRegressor(**QUICK, noise_model="constant").fit(X, y)
    std = model.predict(new, return_std=True)[1]
    assert np.corrcoef(np.log(std), new[:, 0])[0, 1] > 0.9
    assert model.log_density(new, truth).mean() > constant.log_density(new, truth).mean() + 0.1
    mean, cov = model.predict(new[:30], return_cov=True)
    assert np.allclose(np.sqrt(np.diag(cov)), std[:30], rtol=1e-6)
    assert model.calibration_["noise"]["y0"] > 0 and model.calibration_["spread"]["y0"] >= 0
    model.save(tmp_path / "m")
    loaded = HarmonicGPRegressor.load(tmp_path / "m")
    assert (loaded.likelihood, loaded.noise_model, loaded.calibration_) == ("gaussian", noise_model, model.calibration_)
    assert np.array_equal(loaded.predict(new), model.predict(new))


def test_the_noise_leaves_the_mean_alone():
    X, y = fan(1)
    means, spreads = [], []
    for noise_model in ("inputs", "constant"):
        mean, std = HarmonicGPRegressor(**QUICK, noise_model=noise_model).fit(X, y).predict(X, return_std=True)
        means.append(mean)
        spreads.append(std.max() / std.min())
    assert np.allclose(*means, rtol=1e-12, atol=1e-12)
    assert spreads[0] > 2 * spreads[1]


def test_overdispersed_counts():
    rng = np.random.default_rng(3)
    X = rng.uniform(-2, 2, (600, 1))
    mu = np.exp(2 + np.sin(X[:, 0]))
    y = rng.negative_binomial(1.5, 1.5 / (1.5 + mu)).astype(float)
    density = {
        name: HarmonicGPRegressor(**QUICK, likelihood=name).fit(X[:400], y[:400]).log_density(X[400:], y[400:]).mean()
        for name in ("poisson", "negbinom")
    }
    assert density["negbinom"] > density["poisson"] + 0.5
    model = HarmonicGPRegressor(**QUICK, likelihood="poisson").fit(X, y)
    assert model.calibration_ == {} and not hasattr(model, "noise_")
    counts = model.set_params(likelihood="negbinom").fit(X, y).calibration_
    assert counts["size"]["y0"] > 0
    with pytest.raises(ValueError, match="likelihood='negbinom' requires non-negative integers"):
        HarmonicGPRegressor(likelihood="negbinom").fit(X, y - 0.5)


def test_probabilities_have_a_temperature():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(400, 2))
    y = (X[:, 0] + 0.3 * rng.normal(size=400) > 0).astype(int) + (X[:, 1] > 0.5)
    model = HarmonicGPClassifier(**QUICK).fit(X, y)
    raw = HarmonicGPClassifier(**QUICK, calibrate=False).fit(X, y)
    assert model.calibration_["temperature"] != 1
    assert raw.calibration_["temperature"] == 1
    assert not np.array_equal(model.predict_proba(X), raw.predict_proba(X))
