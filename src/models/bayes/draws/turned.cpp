#include "turned.hpp"

#include "bochner/assess/procrustes.hpp"
#include "spectral_draw.hpp"

namespace bochner {

BayesStored turned(const BayesState& state, const Matrix& frame, double covariate_sd) {
  const Matrix R = procrustes(state.X, frame).rotation;
  BayesStored out{.X = state.X * R, .functions = {}, .paths = state.paths, .turn = R};
  for (const BayesViewState& view : state.views) {
    const Index weights = 2 * view.W.rows(), C = view.B.rows() - weights - 1;
    BayesFunctions own{.W = view.W * R,
                       .B = view.B,
                       .scale = view.scale,
                       .covariates = {},
                       .spectrum = spectrum_of(view, R)};
    if (C > 0) {
      own.B = Matrix(weights + 1, view.B.cols());
      own.B << view.B.topRows(weights), view.B.bottomRows(1);
      own.covariates = covariate_sd * view.B.middleRows(weights, C);
    }
    out.functions.push_back(std::move(own));
  }
  return out;
}

}  // namespace bochner
