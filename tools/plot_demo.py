#!/usr/bin/env python3
"""Draws docs/demo.svg from a run folder of `bochner demo`: plain Python, no packages.

    make demo && tools/plot_demo.py run docs/demo.svg

One panel per output: the new samples from the smallest true value to the largest, the truth as a line, and each
prediction with its 90 % interval, orange where the interval misses the measured value.
"""
import csv
import pathlib
import sys

WIDTH, HEIGHT, MARGIN, GAP = 960, 300, 46, 44


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return {row.pop("id"): {k: float(v) if v else None for k, v in row.items()} for row in csv.DictReader(file)}


def panel(left, width, name, predictions, truth, measured):
    ids = sorted(truth, key=lambda i: truth[i][name])
    low = min(min(predictions[i][name + "_lo"] for i in ids), truth[ids[0]][name])
    high = max(max(predictions[i][name + "_hi"] for i in ids), truth[ids[-1]][name])
    top, bottom = 30, HEIGHT - MARGIN

    def x(n):
        return left + width * n / (len(ids) - 1)

    def y(v):
        return bottom - (bottom - top) * (v - low) / (high - low)

    out = [f'<text x="{left + width / 2:.0f}" y="20" text-anchor="middle" font-size="14">{name}</text>']
    for n in range(5):
        v = low + (high - low) * n / 4
        out.append(f'<line x1="{left}" x2="{left + width}" y1="{y(v):.1f}" y2="{y(v):.1f}" stroke="#e6e6e6"/>')
        out.append(f'<text x="{left - 6}" y="{y(v) + 4:.1f}" text-anchor="end" fill="#666">{v:.1f}</text>')
    missed = 0
    for n, i in enumerate(ids):
        p = predictions[i]
        value = measured[i][name]
        inside = value is None or p[name + "_lo"] <= value <= p[name + "_hi"]
        missed += not inside
        colour = "#39598f" if inside else "#d9822b"
        out.append(f'<line x1="{x(n):.1f}" x2="{x(n):.1f}" y1="{y(p[name + "_lo"]):.1f}" y2="{y(p[name + "_hi"]):.1f}" '
                   f'stroke="{colour}" stroke-opacity="0.45" stroke-width="2"/>')
        out.append(f'<circle cx="{x(n):.1f}" cy="{y(p[name]):.1f}" r="1.6" fill="{colour}"/>')
    line = " ".join(f"{x(n):.1f},{y(truth[i][name]):.1f}" for n, i in enumerate(ids))
    out.append(f'<polyline points="{line}" fill="none" stroke="#111" stroke-width="1.2"/>')
    out.append(f'<text x="{left + width / 2:.0f}" y="{HEIGHT - 24}" text-anchor="middle" fill="#444">{len(ids)} new samples by '
               f'true value, {missed} measurements outside</text>')
    return out


def main():
    run, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    predictions, truth = read(run / "predictions.csv"), read(run / "new_truth.csv")
    measured = read(run / "new_targets.csv")
    names = list(next(iter(truth.values())))
    width = (WIDTH - 2 * MARGIN - GAP * (len(names) - 1)) / len(names)
    body = []
    for n, name in enumerate(names):
        body += panel(MARGIN + n * (width + GAP), width, name, predictions, truth, measured)
    legend = ('<tspan fill="#111">line: truth</tspan>   <tspan fill="#39598f">points: prediction and 90 % interval</tspan>   '
              '<tspan fill="#d9822b">orange: measurement outside</tspan>')
    body.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 6}" text-anchor="middle" xml:space="preserve">{legend}</text>')
    target.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
                      'font-family="Helvetica, Arial, sans-serif" font-size="11"><rect width="100%" height="100%" fill="#fff"/>\n'
                      + "\n".join(body) + "\n</svg>\n", encoding="utf-8")


if __name__ == "__main__":
    main()
