"""A folder of its own for an attack, and the program run in it under limits."""

import os
import re
import shutil
import signal
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

# Enough for any command of the suite; a table that claims petabytes must fail within it.
ADDRESS_SPACE = 6 << 30
FILE_SIZE = 512 << 20
TIMEOUT = float(os.environ.get("ATTACK_TIMEOUT", "90"))
MOST_OUTPUT = 4 << 20


@dataclass
class Outcome:
    """How a run of the program ended."""

    command: list[str]
    code: int | None = None  # exit code; None if a signal ended it
    signal: int = 0  # that ended it; 0 if none did
    timed_out: bool = False
    out: bytes = b""
    err: bytes = b""
    seconds: float = 0.0

    @property
    def message(self) -> str:
        return self.err.decode("utf-8", "replace").strip()


@dataclass
class Limits:
    """Resource limits, as prlimit(1) names them; soft limits may differ from hard ones."""

    address_space: int | None = ADDRESS_SPACE
    file_size: int | None = FILE_SIZE
    files: int | None = None
    processes: int | None = None
    cpu: str | None = None
    user: int | None = None  # run as this user; needs root

    def words(self) -> list[str]:
        prlimit = ["prlimit", "--core=0"]
        for name, value in (
            ("as", self.address_space if not os.environ.get("ATTACK_NO_AS") else None),
            ("fsize", self.file_size),
            ("nofile", self.files),
            ("nproc", self.processes),
            ("cpu", self.cpu),
        ):
            if value is not None:
                prlimit.append(f"--{name}={value}")
        if self.user is None:
            return prlimit
        # The limit on processes counts those of the user, so the user comes first.
        return ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups"] + prlimit


@dataclass
class Arena:
    """Where one attack takes place. Everything in it is removed afterwards."""

    program: str
    folder: Path
    base: Path  # tables and models that attacks start from; never written to
    commands: list[list[str]] = field(default_factory=list)  # what was run, to repeat it by hand

    def path(self, name: str) -> Path:
        return self.folder / name

    def take(self, *names: str) -> None:
        """Copies files or folders of the base."""
        for name in names:
            source = self.base / name
            if source.is_dir():
                shutil.copytree(source, self.folder / name, symlinks=True)
            else:
                shutil.copyfile(source, self.folder / name)

    def start(self, words, *, limits=None, stdout=None, stderr=None, stdin=None, env=None, cwd=None, prefix=()):
        command = [self.program, *map(os.fspath, words)]
        self.commands.append(command)
        return subprocess.Popen(
            [*(limits or Limits()).words(), *prefix, *command],
            stdin=subprocess.DEVNULL if stdin is None else stdin,
            stdout=stdout,
            stderr=stderr,
            cwd=cwd or self.folder,
            env={**os.environ, **(env or {})},
            start_new_session=True,
        )

    def run(self, words, *, timeout=None, stdout=None, **how) -> Outcome:
        """Runs the program to its end. Pipes take the outputs: files would count towards the limit on their size."""
        began = time.monotonic()
        process = self.start(words, stdout=subprocess.PIPE if stdout is None else stdout, stderr=subprocess.PIPE, **how)
        pipes = {name: pipe for name, pipe in (("out", process.stdout), ("err", process.stderr)) if pipe}
        kept = {name: bytearray() for name in pipes}
        readers = [threading.Thread(target=drain, args=(pipe, kept[name])) for name, pipe in pipes.items()]
        for reader in readers:
            reader.start()
        result = finish(process, self.commands[-1], timeout or TIMEOUT, began)
        for reader in readers:
            reader.join(5)
        for name, content in kept.items():
            setattr(result, name, bytes(content))
        return result


def drain(pipe, kept: bytearray) -> None:
    """Reads to the end and keeps the beginning: a pipe that nobody reads would stop the program."""
    with pipe:
        while piece := pipe.read(1 << 16):
            kept += piece[:MOST_OUTPUT - len(kept)] if len(kept) < MOST_OUTPUT else b""


def finish(process, command, timeout, began=None) -> Outcome:
    """Waits for the end; kills the process and its children after `timeout` seconds."""
    began = began or time.monotonic()
    result = Outcome(command)
    try:
        status = process.wait(timeout)
    except subprocess.TimeoutExpired:
        result.timed_out = True
        end_group(process)
        status = process.wait()
    result.seconds = time.monotonic() - began
    if status < 0:
        result.signal = -status
    else:
        result.code = status
    return result


def end_group(process) -> None:
    """SIGKILL for the process and the children that it started; it leads a session of its own."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def left_in(folder: Path) -> dict[str, bytes]:
    """Every regular file below the folder, by its relative name."""
    files = {}
    for path in sorted(Path(folder).rglob("*")):
        if path.is_file() and not path.is_symlink():
            files[str(path.relative_to(folder))] = path.read_bytes()
    return files


def comparable(files: dict[str, bytes]) -> dict[str, bytes]:
    """What must be the same in two runs: all but times, the log and remains of killed runs."""
    out = {}
    for name, content in files.items():
        if name == "log.jsonl" or name.endswith(".part") or Path(name).name.startswith("."):
            continue
        if name == "metrics.json":
            content = re.sub(rb'"(seconds|[a-z_]*_seconds)": *[0-9.e+-]+', rb'"\1": 0', content)
        if name == "config.toml":  # the folder that a run was started in may differ
            content = re.sub(rb"^# started in .*\n", b"", content, flags=re.M)
        out[name] = content
    return out


def differing(a: dict[str, bytes], b: dict[str, bytes]) -> list[str]:
    """Names of files that are not the same in both."""
    return sorted(name for name in a.keys() | b.keys() if a.get(name) != b.get(name))
