"""Pictures are drawn, and the axes come back."""

import matplotlib
import numpy as np
import pandas as pd
import pytest
from support import SHORT

matplotlib.use("Agg")

from bochner import BayesianGPLVM, MultiViewGPLVM, MultiViewKernelPCA, datasets, plot  # noqa: E402


@pytest.fixture(scope="module")
def data():
    return datasets.make_s_curve(40, {"a": 6, "b": 5}, missing=0.2, random_state=1)


@pytest.fixture(scope="module")
def model(data):
    return MultiViewGPLVM(kernel="rbf", max_iter=20, random_state=0).fit(data.views)


def test_every_picture(data, model):
    ax = plot.latent(model, labels=data.position > 0)
    assert len(ax.lines) == 2 and ax.get_xlabel() == "z1"
    assert [t.get_text() for t in plot.data_map(data.views).get_xticklabels()] == ["a", "b"]
    assert plot.relevance(model).images[0].get_array().shape == (2, 5)  # z1, z2, a gap, all and held out
    assert len(plot.explained(model).patches) == 4
    assert len(plot.top_features(model, 1, 3).patches) == 3
    assert len(plot.responses(model, 0, 4).lines) == 4
    axes = plot.dimension(model, 0, 4, data=data.views)
    assert len(axes) == 5 and len(axes[1].lines) == 2  # samples and the curve
    assert plot.spectrum(model, "b").get_title() == "b"
    assert len(plot.trace(model).lines) == 3  # one for each start
    filled, low, high = model.impute(data.views, interval=0.9)
    missing = np.isnan(data.views["a"])
    ax = plot.imputations(data.complete["a"], filled["a"], low["a"], high["a"], where=missing)
    assert len(ax.lines[0].get_xdata()) == missing.sum()
    mean, std = model.predict_view(data.views, "a", return_std=True)
    assert len(plot.calibration(data.complete["a"], mean, std).lines) == 2
    matplotlib.pyplot.close("all")


def test_chains(data):
    chains = BayesianGPLVM(n_frequencies=5, n_warmup=3, n_draws=5, start="pca", random_state=0).fit(data.views)
    assert len(plot.trace(chains).lines) == chains.log_density_.shape[0] == 4
    assert plot.relevance(chains).images[0].get_array().shape == (2, 4)  # nothing was held out
    assert len(plot.explained(chains).patches) == 2
    assert len(plot.top_features(chains, 0, 3).collections) == 3  # error bars
    assert len(plot.dimension(chains, 0, 2)) == 3
    z, mean, low, high = chains.response("a", 0, 5, interval=0.9)
    assert z.shape == (5,) and mean.shape == low.shape == high.shape == (5, data.views["a"].shape[1])
    assert (low <= high).all() and (low < high).any()
    assert np.array_equal(chains.response("a", 0, 5)[1], mean)
    matplotlib.pyplot.close("all")


def test_wrong_dimensions_are_named(model):
    with pytest.raises(ValueError, match="from 0 to 1"):
        plot.latent(model, dims=(0, 2))
    with pytest.raises(ValueError, match="3 entries"):
        plot.latent(model, labels=[1, 2, 3])


def test_pictures_say_what_a_model_lacks(Y):
    m = MultiViewKernelPCA(random_state=0).fit(Y)
    for picture in (plot.latent, plot.relevance, plot.spectrum, plot.trace):
        with pytest.raises(ValueError, match="MultiViewKernelPCA|KpcaFit"):
            picture(m)


def test_draws_of_chains(A):
    rng = np.random.default_rng(0)
    counts = rng.poisson(3, size=(20, 4)).astype(float)
    counts[2, 1] = np.nan
    views = {"a": A, "k": pd.DataFrame(counts, index=A.index)}
    model = BayesianGPLVM(likelihood={"k": "poisson"}, **SHORT).fit(views, time=np.arange(20.0), group=np.arange(20) // 10)
    assert len(plot.paths(model).lines) == 2 * 2  # dimensions and groups
    assert len(plot.paths(model, dims=[1], interval=0.5).lines) == 2
    for quantity in ("log density", "amplitude", "concentration", "n_components", np.random.default_rng(1).normal(size=(3, 40))):
        ax = plot.rank(model, quantity)
        heights = [bar.get_height() for bar in ax.patches]
        assert np.mean(heights) == pytest.approx(1)
    assert len(plot.predictive_check(model, views, "a", draws=3).lines) == 3 + 2
    observed = [bar.get_height() for bar in plot.predictive_check(model, views, "k").patches]
    assert sum(observed) == pytest.approx(1)
    for band in (plot.spectrum(model, "k"), plot.kernel(model, "k", dim=1)):
        assert len(band.lines) == 1 and len(band.collections) == 1
    with pytest.raises(ValueError, match="view is 'b', but the views of the model are 'a', 'k'"):
        plot.spectrum(model, "b")
    with pytest.raises(ValueError, match="dim is 2, but the model has 2 dimensions"):
        plot.kernel(model, dim=2)
    with pytest.raises(ValueError, match="quantity is 'lp'"):
        plot.rank(model, "lp")
    with pytest.raises(ValueError, match="time has 3 entries"):
        plot.paths(model, [1, 2, 3])


def test_labels_have_their_names(A):
    kinds = pd.DataFrame({"kind": np.where(A.iloc[:, 0] > 0, "up", "down")}, index=A.index)
    model = BayesianGPLVM(likelihood="categorical", **SHORT).fit({"kind": kinds})
    ticks = plot.predictive_check(model, {"kind": kinds}).get_xticklabels()
    assert [tick.get_text() for tick in ticks] == ["down", "up"]


def test_latents_in_one_dimension(A):
    model = BayesianGPLVM(n_components=1, **SHORT).fit(A)
    ax = plot.latent(model, labels=np.arange(20) % 2)
    assert len(ax.lines) == 2 and len(ax.collections) == 1
    assert len(plot.latent(model, ellipses=False).collections) == 0
    with pytest.raises(ValueError, match="the model does not know the times"):
        plot.paths(model)
