#include "bochner/likelihoods/predictive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "entrywise.hpp"
#include "outcome_distributions.hpp"

namespace bochner {

using namespace detail;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Index rows_together = 64;

/// One entry of a mixture of equal parts.
template <class D>
class MixtureEntry {
 public:
  MixtureEntry(const D& part, const std::vector<LatentMarginals>& draws, Index n, Index p)
      : part_(part), draws_(draws), n_(n), p_(p) {}

  double cdf(double t) const {
    double sum = 0;
    for (const LatentMarginals& d : draws_) sum += part_.cdf(p_, t, part_.marginal(d, n_, p_));
    return sum / double(draws_.size());
  }

  double quantile(double level) const {
    double low = infinity, high = -infinity, width = 0;
    for (const LatentMarginals& d : draws_) {
      const OutcomeMarginal f = part_.marginal(d, n_, p_);
      const double c = part_.centre(p_, f);
      low = std::min(low, c);
      high = std::max(high, c);
      width = std::max(width, part_.width(p_, f));
    }
    if constexpr (D::whole) return count(level, high, width);
    double step = width;
    while (cdf(low) >= level) low -= step, step *= 2;
    for (step = width; cdf(high) < level; step *= 2) high += step;
    return root(level, low, high, width);
  }

 private:
  /// The Illinois variant of false position: safe as bisection, and superlinear [dowell1971].
  double root(double level, double low, double high, double width) const {
    double below = cdf(low) - level, above = cdf(high) - level;
    int side = 0;
    for (int i = 0; i < 200 && high - low > 1e-12 * width; ++i) {
      double t = i % 8 == 7 ? 0.5 * (low + high) : low - below * (high - low) / (above - below);
      if (!(t > low && t < high)) t = 0.5 * (low + high);
      if (!(t > low && t < high)) break;  // neighbours among the doubles
      const double here = cdf(t) - level;
      if (here == 0) return t;
      if (here < 0) {
        low = t, below = here;
        if (side == -1) above /= 2;
        side = -1;
      } else {
        high = t, above = here;
        if (side == 1) below /= 2;
        side = 1;
      }
    }
    return 0.5 * (low + high);
  }

  /// False position with a bisection every third time, on whole numbers.
  double count(double level, double start, double width) const {
    constexpr double largest = 1e15;  // beyond, whole numbers are no longer told apart
    double high = std::ceil(std::min(start, largest)), above = cdf(high), low = -1, below = 0;
    for (double step = std::ceil(width); above < level; step *= 2) {
      if (high >= largest) return infinity;
      low = high, below = above;
      above = cdf(high += step);
    }
    for (double step = std::ceil(width); low < 0 && high - step > 0; step *= 2) {
      const double t = high - step, here = cdf(t);
      if (here < level)
        low = t, below = here;
      else
        high = t, above = here;
    }
    for (int i = 0; high - low > 1; ++i) {
      const double share = i % 3 == 2 || !(above > below) ? 0.5 : (level - below) / (above - below);
      const double t = std::clamp(std::floor(low + share * (high - low)), low + 1, high - 1), here = cdf(t);
      if (here < level)
        low = t, below = here;
      else
        high = t, above = here;
    }
    return high;
  }

  const D& part_;
  const std::vector<LatentMarginals>& draws_;
  Index n_, p_;
};

[[noreturn]] void refuse(const AnyLikelihood& any) {
  throw std::invalid_argument("quantiles: the outcomes of " + likelihood_name(any) +
                              " are classes of several latents; use probability_quantiles for softmax");
}

/// f(the distribution) for the likelihood.
template <class F>
void with_outcome(const AnyLikelihood& any, const F& f) {
  if (const auto* l = std::get_if<GaussianNoise>(&any)) return f(GaussianOutcome{{}, *l});
  if (const auto* l = std::get_if<HeteroscedasticNoise>(&any)) return f(HeteroscedasticOutcome{{}, *l});
  if (const auto* l = std::get_if<StudentT>(&any)) return f(StudentOutcome{*l});
  if (const auto* l = std::get_if<Poisson>(&any)) return f(PoissonOutcome{{}, *l});
  if (const auto* l = std::get_if<NegativeBinomial>(&any)) return f(NegativeBinomialOutcome{{}, *l});
  if (std::holds_alternative<Bernoulli>(any)) return f(FunctionOutcome{});
  refuse(any);
}

void check_draws(const AnyLikelihood& any, const std::vector<LatentMarginals>& draws) {
  check_at_least("quantiles", "draws", Index(draws.size()), 1);
  for (const LatentMarginals& d : draws) check_marginals("quantiles", latents(any), d.mean, d.variance);
}

void check_levels(const std::vector<double>& levels) {
  for (const double level : levels) {
    check_positive("quantiles", "level", level);
    check_between("quantiles", "level", level, 0, std::nextafter(1.0, 0.0));
  }
}

}  // namespace

bool has_quantiles(const AnyLikelihood& any) {
  return !std::holds_alternative<Softmax>(any) && !std::holds_alternative<RobustMax>(any);
}

Matrix cumulative(const AnyLikelihood& any, const std::vector<LatentMarginals>& draws, MatrixIn T,
                  const Compute& compute) {
  check_draws(any, draws);
  check_size("cumulative", "rows of T", T.rows(), "rows of the marginals", draws.front().mean.rows());
  check_size("cumulative", "columns of T", T.cols(), "outputs", outputs(any));
  Matrix out = T;
  if (std::holds_alternative<Bernoulli>(any))
    out = T.unaryExpr([](double p) {
      return std::isnan(p) ? p : p <= 0 ? -infinity : p >= 1 ? infinity : normal_quantile(p);
    });
  with_outcome(any, [&](const auto& part) {
    for_each_block(compute, T.rows(), rows_together, [&](Index begin, Index size) {
      for (Index n = begin; n < begin + size; ++n)
        for (Index p = 0; p < T.cols(); ++p)
          if (!std::isnan(out(n, p))) out(n, p) = MixtureEntry(part, draws, n, p).cdf(out(n, p));
    });
  });
  return out;
}

std::vector<Matrix> quantiles(const AnyLikelihood& any, const std::vector<LatentMarginals>& draws,
                              const std::vector<double>& levels, const Compute& compute) {
  check_draws(any, draws);
  check_levels(levels);
  const Index N = draws.front().mean.rows(), P = outputs(any);
  std::vector<Matrix> out(levels.size(), Matrix(N, P));
  with_outcome(any, [&](const auto& part) {
    for_each_block(compute, N, rows_together, [&](Index begin, Index size) {
      for (Index n = begin; n < begin + size; ++n)
        for (Index p = 0; p < P; ++p)
          for (std::size_t i = 0; i < levels.size(); ++i)
            out[i](n, p) = MixtureEntry(part, draws, n, p).quantile(levels[i]);
    });
  });
  if (std::holds_alternative<Bernoulli>(any))
    for (Matrix& q : out) q = q.unaryExpr(&normal_cdf);
  return out;
}

std::vector<Matrix> probability_quantiles(const Softmax& softmax, const std::vector<LatentMarginals>& draws,
                                          const std::vector<double>& levels, const Rng& rng,
                                          const Compute& compute) {
  check_draws(softmax, draws);
  check_levels(levels);
  constexpr Index pairs = 1000;
  const Index N = draws.front().mean.rows(), K = softmax.classes, D = Index(draws.size());
  const Matrix z = Rng(rng).normal(pairs, K);
  std::vector<Matrix> out(levels.size(), Matrix(N, K));
  for_each_block(compute, N, rows_together, [&](Index begin, Index size) {
    Matrix p(2 * pairs, K);
    for (Index n = begin; n < begin + size; ++n) {
      for (Index i = 0; i < 2 * pairs; ++i) {
        const LatentMarginals& d = draws[static_cast<std::size_t>((i / 2) % D)];
        const auto step = z.row(i / 2).array() * d.variance.row(n).array().sqrt();
        const Vector f = (d.mean.row(n).array() + (i % 2 == 0 ? 1.0 : -1.0) * step).matrix().transpose();
        const Vector e = (f.array() - f.maxCoeff()).exp();
        p.row(i) = (e / e.sum()).transpose();
      }
      for (Index k = 0; k < K; ++k) {
        Vector sorted = p.col(k);
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t l = 0; l < levels.size(); ++l) {
          const double at = levels[l] * double(2 * pairs - 1);
          const auto i = static_cast<Index>(at);
          out[l](n, k) = sorted(i) + (at - double(i)) * (sorted(std::min(i + 1, 2 * pairs - 1)) - sorted(i));
        }
      }
    }
  });
  return out;
}

}  // namespace bochner
