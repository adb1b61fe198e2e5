#include "median_distance.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace bochner {

double median_distance(MatrixIn X, Rng rng) {
  const Index n = std::min<Index>(X.rows(), 1000);
  const IndexVector rows = rng.permutation(X.rows()).head(n);
  std::vector<double> squares;
  squares.reserve(static_cast<std::size_t>(n * (n - 1) / 2));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j) squares.push_back((X.row(rows(i)) - X.row(rows(j))).squaredNorm());
  if (squares.empty()) return 1;
  const auto middle = squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 2);
  std::nth_element(squares.begin(), middle, squares.end());
  return *middle > 0 ? std::sqrt(*middle) : 1;
}

}  // namespace bochner
