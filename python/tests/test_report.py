"""The report of a model: the page of the command line, of what an estimator knows."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from bochner import (
    BayesianGPLVM,
    HarmonicGPClassifier,
    HarmonicGPRegressor,
    KernelForecaster,
    MultiViewGPLVM,
    MultiViewKernelPCA,
    datasets,
)


def document(path):
    """What the page shows."""
    text = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'id="document">(.*?)</script>', text, re.DOTALL)[1])


@pytest.fixture(scope="module")
def data():
    return datasets.make_s_curve(40, {"a": 6, "b": 4}, missing=0.1, random_state=1)


@pytest.fixture(scope="module")
def models(data):
    x = np.random.default_rng(0).normal(size=(60, 2))
    wave = np.sin(np.arange(80.0) / 4)
    complete = {name: np.asarray(table) for name, table in data.complete.items()}
    counts = np.random.default_rng(1).poisson(3, size=(20, 4)).astype(float)
    return {
        "MultiViewGPLVM": (MultiViewGPLVM(kernel="rbf", max_iter=20, random_state=0).fit(data.views), "latent decoder explained columns heldout objective provenance settings"),
        "MultiViewKernelPCA": (MultiViewKernelPCA(n_components=2).fit(complete), "latent decoder scree provenance settings"),
        "BayesianGPLVM": (BayesianGPLVM(likelihood="poisson", n_chains=2, n_warmup=5, n_draws=8, n_frequencies=5, random_state=0).fit(counts), "latent decoder explained chains provenance"),
        "KernelForecaster": (KernelForecaster(lags=6, n_components=3).fit(wave[:, None]), "forecast provenance settings"),
        "HarmonicGPRegressor": (HarmonicGPRegressor(n_inducing=10, max_iter=20, random_state=0).fit(x, x[:, 0], holdout=0.2), "heldout objective provenance settings"),
        "HarmonicGPClassifier": (HarmonicGPClassifier(n_inducing=10, max_iter=20, random_state=0).fit(x, x[:, 0] > 0, holdout=0.2), "heldout objective provenance settings"),
    }  # fmt: skip


@pytest.mark.parametrize("name", ["MultiViewGPLVM", "MultiViewKernelPCA", "BayesianGPLVM", "KernelForecaster", "HarmonicGPRegressor", "HarmonicGPClassifier"])
def test_report_of_every_estimator(name, models, tmp_path):
    model, panels = models[name]
    model.report(tmp_path / "report.html")
    page = document(tmp_path / "report.html")
    assert page["title"] == name and page["notes"] == []
    assert set(panels.split()) <= {panel["id"] for panel in page["panels"]}
    if hasattr(model, "assessment_"):
        assert page["verdict"]["text"] == model.assessment_.message
    provenance = next(p for p in page["panels"] if p["id"] == "provenance")["table"]["rows"]
    assert ["estimator", repr(model)] in provenance
    assert "bochner " not in json.dumps(page["verdict"]["next"])  # no commands of the command line
    html = model._repr_html_()
    assert html.startswith("<div") and "<script" not in html and name in html


def test_annotations_and_pictures(models, data, tmp_path):
    model, _ = models["MultiViewGPLVM"]
    ids = [str(i) for i in model._fit.ids]
    meta = pd.DataFrame({"batch": ["x", "y"] * 20, "age": range(40)}, index=ids).iloc[::-1]
    model.report(tmp_path / "page.html", meta=meta, shapes={"a": (2, 3)})
    page = document(tmp_path / "page.html")
    fields = {field["name"]: field for field in page["samples"]["fields"]}
    assert fields["batch"]["classes"] == ["x", "y"] and fields["age"]["values"]["high"] == 39
    decoder = next(p for p in page["panels"] if p["id"] == "decoder")
    assert decoder["planes"][0]["pictures"][0]["cols"] == 3
    with pytest.raises(ValueError, match="meta has 3 values of 'age', but the model has 40 samples"):
        model.report(tmp_path / "page.html", meta={"age": [1, 2, 3]})
    with pytest.raises(ValueError, match="which HarmonicGPRegressor does not have"):
        models["HarmonicGPRegressor"][0].report(tmp_path / "page.html", meta={"age": [1, 2, 3]})


def test_model_from_a_file_and_model_that_is_not_fitted(models, tmp_path):
    models["MultiViewGPLVM"][0].save(tmp_path / "model.bochner")
    model = MultiViewGPLVM.load(tmp_path / "model.bochner")
    model.report(tmp_path / "report.html")
    page = document(tmp_path / "report.html")
    assert page["verdict"]["kind"] == "unjudged" and "no verdict" in page["verdict"]["text"]
    assert {"latent", "decoder"} <= {panel["id"] for panel in page["panels"]}
    fresh = MultiViewGPLVM(kernel="<b>")
    assert fresh._repr_html_() == "<pre>MultiViewGPLVM(kernel=&#x27;&lt;b&gt;&#x27;)</pre>"
    with pytest.raises(Exception, match="not fitted"):
        fresh.report(tmp_path / "none.html")
    assert not (tmp_path / "none.html").exists()
