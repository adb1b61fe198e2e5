"""What became of an attack."""

import csv
import io
import math
import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from arena import Outcome


csv.field_size_limit(1 << 30)


class Kind(Enum):
    REFUSED = "refused"
    ACCEPTED = "accepted"
    CRASHED = "crashed"
    HUNG = "hung"
    WRONG = "silently wrong"
    LOST = "lost"


BAD = (Kind.CRASHED, Kind.HUNG, Kind.WRONG, Kind.LOST)


@dataclass
class Verdict:
    kind: Kind
    why: str = ""


def wrong(why: str) -> Verdict:
    return Verdict(Kind.WRONG, why)


def lost(why: str) -> Verdict:
    return Verdict(Kind.LOST, why)


# What only a library, never a message of the program, would say.
FOREIGN_MESSAGES = re.compile(
    r"terminate called|Sanitizer|runtime error:|what\(\):|basic_string|vector::|map::at|stoi|stod|stoul"
    r"|std::|bad_alloc|bad_variant|filesystem error|\[json\.|_M_|Assertion|Eigen|H5[A-Z]|CLI::|bad optional"
)
# Control characters, escape sequences and those that turn the direction of text; line ends and tabs are fine.
UNSAFE_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]")


def judge(outcome: Outcome, *, codes=(0, 1, 2, 3, 4), out: Path | None = None) -> Verdict:
    """The verdict that needs to know nothing of the attack: how it ended, what it said, what it left."""
    if outcome.timed_out:
        return Verdict(Kind.HUNG, f"still running after {outcome.seconds:.0f} s")
    if outcome.signal:
        return Verdict(Kind.CRASHED, f"ended by signal {outcome.signal}: {outcome.message[-200:]}")
    if outcome.code not in (0, 1, 2, 3, 4, 130, 143) or "Sanitizer" in outcome.message:
        return Verdict(Kind.CRASHED, f"exit code {outcome.code}: {outcome.message[-200:]}")
    for name, text in (("standard output", outcome.out), ("standard error", outcome.err)):
        found = UNSAFE_TEXT.search(text.decode("utf-8", "surrogateescape"))
        if found:
            return wrong(f"{name} has the control character {found.group()!r}")
        if not valid_utf8(text):
            return wrong(f"{name} is not UTF-8")
    if outcome.code != 0:
        unfit = unfit_message(outcome)
        if unfit:
            return wrong(unfit)
    if outcome.code not in codes:
        return wrong(f"exit code {outcome.code}, expected {' or '.join(map(str, codes))}: {outcome.message[-200:]}")
    if out is not None:
        left = unfit_files(out, announced="note:" in outcome.message)
        if left:
            return wrong(left)
    if outcome.code == 0:
        return Verdict(Kind.ACCEPTED)
    return Verdict(Kind.REFUSED, outcome.message[-200:])


def valid_utf8(text: bytes) -> bool:
    try:
        text.decode("utf-8")
        return True
    except UnicodeDecodeError:
        return False


def unfit_message(outcome: Outcome) -> str:
    """Why the error message of a refusal is none; empty if it is one."""
    lines = [line for line in outcome.message.splitlines() if not line.startswith("note: ")]
    if outcome.code == 4:
        return ""
    if not outcome.message:
        return f"exit code {outcome.code} without a message"
    errors = [line for line in lines if line.startswith("bochner: ")]
    if not errors and not any("Usage" in line or "usage" in line for line in lines):
        return f"exit code {outcome.code} without an error message of the program: {outcome.message[-200:]}"
    if len(errors) > 1:
        return f"{len(errors)} error messages instead of one: {outcome.message[-300:]}"
    if FOREIGN_MESSAGES.search(errors[0] if errors else ""):
        return f"the message is one of a library: {outcome.message[-200:]}"
    if errors and len(errors[0]) > 4000:
        return f"the message has {len(errors[0])} characters: {errors[0][:80]}..."
    return ""


# Tables in which every cell must hold a finite number once a run has succeeded.
COMPLETE = re.compile(r"(^|/)(latent|latent_sd|components|forecast)\.csv$")


def unfit_files(folder: Path, announced: bool = False) -> str:
    """What is wrong with the files that a run left; empty if nothing is. A note may announce that rows have no answer."""
    if not folder.is_dir():
        return ""
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.is_symlink():
            continue
        if path.name.endswith(".part"):
            return f"{path.name} was left behind"
        if path.suffix == ".csv" and path.stat().st_size < 8 << 20:
            name = str(path.relative_to(folder))
            labels = path.with_name(path.stem + "_probability.csv").exists()  # any text is a label
            if name.startswith("meta") or labels:
                continue
            unfit = unfit_table(path, not announced and bool(COMPLETE.search("/" + name)))
            if unfit:
                return f"{name}: {unfit}"
    return ""


def unfit_table(path: Path, complete: bool) -> str:
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    for row in rows[1:]:
        if len(row) != len(rows[0]):
            return "rows of different lengths"
        for cell in row[1:]:
            if cell == "" and complete:
                return "an empty cell"
            try:
                if not math.isfinite(float(cell)):
                    return f"the cell {cell}"
            except ValueError:
                pass
    return ""
