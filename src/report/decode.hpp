#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/report/report.hpp"
#include "bochner/run/any_fit.hpp"

namespace bochner::detail {

/// Predictions of all columns of a view at latents; the sd is empty where a model has none.
struct Decoded {
  Matrix mean, sd;
};

struct DecodedView {
  std::string name;
  std::vector<std::string> columns;
  std::function<Decoded(const Matrix& at)> decode;
};

/// The views that the model predicts at a latent; empty for models without latents. `fit` and `compute` live longer.
std::vector<DecodedView> decoded_views(const AnyFit& fit, const Compute& compute);

/// Whether the columns of the view are the pixels of such pictures.
bool fits(const PictureShape& shape, const DecodedView& view);

/// The plane of two latent dimensions around all samples; the others are at their means.
struct LatentPlane {
  Index a = 0, b = 0;
  Vector low, high;  // of both dimensions

  /// n x n grid points, the second dimension slowest.
  Matrix points(const Matrix& latents, Index n) const;
};

/// Of each pair of the first three dimensions; of the only one with itself.
std::vector<LatentPlane> latent_planes(const Matrix& latents);

/// A column that is shown, by view and place.
struct ShownColumn {
  std::size_t view;
  Index column;
};

/// The columns of the views in turn whose predictions vary most over the first plane, against their noise; `most` of
/// them.
std::vector<ShownColumn> choose_columns(const std::vector<Decoded>& decoded, Index most);

}  // namespace bochner::detail
