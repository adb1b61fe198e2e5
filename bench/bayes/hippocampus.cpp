// Place cells: latents of spike counts, found without the position of the rat, must tell it by a linear map.

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
#include <cstdio>

#include "bochner/data/scaling.hpp"
#include "parts.hpp"
#include "support/public_data.hpp"

namespace bochner::bench {
namespace {

/// Scores of factor analysis, y = Lambda z + noise with a variance for each column, by expectation and maximisation.
Matrix factor_scores(const Matrix& Y, Index Q) {
  const Matrix Z = fit_scaling(Y, ScalingKind::standardise).apply(Y);
  const Index M = Z.cols();
  const Matrix S = Z.transpose() * Z / double(Z.rows());
  Matrix Lambda = 0.1 * Rng(1).normal(M, Q);
  Vector psi = Vector::Ones(M);
  Matrix beta;
  for (int i = 0; i < 500; ++i) {
    const Matrix scaled = psi.cwiseInverse().asDiagonal() * Lambda;  // M x Q
    const Matrix precision = Matrix::Identity(Q, Q) + Lambda.transpose() * scaled;
    beta = precision.llt().solve(scaled.transpose());  // Q x M
    const Matrix cross = S * beta.transpose();
    const Matrix second = Matrix::Identity(Q, Q) - beta * Lambda + beta * cross;
    Lambda = second.llt().solve(cross.transpose()).transpose();
    psi = (S - Lambda * beta * S).diagonal().cwiseMax(1e-3);
  }
  return Z * beta.transpose();
}

/// Mean over coordinates of R^2 on held-out bins, five folds of neighbouring bins: position is smooth in time, and
/// scattered folds would be told by their neighbours.
double linear_r2(const Matrix& X, const Matrix& position) {
  const Index N = X.rows(), folds = 5;
  Matrix predicted(N, position.cols());
  for (Index f = 0; f < folds; ++f) {
    std::vector<Index> in, out;
    for (Index n = 0; n < N; ++n) (n * folds / N == f ? out : in).push_back(n);
    Matrix A(N, X.cols() + 1);
    A << X, Vector::Ones(N);
    const Matrix a = A(in, Eigen::all), b = A(out, Eigen::all);
    const Matrix weights = (a.transpose() * a).ldlt().solve(a.transpose() * position(in, Eigen::all));
    const Matrix guess = b * weights;
    for (std::size_t i = 0; i < out.size(); ++i) predicted.row(out[i]) = guess.row(Index(i));
  }
  const Matrix centred = position.rowwise() - position.colwise().mean();
  return (1 -
          (predicted - position).colwise().squaredNorm().array() / centred.colwise().squaredNorm().array())
      .mean();
}

}  // namespace

void hippocampus(const Settings& s) {
  const Matrix Y = read_array(s.data, "hippocampus", "spikes"),
               position = read_array(s.data, "hippocampus", "position");
  std::printf("%-8s %22s %22s %10s %10s\n", "latents", "dynamic poisson", "static poisson", "PCA", "factors");
  for (const Index Q : {2, 3}) {
    std::vector<double> dynamic, fixed;
    for (Index seed = 1; seed <= s.seeds; ++seed)
      for (const bool over_time : {true, false}) {
        BayesData data = one_view(Y);
        data.axis.time = Vector::LinSpaced(Y.rows(), 0, 1);
        const BayesFit fit = fit_bayes(data,
                                       {.dims = Q,
                                        .views = {{.likelihood = BayesLikelihood::poisson}},
                                        .latent = {over_time},
                                        .chains = 1,
                                        .warmup = s.warmup,
                                        .draws = s.draws,
                                        .stored = 5,
                                        .start = BayesStart::pca},
                                       std::uint64_t(seed), s.threads);
        (over_time ? dynamic : fixed).push_back(linear_r2(fit.latent.mean, position));
      }
    std::printf(
        "%-8ld %22s %22s %10.3f %10.3f\n", long(Q), mean_sd(dynamic).c_str(), mean_sd(fixed).c_str(),
        linear_r2(principal_components(Y.array().sqrt(), Q, ScalingKind::standardise, s.threads), position),
        linear_r2(factor_scores(Y.array().sqrt(), Q), position));
    std::fflush(stdout);
  }
}

}  // namespace bochner::bench
