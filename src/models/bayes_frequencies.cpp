#include "bayes_frequencies.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/core/vector_math.hpp"
#include "bochner/core/wishart.hpp"
#include "bochner/infer/metropolis.hpp"

namespace bochner {

namespace {

// Fresh frequencies are rarely taken where data are many, but nothing else crosses between components.
constexpr double fresh_share = 0.2;

struct Proposal {
  Vector w;
  double log_ratio = 0;  // prior and proposal densities
};

Proposal propose(const SpectralComponent& component, VectorIn w, bool walk, double step, Rng& rng) {
  if (!walk) return {multivariate_normal(component.mean, component.L, rng), 0};
  Proposal out{multivariate_normal(w, step * component.L, rng)};
  out.log_ratio = log_density(component, out.w) - log_density(component, w);
  return out;
}

/// The normal law of the two weights of a frequency in each column: precision [cc, cs; cs, ss] and linear term t.
struct PairTerms {
  Eigen::ArrayXd cc, cs, ss, tc, ts;  // J
  Eigen::ArrayXd determinant() const { return cc * ss - cs.square(); }
  Eigen::ArrayXd mean_c() const { return (ss * tc - cs * ts) / determinant(); }
  Eigen::ArrayXd mean_s() const { return (cc * ts - cs * tc) / determinant(); }

  Matrix mean() const {  // 2 x J
    Matrix out(2, cc.size());
    out << mean_c().matrix().transpose(), mean_s().matrix().transpose();
    return out;
  }

  /// Sum over columns of log integral exp(t b - b P b / 2) db, without powers of 2 pi.
  double log_integral() const { return 0.5 * (tc * mean_c() + ts * mean_s() - determinant().log()).sum(); }
  void draw(Rng& rng, Vector& b_c, Vector& b_s) const {
    const Eigen::ArrayXd root = cc.sqrt(), conditional = (determinant() / cc).sqrt();
    b_s = mean_s() + rng.normal(cc.size()).array() / conditional;
    b_c = (tc - cs * b_s.array()) / cc + rng.normal(cc.size()).array() / root;
  }
  /// Sum over columns of the log density of the weights, without powers of 2 pi.
  double log_density(const Vector& b_c, const Vector& b_s) const {
    const Eigen::ArrayXd dc = b_c.array() - mean_c(), ds = b_s.array() - mean_s();
    return 0.5 * (determinant().log() - cc * dc.square() - 2 * cs * dc * ds - ss * ds.square()).sum();
  }
};

/// A frequency and what is proposed in its place, with what their features are at each row.
struct Trial {
  bool walk = false;
  Proposal proposal;
  Matrix pairs;     // N x 4: cos(X w) / sqrt L, sin(X w) / sqrt L, and both again of the other one
  Matrix products;  // N x 6: c^2, c s, s^2 of the first pair, and of the second
};

Trial make_trial(const BayesViewState& view, Index l, MatrixIn X, double step, Rng& rng,
                 const Threads& threads) {
  Trial out;
  out.walk = rng.uniform() >= fresh_share;
  out.proposal = propose(view.mixture.of(l), view.W.row(l).transpose(), out.walk, step, rng);
  Matrix w(X.cols(), 2);
  w << view.W.row(l).transpose(), out.proposal.w;
  const double size = 1 / std::sqrt(double(view.W.rows()));
  out.pairs.resize(X.rows(), 4);
  out.products.resize(X.rows(), 6);
  for_each_block(threads, X.rows(), 1024, [&](Index begin, Index n) {
    const Matrix angle = X.middleRows(begin, n) * w;
    Matrix sine(n, 2), cosine(n, 2);
    sincos(angle.data(), sine.data(), cosine.data(), angle.size());
    for (const Index k : {0, 1}) {
      const auto c = size * cosine.col(k).array(), s = size * sine.col(k).array();
      auto pairs = out.pairs.middleRows(begin, n).middleCols(2 * k, 2).array();
      pairs.col(0) = c;
      pairs.col(1) = s;
      auto products = out.products.middleRows(begin, n).middleCols(3 * k, 3).array();
      products.col(0) = c.square();
      products.col(1) = c * s;
      products.col(2) = s.square();
    }
  });
  return out;
}

/// Sums over rows that the law of the weights needs: S = products' Omega and T = pairs' (what is left to explain).
struct PairSums {
  Matrix S, T;  // 6 x J and 4 x J
};

/// Blocks of rows of which a few numbers for each column fit the second cache: the table is read once, where it may be far
/// larger than any cache, and nothing of its size is kept.
RowPlan rows_of(const BayesTable& t) {
  return RowPlan::make(t.rows(), std::clamp<Index>(16384 / t.cols(), 16, 256));
}

/// Calls add(begin, size, sums of that lane) for all blocks of rows.
PairSums sum_rows(const Threads& threads, const BayesTable& t,
                  const std::function<void(Index, Index, PairSums&)>& add) {
  const RowPlan plan = rows_of(t);
  const PairSums zero{Matrix::Zero(6, t.cols()), Matrix::Zero(4, t.cols())};
  std::vector<PairSums> lanes(static_cast<std::size_t>(plan.lanes), zero);
  for_each_block(threads, plan, [&](Index lane, Index begin, Index size) {
    add(begin, size, lanes[static_cast<std::size_t>(lane)]);
  });
  for (std::size_t lane = 1; lane < lanes.size(); ++lane) {
    lanes[0].S += lanes[lane].S;
    lanes[0].T += lanes[lane].T;
  }
  return std::move(lanes[0]);
}

PairTerms make_terms(const PairSums& sums, Index which, double amplitude) {
  const auto row = [](const Matrix& M, Index r) { return M.row(r).transpose().array(); };
  return {row(sums.S, 3 * which) + 1 / amplitude, row(sums.S, 3 * which + 1),
          row(sums.S, 3 * which + 2) + 1 / amplitude, row(sums.T, 2 * which), row(sums.T, 2 * which + 1)};
}

/// From the gradient T at some weights to the linear term of the expansion around them, T + S b.
void add_expansion_point(const Matrix& b, Index which, PairSums& sums) {
  const auto cc = sums.S.row(3 * which).array(), cs = sums.S.row(3 * which + 1).array(),
             ss = sums.S.row(3 * which + 2).array();
  sums.T.row(2 * which).array() += cc * b.row(0).array() + cs * b.row(1).array();
  sums.T.row(2 * which + 1).array() += cs * b.row(0).array() + ss * b.row(1).array();
}

void count(FrequencyMoves& moves, bool walk, bool accepted) {
  ++(walk ? moves.proposed : moves.fresh);
  if (accepted) ++(walk ? moves.accepted : moves.fresh_accepted);
}

/// The weights of a frequency, 2 x J.
Matrix weights_of(const BayesViewState& view, Index l) {
  Matrix out(2, view.B.cols());
  out << view.B.row(l), view.B.row(view.W.rows() + l);
  return out;
}

/// f changes by pairs * change, N x 4 times 4 x J. Kept until the next time that all rows are visited.
struct Change {
  Matrix pairs, weights;
  bool empty() const { return weights.size() == 0; }
  Matrix at(Index begin, Index size) const { return pairs.middleRows(begin, size) * weights; }
};

/// New weights in the place of the old ones, and of the old frequency or of the other.
Change change_of(Trial& trial, const Matrix& old, const Vector& c, const Vector& s, bool accepted) {
  Change out{std::move(trial.pairs), Matrix::Zero(4, old.cols())};
  out.weights.topRows(2) = -old;
  out.weights.row(accepted ? 2 : 0) += c.transpose();
  out.weights.row(accepted ? 3 : 1) += s.transpose();
  return out;
}

void keep_weights(BayesViewState& view, Index l, const Vector& c, const Vector& s) {
  view.B.row(l) = c.transpose();
  view.B.row(view.W.rows() + l) = s.transpose();
}

}  // namespace

void update_frequencies(const BayesTable& t, const NormalTerms& terms, MatrixIn X, BayesViewState& view,
                        FrequencyMoves& moves, const Rng& rng, const Threads& threads) {
  const Index J = t.cols();
  // G = K - Omega o F: what the features leave unexplained, weighted.
  const Matrix Phi = bayes_features(view.W, X, threads);
  Matrix G(t.rows(), J);
  for_each_block(threads, t.rows(), 64, [&](Index begin, Index size) {
    G.middleRows(begin, size) =
        terms.K.middleRows(begin, size).array() -
        terms.Omega.middleRows(begin, size).array() * (Phi.middleRows(begin, size) * view.B).array();
  });
  Change change;  // of the last frequency, still to be taken off G
  for (Index l = 0; l < view.W.rows(); ++l) {
    Rng own = rng.split(static_cast<std::uint64_t>(l));
    Trial trial = make_trial(view, l, X, moves.step, own, threads);
    const Matrix old = weights_of(view, l);
    const PairSums sums = sum_rows(threads, t, [&](Index begin, Index size, PairSums& sum) {
      const auto Omega = terms.Omega.middleRows(begin, size);
      const auto pairs = trial.pairs.middleRows(begin, size);
      auto unexplained = G.middleRows(begin, size);
      if (!change.empty()) unexplained -= Omega.cwiseProduct(change.at(begin, size));
      // Without this frequency: its own part comes back.
      const Matrix part = pairs.leftCols(2) * old, rest = unexplained + Omega.cwiseProduct(part);
      sum.S.noalias() += trial.products.middleRows(begin, size).transpose() * Omega;
      sum.T.noalias() += pairs.transpose() * rest;
    });
    const PairTerms stay = make_terms(sums, 0, view.amplitude), go = make_terms(sums, 1, view.amplitude);
    const bool accepted =
        metropolis_accept(go.log_integral() - stay.log_integral() + trial.proposal.log_ratio, own);
    count(moves, trial.walk, accepted);
    Vector c, s;
    (accepted ? go : stay).draw(own, c, s);
    change = change_of(trial, old, c, s, accepted);
    if (accepted) view.W.row(l) = trial.proposal.w.transpose();
    keep_weights(view, l, c, s);
  }
}

void update_poisson_frequencies(const BayesTable& t, MatrixIn offsets, MatrixIn X, BayesViewState& view,
                                FrequencyMoves& moves, const Rng& rng, const Threads& threads) {
  Matrix F = functions_of(view, X, threads);
  const auto rates = [&](const Matrix& f, Index begin) {
    Matrix e = f;
    if (offsets.size() > 0) e += offsets.middleRows(begin, f.rows());
    exp(e.data(), e.data(), e.size());
    if (!t.complete) e.array() *= t.seen.middleRows(begin, f.rows()).array();
    return e;
  };
  /// The log likelihood as far as it depends on f, with something added to it.
  const auto log_likelihood = [&](const Change& added) {
    const RowPlan plan = rows_of(t);
    Vector lanes = Vector::Zero(plan.lanes);
    for_each_block(threads, plan, [&](Index lane, Index begin, Index size) {
      Matrix f = F.middleRows(begin, size);
      if (!added.empty()) f += added.at(begin, size);
      lanes(lane) += t.Y.middleRows(begin, size).cwiseProduct(f).sum() - rates(f, begin).sum();
    });
    return lanes.sum();
  };
  double value = log_likelihood({});
  Change change;  // of the last frequency, still to be added to F
  for (Index l = 0; l < view.W.rows(); ++l) {
    Rng own = rng.split(static_cast<std::uint64_t>(l));
    Trial trial = make_trial(view, l, X, moves.step, own, threads);
    const Matrix old = weights_of(view, l);
    // Both laws by Newton's method from zero weights, so that neither knows what the present ones are: two steps, for
    // with one the errors of many columns add up to certain refusal.
    const PairSums at_zero = sum_rows(threads, t, [&](Index begin, Index size, PairSums& sum) {
      const auto pairs = trial.pairs.middleRows(begin, size);
      auto f = F.middleRows(begin, size);
      if (!change.empty()) f += change.at(begin, size);
      const Matrix part = pairs.leftCols(2) * old, rate = rates(f - part, begin),
                   left = t.Y.middleRows(begin, size) - rate;
      sum.S.noalias() += trial.products.middleRows(begin, size).transpose() * rate;
      sum.T.noalias() += pairs.transpose() * left;
    });
    const Matrix first_stay = make_terms(at_zero, 0, view.amplitude).mean(),
                 first_go = make_terms(at_zero, 1, view.amplitude).mean();
    PairSums sums = sum_rows(threads, t, [&](Index begin, Index size, PairSums& sum) {
      const auto pairs = trial.pairs.middleRows(begin, size);
      const auto products = trial.products.middleRows(begin, size);
      const Matrix part = pairs.leftCols(2) * old, rest = F.middleRows(begin, size) - part;
      for (const Index k : {0, 1}) {
        const auto pair = pairs.middleCols(2 * k, 2);
        const Matrix added = pair * (k == 0 ? first_stay : first_go), rate = rates(rest + added, begin),
                     left = t.Y.middleRows(begin, size) - rate;
        sum.S.middleRows(3 * k, 3).noalias() += products.middleCols(3 * k, 3).transpose() * rate;
        sum.T.middleRows(2 * k, 2).noalias() += pair.transpose() * left;
      }
    });
    add_expansion_point(first_stay, 0, sums);
    add_expansion_point(first_go, 1, sums);
    const PairTerms stay = make_terms(sums, 0, view.amplitude), go = make_terms(sums, 1, view.amplitude);
    Vector c, s;
    go.draw(own, c, s);
    change = change_of(trial, old, c, s, true);
    const double there = log_likelihood(change);
    const double prior = -0.5 / view.amplitude * (c.squaredNorm() + s.squaredNorm() - old.squaredNorm());
    const double log_ratio = there - value + prior + stay.log_density(old.row(0), old.row(1)) -
                             go.log_density(c, s) + trial.proposal.log_ratio;
    const bool accepted = metropolis_accept(log_ratio, own);
    count(moves, trial.walk, accepted);
    if (!accepted) {
      change = {};
      continue;
    }
    view.W.row(l) = trial.proposal.w.transpose();
    keep_weights(view, l, c, s);
    value = there;
  }
}

}  // namespace bochner
