"""AnnData and MuData: layers in, latents out."""

import anndata
import mudata
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from support import QUICK

from bochner import BayesianGPLVM, MultiViewGPLVM, MultiViewKernelPCA, datasets


@pytest.fixture(scope="module")
def data():
    return datasets.make_s_curve(60, {"a": 8, "b": 6}, missing=0.1, random_state=1)


def test_anndata(data):
    adata = anndata.AnnData(data.views["a"])
    m = MultiViewGPLVM(**QUICK).fit(adata)
    assert np.array_equal(adata.obsm["X_bochner"], m.latent_)
    assert adata.obsm["X_bochner_sd"].shape == (60, 2)
    assert adata.varm["bochner_relevance"].shape == (8, 2)
    assert adata.uns["bochner"]["model"] == "MultiViewGPLVM"
    counts = anndata.AnnData(sparse.csr_matrix(np.nan_to_num(data.views["a"])))
    assert MultiViewKernelPCA(random_state=0).fit_transform(counts).shape == (60, 2)


def test_mudata(data):
    ids = [f"s{n}" for n in range(60)]
    views = {name: pd.DataFrame(Y, index=ids) for name, Y in data.views.items()}
    mods = {"a": anndata.AnnData(views["a"].iloc[:50].rename(columns=str)), "b": anndata.AnnData(views["b"].iloc[10:].rename(columns="b{}".format))}
    mdata = mudata.MuData(mods)
    m = MultiViewGPLVM(**QUICK).fit(mdata)
    assert mdata.obsm["X_bochner"].shape == (60, 2)
    assert not np.isnan(mdata.obsm["X_bochner"]).any()
    assert mdata.mod["a"].obsm["X_bochner"].shape == (50, 2)
    assert mdata.mod["b"].varm["bochner_relevance"].shape == (6, 2)
    assert m.transform(mdata).shape == (60, 2)


def test_latents_and_error_bars_of_anndata_go_together(Y):
    adata = anndata.AnnData(Y)
    m = MultiViewGPLVM(**QUICK)
    Z = m.fit_transform(adata)
    assert np.array_equal(adata.obsm["X_bochner"], Z)
    assert np.array_equal(adata.obsm["X_bochner_sd"], m.transform(adata, return_std=True)[1])
    MultiViewKernelPCA(n_components=3, random_state=0).fit(adata)
    assert adata.obsm["X_bochner"].shape == (20, 3) and "X_bochner_sd" not in adata.obsm


def test_layers_and_keys(data):
    Y = np.nan_to_num(data.views["a"])
    adata = anndata.AnnData(np.zeros((60, 8)), layers={"scaled": Y, "counts": np.round(np.exp(Y.clip(-2, 2)))})
    plain = MultiViewGPLVM(**QUICK).fit(Y)
    model = MultiViewGPLVM(layer="scaled", key_added="X_gplvm", **QUICK).fit(adata)
    assert np.array_equal(model.latent_, plain.latent_)
    assert set(adata.obsm) == {"X_gplvm", "X_gplvm_sd"} and set(adata.varm) == {"gplvm_relevance"}
    assert adata.uns["gplvm"]["model"] == "MultiViewGPLVM" and "bochner" not in adata.uns
    assert np.array_equal(model.transform(adata), plain.transform(Y))
    assert np.array_equal(adata.obsm["X_gplvm"], plain.transform(Y))
    MultiViewKernelPCA(layer="counts", key_added="kpca", random_state=0).fit(adata)
    assert {"X_gplvm", "X_gplvm_sd", "kpca"} == set(adata.obsm) and "kpca" in adata.uns
    chains = BayesianGPLVM(likelihood="poisson", layer="counts", n_frequencies=5, n_warmup=2, n_draws=2, random_state=0)
    assert np.array_equal(chains.fit(adata).latent_, adata.obsm["X_bochner"])


def test_layers_of_modalities(data):
    Y = {name: np.nan_to_num(table) for name, table in data.views.items()}
    mods = {"a": anndata.AnnData(np.zeros((60, 8)), layers={"raw": Y["a"]}), "b": anndata.AnnData(Y["b"])}
    for name, part in mods.items():
        part.var_names = [f"{name}{m}" for m in range(part.n_vars)]
    mdata = mudata.MuData(mods)
    model = MultiViewGPLVM(layer={"a": "raw"}, **QUICK).fit(mdata)
    assert np.array_equal(model.latent_, MultiViewGPLVM(**QUICK).fit(Y).latent_)
    for layer, message in (
        ("raw", "modality 'b' has no layer 'raw'; its layers: none"),
        ({"c": "raw"}, "layer names modality 'c', but the modalities are 'a', 'b'"),
    ):
        with pytest.raises(ValueError, match=message):
            MultiViewGPLVM(layer=layer, **QUICK).fit(mdata)


def test_layers_that_are_not_there(data):
    adata = anndata.AnnData(np.nan_to_num(data.views["a"]), layers={"log": np.zeros((60, 8))})
    with pytest.raises(ValueError, match="no layer 'lg'; its layers: 'log'"):
        MultiViewGPLVM(layer="lg", **QUICK).fit(adata)
    with pytest.raises(ValueError, match="a dict, which is for MuData"):
        MultiViewGPLVM(layer={"X": "log"}, **QUICK).fit(adata)
    with pytest.raises(ValueError, match="layer is 'log', which is for AnnData and MuData, but X is a ndarray"):
        MultiViewGPLVM(layer="log", **QUICK).fit(adata.X)
    adata.X = None
    with pytest.raises(ValueError, match="has no X; name a layer, as in layer='log'"):
        MultiViewGPLVM(**QUICK).fit(adata)
