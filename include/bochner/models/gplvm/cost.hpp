#pragma once
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/data/dataset.hpp"
#include "bochner/models/gplvm/options.hpp"

namespace bochner {

/// The sizes that the cost of a fit depends on.
struct TableShape {
  Index rows = 0;
  std::vector<Index> columns;  // of each view
};
TableShape shape_of(const Dataset& data);

/// The choice that `automatic` stands for: the exact kernel as long as a step takes about a tenth of a second on two cores
/// (about 1,100 samples in one view, 600 in six), else inducing latents, as many as a step of less than half a second allows,
/// but at least 100 and at most 500. Counts that are 0 are filled in.
FeatureSpec resolve(const FeatureSpec& choice, const TableShape& shape,
                    const std::vector<GplvmViewOptions>& views);

/// Features for the way to the neighbourhood of an optimum (src/models/gplvm/ascent.hpp).
FeatureSpec sketch_of(const FeatureSpec& features, Index rows);

/// What random features may get wrong: with probability 0.95 the Gram matrix of `samples` latents with `count` frequencies for each
/// of `components` is within this share of the largest norm that it can have, |K| <= N sum_q alpha_q [yang2025, Theorem 4; all
/// alpha_q alike]. A bound for any latents: the error itself is smaller.
double feature_error(Index samples, Index count, Index components);

/// Components of a mixture kernel; 1 of any other.
Index mixture_components(const GplvmViewOptions& view);

/// Features for the climb of the kernels asked for: inducing latents, where they are much cheaper than the exact kernel.
FeatureSpec climb_of(const FeatureSpec& features, Index rows);

/// The number of starts that `restarts` stands for: the cheaper a step, the more, up to six (some 250 samples in one view); one
/// where a fit takes about a minute (1,000 x 784). All of them together take less than that.
Index resolve_restarts(const GplvmOptions& options, const TableShape& shape);

/// Multiply-adds of a fit whose starts take as many steps as they usually do, about 1,000; predicted, not measured.
double gplvm_operations(const TableShape& shape, const GplvmOptions& options);

/// Multiply-adds a second that this machine does now, in products of matrices as a fit has them: takes some hundredths of a
/// second.
double operations_per_second(const Compute& compute);

/// Bytes that a fit needs at its largest, roughly.
double gplvm_memory(const Dataset& data, const GplvmOptions& options);

}  // namespace bochner
