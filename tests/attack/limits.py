"""Full disks, limits of the system, and places that cannot be written."""

import os
import random
import shutil
import subprocess
from pathlib import Path

from arena import Arena, Limits, comparable, left_in
from attack import Attack
from base import MODELS, QUIET, READERS
from kills import link_tables
from verdict import Kind, Verdict, judge, lost, unfit_files, wrong

NOBODY = 65534
WRITERS = {
    "fit": MODELS["fit"], "bayes": MODELS["bayes"], "kpca": MODELS["kpca-views"], "regress": MODELS["regress"],
    "classify": MODELS["classify"],
    "forecast": ["forecast", "--series", "series.csv", "--lags", "2", "--steps", "2"],
    "apply": [w.replace("<model>", "models/fit/model.bochner") for w in READERS["fit"]],
    "predict": [w.replace("<model>", "models/regress/model.bochner") for w in READERS["regress"]],
    "demo": ["demo", "--samples", "30", "--columns", "3", "--steps", "3"],
    "evaluate": ["evaluate", "--latent", "x.csv", "--truth", "a.csv"],
}


def run_root(words, out):
    return [*words, *QUIET, "--out", out]


def refusal(outcome, codes=(3,)) -> Verdict:
    """It must be refused, with one of these exit codes and one message."""
    verdict = judge(outcome, codes=codes)
    if verdict.kind is Kind.ACCEPTED:
        return wrong("accepted, though it could not be written")
    return verdict


def small_file(name: str, blocks: int) -> Attack:
    """`ulimit -f`: files beyond so many bytes cannot be written."""

    def run(arena: Arena) -> Verdict:
        link_tables(arena)
        outcome = arena.run(run_root(WRITERS[name], "out"), limits=Limits(file_size=blocks))
        whole = left_in(arena.path("out"))
        if unfit := unfit_files(arena.path("out")):
            return wrong(unfit)
        if outcome.signal:
            return lost(f"signal {outcome.signal} ended it")
        if any(len(content) > blocks for content in whole.values()):
            return wrong("a file is longer than the limit")
        return judge(outcome, codes=(0, 3))

    return Attack("limits", f"{name}, files of at most {blocks} bytes", run)


def can_mount() -> bool:
    try:
        return subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0 and subprocess.run(
            ["unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=64k tmpfs /mnt"], capture_output=True).returncode == 0
    except OSError:
        return False


def full_disk(name: str, pages: int, read_only: bool = False) -> Attack:
    """A file system of a few pages, in a mount namespace of its own."""

    def run(arena: Arena) -> Verdict:
        link_tables(arena)
        arena.path("disk").mkdir()
        after = "mount -o remount,ro tmpfs disk;" if read_only else ""
        script = (f"mount -t tmpfs -o size={4 * pages}k tmpfs disk && {after} "
                  '"$@"; code=$?; cp -r disk copy 2>/dev/null; exit $code')
        outcome = arena.run(run_root(WRITERS[name], "disk/out"), prefix=["unshare", "-m", "sh", "-c", script, "sh"])
        if unfit := unfit_files(arena.path("copy")):
            return wrong(unfit)
        return judge(outcome, codes=(3,) if read_only else (0, 3))

    label = "a read-only disk" if read_only else f"a disk of {pages} pages"
    return Attack("limits", f"{name}, {label}", run)


def little(name: str, label: str, limits: Limits, codes=(0, 1, 2, 3)) -> Attack:
    def run(arena: Arena) -> Verdict:
        link_tables(arena)
        if limits.user is not None:
            os.chown(arena.folder, limits.user, limits.user)
        outcome = arena.run(run_root(WRITERS[name], "out"), limits=limits)
        if outcome.code == 127 and b"error while loading shared libraries" in outcome.err:
            return Verdict(Kind.REFUSED, "the loader could not start it")
        if outcome.code in (126, 127) and outcome.err.startswith((b"prlimit", b"setpriv")):
            return Verdict(Kind.REFUSED, "it could not be started")
        if unfit := unfit_files(arena.path("out")):
            return wrong(unfit)
        return judge(outcome, codes=codes)

    return Attack("limits", f"{name}, {label}", run)


def place(name: str, label: str, prepare, out: str = "out", codes=(3,), user=None) -> Attack:
    """A run folder that cannot be one. What was there before must still be there."""

    def run(arena: Arena) -> Verdict:
        link_tables(arena)
        prepare(arena.folder)
        before = snapshot(arena.folder)
        if user is not None:
            arena.folder.chmod(0o755)
        outcome = arena.run(run_root(WRITERS[name], out), limits=Limits(user=user), timeout=30)
        gone = [path for path in before if before[path] != snapshot(arena.folder).get(path)]
        verdict = refusal(outcome, codes) if 0 not in codes else judge(outcome, codes=codes)
        if gone and verdict.kind in (Kind.REFUSED, Kind.ACCEPTED):
            return lost(f"gone or changed: {', '.join(sorted(gone)[:5])}")
        return verdict

    return Attack("limits", f"{name}, {label}", run)


def snapshot(folder: Path) -> dict[str, object]:
    out = {}
    for path in folder.rglob("*"):
        if "models" in path.parts or path.suffix == ".csv" and path.is_symlink():
            continue
        name = str(path.relative_to(folder))
        out[name] = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else path.is_dir()
    return out


def owned(folder: Path, relative: str, content: bytes = b"mine\n") -> None:
    path = folder / relative
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def locked(folder: Path) -> None:
    (folder / "out").mkdir(mode=0o555)


PLACES = [
    ("a file as --out", lambda f: owned(f, "out"), "out", (3,)),
    ("--out below a file", lambda f: owned(f, "file"), "file/out", (3,)),
    ("a name of 300 characters", lambda f: None, "n" * 300, (3,)),
    ("a path of 6,000 characters", lambda f: None, "/".join(["n" * 100] * 60), (3,)),
    ("a folder of 300 characters above", lambda f: None, "n" * 300 + "/out", (3,)),
    ("a link to itself", lambda f: (f / "out").symlink_to("out"), "out", (3,)),
    ("a link to nowhere", lambda f: (f / "out").symlink_to("nowhere"), "out", (0, 3)),
    ("below a link to itself", lambda f: (f / "loop").symlink_to("loop"), "loop/out", (3,)),
    ("/dev/null", lambda f: None, "/dev/null", (3,)),
    ("/dev/full", lambda f: None, "/dev/full", (3,)),
    ("/proc/out", lambda f: None, "/proc/out", (3,)),
    ("/proc/self/fd/9/out", lambda f: None, "/proc/self/fd/9/out", (3,)),
    ("a pipe as --out", lambda f: os.mkfifo(f / "out"), "out", (3,)),
    ("a folder with files of the user", lambda f: owned(f, "out/thesis.tex"), "out", (3,)),
    ("a folder with a foreign config.toml", lambda f: owned(f, "out/config.toml", b"mine = 1\n"), "out", (3,)),
    ("config.toml is a pipe", lambda f: ((f / "out").mkdir(), os.mkfifo(f / "out/config.toml")), "out", (3,)),
    ("config.toml is a folder", lambda f: owned(f, "out/config.toml/mine"), "out", (3,)),
    ("an empty name", lambda f: None, "", (1, 3)),
    ("a space", lambda f: None, " ", (0, 3)),
    ("control characters in the name", lambda f: None, "o\x1b[2Jut", (0, 1, 3)),
    ("a name that is not UTF-8", lambda f: None, os.fsdecode(b"o\xffut"), (0, 1, 3)),
    ("a line end in the name", lambda f: None, "o\nut", (0, 1, 3)),
]


def again(name: str, label: str, relative: str, prepare) -> Attack:
    """A second run into the folder of the first, in which the user has put something."""

    def run(arena: Arena) -> Verdict:
        link_tables(arena)
        first = arena.run(run_root(WRITERS[name], "out"))
        if first.code != 0:
            return Verdict(Kind.CRASHED, f"the first run failed: {first.message}")
        prepare(arena.folder)
        outcome = arena.run(run_root(WRITERS[name], "out"), timeout=30)
        path = arena.folder / relative
        if not os.path.lexists(path) or (path.is_file() and path.read_bytes() != b"mine\n"):
            return lost(f"{relative}, a file of the user, is gone or changed")
        return judge(outcome, codes=(0, 1, 3))

    return Attack("limits", f"{name} again, {label}", run)


def linked_out(folder: Path, relative: str) -> None:
    """Something that the run writes is a link to a file of the user elsewhere."""
    owned(folder, "elsewhere/mine.txt")
    target = folder / "out" / relative
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    elif target.exists():
        target.unlink()
    target.symlink_to(folder / "elsewhere" / ("mine.txt" if "." in relative else ""))


AGAIN = {
    "fit": ("imputed", "latent.csv", "model.bochner"), "apply": ("predicted", "latent.csv", "latent_sd.csv"),
    "kpca": ("predicted", "latent.csv", "model.bochner"), "bayes": ("imputed", "draws.nc", "model.bochner"),
    "regress": ("plots", "predictions.csv", "model.bochner"),
    "demo": ("imputed", "rbf.csv", "model.bochner"),
}


def attacks(seed: int) -> list[Attack]:
    rng = random.Random(f"{seed} limits")
    out = []
    mountable = can_mount()
    for name in WRITERS:
        if name != "evaluate":
            sizes = [0, 1, 100, 512, 1024, 4096] + [rng.randrange(1, 60000) for _ in range(6)]
            out += [small_file(name, size) for size in sizes]
        if mountable:
            out += [full_disk(name, pages) for pages in (1, 2, 3, 5, 8, 12, 20, 40)]
            out.append(full_disk(name, 40, read_only=True))
        for megabytes in (20, 40, 60, 80, 100, 120, 150, 200, 300):
            out.append(little(name, f"{megabytes} MB of address space", Limits(address_space=megabytes << 20)))
        for files in (3, 4, 5, 6, 7, 8, 10, 12, 16):
            out.append(little(name, f"{files} open files", Limits(files=files)))
        if os.geteuid() == 0:
            for count in (1, 2, 3):
                out.append(little(name, f"{count} processes", Limits(processes=count, user=NOBODY)))
            out.append(place(name, "a folder that may not be written", locked, user=NOBODY))
            out.append(place(name, "a folder that may not be made", lambda f: (f / "up").mkdir(mode=0o555), "up/out",
                             user=NOBODY))
        if name != "evaluate":
            out += [place(name, label, prepare, where, codes) for label, prepare, where, codes in PLACES]
    for name, (folder, table, binary) in AGAIN.items():
        out.append(again(name, "a file of the user in it", "out/mine.txt", lambda f: owned(f, "out/mine.txt")))
        out.append(again(name, f"a file of the user in {folder}/", f"out/{folder}/mine.csv",
                         lambda f, d=folder: owned(f, f"out/{d}/mine.csv")))
        for relative in (folder, table, binary):
            out.append(again(name, f"{relative} is a link", "elsewhere/mine.txt",
                             lambda f, r=relative: linked_out(f, r)))
    out += [stdout_full(name) for name in WRITERS]
    return out


def stdout_full(name: str) -> Attack:
    """What is printed cannot be written: exit code 3, but the files of the run are there."""

    def run(arena: Arena) -> Verdict:
        link_tables(arena)
        with open("/dev/full", "wb") as full:
            outcome = arena.run([*WRITERS[name], "--threads", "1", "--out", "out"], stdout=full)
        verdict = refusal(outcome)
        if verdict.kind is Kind.REFUSED and not comparable(left_in(arena.path("out"))):
            return lost("nothing was left of the run")
        return verdict

    return Attack("limits", f"{name}, standard output is full", run)
