"""Questions about missing values with known answers."""

import tables
from arena import Arena
from asking import far, good, numbers, oracle, read
from commands import QUICK_FIT


@oracle("apply, a column is missing")
def missing_column(arena: Arena) -> str:
    names, rows = read(arena.base / "new.csv")
    arena.path("short.csv").write_bytes(tables.csv_text([r[:-1] for r in rows.values()], names[:-1], list(rows)))
    outcome = good(arena, ["apply", "models/fit/model.bochner", "--view", "a=short.csv"], "out")
    return "" if b"c3" in outcome.err else "a column of the model is missing, and nothing says so"


@oracle("predict, a column is missing")
def missing_input(arena: Arena) -> str:
    names, rows = read(arena.base / "new.csv")
    arena.path("short.csv").write_bytes(tables.csv_text([r[:-1] for r in rows.values()], names[:-1], list(rows)))
    outcome = arena.run(["predict", "models/regress/model.bochner", "--x", "short.csv", "--threads", "1", "--out", "out"])
    return "an input of the model is missing, and it predicts" if outcome.code == 0 else ""


@oracle("predict, an input is not measured")
def missing_cell(arena: Arena) -> str:
    text = (arena.base / "new.csv").read_text().splitlines()
    cells = text[2].split(",")
    cells[2] = ""
    arena.path("t.csv").write_text("\n".join([*text[:2], ",".join(cells), *text[3:]]) + "\n")
    outcome = good(arena, ["predict", "models/regress/model.bochner", "--x", "t.csv"], "out")
    cells_left = read(arena.path("out/predictions.csv"))[1]["n01"]
    return "" if not any(cells_left) and b"note: 1 row" in outcome.err else "an input is missing, and it predicts"


@oracle("fit, measured cells stay as they are")
def measured_cells(arena: Arena) -> str:
    good(arena, ["fit", "--view", "a=a.csv", *QUICK_FIT], "out")
    for file in ("a.csv", "a_lo.csv", "a_hi.csv"):
        was, found = read(arena.base / "a.csv")[1], read(arena.path(f"out/imputed/{file}"))[1]
        for i, row in was.items():
            for x, y in zip(row, found[i]):
                if y == "" or (x != "" and float(x) != float(y)):
                    return f"{file}, {i}: {x!r} became {y!r}"
    return ""


@oracle("fit, an empty cell is not zero")
def hole_is_no_zero(arena: Arena) -> str:
    text = (arena.base / "x.csv").read_text().splitlines()
    for name, cell in (("hole", ""), ("word", "NA"), ("zero", "0")):
        cells = text[3].split(",")
        cells[2] = cell
        arena.path(f"{name}.csv").write_text("\n".join([*text[:3], ",".join(cells), *text[4:]]) + "\n")
        good(arena, ["fit", "--view", f"a={name}.csv", *QUICK_FIT], name)
    hole, word, zero = (numbers(arena.path(f"{name}/latent.csv")) for name in ("hole", "word", "zero"))
    if far(hole, word, 0):
        return "'' and 'NA' give different fits"
    return "an empty cell was taken for zero" if not far(hole, zero, 1e-12) else ""
