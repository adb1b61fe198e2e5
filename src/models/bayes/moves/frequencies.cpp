#include "frequencies.hpp"

#include "bochner/compute/row_plan.hpp"
#include "bochner/infer/metropolis.hpp"
#include "frequency_trial.hpp"

namespace bochner {

void update_frequencies(const BayesTable& t, const NormalTerms& terms, MatrixIn X, BayesViewState& view,
                        FrequencyMoves& moves, const Rng& rng, const Compute& compute) {
  // G = K - Omega o F: what the features leave unexplained, weighted.
  const Matrix Phi = bayes_features(view.W, X, t.covariates, compute);
  Matrix G(t.rows(), t.cols());
  for_each_block(compute, t.rows(), 64, [&](Index begin, Index size) {
    G.middleRows(begin, size) =
        terms.K.middleRows(begin, size).array() -
        terms.Omega.middleRows(begin, size).array() * (Phi.middleRows(begin, size) * view.B).array();
  });
  Change change;  // of the last frequency, still to be taken off G
  for (Index l = 0; l < view.W.rows(); ++l) {
    Rng own = rng.split(static_cast<std::uint64_t>(l));
    Trial trial = make_trial(view, l, X, moves.step, own, compute);
    const Matrix old = weights_of(view, l);
    const PairSums sums = sum_rows(compute, t, [&](Index begin, Index size, PairSums& sum) {
      const auto Omega = terms.Omega.middleRows(begin, size);
      const auto pairs = trial.pairs.middleRows(begin, size);
      auto unexplained = G.middleRows(begin, size);
      if (!change.empty()) unexplained -= Omega.cwiseProduct(change.at(begin, size));
      // Without this frequency: its own part comes back.
      const Matrix part = pairs.leftCols(2) * old, rest = unexplained + Omega.cwiseProduct(part);
      sum.S.noalias() += trial.products.middleRows(begin, size).transpose() * Omega;
      sum.T.noalias() += pairs.transpose() * rest;
    });
    const PairLaw stay = make_law(sums, 0, view.amplitude), go = make_law(sums, 1, view.amplitude);
    const bool accepted = metropolis_accept(go.log_integral() - stay.log_integral() + trial.log_ratio, own);
    count(moves, trial.walk, accepted);
    const Matrix weights = (accepted ? go : stay).draw(own);
    change = change_of(std::move(trial.pairs), old, weights, accepted);
    if (accepted) view.W.row(l) = trial.w.transpose();
    keep_weights(view, l, weights);
  }
}

}  // namespace bochner
