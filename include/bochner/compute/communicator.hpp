#pragma once
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bochner/compute/transport.hpp"
#include "bochner/core/types.hpp"

namespace bochner {

/// How a rank ends: 0 and no message when all went well.
struct RankEnding {
  int code = 0;
  std::string message{};
};

/// Thrown by the collective operations of all other ranks when one of them has given up.
struct RankFailure : std::runtime_error {
  explicit RankFailure(const RankEnding& by) : std::runtime_error(by.message), ending(by) {}
  RankEnding ending;
};

/// Throws where a message has another size than this rank expects.
void check_message(std::string_view message, std::size_t size);

/// The processes that share a job. Each runs the same program on the same tables and holds the same state; loops that are
/// worth it are dealt out by lanes of rows (RowPlan::shared_by), and what they make is brought together, so that the number of
/// processes does not change a result. A copy is the same communicator.
///
/// All ranks call the same operations in the same order, each from one thread. A rank that cannot go on says so by end();
/// the others then find a RankFailure in the operation that they are in, or in the next one, and none waits for ever.
class Communicator {
 public:
  static Communicator alone() { return {}; }
  explicit Communicator(std::unique_ptr<Transport> transport);

  Index rank() const { return rank_; }  // 0 .. size() - 1
  Index size() const { return size_; }
  bool is_alone() const { return size_ == 1; }
  bool is_first() const { return rank_ == 0; }  // which writes, prints and decides
  std::string name() const;                     // "rank 0 of 1"

  /// The parts of all ranks, in order of rank; they may differ in length.
  std::vector<std::string> all_gather(std::string_view part) const;

  /// Message q goes to rank q; returns what rank q sent here, for each q.
  std::vector<std::string> all_to_all(const std::vector<std::string>& messages) const;

  /// What rank 0 hands in; the arguments of the others do not matter.
  std::string from_first(std::string_view bytes) const;

  /// What each rank hands in, on rank 0; nothing on the others.
  std::vector<std::string> to_first(std::string bytes) const;

  /// The largest number that a rank hands in.
  Index largest(Index own) const;

  /// The last operation, of every rank. Returns the same for all of them: the ending of the lowest rank that has a message,
  /// which names the rank unless it is 0; else that of rank 0. Once a rank has failed, this answers without waiting.
  RankEnding end(const RankEnding& own) const;

  friend bool operator==(const Communicator&, const Communicator&) = default;

 private:
  struct Shared;
  Communicator() = default;
  std::vector<std::string> gather(char kind, std::string_view part) const;

  Index rank_ = 0, size_ = 1;
  std::shared_ptr<Shared> shared_{};  // none: alone
};

}  // namespace bochner
