#include "bayes_frequencies.hpp"

#include <cmath>

#include "bochner/core/vector_math.hpp"
#include "bochner/core/wishart.hpp"
#include "bochner/infer/metropolis.hpp"

namespace bochner {

namespace {

constexpr Index columns_together = 32;
// Fresh frequencies are rarely taken where data are many, but nothing else crosses between components.
constexpr double fresh_share = 0.2;

/// cos(X w) / sqrt L and sin(X w) / sqrt L, N x 2.
Matrix pair_of(MatrixIn X, VectorIn w, Index L) {
  const Vector angle = X * w;
  Vector sine(angle.size()), cosine(angle.size());
  sincos(angle.data(), sine.data(), cosine.data(), angle.size());
  Matrix out(X.rows(), 2);
  out << cosine, sine;
  return out / std::sqrt(double(L));
}

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

  /// Sum over columns of log integral exp(t b - b P b / 2) db, without powers of 2 pi.
  double log_integral() const { return 0.5 * (tc * mean_c() + ts * mean_s() - determinant().log()).sum(); }
  /// Draws of both weights from standard normals.
  void draw(const Vector& e1, const Vector& e2, Vector& b_c, Vector& b_s) const {
    const Eigen::ArrayXd root = cc.sqrt(), conditional = (determinant() / cc).sqrt();
    b_s = mean_s() + e2.array() / conditional;
    b_c = (tc - cs * b_s.array()) / cc + e1.array() / root;
  }
  /// Sum over columns of the log density of the weights, without powers of 2 pi.
  double log_density(const Vector& b_c, const Vector& b_s) const {
    const Eigen::ArrayXd dc = b_c.array() - mean_c(), ds = b_s.array() - mean_s();
    return 0.5 * (determinant().log() - cc * dc.square() - 2 * cs * dc * ds - ss * ds.square()).sum();
  }
};

/// Runs f(begin, size) over blocks of columns.
void by_columns(const Threads& threads, Index J, const std::function<void(Index, Index)>& f) {
  for_each_block(threads, J, columns_together, f);
}

/// [c^2, c s, s^2] of a pair, N x 3, next to those of another one.
Matrix products_of(const Matrix& a, const Matrix& b) {
  Matrix out(a.rows(), 6);
  out << a.col(0).cwiseAbs2(), a.col(0).cwiseProduct(a.col(1)), a.col(1).cwiseAbs2(), b.col(0).cwiseAbs2(),
      b.col(0).cwiseProduct(b.col(1)), b.col(1).cwiseAbs2();
  return out;
}

PairTerms make_terms(const Matrix& S, const Matrix& T, Index which, double amplitude) {
  const auto row = [](const Matrix& M, Index r) { return M.row(r).transpose().array(); };
  return {row(S, 3 * which) + 1 / amplitude, row(S, 3 * which + 1), row(S, 3 * which + 2) + 1 / amplitude,
          row(T, 2 * which), row(T, 2 * which + 1)};
}

void count(FrequencyMoves& moves, bool walk, bool accepted) {
  ++(walk ? moves.proposed : moves.fresh);
  if (accepted) ++(walk ? moves.accepted : moves.fresh_accepted);
}

}  // namespace

void update_frequencies(const BayesTable& t, const NormalTerms& terms, MatrixIn X, BayesViewState& view,
                        FrequencyMoves& moves, const Rng& rng, const Threads& threads) {
  const Index L = view.W.rows(), J = t.cols();
  // G = K - Omega o F: what the features leave unexplained, weighted.
  const Matrix Phi = bayes_features(view.W, X, threads);
  Matrix G(t.rows(), J);
  for_each_block(threads, t.rows(), 64, [&](Index begin, Index size) {
    G.middleRows(begin, size) =
        terms.K.middleRows(begin, size).array() -
        terms.Omega.middleRows(begin, size).array() * (Phi.middleRows(begin, size) * view.B).array();
  });
  Matrix old_pair, new_pair;  // the change of the last frequency, still to be taken off G
  Vector old_c, old_s, new_c, new_s;
  const auto settle = [&](Index begin, Index size) {
    if (old_pair.rows() == 0) return;
    const Matrix change = new_pair.col(0) * new_c.segment(begin, size).transpose() +
                          new_pair.col(1) * new_s.segment(begin, size).transpose() -
                          old_pair.col(0) * old_c.segment(begin, size).transpose() -
                          old_pair.col(1) * old_s.segment(begin, size).transpose();
    G.middleCols(begin, size).array() -= terms.Omega.middleCols(begin, size).array() * change.array();
  };
  for (Index l = 0; l < L; ++l) {
    Rng own = rng.split(static_cast<std::uint64_t>(l));
    const bool walk = own.uniform() >= fresh_share;
    const Proposal proposal = propose(view.mixture.of(l), view.W.row(l).transpose(), walk, moves.step, own);
    const Matrix now = pair_of(X, view.W.row(l).transpose(), L), other = pair_of(X, proposal.w, L);
    const Matrix products = products_of(now, other);
    const Vector b_c = view.B.row(l), b_s = view.B.row(L + l);
    Matrix S(6, J), T(4, J), pairs(now.rows(), 4);
    pairs << now, other;
    by_columns(threads, J, [&](Index begin, Index size) {
      settle(begin, size);
      const auto Omega = terms.Omega.middleCols(begin, size);
      S.middleCols(begin, size).noalias() = products.transpose() * Omega;
      // G without this frequency: its own part comes back.
      const Matrix R = G.middleCols(begin, size).array() +
                       Omega.array() * (now.col(0) * b_c.segment(begin, size).transpose() +
                                        now.col(1) * b_s.segment(begin, size).transpose())
                                           .array();
      T.middleCols(begin, size).noalias() = pairs.transpose() * R;
    });
    const PairTerms stay = make_terms(S, T, 0, view.amplitude), go = make_terms(S, T, 1, view.amplitude);
    const bool accepted =
        metropolis_accept(go.log_integral() - stay.log_integral() + proposal.log_ratio, own);
    count(moves, walk, accepted);
    old_pair = now;
    old_c = b_c;
    old_s = b_s;
    new_pair = accepted ? other : now;
    (accepted ? go : stay).draw(own.normal(J), own.normal(J), new_c, new_s);
    if (accepted) view.W.row(l) = proposal.w.transpose();
    view.B.row(l) = new_c.transpose();
    view.B.row(L + l) = new_s.transpose();
  }
}

void update_poisson_frequencies(const BayesTable& t, MatrixIn offsets, MatrixIn X, BayesViewState& view,
                                FrequencyMoves& moves, const Rng& rng, const Threads& threads) {
  const Index L = view.W.rows(), J = t.cols(), N = t.rows();
  const Matrix Phi = bayes_features(view.W, X, threads);
  Matrix F(N, J);
  for_each_block(threads, N, 64, [&](Index begin, Index size) {
    F.middleRows(begin, size).noalias() = Phi.middleRows(begin, size) * view.B;
  });
  const auto rates = [&](const Matrix& f, Index begin) {
    Matrix e = f + offsets.middleCols(begin, f.cols());
    exp(e.data(), e.data(), e.size());
    if (!t.complete) e.array() *= t.seen.middleCols(begin, f.cols()).array();
    return e;
  };
  // log likelihood of each column, as far as it depends on f
  const auto values = [&](const Matrix& f, Index begin) -> Vector {
    return (t.Y.middleCols(begin, f.cols()).cwiseProduct(f) - rates(f, begin)).colwise().sum().transpose();
  };
  Vector value(J);
  by_columns(threads, J, [&](Index begin, Index size) {
    value.segment(begin, size) = values(F.middleCols(begin, size), begin);
  });
  for (Index l = 0; l < L; ++l) {
    Rng own = rng.split(static_cast<std::uint64_t>(l));
    const bool walk = own.uniform() >= fresh_share;
    const Proposal proposal = propose(view.mixture.of(l), view.W.row(l).transpose(), walk, moves.step, own);
    const Matrix now = pair_of(X, view.W.row(l).transpose(), L), other = pair_of(X, proposal.w, L);
    const Matrix products = products_of(now, other);
    const Vector b_c = view.B.row(l), b_s = view.B.row(L + l);
    Matrix S(6, J), T(4, J), pairs(N, 4), rest(N, J);
    pairs << now, other;
    by_columns(threads, J, [&](Index begin, Index size) {
      rest.middleCols(begin, size) = F.middleCols(begin, size) -
                                     now.col(0) * b_c.segment(begin, size).transpose() -
                                     now.col(1) * b_s.segment(begin, size).transpose();
      const Matrix rate = rates(rest.middleCols(begin, size), begin);
      S.middleCols(begin, size).noalias() = products.transpose() * rate;
      T.middleCols(begin, size).noalias() = pairs.transpose() * (t.Y.middleCols(begin, size) - rate);
    });
    const PairTerms stay = make_terms(S, T, 0, view.amplitude), go = make_terms(S, T, 1, view.amplitude);
    Vector c, s, there(J);
    go.draw(own.normal(J), own.normal(J), c, s);
    Matrix F_there(N, J);
    by_columns(threads, J, [&](Index begin, Index size) {
      const Matrix f = rest.middleCols(begin, size) + other.col(0) * c.segment(begin, size).transpose() +
                       other.col(1) * s.segment(begin, size).transpose();
      there.segment(begin, size) = values(f, begin);
      F_there.middleCols(begin, size) = f;
    });
    const double prior =
        -0.5 / view.amplitude * (c.squaredNorm() + s.squaredNorm() - b_c.squaredNorm() - b_s.squaredNorm());
    const double log_ratio = there.sum() - value.sum() + prior + stay.log_density(b_c, b_s) -
                             go.log_density(c, s) + proposal.log_ratio;
    const bool accepted = metropolis_accept(log_ratio, own);
    count(moves, walk, accepted);
    if (!accepted) continue;
    view.W.row(l) = proposal.w.transpose();
    view.B.row(l) = c.transpose();
    view.B.row(L + l) = s.transpose();
    F.swap(F_there);
    value = there;
  }
}

}  // namespace bochner
