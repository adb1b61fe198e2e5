#include "batches.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "bochner/core/checks.hpp"

namespace bochner {

Batches::Batches(RowSource source, const BatchOptions& options, Rng rng)
    : source_(std::move(source)), rng_(rng), batch_(options.batch), window_(1) {
  check_at_least("Batches", "rows", source_.rows, 1);
  check_at_least("Batches", "batch", options.batch, 1);
  check_between("Batches", "validation", double(options.validation), 0, double(source_.rows - 1));
  const double bytes = 8.0 * double(source_.rows) * double(source_.inputs + source_.outcomes);
  if (bytes <= options.memory) {
    all_X_.resize(source_.rows, source_.inputs);
    all_Y_.resize(source_.rows, source_.outcomes);
    constexpr Index piece = 4096;  // sources make copies of what they read
    for (Index begin = 0; begin < source_.rows; begin += piece) {
      const Index n = std::min(piece, source_.rows - begin);
      source_.read(begin, all_X_.middleRows(begin, n), all_Y_.middleRows(begin, n));
    }
  } else {
    window_ = options.window;
  }
  // Units are rows, or windows of rows; some are set apart.
  const Index units = (source_.rows + window_ - 1) / window_;
  const IndexVector shuffled = rng.split("validation").permutation(units);
  Index apart = 0, apart_rows = 0;
  while (apart_rows < options.validation && apart < units - 1) apart_rows += unit_rows(shuffled(apart++));
  IndexVector out = shuffled.head(apart);
  units_ = shuffled.tail(units - apart);
  std::sort(out.begin(), out.end());
  std::sort(units_.begin(), units_.end());
  read_units(out, validation_X_, validation_Y_);
  rows_ = source_.rows - apart_rows;
  constexpr double most = 1e8;  // bytes: a million rows of a dozen numbers are enough to shuffle
  const auto held =
      static_cast<Index>(std::min(options.memory, most) / (8.0 * double(source_.inputs + source_.outcomes)));
  const Index buffer = options.buffer > 0 ? options.buffer : std::max(held, options.batch);
  units_per_epoch_ =
      in_memory() ? units_.size() : std::min(units_.size(), std::max<Index>(buffer / window_, 1));
  batch_ = std::min(batch_, epoch_rows());
}

// A short window at the end of the table may make one buffer smaller than another: count on the smallest.
Index Batches::epoch_rows() const {
  return in_memory() || units_per_epoch_ == units_.size() ? rows_ : (units_per_epoch_ - 1) * window_ + 1;
}

Index Batches::unit_rows(Index unit) const { return std::min(window_, source_.rows - unit * window_); }

void Batches::read_units(const IndexVector& units, Matrix& X, Matrix& Y) const {
  Index n = 0;
  for (const Index unit : units) n += unit_rows(unit);
  X.resize(n, source_.inputs);
  Y.resize(n, source_.outcomes);
  Index row = 0;
  for (const Index unit : units) {
    const Index size = unit_rows(unit);
    if (in_memory()) {
      X.row(row) = all_X_.row(unit);
      Y.row(row) = all_Y_.row(unit);
    } else {
      source_.read(unit * window_, X.middleRows(row, size), Y.middleRows(row, size));
    }
    row += size;
  }
}

void Batches::load_epoch(Index epoch) {
  if (epoch == epoch_) return;
  epoch_ = epoch;
  Rng rng = rng_.split("epoch").split(std::uint64_t(epoch));
  if (in_memory()) {
    order_ = units_(rng.permutation(units_.size()));
    return;
  }
  IndexVector windows = units_(rng.permutation(units_.size()).head(units_per_epoch_));
  std::sort(windows.begin(), windows.end());  // the file is read from front to back
  read_units(windows, X_, Y_);
  order_ = rng.permutation(X_.rows());
}

void Batches::take(Index step, Matrix& X, Matrix& Y) {
  const Index per_epoch = std::max<Index>(epoch_rows() / batch_, 1);
  load_epoch(step / per_epoch);
  const auto rows = order_.segment(step % per_epoch * batch_, batch_);
  X = (in_memory() ? all_X_ : X_)(rows, Eigen::all);
  Y = (in_memory() ? all_Y_ : Y_)(rows, Eigen::all);
}

void Batches::learned_from(Matrix& X, Matrix& Y) const {
  if (!in_memory()) throw std::logic_error("Batches::learned_from: rows are not in memory");
  X = all_X_(units_, Eigen::all);
  Y = all_Y_(units_, Eigen::all);
}

Matrix Batches::some_inputs(Index most) {
  load_epoch(0);
  const Index n = std::min<Index>(most, order_.size());
  return (in_memory() ? all_X_ : X_)(order_.head(n), Eigen::all);
}

}  // namespace bochner
