"""What the Python package adds to a call of the core, at 1000 x 784: ratios of times in one run.

    .venv/bin/python bench/python_overhead.py
"""

import functools
import statistics
import time

import numpy as np

from bochner import MultiViewGPLVM, MultiViewKernelPCA, _core


def seconds(call, repeats):
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def main():
    rng = np.random.default_rng(0)
    Y = np.tanh(rng.normal(size=(1000, 5)) @ rng.normal(size=(5, 784))) + 0.1 * rng.normal(size=(1000, 784))
    ids = [str(n) for n in range(1000)]
    columns = [f"X_{m}" for m in range(784)]

    def core_data():
        return _core.dataset([("X", ids, columns, Y)], False)

    def core_fit():
        fit, _ = _core.fit_gplvm(
            core_data(), [("rbf", "auto", None)], 2, 2, "auto", 20, 0.1, 80, 1, False, 1, 2, None
        )
        fit.relevance(core_data(), 2)

    model = MultiViewGPLVM(kernel="rbf", max_iter=20, n_restarts=1, random_state=1, n_jobs=2).fit(Y)
    kpca = MultiViewKernelPCA(random_state=1, n_jobs=2).fit(Y)
    calls = [
        ("MultiViewGPLVM.fit, 20 steps", model.fit, core_fit),
        ("MultiViewGPLVM.transform", model.transform, lambda: model._fit.embed(core_data(), 2)),
        ("MultiViewKernelPCA.transform", kpca.transform, lambda: kpca._fit.scores(kpca._fit.embed(core_data(), 2))),
    ]
    print(f"{'call':32} {'package':>10} {'core':>10} {'overhead':>10}")
    for name, ours, core in calls:
        pairs = [(seconds(functools.partial(ours, Y), 1), seconds(core, 1)) for _ in range(9)]
        package, alone = (statistics.median(p[i] for p in pairs) for i in (0, 1))
        overhead = statistics.median(p[0] / p[1] for p in pairs) - 1
        print(f"{name:32} {1e3 * package:8.1f} ms {1e3 * alone:8.1f} ms {100 * overhead:9.1f} %")


if __name__ == "__main__":
    main()
