"""Small tables with structure in them, and the formats that they are written in."""

import gzip
import io
import math
import random
import struct
import zipfile

Rows = list[list[float | None]]


def smooth(rows: int, columns: int, seed: int, missing: float = 0.0) -> Rows:
    """Noisy smooth functions of one hidden number per row; None where nothing was measured."""
    rng = random.Random(seed)
    slopes = [rng.uniform(0.5, 2.5) for _ in range(columns)]
    shifts = [rng.uniform(0, 6) for _ in range(columns)]
    table = []
    for _ in range(rows):
        hidden = rng.gauss(0, 1)
        table.append([
            None if rng.random() < missing
            else round(math.sin(slope * hidden + shift) + 0.1 * rng.gauss(0, 1), 6)
            for slope, shift in zip(slopes, shifts)
        ])
    return table


def ids(rows: int, prefix: str = "s") -> list[str]:
    return [f"{prefix}{n:02d}" for n in range(rows)]


def columns(count: int, prefix: str = "c") -> list[str]:
    return [f"{prefix}{m}" for m in range(count)]


def csv_text(table: Rows, names: list[str] | None = None, row_names: list[str] | None = None, separator: str = ",",
             end: str = "\n") -> bytes:
    names = names if names is not None else columns(len(table[0]))
    lines = []
    for label, row in zip([None, *(row_names or [None] * len(table))], [names, *table]):
        cells = ["" if cell is None else str(cell) for cell in row]
        if row_names is not None:
            cells.insert(0, "id" if label is None else label)
        lines.append(separator.join(cells))
    return (end.join(lines) + end).encode()


def npy_header(description: str, version: int = 1) -> bytes:
    width = 2 if version == 1 else 4
    text = description.encode("latin-1")
    text += b" " * (63 - (8 + width + len(text)) % 64) + b"\n"
    return b"\x93NUMPY" + bytes([version, 0]) + len(text).to_bytes(width, "little") + text


def npy_bytes(table: Rows, kind: str = "<f8", fortran: bool = False, version: int = 1) -> bytes:
    rows, cols = len(table), len(table[0])
    numbers = [math.nan if cell is None else cell for row in table for cell in row]
    if fortran:
        numbers = [numbers[r * cols + c] for c in range(cols) for r in range(rows)]
    letter = {"f8": "d", "f4": "f", "i8": "q", "i4": "i", "i2": "h", "i1": "b", "u1": "B", "u8": "Q"}[kind[1:]]
    order = ">" if kind[0] == ">" else "<"
    values = numbers if letter in "df" else [int(number) for number in numbers]
    header = f"{{'descr': '{kind}', 'fortran_order': {fortran}, 'shape': ({rows}, {cols}), }}"
    return npy_header(header, version) + struct.pack(f"{order}{len(values)}{letter}", *values)


def npz_bytes(arrays: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in arrays.items():
            archive.writestr(zipfile.ZipInfo(name + ".npy", (1980, 1, 1, 0, 0, 0)), content, method)
    return out.getvalue()


def gz_bytes(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def gzip_bomb(piece: bytes, times: int, head: bytes = b"", tail: bytes = b"") -> bytes:
    """`head`, `piece` many times, `tail`: compressed once and repeated as members, so that it is made in no time."""
    block = gz_bytes(piece * (max(1, (1 << 22) // len(piece))))
    members = max(1, times * len(piece) // (1 << 22))
    return gz_bytes(head) + block * members + gz_bytes(tail)
