#!/usr/bin/env python3
"""Draws docs/demo.svg from a run folder of `bochner demo`: plain Python, no packages.

    make demo && tools/plot_demo.py run docs/demo.svg

Left the true latents, right those that were learned from the two tables with holes, turned and stretched onto the truth
(a latent is known up to an affine map), with bars of one standard deviation. Colour runs along the true curve.
"""
import csv
import pathlib
import sys

WIDTH, HEIGHT, MARGIN, TOP = 960, 400, 30, 44


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return {row[0]: [float(v) for v in row[1:]] for row in rows[1:]}


def solve(A, b):
    """Gauss elimination with pivoting; A is small."""
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


def colour(share):
    stops = [(68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (220, 200, 30)]
    at = share * (len(stops) - 1)
    i = min(int(at), len(stops) - 2)
    return "#%02x%02x%02x" % tuple(round(a + (b - a) * (at - i)) for a, b in zip(stops[i], stops[i + 1]))


def panel(left, width, title, points, bars, box):
    (x0, x1), (y0, y1) = box

    def x(v):
        return left + width * (v - x0) / (x1 - x0)

    def y(v):
        return HEIGHT - MARGIN - (HEIGHT - MARGIN - TOP) * (v - y0) / (y1 - y0)

    out = [f'<text x="{left + width / 2:.0f}" y="26" text-anchor="middle" font-size="15">{title}</text>',
           f'<rect x="{left}" y="{TOP}" width="{width}" height="{HEIGHT - MARGIN - TOP}" fill="none" stroke="#d0d0d0"/>']
    for n, (px, py) in enumerate(points):
        shade = colour(n / (len(points) - 1))
        if bars:
            bx, by = bars[n]
            out.append(f'<path d="M{x(px - bx):.1f} {y(py):.1f}H{x(px + bx):.1f}M{x(px):.1f} {y(py - by):.1f}V{y(py + by):.1f}" '
                       f'stroke="{shade}" stroke-opacity="0.4"/>')
        out.append(f'<circle cx="{x(px):.1f}" cy="{y(py):.1f}" r="2.2" fill="{shade}"/>')
    return out


def main():
    run, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    truth, latent, sd = (read(run / f"{name}.csv") for name in ("latent_truth", "latent", "latent_sd"))
    ids = [i for i in truth if i in latent]  # rows come in the order of the curve
    maps = affine(latent, truth, ids)
    learned = [[sum(c * v for c, v in zip(m, latent[i] + [1.0])) for m in maps] for i in ids]
    bars = [[sum((c * s) ** 2 for c, s in zip(m, sd[i])) ** 0.5 for m in maps] for i in ids]
    true = [truth[i][:2] for i in ids]
    box = []
    for d in range(2):
        low, high = min(p[d] for p in true + learned), max(p[d] for p in true + learned)
        box.append((low - 0.05 * (high - low), high + 0.05 * (high - low)))
    half = (WIDTH - 3 * MARGIN) / 2
    body = panel(MARGIN, half, "the truth", true, None, box)
    body += panel(2 * MARGIN + half, half, "learned from two tables with holes", learned, bars, box)
    target.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
                      f'font-size="12"><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>' + "\n".join(body) + "</svg>\n",
                      encoding="utf-8")


if __name__ == "__main__":
    main()
