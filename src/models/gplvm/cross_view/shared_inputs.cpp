#include "shared_inputs.hpp"

#include <utility>

namespace bochner {

constexpr Index most_numbers = 25'000'000;  // 200 MB

InputRows InputRows::take(const IndexVector& some) const {
  InputRows out{.filled_with = filled_with, .table = table(some, Eigen::all)};
  for (const Index i : some) out.rows.push_back(rows[static_cast<std::size_t>(i)]);
  return out;
}

bool SharedInputs::has_room(Index numbers) {
  if (kept_ + numbers > most_numbers) return false;
  kept_ += numbers;
  return true;
}

InputRows SharedInputs::of(std::vector<Index> rows) const {
  Matrix table = seen_.X(rows, Eigen::all);
  return {.rows = std::move(rows), .table = std::move(table)};
}

InputRows SharedInputs::filled(std::vector<Index> rows, const Compute& compute) {
  const auto known = filled_.find(rows);
  Matrix table = known != filled_.end()
                     ? known->second
                     : fill_inputs(seen_, seen_.X(rows, Eigen::all), rng_.split("fill"), compute);
  if (known == filled_.end() && has_room(table.size())) filled_.emplace(rows, table);
  return {.rows = rows, .filled_with = rows, .table = std::move(table)};
}

std::shared_ptr<const LearnedInputs> SharedInputs::learn(const InputRows& rows, InputWeights weights,
                                                         Index most, const Compute& compute) {
  const Key key{rows.rows, rows.filled_with, weights, most};
  if (const auto known = learned_.find(key); known != learned_.end()) return known->second;
  auto out = std::make_shared<const LearnedInputs>(
      learn_inputs(seen_, rows.table, weights, most, rng_.split("components"), compute));
  if (has_room(out->inputs.loadings.size() + out->inputs.fill.size() + out->at.T.size()))
    learned_.emplace(key, out);
  return out;
}

}  // namespace bochner
