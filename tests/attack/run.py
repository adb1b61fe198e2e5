#!/usr/bin/env python3
"""Attacks the program as a black box and prints what became of every attack.

    tests/attack/run.py [--program build/bin/bochner] [--family NAME] [--only TEXT] [--jobs 2] [--keep DIR]

Ends with exit code 1 if an attack crashed it, hung it, made it silently wrong or lost a run.
"""

import argparse
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import families
from arena import Arena
from attack import Attack
from base import make_base
from verdict import BAD, Kind, Verdict


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.environ.get("BOCHNER", "build/bin/bochner"))
    parser.add_argument("--family", action="append", help="only this family; may be given several times")
    parser.add_argument("--only", help="only attacks whose 'family: name' contains this text")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="leave the folders of failed attacks here")
    parser.add_argument("--work", default=quick_folder(), help="where attacks take place; default: in memory if it can be")
    parser.add_argument("--list", action="store_true", help="print the names of the attacks")
    return parser.parse_args()


def quick_folder() -> str | None:
    """Memory, where there is enough: a run flushes every file to the disk, and thousands of runs would wait for that."""
    shared = "/dev/shm"
    roomy = os.access(shared, os.W_OK) and shutil.disk_usage(shared).free > 4 << 30
    return shared if roomy else None


def attempt(attack: Attack, program: str, base: Path, keep: str | None) -> tuple[Attack, Verdict, list, float]:
    folder = Path(tempfile.mkdtemp(prefix="attack-"))
    os.chmod(folder, 0o755)
    arena = Arena(program, folder, base)
    began = time.monotonic()
    try:
        verdict = attack.run(arena)
    except Exception as error:  # a fault of the suite itself must not pass for a success
        verdict = Verdict(Kind.CRASHED, f"the suite failed: {error!r} {traceback.format_exc(limit=-3)}")
    if keep and verdict.kind in BAD:
        target = Path(keep) / f"{attack.family}-{attack.name}".replace("/", "_")[:120]
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(folder, target, symlinks=True, ignore=lambda d, names: [
            n for n in names if not (Path(d, n).is_file() or Path(d, n).is_dir())])
    remove(folder)
    return attack, verdict, arena.commands, time.monotonic() - began


def remove(folder: Path) -> None:
    for path, folders, _ in os.walk(folder):
        for name in folders:
            if not os.path.islink(os.path.join(path, name)):
                os.chmod(os.path.join(path, name), 0o755)
    shutil.rmtree(folder, ignore_errors=True)


def table(results) -> str:
    head = ["family", "tried", *(kind.value for kind in Kind), "seconds"]
    rows = []
    for family in dict.fromkeys(attack.family for attack, *_ in results):
        rows.append(row(family, [r for r in results if r[0].family == family]))
    rows.append(row("total", results))
    width = [max(len(r[i]) for r in [head, *rows]) for i in range(len(head))]
    lines = ["  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(r, width)))
             for r in [head, *rows]]
    lines.insert(1, "-" * len(lines[0]))
    lines.insert(-1, "-" * len(lines[0]))
    return "\n".join(lines)


def row(name, results) -> list[str]:
    counts = [sum(verdict.kind is kind for _, verdict, *_ in results) for kind in Kind]
    return [name, str(len(results)), *map(str, counts), f"{sum(r[3] for r in results):.0f}"]


def main() -> int:
    args = arguments()
    program = os.path.abspath(args.program)
    if not os.access(program, os.X_OK):
        print(f"{program}: there is no program to attack; run 'make build'", file=sys.stderr)
        return 2
    # A shell that runs this in the background, and nohup, leave signals ignored, which the program would respect.
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.default_int_handler)
    began = time.monotonic()
    tempfile.tempdir = args.work or tempfile.gettempdir()
    with tempfile.TemporaryDirectory(prefix="attack-base-") as folder:
        os.chmod(folder, 0o755)
        base = make_base(program, Path(folder))
        attacks = [a for a in families.all_attacks(args.seed, base, program)
                   if (not args.family or a.family in args.family)
                   and (not args.only or args.only in f"{a.family}: {a.name}")]
        if args.list:
            print("\n".join(f"{a.family}: {a.name}" for a in attacks))
            return 0
        results = []
        with ThreadPoolExecutor(args.jobs) as pool:
            for result in pool.map(lambda a: attempt(a, program, base, args.keep), attacks):
                results.append(result)
                attack, verdict, commands, _ = result
                if verdict.kind in BAD:
                    said = " ".join(commands[-1][1:])[:300] if commands else ""
                    print(f"{verdict.kind.value.upper()}  {attack.family}: {attack.name}\n"
                          f"    {printable(verdict.why[:600])}\n    bochner {printable(said)}", flush=True)
    print(f"\n{table(results)}\n\n{len(results)} attacks in {time.monotonic() - began:.0f} s")
    return 1 if any(verdict.kind in BAD for _, verdict, *_ in results) else 0


def printable(text: str) -> str:
    return text.encode("unicode_escape").decode().replace("\\n", " ")


if __name__ == "__main__":
    sys.exit(main())
