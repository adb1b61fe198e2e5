#include "bayes_weights.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "bochner/core/errors.hpp"
#include "bochner/core/polya_gamma.hpp"
#include "bochner/core/vector_math.hpp"
#include "bochner/linalg/products.hpp"

namespace bochner {

namespace {

using Columns = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>;  // column by column

// Columns of a table that one thread works on together: features are read once for all of them.
constexpr Index columns_together = 4;

/// Precisions of the prior of the weights of a column.
Vector prior_precision(Index F, double amplitude, double intercept_sd) {
  Vector p = Vector::Constant(F, 1 / amplitude);
  p(F - 1) = 1 / (intercept_sd * intercept_sd);
  return p;
}

/// Lower triangles of Phi' diag(omega) Phi + diag(precision) for each column omega >= 0 of Omega. Blocks of rows stay in
/// the cache for all columns; Phi as a whole may not.
std::vector<Columns> precisions(MatrixIn Phi, const Columns& Omega, VectorIn precision) {
  constexpr Index rows_together = 256;
  std::vector<Columns> out(static_cast<std::size_t>(Omega.cols()), Columns::Zero(Phi.cols(), Phi.cols()));
  Matrix scaled;
  for (Index begin = 0; begin < Phi.rows(); begin += rows_together) {
    const Index size = std::min(rows_together, Phi.rows() - begin);
    for (Index c = 0; c < Omega.cols(); ++c) {
      scaled =
          Phi.middleRows(begin, size).array().colwise() * Omega.col(c).segment(begin, size).array().sqrt();
      out[static_cast<std::size_t>(c)].selfadjointView<Eigen::Lower>().rankUpdate(scaled.transpose());
    }
  }
  for (Columns& P : out) P.diagonal() += precision;
  return out;
}

Eigen::LLT<Columns> factor(const Columns& P) {
  Eigen::LLT<Columns> llt(P);
  if (llt.info() != Eigen::Success)
    throw NumericalError("the precision of the weights of a column is not positive definite");
  return llt;
}

/// mean + P^-1/2 noise.
Vector draw_normal(const Eigen::LLT<Columns>& llt, const Vector& rhs, Rng& rng) {
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
  for_each_block(threads, J, columns_together, [&](Index begin, Index size) {
    std::vector<Columns> P(static_cast<std::size_t>(size));
    if (!shared) P = precisions(Phi, terms.Omega.middleCols(begin, size), precision);
    for (Index c = 0; c < size; ++c) {
      const Index j = begin + c;
      Rng own = rng.split(static_cast<std::uint64_t>(j));
      Columns& of_column = P[static_cast<std::size_t>(c)];
      if (shared) {
        of_column = gram / view.scale(j);
        of_column.diagonal() += precision;
      }
      view.B.col(j) = draw_normal(factor(of_column), rhs.col(j), own);
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
  if (!is_softmax(t.likelihood)) return {};
  Matrix out(t.rows(), t.cols());
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

/// The log posteriors of the weights of some Poisson columns, and their normal approximations. All take the same steps, and
/// whatever needs the features is done for all of them at once.
class PoissonColumns {
 public:
  PoissonColumns(const BayesTable& t, MatrixIn offsets, MatrixIn Phi, VectorIn precision, Index begin,
                 Index size)
      : Phi_(Phi),
        Y_(t.Y.middleCols(begin, size)),
        seen_(t.seen.middleCols(begin, size)),
        offsets_(Columns::Zero(t.rows(), size)),
        precision_(precision),
        centre_(t.intercept.segment(begin, size)) {
    if (offsets.size() > 0) offsets_ = offsets.middleCols(begin, size);
  }

  /// One move of each column from its weights, where f are Phi beta. `rngs`: of each column.
  Columns move(const Columns& beta, const Columns& f, std::vector<Rng>& rngs) const {
    const Index C = Y_.cols(), features = Phi_.cols();
    Approximation normal = approximate();
    Columns nu(features, C), out(features, C);
    for (Index c = 0; c < C; ++c)
      nu.col(c) = factor(normal.P[std::size_t(c)]).matrixU().solve(rngs[std::size_t(c)].normal(features));
    const Columns f_nu = Phi_ * nu;
    for (Index c = 0; c < C; ++c)
      out.col(c) = slice(c, normal, beta.col(c), f.col(c), nu.col(c), f_nu.col(c), rngs[std::size_t(c)]);
    return out;
  }

 private:
  struct Approximation {
    Columns mean, f;         // f = Phi mean
    std::vector<Columns> P;  // precisions, lower triangles
  };

  Vector rates(Index c, const Vector& f) const {
    Vector e = (f + offsets_.col(c)).cwiseMin(300);
    exp(e.data(), e.data(), e.size());
    return e.cwiseProduct(seen_.col(c));
  }
  double log_likelihood(Index c, const Vector& f) const { return Y_.col(c).dot(f) - rates(c, f).sum(); }
  double log_prior(Index c, const Vector& beta) const {
    Vector d = beta;
    d(d.size() - 1) -= centre_(c);
    return -0.5 * d.cwiseAbs2().dot(precision_);
  }

  /// Newton's method from a smoothed logarithm of the counts. Two steps do for most columns; those that were still more than
  /// ten standard deviations away before their last step take more.
  Approximation approximate() const {
    constexpr int usual_steps = 2, most_steps = 12;
    const Index last = Phi_.cols() - 1;
    // Least squares of log((y + 1/2) / u) with weights y + 1/2, around the intercept where nothing was counted.
    const Columns weight = seen_.array() * (Y_.array() + 0.5);
    Columns z = (Y_.array() + 0.5).log() - offsets_.array();
    for (Index c = 0; c < Y_.cols(); ++c)
      z.col(c) = (offsets_.col(c).array() < -1e3).select(centre_(c), z.col(c));
    Columns gradient = Phi_.transpose() * weight.cwiseProduct(z);
    gradient.row(last) += precision_(last) * centre_.transpose();
    Approximation out{Columns::Zero(Phi_.cols(), Y_.cols()), Columns(Phi_.rows(), Y_.cols()),
                      precisions(Phi_, weight, precision_)};
    out.mean.row(last) = centre_.transpose();
    out.f.rowwise() = centre_.transpose();
    // From the intercept towards the least squares, which may be wild where little was counted.
    std::vector<Index> active(static_cast<std::size_t>(Y_.cols()));
    std::iota(active.begin(), active.end(), 0);
    climb(active, solve(out.P, gradient) - out.mean, out);
    // No rate counts as more than a hundred times the largest count: a mode has none, and precisions can be factorised.
    const Vector cap = 100 * (Y_.colwise().maxCoeff().array() + 1);
    for (int k = 0; k < most_steps && !active.empty(); ++k) {
      const auto size = static_cast<Index>(active.size());
      Columns rate(Y_.rows(), size);
      for (Index i = 0; i < size; ++i) {
        const Index c = active[std::size_t(i)];
        rate.col(i) = rates(c, out.f.col(c)).cwiseMin(cap(c));
      }
      std::vector<Columns> P = precisions(Phi_, rate, precision_);
      gradient = Phi_.transpose() * (Y_(Eigen::all, active) - rate) -
                 precision_.asDiagonal() * out.mean(Eigen::all, active);
      gradient.row(last) += precision_(last) * centre_(active).transpose();
      const Columns step = solve(P, gradient);
      climb(active, step, out);
      std::vector<Index> far;
      for (Index i = 0; i < size; ++i) {
        const Index c = active[std::size_t(i)];
        out.P[std::size_t(c)] = std::move(P[std::size_t(i)]);
        if (k + 1 < usual_steps || gradient.col(i).dot(step.col(i)) > 100) far.push_back(c);
      }
      active = std::move(far);
    }
    return out;
  }

  static Columns solve(const std::vector<Columns>& P, const Columns& rhs) {
    Columns out(rhs.rows(), rhs.cols());
    for (Index c = 0; c < rhs.cols(); ++c) out.col(c) = factor(P[std::size_t(c)]).solve(rhs.col(c));
    return out;
  }

  /// In some columns the longest of 1, 1/2, 1/4 .. of a step that goes up; none if none does.
  void climb(const std::vector<Index>& columns, const Columns& steps, Approximation& at) const {
    const Columns along = Phi_ * steps;
    for (Index i = 0; i < steps.cols(); ++i) {
      const Index c = columns[std::size_t(i)];
      const Vector mean = at.mean.col(c), f = at.f.col(c);
      const double value = log_likelihood(c, f) + log_prior(c, mean);
      double length = 1;
      for (int halving = 0; halving < 30; ++halving, length /= 2) {
        const Vector to = mean + length * steps.col(i), f_to = f + length * along.col(i);
        if (!(log_likelihood(c, f_to) + log_prior(c, to) > value)) continue;
        at.mean.col(c) = to;
        at.f.col(c) = f_to;
        break;
      }
    }
  }

  Vector slice(Index c, const Approximation& normal, const Vector& beta, const Vector& f, const Vector& nu,
               const Vector& f_nu, Rng& rng) const {
    const Columns& P = normal.P[std::size_t(c)];
    const Vector mean = normal.mean.col(c), f_mean = normal.f.col(c), d = beta - mean, f_d = f - f_mean;
    const auto quadratic = [&](const Vector& a, const Vector& b) {
      return a.dot(P.selfadjointView<Eigen::Lower>() * b);
    };
    const double dd = quadratic(d, d), dn = quadratic(d, nu), nn = quadratic(nu, nu);
    // log posterior - log of the normal approximation, at an angle
    const auto excess = [&](double cosine, double sine) {
      return log_likelihood(c, f_mean + cosine * f_d + sine * f_nu) +
             log_prior(c, mean + cosine * d + sine * nu) +
             0.5 * (cosine * cosine * dd + 2 * cosine * sine * dn + sine * sine * nn);
    };
    const double now = excess(1, 0);
    if (!std::isfinite(now)) throw NumericalError("the likelihood of the weights of a column is not finite");
    const double level = now + std::log(rng.uniform());
    double angle = 2 * pi * rng.uniform(), low = angle - 2 * pi, high = angle;
    for (int shrinks = 0; shrinks < 200; ++shrinks) {
      const double cosine = std::cos(angle), sine = std::sin(angle);
      if (excess(cosine, sine) > level) return mean + cosine * d + sine * nu;
      (angle < 0 ? low : high) = angle;
      angle = low + (high - low) * rng.uniform();
    }
    return beta;
  }

  Eigen::Ref<const Matrix> Phi_;
  Columns Y_, seen_, offsets_;
  Vector precision_, centre_;
};

}  // namespace

void slice_weights(const BayesTable& t, MatrixIn offsets, MatrixIn Phi, MatrixIn F, double intercept_sd,
                   BayesViewState& view, const Rng& rng, const Threads& threads) {
  const Vector precision = prior_precision(Phi.cols(), view.amplitude, intercept_sd);
  for_each_block(threads, t.cols(), columns_together, [&](Index begin, Index size) {
    std::vector<Rng> rngs;
    for (Index j = begin; j < begin + size; ++j) rngs.push_back(rng.split(static_cast<std::uint64_t>(j)));
    const PoissonColumns columns(t, offsets, Phi, precision, begin, size);
    view.B.middleCols(begin, size) =
        columns.move(view.B.middleCols(begin, size), F.middleCols(begin, size), rngs);
  });
}

}  // namespace bochner
