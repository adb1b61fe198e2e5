"""Rows that are divided by their root mean square."""

import numpy as np
import pandas as pd
import pytest
from support import QUICK, SHORT, read_csv, run, write_csv

from bochner import BayesianGPLVM, MultiViewGPLVM


@pytest.fixture(scope="module")
def tables():
    """Profiles along a curve in sizes from 1 to 400, with missing values and a row of zeros; and a table without sizes."""
    n, m = np.arange(24)[:, None], np.arange(5)[None, :]
    Y = np.exp(0.25 * (7 * n % 24)) * (1.5 + np.sin(0.4 * n + m) + 0.05 * np.cos(9.1 * n * (m + 2)))
    Y[3, 1] = Y[9, 4] = Y[9, 0] = np.nan
    Y[5] = 0
    return {"y": Y, "other": np.cos(0.4 * n + m[:, :3]) + 0.01 * (n % 5)}


@pytest.fixture(scope="module")
def size(tables):
    out = np.sqrt(np.nanmean(tables["y"] ** 2, axis=1))
    out[5] = 1
    return out


MODELS = [(MultiViewGPLVM, QUICK), (BayesianGPLVM, SHORT)]


@pytest.mark.parametrize(("kind", "settings"), MODELS)
def test_answers_are_in_units_of_the_data(kind, settings, tables, size):
    even = {**tables, "y": tables["y"] / size[:, None]}
    hold = {"holdout": 0}
    model = kind(normalise={"y": "rows"}, **settings).fit(tables, **hold)
    plain = kind(**settings).fit(even, **hold)
    assert np.allclose(model.latent_, plain.latent_, atol=1e-6)
    assert np.allclose(model.transform(tables), plain.transform(even), atol=1e-5)
    for mine, theirs in zip(model.impute(tables, interval=0.9), plain.impute(even, interval=0.9), strict=True):
        assert np.allclose(mine["y"], theirs["y"] * size[:, None], rtol=1e-5)
        assert np.allclose(mine["other"], theirs["other"], rtol=1e-5)
    # Nothing is known of the size: that of the median sample.
    median = np.median(size)
    new = {"other": tables["other"]}
    mine, sd = model.predict_view(new, "y", return_std=True)
    theirs, their_sd = plain.predict_view(new, "y", return_std=True)
    assert np.allclose(mine, median * theirs, rtol=1e-4)
    assert np.allclose(sd, median * their_sd, rtol=1e-4)
    back = model.inverse_transform(model.latent_)
    assert np.allclose(back["y"], median * plain.inverse_transform(model.latent_)["y"], rtol=1e-4)
    made, theirs = (m.sample(6, random_state=1)["y"] for m in (model, plain))
    assert np.allclose(made, median * theirs, rtol=1e-3)


@pytest.mark.parametrize(("kind", "settings"), MODELS)
def test_scores_know_sizes(kind, settings, tables):
    model = kind(normalise="rows", **settings).fit(tables)
    larger, largest = ({name: factor * table for name, table in tables.items()} for factor in (8, 64))
    # Densities are per unit of the data: an eighth of entries that are 8 times as large, but for those of the row of zeros.
    assert model.score(tables) - model.score(larger) == pytest.approx(np.log(8), abs=0.3)
    one, other = (model.assess(own).scores["y"] for own in (larger, largest))
    assert one["rmse"] == pytest.approx(other["rmse"]) and one["rmse"] < 2  # in units of divided rows


def test_files_and_program(tables, tmp_path):
    names = [f"s{n}" for n in range(24)]
    frames = {
        name: pd.DataFrame(table, index=names, columns=[f"g{m}" for m in range(table.shape[1])]) for name, table in tables.items()
    }
    for name, table in tables.items():
        write_csv(tmp_path / f"{name}.csv", table)
    run(
        "fit", "--view", tmp_path / "y.csv", "--view", tmp_path / "other.csv", "--kernel", "rbf", "--steps", 10, "--seed", 0,
        "--normalise", "y=rows", "--out", tmp_path / "run",
    )  # fmt: skip
    model = MultiViewGPLVM(normalise={"y": "rows"}, **QUICK).fit(frames)
    model.save(tmp_path / "model.bochner")
    assert (tmp_path / "model.bochner").read_bytes() == (tmp_path / "run/model.bochner").read_bytes()
    again = MultiViewGPLVM.load(tmp_path / "model.bochner")
    assert np.array_equal(again.transform(frames), model.transform(frames))
    run("apply", tmp_path / "model.bochner", "--view", f"other={tmp_path / 'other.csv'}", "--out", tmp_path / "new")
    new = {"other": frames["other"]}
    assert np.allclose(read_csv(tmp_path / "new/predicted/y.csv"), again.predict_view(new, "y"), rtol=1e-12)


@pytest.mark.parametrize(("value", "message"), [
    ("columns", "normalise is 'columns', but must be None or 'rows'"),
    ({"y": True}, r"normalise\['y'\] is True"),
    ({"z": "rows"}, "normalise names view 'z'"),
])  # fmt: skip
def test_wrong_values(tables, value, message):
    for kind, settings in MODELS:
        with pytest.raises(ValueError, match=message):
            kind(normalise=value, **settings).fit(tables)


def test_counts_keep_their_units(tables):
    counts = {"c": np.ones((24, 2)), **tables}
    with pytest.raises(ValueError, match="view 'c' is poisson, but only rows of gaussian views"):
        BayesianGPLVM(likelihood={"c": "poisson"}, normalise="rows", **SHORT).fit(counts)
    BayesianGPLVM(likelihood={"c": "poisson"}, normalise={"y": "rows"}, **SHORT).fit(counts)


def test_labels_are_not_divided(tables):
    side = np.where(tables["other"][:, 0] > 0, "a", "b")
    model = MultiViewGPLVM(normalise="rows", **QUICK).fit(tables, labels=side)
    assert set(model.predict_labels(tables)) <= {"a", "b"}
