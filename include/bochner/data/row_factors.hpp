#pragma once
#include <string>
#include <utility>
#include <vector>

#include "bochner/data/dataset.hpp"
#include "bochner/data/predictive.hpp"

namespace bochner {

// Views whose rows are divided by a factor of their own before they meet a model, so that samples are compared by their
// profiles and not by their sizes. What a model says about a sample is multiplied by its factor again.

/// The root mean square of the measured entries of each row of Y (N x M). 1 for a row of zeros, NaN for a row without a
/// measured entry. Safe from overflow.
Vector row_factors(MatrixIn Y);

/// The median of the factors that are numbers, the mean of the two in the middle if they are even in number; 1 if there are none.
double median_factor(const Vector& factors);

/// What rows of views were divided by.
struct RowFactors {
  std::vector<Vector>
      by_view{};  // N for each view, NaN nowhere; empty for a view whose rows stay as they are
  std::vector<double> medians{};  // of each view, over samples that have it; 0 for a view whose rows stay

  bool any() const;
};

/// For a fit: `normalised` says which views. A sample without a measured entry in a view gets the median of the others. `seen`
/// has no entry that the fit is to be judged by.
RowFactors fit_row_factors(const Dataset& seen, const std::vector<bool>& normalised);

/// A view of a fit.
struct FittedRows {
  std::string name;
  std::vector<std::string> columns;
  double median = 0;  // of its factors; 0: rows stay
};
/// For other samples. Factors come in the order of `views`; samples of views that the data lack get the median. Columns that
/// the fit does not have are no part of a factor.
RowFactors row_factors_of(const Dataset& data, const std::vector<FittedRows>& views);

/// Rows of the data divided by their factors; views of the data are found in `views` by name.
Dataset divide_rows(const Dataset& data, const RowFactors& factors, const std::vector<std::string>& views);
Dataset divide_rows(const Dataset& data, const RowFactors& factors);  // of these views, in this order

/// Back in units of the table. Nothing happens if `factors` is empty.
Matrix multiply_rows(Matrix Y, const Vector& factors);
Predictive multiply_rows(Predictive p, const Vector& factors);

/// The samples as a fitted model takes them. Views of a fit have a name, columns and a `row_median`.
struct NormalisedRows {
  Dataset data;
  RowFactors factors;  // in the order of the views of the fit
};
template <class Fit>
NormalisedRows normalised_for(const Fit& fit, const Dataset& seen, const Dataset& data) {
  std::vector<FittedRows> views;
  std::vector<std::string> names;
  for (const auto& view : fit.views) {
    views.push_back({view.name, view.columns, view.row_median});
    names.push_back(view.name);
  }
  RowFactors factors = row_factors_of(seen, views);
  Dataset divided = divide_rows(data, factors, names);
  return {std::move(divided), std::move(factors)};
}
template <class Fit>
NormalisedRows normalised_for(const Fit& fit, const Dataset& data) {
  return normalised_for(fit, data, data);
}

/// Keeps the medians of the views in the fit; `factors` are in the order of its views.
template <class Fit>
Fit with_row_medians(Fit fit, const RowFactors& factors) {
  for (std::size_t v = 0; v < factors.medians.size(); ++v) fit.views[v].row_median = factors.medians[v];
  return fit;
}

}  // namespace bochner
