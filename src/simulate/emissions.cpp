#include "bochner/simulate/emissions.hpp"

#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/core/transforms.hpp"
#include "bochner/random/count_draws.hpp"

namespace bochner {
namespace {

template <class... F>
struct Overload : F... {
  using F::operator()...;
};
template <class... F>
Overload(F...) -> Overload<F...>;  // clang before 17 does not deduce aggregates

using RowVector = Eigen::Matrix<double, 1, Eigen::Dynamic>;

RowVector softmax(const RowVector& f) {
  const RowVector e = (f.array() - f.maxCoeff()).exp();
  return e / e.sum();
}

/// Entry by entry, the very numbers that the draws use.
Matrix exponentials(MatrixIn F) {
  return F.unaryExpr([](double f) { return std::exp(f); });
}

Vector dispersion(const NegativeBinomialEmission& e, Index M) {
  return e.r.size() > 0 ? e.r : Vector::LinSpaced(M, 1, static_cast<double>(M));
}

}  // namespace

void check_emission(const Emission& emission, Index M) {
  check_at_least("check_emission", "the number of columns", M, 1);
  std::visit(
      Overload{[](const GaussianEmission& e) {
                 check_non_negative("GaussianEmission", "noise_variance", e.noise_variance);
                 check_finite("GaussianEmission", "offset", e.offset);
               },
               [](const PoissonEmission&) {},
               [M](const NegativeBinomialEmission& e) {
                 if (e.r.size() == 0) return;
                 check_size("NegativeBinomialEmission", "the length of r", e.r.size(),
                            "the number of columns", M);
                 check_positive("NegativeBinomialEmission", "r", e.r);
               },
               [](const BinomialEmission& e) { check_at_least("BinomialEmission", "trials", e.trials, 1); },
               [M](const MultinomialEmission& e) {
                 check_at_least("MultinomialEmission", "trials", e.trials, 1);
                 check_at_least("MultinomialEmission", "the number of columns", M, 2);
               }},
      emission);
}

Vector emission_dispersion(const Emission& emission, Index M) {
  const auto* e = std::get_if<NegativeBinomialEmission>(&emission);
  return e ? dispersion(*e, M) : Vector();
}

Matrix emission_mean(const Emission& emission, MatrixIn F) {
  check_emission(emission, F.cols());
  return std::visit(Overload{[&](const GaussianEmission& e) -> Matrix { return F.array() + e.offset; },
                             [&](const PoissonEmission&) -> Matrix { return exponentials(F); },
                             [&](const NegativeBinomialEmission& e) -> Matrix {
                               return exponentials(F) * dispersion(e, F.cols()).asDiagonal();
                             },
                             [&](const BinomialEmission& e) -> Matrix {
                               return static_cast<double>(e.trials) *
                                      F.unaryExpr(&LogisticTransform::constrain).array();
                             },
                             [&](const MultinomialEmission& e) {
                               Matrix mean(F.rows(), F.cols());
                               for (Index n = 0; n < F.rows(); ++n)
                                 mean.row(n) = static_cast<double>(e.trials) * softmax(F.row(n));
                               return mean;
                             }},
                    emission);
}

Matrix draw_emission(const Emission& emission, MatrixIn F, const Rng& rng) {
  check_emission(emission, F.cols());
  check_finite("draw_emission", "F", F);
  const Index M = F.cols();
  Matrix Y(F.rows(), M);
  const auto by_row = [&](const auto& draw) {  // draw(n, m, stream of the row)
    for (Index n = 0; n < F.rows(); ++n) {
      Rng row = rng.split(static_cast<std::uint64_t>(n));
      for (Index m = 0; m < M; ++m) Y(n, m) = static_cast<double>(draw(n, m, row));
    }
  };
  std::visit(Overload{[&](const GaussianEmission& e) {
                        const double sigma = std::sqrt(e.noise_variance);
                        by_row([&](Index n, Index m, Rng& row) {
                          return F(n, m) + e.offset + sigma * row.normal();
                        });
                      },
                      [&](const PoissonEmission&) {
                        by_row([&](Index n, Index m, Rng& row) { return poisson(std::exp(F(n, m)), row); });
                      },
                      [&](const NegativeBinomialEmission& e) {
                        const Vector r = dispersion(e, M);
                        by_row([&](Index n, Index m, Rng& row) {
                          return negative_binomial(r(m), std::exp(F(n, m)), row);
                        });
                      },
                      [&](const BinomialEmission& e) {
                        by_row([&](Index n, Index m, Rng& row) {
                          return binomial(e.trials, LogisticTransform::constrain(F(n, m)), row);
                        });
                      },
                      [&](const MultinomialEmission& e) {
                        for (Index n = 0; n < F.rows(); ++n) {
                          Rng row = rng.split(static_cast<std::uint64_t>(n));
                          const Vector weights = softmax(F.row(n)).transpose();
                          Y.row(n) = multinomial(e.trials, weights, row).cast<double>().transpose();
                        }
                      }},
             emission);
  return Y;
}

}  // namespace bochner
