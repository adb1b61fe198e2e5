#pragma once
#include <cmath>
#include <limits>

#include "bochner/likelihoods/likelihood.hpp"

namespace bochner {

/// Shapes, finite means, finite non-negative variances.
void check_marginals(const char* name, Index latents, MatrixIn mean, MatrixIn var);
void check_rows(const char* name, MatrixIn Y, MatrixIn mean);

/// "name[1]" .. "name[n]"
std::vector<std::string> output_names(const std::string& name, Index n);

/// Throws std::domain_error naming row and column, counted from 1, as the user's table does.
[[noreturn]] void refuse_outcome(const char* name, Index row, Index column, double value,
                                 const std::string& rule);

/// Every measured entry of Y must satisfy `good`.
template <class Good>
void check_entries(const char* name, MatrixIn Y, Index outputs, const Good& good, const std::string& rule) {
  if (Y.cols() != outputs)
    throw std::invalid_argument(std::string(name) + ": Y has " + std::to_string(Y.cols()) +
                                " columns, but the likelihood has " + std::to_string(outputs));
  for (Index i = 0; i < Y.rows(); ++i)
    for (Index p = 0; p < outputs; ++p)
      if (!std::isnan(Y(i, p)) && !good(Y(i, p))) refuse_outcome(name, i + 1, p + 1, Y(i, p), rule);
}

/// Class numbers 0 .. classes-1 in one column.
void check_classes(const char* name, MatrixIn Y, Index classes);

/// E[log p(y | f)] of one entry and its derivatives; dtheta is for the parameter of its column.
struct ExpectedEntry {
  double value, dmean, dvar, dtheta = 0;
};

/// Outputs that share one formula: `entry(p, y, m, v)` -> ExpectedEntry for each measured (row, p). There is one
/// parameter per output, or none.
template <class Entry>
ExpectedLog entrywise_expected_log(MatrixIn Y, MatrixIn mean, MatrixIn var, Index parameters,
                                   const Entry& entry) {
  const Index B = Y.rows(), P = Y.cols();
  ExpectedLog sum{Vector::Zero(B), Matrix::Zero(B, P), Matrix::Zero(B, P), Vector::Zero(parameters)};
  for (Index i = 0; i < B; ++i)
    for (Index p = 0; p < P; ++p) {
      if (std::isnan(Y(i, p))) continue;
      const ExpectedEntry e = entry(p, Y(i, p), mean(i, p), var(i, p));
      sum.rows(i) += e.value;
      sum.dmean(i, p) = e.dmean;
      sum.dvar(i, p) = e.dvar;
      if (parameters > 0) sum.dtheta(p) += e.dtheta;
    }
  return sum;
}

/// `entry(p, y, m, v)` -> double for each measured entry, NaN elsewhere.
template <class Entry>
Matrix entrywise_log_predictive(MatrixIn Y, MatrixIn mean, MatrixIn var, const Entry& entry) {
  Matrix L = Matrix::Constant(Y.rows(), Y.cols(), std::numeric_limits<double>::quiet_NaN());
  for (Index i = 0; i < Y.rows(); ++i)
    for (Index p = 0; p < Y.cols(); ++p)
      if (!std::isnan(Y(i, p))) L(i, p) = entry(p, Y(i, p), mean(i, p), var(i, p));
  return L;
}

}  // namespace bochner
