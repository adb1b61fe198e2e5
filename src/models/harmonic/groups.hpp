#pragma once
#include "bochner/compute/cholesky.hpp"
#include "bochner/models/harmonic/gp.hpp"
#include "bochner/symmetry/harmonic_grams.hpp"

namespace bochner {

inline std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// Groups that share their inducing points: all of them, or one.
struct HarmonicBlock {
  Index first = 0, count = 1;
  const Matrix& Z;
  Harmonics harmonics;
};
std::vector<HarmonicBlock> blocks_of(const HarmonicGp& gp);

/// k_h(Z_h, Z_h) and its factor, for each group.
struct HarmonicFactors {
  std::vector<CholeskyFactor> factor;
  std::vector<double> share;  // all jitter that was added, relative to the mean diagonal
};
HarmonicFactors factorise(const HarmonicGp& gp, const std::vector<HarmonicBlock>& blocks,
                          const Compute& compute);

/// Psi_h = L_h^-1 k_h(Z_h, X), m x n, for each group: what was called the features Phi', so that k_h is close to Psi_h'Psi_h.
std::vector<Matrix> whitened_features(const std::vector<HarmonicBlock>& blocks,
                                      const HarmonicFactors& factors, MatrixIn X, const Compute& compute);

/// f(0) .. f(count - 1), in parallel when there are several; a single one has the threads to itself.
template <class F>
void for_each_group(Index count, const Compute& compute, const F& f) {
  if (count == 1)
    f(0);
  else
    compute.threads.run(count, f);
}

/// F'Psi for a lower triangular F, m x n.
Matrix lower_transposed_times(MatrixIn F, MatrixIn Psi, const Compute& compute);
/// F A, m x n.
Matrix lower_times(MatrixIn F, MatrixIn A, const Compute& compute);
/// The lower triangle of A B', m x m, with zeros above.
Matrix lower_of_product(MatrixIn A, MatrixIn B, const Compute& compute);

}  // namespace bochner
