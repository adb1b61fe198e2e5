"""Top 20 components by scikit-learn's KernelPCA, on the inputs that `bench_rkm components --folder` left.

    python sklearn_kpca.py --folder inputs --threads 2 --sizes 2000,10000
"""

import argparse
import os

parser = argparse.ArgumentParser()
parser.add_argument("--folder", required=True)
parser.add_argument("--threads", type=int, default=2)
parser.add_argument("--sizes", default="2000,10000")
arguments = parser.parse_args()
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):  # read when numpy is loaded
    os.environ[name] = str(arguments.threads)

import time  # noqa: E402

import numpy as np  # noqa: E402
import sklearn  # noqa: E402
from sklearn.decomposition import KernelPCA  # noqa: E402

print(f"scikit-learn {sklearn.__version__}, {arguments.threads} threads")
for n in map(int, arguments.sizes.split(",")):
    X = np.load(f"{arguments.folder}/x_{n}.npy")
    for solver in ("arpack", "randomized"):
        best = np.inf
        for _ in range(3 if n <= 2000 else 2):
            model = KernelPCA(20, kernel="rbf", gamma=1 / (2 * 8.0**2), eigen_solver=solver, random_state=0)
            start = time.perf_counter()
            model.fit(X)
            best = min(best, time.perf_counter() - start)
        values = model.eigenvalues_
        print(f"sklearn_seconds {n} {best:.4f} {values[0]:.9f} {values[19]:.9f} {solver}", flush=True)
