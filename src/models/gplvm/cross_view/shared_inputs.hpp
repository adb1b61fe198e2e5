#pragma once
#include <map>
#include <memory>
#include <tuple>

#include "inputs.hpp"

namespace bochner {

/// Rows of SeenRows::X.
struct InputRows {
  std::vector<Index> rows;
  std::vector<Index>
      filled_with{};  // rows that missing entries were filled in by (SharedInputs::filled); none: they were not
  Matrix table;       // n x M, NaN where missing

  InputRows take(const IndexVector& some) const;
};

/// What is learned about the views that are seen, kept for the next target and the next recipe. Targets that the same samples
/// have measured share all of it.
class SharedInputs {
 public:
  SharedInputs(SeenRows seen, const Rng& rng) : seen_(std::move(seen)), rng_(rng) {}

  const SeenRows& seen() const { return seen_; }
  const Rng& rng() const { return rng_; }

  InputRows of(std::vector<Index> rows) const;
  /// With missing entries filled in.
  InputRows filled(std::vector<Index> rows, const Compute& compute);
  std::shared_ptr<const LearnedInputs> learn(const InputRows& rows, InputWeights weights, Index most,
                                             const Compute& compute);

 private:
  using Key = std::tuple<std::vector<Index>, std::vector<Index>, InputWeights, Index>;
  /// Whether the cache has room for `numbers` more values; if so, they count as kept.
  bool has_room(Index numbers);

  SeenRows seen_;
  Rng rng_;
  std::map<std::vector<Index>, Matrix> filled_;
  std::map<Key, std::shared_ptr<const LearnedInputs>> learned_;
  Index kept_ = 0;
};

}  // namespace bochner
