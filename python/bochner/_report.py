"""The report of a model: the page that runs of the program leave, of what an estimator knows."""

from __future__ import annotations

import csv
import json
import math
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from . import _core
from ._validation import Array, check_fitted, is_frame, threads_of


def write_report(model: Any, path: Any, meta: Any, shapes: Mapping[str, Sequence[int]] | None) -> None:
    """Writes what a run of the program leaves of such a model into a folder of its own, and the report of that folder to ``path``."""
    check_fitted(model)
    words = [f"{view}={int(rows)}x{int(columns)}" for view, (rows, columns) in (shapes or {}).items()]
    with tempfile.TemporaryDirectory() as parent:
        folder = _run_folder(model, Path(parent), meta)
        model.save(folder / "model.bochner")
        _core.write_report(folder=str(folder), path=str(path), shapes=words, threads=threads_of(model.n_jobs))


def summary(model: Any) -> str:
    """The verdict as HTML, for notebooks; an estimator that is not fitted is its name and parameters."""
    if not hasattr(model, "_fit"):
        return f"<pre>{escape(repr(model))}</pre>"
    with tempfile.TemporaryDirectory() as parent:
        folder = _run_folder(model, Path(parent), None, latents=False)
        return _core.report_summary(folder=str(folder), threads=1)


def _run_folder(model: Any, parent: Path, meta: Any, latents: bool = True) -> Path:
    folder = parent / type(model).__name__
    folder.mkdir()
    parameters = {name: value for name, value in model.get_params().items() if _is_plain(value)}
    lines = [f"command = {_toml(model._command)}", *(f"{name} = {_toml(str(value))}" for name, value in parameters.items())]
    (folder / "config.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    start = {"event": "start", "command": model._command, "version": _core.version, "made_by": repr(model)}
    (folder / "log.jsonl").write_text(json.dumps(start) + "\n", encoding="utf-8")
    (folder / "metrics.json").write_text(json.dumps(_without_nan(_metrics(model))), encoding="utf-8")
    if latents:
        for name, (columns, rows) in model._report_tables().items():
            _write_csv(folder / name, columns, rows)
        if meta is not None:
            _write_csv(folder / "meta.csv", *_annotations(model, meta))
    return folder


def _metrics(model: Any) -> dict[str, Any]:
    """metrics.json, as far as the model has it."""
    out: dict[str, Any] = {}
    verdict = getattr(model, "assessment_", None)
    if verdict is not None:
        out |= {
            "verdict": verdict.kind, "message": verdict.message, "warnings": [str(w) for w in verdict.warnings],
            "heldout": verdict.scores, "heldout_views": verdict.absent_views,
        }  # fmt: skip
        if model._command == "kpca":
            out["crossview"] = verdict.scores
    else:
        out |= {"verdict": "unjudged", "message": "This model has no verdict: it comes from a file, or its family is judged by assess()."}
    if hasattr(model, "explained_"):
        out["explained"] = model.explained_
    if hasattr(model, "component_views_"):
        views = list(getattr(model, "relevance_", {}))
        out["dimensions"] = [_role(own, len(views)) for own in model.component_views_]
    if hasattr(model, "status_"):
        out["stopped"] = model.status_
    if hasattr(model, "n_chains") and hasattr(model, "n_draws_"):
        out["chains"] = model.n_chains
    return out


def _role(views: list[str], count: int) -> str:
    if not views:
        return "unused"
    return "used" if count == 1 else "shared" if len(views) > 1 else f"{views[0]} only"


def latent_tables(ids: Iterable[Any], mean: Array, sd: Array | None) -> dict[str, Any]:
    """latent.csv and latent_sd.csv."""
    columns = ["id", *(f"z{q + 1}" for q in range(mean.shape[1]))]
    names = [str(i) for i in ids]
    out: dict[str, Any] = {"latent.csv": (columns, [[i, *row] for i, row in zip(names, mean, strict=True)])}
    if sd is not None:
        out["latent_sd.csv"] = (columns, [[i, *row] for i, row in zip(names, sd, strict=True)])
    return out


def relevance_tables(model: Any) -> dict[str, Any]:
    """relevance.csv and top_columns.csv; nothing of a model from a file."""
    if not hasattr(model, "relevance_"):
        return {}
    views = list(model.relevance_)
    dims = range(model._n_out())
    rows = [[f"z{q + 1}", *(model.relevance_[view][q] for view in views)] for q in dims]
    top = [[f"z{q + 1}", t.view, t.column, t.relevance, t.lower, t.loading] for q in dims for t in model.top_features(q)]
    return {
        "relevance.csv": (["dimension", *views], rows),
        "top_columns.csv": (["n", "dimension", "view", "column", "relevance", "lower", "loading"], _numbered(top)),
    }


def trace_table(trace: Any) -> dict[str, Any]:
    """trace.csv of an optimiser: its rows are (start, step, objective)."""
    rows = [[int(start) + 1, int(step), value] for start, step, value in np.asarray(trace)]
    return {"trace.csv": (["n", "start", "step", "objective"], _numbered(rows))} if rows else {}


def _numbered(rows: list[list[Any]]) -> list[list[Any]]:
    return [[n + 1, *row] for n, row in enumerate(rows)]


def _annotations(model: Any, meta: Any) -> tuple[list[str], list[list[Any]]]:
    """Columns of a DataFrame, or of a dict of lists, for the samples of the fit in their order."""
    tables = model._report_tables()
    if "latent.csv" not in tables:
        raise ValueError(f"meta is of samples in a latent space, which {type(model).__name__} does not have")
    ids = [row[0] for row in tables["latent.csv"][1]]
    columns = {str(name): list(meta[name]) for name in meta}
    if is_frame(meta) and sorted(map(str, meta.index)) == sorted(ids):
        place = {str(i): n for n, i in enumerate(meta.index)}
        columns = {name: [values[place[i]] for i in ids] for name, values in columns.items()}
    for name, values in columns.items():
        if len(values) != len(ids):
            raise ValueError(f"meta has {len(values)} values of {name!r}, but the model has {len(ids)} samples")
    return ["id", *columns], [[i, *(values[n] for values in columns.values())] for n, i in enumerate(ids)]


def _write_csv(path: Path, columns: Sequence[str], rows: Iterable[Iterable[Any]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(columns)
        out.writerows([["" if _is_missing(value) else value for value in row] for row in rows])


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, (float, np.floating)) and math.isnan(value))


def _without_nan(value: Any) -> Any:
    """JSON has no NaN."""
    if isinstance(value, Mapping):
        return {str(key): _without_nan(own) for key, own in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_nan(own) for own in value]
    if isinstance(value, (float, np.floating)):
        return float(value) if math.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value


def _toml(text: str) -> str:
    """A string of TOML, which has the escapes of JSON."""
    return json.dumps(text).replace("\x7f", "\\u007f")


def _is_plain(value: Any) -> bool:
    return isinstance(value, (bool, int, float, str)) and value != "" and len(str(value)) < 1000
