#include <cmath>
#include <numeric>

#include "bochner/compute/batched.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/compute/vector_math.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/infer/generalised_slice.hpp"
#include "precisions.hpp"
#include "weights.hpp"

namespace bochner {

namespace {

constexpr int moves_each = 5;  // of a column in a sweep

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

  /// Near the modes.
  Columns likely() const { return approximate().mean; }

  struct Approximation {
    Columns mean, f;         // f = Phi mean
    std::vector<Columns> P;  // precisions, lower triangles
  };

  /// Newton's method from least squares of log((y + 1/2) / u) with weights y + 1/2. Two steps do for most columns; those
  /// that were still more than ten standard deviations away before their last step take more.
  Approximation approximate() const;

  /// Moves of each column from its weights, where f are Phi beta. `rngs`: of each column. The approximation, which is what takes time,
  /// does for several; where few are counted it is far from normal, and one move does not go far.
  Columns move(Approximation& normal, Columns beta, Columns f, std::vector<Rng>& rngs) const {
    const Index C = Y_.cols(), features = Phi_.cols();
    std::vector<SmallCholesky> factors;
    for (Columns& P : normal.P) factors.push_back(factored(P));
    Columns nu(features, C);
    for (int k = 0; k < moves_each; ++k) {
      for (Index c = 0; c < C; ++c)
        nu.col(c) = factors[std::size_t(c)].solve_lower_transposed(rngs[std::size_t(c)].normal(features));
      const Columns f_nu = Phi_ * nu;
      for (Index c = 0; c < C; ++c)
        slice(c, normal, nu.col(c), f_nu.col(c), beta.col(c), f.col(c), rngs[std::size_t(c)]);
    }
    return beta;
  }

  /// Weights of another prior: where `beta`, weights of this one, are in its own approximation (AmplitudeTrial). `log_ratio` is given
  /// what the columns say of it.
  Columns carry(Approximation& normal, const Columns& beta, const PoissonColumns& to,
                VectorOut log_ratio) const {
    Approximation other = to.approximate();
    Columns out(beta.rows(), beta.cols());
    for (Index c = 0; c < beta.cols(); ++c) {
      const SmallCholesky own = factored(normal.P[std::size_t(c)]), its = factored(other.P[std::size_t(c)]);
      const Vector z = own.multiply_transposed(beta.col(c) - normal.mean.col(c));
      out.col(c) = other.mean.col(c) + its.solve_lower_transposed(z);
      log_ratio(c) = own.half_log_determinant() - its.half_log_determinant();
    }
    const Columns f = Phi_ * beta, f_out = Phi_ * out;
    for (Index c = 0; c < beta.cols(); ++c)
      log_ratio(c) += to.log_density(c, out.col(c), f_out.col(c)) - log_density(c, beta.col(c), f.col(c));
    return out;
  }

 private:
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
  /// With the normaliser of the prior, of counts and weights.
  double log_density(Index c, const Vector& beta, const Vector& f) const {
    return log_likelihood(c, f) + log_prior(c, beta) + 0.5 * precision_.array().log().sum();
  }

  std::vector<Index> all_columns() const {
    std::vector<Index> out(static_cast<std::size_t>(Y_.cols()));
    std::iota(out.begin(), out.end(), 0);
    return out;
  }

  /// log((y + 1/2) / u), and the intercept where nothing was counted in a row.
  Columns logarithms() const {
    Columns z = (Y_.array() + 0.5).log() - offsets_.array();
    for (Index c = 0; c < Y_.cols(); ++c)
      z.col(c) = (offsets_.col(c).array() < -1e3).select(centre_(c), z.col(c));
    return z;
  }

  /// Of P, or, where rounding has left it without a factor, of what it becomes with a little more on its diagonal: any law
  /// will do as an approximation, as long as it stays the same.
  static SmallCholesky factored(Columns& P) {
    return SmallCholesky::lifting(P, "the precision of the weights of a column");
  }

  static Columns solve(std::vector<Columns>& P, const Columns& rhs) {
    Columns out(rhs.rows(), rhs.cols());
    for (Index c = 0; c < rhs.cols(); ++c) out.col(c) = factored(P[std::size_t(c)]).solve(rhs.col(c));
    return out;
  }

  /// In some columns the longest of 1, 1/2, 1/4 .. of a step that goes up; none if none does. Whether they moved.
  std::vector<bool> climb(const std::vector<Index>& columns, const Columns& steps, Approximation& at) const {
    const Columns along = Phi_ * steps;
    std::vector<bool> moved(columns.size(), false);
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
        moved[std::size_t(i)] = true;
        break;
      }
    }
    return moved;
  }

  /// One move of beta, and of f with it, on an ellipse through beta and mean + nu (infer/generalised_slice.hpp).
  void slice(Index c, const Approximation& normal, const Vector& nu, const Vector& f_nu, VectorOut beta,
             VectorOut f, Rng& rng) const {
    constexpr double degrees = 10;
    const Columns& P = normal.P[std::size_t(c)];
    const Vector mean = normal.mean.col(c), f_mean = normal.f.col(c), d = beta - mean, f_d = f - f_mean;
    const auto quadratic = [&](const Vector& a, const Vector& b) {
      return a.dot(P.selfadjointView<Eigen::Lower>() * b);
    };
    const auto log_posterior = [&](const EllipsePoint& at) {
      return log_likelihood(c, f_mean + at.cosine * f_d + at.sine * f_nu) +
             log_prior(c, mean + at.cosine * d + at.sine * nu);
    };
    const EllipsePoint to = generalised_slice(
        log_posterior, {quadratic(d, d), quadratic(d, nu), quadratic(nu, nu), beta.size()}, degrees, rng);
    if (to.cosine == 1 && to.sine == 0) return;  // stays, to the last bit
    beta = mean + to.cosine * d + to.sine * nu;
    f = f_mean + to.cosine * f_d + to.sine * f_nu;
  }

  Eigen::Ref<const Matrix> Phi_;
  Columns Y_, seen_, offsets_;
  Vector precision_, centre_;
};

PoissonColumns::Approximation PoissonColumns::approximate() const {
  constexpr int usual_steps = 2, most_steps = 12;
  const Index last = Phi_.cols() - 1;
  const Columns weight = seen_.array() * (Y_.array() + 0.5), z = logarithms();
  Columns rhs = Phi_.transpose() * weight.cwiseProduct(z);
  rhs.row(last) += precision_(last) * centre_.transpose();
  Approximation out{{}, {}, weighted_grams(Phi_, weight, precision_)};
  out.mean = solve(out.P, rhs);
  out.f = Phi_ * out.mean;
  std::vector<Index> active(static_cast<std::size_t>(Y_.cols()));
  std::iota(active.begin(), active.end(), 0);
  for (int k = 0; k < most_steps && !active.empty(); ++k) {
    Columns rate(Y_.rows(), static_cast<Index>(active.size())), left = rate;
    for (Index i = 0; i < rate.cols(); ++i) {
      const Index c = active[std::size_t(i)];
      // Rates are absurd where little was counted and least squares did not care. Newton would take them down by a factor
      // e each step; with this weight and residual it goes to the logarithm at once.
      const double absurd = 100 * (Y_.col(c).maxCoeff() + 1);
      const Vector all = rates(c, out.f.col(c));
      rate.col(i) = all.cwiseMin(absurd);
      left.col(i) = (all.array() > absurd)
                        .select(absurd * (z.col(c) - out.f.col(c)).array(), (Y_.col(c) - all).array());
    }
    std::vector<Columns> P = weighted_grams(Phi_, rate, precision_);
    Columns gradient = Phi_.transpose() * left - precision_.asDiagonal() * out.mean(Eigen::all, active);
    gradient.row(last) += precision_(last) * centre_(active).transpose();
    const Columns step = solve(P, gradient);
    const std::vector<bool> moved = climb(active, step, out);
    std::vector<Index> far;
    for (Index i = 0; i < rate.cols(); ++i) {
      const Index c = active[std::size_t(i)];
      out.P[std::size_t(c)] = std::move(P[std::size_t(i)]);
      const bool more = k + 1 < usual_steps || gradient.col(i).dot(step.col(i)) > 100;
      if (more && moved[std::size_t(i)]) far.push_back(c);
    }
    active = std::move(far);
  }
  return out;
}

}  // namespace

Matrix likely_weights(const BayesTable& t, MatrixIn offsets, MatrixIn Phi, double intercept_sd,
                      double amplitude, const Compute& compute) {
  const Vector precision = prior_precision(Phi.cols(), t.covariates.cols(), amplitude, intercept_sd);
  Matrix out(Phi.cols(), t.cols());
  for_each_block(compute, t.cols(), columns_together, [&](Index begin, Index size) {
    out.middleCols(begin, size) = PoissonColumns(t, offsets, Phi, precision, begin, size).likely();
  });
  return out;
}

void slice_weights(const BayesTable& t, MatrixIn offsets, MatrixIn Phi, MatrixIn F, double intercept_sd,
                   BayesViewState& view, AmplitudeTrial& trial, const Rng& rng, const Compute& compute) {
  const Vector precision = prior_precision(Phi.cols(), t.covariates.cols(), view.amplitude, intercept_sd);
  for_each_block(compute, t.cols(), columns_together, [&](Index begin, Index size) {
    std::vector<Rng> rngs;
    for (Index j = begin; j < begin + size; ++j) rngs.push_back(rng.split(static_cast<std::uint64_t>(j)));
    const PoissonColumns columns(t, offsets, Phi, precision, begin, size);
    PoissonColumns::Approximation normal = columns.approximate();
    const Columns beta =
        columns.move(normal, view.B.middleCols(begin, size), F.middleCols(begin, size), rngs);
    view.B.middleCols(begin, size) = beta;
    if (!trial.tried()) return;
    const PoissonColumns other(
        t, offsets, Phi, prior_precision(Phi.cols(), t.covariates.cols(), trial.amplitude, intercept_sd),
        begin, size);
    trial.B.middleCols(begin, size) =
        columns.carry(normal, beta, other, trial.log_ratio.segment(begin, size));
  });
}

}  // namespace bochner
