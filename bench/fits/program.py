"""Runs `bochner fit` and `bochner apply` on arrays and reads what they write."""

from __future__ import annotations

import csv
import hashlib
import json
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from tables import Views


class ProgramError(RuntimeError):
    """The program stopped with an error; its message, or the time limit."""


def read_numbers(path: Path) -> np.ndarray:
    """A CSV file without its header and its column of ids; empty cells are NaN."""
    numbers = np.genfromtxt(path, delimiter=",", skip_header=1, dtype=np.float64)
    return np.atleast_2d(numbers)[:, 1:]


def read_table(path: Path) -> dict[str, np.ndarray]:
    """A CSV file by column, numbers where all cells are numbers."""
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = {}
    for name in rows[0] if rows else []:
        cells = [row[name] for row in rows]
        try:
            columns[name] = np.array([float(cell) if cell else np.nan for cell in cells])
        except ValueError:
            columns[name] = np.array(cells)
    return columns


@dataclass(frozen=True)
class Trace:
    """The steps of the start that was kept."""

    objective: np.ndarray
    draw: np.ndarray

    @property
    def best(self) -> float:
        return float(np.max(self.objective))

    def standard_error(self, steps: int = 20) -> float:
        """Of the bound: the mean of the last draws, when the steps have become small."""
        last = self.draw[-steps:]
        return float(np.std(last, ddof=1) / np.sqrt(len(last))) if len(last) > 1 else float("nan")


def winning_start(trace: dict[str, np.ndarray], final: float, steps: int) -> float:
    """The start that has the final bound in its trace; else the best of those with as many steps; else the best."""
    starts = np.unique(trace["start"])
    exact = [s for s in starts if np.any(trace["objective"][trace["start"] == s] == final)]
    long = [s for s in starts if trace["step"][trace["start"] == s].max() == steps]
    return max(exact or long or list(starts), key=lambda s: trace["objective"][trace["start"] == s].max())


@dataclass(frozen=True)
class Run:
    """A finished run folder."""

    folder: Path
    seconds: float  # of the whole program

    def metrics(self) -> dict:
        return json.loads((self.folder / "metrics.json").read_text(encoding="utf-8"))

    def heldout(self) -> dict[str, dict[str, float]]:
        """The scores of each view; empty without held-out entries."""
        path = self.folder / "heldout.csv"
        columns = read_table(path) if path.exists() else {}
        scores = [name for name in columns if name != "view"]
        return {str(view): {name: float(columns[name][v]) for name in scores} for v, view in enumerate(columns.get("view", []))}

    def trace(self) -> Trace:
        columns, metrics = read_table(self.folder / "trace.csv"), self.metrics()
        kept = columns["start"] == winning_start(columns, metrics["objective"], metrics["steps"])
        return Trace(columns["objective"][kept], columns["draw"][kept])

    def latent(self) -> np.ndarray:
        return read_numbers(self.folder / "latent.csv")

    def imputed(self, view: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The predicted table, and the lower and upper ends of its intervals."""
        middle, low, high = (read_numbers(self.folder / "imputed" / f"{view}{end}.csv") for end in ("", "_lo", "_hi"))
        return middle, low, high


@dataclass(frozen=True)
class Program:
    """The command line program, with the options that every call gets."""

    path: Path
    threads: int = 1
    extra: tuple[str, ...] = ()

    def fingerprint(self) -> str:
        """Results of two builds must not be mixed."""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()[:12]

    def version(self) -> str:
        """"bochner 0.1.0": what results of long series are kept by, so that a rebuild does not begin them anew."""
        return subprocess.run([str(self.path), "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]

    def call(self, arguments: Iterable[str | Path], limit: float | None = None) -> float:
        """The seconds it took."""
        command = [str(self.path), *map(str, arguments), "--threads", str(self.threads), "--quiet"]
        begin = time.perf_counter()
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
        except subprocess.TimeoutExpired as error:
            raise ProgramError(f"not finished after {limit:.0f} s") from error
        if done.returncode:
            raise ProgramError(done.stderr.strip() or f"exit code {done.returncode}")
        return time.perf_counter() - begin

    def dry_run(self, views: Views, options: Iterable[str] = ()) -> float:
        with written(views) as (folder, arguments):
            return self.call(["fit", *arguments, *options, *self.extra, "--out", folder / "run", "--dry-run"])

    @contextmanager
    def fit(
        self, views: Views, options: Iterable[str] = (), limit: float | None = None, meta: dict[str, np.ndarray] | None = None
    ) -> Iterator[Run]:
        """A run folder that exists as long as the context; `extra` comes last. `meta` has columns for --time and --group."""
        with written(views, meta) as (folder, arguments):
            out = folder / "run"
            seconds = self.call(["fit", *arguments, *options, *self.extra, "--out", out], limit)
            yield Run(out, seconds)

    def apply(self, run: Run, views: Views, limit: float | None = None) -> float:
        """The seconds of embedding new samples and predicting every view."""
        with written(views) as (folder, arguments):
            return self.call(["apply", run.folder / "model.bochner", *arguments, "--out", folder / "new"], limit)


@contextmanager
def written(views: Views, meta: dict[str, np.ndarray] | None = None) -> Iterator[tuple[Path, list[str]]]:
    """The views as .npy files in a temporary folder, and the options that name them; annotations of the samples as a CSV file."""
    with TemporaryDirectory(prefix="bochner-bench-") as name:
        folder, arguments = Path(name), []
        for view, values in views.items():
            np.save(folder / f"{view}.npy", values)
            arguments += ["--view", f"{view}={folder / view}.npy"]
        if meta:
            with (folder / "meta.csv").open("w", encoding="utf-8", newline="") as file:
                lines = csv.writer(file)
                lines.writerow(["sample", *meta])
                lines.writerows(zip(range(len(next(iter(meta.values())))), *meta.values(), strict=True))
            arguments += ["--meta", str(folder / "meta.csv")]
        yield folder, arguments
