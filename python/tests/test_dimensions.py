"""What the dimensions of a model mean, how many there are, and labels as a view."""

import numpy as np
import pytest

from bochner import BayesianGPLVM, MultiViewGPLVM


@pytest.fixture(scope="module")
def views():
    """View a depends on both latents, view b on the first alone; the last column of b is noise."""
    rng = np.random.default_rng(0)
    z = rng.standard_normal((80, 2))
    a = np.c_[z[:, 0], z[:, 1], z[:, 0] + z[:, 1], -z[:, 1], z[:, 0] - z[:, 1], 2 * z[:, 1]] + 0.05 * rng.standard_normal((80, 6))
    b = np.c_[z[:, 0], -z[:, 0], z[:, 0], rng.standard_normal(80)] + 0.05 * rng.standard_normal((80, 4))
    return {"a": a, "b": b}


@pytest.fixture(scope="module")
def model(views):
    return MultiViewGPLVM(kernel="linear", max_iter=200, n_restarts=1, random_state=1).fit(views, holdout=0)


def test_loadings_are_mean_derivatives(model, views):
    Z, h = model.latent_, 1e-4
    for q in range(2):
        step = np.zeros_like(Z)
        step[:, q] = h
        up, down = model.inverse_transform(Z + step), model.inverse_transform(Z - step)
        for name, Y in views.items():
            slope = ((up[name] - down[name]) / (2 * h)).mean(axis=0) * Z[:, q].std(ddof=1)
            assert np.allclose(model.loadings_[name][:, q], slope / Y.std(axis=0, ddof=1), atol=1e-4)


def test_explained_and_top_features(model):
    assert set(model.explained_) == {"a", "b"}
    assert 0.9 < model.explained_["a"] <= 1
    assert model.n_components_ == 2
    assert len(model.component_views_) == 2
    top = model.top_features(0, n_features=3)
    assert len(top) == 3
    assert top[0].lower >= top[1].lower >= top[2].lower > 0
    assert all(own.lower < own.relevance for own in top)
    noise = model.loadings_["b"][3]  # of the column that is noise
    assert np.abs(noise).max() < 0.3 < np.abs(model.loadings_["b"][:3]).max(axis=1).min()
    best = model.loadings_[top[0].view][:, 0]
    assert top[0].loading in best


def test_a_column_of_a_single_entry_does_not_lead(views):
    a = views["a"].copy()
    a[:, 0] = np.arange(80) == 7
    a[4:, 1] = np.nan
    found = MultiViewGPLVM(kernel="rbf", max_iter=200, n_restarts=1, random_state=1).fit({"a": a, "b": views["b"]}, holdout=0)
    for q in range(2):
        lower = {t.column: t.lower for t in found.top_features(q, n_features=10) if t.view == "a"}
        assert lower.get("a_0", 0) == 0 and lower.get("a_1", 0) == 0
        assert found.top_features(q)[0].column not in ("a_0", "a_1")


def test_explained_of_held_out_entries(views):
    held = MultiViewGPLVM(kernel="linear", max_iter=200, n_restarts=1, random_state=1).fit(views)
    assert held.explained_heldout_ == {name: held.assessment_.scores[name]["r2"] for name in ("a", "b")}
    assert 0.8 < held.explained_heldout_["a"] <= 1
    noise = np.random.default_rng(4).standard_normal((60, 12))
    overfitted = MultiViewGPLVM(kernel="rbf", max_iter=100, n_restarts=1, random_state=1).fit(noise)
    (share,) = overfitted.explained_.values()
    (unseen,) = overfitted.explained_heldout_.values()
    assert unseen < 0.1 and unseen < share


def test_nothing_is_known_without_held_out_entries(model):
    assert all(np.isnan(share) for share in model.explained_heldout_.values())


def test_response_is_a_line_for_a_linear_kernel(model):
    z, curves = model.response("a", 1, n_points=5)
    assert z.shape == (5,)
    assert curves.shape == (5, 6)
    slopes = np.diff(curves, axis=0) / np.diff(z)[:, None]
    assert np.allclose(slopes, slopes[0], atol=1e-6)


@pytest.mark.parametrize(("call", "message"), [
    (lambda m: m.top_features(2), "from 0 to 1"),
    (lambda m: m.top_features("z1"), "dim is 'z1'"),
    (lambda m: m.response("c", 0), "no view 'c'"),
    (lambda m: m.predict_labels({"a": np.zeros((2, 6))}), "knows no classes"),
])  # fmt: skip
def test_wrong_questions(model, call, message):
    with pytest.raises(ValueError, match=message):
        call(model)


def test_auto_components(views):
    found = MultiViewGPLVM(n_components="auto", kernel="rbf", max_iter=60, n_restarts=1, random_state=1).fit(views)
    assert found.n_components_ == found.latent_.shape[1] == 2
    assert [trial[0] for trial in found.components_tried_][:2] == [1, 2]
    with pytest.raises(ValueError, match="or 'auto'"):
        MultiViewGPLVM(n_components="many").fit(views)


def test_labels_are_a_view(views):
    side = np.where(views["a"][:, 0] > 0, "right", "left").astype(object)
    side[:5] = None
    model = MultiViewGPLVM(kernel="rbf", max_iter=100, n_restarts=1, random_state=1).fit(views, labels=side)
    assert list(model.classes_) == ["left", "right"]
    known = model.predict_labels(views)
    assert (known[5:] == side[5:]).mean() > 0.85
    assert set(model.impute(views)) == {"a", "b"}
    assert "labels" in model.relevance_
    shares = model.predict_label_proba(views)
    assert shares.shape == (80, 2)
    assert np.allclose(shares.sum(axis=1), 1) and (shares >= 0).all()
    assert (model.classes_[shares.argmax(axis=1)] == known).all()
    with pytest.raises(ValueError, match="cannot be called 'labels'"):
        MultiViewGPLVM().fit({"labels": views["a"]}, labels=side)


def test_hints(views):
    counts = np.random.default_rng(1).negative_binomial(2, 0.2, (60, 8))
    model = MultiViewGPLVM(kernel="linear", max_iter=5, n_restarts=1, random_state=1)
    assert any("looks like counts" in hint for hint in model.fit(counts).hints_)
    assert model.fit(views).hints_ == []
    words = np.random.default_rng(2).poisson(0.3 * np.linspace(0.3, 4, 60)[:, None] * np.ones((1, 60))).astype(float)
    words = words[np.random.default_rng(3).permutation(60)]
    assert any("normalise='rows'" in hint for hint in model.fit({"words": words}).hints_)
    model.set_params(normalise="rows")
    assert not any("normalise" in hint for hint in model.fit({"words": words}).hints_)


def test_labels_survive_a_file(views, tmp_path):
    side = np.where(views["a"][:, 0] > 0, "right", "left")
    model = MultiViewGPLVM(kernel="rbf", max_iter=40, n_restarts=1, random_state=1).fit(views, labels=side)
    model.save(tmp_path / "model.bochner")
    again = MultiViewGPLVM.load(tmp_path / "model.bochner")
    assert list(again.classes_) == ["left", "right"]
    assert (again.predict_labels(views) == model.predict_labels(views)).all()
    assert set(again.impute(views)) == {"a", "b"}


def test_labels_of_anndata(views):
    anndata = pytest.importorskip("anndata")
    data = anndata.AnnData(views["a"])
    data.obs["side"] = np.where(views["a"][:, 0] > 0, "right", "left")
    MultiViewGPLVM(kernel="rbf", max_iter=20, n_restarts=1, random_state=1).fit(data, labels="side")
    assert data.varm["bochner_relevance"].shape == (6, 2)


def test_a_noise_that_is_fixed_is_named(views):
    def kinds(noise):
        model = MultiViewGPLVM(kernel="rbf", noise=noise, max_iter=150, n_restarts=1, random_state=1).fit(views)
        return {warning.kind for warning in model.assessment_.warnings}

    assert "noise_too_large" in kinds(5.0)
    assert "noise_too_small" in kinds(1e-5)


def test_a_noise_that_began_too_large_is_named(views):
    model = MultiViewGPLVM(kernel="rbf", noise_start=100.0, max_iter=150, n_restarts=1, random_state=1).fit(views)
    found = [warning for warning in model.assessment_.warnings if warning.kind == "noise_too_large"]
    assert found and all(warning.remedy == "omit noise_start, or decrease it" for warning in found)


def test_rows_sorted_by_label_are_named(views):
    model = MultiViewGPLVM(kernel="linear", max_iter=5, n_restarts=1, random_state=1)
    side = np.where(views["a"][:, 0] > 0, "right", "left")
    assert not any("sorted by label" in hint for hint in model.fit(views, labels=side).hints_)
    order = np.argsort(side, kind="stable")
    sorted_views = {name: view[order] for name, view in views.items()}
    assert any("sorted by label" in hint for hint in model.fit(sorted_views, labels=side[order]).hints_)


def test_bayesian_models_explain_too(views):
    Y = views["a"]
    counts = np.random.default_rng(2).poisson(np.exp(1 + views["b"][:, :3] / 2)).astype(float)
    model = BayesianGPLVM(likelihood={"c": "poisson"}, n_frequencies=8, n_warmup=40, n_draws=40, start="pca", random_state=0)
    model.fit({"a": Y, "c": counts})
    mean = model._fit.predict(
        view="a", X=model.latent_draws_, known=None, trials=None, interval=0.0, of_fit=True, threads=1
    )[0]
    left = ((Y - mean) ** 2).sum(axis=0) / Y.var(axis=0)  # of standardised columns
    assert model.explained_["a"] == pytest.approx(1 - left.sum() / Y.size)
    assert 0.5 < model.explained_["a"] <= 1
    assert 0 < model.explained_["c"] <= 1
    assert all(own.shape == (2,) and (own >= 0).all() and (own <= 1).all() for own in model.relevance_.values())
    assert [sorted(own) for own in model.component_views_][0] in (["a", "c"], ["a"], ["c"])
    assert model.loadings_["a"].shape == model.loadings_sd_["a"].shape == (6, 2)
    assert (model.loadings_sd_["c"] >= 0).all()
    best = max(range(2), key=lambda q: model.relevance_["a"][q])
    top = model.top_features(best, n_features=2)
    assert len(top) == 2 and top[0].lower >= top[1].lower
    assert np.sign(top[0].loading) == np.sign(
        np.corrcoef(model.latent_[:, best], {"a": Y, "c": counts}[top[0].view][:, int(top[0].column.split("_")[-1])])[0, 1]
    )
