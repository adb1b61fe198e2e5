#include "bayes_weights.hpp"

#include <Eigen/Cholesky>
#include <cmath>

#include "bochner/core/errors.hpp"
#include "bochner/core/polya_gamma.hpp"
#include "bochner/core/vector_math.hpp"
#include "bochner/linalg/products.hpp"

namespace bochner {

namespace {

using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>;

/// Precisions of the prior of the weights of a column.
Vector prior_precision(Index F, double amplitude, double intercept_sd) {
  Vector p = Vector::Constant(F, 1 / amplitude);
  p(F - 1) = 1 / (intercept_sd * intercept_sd);
  return p;
}

/// Lower triangle of Phi' diag(omega) Phi + diag(precision); omega >= 0. `scaled` is room for the rows.
void fill_precision(MatrixIn Phi, VectorIn omega, VectorIn precision, Matrix& scaled, Square& P) {
  scaled = Phi.array().colwise() * omega.array().sqrt();
  P.setZero(Phi.cols(), Phi.cols());
  P.selfadjointView<Eigen::Lower>().rankUpdate(scaled.transpose());
  P.diagonal() += precision;
}

Eigen::LLT<Square> factor(const Square& P) {
  Eigen::LLT<Square> llt(P);
  if (llt.info() != Eigen::Success)
    throw NumericalError("the precision of the weights of a column is not positive definite");
  return llt;
}

/// mean + P^-1/2 noise.
Vector draw_normal(const Eigen::LLT<Square>& llt, const Vector& rhs, Rng& rng) {
  Vector u = llt.matrixL().solve(rhs);
  u += rng.normal(rhs.size());
  return llt.matrixU().solve(u);
}

}  // namespace

NormalTerms normal_terms(const BayesTable& t, const BayesViewState& view, MatrixIn F, const Rng& rng,
                         const Threads& threads) {
  NormalTerms out{Matrix(t.rows(), t.cols()), Matrix(t.rows(), t.cols())};
  if (t.likelihood == BayesLikelihood::gaussian) {
    const Vector precision = view.scale.cwiseInverse();
    out.Omega = t.seen * precision.asDiagonal();
    out.K = t.Y * precision.asDiagonal();
    return out;
  }
  const bool counts = t.likelihood == BayesLikelihood::negbinom;
  for_each_block(threads, t.rows(), 16, [&](Index begin, Index size) {
    for (Index n = begin; n < begin + size; ++n) {
      Rng own = rng.split(static_cast<std::uint64_t>(n));
      for (Index j = 0; j < t.cols(); ++j) {
        const double shape = counts ? t.Y(n, j) + view.scale(j) : t.trials(n, j);
        const bool seen = t.seen(n, j) > 0 && shape > 0;
        out.Omega(n, j) = seen ? polya_gamma(shape, F(n, j), own) : 0;
        out.K(n, j) = seen ? t.Y(n, j) - 0.5 * shape : 0;
      }
    }
  });
  return out;
}

void draw_weights(const BayesTable& t, const NormalTerms& terms, MatrixIn Phi, double intercept_sd,
                  BayesViewState& view, const Rng& rng, const Threads& threads) {
  const Index J = t.cols(), F = Phi.cols();
  const Vector precision = prior_precision(F, view.amplitude, intercept_sd);
  Matrix rhs = multiply_transposed<double>(Phi, terms.K, threads);  // F x J
  rhs.row(F - 1) += precision(F - 1) * t.intercept.transpose();
  // Without holes all columns of Gaussian noise share one Gram matrix.
  const bool shared = t.likelihood == BayesLikelihood::gaussian && t.complete;
  const Matrix gram = shared ? inner_gram<double>(Phi, threads) : Matrix();
  constexpr Index columns_together = 4;
  for_each_block(threads, J, columns_together, [&](Index begin, Index size) {
    Matrix scaled;
    Square P;
    for (Index j = begin; j < begin + size; ++j) {
      Rng own = rng.split(static_cast<std::uint64_t>(j));
      if (shared) {
        P = gram / view.scale(j);
        P.diagonal() += precision;
      } else {
        fill_precision(Phi, terms.Omega.col(j), precision, scaled, P);
      }
      view.B.col(j) = draw_normal(factor(P), rhs.col(j), own);
    }
  });
}

void draw_common(const BayesTable& t, double intercept_sd, BayesViewState& view, Rng& rng) {
  const Index F = view.B.rows();
  for (std::size_t g = 0; g + 1 < t.groups.size(); ++g) {
    const Index begin = t.groups[g], C = t.groups[g + 1] - begin;
    const double centre = t.intercept.segment(begin, C).mean();
    for (Index r = 0; r < F; ++r) {
      auto row = view.B.row(r).segment(begin, C);
      const bool intercept = r == F - 1;
      const double sd = intercept ? intercept_sd : std::sqrt(view.amplitude);
      row.array() += (intercept ? centre : 0) + sd / std::sqrt(double(C)) * rng.normal() - row.mean();
    }
  }
}

Matrix draw_offsets(const BayesTable& t, MatrixIn F, const Rng& rng, const Threads& threads) {
  Matrix out = Matrix::Zero(t.rows(), t.cols());
  if (!is_softmax(t.likelihood)) return out;
  for_each_block(threads, t.rows(), 64, [&](Index begin, Index size) {
    for (Index n = begin; n < begin + size; ++n) {
      Rng own = rng.split(static_cast<std::uint64_t>(n));
      for (Index g = 0; g < t.totals.cols(); ++g) {
        const Index first = t.groups[static_cast<std::size_t>(g)],
                    width = t.groups[static_cast<std::size_t>(g + 1)] - first;
        const auto f = F.row(n).segment(first, width).array();
        const double top = f.maxCoeff(),
                     sum = ((f - top).exp() * t.seen.row(n).segment(first, width).array()).sum();
        // A row without counts says nothing: u = 0, of which no logarithm is taken.
        const double u = t.totals(n, g) > 0 ? own.log_gamma(t.totals(n, g)) - top - std::log(sum) : -1e4;
        out.row(n).segment(first, width).setConstant(u);
      }
    }
  });
  return out;
}

namespace {

/// The log posterior of the weights of one Poisson column, and its normal approximation.
class PoissonColumn {
 public:
  PoissonColumn(MatrixIn Phi, VectorIn y, VectorIn seen, VectorIn offset, VectorIn precision, double centre)
      : Phi_(Phi), y_(y), seen_(seen), offset_(offset), precision_(precision), centre_(centre) {}

  Vector rates(const Vector& f) const {
    Vector e = (f + offset_).cwiseMin(300);
    exp(e.data(), e.data(), e.size());
    return e.cwiseProduct(seen_);
  }
  double log_likelihood(const Vector& f) const { return y_.dot(f) - rates(f).sum(); }
  double log_prior(const Vector& beta) const {
    Vector d = beta;
    d(d.size() - 1) -= centre_;
    return -0.5 * d.cwiseAbs2().dot(precision_);
  }

  /// Newton's method from a smoothed logarithm of the counts: `mean` and `precision` (lower triangle).
  void approximate(Vector& mean, Square& P, Matrix& scaled) const {
    constexpr int newton_steps = 2;
    const Index F = Phi_.cols();
    // Least squares of log((y + 1/2) / u) with weights y + 1/2, around the intercept where nothing was counted.
    const Vector weight = seen_.array() * (y_.array() + 0.5);
    Vector z = (y_.array() + 0.5).log() - offset_.array();
    z = (offset_.array() < -1e3).select(centre_, z);
    fill_precision(Phi_, weight, precision_, scaled, P);
    Vector rhs = Phi_.transpose() * weight.cwiseProduct(z);
    rhs(F - 1) += precision_(F - 1) * centre_;
    mean = factor(P).solve(rhs);
    Vector f = Phi_ * mean;
    double value = log_likelihood(f) + log_prior(mean);
    for (int k = 0; k < newton_steps; ++k) {
      const Vector rate = rates(f);
      fill_precision(Phi_, rate, precision_, scaled, P);
      Vector gradient = Phi_.transpose() * (y_ - rate) - precision_.cwiseProduct(mean);
      gradient(F - 1) += precision_(F - 1) * centre_;
      const Vector step = factor(P).solve(gradient), along = Phi_ * step;
      double length = 1;
      for (int halving = 0; halving < 20; ++halving, length /= 2) {
        const Vector to = mean + length * step;
        const double there = log_likelihood(f + length * along) + log_prior(to);
        if (!(there > value)) continue;
        value = there;
        mean = to;
        f += length * along;
        break;
      }
    }
  }

  /// One move from beta.
  Vector move(const Vector& beta, Rng& rng, Matrix& scaled) const {
    Vector mean;
    Square P;
    approximate(mean, P, scaled);
    const Vector nu = factor(P).matrixU().solve(rng.normal(mean.size())), d = beta - mean;
    const Vector f_mean = Phi_ * mean, f_d = Phi_ * d, f_nu = Phi_ * nu;
    const auto quadratic = [&](const Vector& a, const Vector& b) {
      return a.dot(P.selfadjointView<Eigen::Lower>() * b);
    };
    const double dd = quadratic(d, d), dn = quadratic(d, nu), nn = quadratic(nu, nu);
    // log posterior - log of the normal approximation, at an angle
    const auto excess = [&](double c, double s) {
      return log_likelihood(f_mean + c * f_d + s * f_nu) + log_prior(mean + c * d + s * nu) +
             0.5 * (c * c * dd + 2 * c * s * dn + s * s * nn);
    };
    const double now = excess(1, 0);
    if (!std::isfinite(now)) throw NumericalError("the likelihood of the weights of a column is not finite");
    const double level = now + std::log(rng.uniform());
    double angle = 2 * pi * rng.uniform(), low = angle - 2 * pi, high = angle;
    for (int shrinks = 0; shrinks < 200; ++shrinks) {
      const double c = std::cos(angle), s = std::sin(angle);
      if (excess(c, s) > level) return mean + c * d + s * nu;
      (angle < 0 ? low : high) = angle;
      angle = low + (high - low) * rng.uniform();
    }
    return beta;
  }

 private:
  Eigen::Ref<const Matrix> Phi_;
  Vector y_, seen_, offset_, precision_;
  double centre_;
};

}  // namespace

void slice_weights(const BayesTable& t, MatrixIn offsets, MatrixIn Phi, double intercept_sd,
                   BayesViewState& view, const Rng& rng, const Threads& threads) {
  const Vector precision = prior_precision(Phi.cols(), view.amplitude, intercept_sd);
  for_each_block(threads, t.cols(), 2, [&](Index begin, Index size) {
    Matrix scaled;
    for (Index j = begin; j < begin + size; ++j) {
      Rng own = rng.split(static_cast<std::uint64_t>(j));
      const PoissonColumn column(Phi, t.Y.col(j), t.seen.col(j), offsets.col(j), precision, t.intercept(j));
      view.B.col(j) = column.move(view.B.col(j), own, scaled);
    }
  });
}

}  // namespace bochner
