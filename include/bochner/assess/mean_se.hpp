#pragma once

namespace bochner {

/// A running mean with its standard error [welford1962].
class MeanSe {
 public:
  void add(double value);
  double count() const { return count_; }
  double mean() const;  // NaN for none
  double se() const;    // NaN for fewer than two

 private:
  // Sums of zeros and ones are exact, running means are not.
  double count_ = 0, sum_ = 0, mean_ = 0, squares_ = 0;
};

}  // namespace bochner
