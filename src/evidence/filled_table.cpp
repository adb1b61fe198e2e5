#include "bochner/evidence/filled_table.hpp"

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

#include "bochner/compute/cholesky.hpp"
#include "bochner/compute/products.hpp"
#include "bochner/core/checks.hpp"

namespace bochner {

template <class T>
FilledTable<T>::FilledTable(MatrixT<T> Y, MatrixInT<T> guess, const Compute& compute) : Y_(std::move(Y)) {
  const Index N = Y_.rows(), M = Y_.cols();
  weight_.resize(N);
  first_missing_.reserve(static_cast<std::size_t>(N) + 1);
  first_missing_.push_back(0);
  for (Index n = 0; n < N; ++n) {
    for (Index m = 0; m < M; ++m)
      if (std::isnan(Y_(n, m))) missing_columns_.push_back(m);
    const Index before = first_missing_.back(), missing = Index(missing_columns_.size()) - before;
    if (missing == M)
      throw std::invalid_argument("FilledTable: row " + std::to_string(n) +
                                  " has no measured entry; leave it out");
    weight_(n) = double(M - missing) / double(M);
    observed_ += M - missing;
    first_missing_.push_back(Index(missing_columns_.size()));
  }
  if (missing_columns_.empty()) {
    complete_.emplace(std::move(Y_), compute);
    Y_.resize(0, 0);
    return;
  }
  check_size("FilledTable", "rows of the guess", guess.rows(), "rows of Y", N);
  check_size("FilledTable", "columns of the guess", guess.cols(), "columns of Y", M);
  refill(0, guess);
  check_finite("FilledTable", "Y with its guesses", Y_.template cast<double>());
}

template <class T>
void FilledTable<T>::refill(Index begin, MatrixInT<T> F) {
  for (Index n = begin; n < begin + F.rows(); ++n)
    for (Index h = missing_begin(n); h < missing_end(n); ++h) {
      const Index m = missing_columns_[static_cast<std::size_t>(h)];
      Y_(n, m) = F(n - begin, m);
    }
}

template <class T>
void FilledTable<T>::refilled() {
  outer_.resize(0, 0);
  compact_.resize(0, 0);
}

template <class T>
void FilledTable<T>::gather_guesses(const Compute& compute, const RowPlan& plan) {
  if (!plan.is_shared()) return;
  const auto each = [&](Index rank, const auto& f) {
    for (Index n = plan.first_row(rank); n < plan.first_row(rank + 1); ++n)
      for (Index h = missing_begin(n); h < missing_end(n); ++h)
        f(Y_(n, missing_columns_[static_cast<std::size_t>(h)]));
  };
  std::string own;
  each(plan.rank, [&](const T& guess) { own.append(reinterpret_cast<const char*>(&guess), sizeof guess); });
  const std::vector<std::string> parts = compute.comm.all_gather(own);
  for (Index r = 0; r < plan.ranks; ++r) {
    if (r == plan.rank) continue;
    const std::string& part = parts[static_cast<std::size_t>(r)];
    std::size_t at = 0;
    each(r, [&](T& guess) {
      if (at + sizeof guess <= part.size()) std::memcpy(&guess, part.data() + at, sizeof guess);
      at += sizeof guess;
    });
    check_message(part, at);
  }
}

template <class T>
const MatrixT<T>& FilledTable<T>::outer(const Compute& compute) {
  if (complete_ && complete_->has_S()) return complete_->S();
  if (outer_.size() == 0) outer_ = outer_gram<T>(Y(), compute);
  return outer_;
}

template <class T>
const MatrixT<T>& FilledTable<T>::compact(const Compute& compute) {
  if (complete_) return complete_->compact();
  if (rows() >= cols()) return Y_;
  if (compact_.size() == 0) {
    Matrix S = outer(compute).template cast<double>();
    S.diagonal().array() += 1e-12 * S.diagonal().mean();  // centred rows have rank N - 1
    compact_ = cholesky(std::move(S), {.what = "the outer product of the table"}, compute)
                   .L.template triangularView<Eigen::Lower>()
                   .toDenseMatrix()
                   .template cast<T>();
  }
  return compact_;
}

template <class T>
VectorT<T> FilledTable<T>::guesses() const {
  VectorT<T> out(Index(missing_columns_.size()));
  for (Index n = 0; n < rows(); ++n)
    for (Index h = missing_begin(n); h < missing_end(n); ++h)
      out(h) = Y_(n, missing_columns_[static_cast<std::size_t>(h)]);
  return out;
}

template <class T>
void FilledTable<T>::set_guesses(VectorInT<T> values) {
  check_size("FilledTable::set_guesses", "size of values", values.size(), "missing entries",
             Index(missing_columns_.size()));
  for (Index n = 0; n < rows(); ++n)
    for (Index h = missing_begin(n); h < missing_end(n); ++h)
      Y_(n, missing_columns_[static_cast<std::size_t>(h)]) = values(h);
  refilled();
}

template class FilledTable<double>;
template class FilledTable<float>;

}  // namespace bochner
