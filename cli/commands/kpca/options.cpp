#include "options.hpp"

#include "cli/frame/run_options.hpp"

namespace bochner::cli {

namespace {

std::vector<Option> input_options(KpcaSettings& s) {
  return {{.name = "view",
           .placeholder = "TABLE",
           .help = "Table of observations, or NAME=TABLE",
           .target = &s.views,
           .group = Group::input,
           .required = true,
           .file = true,
           .positional = true},
          {.name = "meta",
           .placeholder = "FILE",
           .help = "Sample annotations, written to meta.csv in the order of latent.csv",
           .target = &s.meta,
           .group = Group::input,
           .file = true},
          {.name = "labels",
           .placeholder = "FILE:COLUMN",
           .help = "Class labels to predict, as an additional view",
           .target = &s.labels,
           .group = Group::input,
           .file = true},
          {.name = "shape",
           .placeholder = "NAME=RxC",
           .help = "Rows of the view are pictures of this shape: report.html draws them",
           .target = &s.shape,
           .group = Group::input}};
}

std::vector<Option> kernel_options(KpcaSettings& s) {
  return {{.name = "dims",
           .placeholder = "S",
           .help = "Number of components",
           .target = &s.dims,
           .group = Group::model,
           .low = 1,
           .high = 1e5},
          {.name = "kernel",
           .placeholder = "[NAME=]K",
           .help = "Kernel: rbf (default), linear, poly2, matern32, rbf+linear, ...",
           .target = &s.kernel,
           .group = Group::model,
           .suggestions = {"rbf", "linear", "poly2", "matern32", "rbf+linear"}},
          {.name = "lengthscale",
           .placeholder = "[NAME=]L",
           .help = "Length-scale, in scaled units; default the median distance",
           .target = &s.lengthscale,
           .group = Group::model},
          {.name = "features",
           .placeholder = "[NAME=]METHOD",
           .help = "exact, finite, L, orthogonal:L, nystrom:m, network:F; default auto",
           .target = &s.features,
           .group = Group::model,
           .suggestions = {"auto", "exact", "finite", "orthogonal:100", "nystrom:500", "network:64"}},
          {.name = "weight",
           .placeholder = "[NAME=]W",
           .help = "Weight of the kernel of a view; default 1",
           .target = &s.weight,
           .group = Group::model},
          {.name = "balance",
           .help = "Weight the views so that each contributes equally",
           .target = &s.balance,
           .group = Group::model},
          {.name = "no-scale",
           .help = "Do not standardise the columns",
           .target = &s.no_scale,
           .group = Group::model}};
}

std::vector<Option> solver_options(KpcaSettings& s) {
  return {{.name = "solver",
           .placeholder = "METHOD",
           .help = "Solver: primal, dual, primal-stiefel, dual-stiefel",
           .target = &s.solver,
           .group = Group::model,
           .suggestions = {"auto", "primal", "dual", "primal-stiefel", "dual-stiefel"}},
          {.name = "preimage",
           .placeholder = "[NAME=]METHOD",
           .help = "Preimage: identity, ridge, smoother, fixed-point, gradient",
           .target = &s.preimage,
           .group = Group::model,
           .suggestions = {"auto", "identity", "ridge", "smoother", "fixed-point", "gradient"}},
          {.name = "epochs",
           .placeholder = "N",
           .help = "Training epochs of network features",
           .target = &s.epochs,
           .group = Group::model,
           .low = 1,
           .high = 1e6}};
}

std::vector<Option> output_options(KpcaSettings& s) {
  return {{.name = "holdout",
           .placeholder = "FRACTION",
           .help = "Fraction of samples held out for cross-view evaluation; 0 disables",
           .target = &s.holdout,
           .group = Group::evaluation,
           .low = 0,
           .high = 0.5},
          {.name = "samples",
           .placeholder = "N",
           .help = "Number of synthetic samples to write to generated/",
           .target = &s.samples,
           .group = Group::output,
           .low = 0,
           .high = 1e6},
          {.name = "traverse",
           .placeholder = "N",
           .help = "Traverse the first N components; written to traverse/",
           .target = &s.traverse,
           .group = Group::output,
           .low = 0,
           .high = 1e4}};
}

}  // namespace

std::vector<Option> kpca_options(KpcaSettings& s) {
  return concatenate({input_options(s), kernel_options(s), solver_options(s), output_options(s)});
}

}  // namespace bochner::cli
