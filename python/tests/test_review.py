"""Mistakes that users make, and what must not go wrong silently."""

import threading

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import FeatureUnion
from sklearn.preprocessing import StandardScaler

from bochner import (
    BayesianGPLVM,
    HarmonicGPClassifier,
    HarmonicGPRegressor,
    KernelForecaster,
    MultiViewGPLVM,
    MultiViewKernelPCA,
    datasets,
    plot,
)

QUICK = {"kernel": "rbf", "max_iter": 10, "random_state": 0}
SHORT = {"n_frequencies": 8, "n_warmup": 5, "n_draws": 5, "start": "pca", "random_state": 0}


@pytest.fixture
def Y():
    return np.random.default_rng(0).normal(size=(20, 5))


@pytest.fixture
def A(Y):
    return pd.DataFrame(Y, index=[f"s{n}" for n in range(20)], columns=list("abcde"))


def test_forecasts_refuse_impossible_intervals(Y):
    m = BayesianGPLVM(**SHORT).fit(Y, time=np.arange(20.0))
    for wrong in ({"interval": 90}, {"interval": 0}, {"interval": float("nan")}):
        with pytest.raises(ValueError, match="interval"):
            m.forecast(2, 0.1, **wrong)
    with pytest.raises(ValueError, match="gap"):
        m.forecast(2, -1)
    with pytest.raises(ValueError, match="h is 0, but must be an int of at least 1"):
        m.forecast(0, 1)


def test_parts_need_a_fit(Y):
    with pytest.raises(NotFittedError):
        HarmonicGPRegressor().predict_parts(Y)


def test_lengths_of_x_and_y_are_compared(Y):
    m = HarmonicGPRegressor(n_inducing=5, max_iter=5, random_state=0).fit(Y, Y[:, 0])
    for call in (m.log_density, m.score):
        with pytest.raises(ValueError, match="inconsistent"):
            call(Y[:5], Y[:, 0])
    c = HarmonicGPClassifier(n_inducing=5, max_iter=5, random_state=0).fit(Y, np.where(Y[:, 0] > 0, 10, 2))
    for call in (c.log_density, c.score):
        with pytest.raises(ValueError, match="inconsistent"):
            call(Y[:5], np.full(6, 2))
    with pytest.raises(ValueError, match="does not know"):
        c.log_density(Y, np.full(20, 5))


def test_unions_of_frames_have_one_index(Y):
    union = FeatureUnion([("s", StandardScaler()), ("g", MultiViewGPLVM(**QUICK))]).set_output(transform="pandas")
    out = union.fit_transform(Y)
    assert out.shape == (20, 7) and not out.isna().any().any()


def test_columns_of_labels_are_found_by_name(Y):
    L = pd.DataFrame({"p": np.where(Y[:, 0] > 0, "x", "y"), "q": np.where(Y[:, 1] > 0, "u", "v")})
    m = BayesianGPLVM(likelihood="categorical", **SHORT).fit({"l": L})
    assert np.array_equal(m.transform({"l": L[["q", "p"]]}), m.transform({"l": L}))
    assert m.transform({"l": L[["p"]]}).shape == (20, 2)
    with_hole = L.astype(object)
    with_hole.loc[3, "p"] = None
    assert m.transform({"l": with_hole}).shape == (20, 2)
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

        def log_density_of(self, view, draws, truth, known, *rest):
            judged.append((truth, known))
            return self.fit.log_density_of(view, draws, truth, known, *rest)

    m._fit = Spy(m._fit)
    assert np.isfinite(m.score(Y))
    [(truth, known)] = judged
    assert (np.isnan(truth) != np.isnan(known)).all()  # judged, or known, never both


def test_preimages_know_which_views_they_come_from():
    data = datasets.make_s_curve(150, {"a": 8, "b": 6}, random_state=1)
    m = MultiViewKernelPCA(n_components=5, random_state=0).fit(data.views)
    absent = np.full_like(data.views["a"], np.nan)
    filled = m.impute({"a": absent, "b": data.views["b"]})["a"]
    direct = m.predict_view({"b": data.views["b"]}, "a")
    assert np.allclose(filled, direct)


@pytest.mark.parametrize("labels", [[2, 10], [False, True], ["b", "a"], [1.5, 2.5]])
def test_classes_of_files_are_what_they_were(Y, tmp_path, labels):
    y = np.array(labels)[(Y[:, 0] > 0).astype(int)]
    if y.dtype.kind == "f":
        y = y * 2
    m = HarmonicGPClassifier(n_inducing=10, max_iter=50, random_state=0).fit(Y, y)
    m.save(tmp_path / "m")
    loaded = HarmonicGPClassifier.load(tmp_path / "m")
    assert loaded.classes_.dtype == m.classes_.dtype and np.array_equal(loaded.classes_, m.classes_)
    assert loaded.score(Y, y) == m.score(Y, y)
    with pytest.raises(ValueError, match="HarmonicGPClassifier"):
        HarmonicGPRegressor.load(tmp_path / "m")


def test_names_of_inputs_are_kept_in_files(A, tmp_path):
    m = HarmonicGPRegressor(n_inducing=5, max_iter=5, random_state=0).fit(A, A["a"])
    m.save(tmp_path / "m")
    with pytest.raises(ValueError, match="feature names"):
        HarmonicGPRegressor.load(tmp_path / "m").predict(A[list("edcba")])


def test_views_by_mask_and_from_the_end(Y):
    mask = MultiViewGPLVM(views={"a": np.array([True, True, True, False, False]), "b": [-2, -1]}, **QUICK).fit(Y)
    plain = MultiViewGPLVM(views={"a": [0, 1, 2], "b": [3, 4]}, **QUICK).fit(Y)
    assert np.array_equal(mask.latent_, plain.latent_)
    with pytest.raises(ValueError, match="list of columns"):
        MultiViewGPLVM(views={"a": "ab"}).fit(Y)


def test_columns_in_no_view_stay(Y):
    m = MultiViewGPLVM(views={"a": [0, 1, 2]}, **QUICK).fit(Y)
    assert np.array_equal(m.impute(Y), Y)


def test_repeated_names_are_refused_where_order_differs(Y):
    T = pd.DataFrame(Y, columns=["a", "a", "c", "d", "e"])
    m = MultiViewGPLVM(**QUICK).fit({"t": T})
    assert m.transform({"t": T}).shape == (20, 2)
    with pytest.raises(ValueError, match="twice"):
        m.transform({"t": T.iloc[:, ::-1]})


def test_numbered_columns_go_by_position(Y):
    m = MultiViewGPLVM(**QUICK).fit(pd.DataFrame(Y))
    assert np.array_equal(m.transform(pd.DataFrame(Y, columns=range(2, 7))), m.transform(Y))


def test_scores_need_something_measured(Y):
    m = MultiViewGPLVM(**QUICK).fit(Y)
    one = np.full((1, 5), np.nan)
    with pytest.raises(ValueError, match="no measured entry"):
        m.score(one)
    one[0, 2] = 3.0
    assert m.score(one) < 0


def test_latents_and_error_bars_of_anndata_go_together(Y):
    import anndata
    adata = anndata.AnnData(Y)
    m = MultiViewGPLVM(**QUICK)
    Z = m.fit_transform(adata)
    assert np.array_equal(adata.obsm["X_bochner"], Z)
    assert np.array_equal(adata.obsm["X_bochner_sd"], m.transform(adata, return_std=True)[1])
    MultiViewKernelPCA(n_components=3, random_state=0).fit(adata)
    assert adata.obsm["X_bochner"].shape == (20, 3) and "X_bochner_sd" not in adata.obsm


def test_one_view_has_no_other(Y):
    for m in (MultiViewGPLVM(**QUICK), MultiViewKernelPCA(random_state=0), BayesianGPLVM(**SHORT)):
        with pytest.raises(ValueError, match="one view only"):
            m.fit(Y).predict_view(Y, "X")


def test_callbacks_may_answer_in_numpy(Y):
    heard = []

    def callback(*step):
        heard.append(step)
        return np.bool_(False)

    MultiViewGPLVM(**QUICK, callback=callback).fit(Y)
    assert len(heard) == 1


def test_threads_may_share_a_model(Y):
    m = MultiViewGPLVM(**QUICK, n_jobs=1).fit(Y).set_output(transform="pandas")
    errors = []

    def use():
        try:
            m.transform(Y)
        except Exception as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=use) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors


def test_a_model_forgets_the_table_it_was_fitted_to_before(Y):
    m = MultiViewGPLVM(**QUICK).fit(Y)
    m.fit({"a": Y[:, :3], "b": Y[:, 3:]})
    assert not hasattr(m, "n_features_in_")


def test_a_fit_that_fails_leaves_the_one_before(Y):
    m = BayesianGPLVM(**SHORT).fit(Y)
    Z = m.transform(Y)
    with pytest.raises(ValueError, match="likelihood"):
        m.set_params(likelihood="poisson").fit(Y)
    assert np.array_equal(m.set_params(likelihood="gaussian").transform(Y), Z)


def test_series_too_short_for_intervals():
    s = np.sin(np.arange(14.0))
    with pytest.warns(UserWarning, match="intervals"):
        ahead = KernelForecaster(lags=3, validation_fraction=0.3, random_state=0).fit(s).forecast(2)
    assert ahead.lower == {} and ahead.mean.shape == (2, 1)


def test_pandas_missing_values(Y):
    T = pd.DataFrame(Y).astype("Float64")
    T.iloc[2, 1] = pd.NA
    plain = Y.copy()
    plain[2, 1] = np.nan
    assert np.array_equal(MultiViewGPLVM(**QUICK).fit_transform(T), MultiViewGPLVM(**QUICK).fit_transform(plain))


def test_wrong_types_are_both_kinds_of_error(Y):
    for kind in (TypeError, ValueError):
        with pytest.raises(kind, match="n_components is 'two'"):
            MultiViewGPLVM(n_components="two").fit(Y)
    with pytest.raises(ValueError, match="missing"):
        HarmonicGPClassifier().fit(Y, np.array(["a", None] * 10, dtype=object))


def test_pictures_say_what_a_model_lacks(Y):
    m = MultiViewKernelPCA(random_state=0).fit(Y)
    for picture in (plot.latent, plot.relevance, plot.spectrum, plot.trace):
        with pytest.raises(ValueError, match="MultiViewKernelPCA|KpcaFit"):
            picture(m)


@pytest.mark.parametrize("name", ["time", "group"])
def test_times_and_groups_are_arrays(name):
    table = np.random.RandomState(0).normal(size=(12, 3))
    more = {"time": np.arange(12.0), name: "t"}
    with pytest.raises(ValueError, match=f"{name} is 't', but must be an array"):
        BayesianGPLVM(n_warmup=2, n_draws=2, n_chains=1).fit(table, **more)
