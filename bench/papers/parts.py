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
    rows: int | None  # at most, of tables that have thousands
    paper_steps: int  # of the papers' own configuration
    name: str


QUICK = Form((1, 2), 500, 1000, "quick")  # within half an hour for each paper, on two cores
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
    over_time: bool = False  # rows are equally spaced in time, from -1 to 1

    def identity(self, seed: int) -> str:
        """What is fitted and scored: cases of several tables that agree in it share their runs."""
        more = (("labels",) if self.labels else ()) + (("over time",) if self.over_time else ())
        return " ".join([spelled(self.make), spelled(self.score), *more, *self.options, f"seed {seed}"])


@dataclass(frozen=True)
class Part:
    name: str
    title: str
    cases: Callable[[Form], Iterable[Case]]
    scores: tuple[str, ...]


def spelled(function: Callable) -> str:
    """A function and the arguments that it was given in advance."""
    if not isinstance(function, functools.partial):
        return function.__qualname__  # not its module, which is __main__ for the script that runs
    given = [*map(repr, function.args), *(f"{name}={value!r}" for name, value in sorted(function.keywords.items()))]
    return f"{spelled(function.func)}({', '.join(given)})"


def fold_accuracy(classifier: object, latent: np.ndarray, labels: np.ndarray) -> float:
    """Five-fold cross-validation, shuffled, as the papers' programs have it."""
    folds = KFold(5, shuffle=True, random_state=0)
    return float(cross_val_score(classifier, latent, labels, cv=folds).mean())


def label_scores(run: Run, table: tables.Table, extra: object) -> report.Record:
    """All that any table of labels needs, so that the tables can share their runs."""
    del extra
    latent = run.latent()
    out: report.Record = {f"knn{k}": fold_accuracy(KNeighborsClassifier(k), latent, table.labels) for k in range(1, 11)}
    svm = make_pipeline(StandardScaler(), LinearSVC(dual=False))
    return {**out, "svm": fold_accuracy(svm, latent, table.labels)}


def one_run(program: Program, data: Path, case: Case, seed: int) -> report.Record:
    what: report.Record = {"seed": seed, "program": program.fingerprint()}
    table, extra = case.make(data, seed)
    with tempfile.TemporaryDirectory(prefix="bochner-papers-") as folder:
        options = ["--seed", str(seed), *case.options]
        if case.labels:
            labels = Path(folder) / "labels.npy"
            np.save(labels, table.labels.astype(np.float64))
            options += ["--labels", str(labels)]
        meta = None
        if case.over_time:
            meta = {"time": np.linspace(-1, 1, table.samples)}
            options += ["--time", "time"]
        try:
            with program.fit(table.views, options, meta=meta) as run:
                metrics = run.metrics()
                times = {"seconds": metrics["seconds"], "status": metrics["stopped"]}
                return {**what, **case.score(run, table, extra), **times}
        except ProgramError as error:
            return {**what, "error": str(error)}


def summary(part: Part, runs: list[tuple[Case, list[report.Record]]]) -> None:
    """Mean and standard deviation over seeds, beside what the paper prints."""
    rows = []
    for case, own in runs:
        good = [r for r in own if "error" not in r]
        row: list[object] = [case.row, case.method]
        for score in part.scores:
            values = [float(r[score]) for r in good if r.get(score) is not None]  # type: ignore[arg-type]
            if not values:
                row.append("failed" if own and not good else "")
            else:
                row.append(f"{np.mean(values):.4g} +- {np.std(values, ddof=1):.2g}" if len(values) > 1 else f"{values[0]:.4g}")
            row.append(case.paper.get(score))
        row.append(float(np.mean([r["seconds"] for r in good])) if good else None)  # type: ignore[misc]
        rows.append(row)
    header = ["set", "method", *[text for score in part.scores for text in (score, "paper")], "seconds"]
    report.markdown(part.title, header, rows)


def run_parts(parts: list[Part], program: Program, data: Path, results: report.Results, form: Form, jobs: int) -> None:
    version = program.version()
    for part in parts:
        cases = list(part.cases(form))
        keys = {(c, seed): f"{case.identity(seed)} {version}" for c, case in enumerate(cases) for seed in form.seeds}
        results.forget_errors(keys.values(), program.fingerprint())
        work = {key: functools.partial(one_run, program, data, cases[c], seed) for (c, seed), key in keys.items()}
        found = dict(zip(work, results.complete(work, jobs), strict=True))
        summary(part, [(case, [found[keys[c, seed]] for seed in form.seeds]) for c, case in enumerate(cases)])
        builds = sorted({str(record["program"]) for record in found.values()})
        if len(builds) > 1:
            report.say(f"{part.name}: results of {len(builds)} builds ({', '.join(builds)}); --fresh runs them again")
        report.say(f"{part.name}: {sum(float(r.get('seconds', 0)) for r in found.values()) / 60:.1f} minutes of fitting")
