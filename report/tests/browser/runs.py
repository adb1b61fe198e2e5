"""Tables with some structure, and a run of every model family on them."""
import csv
import json
import math
import pathlib
import random
import shutil
import subprocess

HOSTILE = {
    "script": "</script><script>window.hacked = 1</script>",
    "image": "<img src=x onerror=\"window.hacked = 1\">",
    "quotes": "\"'`&amp;<b>",
    "emoji": "\U0001f9ec\U0001f600",
    "right to left": "\u202e\u05e9\u05dc\u05d5\u05dd",
    "long": "x" * 10000,
}


def write_table(path: pathlib.Path, columns: list[str], ids: list[str], rows: list[list]):
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["id", *columns])
        out.writerows([name, *row] for name, row in zip(ids, rows, strict=True))


def loop(count: int, columns: int, rng: random.Random, angles: list[float], noise: float = 0.2) -> list[list[float]]:
    """Smooth functions of an angle, one per column."""
    waves = [(rng.choice([1, 2]), rng.uniform(0, 2 * math.pi)) for _ in range(columns)]
    return [[math.sin(k * angles[n] + shift) + rng.gauss(0, noise) for k, shift in waves] for n in range(count)]


def with_missing(rows: list[list[float]], share: float, rng: random.Random) -> list[list]:
    return [["" if rng.random() < share else f"{v:.4f}" for v in row] for row in rows]


class Runs:
    """Runs of `program` in folders below `folder`."""

    def __init__(self, program: pathlib.Path, folder: pathlib.Path):
        self.program, self.folder = program, folder

    def bochner(self, *arguments: object):
        done = subprocess.run([str(self.program), *map(str, arguments)], cwd=self.folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    def gplvm(self, name: str = "gplvm"):
        """Two views of a loop with missing entries and absent samples, annotated."""
        rng = random.Random(1)
        count, ids = 160, [f"patient {n + 1}" for n in range(160)]
        angles = [rng.uniform(0, 2 * math.pi) for _ in range(count)]
        rna, protein = loop(count, 24, rng, angles), loop(count, 12, rng, angles)
        write_table(self.folder / "rna.csv", [f"gene {k + 1}" for k in range(24)], ids[:150], with_missing(rna[:150], 0.1, rng))
        write_table(self.folder / "protein.csv", [f"protein {k + 1}" for k in range(12)], ids[10:], with_missing(protein[10:], 0.1, rng))
        meta = [["day" if a < math.pi else "night", rng.choice(["north", "south", "west"]), round(20 + 10 * a, 1)] for a in angles]
        write_table(self.folder / "patients.csv", ["phase", "clinic", "age"], ids, meta)
        self.bochner("fit", "rna.csv", "protein.csv", "--meta", "patients.csv", "--dims", 3, "--steps", 300, "--restarts", 1, "--out", name)

    def mcmc(self):
        """Counts along a path over time."""
        rng = random.Random(2)
        count = 60
        rows = [[f"{n / 10:.1f}", *(max(0, round(math.exp(1.5 + math.sin(n / 8 + k)) + rng.gauss(0, 1))) for k in range(8))] for n in range(count)]
        write_table(self.folder / "counts.csv", ["seconds", *(f"cell {k + 1}" for k in range(8))], [f"bin {n}" for n in range(count)], rows)
        self.bochner("fit", "counts.csv", "--inference", "mcmc", "--likelihood", "poisson", "--time", "seconds", "--dims", 2,
                     "--chains", 2, "--warmup", 80, "--draws", 60, "--frequencies", 20, "--out", "mcmc")

    def regression(self):
        rng = random.Random(3)
        rows = []
        for _ in range(400):
            a, b, c = (rng.gauss(0, 1) for _ in range(3))
            rows.append([f"{v:.4f}" for v in (a, b, c, math.sin(2 * a) + 0.5 * b * b + rng.gauss(0, 0.2))])
        write_table(self.folder / "houses.csv", ["area", "distance", "floor", "price"], [f"house {n}" for n in range(400)], rows)
        self.bochner("regress", "houses.csv", "--y", "houses.csv:price", "--ard", "--symmetry", "negate", "--inducing", 60, "--steps", 400, "--out", "regression")

    def classification(self):
        rng = random.Random(4)
        rows = []
        for n in range(300):
            kind = n % 3
            rows.append([f"{rng.gauss((2, 0, -1)[kind], 1):.4f}", f"{rng.gauss((0, 2, -1)[kind], 1):.4f}", ("iris", "rose", "tulip")[kind]])
        write_table(self.folder / "flowers.csv", ["petal", "sepal", "species"], [f"flower {n}" for n in range(300)], rows)
        self.bochner("classify", "flowers.csv", "--y", "flowers.csv:species", "--ard", "--inducing", 60, "--steps", 400, "--out", "classification")

    def kernel_pca(self):
        rng = random.Random(5)
        count, ids = 150, [f"sample {n}" for n in range(150)]
        angles = [rng.uniform(0, 2 * math.pi) for _ in range(count)]
        for view, columns in (("shape", 10), ("texture", 6)):
            rows = [[f"{v:.4f}" for v in row] for row in loop(count, columns, rng, angles)]
            write_table(self.folder / f"{view}.csv", [f"{view} {k + 1}" for k in range(columns)], ids, rows)
        write_table(self.folder / "batches.csv", ["batch"], ids, [[f"batch {n % 3}"] for n in range(count)])
        self.bochner("kpca", "shape.csv", "texture.csv", "--meta", "batches.csv", "--dims", 4, "--out", "kernel_pca")

    def forecast(self):
        rng = random.Random(6)
        rows = [[f"{math.sin(t / 5) + 0.3 * math.sin(t / 2) + rng.gauss(0, 0.1):.4f}", f"{math.cos(t / 9) + rng.gauss(0, 0.1):.4f}"] for t in range(240)]
        write_table(self.folder / "demand.csv", ["bikes", "buses"], [f"hour {t}" for t in range(240)], rows)
        self.bochner("forecast", "demand.csv", "--lags", 24, "--steps", 36, "--backtest", 3, "--out", "forecast")

    def pictures(self):
        """Rows that are pictures: a spot that moves over 8 x 8 pixels."""
        rng = random.Random(7)
        rows = []
        for _ in range(120):
            x, y = rng.uniform(1, 6), rng.uniform(1, 6)
            rows.append([f"{math.exp(-((i - y) ** 2 + (j - x) ** 2) / 3):.4f}" for i in range(8) for j in range(8)])
        write_table(self.folder / "spots.csv", [f"pixel {k}" for k in range(64)], [f"picture {n}" for n in range(120)], rows)
        self.bochner("fit", "spots.csv", "--shape", "spots=8x8", "--steps", 200, "--restarts", 1, "--out", "pictures")

    def labels(self):
        """Two classes that the fit learns from, of two thirds of the samples."""
        rng = random.Random(10)
        ids, angles = [f"cell {n}" for n in range(90)], [rng.uniform(0, math.pi) for _ in range(90)]
        write_table(self.folder / "cells.csv", [f"marker {k}" for k in range(8)], ids, [[f"{v:.4f}" for v in row] for row in loop(90, 8, rng, angles)])
        write_table(self.folder / "types.csv", ["type"], ids[:60], [["T cell" if a < 2 else "B cell"] for a in angles[:60]])
        self.bochner("fit", "cells.csv", "--labels", "types.csv:type", "--steps", 100, "--restarts", 1, "--out", "labels")

    def applied(self):
        """New samples of the run `gplvm`, which lack a view."""
        rows = list(csv.reader((self.folder / "rna.csv").open(encoding="utf-8")))
        write_table(self.folder / "new_rna.csv", rows[0][1:], [f"new {row[0]}" for row in rows[1:41]], [row[1:] for row in rows[1:41]])
        self.bochner("apply", "gplvm/model.bochner", "rna=new_rna.csv", "--out", "applied")

    def predicted(self):
        self.bochner("predict", "regression/model.bochner", "houses.csv", "--out", "predicted")

    def hostile(self):
        """Names that would be code, or break the layout, if they were not shown as text."""
        rng = random.Random(8)
        names = list(HOSTILE.values())
        ids = [f"{names[n % len(names)]} {n}" for n in range(60)]
        angles = [rng.uniform(0, 2 * math.pi) for _ in ids]
        rows = [[f"{v:.4f}" for v in row] for row in loop(60, len(names), rng, angles)]
        write_table(self.folder / "hostile.csv", names, ids, rows)
        write_table(self.folder / "notes.csv", [names[0], names[3]], ids, [[names[n % len(names)], n] for n in range(60)])
        self.bochner("fit", "hostile.csv", "--meta", "notes.csv", "--steps", 100, "--restarts", 1, "--out", "hostile")

    def compared(self):
        """Needs the runs `gplvm` and `kernel_pca`."""
        self.bochner("compare", "gplvm", "kernel_pca", "--out", "compare.html")

    def earlier(self) -> pathlib.Path:
        """The run `gplvm` as the first version left it: without the files and events that came later."""
        folder = self.folder / "earlier"
        shutil.copytree(self.folder / "gplvm", folder)
        for file in ("heldout_entries.csv", "report.html"):
            (folder / file).unlink()
        events = [json.loads(line) for line in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()]
        old = [{k: v for k, v in e.items() if k not in ("line", "peak_memory")} for e in events if e["event"] not in ("input", "report")]
        (folder / "log.jsonl").write_text("".join(json.dumps(e) + "\n" for e in old), encoding="utf-8")
        self.bochner("report", "earlier")
        return folder / "report.html"

    def large(self, samples: int) -> pathlib.Path:
        """A run folder as `fit` leaves it, with the columns and the model of `gplvm`, written by hand: a fit of as many samples
        would take long."""
        rng = random.Random(9)
        folder = self.folder / f"samples{samples}"
        folder.mkdir()
        (folder / "config.toml").write_text('# bochner fit --config THIS_FILE\ncommand = "fit"\nseed = 1\n')
        (folder / "metrics.json").write_text('{"verdict": "good", "message": "trust this fit: written by a test", "seconds": 2}')
        ids = [f"AAACCTG{n:09d}-1" for n in range(samples)]
        types = ["T cell", "B cell", "monocyte", "NK cell", "platelet"]
        centres = [(3 * math.cos(k), 3 * math.sin(k)) for k in range(5)]
        kind = [rng.randrange(5) for _ in ids]
        dims = ["z1", "z2", "z3"]
        write_table(folder / "latent.csv", dims, ids, [[f"{c + rng.gauss(0, 1):.5f}" for c in (*centres[k], 0)] for k in kind])
        write_table(folder / "latent_sd.csv", dims, ids, [[f"{rng.uniform(0.05, 0.2):.5f}" for _ in dims] for _ in ids])
        for file in ("model.bochner", "relevance.csv", "relevance_columns.csv", "top_columns.csv", "responses.csv", "heldout_entries.csv", "trace.csv"):
            shutil.copy(self.folder / "gplvm" / file, folder)
        (folder / "imputed").mkdir()
        for view, name, columns in (("rna", "gene", 24), ("protein", "protein", 12)):
            rows = [[f"{k + m % 3 + rng.random():.3f}" for m in range(columns)] for k in kind]
            for ending in ("", "_lo", "_hi"):
                write_table(folder / f"imputed/{view}{ending}.csv", [f"{name} {m + 1}" for m in range(columns)], ids, rows)
        write_table(folder / "meta.csv", ["type", "depth"], ids, [[types[k], rng.randrange(500, 5000)] for k in kind])
        self.bochner("report", folder)
        return folder / "report.html"
