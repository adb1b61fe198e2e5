#include <cmath>
#include <limits>

#include "bochner/compute/lane_sum.hpp"
#include "bochner/compute/vector_math.hpp"
#include "bochner/infer/metropolis.hpp"
#include "frequencies.hpp"
#include "frequency_trial.hpp"

namespace bochner {

namespace {

/// The present f of a table of counts.
class PoissonFunctions {
 public:
  PoissonFunctions(const BayesTable& t, MatrixIn offsets, MatrixIn X, const BayesViewState& view,
                   const Compute& compute)
      : t_(t),
        offsets_(offsets),
        compute_(compute),
        longest_(2 * std::sqrt(double(view.W.rows()))),
        cap_(100 * (t.Y.colwise().maxCoeff().array() + 1).matrix()),
        F_(functions_of(t, view, X, compute)) {}

  void add(Change change) { change_ = std::move(change); }

  /// The log likelihood as far as it depends on f, with something added to that.
  double log_likelihood(const Change& added) const {
    return sum_over_rows<double>(compute_, row_blocks(t_), 0, [&](double& sum, Index begin, Index size) {
      Matrix f = F_.middleRows(begin, size);
      if (!added.empty()) f += added.at(begin, size);
      sum += t_.Y.middleRows(begin, size).cwiseProduct(f).sum() - rates(f, begin).sum();
    });
  }

  struct Laws {
    PairLaw stay, go;
  };
  /// Normal approximations of the weights of both frequencies of a trial given all other features, by Newton's method from
  /// zero weights, so that neither knows what the present ones are. Two steps: with one, the errors of many columns add up
  /// to certain refusal.
  Laws laws(const Trial& trial, const Matrix& present, double amplitude) {
    const PairSums at_zero = sum_rows(compute_, t_, [&](Index begin, Index size, PairSums& sum) {
      const auto pairs = trial.pairs.middleRows(begin, size);
      auto f = F_.middleRows(begin, size);
      if (!change_.empty()) f += change_.at(begin, size);
      const Matrix part = pairs.leftCols(2) * present, rate = believed(f - part, begin),
                   left = t_.Y.middleRows(begin, size) - rate;
      sum.S.noalias() += trial.products.middleRows(begin, size).transpose() * rate;
      sum.T.noalias() += pairs.transpose() * left;
    });
    change_ = {};
    const Matrix first[2] = {shortened(make_law(at_zero, 0, amplitude).mean()),
                             shortened(make_law(at_zero, 1, amplitude).mean())};
    PairSums sums = sum_rows(compute_, t_, [&](Index begin, Index size, PairSums& sum) {
      const auto pairs = trial.pairs.middleRows(begin, size);
      const auto products = trial.products.middleRows(begin, size);
      const Matrix part = pairs.leftCols(2) * present, rest = F_.middleRows(begin, size) - part;
      for (const Index k : {0, 1}) {
        const auto pair = pairs.middleCols(2 * k, 2);
        const Matrix added = pair * first[k], rate = believed(rest + added, begin),
                     left = t_.Y.middleRows(begin, size) - rate;
        sum.S.middleRows(3 * k, 3).noalias() += products.middleCols(3 * k, 3).transpose() * rate;
        sum.T.middleRows(2 * k, 2).noalias() += pair.transpose() * left;
      }
    });
    for (const Index k : {0, 1}) expand_around(first[k], k, sums);
    return {make_law(sums, 0, amplitude), make_law(sums, 1, amplitude)};
  }

 private:
  Matrix rates(Matrix f, Index begin) const {
    if (offsets_.size() > 0) f += offsets_.middleRows(begin, f.rows());
    exp(f.data(), f.data(), f.size());
    if (!t_.complete)  // infinity times 0 would be NaN
      f = f.cwiseMin(std::numeric_limits<double>::max()).cwiseProduct(t_.seen.middleRows(begin, f.rows()));
    return f;
  }

  /// For approximations: hardly any mode has a rate above a hundred times the largest count.
  Matrix believed(Matrix f, Index begin) const {
    Matrix rate = rates(std::move(f), begin);
    for (Index i = 0; i < rate.rows(); ++i) rate.row(i) = rate.row(i).cwiseMin(cap_);
    return rate;
  }

  /// A first step that changes no f by more than 2: exponentials overshoot.
  Matrix shortened(const Matrix& weights) const {
    const Eigen::RowVectorXd share = longest_ / weights.colwise().norm().array().max(longest_);
    return weights * share.asDiagonal();
  }

  /// From the gradient T at some weights to the linear term of the expansion around them, T + S b.
  static void expand_around(const Matrix& b, Index which, PairSums& sums) {
    const auto cc = sums.S.row(3 * which).array(), cs = sums.S.row(3 * which + 1).array(),
               ss = sums.S.row(3 * which + 2).array();
    sums.T.row(2 * which).array() += cc * b.row(0).array() + cs * b.row(1).array();
    sums.T.row(2 * which + 1).array() += cs * b.row(0).array() + ss * b.row(1).array();
  }

  const BayesTable& t_;
  Eigen::Ref<const Matrix> offsets_;
  Compute compute_;
  double longest_;          // pair of weights: cosine and sine are divided by sqrt L
  Eigen::RowVectorXd cap_;  // J, of rates
  Matrix F_;
  Change change_;  // still to be added to F
};

}  // namespace

void update_poisson_frequencies(const BayesTable& t, MatrixIn offsets, MatrixIn X, BayesViewState& view,
                                FrequencyMoves& moves, const Rng& rng, const Compute& compute) {
  PoissonFunctions functions(t, offsets, X, view, compute);
  double value = functions.log_likelihood({});
  for (Index l = 0; l < view.W.rows(); ++l) {
    Rng own = rng.split(static_cast<std::uint64_t>(l));
    Trial trial = make_trial(view, l, X, moves.step, own, compute);
    const Matrix old = weights_of(view, l);
    const auto [stay, go] = functions.laws(trial, old, view.amplitude);
    const Matrix weights = go.draw(own);
    Change change = change_of(std::move(trial.pairs), old, weights, true);
    const double there = functions.log_likelihood(change);
    const double prior = -0.5 / view.amplitude * (weights.squaredNorm() - old.squaredNorm());
    const double log_ratio =
        there - value + prior + stay.log_density(old) - go.log_density(weights) + trial.log_ratio;
    const bool accepted = metropolis_accept(log_ratio, own);
    count(moves, trial.walk, accepted);
    if (!accepted) continue;
    view.W.row(l) = trial.w.transpose();
    keep_weights(view, l, weights);
    functions.add(std::move(change));
    value = there;
  }
}

}  // namespace bochner
