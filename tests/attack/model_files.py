"""Forged model files: changed content under a checksum that agrees with it."""

import hashlib
import os
import random
import re
import shutil
import struct
import tempfile
from ctypes import c_int
from pathlib import Path

import hdf5
from arena import Arena
from attack import Attack
from base import QUIET, READERS, STOPPED
from hdf5 import call, hid
from verdict import Verdict, judge, wrong

HEADER = 512
NUMBERS = {"nan": float("nan"), "inf": float("inf"), "-1": -1.0, "0": 0.0, "1e308": 1e308, "-1e300": -1e300,
           "1e-320": 1e-320}
WHOLE = {"-1": -1, "0": 0, "2^31": 2**31, "2^40": 2**40, "largest": 2**63 - 1, "smallest": -2**63}


def sealed(content: bytes) -> bytes:
    """The file with length and SHA-256 in its header made to agree with its content."""
    header = re.sub(rb"\nbytes \d+\n", b"\nbytes %d\n" % len(content), content[:HEADER])
    header = re.sub(rb"\nsha256 [0-9a-f]+\n", b"\nsha256 " + b"0" * 64 + b"\n", header)
    header = header.rstrip(b" \n") + b"\n"
    header = header.ljust(HEADER - 1)[:HEADER - 1] + b"\n"
    whole = header + content[HEADER:]
    digest = hashlib.sha256(whole).hexdigest().encode()
    return whole.replace(b"\nsha256 " + b"0" * 64, b"\nsha256 " + digest, 1)


def edited(content: bytes, change) -> bytes:
    """The file after `change` was applied to its HDF5 groups."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.h5"
        path.write_bytes(content)
        with hdf5.edit(path) as file:
            change(file)
        return sealed(path.read_bytes())


def entries(path: Path) -> list[tuple[str, hdf5.Info | None]]:
    with hdf5.edit(path) as file:
        return [(name, hdf5.Info(file, name) if is_dataset else None) for name, is_dataset in hdf5.walk(file)]


def replaced(path: str, info: hdf5.Info, shape, kind=None):
    """Puts a dataset of another shape or kind, full of ones, in the place of this one."""

    def change(file):
        hdf5.unlink(file, path)
        kind_ = kind or {info.INTEGER: hdf5.I64, info.FLOAT: hdf5.F64}.get(info.kind)
        if kind_ is None:
            width = max(1, info.width)
            data = hdf5.dataset(file, path, shape, hdf5.text_type(width))
        else:
            data = hdf5.dataset(file, path, shape, kind_)
            if 0 < (count := _count(shape)) < 100000:
                hdf5.write(data, kind_, [1] * count)
        call("H5Dclose", hid(data), result=c_int)

    return change


HOSTILE_TEXTS = {"a path outside": b"../../escaped", "an absolute path": b"/dev/shm/escaped", "hostile": b"\x1b[2J\xe2\x80\xae",
                 "long": b"n" * 5000, "not UTF-8": b"\xff\xfe", "a number": b"1e308", "30,000 terms": b"rbf+" * 30000 + b"rbf"}


def renamed(path: str, info: hdf5.Info, text: bytes):
    """Puts another text in the place of this one, or of the first in a list of them."""

    def change(file):
        hdf5.unlink(file, path)
        count = info.count if info.shape else 1
        kind = hdf5.text_type(len(text))
        data = hdf5.dataset(file, path, info.shape, kind)
        raw = text + b"".join(b"t%d" % n + b"\0" * (len(text) - len(b"t%d" % n)) for n in range(1, count))
        call("H5Dwrite", hid(data), hid(kind), hid(0), hid(0), hid(0), raw.ljust(count * len(text), b"\0"), result=c_int)
        call("H5Dclose", hid(data), result=c_int)

    return change


def _count(shape) -> int:
    total = 1
    for n in shape:
        total *= n
    return total


def forgeries(path: Path, rng: random.Random) -> list[tuple[str, object]]:
    """Names, and functions from the bytes of the file to forged ones."""
    out = []
    for name, info in entries(path):
        out.append((f"without {name}", lambda b, name=name: edited(b, lambda f: hdf5.unlink(f, name))))
        if info is None:
            continue
        stored = info.offset != hdf5.UNLIMITED and info.count > 0
        at = info.offset
        if stored and info.kind in (info.FLOAT, info.INTEGER) and info.width == 8:
            values = NUMBERS if info.kind == info.FLOAT else WHOLE
            letter = "<d" if info.kind == info.FLOAT else "<q"
            for label, value in values.items():
                place = at + 8 * rng.randrange(info.count)
                out.append((f"{name} has {label}", overwritten(place, struct.pack(letter, value))))
        elif stored and info.kind == info.TEXT:
            for label, text in (("rubbish", b"\xff\x1b[2J"), ("nothing", b"\0" * info.width), ("braces", b"{}{:9}")):
                out.append((f"{name} is {label}", overwritten(at, text[:info.width].ljust(min(8, info.width), b"\0"))))
        if info.kind == info.TEXT and info.count < 1000:
            for label, text in HOSTILE_TEXTS.items():
                out.append((f"{name} is {label}", lambda b, n=name, i=info, t=text: edited(b, renamed(n, i, t))))
        for label, shape in shapes(info):
            out.append((f"{name} is {label}", lambda b, n=name, i=info, s=shape: edited(b, replaced(n, i, s))))
        other = hdf5.I64 if info.kind == info.FLOAT else hdf5.F64
        out.append((f"{name} of another type",
                    lambda b, n=name, i=info, k=other: edited(b, replaced(n, i, i.shape, k))))
    return out


def shapes(info: hdf5.Info):
    if info.shape == ():
        return [("a vector", (3,))]
    out = [("a number", ()), ("empty", (0,) * len(info.shape)), ("three-dimensional", (2, 2, 2))]
    for axis, size in enumerate(info.shape):
        for label, change in (("longer", size + 1), ("shorter", max(0, size - 1))):
            out.append((f"{label} along {axis}", (*info.shape[:axis], change, *info.shape[axis + 1:])))
    if len(info.shape) == 2 and info.shape[0] != info.shape[1]:
        out.append(("transposed", info.shape[::-1]))
    return out


def overwritten(place: int, raw: bytes):
    return lambda b: sealed(b[:place] + raw + b[place + len(raw):])


def bytewise(rng: random.Random):
    """A few random bytes changed, anywhere behind the header."""
    seed = rng.random()

    def change(b: bytes) -> bytes:
        own = random.Random(seed)
        content = bytearray(b)
        for _ in range(own.choice([1, 1, 3, 10])):
            at = own.randrange(HEADER, len(content))
            content[at] = own.choice([0, 255, own.randrange(256), content[at] ^ (1 << own.randrange(8))])
        if own.random() < 0.05:
            content = content[:own.randrange(HEADER, len(content))]
        return sealed(bytes(content))

    return change


def headers():
    """Damage to the first 512 bytes, which nothing but their own sense protects."""
    def line(old: bytes, new: bytes):
        return lambda b: sealed(re.sub(old, new, b[:HEADER])[:HEADER].ljust(HEADER) + b[HEADER:])

    return [
        ("format 0", line(rb"format \d+", b"format 0")),
        ("format from the future", line(rb"format \d+", b"format 999999")),
        ("format overflows", line(rb"format \d+", b"format 99999999999999999999999")),
        ("format negative", line(rb"format \d+", b"format -1")),
        ("writer hostile", line(rb"written-by [^\n]*", b"written-by \x1b[2J")),
        ("future, writer hostile", line(rb"format \d+\nwritten-by [^\n]*", b"format 99\nwritten-by \x1b[2J\xe2\x80\xae")),
        ("cut in the header", lambda b: b[:200]),
        ("cut after the header", lambda b: sealed(b[:HEADER])),
        ("header only, no lines", lambda b: b[:20] + b" " * 492 + b[HEADER:]),
        ("empty", lambda b: b""),
        ("twice", lambda b: sealed(b + b)),
        ("a byte changed, sum old", lambda b: b[:700] + bytes([b[700] ^ 1]) + b[701:]),
        ("cut, sum old", lambda b: b[:-100]),
        ("longer, sum old", lambda b: b + b"\0" * 100),
        ("length overflows", lambda b: re.sub(rb"\nbytes \d+", b"\nbytes 99999999999999999999", b[:HEADER])[:HEADER]
         + b[HEADER:]),
    ]


def read_model(kind: str, name: str, forge) -> Attack:
    def run(arena: Arena) -> Verdict:
        for table in os.listdir(arena.base):
            if table.endswith(".csv"):
                os.symlink(arena.base / table, arena.path(table))
        model = arena.path("model.bochner")
        model.write_bytes(forge((arena.base / "models" / kind / "model.bochner").read_bytes()))
        words = [word.replace("<model>", "model.bochner") for word in READERS[kind]]
        before = set(os.listdir(arena.folder))
        verdict = judge(arena.run([*words, "--threads", "1", "--out", "out"]), out=arena.path("out"))
        written = set(os.listdir(arena.folder)) - before - {"out"}
        outside = [*Path("/dev/shm").glob("escaped*")]
        for path in outside:
            path.unlink()
        if written or outside:
            return wrong(f"a file was written outside --out: {', '.join([*written, *map(str, outside)])}")
        return verdict

    return Attack("model files", f"{kind}, {name}", run)


def warm_start(name: str, forge) -> Attack:
    def run(arena: Arena) -> Verdict:
        shutil.copyfile(arena.base / "a.csv", arena.path("a.csv"))
        arena.path("model.bochner").write_bytes(forge((arena.base / "models/fit/model.bochner").read_bytes()))
        words = ["fit", "--view", "a=a.csv", "--inference", "mcmc", "--dims", "1", "--frequencies", "3", "--chains", "1",
                 "--warmup", "2", "--draws", "3", "--warm-start", "model.bochner"]
        return judge(arena.run([*words, *QUIET, "--out", "out"]), out=arena.path("out"))

    return Attack("model files", f"warm start, {name}", run)


def resume(kind: str, name: str, forge) -> Attack:
    def run(arena: Arena) -> Verdict:
        for table in os.listdir(arena.base):
            if table.endswith(".csv"):
                os.symlink(arena.base / table, arena.path(table))
        shutil.copytree(arena.base / "stopped" / kind, arena.path("out"),
                        ignore=lambda _, names: [n for n in names if n.endswith(".part")])
        checkpoint = arena.path("out") / "checkpoint.bochner"
        checkpoint.write_bytes(forge(checkpoint.read_bytes()))
        return judge(arena.run([STOPPED[kind][0], "--resume", *QUIET, "--out", "out"]), out=arena.path("out"))

    return Attack("checkpoints", f"{kind}, {name}", run)


def sample(rng: random.Random, forged: list, most: int) -> list:
    return forged if len(forged) <= most else [forged[i] for i in sorted(rng.sample(range(len(forged)), most))]


def attacks(seed: int, base: Path) -> list[Attack]:
    out = []
    for kind in READERS:
        rng = random.Random(f"{seed} model {kind}")
        forged = sample(rng, forgeries(base / "models" / kind / "model.bochner", rng), 90)
        forged += [(f"bytes {n}", bytewise(rng)) for n in range(30)]
        out += [read_model(kind, name, forge) for name, forge in forged]
    out += [read_model("fit", name, forge) for name, forge in headers()]
    rng = random.Random(f"{seed} warm start")
    out += [warm_start(name, forge) for name, forge in
            sample(rng, forgeries(base / "models/fit/model.bochner", rng), 40)]
    for kind in STOPPED:
        rng = random.Random(f"{seed} checkpoint {kind}")
        forged = sample(rng, forgeries(base / "stopped" / kind / "checkpoint.bochner", rng), 90)
        forged += [(f"bytes {n}", bytewise(rng)) for n in range(20)]
        out += [resume(kind, name, forge) for name, forge in forged + headers()[:6]]
    return out
