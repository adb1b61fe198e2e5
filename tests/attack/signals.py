"""Signals other than SIGKILL: the run is not lost, the exit code says which it was, and it can go on."""

import os
import random
import signal
import subprocess
import tempfile
import time

from arena import Arena, Limits, Outcome, comparable, differing, finish, left_in
from attack import Attack
from base import QUIET, STOPPED
from kills import link_tables
from verdict import Kind, Verdict, judge, lost, wrong

# Longer than any attack waits, if nothing stops it.
LONG = {
    "fit": ["fit", "--view", "a=a.csv", "--view", "b=b.csv", "--dims", "2", "--steps", "1000000", "--patience", "1000000",
            "--restarts", "1"],
    "bayes": ["fit", "--view", "a=a.csv", "--inference", "mcmc", "--frequencies", "5", "--chains", "2", "--warmup", "1000",
              "--draws", "1000000", "--start", "pca"],
    "regress": ["regress", "--x", "x.csv", "--y", "y.csv", "--inducing", "6", "--steps", "100000000", "--patience",
                "1000000", "--batch", "16"],
    "classify": ["classify", "--x", "x.csv", "--y", "labels.csv:kind", "--inducing", "6", "--steps", "100000000",
                 "--patience", "1000000", "--batch", "16"],
}
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU)


def is_running(arena: Arena, process, out: str) -> bool:
    """Waits until the run has written its log: the tables are read and learning has begun."""
    until = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < until:
        if (arena.path(out) / "log.jsonl").exists():
            return True
        time.sleep(0.002)
    return False


def signalled(arena: Arena, words, number: int, delay: float, *, again: bool = False) -> Outcome | None:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = arena.start([*words, "--threads", "1", "--out", "out"], stdout=out, stderr=err)
        if not is_running(arena, process, "out"):
            finish(process, [], 1)
            return None
        time.sleep(delay)
        os.kill(process.pid, number)
        if again:
            time.sleep(0.05)
            try:
                os.kill(process.pid, number)
            except ProcessLookupError:
                pass
        outcome = finish(process, arena.commands[-1], 60)
        for file, name in ((out, "out"), (err, "err")):
            file.seek(0)
            setattr(outcome, name, file.read())
    return outcome


def stopped(kind: str, number: signal.Signals, trial: int, seed: int) -> Attack:
    """A request to stop, in a run with the default time between checkpoints: nothing learned is thrown away."""

    def run(arena: Arena) -> Verdict:
        link_tables(arena)
        delay = random.Random(f"{seed} {kind} {number} {trial}").uniform(0, 1)
        outcome = signalled(arena, LONG[kind], number, delay)
        if outcome is None:
            return Verdict(Kind.CRASHED, "the run ended before the signal")
        if outcome.timed_out:
            return Verdict(Kind.HUNG, f"{number.name} did not stop it")
        if not (arena.path("out") / "checkpoint.bochner").exists():
            return lost(f"{number.name} ended it ({outcome.code=}, {outcome.signal=}) without a checkpoint")
        if outcome.code != 128 + number:
            return wrong(f"{number.name}: exit code {outcome.code}, signal {outcome.signal}, expected {128 + number}")
        if b"resume" not in outcome.out + outcome.err:
            return wrong(f"{number.name}: nothing says that --resume goes on")
        return Verdict(Kind.ACCEPTED)

    return Attack("signals", f"{number.name} {kind} {trial}", run)


def resumed(kind: str, number: signal.Signals, trial: int, seed: int) -> Attack:
    """Stopped and resumed, it ends with the bytes of a run that was not."""

    def run(arena: Arena) -> Verdict:
        link_tables(arena)
        delay = random.Random(f"{seed} resume {kind} {number} {trial}").uniform(0, 0.2)
        outcome = signalled(arena, STOPPED[kind], number, delay)
        if outcome is not None and outcome.timed_out:
            return Verdict(Kind.HUNG, f"{number.name} did not stop it")
        verdict = judge(arena.run([STOPPED[kind][0], "--resume", *QUIET, "--out", "out"]))
        if verdict.kind is Kind.REFUSED:
            return lost(f"{number.name}: the run cannot be resumed: {verdict.why}")
        reference = comparable(left_in(arena.base / "reference" / kind))
        if verdict.kind is Kind.ACCEPTED and (differ := differing(comparable(left_in(arena.path("out"))), reference)):
            return wrong(f"{number.name}: resumed, it ended with other bytes: {', '.join(differ)}")
        return verdict

    return Attack("signals", f"{number.name} {kind} and resume {trial}", run)


def twice(kind: str, number: signal.Signals) -> Attack:
    """The second Ctrl-C ends it at once, and leaves nothing half-written."""

    def run(arena: Arena) -> Verdict:
        link_tables(arena)
        outcome = signalled(arena, LONG[kind], number, 0.3, again=True)
        if outcome is None or outcome.timed_out:
            return Verdict(Kind.HUNG, f"{number.name} twice did not stop it")
        ends = outcome.signal == number or outcome.code == 128 + number
        return Verdict(Kind.ACCEPTED) if ends else wrong(f"{outcome.code=} {outcome.signal=}")

    return Attack("signals", f"{number.name} twice, {kind}", run)


def closed_output(kind: str, lines: int) -> Attack:
    """As `| head -1` does: whoever reads the output goes. The run goes on, or stops so that it can be resumed."""

    def run(arena: Arena) -> Verdict:
        link_tables(arena)
        words = [*STOPPED[kind], "--threads", "1", "--out", "out"]
        with tempfile.TemporaryFile() as err:
            process = arena.start(words, stdout=subprocess.PIPE, stderr=err)
            for _ in range(lines):
                process.stdout.readline()
            process.stdout.close()
            outcome = finish(process, arena.commands[-1], 90)
            err.seek(0)
            outcome.err = err.read()
        if outcome.timed_out:
            return Verdict(Kind.HUNG, "it waits for a reader that has gone")
        reference = comparable(left_in(arena.base / "reference" / kind))
        ended = outcome.signal == signal.SIGPIPE or outcome.code == 128 + signal.SIGPIPE
        if not ended and outcome.code not in (0, 3):
            return lost(f"{outcome.code=}, {outcome.signal=}: {outcome.message}"[:300])
        if ended and not (arena.path("out") / "checkpoint.bochner").exists():
            return lost("SIGPIPE ended it without a checkpoint")
        if outcome.code == 3 and b"bochner: " not in outcome.err:
            return wrong("exit code 3 without a message")
        if ended:
            arena.run([STOPPED[kind][0], "--resume", *QUIET, "--out", "out"])
        if differ := differing(comparable(left_in(arena.path("out"))), reference):
            return lost(f"results are missing or differ: {', '.join(differ)}")
        return Verdict(Kind.ACCEPTED)

    return Attack("signals", f"output closed after {lines} lines, {kind}", run)


def closed_descriptors(kind: str, redirection: str) -> Attack:
    """Started with a standard stream closed: files that the program opens get its number."""

    def run(arena: Arena) -> Verdict:
        link_tables(arena)
        words = [*STOPPED[kind], *QUIET, "--out", "out"]
        outcome = arena.run(words, prefix=["sh", "-c", f'exec "$@" {redirection}', "sh"])
        verdict = judge(outcome)
        reference = comparable(left_in(arena.base / "reference" / kind))
        if verdict.kind is Kind.ACCEPTED and (differ := differing(comparable(left_in(arena.path("out"))), reference)):
            return wrong(f"files differ: {', '.join(differ)}")
        return verdict

    return Attack("signals", f"started with {redirection}, {kind}", run)


def out_of_time(kind: str) -> Attack:
    """The soft limit on processor time, as batch systems set it."""

    def run(arena: Arena) -> Verdict:
        link_tables(arena)
        outcome = arena.run([*LONG[kind], "--threads", "1", "--out", "out"], limits=Limits(cpu="1:30"))
        if not (arena.path("out") / "checkpoint.bochner").exists():
            return lost(f"SIGXCPU ended it ({outcome.code=}, {outcome.signal=}) without a checkpoint")
        return Verdict(Kind.ACCEPTED) if outcome.code == 152 else wrong(f"exit code {outcome.code}")

    return Attack("signals", f"out of processor time, {kind}", run)


def ignored(kind: str, number: signal.Signals) -> Attack:
    """Under nohup the signal is ignored, and must stay ignored."""

    def run(arena: Arena) -> Verdict:
        link_tables(arena)
        words = [*STOPPED[kind], *QUIET, "--out", "out"]
        with tempfile.TemporaryFile() as err:
            process = arena.start(words, stdout=subprocess.DEVNULL, stderr=err,
                                  prefix=["sh", "-c", f'trap "" {number.name[3:]}; exec "$@"', "sh"])
            if is_running(arena, process, "out"):
                os.kill(process.pid, number)
            outcome = finish(process, arena.commands[-1], 90)
            err.seek(0)
            outcome.err = err.read()
        verdict = judge(outcome)
        return verdict if verdict.kind is not Kind.REFUSED else wrong(f"not ignored: {verdict.why}")

    return Attack("signals", f"{number.name} ignored, {kind}", run)


def attacks(seed: int) -> list[Attack]:
    out = []
    for kind in LONG:
        out += [stopped(kind, number, trial, seed) for number in STOPS for trial in range(3)]
        out += [resumed(kind, number, trial, seed) for number in STOPS for trial in range(2)]
        out += [twice(kind, number) for number in (signal.SIGINT, signal.SIGTERM)]
        out += [closed_output(kind, lines) for lines in (0, 1, 2)]
        out += [closed_descriptors(kind, how) for how in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-")]
        out += [ignored(kind, number) for number in (signal.SIGHUP, signal.SIGINT)]
        out.append(out_of_time(kind))
    return out
