#!/usr/bin/env python3
"""Steps of random features on a card against PyTorch, eager and compiled, in the same run on the same card.

    bench/cuda/run.py [--program build/bench/bench_cuda] [--skip-compiled]

Prints a table: milliseconds of a step in double (the bound, its gradient, Adam) and how many times faster ours is. Run it
where PyTorch sees the card; bench_cuda finds the plugin by itself or by BOCHNER_CUDA.
"""

import argparse
import importlib.util
import math
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import torch

HERE = Path(__file__).resolve().parent
CASES = [(1000, 784, 200, 1), (10000, 32, 200, 2), (10000, 784, 200, 1), (70000, 784, 200, 1), (70000, 784, 2000, 1), (500000, 100, 200, 1)]


def reference():
    for folder in (HERE.parent / "reference", HERE):
        path = folder / "torch_gplvm.py"
        if path.exists():
            spec = importlib.util.spec_from_file_location("torch_gplvm", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
    sys.exit("run.py: torch_gplvm.py is neither in bench/reference nor here")


class Views(torch.nn.Module):
    """Several views of one q(X): the first one holds it."""

    def __init__(self, module, tables, features):
        super().__init__()
        self.views = torch.nn.ModuleList(
            [module.NgsmGplvm(Y, frequencies=features // 4, latents=i == 0) for i, Y in enumerate(tables)]
        )
        self.entries = sum(Y.numel() for Y in tables)

    def forward(self):
        first = self.views[0]
        sd = first.log_sd.exp()
        X = first.mean + sd * torch.randn_like(sd)
        kl = 0.5 * (first.mean.square() + sd.square() - 1).sum() - first.log_sd.sum()
        return (kl - sum(view.evidence(X) for view in self.views)) / self.entries


def step_ms(model, compiled):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03, fused=True)
    forward = torch.compile(model) if compiled else model

    def step():
        optimizer.zero_grad(set_to_none=True)
        forward().backward()
        optimizer.step()

    for _ in range(5):
        step()
    torch.cuda.synchronize()
    rounds = []
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(5):
            step()
        torch.cuda.synchronize()
        rounds.append((time.perf_counter() - start) / 5)
    return 1e3 * statistics.median(rounds)


def theirs(module, case, compiled):
    rows, cols, features, views = case
    torch.manual_seed(0)
    torch._dynamo.reset()
    tables = []
    for _ in range(views):
        Y = torch.randn(rows, 2, dtype=torch.float64, device="cuda") @ torch.randn(2, cols, dtype=torch.float64, device="cuda")
        Y += torch.randn_like(Y)
        tables.append(Y / Y.square().mean().sqrt())
    model = Views(module, tables, features).to("cuda")
    return step_ms(model, compiled)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(HERE.parent.parent / "build/bench/bench_cuda"))
    parser.add_argument("--libraries", help="folder of libraries for the program alone, not for PyTorch")
    parser.add_argument("--skip-compiled", action="store_true")
    arguments = parser.parse_args()
    module = reference()
    ours, missing = {}, {}
    environment = dict(os.environ)
    if arguments.libraries:
        environment["LD_LIBRARY_PATH"] = arguments.libraries + ":/usr/local/cuda/lib64:" + environment.get("LD_LIBRARY_PATH", "")
    process = subprocess.Popen([arguments.program, "cuda"], stdout=subprocess.PIPE, text=True, env=environment)
    for line in process.stdout:
        words = line.split()
        if words[0] != "ours":
            print(line, end="", flush=True)
            continue
        case = tuple(int(w) for w in words[1:5])
        (ours if float(words[5]) == 0 else missing)[case] = float(words[7])
    if process.wait() != 0:
        sys.exit(1)
    rows = []
    for case in CASES:
        eager = theirs(module, case, False)
        compiled = math.nan
        if not arguments.skip_compiled:
            try:
                compiled = theirs(module, case, True)
            except Exception as error:  # a compiler that fails is a result too
                print(f"torch.compile failed: {type(error).__name__}: {str(error)[:200]}", flush=True)
        rows.append((case, eager, compiled))
        print(f"torch {case}: eager {eager:.3f} ms, compiled {compiled:.3f} ms", flush=True)
    print(f"\nPyTorch {torch.__version__}; milliseconds of a step in double\n")
    print("| table, features | ours | 5 % missing | PyTorch eager | compiled | times faster |")
    print("| --- | --- | --- | --- | --- | --- |")
    for case, eager, compiled in rows:
        n, m, f, v = case
        mine = ours[case]
        print(
            f"| {n} x {m}{', two views' if v == 2 else ''}, {f} | {mine:.3f} | {missing[case]:.3f} | {eager:.2f} | {compiled:.2f} | {eager / mine:.1f} / {compiled / mine:.1f} |"
        )


if __name__ == "__main__":
    main()
