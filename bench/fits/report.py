"""What the parts share: options, results that survive an interruption, Markdown."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from program import Program

Record = dict[str, object]


def say(message: str) -> None:
    """Progress: to stderr, as the tables are on stdout."""
    print(message, file=sys.stderr, flush=True)


def names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def numbers(text: str) -> list[int]:
    """"1,2,3" or "1..3"."""
    if ".." in text:
        first, last = map(int, text.split(".."))
        return list(range(first, last + 1))
    return [int(name) for name in names(text)]


def options(description: str | None, part: str) -> argparse.ArgumentParser:
    """The options of every part."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = Path(__file__).resolve().parents[2]
    parser.add_argument("--data", metavar="DIR", help="Folder of the tables (default BOCHNER_DATA, else ../shared/data)")
    parser.add_argument("--program", metavar="FILE", type=Path, default=root / "build/bin/bochner", help="Program to run")
    parser.add_argument("--threads", type=int, default=1, help="Threads of one run (default 1)")
    parser.add_argument("--extra", metavar="OPTIONS", default="", help='Options passed on to every fit: --extra="--steps 50"')
    out = Path("bench-fits") / f"{part}.jsonl"
    parser.add_argument("--out", metavar="FILE", type=Path, default=out, help=f"Results, to resume from (default {out})")
    return parser


def program_of(arguments: argparse.Namespace) -> Program:
    if not arguments.program.is_file():
        raise SystemExit(f"bench/fits: {arguments.program} does not exist; build it with 'make build' or use --program")
    return Program(arguments.program, arguments.threads, tuple(shlex.split(arguments.extra)))


class Results:
    """Records with a key each, appended to a file of JSON lines: what is there already is not run again, unless `fresh`."""

    def __init__(self, path: Path, fresh: bool = False):
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self.records: dict[str, Record] = {}
        if path.exists() and not fresh:
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    record = json.loads(line)
                except json.JSONDecodeError:  # cut off by an interruption
                    continue
                self.records[record["key"]] = record

    def add(self, key: str, record: Record) -> None:
        self.records[key] = {"key": key, **record}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(self.records[key]) + "\n")

    def forget_errors(self, keys: Iterable[str], program: str) -> None:
        """Those of other builds of the program: this one may have them mended."""
        for key in keys:
            record = self.records.get(key, {})
            if "error" in record and record.get("program") != program:
                del self.records[key]

    def complete(self, work: dict[str, Callable[[], Record]], jobs: int = 1) -> list[Record]:
        """Runs what is missing, `jobs` at a time, and returns the records of all keys in their order."""
        missing = [key for key in work if key not in self.records]
        say(f"{len(work) - len(missing)} of {len(work)} results are in {self.path}")
        pool = ThreadPoolExecutor(jobs)
        running = {pool.submit(work[key]): key for key in missing}
        try:
            for count, done in enumerate(as_completed(running), 1):
                record = done.result()
                self.add(running[done], record)
                say(f"{count} of {len(missing)}: {running[done]}: {record.get('error') or summary(record)}")
        finally:
            pool.shutdown(cancel_futures=True)  # Ctrl-C must not wait for the whole queue
        return [self.records[key] for key in work]


def summary(record: Record) -> str:
    return ", ".join(f"{name} {cell(value)}" for name, value in record.items() if isinstance(value, int | float | str))


def cell(value: object) -> str:
    if value is None or value != value:
        return "-"
    if not isinstance(value, float):
        return str(value)
    return f"{value:.1f}" if abs(value) >= 1000 else f"{value:.3g}"


def markdown(title: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    print(f"\n## {title}\n\n| {' | '.join(header)} |\n|{' --- |' * len(header)}")
    for row in rows:
        print(f"| {' | '.join(map(cell, row))} |")
    sys.stdout.flush()
