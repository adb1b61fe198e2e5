#pragma once
#include <cmath>
#include <limits>

namespace bochner {

/// A running mean with its standard error [welford1962].
class MeanSe {
 public:
  void add(double value) {
    const double d = value - mean_;
    sum_ += value;
    mean_ += d / ++count_;
    squares_ += d * (value - mean_);
  }
  double count() const { return count_; }
  double mean() const { return count_ > 0 ? sum_ / count_ : std::numeric_limits<double>::quiet_NaN(); }
  double se() const {  // NaN for fewer than two
    return count_ > 1 ? std::sqrt(squares_ / (count_ - 1) / count_)
                      : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  // Sums of zeros and ones are exact, running means are not.
  double count_ = 0, sum_ = 0, mean_ = 0, squares_ = 0;
};

}  // namespace bochner
