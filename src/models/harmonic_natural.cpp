#include "harmonic_natural.hpp"

#include "bochner/core/checks.hpp"
#include "harmonic_groups.hpp"

namespace bochner {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

NaturalPosterior natural_posterior(const HarmonicGp& gp, const Threads& threads) {
  const Index H = gp.groups();
  NaturalPosterior out{std::vector<Matrix>(at(H)), std::vector<std::vector<Matrix>>(at(H))};
  for_each_group(H, threads, [&](Index h) {
    for (const Matrix& F : gp.factor[at(h)])
      out.precision[at(h)].push_back(inverse(CholeskyFactor{.L = F}, threads));
    const std::vector<Matrix>& own = out.precision[at(h)];
    out.shift[at(h)] = gp.mean[at(h)];
    for (Index p = 0; p < gp.latents(); ++p)
      out.shift[at(h)].col(p) = own[own.size() == 1 ? 0 : at(p)] * gp.mean[at(h)].col(p);
  });
  return out;
}

void natural_step(NaturalPosterior& natural, const NaturalTarget& target, double step, HarmonicGp& gp,
                  const Threads& threads) {
  check_between("natural_step", "step", step, 0, 1);
  for_each_group(gp.groups(), threads, [&](Index h) {
    Matrix& shift = natural.shift[at(h)];
    shift = (1 - step) * shift + step * target.shift[at(h)];
    std::vector<Matrix>& own = gp.factor[at(h)];
    for (std::size_t c = 0; c < own.size(); ++c) {
      Matrix& precision = natural.precision[at(h)][c];
      precision.triangularView<Eigen::Lower>() = (1 - step) * precision + step * target.precision[at(h)][c];
      own[c] = cholesky_of_inverse(precision, {.what = "the precision of q(v)"}, threads);
    }
    // m = Lambda^-1 shift = F (F'shift)
    const auto of = [&](const Matrix& F, MatrixIn b) -> Matrix {
      const Matrix Fb = F.transpose().triangularView<Eigen::Upper>() * b;
      return F.triangularView<Eigen::Lower>() * Fb;
    };
    if (own.size() == 1)
      gp.mean[at(h)] = of(own.front(), shift);
    else
      for (Index p = 0; p < gp.latents(); ++p) gp.mean[at(h)].col(p) = of(own[at(p)], shift.col(p));
  });
}

}  // namespace bochner
