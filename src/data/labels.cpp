#include "bochner/data/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "bochner/core/parse_number.hpp"

namespace bochner {

namespace {

/// The numbers that all names are; nothing if one of them is none.
std::vector<double> numbers_of(const std::vector<std::string>& names) {
  std::vector<double> out;
  for (const std::string& name : names) {
    const std::optional<double> number = parse_number(name);
    if (!number) return {};
    out.push_back(*number);
  }
  return out;
}

}  // namespace

bool is_label(std::string_view text) {
  constexpr std::array<std::string_view, 7> missing{"", "na", "n/a", "#n/a", "nan", "<na>", "null"};
  if (text.size() > 4) return true;
  std::string lower;
  for (const char c : text) lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return std::find(missing.begin(), missing.end(), lower) == missing.end();
}

std::string label_text(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

std::vector<std::string> sorted_labels(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const std::vector<double> numbers = numbers_of(names);
  if (numbers.empty()) return names;
  std::vector<std::size_t> order(names.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return numbers[a] < numbers[b]; });
  std::vector<std::string> out;
  for (const std::size_t i : order) out.push_back(std::move(names[i]));
  return out;
}

Labels encode_labels(const std::vector<std::string>& labels) {
  std::vector<std::string> names;
  std::copy_if(labels.begin(), labels.end(), std::back_inserter(names),
               [](const std::string& label) { return is_label(label); });
  return encode_labels(labels, sorted_labels(std::move(names)));
}

Labels encode_labels(const std::vector<std::string>& labels, std::vector<std::string> names) {
  std::unordered_map<std::string, Index> places;
  for (std::size_t k = 0; k < names.size(); ++k) places.emplace(names[k], static_cast<Index>(k));
  const auto find_number = [&](const std::string& label) {
    const std::optional<double> number = parse_number(label);
    for (std::size_t k = 0; number && k < names.size(); ++k)
      if (parse_number(names[k]) == number) return static_cast<Index>(k);
    return Labels::unknown;
  };
  Labels out{.code = IndexVector(static_cast<Index>(labels.size())), .names = {}};
  for (std::size_t n = 0; n < labels.size(); ++n) {
    Index& code = out.code(static_cast<Index>(n));
    code = Labels::missing;
    if (!is_label(labels[n])) continue;
    const auto [place, fresh] = places.try_emplace(labels[n], Labels::unknown);
    if (fresh) place->second = find_number(labels[n]);  // and remembers it
    code = place->second;
  }
  out.names = std::move(names);
  return out;
}

Matrix class_probabilities(MatrixIn indicators) {
  Matrix out = (indicators.array() < 0).select(0.0, indicators);  // NaN stays
  for (Index n = 0; n < out.rows(); ++n) {
    const double sum = out.row(n).sum();
    if (sum > 0)
      out.row(n) /= sum;
    else  // of NaN, too
      out.row(n).setConstant(std::isnan(sum) ? sum : 1 / static_cast<double>(out.cols()));
  }
  return out;
}

}  // namespace bochner
