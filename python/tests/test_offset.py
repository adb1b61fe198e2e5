"""Exposures of counts in BayesianGPLVM."""

import numpy as np
import pandas as pd
import pytest

from bochner import BayesianGPLVM

SHORT = {"n_frequencies": 5, "n_warmup": 10, "n_draws": 10, "n_chains": 2, "start": "pca", "random_state": 1, "n_jobs": 1}


@pytest.fixture(scope="module")
def counted():
    """Counts of 40 samples whose exposures differ by factors of up to 50; rates follow one latent."""
    rng = np.random.default_rng(1)
    ids = [f"s{n}" for n in range(40)]
    z = rng.normal(size=40)
    size = pd.Series(20 * np.exp(rng.normal(size=40)), index=ids, name="size")
    rate = np.exp(np.outer(z, np.linspace(-0.8, 0.8, 8)))
    Y = pd.DataFrame(rng.poisson(size.to_numpy()[:, None] * rate), index=ids, columns=[f"g{j}" for j in range(8)])
    return Y.astype(float), size


@pytest.fixture(scope="module")
def model(counted):
    Y, size = counted
    return BayesianGPLVM(likelihood="poisson", n_components=1, **SHORT).fit(Y, offset=size)


def test_predictions_are_proportional_to_exposures(model, counted):
    Y, size = counted
    hidden = Y.copy()
    hidden.iloc[:, 0] = np.nan
    at = model.impute(hidden, offset=size)["g0"]
    # The same counts per exposure say the same, up to how sure they are: predictions go with the exposure.
    assert np.corrcoef(np.log(at), np.log(size))[0, 1] > 0.7
    assert model._fit.exposure(view="X").tolist() == size.tolist()


def test_series_are_matched_and_numbers_are_for_all(model, counted):
    Y, size = counted
    few = Y.iloc[[7, 3, 11]]
    by_index = model.transform(few, offset=size)
    assert np.array_equal(by_index, model.transform(few, offset=size.loc[few.index].to_numpy()))
    assert np.array_equal(model.transform(few, offset=20), model.transform(few, offset=[20.0] * 3))
    assert not np.array_equal(by_index, model.transform(few, offset=20))
    assert np.array_equal(by_index, model.transform(few, offset={"X": size}))
    assert np.isfinite(model.score(few, offset=size))
    assert model.assess(few, offset=size, holdout=0.2) is not None
    assert model.loo(Y)["X"]["elpd_loo"] < 0


def test_samples_have_exposures_of_the_fit(model, counted):
    drawn = model.sample(4000, random_state=1).sum(axis=1)
    own = counted[0].to_numpy().sum(axis=1)
    assert drawn.std() > 0.5 * own.std()
    assert abs(drawn.mean() / own.mean() - 1) < 0.15


def test_files_keep_them(model, counted, tmp_path):
    Y, size = counted
    model.save(tmp_path / "model.bochner")
    read = BayesianGPLVM.load(tmp_path / "model.bochner")
    assert np.array_equal(read.transform(Y.iloc[:3], offset=size), model.transform(Y.iloc[:3], offset=size))
    with pytest.raises(ValueError, match="was fitted with exposures: give those of these samples as offset="):
        read.transform(Y.iloc[:3])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (0.0, r"offset of sample 's2' is 0, but must be a positive number"),
        (-1.0, r"offset of sample 's2' is -1, but must be"),
        (np.nan, r"offset of sample 's2' is nan, but must be"),
    ],
)
def test_refuses_what_is_no_exposure(counted, wrong, message):
    Y, size = counted
    size = size.copy()
    size.iloc[2] = wrong
    with pytest.raises(ValueError, match=message):
        BayesianGPLVM(likelihood="poisson", **SHORT).fit(Y, offset=size)


def test_is_for_counts(model, counted):
    Y, size = counted
    with pytest.raises(ValueError, match="offset is for views of counts"):
        BayesianGPLVM(**SHORT).fit(Y, offset=size)
    kinds = {"a": "poisson", "b": "gaussian"}
    with pytest.raises(ValueError, match="offset: view 'b' is gaussian"):
        BayesianGPLVM(likelihood=kinds, **SHORT).fit({"a": Y, "b": Y}, offset={"b": size})
    with pytest.raises(ValueError, match="offset: there is no view 'c'"):
        BayesianGPLVM(likelihood=kinds, **SHORT).fit({"a": Y, "b": Y}, offset={"c": size})
    with pytest.raises(ValueError, match="offset has 39 entries, but X has 40 samples"):
        BayesianGPLVM(likelihood="poisson", **SHORT).fit(Y.to_numpy(), offset=size.to_numpy()[:39])
    without = BayesianGPLVM(likelihood="poisson", **SHORT).fit(Y)
    with pytest.raises(ValueError, match="the model was fitted without exposures"):
        without.transform(Y, offset=size)
    both = BayesianGPLVM(likelihood=kinds, **SHORT).fit({"a": Y, "b": Y}, offset=size)  # of the counts alone
    guess = both.predict_view({"b": Y}, "a")  # nothing was counted: at the median exposure
    assert guess.shape == Y.shape
    at_ten = both.predict_view({"b": Y}, "a", offset=10 * np.median(size))
    assert np.all(at_ten > 5 * guess)


def test_over_time_samples_of_the_fit_need_no_offset(counted):
    Y, size = counted
    m = BayesianGPLVM(likelihood="negbinom", n_components=1, **SHORT).fit(Y, time=np.arange(40.0), offset=size)
    holes = Y.copy()
    assert np.array_equal(m.transform(holes), m.latent_)
    assert m.impute(holes).shape == Y.shape
