#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/data/dataset.hpp"
#include "bochner/models/gplvm/cost.hpp"
#include "bochner/models/gplvm/options.hpp"

namespace bochner {

/// A number of dimensions that was tried.
struct DimsTrial {
  Index dims = 0;
  double error = 0;  // mean squared error of held-out entries, scaled units
  double gain = 0;  // by which it is below the best one before, of fewer or (on the way down) more dimensions
  double gain_se = 0;  // standard error of that, over samples
};

struct DimsChoice {
  Index dims = 1;
  std::vector<DimsTrial> trials;
  bool stopped = false;  // by `go_on`, before the search was over
};

/// As many latent dimensions as entries held out of `data` pay for. Short fits with the simple form of the kernels, on at
/// most 500 samples and 400 columns of each view: one dimension, then one more at a time, which begins at what the others
/// leave unexplained. A dimension pays if it lowers the error by more than two standard errors and more than half a percent, or
/// that of one of several views, by the more standard errors the more views there are; three in a row that do not, even
/// together, end the search. Then dimensions are taken away again, one at a time and from where the larger fit ended, as long as
/// none that pays is lost: smaller fits may have got stuck. `go_on` is called before each trial and ends the search when it
/// returns false. `options.dims` does not matter; at most `most`, and a tenth of the samples. Entries of `label_view` are seen but
/// never judged: one hidden column of a label is known from the others.
DimsChoice choose_dims(const Dataset& data, const GplvmOptions& options, Index most, std::uint64_t seed,
                       const Compute& compute, const std::function<bool(Index dims)>& go_on = {},
                       const std::string& label_view = "");

/// Multiply-adds of a search that ends at two dimensions, as gplvm_operations counts them.
double choose_dims_operations(const TableShape& shape, const GplvmOptions& options, Index most);

}  // namespace bochner
