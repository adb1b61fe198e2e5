"""SIGKILL at random moments: resumed, a run must end with the bytes of one that was never interrupted."""

import os
import random
import signal
import subprocess

from arena import Arena, comparable, differing, finish, left_in
from attack import Attack
from base import MODELS, QUIET, READERS, STOPPED
from verdict import Kind, Verdict, judge, lost, wrong


def link_tables(arena: Arena) -> None:
    for name in os.listdir(arena.base):
        if name.endswith(".csv") or name == "models":
            os.symlink(arena.base / name, arena.path(name))


def start_and_kill(arena: Arena, words, seconds: float) -> bool:
    """Whether SIGKILL came before the end."""
    process = arena.start(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(seconds)
        return False
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        finish(process, [], 60)
        return True


def half_files(folder, reference: dict[str, bytes]) -> list[str]:
    """Files that are neither absent nor what the finished run has; checkpoints are judged by resuming."""
    return [name for name, content in comparable(left_in(folder)).items()
            if name in reference and content != reference[name]]


def killed(kind: str, number: int, seed: int, every_step: bool) -> Attack:
    """Killed up to three times, then resumed to the end."""

    def run(arena: Arena) -> Verdict:
        link_tables(arena)
        rng = random.Random(f"{seed} kill {kind} {number}")
        reference = comparable(left_in(arena.base / "reference" / kind))
        checkpoints = ["--checkpoint-seconds", "0"] if every_step else ["--checkpoint-seconds", "0.05"]
        seconds = float((arena.base / "reference" / f"{kind}.seconds").read_text())
        out = arena.path("out")
        for attempt in range(rng.randint(1, 3)):
            resumed = attempt > 0 and (out / "config.toml").exists()
            words = [STOPPED[kind][0], "--resume"] if resumed else STOPPED[kind]
            caught = start_and_kill(arena, [*words, *QUIET, *checkpoints, "--out", "out"], rng.uniform(0, seconds))
            if half := half_files(out, reference):
                return wrong(f"half a file was left: {', '.join(half)}")
            if not caught:
                break
        words = [STOPPED[kind][0], "--resume"] if (out / "config.toml").exists() else STOPPED[kind]
        outcome = arena.run([*words, *QUIET, "--out", "out"])
        verdict = judge(outcome)
        if verdict.kind is Kind.REFUSED:
            return lost(f"the run cannot be resumed: {verdict.why}")
        if verdict.kind is Kind.ACCEPTED and (differ := differing(comparable(left_in(out)), reference)):
            return wrong(f"resumed, it ended with other bytes: {', '.join(differ)}")
        return verdict

    return Attack("kills", f"{kind} {number}", run)


def killed_once(name: str, words, number: int, seed: int) -> Attack:
    """Commands without checkpoints: what lies in the folder is complete, and a second run succeeds in it."""

    def run(arena: Arena) -> Verdict:
        link_tables(arena)
        rng = random.Random(f"{seed} kill {name} {number}")
        reference_run = arena.run([*words, *QUIET, "--out", "whole"])
        reference = comparable(left_in(arena.path("whole")))
        start_and_kill(arena, [*words, *QUIET, "--out", "out"], rng.uniform(0, max(0.02, reference_run.seconds)))
        if half := half_files(arena.path("out"), reference):
            return wrong(f"half a file was left: {', '.join(half)}")
        verdict = judge(arena.run([*words, *QUIET, "--out", "out"]))
        if verdict.kind is Kind.REFUSED:
            return lost(f"the folder of a killed run cannot be used again: {verdict.why}")
        if verdict.kind is Kind.ACCEPTED and (differ := differing(comparable(left_in(arena.path("out"))), reference)):
            return wrong(f"run again, it ended with other bytes: {', '.join(differ)}")
        return verdict

    return Attack("kills", f"{name} {number}", run)


def attacks(seed: int) -> list[Attack]:
    out = [killed(kind, number, seed, number % 2 == 0) for kind in STOPPED for number in range(24)]
    others = {"kpca": MODELS["kpca-views"], "forecast": ["forecast", "--series", "series.csv", "--lags", "2", "--steps",
                                                         "2", "--backtest", "2"],
              "apply": [w.replace("<model>", "models/fit/model.bochner") for w in READERS["fit"]],
              "predict": [w.replace("<model>", "models/regress/model.bochner") for w in READERS["regress"]],
              "fit again": MODELS["fit"], "demo": ["demo", "--samples", "30", "--columns", "3", "--steps", "20"]}
    out += [killed_once(name, words, number, seed) for name, words in others.items() for number in range(8)]
    return out


