#pragma once
#include <vector>

#include "bochner/models/bayes/fit.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner::detail {

// The pieces that the files of Bayesian fits and of their checkpoints share.

std::vector<Index> indices(const std::vector<std::int64_t>& values);

Matrix paths_matrix(const std::vector<PathPrior>& paths);  // Q x 2: ell, variance
std::vector<PathPrior> paths_from(const ModelGroup& group, const Matrix& values, PathKind kind);

ModelGroup covariates_group(const Covariates& covariates);
Covariates covariates_from(const ModelGroup& g);

ModelGroup functions_group(const BayesFunctions& functions);
BayesFunctions functions_from(const ModelGroup& group, Index Q);

}  // namespace bochner::detail
