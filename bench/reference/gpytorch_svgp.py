"""The step of bench_harmonic in GPyTorch: the reference that it is timed against.

A sparse variational GP with a whitened Cholesky posterior, Matern 3/2 with one length-scale, Gaussian noise, trainable
inducing points, one step of Adam on everything for a batch of 256 rows of 8 columns, in double precision.

    python gpytorch_svgp.py [--threads n] [--sizes m,m,..]
"""

import argparse
import statistics
import time
import warnings

warnings.filterwarnings("ignore")  # before these are imported
import gpytorch  # noqa: E402
import torch  # noqa: E402


class Svgp(gpytorch.models.ApproximateGP):
    def __init__(self, Z):
        q = gpytorch.variational.CholeskyVariationalDistribution(Z.shape[0])
        super().__init__(gpytorch.variational.VariationalStrategy(self, Z, q, learn_inducing_locations=True))
        self.mean_module = gpytorch.means.ZeroMean()
        self.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.MaternKernel(nu=1.5))
        self.covar_module.base_kernel.lengthscale = Z.shape[1] ** 0.5 * 1.4

    def forward(self, x):
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


def step_milliseconds(inducing, steps):
    torch.manual_seed(0)
    X = torch.randn(10000, 8, dtype=torch.float64)
    y = X.norm(dim=1).sin()
    model = Svgp(X[:inducing].clone()).double()
    likelihood = gpytorch.likelihoods.GaussianLikelihood().double()
    model.train(), likelihood.train()
    bound = gpytorch.mlls.VariationalELBO(likelihood, model, num_data=len(X))
    optimiser = torch.optim.Adam([*model.parameters(), *likelihood.parameters()], lr=0.01)
    times = []
    for _ in range(steps + 3):
        rows = torch.randint(len(X), (256,))
        start = time.perf_counter()
        optimiser.zero_grad()
        loss = -bound(model(X[rows]), y[rows])
        loss.backward()
        optimiser.step()
        times.append(time.perf_counter() - start)
    return 1e3 * statistics.median(times[3:])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--sizes", default="500,1000,2000")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    print(f"GPyTorch {gpytorch.__version__}, PyTorch {torch.__version__}, {torch.get_num_threads()} threads")
    for size in map(int, arguments.sizes.split(",")):
        print(f"gpytorch_ms {size} {step_milliseconds(size, 25 if size < 1000 else 12):.2f}", flush=True)
