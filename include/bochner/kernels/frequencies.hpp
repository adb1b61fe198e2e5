#pragma once
#include <cstddef>
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// How the Gaussian directions of a set of frequencies are drawn: independently, or orthogonal in blocks of D rows
/// with chi-distributed lengths, so that each row is still N(0, I) [yu2016].
enum class Directions { independent, orthogonal };

/// The randomness behind a draw of frequencies, free of the kernel's parameters: frequencies are a smooth function of
/// parameters and noise, so the same noise differentiates and repeats. What the matrices hold is the kernel's affair.
struct SpectralNoise {
  Matrix E1;                         // J x D standard normal rows
  Matrix E2;                         // J x D, a second one where frequencies come in pairs
  Matrix extra;                      // J rows: chi-squared draws, uniforms, harmonic numbers ...
  std::vector<SpectralNoise> parts;  // one per term of a sum or factor of a product
};

/// J angular frequencies with amplitudes c: features c_j [cos x'w_j, sin x'w_j], or for pairs (non-stationary
/// kernels) c_j [cos x'w1_j + cos x'w2_j, sin x'w1_j + sin x'w2_j]; in both cases E[phi(x)'phi(y)] = k(x, y).
/// The same struct carries adjoints: dL/dOmega1, dL/dOmega2, dL/damplitude.
struct Frequencies {
  Matrix Omega1;     // J x D
  Matrix Omega2;     // J x D, or no rows when the kernel is stationary
  Vector amplitude;  // J
  Index count() const { return Omega1.rows(); }
  bool paired() const { return Omega2.rows() > 0; }

  /// Of adjoints, which are summed over processes: f(Eigen::Map<Vector>) for all numbers.
  template <class F>
  void each_array(F&& f) {
    f(Eigen::Map<Vector>(Omega1.data(), Omega1.size()));
    f(Eigen::Map<Vector>(Omega2.data(), Omega2.size()));
    f(Eigen::Map<Vector>(amplitude.data(), amplitude.size()));
  }
};

/// The noise handed to a kernel must be one that its own kind drew: std::invalid_argument unless `part` of the noise
/// is rows x cols. An adjoint must have the shape of the frequencies.
void check_noise(const char* function, MatrixIn part, Index rows, Index cols);
void check_noise_parts(const char* function, const SpectralNoise& noise, std::size_t parts);
void check_adjoint(const char* function, const Frequencies& dL, Index rows, Index cols, bool paired);

/// rows x cols of N(0, I) rows, independent or orthogonal in blocks of cols.
Matrix gaussian_directions(Index rows, Index cols, Directions directions, Rng& rng);

}  // namespace bochner
