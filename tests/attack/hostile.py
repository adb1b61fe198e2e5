"""A hostile table, and what a command may do with it."""

import functools
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import commands
from arena import Arena, comparable, differing, left_in
from attack import Attack
from verdict import Kind, Verdict, judge, wrong

REFUSE = "refuse"  # accepting it is silently wrong
SAME = "same"  # it is the good table in another dress: accepting it must give the same bytes
NO_NUMBER = "no number"  # to be refused where numbers are read; elsewhere it is a label like any other
ANY = "any"

# Roles that read words.
TEXTS = ("fit meta", "bayes categorical", "classify y", "kpca labels", "evaluate labels")


@dataclass
class Hostile:
    name: str
    content: bytes | Callable[[Path], str | None]  # bytes, or what makes the file and may return the spec of the table
    extension: str
    expect: str


def place(hostile: Hostile, folder: Path, name: str = "t") -> str:
    """Writes the table; returns how a command line names it."""
    path = folder / f"{name}.{hostile.extension}"
    if callable(hostile.content):
        return hostile.content(path) or path.name
    path.write_bytes(hostile.content)
    return path.name


def attack(family: str, hostile: Hostile, role: str, clean: Hostile | None = None) -> Attack:
    def run(arena: Arena) -> Verdict:
        for name in os.listdir(arena.base):
            if name not in ("reference", "stopped"):
                os.symlink(arena.base / name, arena.path(name))
        words = commands.words(role, place(hostile, arena.folder))
        outcome = arena.run(words)
        verdict = judge(outcome, out=arena.path("out"))
        expect = {NO_NUMBER: ANY if role in TEXTS else REFUSE}.get(hostile.expect, hostile.expect)
        if verdict.kind is Kind.ACCEPTED and expect == REFUSE:
            return wrong("accepted, but must be refused")
        if verdict.kind is Kind.ACCEPTED and hostile.expect == SAME and clean is not None:
            differ = differing(results(left_in(arena.path("out"))), clean_results(arena.program, arena.base, role, clean))
            if differ:
                return wrong(f"accepted, but not with the result of the good table: {', '.join(differ)}")
        return verdict

    return Attack(family, f"{role}, {hostile.name}", run)


def results(files: dict[str, bytes]) -> dict[str, bytes]:
    """Numbers only: names of files stand in the configuration and in some messages."""
    return {name: content for name, content in comparable(files).items() if name.endswith((".csv", ".bochner"))}


_lock, _cache = threading.Lock(), {}


def clean_results(program: str, base: Path, role: str, clean: Hostile) -> dict[str, bytes]:
    key = (role, clean.name, clean.extension)
    with _lock:
        if key not in _cache:
            import tempfile

            with tempfile.TemporaryDirectory(prefix="attack-clean-") as folder:
                arena = Arena(program, Path(folder), base)
                for name in os.listdir(base):
                    os.symlink(base / name, arena.path(name))
                arena.run(commands.words(role, place(clean, arena.folder)))
                _cache[key] = results(left_in(arena.path("out")))
        return _cache[key]


@functools.cache
def good_table(kind: str):
    """The table that a role expects, with names of columns and rows, as base.py writes it."""
    import base
    import tables

    names = tables.ids(base.ROWS)
    if kind == "a":
        return tables.smooth(base.ROWS, 4, 2), tables.columns(4), names
    return [[int(3 + 2 * cell) for cell in row] for row in tables.smooth(base.ROWS, 3, 3)], tables.columns(3), names
