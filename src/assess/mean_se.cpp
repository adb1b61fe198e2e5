#include "bochner/assess/mean_se.hpp"

#include <cmath>
#include <limits>

namespace bochner {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void MeanSe::add(double value) {
  const double d = value - mean_;
  sum_ += value;
  mean_ += d / ++count_;
  squares_ += d * (value - mean_);
}

double MeanSe::mean() const { return count_ > 0 ? sum_ / count_ : nan; }
double MeanSe::se() const { return count_ > 1 ? std::sqrt(squares_ / (count_ - 1) / count_) : nan; }

}  // namespace bochner
