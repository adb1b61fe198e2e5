#include "bochner/linalg/missing_patterns.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace bochner {
namespace {

constexpr Index word_bits = 64;

/// One bit per entry, set where Y is observed; M columns of ceil(N / 64) words each, so that a column is
/// contiguous.
std::vector<std::uint64_t> observed_bits(MatrixIn Y, Index words) {
  std::vector<std::uint64_t> bits(static_cast<std::size_t>(Y.cols() * words), 0);
  std::vector<std::uint64_t> word(static_cast<std::size_t>(Y.cols()));  // of 64 rows, one per column
  for (Index w = 0; w < words; ++w) {
    std::fill(word.begin(), word.end(), 0);
    const Index begin = w * word_bits, end = std::min(begin + word_bits, Y.rows());
    for (Index n = begin; n < end; ++n)
      for (Index m = 0; m < Y.cols(); ++m) word[m] |= std::uint64_t(!std::isnan(Y(n, m))) << (n - begin);
    for (Index m = 0; m < Y.cols(); ++m) bits[m * words + w] = word[m];
  }
  return bits;
}

}  // namespace

std::vector<MissingPattern> missing_patterns(MatrixIn Y) {
  const Index words = (Y.rows() + word_bits - 1) / word_bits;
  const std::vector<std::uint64_t> bits = observed_bits(Y, words);
  const auto column_bits = [&](Index m) { return bits.data() + m * words; };

  std::vector<MissingPattern> patterns;
  std::unordered_map<std::string_view, std::size_t> seen;  // the bits of a column -> its pattern
  for (Index m = 0; m < Y.cols(); ++m) {
    const std::string_view key(reinterpret_cast<const char*>(column_bits(m)), words * sizeof(std::uint64_t));
    const auto [found, is_new] = seen.try_emplace(key, patterns.size());
    if (is_new) {
      MissingPattern& pattern = patterns.emplace_back();
      for (Index n = 0; n < Y.rows(); ++n)
        if (column_bits(m)[n / word_bits] >> (n % word_bits) & 1) pattern.rows.push_back(n);
    }
    patterns[found->second].columns.push_back(m);
  }
  return patterns;
}

std::vector<Index> missing_rows(const MissingPattern& pattern, Index N) {
  std::vector<Index> out;
  auto next = pattern.rows.begin();
  for (Index n = 0; n < N; ++n)
    if (next != pattern.rows.end() && *next == n)
      ++next;
    else
      out.push_back(n);
  return out;
}

}  // namespace bochner
