"""Pictures are drawn, and the axes come back."""

import matplotlib
import numpy as np
import pytest

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
    assert len(plot.trace(chains).lines) == 2
    assert plot.relevance(chains).images[0].get_array().shape == (2, 4)  # nothing was held out
    assert len(plot.explained(chains).patches) == 2
    assert len(plot.top_features(chains, 0, 3).collections) == 3  # error bars
    with pytest.raises(ValueError, match="response curves"):
        plot.dimension(chains)
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
