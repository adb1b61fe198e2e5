#!/usr/bin/env python3
"""Draw docs/demo.svg from a run folder of `bochner demo`; standard library only.

    make demo && tools/plot_demo.py run docs/demo.svg

Left: the two tables, missing values in white. Middle: the latent coordinates with one standard deviation, after the
best affine map onto the true coordinates (a latent space is identified up to such a map only); colour runs along the
true curve. Right: values that were never measured, imputed against true, with 90 % intervals.
"""
import csv
import math
import pathlib
import sys

WIDTH, HEIGHT, TOP, BOTTOM = 960, 320, 46, 34
SHADES = 24  # colours along the curve; one path each keeps the file small
CELL_ROWS, CELL_COLUMNS = 46, 18  # of each table
INK, GREY, BLUE = "#333333", "#8a8a8a", "#2b6cb0"


def read(path):
    """Rows by sample id, in the order of the file; None for a missing value."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return {row[0]: [float(v) if v else None for v in row[1:]] for row in rows[1:]}


def solve(A, b):
    """Gaussian elimination with pivoting; A is small."""
    n = len(b)
    M = [row[:] + [v] for row, v in zip(A, b)]
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(M[r][i]))
        M[i], M[p] = M[p], M[i]
        for r in range(n):
            if r != i:
                f = M[r][i] / M[i][i]
                M[r] = [x - f * y for x, y in zip(M[r], M[i])]
    return [M[i][n] / M[i][i] for i in range(n)]


def affine(latent, truth, ids):
    """Columns of the least-squares map (z, 1) -> x, one per true dimension."""
    rows = [latent[i] + [1.0] for i in ids]
    n = len(rows[0])
    gram = [[sum(r[a] * r[b] for r in rows) for b in range(n)] for a in range(n)]
    return [solve(gram, [sum(r[a] * truth[i][d] for r, i in zip(rows, ids)) for a in range(n)]) for d in range(2)]


def blend(stops, share):
    at = min(max(share, 0), 1) * (len(stops) - 1)
    i = min(int(at), len(stops) - 2)
    return "#" + "".join(f"{round(a + (b - a) * (at - i)):02x}" for a, b in zip(stops[i], stops[i + 1]))


def along_curve(shade):
    return blend([(68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (220, 200, 30)], shade / (SHADES - 1))


def diverging(shade, shades):
    return blend([(33, 102, 172), (146, 197, 222), (235, 235, 235), (244, 165, 130), (178, 24, 43)], shade / (shades - 1))


def text(x, y, words, size=13, anchor="middle", colour=INK):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">{words}</text>'


def heat_map(left, width, table, ids, title):
    """A part of a table: cells in nine colours, missing values left white."""
    shades = 9
    height = HEIGHT - TOP - BOTTOM
    w, h = width / CELL_COLUMNS, height / CELL_ROWS
    cells = [[] for _ in range(shades)]
    for r, i in enumerate(ids):
        for c in range(CELL_COLUMNS):
            value = table[i][c] if i in table else None
            if value is not None:
                shade = round((shades - 1) / (1 + math.exp(-1.3 * value)))
                cells[shade].append(f"M{left + c * w:.1f} {TOP + r * h:.1f}h{w - 0.6:.1f}v{h - 0.6:.1f}h-{w - 0.6:.1f}z")
    out = [f'<path d="{"".join(d)}" fill="{diverging(s, shades)}"/>' for s, d in enumerate(cells) if d]
    out.append(f'<rect x="{left}" y="{TOP}" width="{width}" height="{height}" fill="none" stroke="#d0d0d0"/>')
    return out + [text(left + width / 2, HEIGHT - 14, title, 12, colour=GREY)]


class Panel:
    def __init__(self, left, width, box):
        self.left, self.width, self.box = left, width, box

    def at(self, x, y):
        (x0, x1), (y0, y1) = self.box
        height = HEIGHT - TOP - BOTTOM
        return self.left + self.width * (x - x0) / (x1 - x0), HEIGHT - BOTTOM - height * (y - y0) / (y1 - y0)

    def frame(self):
        return (f'<rect x="{self.left}" y="{TOP}" width="{self.width}" height="{HEIGHT - TOP - BOTTOM}" fill="none" '
                'stroke="#d0d0d0"/>')


def latent_panel(panel, points, bars):
    dots, lines = [[] for _ in range(SHADES)], [[] for _ in range(SHADES)]
    for n, ((x, y), (bx, by)) in enumerate(zip(points, bars)):
        shade = n * SHADES // len(points)
        (left, centre_y), (right, _) = panel.at(x - bx, y), panel.at(x + bx, y)
        (centre_x, low), (_, high) = panel.at(x, y - by), panel.at(x, y + by)
        lines[shade].append(f"M{left:.1f} {centre_y:.1f}H{right:.1f}M{centre_x:.1f} {low:.1f}V{high:.1f}")
        dots[shade].append(f"M{centre_x:.1f} {centre_y:.1f}h0")
    out = [panel.frame()]
    for s in range(SHADES):
        out.append(f'<path d="{"".join(lines[s])}" stroke="{along_curve(s)}" stroke-opacity="0.35" fill="none"/>')
        out.append(f'<path d="{"".join(dots[s])}" stroke="{along_curve(s)}" stroke-width="3.6" stroke-linecap="round"/>')
    return out


def imputation_panel(panel, cells):
    lines, dots = [], []
    for true, value, low, high in cells:
        x, y = panel.at(true, value)
        lines.append(f"M{x:.1f} {panel.at(true, low)[1]:.1f}V{panel.at(true, high)[1]:.1f}")
        dots.append(f"M{x:.1f} {y:.1f}h0")
    (x0, y0), (x1, y1) = panel.at(panel.box[0][0], panel.box[0][0]), panel.at(panel.box[0][1], panel.box[0][1])
    return [panel.frame(), f'<path d="M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}" stroke="#b0b0b0" stroke-dasharray="4 3"/>',
            f'<path d="{"".join(lines)}" stroke="{BLUE}" stroke-opacity="0.3"/>',
            f'<path d="{"".join(dots)}" stroke="{BLUE}" stroke-width="3.4" stroke-linecap="round"/>']


def main():
    run, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    truth, latent, sd = (read(run / f"{name}.csv") for name in ("latent_truth", "latent", "latent_sd"))
    ids = [i for i in truth if i in latent]  # rows are in the order of the curve
    tables = {name: read(run / f"{name}.csv") for name in ("rbf", "gibbs")}
    shown = ids[:: len(ids) // CELL_ROWS][:CELL_ROWS]
    body = [text(134, 28, "two tables of the same samples")]
    body += heat_map(20, 108, tables["rbf"], shown, "table 1") + heat_map(140, 108, tables["gibbs"], shown, "table 2")

    maps = affine(latent, truth, ids)
    learned = [[sum(c * v for c, v in zip(m, latent[i] + [1.0])) for m in maps] for i in ids]
    bars = [[sum((c * s) ** 2 for c, s in zip(m, sd[i])) ** 0.5 for m in maps] for i in ids]
    box = []
    for d in range(2):
        low, high = min(p[d] - b[d] for p, b in zip(learned, bars)), max(p[d] + b[d] for p, b in zip(learned, bars))
        box.append((low - 0.04 * (high - low), high + 0.04 * (high - low)))
    body += [text(456, 28, "two latent dimensions with uncertainty"), text(456, HEIGHT - 14, "coloured along the true curve", 12, colour=GREY)]
    body += latent_panel(Panel(286, 340, box), learned, bars)

    filled, lo, hi, complete = (read(run / name) for name in
                                ("imputed/rbf.csv", "imputed/rbf_lo.csv", "imputed/rbf_hi.csv", "rbf_truth.csv"))
    missing = [(i, c) for i in ids for c in range(len(complete[i])) if i not in tables["rbf"] or tables["rbf"][i][c] is None]
    picked = missing[:: len(missing) // 150]
    cells = [(complete[i][c], filled[i][c], lo[i][c], hi[i][c]) for i, c in picked]
    low, high = min(min(cell) for cell in cells), max(max(cell) for cell in cells)
    body += [text(800, 28, "missing values imputed, 90 % intervals"), text(800, HEIGHT - 14, "imputed (vertical) against true (horizontal)", 12, colour=GREY)]
    body += imputation_panel(Panel(660, 280, [(low - 0.1, high + 0.1)] * 2), cells)
    target.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
                      f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>' + "\n".join(body) + "</svg>\n", encoding="utf-8")


if __name__ == "__main__":
    main()
