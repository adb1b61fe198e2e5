"""Questions with known answers: the same table in another order, format or unit must give the same answer."""

import json
import math
import os

import tables
import table_hdf5
from arena import Arena, comparable, differing, left_in
from asking import answers, close, far, good, numbers, oracle, read
from attack import Attack
from base import MODELS, READERS, ROWS
from commands import QUICK_FIT, QUICK_REGRESS
from limits import WRITERS
from missing_values import hole_is_no_zero, measured_cells, missing_cell, missing_column, missing_input
from verdict import Kind, judge

LONGER = ["--inducing", "10", "--steps", "60", "--batch", "16"]


EVERY = {**MODELS, **{f"read {kind}": [w.replace("<model>", f"models/{kind}/model.bochner") for w in words]
                      for kind, words in READERS.items()},
         "forecast": [*WRITERS["forecast"], "--backtest", "2"], "demo": WRITERS["demo"], "evaluate": WRITERS["evaluate"],
         "forecast tuned": ["forecast", "--series", "counts.csv", "--column", "c0", "--lags", "1", "--steps", "1", "--tune"],
         "fit longer": ["fit", "--view", "a=a.csv", "--view", "b=b.csv", "--steps", "60"],
         "regress longer": ["regress", "--x", "x.csv", "--y", "y.csv", *LONGER],
         "kpca stiefel": ["kpca", "--view", "a=x.csv", "--dims", "2", "--solver", "dual-stiefel"]}


def same_bytes(name: str, label: str, how) -> Attack:
    def check(arena: Arena) -> str:
        good(arena, EVERY[name], "one", 1)
        how(arena, name)
        differ = differing(comparable(left_in(arena.path("one"))), comparable(left_in(arena.path("two"))))
        return f"files differ: {', '.join(differ)}" if differ else ""

    return oracle(f"{name}, {label}")(check)


def with_threads(count: int):
    return lambda arena, name: good(arena, EVERY[name], "two", count)


def from_config(arena: Arena, name: str) -> None:
    good(arena, [EVERY[name][0], "--config", "one/config.toml"], "two")


def in_pieces(kind: str, table: str, option: str) -> Attack:
    """Each row by itself, and all in reverse order: the answer for a row does not depend on its company but in rounding."""

    def check(arena: Arena) -> str:
        words = [w.replace("<model>", f"models/{kind}/model.bochner") for w in READERS[kind]]
        names, rows = read(arena.base / table)
        at = next(i for i, w in enumerate(words) if w.endswith(table))
        prefix = words[at][:-len(table)]
        good(arena, words, "all")
        expected = answers(arena.path("all"))
        chunks = {"reversed": list(rows)[::-1], **{f"row {i}": [i] for i in list(rows)[:2]}}
        for label, chosen in chunks.items():
            part = f"part-{label.replace(' ', '-')}"
            arena.path(f"{part}.csv").write_bytes(tables.csv_text([rows[i] for i in chosen], names, chosen))
            good(arena, [*words[:at], f"{prefix}{part}.csv", *words[at + 1:]], part)
            for file, found in answers(arena.path(part)).items():
                for row in chosen:
                    if not close(found[row], expected[file][row]):
                        return f"{label}: {file} says {found[row]} of {row}, among all rows {expected[file][row]}"
        order = names[::-1]
        arena.path("turned.csv").write_bytes(tables.csv_text([r[::-1] for r in rows.values()], order, list(rows)))
        good(arena, [*words[:at], f"{prefix}turned.csv", *words[at + 1:]], "turned")
        turned = answers(arena.path("turned"))
        differ = [file for file, found in turned.items()
                  if any(not close(found[row], expected[file][row]) for row in found)]
        return f"columns in another order change {', '.join(differ)}" if differ else ""

    return oracle(f"{kind}, rows in pieces, {option}")(check)


def formats(name: str, words, result: str) -> Attack:
    """The same numbers from every format."""

    def check(arena: Arena) -> str:
        table = tables.smooth(ROWS, 4, 2)
        arena.path("t.csv").write_bytes(tables.csv_text(table, None, tables.ids(ROWS)))
        variants = {"t.npy": tables.npy_bytes(table), "f.npy": tables.npy_bytes(table, fortran=True),
                    "t.npz": tables.npz_bytes({"t": tables.npy_bytes(table)}), "t.h5": table_hdf5.plain_bytes(table),
                    "c.h5": table_hdf5.chunked_bytes(table, deflate=5),
                    "t.h5ad": table_hdf5.anndata(table, tables.ids(ROWS), tables.columns(4)),
                    "s.h5ad": table_hdf5.anndata(table, tables.ids(ROWS), tables.columns(4), "intact"),
                    "t.csv.gz": tables.gz_bytes(tables.csv_text(table, None, tables.ids(ROWS))),
                    "t.tsv": tables.csv_text(table, None, tables.ids(ROWS), "\t")}
        good(arena, [w.replace("TABLE", "t.csv") for w in words], "expected")
        expected = numbers(arena.path("expected") / result)
        for file, content in variants.items():
            arena.path(file).write_bytes(content)
            outcome = arena.run([*[w.replace("TABLE", file) for w in words], "--threads", "1", "--out", f"of-{file}"])
            if outcome.code == 1 and "sparse" in outcome.message:
                continue
            if outcome.code != 0:
                return f"{file}: {outcome.message}"
            if why := far(expected, numbers(arena.path(f"of-{file}") / result), 0):
                return f"{file}: {why}"
        return ""

    return oracle(f"{name}, the same table in every format")(check)


def unnamed_integers(command: str, kind: str) -> Attack:
    """A plain table without ids whose first column happens to hold distinct whole numbers: it is an input."""

    def check(arena: Arena) -> str:
        x = tables.smooth(40, 2, 9)
        whole = [(7 * n) % 40 for n in range(40)]
        target = (lambda k: round(0.1 * k, 3)) if command == "regress" else (lambda k: "high" if k >= 20 else "low")
        plain = [[k, *row, target(k)] for k, row in zip(whole, x)]
        names = ["rooms", "u", "v", "y"]
        arena.path("plain.csv").write_bytes(tables.csv_text(plain, names))
        arena.path("named.csv").write_bytes(tables.csv_text(plain, names, tables.ids(40)))
        for table in ("plain", "named"):
            words = [command, "--x", f"{table}.csv", "--y", f"{table}.csv:y", *LONGER]
            outcome = arena.run([*words, "--threads", "1", "--out", table])
            if table == "plain" and (outcome.code == 1 or b"rooms" in outcome.err):
                return ""  # refused, or announced
            if outcome.code != 0:
                return f"{table}: {outcome.message}"
        if kind == "predict":
            outcome = arena.run(["predict", "named/model.bochner", "--x", "plain.csv", "--threads", "1", "--out", "new"])
            if outcome.code == 1 or b"rooms" in outcome.err:
                return ""
            reference = good(arena, ["predict", "named/model.bochner", "--x", "named.csv"], "newer")
            assert reference
            return far(numbers(arena.path("newer/predictions.csv")), numbers(arena.path("new/predictions.csv")), 1e-9)
        differ = far([row[1:] for row in numbers(arena.path("named/predictions.csv"))],
                     [row[1:] for row in numbers(arena.path("plain/predictions.csv"))], 1e-9)
        return differ and f"the column 'rooms' was taken for ids without a word: {differ}"

    return oracle(f"{command}, whole numbers in the first column, {kind}")(check)


def units(name: str, words, column: str, factor: float, result: str, tolerance: float, scaled: bool) -> Attack:
    """A column in other units changes predictions by that factor, or not at all."""

    def check(arena: Arena) -> str:
        for table in ("x", "y", "series"):
            names, rows = read(arena.base / f"{table}.csv")
            content = [[float(c) * (factor if column in (n, table) else 1) for n, c in zip(names, row)]
                       for row in rows.values()]
            os.remove(arena.path(f"{table}.csv"))
            arena.path(f"{table}-{factor}.csv").write_bytes(tables.csv_text(content, names, list(rows)))
            os.symlink(arena.base / f"{table}.csv", arena.path(f"{table}.csv"))
        good(arena, words, "plain")
        good(arena, [w.replace(".csv", f"-{factor}.csv") for w in words], "scaled")
        a, b = numbers(arena.path("plain") / result), numbers(arena.path("scaled") / result)
        if scaled:
            b = [[x / factor for x in row] for row in b]
        return far(a, b, tolerance)

    return oracle(f"{name}, {column} times {factor:g}")(check)


@oracle("regress, the saved model says what the run said")
def saved_model(arena: Arena) -> str:
    good(arena, ["regress", "--x", "x.csv", "--y", "y.csv", *LONGER], "run")
    good(arena, ["predict", "run/model.bochner", "--x", "x.csv", "--y", "y.csv"], "new")
    (names, held), (_, all_rows) = read(arena.path("run/predictions.csv")), read(arena.path("new/predictions.csv"))
    differ = [i for i in held if held[i] != all_rows[i]]
    return f"{len(differ)} of {len(held)} rows differ in {names}: {held[differ[0]]}, {all_rows[differ[0]]}" if differ else ""


@oracle("classify, the saved model says what the run said")
def saved_classes(arena: Arena) -> str:
    good(arena, ["classify", "--x", "x.csv", "--y", "labels.csv:kind", *LONGER], "run")
    good(arena, ["predict", "run/model.bochner", "--x", "x.csv", "--y", "labels.csv:kind"], "new")
    held, all_rows = read(arena.path("run/predictions.csv"))[1], read(arena.path("new/predictions.csv"))[1]
    differ = [i for i in held if held[i] != all_rows[i]]
    return f"{len(differ)} of {len(held)} rows differ: {held[differ[0]]}, {all_rows[differ[0]]}" if differ else ""


@oracle("regress, the outcome is no input")
def no_leak(arena: Arena) -> str:
    names, rows = read(arena.base / "x.csv")
    outcome = read(arena.base / "y.csv")[1]
    arena.path("xy.csv").write_bytes(tables.csv_text([[*rows[i], *outcome[i]] for i in rows], [*names, "y"], list(rows)))
    good(arena, ["regress", "--x", "x.csv", "--y", "y.csv", *LONGER], "apart")
    good(arena, ["regress", "--x", "xy.csv", "--y", "xy.csv:y", *LONGER], "together")
    return far(numbers(arena.path("apart/predictions.csv")), numbers(arena.path("together/predictions.csv")), 0)


@oracle("regress, outcomes in another order")
def joined_by_id(arena: Arena) -> str:
    names, rows = read(arena.base / "y.csv")
    order = list(rows)[::-1]
    arena.path("turned.csv").write_bytes(tables.csv_text([rows[i] for i in order], names, order))
    good(arena, ["regress", "--x", "x.csv", "--y", "y.csv", *LONGER], "one")
    good(arena, ["regress", "--x", "x.csv", "--y", "turned.csv", *LONGER], "two")
    return far(numbers(arena.path("one/predictions.csv")), numbers(arena.path("two/predictions.csv")), 0)


@oracle("fit, the second view in another order")
def views_by_id(arena: Arena) -> str:
    names, rows = read(arena.base / "b.csv")
    order = list(rows)[::-1]
    arena.path("turned.csv").write_bytes(tables.csv_text([rows[i] for i in order], names, order))
    good(arena, ["fit", "--view", "a=a.csv", "--view", "b=b.csv", *QUICK_FIT], "one")
    good(arena, ["fit", "--view", "a=a.csv", "--view", "b=turned.csv", *QUICK_FIT], "two")
    return far(numbers(arena.path("one/latent.csv")), numbers(arena.path("two/latent.csv")), 0)


def shortened(name: str, words, table: str, left: int, word: bytes) -> Attack:
    """Rows that only one table has are left out; that must be said."""

    def check(arena: Arena) -> str:
        names, rows = read(arena.base / table)
        kept = list(rows)[:left]
        arena.path("short.csv").write_bytes(tables.csv_text([rows[i] for i in kept], names, kept))
        outcome = arena.run([*[w.replace(table, "short.csv") for w in words], "--threads", "1", "--out", "out"])
        if outcome.code == 0 and word not in outcome.err + outcome.out:
            return f"{ROWS - left} rows are missing from one table, and nothing says so: {outcome.message}"
        return ""

    return oracle(f"{name}, {table} lacks {ROWS - left} rows")(check)


def by_position(name: str, words, table: str, result: str) -> Attack:
    """A table without ids beside one with ids: taken row by row, and said; with fewer rows refused."""

    def check(arena: Arena) -> str:
        names, rows = read(arena.base / table)
        content = [[None if c == "" else float(c) for c in row] for row in rows.values()]
        arena.path("t.npy").write_bytes(tables.npy_bytes(content))
        arena.path("short.npy").write_bytes(tables.npy_bytes(content[:-3]))
        good(arena, words, "named")
        outcome = good(arena, [w.replace(table, "t.npy") for w in words], "unnamed")
        if b"no sample ids" not in outcome.err:
            return f"rows were matched by position without a word: {outcome.message}"
        if why := far(numbers(arena.path("named") / result), numbers(arena.path("unnamed") / result), 0):
            return why
        short = arena.run([*[w.replace(table, "short.npy") for w in words], "--threads", "1", "--out", "short"])
        return "a table with fewer rows was taken row by row" if short.code == 0 else ""

    return oracle(f"{name}, {table} without ids")(check)




@oracle("evaluate, the latent is the truth")
def perfect_latent(arena: Arena) -> str:
    good(arena, ["evaluate", "--latent", "x.csv", "--truth", "x.csv", "--data", "x.csv", "--neighbours", "5"], "out")
    text = json.loads(arena.path("out/evaluation.json").read_text())
    scores = [v for v in flat(text) if isinstance(v, float)]
    return "" if any(abs(v - 1) < 1e-9 for v in scores) and all(v <= 1 + 1e-9 for v in scores) else f"not perfect: {text}"


def flat(value) -> list:
    if isinstance(value, dict):
        return [x for v in value.values() for x in flat(v)]
    return [x for v in value for x in flat(v)] if isinstance(value, list) else [value]


@oracle("evaluate, the truth in another order")
def truth_by_id(arena: Arena) -> str:
    names, rows = read(arena.base / "x.csv")
    order = list(rows)[::-1]
    arena.path("turned.csv").write_bytes(tables.csv_text([rows[i] for i in order], names, order))
    good(arena, ["evaluate", "--latent", "x.csv", "--truth", "turned.csv", "--data", "turned.csv", "--neighbours", "5"], "out")
    good(arena, ["evaluate", "--latent", "x.csv", "--truth", "x.csv", "--data", "x.csv", "--neighbours", "5"], "two")
    a, b = (flat(json.loads(arena.path(f"{f}/evaluation.json").read_text())) for f in ("out", "two"))
    pairs = [(x, y) for x, y in zip(a, b) if isinstance(x, float)]
    return "" if pairs and all(abs(x - y) < 1e-12 for x, y in pairs) else f"{a} and {b}"


@oracle("forecast, a sine goes on")
def sine(arena: Arena) -> str:
    wave = [[round(math.sin(0.3 * t), 9)] for t in range(200)]
    arena.path("t.csv").write_bytes(tables.csv_text(wave, ["w"], [str(t) for t in range(200)]))
    good(arena, ["forecast", "--series", "t.csv", "--lags", "20", "--steps", "10"], "out")
    found = [float(row[0]) for row in read(arena.path("out/forecast.csv"))[1].values()]
    error = max(abs(x - math.sin(0.3 * (200 + t))) for t, x in enumerate(found))
    return "" if error < 0.05 else f"off by {error:.3f}"


def times(label: str, make) -> Attack:
    """Times that are numbers must be at equal distances, oldest first."""

    def check(arena: Arena) -> str:
        wave = [[round(math.sin(0.3 * t), 9)] for t in range(60)]
        arena.path("t.csv").write_bytes(tables.csv_text(wave, ["w"], [str(make(t)) for t in range(60)]))
        outcome = arena.run(["forecast", "--series", "t.csv", "--lags", "5", "--steps", "3", "--threads", "1", "--out", "out"])
        verdict = judge(outcome)
        if verdict.kind is Kind.ACCEPTED and not outcome.err:
            return "accepted without a word"
        return "" if verdict.kind in (Kind.ACCEPTED, Kind.REFUSED) else f"{verdict.kind.value}: {verdict.why}"

    return oracle(f"forecast, times {label}")(check)


def unlabelled(label: str, cell: str) -> Attack:
    """Rows whose label reads as missing are left out; that must be said."""

    def check(arena: Arena) -> str:
        lines = (arena.base / "labels.csv").read_text().splitlines()
        changed = [lines[0]] + [line if n % 3 else f"{line.split(',')[0]},{cell},{cell}" for n, line in enumerate(lines[1:])]
        arena.path("l.csv").write_text("\n".join(changed) + "\n")
        outcome = arena.run(["classify", "--x", "x.csv", "--y", "l.csv:type", *QUICK_REGRESS, "--threads", "1", "--out",
                             "out"])
        if outcome.code == 0 and b"left out" not in outcome.err:
            return "rows without a label are learned from, or vanished without a word"
        return ""

    return oracle(f"classify, labels that are {label}")(check)


@oracle("predict, classes written as 1 and 1.0")
def equal_classes(arena: Arena) -> str:
    names, rows = read(arena.base / "x.csv")
    for file, words in (("whole", ("1", "2")), ("points", ("1.0", "2.0"))):
        content = [[words[float(row[0]) > 0.2]] for row in rows.values()]
        arena.path(f"{file}.csv").write_bytes(tables.csv_text(content, ["k"], list(rows)))
    good(arena, ["classify", "--x", "x.csv", "--y", "whole.csv:k", *LONGER], "run")
    for file in ("whole", "points"):
        good(arena, ["predict", "run/model.bochner", "--x", "x.csv", "--y", f"{file}.csv:k"], file)
    a, b = (json.loads(arena.path(f"{f}/metrics.json").read_text()) for f in ("whole", "points"))
    a.pop("seconds", 0), b.pop("seconds", 0)
    return "" if a == b else f"{a} and {b}"


def attacks() -> list[Attack]:
    out = [saved_model, saved_classes, no_leak, joined_by_id, views_by_id, missing_column, missing_input, missing_cell,
           measured_cells, hole_is_no_zero, perfect_latent, truth_by_id, sine, equal_classes]
    for name in EVERY:
        for count in (1, 2, 3, 16):
            out.append(same_bytes(name, f"{count} threads", with_threads(count)))
        if name not in ("evaluate",):
            out.append(same_bytes(name, "again from its config.toml", from_config))
    for kind, table in (("fit", "new.csv"), ("fit-ngsm", "new.csv"), ("fit-nystrom", "new.csv"), ("bayes", "new.csv"),
                        ("bayes-binomial", "counts.csv"), ("kpca", "new.csv"), ("kpca-features", "b.csv"),
                        ("regress", "new.csv"), ("regress-symmetry", "new.csv"), ("classify", "new.csv"),
                        ("classify-softmax", "new.csv"), ("classify-robustmax", "new.csv")):
        out.append(in_pieces(kind, table, "columns turned"))
    out += [formats("kpca", ["kpca", "--view", "a=TABLE", "--dims", "2"], "latent.csv"),
            formats("fit", ["fit", "--view", "a=TABLE", *QUICK_FIT], "latent.csv"),
            formats("predict", ["predict", "models/regress/model.bochner", "--x", "TABLE"], "predictions.csv"),
            formats("apply", ["apply", "models/fit/model.bochner", "--view", "a=TABLE"], "latent.csv")]
    out += [unnamed_integers(command, kind) for command in ("regress", "classify") for kind in ("fit", "predict")]
    regress = ["regress", "--x", "x.csv", "--y", "y.csv", *LONGER]
    for factor in (1e6, 1e-6, 1e9):
        out.append(units("regress", regress, "y", factor, "predictions.csv", 1e-5, True))
        out.append(units("regress", regress, "c1", factor, "predictions.csv", 1e-5, False))
        out.append(units("kpca", ["kpca", "--view", "a=x.csv", "--dims", "2"], "c1", factor, "latent.csv", 1e-6, False))
        out.append(units("fit", ["fit", "--view", "a=x.csv", *QUICK_FIT, "--scaling", "standardise"], "c1", factor,
                         "latent.csv", 1e-6, False))
        out.append(units("fit", ["fit", "--view", "a=x.csv", *QUICK_FIT], "x", factor, "latent.csv", 1e-6, False))
        out.append(units("forecast", WRITERS["forecast"], "series", factor, "forecast.csv", 1e-6, True))
    out += [shortened("regress", ["regress", "--x", "x.csv", "--y", "y.csv", *LONGER], table, 25, b"left out")
            for table in ("x.csv", "y.csv")]
    out.append(shortened("classify", ["classify", "--x", "x.csv", "--y", "labels.csv:type", *LONGER], "labels.csv", 25,
                         b"left out"))
    out.append(shortened("evaluate", ["evaluate", "--latent", "x.csv", "--truth", "a.csv"], "a.csv", 25, b"5"))
    out.append(shortened("predict", ["predict", "models/regress/model.bochner", "--x", "x.csv", "--y", "y.csv"], "y.csv",
                         25, b"25"))
    out += [by_position("regress", regress, table, "predictions.csv") for table in ("x.csv", "y.csv")]
    out.append(by_position("fit", ["fit", "--view", "a=a.csv", "--view", "b=b.csv", *QUICK_FIT], "b.csv", "latent.csv"))
    out += [times("in reverse", lambda t: 100 - t), times("with a gap", lambda t: t if t < 30 else t + 7),
            times("twice", lambda t: t // 2), times("out of order", lambda t: (t * 7) % 60)]
    # Every word for a missing label of docs/tables.md; a class of the name 'nan' is nobody's.
    out += [unlabelled(word or "empty", word) for word in ("", "NA", "na", "N/A", "NaN", "nan", "null", "<NA>", "#N/A")]
    return out
