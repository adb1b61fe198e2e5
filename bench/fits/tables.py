"""The real tables of these benchmarks: a name, its views (N x M, NaN where missing), its labels."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

Views = dict[str, np.ndarray]


@dataclass(frozen=True)
class Table:
    """Views with the same samples in the same order."""

    views: Views
    labels: np.ndarray | None = None

    @property
    def samples(self) -> int:
        return len(next(iter(self.views.values())))

    @property
    def entries(self) -> int:
        """Measured ones."""
        return sum(int(np.isfinite(view).sum()) for view in self.views.values())

    def take(self, rows: np.ndarray) -> Table:
        labels = None if self.labels is None else self.labels[rows]
        return Table({name: view[rows] for name, view in self.views.items()}, labels)


def data_folder(named: str | None) -> Path:
    """--data, else the folder in BOCHNER_DATA, else ../shared/data beside the repository."""
    beside = Path(__file__).resolve().parents[2] / ".." / "shared" / "data"
    folder = Path(named or os.environ.get("BOCHNER_DATA") or beside)
    if not folder.is_dir():
        raise SystemExit(f"bench/fits: the data folder {folder} does not exist; name it with --data or BOCHNER_DATA")
    return folder


def flat(array: np.ndarray) -> np.ndarray:
    """One row of float64 for each sample."""
    return np.ascontiguousarray(array.reshape(len(array), -1), dtype=np.float64)


def arrays(file: str, labels: str | None, **views: str) -> Callable[[Path], Table]:
    """Reads `view=array` from an .npz file, with the array of labels."""

    def read(data: Path) -> Table:
        with np.load(data / file) as stored:
            return Table({name: flat(stored[array]) for name, array in views.items()}, stored[labels] if labels else None)

    return read


def montreal(data: Path) -> Table:
    with np.load(data / "montreal_bikes_2015.npz") as stored:
        return Table({"lanes": np.where(stored["missing"], np.nan, flat(stored["Y"]))}, stored["season"])


def forex(data: Path) -> Table:
    with np.load(data / "forex_2000_2019.npz") as stored:
        return Table({"rates": np.log(flat(stored["rates"][::10]))})


def most_measured(view: np.ndarray, columns: int) -> np.ndarray:
    """The columns with most entries; among those with as many, the most variable."""
    seen = np.isfinite(view)
    count = seen.sum(axis=0)
    mean = np.where(seen, view, 0).sum(axis=0) / np.maximum(count, 1)
    variance = (np.where(seen, view - mean, 0) ** 2).sum(axis=0) / np.maximum(count, 1)
    return view[:, np.sort(np.lexsort((-variance, -count))[:columns])]


def scmt(data: Path) -> Table:
    names = {"rna": "rna", "enhancers": "met_enhancers", "cpg": "met_cpg", "promoters": "met_promoters"}
    whole = arrays("scmt_multiomics.npz", "culture", **names)(data)
    return Table({name: most_measured(view, 500) for name, view in whole.views.items()}, whole.labels)


MFEAT = {name: name for name in ("fac", "fou", "kar", "mor", "pix", "zer")}
TCGA = {"mirna": "mirna_train", "mrna": "mrna_train", "protein": "protein_train"}


def numbered(views: int) -> dict[str, str]:
    return {f"view{v}": f"view{v}" for v in range(1, views + 1)}


TABLES: dict[str, Callable[[Path], Table]] = {
    "mnist": arrays("mnist.npz", "train_labels", pixels="train_images"),
    "sklearn_digits": arrays("sklearn_digits.npz", "labels", pixels="X"),
    "oil_flow": arrays("oil_flow.npz", "labels_trn", sensors="X_trn"),
    "guo_qpcr": arrays("guo_qpcr.npz", "stage", genes="norm"),
    "yale_faces": arrays("yale_faces_32x32.npz", "labels", pixels="images"),
    "frey_faces": arrays("frey_faces.npz", None, pixels="images"),
    "cmu_35_01_amc": arrays("cmu_35_01_amc.npz", None, angles="motion"),
    "bridges": arrays("bridges.npz", "labels", counts="Y"),
    "montreal_bikes": montreal,
    "newsgroups3": arrays("newsgroups3_counts.npz", "labels", words="Y"),
    "spambase": arrays("spambase.npz", "labels", words="X"),
    "forex": forex,
    "congress109": arrays("congress109.npz", "labels", phrases="Y"),
    "mfeat": arrays("mfeat.npz", "labels", **MFEAT),
    "tcga_breast": arrays("tcga_breast_multiomics.npz", "subtype_train", **TCGA),
    "scmt": scmt,
    "mv_100leaves": arrays("mv_100leaves.npz", "labels", **numbered(3)),
    "mv_proteinfold": arrays("mv_proteinfold.npz", "labels", **numbered(4)),
    "mv_prokaryotic": arrays("mv_prokaryotic.npz", "labels", **numbered(3)),
}

MULTI_VIEW = ("mfeat", "tcga_breast", "scmt", "mv_100leaves", "mv_proteinfold", "mv_prokaryotic")


def load(name: str, data: Path, rows: int) -> Table:
    """At most `rows` samples with an observed entry: RandomState(0).permutation(N)[:rows]."""
    table = TABLES[name](data)
    observed = np.any([np.isfinite(view).any(axis=1) for view in table.views.values()], axis=0)
    table = table.take(np.flatnonzero(observed))
    if table.samples <= rows:
        return table
    return table.take(np.random.RandomState(0).permutation(table.samples)[:rows])


def check_names(chosen: list[str]) -> None:
    unknown = [name for name in chosen if name not in TABLES]
    if unknown:
        raise SystemExit(f"bench/fits: no table '{unknown[0]}'; there are {', '.join(TABLES)}")
