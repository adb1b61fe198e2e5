"""Hostile NPY and NPZ tables."""

import io
import random
import struct
import zipfile
import zlib

import tables
from hostile import ANY, REFUSE, SAME, Hostile

SHAPES = {
    "negative": "(-1, 4)", "product overflows": "(4294967296, 4294967296)", "sum overflows": "(2305843009213693952, 8)",
    "beyond 64 bits": "(99999999999999999999, 4)", "largest": "(18446744073709551615, 1)",
    "signed overflow": "(9223372036854775808, 1)", "petabytes": "(1000000000000, 400)", "zero rows": "(0, 4)",
    "zero columns": "(30, 0)", "none": "()", "three": "(30, 2, 2)", "many": "(" + "1, " * 5000 + ")",
    "words": "(a, b)", "floats": "(30.0, 4)", "list": "[30, 4]", "nested": "((30, 4))", "missing": "(30, )",
    "more rows than there are": "(31, 4)", "more columns than there are": "(30, 5)",
}


def header(shape="(30, 4)", descr="'<f8'", fortran="False", extra="") -> str:
    return f"{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, {extra}}}"


def crafted(table) -> list[Hostile]:
    good = tables.npy_bytes(table)
    rows, cols = len(table), len(table[0])
    body = good[-8 * rows * cols:]
    shape = f"({rows}, {cols})"
    out = []

    def add(name, content, expect=ANY, extension="npy"):
        out.append(Hostile(name, content, extension, expect))

    add("npy fortran", tables.npy_bytes(table, fortran=True), SAME)
    add("npy big-endian", tables.npy_bytes(table, ">f8"), SAME)
    add("npy version 2", tables.npy_bytes(table, version=2), SAME)
    add("npy version 3", tables.npy_bytes(table, version=3), SAME)
    add("npy under the name csv", good, ANY, "csv")
    for kind in ("<f4", "<i8", "<i4", "<i2", "|i1", "|u1", "<u8", ">i4"):
        whole = [[abs(int(3 * (cell or 0))) for cell in row] for row in table]
        add(f"npy of type {kind}", tables.npy_bytes(whole, kind))
    for name, text in SHAPES.items():
        add(f"npy shape {name}", tables.npy_header(header(text)) + body, REFUSE if cols == 4 else ANY)
    for descr in ("'<f16'", "'<c16'", "'|O'", "'<U5'", "'|S8'", "'<M8[s]'", "'<f0'", "'<f9'", "'f'", "''", "'<'",
                  "'|V8'", "[('a', '<f8')]", "'<i3'", "8", "None", "'<f8" + "8" * 5000 + "'"):
        add(f"npy type {descr[:20]}", tables.npy_header(header(shape, descr)) + body, REFUSE)
    add("npy a body too long", good + b"\0" * 80)
    add("npy without the keys", tables.npy_header("{}") + body, REFUSE)
    add("npy with a key twice", tables.npy_header(header(shape, extra=f"'shape': {shape}")) + body, REFUSE)
    add("npy with another key", tables.npy_header(header(shape, extra="'evil': True")) + body, REFUSE)
    add("npy header is code", tables.npy_header("__import__('os').system('touch owned')") + body, REFUSE)
    add("npy header claims 4 GB", b"\x93NUMPY\x02\0\xff\xff\xff\xff" + good[10:], REFUSE)
    add("npy header claims 0", b"\x93NUMPY\x01\0\0\0" + good[10:], REFUSE)
    add("npy version 9", b"\x93NUMPY\x09\0" + good[8:], REFUSE)
    add("npy nested header", tables.npy_header("{" * 60000) + body, REFUSE)
    for cut in (1, 6, 8, 9, 10, 40, 127, 128, 129, 200, len(good) // 2, len(good) - 8, len(good) - 1):
        add(f"npy cut after {cut}", good[:cut], REFUSE)
    for name, value in (("inf", b"\0\0\0\0\0\0\xf0\x7f"), ("-inf", b"\0\0\0\0\0\0\xf0\xff")):
        add(f"npy with {name}", good[:128] + value + good[136:], REFUSE)
    for name, bits in (("a signalling nan", 0x7FF0000000000001), ("a nan of all bits", 0xFFFFFFFFFFFFFFFF),
                       ("a denormal", 1), ("-0", 1 << 63), ("the largest", 0x7FEFFFFFFFFFFFFF)):
        add(f"npy with {name}", good[:128] + struct.pack("<Q", bits) + good[136:])
    add("npy of nan only", tables.npy_header(header(shape)) + struct.pack("<d", float("nan")) * (rows * cols))
    for factor in (1e300, 1e-300):
        add(f"npy times {factor}", tables.npy_bytes([[(cell or 0) * factor for cell in row] for row in table]))
    out += archives(good)
    return out


def archives(good: bytes) -> list[Hostile]:
    out = []

    def add(name, content, expect=ANY):
        out.append(Hostile(name, content, "npz", expect))

    packed = tables.npz_bytes({"t": good})
    add("npz stored", tables.npz_bytes({"t": good}, zipfile.ZIP_STORED), SAME)
    add("npz deflated", packed, SAME)
    add("npz bzip2", tables.npz_bytes({"t": good}, zipfile.ZIP_BZIP2))
    add("npz lzma", tables.npz_bytes({"t": good}, zipfile.ZIP_LZMA))
    add("npz empty", tables.npz_bytes({}), REFUSE)
    add("npz of two", tables.npz_bytes({"t": good, "u": good}), REFUSE)
    add("npz with a hostile name", tables.npz_bytes({"\x1b[2J\u202e": good, "b": good}), REFUSE)
    add("npz with a name outside", tables.npz_bytes({"../../../tmp/t": good}))
    add("npz with an empty name", tables.npz_bytes({"": good}))
    add("npz of 5,000 arrays", tables.npz_bytes({f"t{n}": good[:200] for n in range(5000)}), REFUSE)
    add("npz of rubbish", tables.npz_bytes({"t": b"rubbish" * 40}), REFUSE)
    add("npz in npz", tables.npz_bytes({"t": packed}), REFUSE)
    add("npz with a comment", commented(packed, b"\x1b[2J" * 100))
    add("npz behind rubbish", b"rubbish" + packed)
    for cut in (4, 20, 60, len(packed) // 2, len(packed) - 22, len(packed) - 1):
        add(f"npz cut after {cut}", packed[:cut], REFUSE)
    add("npz with a wrong checksum", wrong_checksum(packed), REFUSE)
    for name, size in (("0", 0), ("more", 1 << 31), ("largest", 0xFFFFFFFE)):
        add(f"npz claims to unpack to {name}", claimed_size(packed, size), REFUSE)
    claimed = tables.npy_header(header("(1000000000, 4)"))
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    raw = packer.compress(claimed + b"\0" * (64 << 20)) + packer.flush()
    add("npz claims 32 GB", one_entry(raw, 0, 0xFFFFFFFE), REFUSE)
    add("npz bomb with a small shape", tables.npz_bytes({"t": good + b"\0" * (100 << 20)}))
    return out


def one_entry(raw: bytes, checksum: int, size: int, name: bytes = b"t.npy") -> bytes:
    fields = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 33, checksum, len(raw), size, len(name), 0)
    local = b"PK\x03\x04" + fields + name + raw
    central = b"PK\x01\x02" + b"\x14\0" + fields + b"\0" * 10 + struct.pack("<I", 0) + name
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local), 0)
    return local + central + end


def commented(packed: bytes, comment: bytes) -> bytes:
    out = io.BytesIO(packed)
    with zipfile.ZipFile(out, "a") as archive:
        archive.comment = comment
    return out.getvalue()


def wrong_checksum(packed: bytes) -> bytes:
    central = packed.index(b"PK\x01\x02")
    return packed[:14] + b"\1\2\3\4" + packed[18:central + 16] + b"\1\2\3\4" + packed[central + 20:]


def claimed_size(packed: bytes, size: int) -> bytes:
    central = packed.index(b"PK\x01\x02")
    field = struct.pack("<I", size)
    return packed[:22] + field + packed[26:central + 24] + field + packed[central + 28:]


def mutated(table, rng: random.Random, count: int) -> list[Hostile]:
    good = tables.npy_bytes(table)
    packed = tables.npz_bytes({"t": good})
    out = []
    for number in range(count):
        kind = rng.choice(["npy", "npz"])
        content = bytearray(good if kind == "npy" else packed)
        for _ in range(rng.randint(1, 4)):
            # Headers are where damage matters; the numbers of an NPY file are not protected by anything.
            at = rng.randrange(128) if kind == "npy" else rng.randrange(len(content))
            content[at] = rng.choice([0, 255, rng.randrange(256), content[at] ^ (1 << rng.randrange(8))])
        if rng.random() < 0.2:
            content = content[:rng.randrange(len(content))]
        out.append(Hostile(f"{kind} mutation {number}", bytes(content), kind, ANY))
    return out
