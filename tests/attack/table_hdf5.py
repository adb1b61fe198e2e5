"""Hostile HDF5 and AnnData tables."""

import functools
import random
import struct
import tempfile
from ctypes import c_int
from pathlib import Path

import hdf5
from hdf5 import call, hid
from hostile import ANY, REFUSE, SAME, Hostile


def made(make) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.h5"
        with hdf5.new_file(path) as file:
            make(file)
        return path.read_bytes()


def plain_bytes(table) -> bytes:
    return made(lambda file: hdf5.put(file, "t", table))


def chunked_bytes(table, **how) -> bytes:
    return made(lambda file: hdf5.put(file, "t", table, chunk=(5, 2), **how))


def anndata(table, ids, names, matrix="dense", file_ids=None, file_names=None):
    """An AnnData file: /X, and names in /obs and /var."""

    def make(file):
        for frame, texts in (("obs", ids if file_ids is None else file_ids),
                             ("var", names if file_names is None else file_names)):
            group = hdf5.group(file, frame)
            hdf5.attribute(group, "_index", b"name")
            hdf5.put_texts(group, "name", [t if isinstance(t, bytes) else t.encode() for t in texts])
        if matrix == "dense":
            hdf5.put(file, "X", table)
        else:
            sparse(file, table, matrix)

    return made(make)


def sparse(file, table, damage) -> None:
    """The matrix as compressed sparse rows, intact or with one lie in it."""
    rows, cols = len(table), len(table[0])
    group = hdf5.group(file, "X")
    hdf5.attribute(group, "encoding-type", b"csr_matrix")
    data = [cell for row in table for cell in row]
    indices = [c for _ in range(rows) for c in range(cols)]
    pointers = [r * cols for r in range(rows + 1)]
    shape = [rows, cols]
    match damage:
        case "column too large":
            indices[3] = 10**9
        case "column negative":
            indices[3] = -1
        case "column twice":
            indices[1] = indices[0]
        case "pointers fall":
            pointers[4] = pointers[2]
        case "pointers negative":
            pointers[1] = -5
        case "pointers past the end":
            pointers[-1] = 10**12
        case "pointers too few":
            del pointers[-3:]
        case "shape too large":
            shape = [2**40, 2**40]
        case "shape negative":
            shape = [-1, cols]
        case "data too short":
            data = data[:-4]
        case "infinite":
            data[5] = float("inf")
    for name, values, kind in (("data", data, hdf5.F64), ("indices", indices, hdf5.I64),
                               ("indptr", pointers, hdf5.I64)):
        made_set = hdf5.dataset(group, name, (len(values),), kind)
        hdf5.write(made_set, kind, values)
        call("H5Dclose", hid(made_set), result=c_int)
    attribute = call("H5Acreate2", hid(group), b"shape", hid(hdf5.I64), hid(hdf5.space((2,))), hid(0), hid(0))
    call("H5Awrite", hid(attribute), hid(hdf5.I64), struct.pack("<2q", *shape), result=c_int)
    call("H5Aclose", hid(attribute), result=c_int)


DAMAGES = ("column too large", "column negative", "pointers fall", "pointers negative",
           "pointers past the end", "pointers too few", "shape too large", "shape negative", "data too short", "infinite")


def never_written(table):
    rows, cols = len(table), len(table[0])

    def make(file):
        data = hdf5.dataset(file, "t", (rows, cols), chunk=(5, 2))
        call("H5Dclose", hid(data), result=c_int)

    return made(make)


def half_written(table):
    """Chunks of the first rows only: a writer that was killed."""

    def make(file):
        short = table[:10]
        data = hdf5.dataset(file, "t", (len(short), len(table[0])), most=(hdf5.UNLIMITED, len(table[0])), chunk=(5, 2))
        hdf5.write(data, hdf5.F64, [0.0 if c is None else c for row in short for c in row])
        call("H5Dset_extent", hid(data), hdf5.dims((len(table), len(table[0]))), result=c_int)
        call("H5Dclose", hid(data), result=c_int)

    return made(make)


def virtual(path: Path, table, source: str) -> None:
    """A virtual dataset whose numbers are said to be in another file."""
    rows, cols = len(table), len(table[0])

    def setup(properties):
        shape = hdf5.space((rows, cols))
        call("H5Pset_virtual", hid(properties), hid(shape), source.encode(), b"t", hid(shape), result=c_int)

    with hdf5.new_file(path) as file:
        data = hdf5.dataset(file, "t", (rows, cols), setup=setup)
        call("H5Dclose", hid(data), result=c_int)


def external(path: Path, table, source: str) -> None:
    rows, cols = len(table), len(table[0])
    with hdf5.new_file(path) as file:
        data = hdf5.dataset(file, "t", (rows, cols), external=(source, 8 * rows * cols))
        call("H5Dclose", hid(data), result=c_int)


def crafted(table, names, ids) -> list[Hostile]:
    out = []

    def add(name, content, expect=ANY, extension="h5"):
        out.append(Hostile(name, content, extension, expect))

    good = plain_bytes(table)
    add("hdf5 chunked", chunked_bytes(table), SAME)
    add("hdf5 deflated", chunked_bytes(table, deflate=9), SAME)
    add("hdf5 single precision", made(lambda f: hdf5.put(f, "t", table, hdf5.F32)))
    add("hdf5 whole numbers", made(lambda f: hdf5.put(f, "t", table, hdf5.I8)))
    add("hdf5 never written", never_written(table), REFUSE)
    add("hdf5 half written", half_written(table), REFUSE)
    add("hdf5 empty", made(lambda f: None), REFUSE)
    add("hdf5 two tables", made(lambda f: (hdf5.put(f, "t", table), hdf5.put(f, "u", table))), REFUSE)
    add("hdf5 infinite", made(lambda f: hdf5.put(f, "t", [[float("inf"), *r[1:]] for r in table])), REFUSE)
    add("hdf5 hostile name", made(lambda f: (hdf5.put(f, "\x1b[2J\u202e", table), hdf5.put(f, "u", table))), REFUSE)
    add("hdf5 of text", made(lambda f: hdf5.put_texts(f, "t", [b"a", b"b"])), REFUSE)
    add("hdf5 claims a huge shape", made(lambda f: hdf5.dataset(f, "t", (2**40, 2**20), chunk=(64, 64))), REFUSE)
    add("hdf5 soft link in a circle", functools.partial(linked, b"t"), REFUSE)
    add("hdf5 link to another file", functools.partial(linked_out, table), REFUSE)
    add("hdf5 300 groups deep", made(lambda f: deep(f, 300)), REFUSE)
    add("hdf5 virtual, other file", functools.partial(virtual_beside, table), REFUSE)
    add("hdf5 virtual, no file", lambda path: virtual(path, table, "nowhere.h5"), REFUSE)
    add("hdf5 virtual, itself", lambda path: virtual(path, table, "."), REFUSE)
    add("hdf5 external, this file", lambda path: external(path, table, "/etc/passwd"), REFUSE)
    add("hdf5 external, no file", lambda path: external(path, table, "nowhere.bin"), REFUSE)
    add("hdf5 external, endless", lambda path: external(path, table, "/dev/zero"), REFUSE)
    for cut in (1, 8, 24, 96, 600, 1024, 1800, 2047, 2048, 2056, len(good) - 400, len(good) - 8, len(good) - 1):
        add(f"hdf5 cut after {cut}", good[:cut], REFUSE)
    packed = chunked_bytes(table, deflate=9)
    for part in range(1, 10):
        add(f"hdf5 deflated, cut after {part} tenths", packed[:len(packed) * part // 10], REFUSE)
        add(f"hdf5 with a hole after {part} tenths", good[:len(good) * part // 10] + b"\0" * 64
            + good[len(good) * part // 10 + 64:], ANY)
    # The end of the file that the header knows is moved to the cut: what lies beyond must not become zeros.
    for rows in (1, 5, 20):
        cut = 2048 + 8 * len(table[0]) * rows
        add(f"hdf5 cut after {rows} rows, header repaired", good[:40] + cut.to_bytes(8, "little") + good[48:cut], REFUSE)
    add("hdf5 behind a user block", b"\0" * 512 + good)

    add("anndata", anndata(table, ids, names), ANY, "h5ad")
    add("anndata with a duplicate id", anndata(table, ids, names, file_ids=[ids[0], ids[0], *ids[2:]]), REFUSE, "h5ad")
    add("anndata with an empty id", anndata(table, ids, names, file_ids=["", *ids[1:]]), REFUSE, "h5ad")
    add("anndata with hostile ids", anndata(table, ids, names, file_ids=["\x1b[2J\u202e", *ids[1:]]), ANY, "h5ad")
    add("anndata with hostile columns", anndata(table, ids, names, file_names=["\x1b[2J\u202e", *names[1:]]), ANY, "h5ad")
    add("anndata with ids that are not UTF-8", anndata(table, ids, names, file_ids=[b"\xff\xfe", *ids[1:]]), REFUSE, "h5ad")
    add("anndata with too few ids", anndata(table, ids, names, file_ids=ids[:-3]), ANY, "h5ad")
    add("anndata with too many ids", anndata(table, ids, names, file_ids=ids + ["more"]), ANY, "h5ad")
    add("anndata, sparse", anndata(table, ids, names, "intact"), ANY, "h5ad")
    # SciPy adds entries up that name the same cell.
    add("anndata, sparse, column twice", anndata(table, ids, names, "column twice"), ANY, "h5ad")
    for damage in DAMAGES:
        add(f"anndata, sparse, {damage}", anndata(table, ids, names, damage), REFUSE, "h5ad")
    return out


def linked(target: bytes, path: Path) -> None:
    with hdf5.new_file(path) as file:
        call("H5Lcreate_soft", b"/" + target, hid(file), b"t", hid(0), hid(0), result=c_int)


def linked_out(table, path: Path) -> str:
    (path.parent / "other.h5").write_bytes(plain_bytes(table))
    with hdf5.new_file(path) as file:
        call("H5Lcreate_external", b"other.h5", b"/t", hid(file), b"t", hid(0), hid(0), result=c_int)
    return f"{path.name}:/t"


def virtual_beside(table, path: Path) -> None:
    (path.parent / "other.h5").write_bytes(plain_bytes(table))
    virtual(path, table, "other.h5")


def deep(file: int, depth: int) -> None:
    parent = file
    for _ in range(depth):
        parent = hdf5.group(parent, "g")


def mutated(table, names, ids, rng: random.Random, count: int) -> list[Hostile]:
    starts = [("h5", plain_bytes(table)), ("h5", chunked_bytes(table, deflate=6)), ("h5ad", anndata(table, ids, names)),
              ("h5ad", anndata(table, ids, names, "intact"))]
    out = []
    for number in range(count):
        extension, good = rng.choice(starts)
        content = bytearray(good)
        for _ in range(rng.choice([1, 1, 2, 8])):
            at = rng.randrange(min(len(content), 2048 if rng.random() < 0.7 else len(content)))
            content[at] = rng.choice([0, 255, rng.randrange(256), content[at] ^ (1 << rng.randrange(8))])
        out.append(Hostile(f"hdf5 mutation {number}", bytes(content), extension, ANY))
    return out
