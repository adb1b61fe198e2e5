"""What a part of a paper is: cases that are run and scored one by one, and a table of them."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import report
import tables
from program import Program, ProgramError, Run
from sklearn.model_selection import KFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC


@dataclass(frozen=True)
class Form:
    """How much is run."""

    seeds: tuple[int, ...]
    rows: int | None  # of real tables, at most
    paper_steps: int  # of the papers' own configuration
    name: str


QUICK = Form((1, 2), 1000, 1000, "quick")
FULL = Form((1, 2, 3, 4, 5), None, 10000, "full")

Prepared = tuple[tables.Table, object]  # what is fitted, and what the score needs besides
Score = Callable[[Run, tables.Table, object], report.Record]


@dataclass(frozen=True)
class Case:
    """One row of a table: a data set and a configuration."""

    row: str
    method: str
    make: Callable[[Path, int], Prepared]  # of the data folder and a seed
    options: tuple[str, ...]
    score: Score
    paper: dict[str, float] = field(default_factory=dict)  # score -> the number that the paper prints
    labels: bool = False  # as an additional view


@dataclass(frozen=True)
class Part:
    name: str
    title: str
    cases: Callable[[Form], Iterable[Case]]
    scores: tuple[str, ...]


def fold_accuracy(classifier: object, latent: np.ndarray, labels: np.ndarray) -> float:
    """Five-fold cross-validation, shuffled, as the papers' programs have it."""
    folds = KFold(5, shuffle=True, random_state=0)
    return float(cross_val_score(classifier, latent, labels, cv=folds).mean())


def label_scores(run: Run, table: tables.Table, extra: object, neighbours: Iterable[int] = (1,)) -> report.Record:
    del extra
    latent = run.latent()
    out: report.Record = {f"knn{k}": fold_accuracy(KNeighborsClassifier(k), latent, table.labels) for k in neighbours}
    svm = make_pipeline(StandardScaler(), LinearSVC(dual=False))
    return {**out, "svm": fold_accuracy(svm, latent, table.labels)}


def one_run(program: Program, data: Path, case: Case, seed: int) -> report.Record:
    what: report.Record = {"row": case.row, "method": case.method, "seed": seed}
    table, extra = case.make(data, seed)
    with tempfile.TemporaryDirectory(prefix="bochner-papers-") as folder:
        options = ["--seed", str(seed), *case.options]
        if case.labels:
            labels = Path(folder) / "labels.npy"
            np.save(labels, table.labels.astype(np.float64))
            options += ["--labels", str(labels)]
        try:
            with program.fit(table.views, options) as run:
                metrics = run.metrics()
                times = {"seconds": metrics["seconds"], "status": metrics["stopped"]}
                return {**what, **case.score(run, table, extra), **times}
        except ProgramError as error:
            return {**what, "error": str(error)}


def summary(part: Part, cases: list[Case], records: list[report.Record]) -> None:
    """Mean and standard deviation over seeds, beside what the paper prints."""
    rows = []
    for case in cases:
        own = [r for r in records if r["row"] == case.row and r["method"] == case.method]
        good = [r for r in own if "error" not in r]
        row: list[object] = [case.row, case.method]
        for score in part.scores:
            values = [float(r[score]) for r in good if r.get(score) is not None]  # type: ignore[arg-type]
            if not values:
                row.append("failed" if own and not good else "")
            else:
                row.append(f"{np.mean(values):.4g} +- {np.std(values):.2g}" if len(values) > 1 else f"{values[0]:.4g}")
            row.append(case.paper.get(score))
        row.append(float(np.mean([r["seconds"] for r in good])) if good else None)  # type: ignore[misc]
        rows.append(row)
    header = ["set", "method", *[text for score in part.scores for text in (score, "paper")], "seconds"]
    report.markdown(part.title, header, rows)


def run_parts(parts: list[Part], program: Program, data: Path, out: Path, form: Form, jobs: int) -> None:
    results = report.Results(out)
    for part in parts:
        cases = list(part.cases(form))
        work: dict[str, Callable[[], report.Record]] = {}
        for case in cases:
            for seed in form.seeds:
                key = f"{part.name} {case.row} {case.method} seed {seed} {form.name} {' '.join(case.options)} {program.fingerprint()}"
                work[key] = functools.partial(one_run, program, data, case, seed)
        summary(part, cases, results.complete(work, jobs))
