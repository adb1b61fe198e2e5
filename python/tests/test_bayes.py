"""Likelihoods, trials, time and generated samples of BayesianGPLVM."""

import numpy as np
import pandas as pd
import pytest
from support import SHORT

from bochner import BayesianGPLVM, MultiViewGPLVM, datasets


def test_forecasts_refuse_impossible_intervals(Y):
    m = BayesianGPLVM(**SHORT).fit(Y, time=np.arange(20.0))
    for wrong in ({"interval": 90}, {"interval": 0}, {"interval": float("nan")}):
        with pytest.raises(ValueError, match="interval"):
            m.forecast(2, 0.1, **wrong)
    with pytest.raises(ValueError, match="gap"):
        m.forecast(2, -1)
    with pytest.raises(ValueError, match="h is 0, but must be an int of at least 1"):
        m.forecast(0, 1)


def test_columns_of_labels_are_found_by_name(Y):
    L = pd.DataFrame({"p": np.where(Y[:, 0] > 0, "x", "y"), "q": np.where(Y[:, 1] > 0, "u", "v")})
    m = BayesianGPLVM(likelihood="categorical", **SHORT).fit({"l": L})
    assert np.array_equal(m.transform({"l": L[["q", "p"]]}), m.transform({"l": L}))
    assert m.transform({"l": L[["p"]]}).shape == (20, 2)
    incomplete = L.astype(object)
    incomplete.loc[3, "p"] = None
    assert m.transform({"l": incomplete}).shape == (20, 2)
    with pytest.raises(ValueError, match="does not know"):
        m.transform({"l": L.replace("x", "z")})


def test_times_go_with_their_samples(A):
    t = pd.Series(np.arange(20.0), index=A.index)
    late = {"a": A.iloc[10:], "b": A}
    one = BayesianGPLVM(**SHORT).fit(late, time=t)
    other = BayesianGPLVM(**SHORT).fit(late, time=t.sample(frac=1, random_state=0))
    assert np.array_equal(one.latent_, other.latent_)
    with pytest.raises(ValueError, match="different rows"):
        BayesianGPLVM(**SHORT).fit(late, time=t.to_numpy())
    with pytest.raises(ValueError, match="19 entries"):
        BayesianGPLVM(**SHORT).fit(A, time=np.arange(19.0))
    with pytest.raises(ValueError, match="needs time"):
        BayesianGPLVM(**SHORT).fit(A, group=np.zeros(20))


def test_new_samples_have_times(A):
    angle = np.outer(np.arange(20), [0.3, 0.2, 0.1, 0.15]) + np.arange(4)
    A = pd.DataFrame(np.sin(angle), index=A.index)
    m = BayesianGPLVM(n_warmup=40, n_draws=40, n_chains=2, random_state=0).fit(A, time=np.arange(20.0))
    new = pd.DataFrame(np.full((2, A.shape[1]), np.nan), columns=A.columns, index=["n1", "n2"])
    timed, sd = m.transform(new, return_std=True, time=[3.5, np.nan])
    plain, wide = m.transform(new, return_std=True)
    assert np.allclose(timed[0], m.latent_[3:5].mean(axis=0), atol=0.1)  # halfway between two times of the fit
    assert np.allclose(sd[0], m.latent_sd_[3:5].mean(axis=0), atol=0.1)
    assert (abs(plain[0]) < abs(timed[0])).any() and np.array_equal(timed[1], plain[1]) and (wide > 0).all()
    again = m.transform(A.set_axis([f"s{n}" for n in range(20)]), fitted=False, time=np.arange(20.0))
    assert np.allclose(again, np.mean(m.latent_draws_, axis=0), atol=1e-8)  # a time of the fit is the latent there
    assert np.isfinite(m.impute(new, time=[3.5, 4]).to_numpy()).all()
    for same in (np.array([[3.5], [np.nan]]), pd.Series([3.5, None], index=new.index, dtype=object), [3.5, None]):
        assert np.array_equal(m.transform(new, time=same), timed)
    for wrong, message in (({"time": [1.0]}, "1 entry"), ({"group": ["a", "b"]}, "needs time"), ({"time": [1, 2], "group": ["a", "b"]}, "without groups"),
                           ({"time": pd.date_range("2020-01-01", periods=2)}, "the times of fit are numbers")):  # fmt: skip
        with pytest.raises(ValueError, match=message):
            m.transform(new, **wrong)
    with pytest.raises(ValueError, match="fitted without times"):
        BayesianGPLVM(**SHORT).fit(A).transform(new, time=[1, 2])


def test_times_are_dates_and_groups_have_names(A, tmp_path):
    days = pd.Series(np.tile(pd.date_range("2020-01-01", periods=10), 2), index=A.index)
    group = pd.Series(np.repeat(["north", "south"], 10), index=A.index)
    m = BayesianGPLVM(**SHORT).fit(A, time=days, group=group)
    numbers = BayesianGPLVM(**SHORT).fit(A, time=(days - pd.Timestamp(0)) / pd.Timedelta("1D"), group=group)
    assert np.array_equal(m.latent_, numbers.latent_)
    m.save(tmp_path / "m.bochner")
    new = pd.DataFrame(np.full((2, A.shape[1]), np.nan), columns=A.columns, index=["n1", "n2"])
    when = pd.to_datetime(["2020-01-03 12:00", "2020-01-03 12:00"])
    for model in (m, BayesianGPLVM.load(tmp_path / "m.bochner")):
        sd = model.transform(new, return_std=True, time=when, group=["south", "west"])[1]
        assert (sd[0] < sd[1]).all()  # west is not known
        with pytest.raises(ValueError, match="give those of these samples as group="):
            model.transform(new, time=when)
        assert np.array_equal(model.transform(new, time=[when[0], None], group=["south", "south"])[0], model.transform(new, time=when, group=["south", "west"])[0])
        with pytest.raises(ValueError, match="the times of fit are dates"):
            model.transform(new, time=[1, 2], group=["south", "west"])


@pytest.mark.parametrize("name", ["time", "group"])
def test_times_and_groups_are_arrays(name):
    table = np.random.RandomState(0).normal(size=(12, 3))
    more = {"time": np.arange(12.0), name: "t"}
    with pytest.raises(ValueError, match=f"{name} is 't', but must be an array"):
        BayesianGPLVM(n_warmup=2, n_draws=2, n_chains=1).fit(table, **more)


def test_trials_go_with_their_rows(A):
    rng = np.random.default_rng(1)
    N = pd.DataFrame(rng.integers(5, 50, size=(20, 3)), index=A.index, columns=list("xyz"))
    K = pd.DataFrame(rng.binomial(N, 0.8), index=A.index, columns=list("xyz"))
    order = rng.permutation(20)
    likelihood = {"a": "gaussian", "k": "binomial"}
    straight = BayesianGPLVM(likelihood=likelihood, trials={"k": N}, **SHORT).fit({"a": A, "k": K})
    shuffled = BayesianGPLVM(likelihood=likelihood, trials={"k": N.iloc[order]}, **SHORT).fit(
        {"a": A, "k": K.iloc[order]}
    )
    assert np.array_equal(straight.latent_, shuffled.latent_)
    part = BayesianGPLVM(likelihood=likelihood, trials={"k": N.iloc[:15]}, **SHORT).fit({"a": A, "k": K.iloc[:15]})
    assert part.latent_.shape == (20, 2)
    few = {"k": K.iloc[:4]}
    assert straight.transform(few, trials={"k": N.iloc[:4]}).shape == (4, 2)
    guess = straight.predict_view({"a": A}, "k", trials={"k": 100})
    assert guess.max() > 50  # of a hundred trials each
    assert np.isfinite(straight.score({"a": A, "k": K}, trials={"k": N}))


def test_hidden_counts_do_not_tell_totals():
    rng = np.random.default_rng(0)
    Y = rng.multinomial(50, [0.4, 0.3, 0.2, 0.1], size=30).astype(float)
    m = BayesianGPLVM(likelihood="multinomial", **SHORT).fit(Y)
    judged = []

    class Spy:
        def __init__(self, fit):
            self.fit = fit

        def __getattr__(self, name):
            return getattr(self.fit, name)

        def log_density_of(self, **given):
            judged.append((given["Y"], given["known"]))
            return self.fit.log_density_of(**given)

    m._fit = Spy(m._fit)
    assert np.isfinite(m.score(Y))
    [(truth, known)] = judged
    assert (np.isnan(truth) != np.isnan(known)).all()  # judged, or known, never both


@pytest.fixture(scope="module")
def mixed():
    """A model of every kind of view."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(60, 2))
    views = {
        "numbers": 5 + 2 * x @ rng.normal(size=(2, 4)) + 0.5 * rng.normal(size=(60, 4)),
        "counts": rng.poisson(np.exp(1 + x @ rng.normal(size=(2, 3)) / 2)).astype(float),
        "shares": rng.binomial(20, 0.3, size=(60, 2)).astype(float),
        "labels": np.where(x > 0, "up", "down").astype(object),
    }
    kinds = {"counts": "poisson", "shares": "binomial", "labels": "categorical"}
    settings = {"n_frequencies": 12, "n_warmup": 60, "n_draws": 60, "random_state": 0}
    return BayesianGPLVM(likelihood=kinds, trials={"shares": 20}, **settings).fit(views), views


def test_samples_are_measurements(mixed):
    model, views = mixed
    made = model.sample(4000, random_state=1)
    for name in ("numbers", "counts", "shares"):
        assert made[name].shape == (4000, views[name].shape[1])
        assert made[name].mean(0) == pytest.approx(views[name].mean(0), rel=0.35)
        assert made[name].std(0) == pytest.approx(views[name].std(0), rel=0.4)
    assert (made["numbers"] != made["numbers"].round()).any()
    for name, most in (("counts", np.inf), ("shares", 20)):
        assert (made[name] == made[name].round()).all() and made[name].min() >= 0 and made[name].max() <= most
    assert set(made["labels"].ravel()) == {"up", "down"}
    assert np.mean(made["labels"] == "up") == pytest.approx(np.mean(views["labels"] == "up"), abs=0.1)


def test_samples_repeat_and_agree_in_all_models(mixed):
    model = mixed[0]
    one, other = model.sample(5, random_state=7), model.sample(9, random_state=7)
    assert all(np.array_equal(one[name], other[name][:5]) for name in one)
    assert not np.array_equal(one["numbers"], model.sample(5, random_state=8)["numbers"])
    Y = datasets.make_s_curve(60, {"a": 6}, random_state=0).views["a"]
    for model in (BayesianGPLVM(**SHORT), MultiViewGPLVM(kernel="rbf", max_iter=20, random_state=0)):
        noisy, expected = (model.fit(Y).sample(500, random_state=1, noise=noise) for noise in (True, False))
        assert noisy.shape == expected.shape == (500, 6)
        assert noisy.var(0).sum() > 1.02 * expected.var(0).sum()


def test_expected_samples_are_at_latents(mixed):
    model, views = mixed
    made = model.sample(3, random_state=5, noise=False)
    rng = np.random.default_rng(5)
    rows = rng.integers(60, size=3)
    Z = model.latent_[rows] + model.latent_sd_[rows] * rng.standard_normal((3, 2))
    expected = model.inverse_transform(Z)
    assert all(np.array_equal(made[name], expected[name]) for name in views)
    assert made["labels"].shape == (3, 4)  # probabilities


def test_warm_up_can_end_by_itself(A):
    short = {"n_components": 1, "n_frequencies": 5, "n_draws": 8, "n_chains": 2, "start": "pca", "random_state": 0}
    model = BayesianGPLVM(n_warmup="auto", **short).fit(A)
    assert np.isfinite(model.latent_).all()
    with pytest.raises(ValueError, match="n_warmup is 'soon', but must be an int from 0 to 10000000, or 'auto'"):
        BayesianGPLVM(n_warmup="soon", **short).fit(A)
