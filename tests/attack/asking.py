"""How questions with known answers are asked: runs that must succeed, tables read back, answers compared."""

import csv
import io
import math
from pathlib import Path

from arena import Arena
from attack import Attack
from kills import link_tables
from verdict import Kind, Verdict, judge, wrong


class Failed(Exception):
    """A run that had to succeed did not."""


def good(arena: Arena, words, out: str, threads: int = 1):
    """Runs it, and returns what it said; it must succeed."""
    outcome = arena.run([*words, "--threads", str(threads), "--out", out])
    verdict = judge(outcome)
    if verdict.kind is not Kind.ACCEPTED:
        raise Failed(f"{' '.join(words)}: {verdict.kind.value}: {verdict.why}")
    return outcome


def read(path: Path) -> tuple[list[str], dict[str, list[str]]]:
    """Column names, and cells by id in the order of the file."""
    rows = list(csv.reader(io.StringIO(path.read_text())))
    return rows[0][1:], {row[0]: row[1:] for row in rows[1:]}


def numbers(path: Path) -> list[list[float]]:
    return [[math.nan if c == "" else float(c) for c in row if is_number(c)] for row in read(path)[1].values()]


def is_number(text: str) -> bool:
    try:
        float(text)
        return True
    except ValueError:
        return text == ""


def far(a: list[list[float]], b: list[list[float]], tolerance: float) -> str:
    """Where two tables differ by more than the tolerance, relative to their largest number; empty if nowhere."""
    if [len(row) for row in a] != [len(row) for row in b]:
        return "the shapes differ"
    scale = max((abs(x) for row in a for x in row if x == x), default=1) or 1
    for n, (p, q) in enumerate(zip(a, b)):
        for x, y in zip(p, q):
            if (x == x) != (y == y) or (x == x and abs(x - y) > tolerance * scale):
                return f"row {n + 1}: {x} and {y}"
    return ""


def oracle(name: str):
    """Makes an attack of a function that returns what is wrong, or nothing."""

    def make(check) -> Attack:
        def run(arena: Arena) -> Verdict:
            link_tables(arena)
            try:
                why = check(arena)
            except Failed as failed:
                return Verdict(Kind.CRASHED, str(failed)) if "crashed" in str(failed) else wrong(str(failed))
            return wrong(why) if why else Verdict(Kind.ACCEPTED)

        return Attack("known answers", name, run)

    return make


def close(a: list[str], b: list[str]) -> bool:
    """The same cells, numbers up to rounding: the place of a row in a block decides how its sums are vectorised."""

    def same(x: str, y: str) -> bool:
        try:
            return x == y or math.isclose(float(x), float(y), rel_tol=1e-6, abs_tol=1e-9)
        except ValueError:
            return False

    return len(a) == len(b) and all(map(same, a, b))


def answers(folder: Path) -> dict[str, dict[str, list[str]]]:
    return {str(p.relative_to(folder)): read(p)[1] for p in sorted(folder.rglob("*.csv")) if p.name != "meta.csv"}
