#include "bochner/compute/communicator.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "bochner/core/checks.hpp"

namespace bochner {

// Each operation begins with an all_gather whose parts start with a letter: what this rank is about to do. A rank that ends
// takes part in whatever the others are in, and they learn that it has ended.
namespace {

constexpr char gathers = 'g', exchanges = 'x', ends = 'e';

RankEnding of_rank(std::size_t rank, std::string_view part) {
  RankEnding out;
  std::memcpy(&out.code, part.data() + 1, sizeof out.code);
  out.message = part.substr(1 + sizeof out.code);
  if (rank > 0 && !out.message.empty()) out.message = "rank " + std::to_string(rank) + ": " + out.message;
  return out;
}

/// The same on all ranks, which see the same parts.
RankEnding common_ending(const std::vector<std::string>& parts) {
  std::optional<RankEnding> first;
  bool all = true;
  for (std::size_t r = 0; r < parts.size(); ++r) {
    all = all && parts[r].front() == ends;
    if (parts[r].front() != ends) continue;
    RankEnding own = of_rank(r, parts[r]);
    if (!own.message.empty()) return own;
    if (!first) first = std::move(own);
  }
  if (!all) return {2, "some ranks have finished and others have not: do all run the same program?"};
  return *first;
}

}  // namespace

void check_message(std::string_view message, std::size_t size) {
  if (message.size() != size)
    throw RankFailure({2, "ranks have taken different ways: do they have the same processors and builds?"});
}

struct Communicator::Shared {
  std::unique_ptr<Transport> transport;
  std::optional<RankEnding> ended;
};

Communicator::Communicator(std::unique_ptr<Transport> transport)
    : rank_(transport->rank()), size_(transport->size()), shared_(std::make_shared<Shared>()) {
  shared_->transport = std::move(transport);
}

std::string Communicator::name() const {
  return "rank " + std::to_string(rank_) + " of " + std::to_string(size_);
}

std::vector<std::string> Communicator::gather(char kind, std::string_view part) const {
  if (shared_->ended) throw RankFailure(*shared_->ended);
  std::string own(1, kind);
  own += part;
  std::vector<std::string> parts = shared_->transport->all_gather(own);
  const auto is = [](char what) { return [what](const std::string& p) { return p.front() == what; }; };
  if (std::any_of(parts.begin(), parts.end(), is(ends))) {
    shared_->ended = common_ending(parts);
    if (kind != ends) throw RankFailure(*shared_->ended);
    return parts;
  }
  if (!std::all_of(parts.begin(), parts.end(), is(kind))) {  // seen by all of them alike
    shared_->ended = {2, "ranks have taken different ways: do they have the same processors and builds?"};
    throw RankFailure(*shared_->ended);
  }
  for (std::string& p : parts) p.erase(0, 1);
  return parts;
}

std::vector<std::string> Communicator::all_gather(std::string_view part) const {
  if (is_alone()) return {std::string(part)};
  return gather(gathers, part);
}

std::vector<std::string> Communicator::all_to_all(const std::vector<std::string>& messages) const {
  check_size("Communicator::all_to_all", "messages", Index(messages.size()), "ranks", size_);
  if (is_alone()) return messages;
  gather(exchanges, {});
  return shared_->transport->all_to_all(messages);
}

std::string Communicator::from_first(std::string_view bytes) const {
  if (is_alone()) return std::string(bytes);
  return std::move(all_gather(is_first() ? bytes : std::string_view()).front());
}

std::vector<std::string> Communicator::to_first(std::string bytes) const {
  std::vector<std::string> messages(static_cast<std::size_t>(size_));
  messages.front() = std::move(bytes);
  if (is_alone()) return messages;
  std::vector<std::string> received = all_to_all(messages);
  if (!is_first()) received.clear();
  return received;
}

Index Communicator::largest(Index own) const {
  if (is_alone()) return own;
  Index out = own;
  for (const std::string& part : all_gather({reinterpret_cast<const char*>(&own), sizeof own})) {
    Index other = 0;
    check_message(part, sizeof other);
    std::memcpy(&other, part.data(), sizeof other);
    out = std::max(out, other);
  }
  return out;
}

RankEnding Communicator::end(const RankEnding& own) const {
  if (!shared_) return own;
  if (!shared_->ended) {
    std::string part(sizeof own.code, '\0');
    std::memcpy(part.data(), &own.code, sizeof own.code);
    try {
      gather(ends, part + own.message);
    } catch (const RankFailure&) {
    }
  }
  return *shared_->ended;
}

}  // namespace bochner
