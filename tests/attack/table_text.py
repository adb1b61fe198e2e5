"""Hostile CSV and TSV tables, plain and gzipped."""

import random

import tables
from hostile import ANY, NO_NUMBER, REFUSE, SAME, Hostile

BIDI, ESCAPE, C1 = "\u202egnp.exe", "\x1b[2J\x1b]0;owned\x07", "\u009b31mred"
NAMES = {"bidi": BIDI, "ansi": ESCAPE, "c1": C1, "isolate": "\u2066a\u2069", "line separator": "a\u2028b",
         "carriage return": "a\rb", "bell": "a\x07", "backspace": "a\x08\x08b", "zero width": "a\u200bb",
         "tab": "a\tb", "percent": "%s%n%1000000d", "braces": "{}{:999999999}", "slashes": "../../etc/passwd",
         "dash": "-rf", "newline": "a\nb", "long": "n" * 5000}


def cells(table, names, ids):
    """The table as lists of texts, header first."""
    return [["id", *names]] + [[i, *("" if c is None else str(c) for c in row)] for i, row in zip(ids, table)]


def text(lines, separator=",", end="\n") -> bytes:
    return end.join(separator.join(line) for line in lines).encode("utf-8", "surrogateescape") + end.encode()


def with_cell(lines, row, column, value):
    return [[value if (r, c) == (row, column) else cell for c, cell in enumerate(line)] for r, line in
            enumerate(lines)]


def quoted(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'


def crafted(table, names, ids) -> list[Hostile]:
    good = cells(table, names, ids)
    plain = text(good)
    out = []

    def add(name, content, expect=ANY, extension="csv"):
        out.append(Hostile(name, content, extension, expect))

    # What spreadsheets and other tools write: the same table, so the same answer.
    add("crlf", text(good, end="\r\n"), SAME)
    add("cr", text(good, end="\r"), SAME)
    add("semicolons", text(good, ";"), SAME)
    add("tabs", text(good, "\t"), SAME, "tsv")
    add("byte-order mark", b"\xef\xbb\xbf" + plain, SAME)
    add("quoted", text([[quoted(c) for c in line] for line in good]), SAME)
    add("no last line end", plain[:-1], SAME)
    add("blank lines at the end", plain + b"\n\n\n", SAME)
    add("spaces around cells", text([[f" {c} " for c in line] for line in good]), SAME)
    add("gzip", tables.gz_bytes(plain), SAME, "csv.gz")
    add("gzip without the name", tables.gz_bytes(plain), SAME)
    add("gzip in members", tables.gz_bytes(plain[:100]) + tables.gz_bytes(plain[100:]), SAME, "csv.gz")
    add("exponents", text([good[0]] + [[line[0]] + [f"{c}e0" if c and "e" not in c else c for c in line[1:]]
                                       for line in good[1:]]), ANY)

    # Ragged and empty.
    add("empty file", b"", REFUSE)
    add("one byte", b"a", REFUSE)
    add("line ends only", b"\n" * 1000, REFUSE)
    add("header only", text(good[:1]), REFUSE)
    add("one row", text(good[:2]))
    add("row too long", text(good[:5] + [good[5] + ["7"]] + good[6:]), REFUSE)
    add("row too short", text(good[:5] + [good[5][:-2]] + good[6:]))
    add("cut in a row", text(good)[:-9])
    add("last row one cell", plain + b"zz\n")
    add("all cells empty", text([good[0]] + [[line[0]] + [""] * len(names) for line in good[1:]]))
    add("one column empty", text([line if r == 0 else [*line[:-1], ""] for r, line in enumerate(good)]))
    add("constant column", text([line if r == 0 else [*line[:-1], "2"] for r, line in enumerate(good)]))
    add("all the same", text([good[0]] + [[line[0]] + ["3"] * len(names) for line in good[1:]]))
    add("two rows", text(good[:3]))
    add("header one shorter", text([good[0][1:]] + good[1:]))
    add("no header", text(good[1:]))
    add("20,000 columns", text([["id"] + [f"k{m}" for m in range(20000)], ["a"] + ["1"] * 20000]))
    add("header of a million bytes", text([["id", "x" * 1000000]] + [[line[0], "1"] for line in good[1:]]))
    add("a cell of ten million digits", text(with_cell(good, 3, 1, "9" * 10_000_000)), NO_NUMBER)
    add("a cell of a million zeros", text(with_cell(good, 3, 1, "0." + "0" * 1_000_000 + "1")))
    add("unclosed quote", plain[:60] + b'"' + plain[60:])
    add("unclosed quote at the start", b'"' + plain, REFUSE)
    add("quotes only", b'"' * 5000, REFUSE)
    add("a million commas", b"," * 1_000_000, REFUSE)

    # Names and ids.
    add("duplicate id", text(with_cell(good, 3, 0, good[4][0])), REFUSE)
    add("duplicate id by spaces", text(with_cell(good, 3, 0, good[4][0] + " ")), REFUSE)
    add("duplicate column", text(with_cell(good, 0, 1, good[0][2])), REFUSE)
    add("empty column name", text(with_cell(good, 0, 1, "")))
    add("all column names empty", text([[""] * len(good[0])] + good[1:]))
    add("empty id", text(with_cell(good, 3, 0, "")))
    for name, value in NAMES.items():
        add(f"id with {name}", text(with_cell(good, 3, 0, quoted(value))))
        add(f"column with {name}", text(with_cell(good, 0, 1, quoted(value))))
        add(f"cell with {name}", text(with_cell(good, 3, 1, quoted(value))))
    add("every id hostile", text([good[0]] + [[quoted(f"{BIDI}{ESCAPE}{n}")] + line[1:] for n, line in
                                              enumerate(good[1:])]))
    add("every column hostile", text([["id"] + [quoted(f"{BIDI}{C1}{m}") for m in range(len(names))]] + good[1:]))
    add("ids not in the other table", text([good[0]] + [["z" + line[0], *line[1:]] for line in good[1:]]))
    add("ids in another case", text([good[0]] + [[line[0].upper(), *line[1:]] for line in good[1:]]))

    # Numbers.
    for value in ("inf", "-inf", "Infinity", "1e999", "-1e400", "0x1p3", "0x10", "1_000", "1,5", "1e", "e5", "--1",
                  "1 2", "12/05/2021", "TRUE", "#DIV/0!", "<0.5", "5%", "\u22121", "\u0661\u0662", "nan(0x1)", "1d5",
                  "1.#INF", "NaN7", "\uff11"):
        add(f"cell {ascii(value)}", text(with_cell(good, 3, 1, quoted(value))), NO_NUMBER)
    for value in ("nan", "NaN", "-nan", "NA", "?", "null"):
        add(f"missing as {value}", text(with_cell(good, 3, 1, value)))
    for value in ("1e300", "-1e300", "1.7e308", "1e-300", "5e-324", "1e-400", "-0", "123456789012345678901234567890",
                  "9007199254740993", "1e155", "0.1e-5000000000", "00000000000000000000000000000001"):
        add(f"cell {value}", text(with_cell(good, 3, 1, value)))
    for value in (1e300, 1e154, 1e-300, 1e-160, 1e20):
        scaled = [[None if c is None else float(c) * value for c in row] for row in table]
        add(f"table times {value}", text(cells(scaled, names, ids)))
        one = [[row[0] if row[0] is None else float(row[0]) * value, *row[1:]] for row in table]
        add(f"column times {value}", text(cells(one, names, ids)))
    add("column of 1.7e308 and -1.7e308", text(cells([[(-1) ** n * 1.7e308, *row[1:]] for n, row in enumerate(table)],
                                                     names, ids)))
    add("large offset", text(cells([[None if c is None else c + 1e15 for c in row] for row in table], names, ids)))

    # Bytes.
    add("NUL in a cell", text(with_cell(good, 3, 1, "1\0" + "2")), REFUSE)
    add("NUL at the end", plain + b"\0" * 512)
    add("NULs only", b"\0" * 4096, REFUSE)
    add("not UTF-8", plain.replace(b"c0", b"c\xff"), ANY)
    add("overlong UTF-8", plain.replace(b"c0", b"c\xc0\xaf"), ANY)
    add("UTF-16", plain.decode().encode("utf-16"), REFUSE)
    add("UTF-32", plain.decode().encode("utf-32"), REFUSE)
    add("control characters", bytes(range(32)) * 50)
    for magic in (b"PAR1", b"\x1f\x8b", b"BZh9", b"\xfd7zXZ\0", b"%PDF-1.4\n", b"<html>", b"PK\x03\x04",
                  b"\x93NUMPY", b"\x89HDF\r\n\x1a\n", b"bochner model file\n", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        add(f"begins with {ascii(magic)}", magic + plain, REFUSE)

    # Compressed.
    packed = tables.gz_bytes(plain)
    for cut in (1, 2, 5, 9, 10, 11, len(packed) // 2, len(packed) - 9, len(packed) - 8, len(packed) - 4,
                len(packed) - 1):
        add(f"gzip cut after {cut}", packed[:cut], REFUSE, "csv.gz")
    add("gzip with a wrong checksum", packed[:-8] + b"\0\0\0\0" + packed[-4:], REFUSE, "csv.gz")
    add("gzip with a wrong length", packed[:-4] + b"\1\0\0\0", REFUSE, "csv.gz")
    add("gzip then rubbish", packed + b"rubbish" * 9, ANY, "csv.gz")
    add("gzip in gzip", tables.gz_bytes(packed), ANY, "csv.gz")
    return out


def bombs(table, names, ids) -> list[Hostile]:
    """Small files that unpack to a gigabyte and more."""
    head = text(cells(table, names, ids))
    return [
        Hostile("gzip bomb of zeros", tables.gzip_bomb(b"\0", 3 << 30), "csv.gz", REFUSE),
        Hostile("gzip bomb of one line", tables.gzip_bomb(b"1", 1 << 30, b"id,x\na,"), "csv.gz", REFUSE),
        Hostile("gzip bomb in the header", tables.gzip_bomb(b"x,", 1 << 30, b"id,"), "csv.gz", REFUSE),
        Hostile("gzip bomb of blank lines", tables.gzip_bomb(b"\n", 1 << 27, head), "csv.gz", ANY),
        Hostile("gzip bomb of quotes", tables.gzip_bomb(b'"', 1 << 30, b'id,x\n"'), "csv.gz", REFUSE),
    ]


def mutated(table, names, ids, rng: random.Random, count: int) -> list[Hostile]:
    """The good table with a few random changes of bytes, lines and cells."""
    plain = text(cells(table, names, ids))
    out = []
    for number in range(count):
        content = bytearray(plain)
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(len(content) + 1)
            match rng.randrange(6):
                case 0:
                    content[at:at + 1] = bytes([rng.randrange(256)])
                case 1:
                    content[at:at] = rng.choice([b",", b'"', b"\n", b"\r", b"\0", b"\t", b";", b"-", b"e", b".", b"inf",
                                                 b"\xff", b"9" * 400, b"nan", b"\xe2\x80\xae", b" "])
                case 2:
                    del content[at:at + rng.randint(1, 30)]
                case 3:
                    end = at + rng.randint(1, 200)
                    content[at:at] = content[at:end]
                case 4:
                    content[at:at + 1] = bytes(b ^ (1 << rng.randrange(8)) for b in content[at:at + 1])
                case _:
                    content = content[:at] if rng.random() < 0.2 else content
        packed = rng.random() < 0.3
        out.append(Hostile(f"mutation {number}", tables.gz_bytes(bytes(content)) if packed else bytes(content),
                           "csv.gz" if packed else "csv", ANY))
    return out
