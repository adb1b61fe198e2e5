#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "bochner/core/types.hpp"

namespace bochner::testing {

/// Central differences with one Richardson step: error O(h^4), good to about 1e-9 relative for smooth functions.
inline Vector numerical_gradient(const std::function<double(const Vector&)>& f, const Vector& at,
                                 double h = 1e-4) {
  Vector g(at.size());
  for (Index i = 0; i < at.size(); ++i) {
    const double step = h * std::max(1.0, std::abs(at(i)));
    const auto slope = [&](double s) {
      Vector up = at, down = at;
      up(i) += s;
      down(i) -= s;
      return (f(up) - f(down)) / (2 * s);
    };
    g(i) = (4 * slope(step / 2) - slope(step)) / 3;
  }
  return g;
}

/// |a - b| over the larger of the two norms, and over `floor` where both vanish.
inline double relative_difference(const Vector& a, const Vector& b, double floor = 1e-12) {
  return (a - b).norm() / std::max({a.norm(), b.norm(), floor});
}

inline Vector flat(const Matrix& A) { return Eigen::Map<const Vector>(A.data(), A.size()); }
inline Matrix unflat(const Vector& v, Index rows, Index cols) {
  return Eigen::Map<const Matrix>(v.data(), rows, cols);
}

/// The analytic gradient at `at` must agree with central differences, as a whole vector, to `tolerance` relative.
inline void expect_gradient(const std::function<double(const Vector&)>& f, const Vector& at,
                            const Vector& analytic, double tolerance = 1e-6, const char* what = "") {
  ASSERT_EQ(at.size(), analytic.size()) << what;
  const Vector numeric = numerical_gradient(f, at);
  EXPECT_LT(relative_difference(analytic, numeric), tolerance)
      << what << "\nanalytic: " << analytic.transpose() << "\nnumeric:  " << numeric.transpose();
}

}  // namespace bochner::testing
