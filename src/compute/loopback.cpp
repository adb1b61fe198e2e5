#include "bochner/compute/loopback.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>

#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

/// Where threads meet and leave messages.
class Board {
 public:
  explicit Board(std::size_t ranks) : parts_(ranks), messages_(ranks) {}

  std::size_t ranks() const { return parts_.size(); }

  std::vector<std::string> all_gather(std::size_t rank, const std::string& part) {
    parts_[rank] = part;  // nobody reads before all have come
    meet();
    std::vector<std::string> out = parts_;
    meet();  // nobody writes again before all have read
    return out;
  }

  std::vector<std::string> all_to_all(std::size_t rank, const std::vector<std::string>& messages) {
    messages_[rank] = messages;
    meet();
    std::vector<std::string> out;
    for (const std::vector<std::string>& sent : messages_) out.push_back(sent[rank]);
    meet();
    return out;
  }

 private:
  void meet() {
    std::unique_lock lock(mutex_);
    if (++here_ == parts_.size()) {
      here_ = 0;
      ++round_;
      all_here_.notify_all();
      return;
    }
    all_here_.wait(lock, [this, round = round_] { return round_ != round; });
  }

  std::vector<std::string> parts_;
  std::vector<std::vector<std::string>> messages_;
  std::mutex mutex_;
  std::condition_variable all_here_;
  std::size_t here_ = 0, round_ = 0;
};

class Loopback : public Transport {
 public:
  Loopback(std::shared_ptr<Board> board, std::size_t rank, Traffic* traffic)
      : board_(std::move(board)), rank_(rank), traffic_(traffic) {}

  int rank() const override { return int(rank_); }
  int size() const override { return int(board_->ranks()); }

  std::vector<std::string> all_gather(const std::string& part) override {
    if (traffic_) traffic_->gathered.push_back(Index(part.size()) * (size() - 1));
    return board_->all_gather(rank_, part);
  }

  std::vector<std::string> all_to_all(const std::vector<std::string>& messages) override {
    if (traffic_) {
      Index bytes = 0;
      for (std::size_t q = 0; q < messages.size(); ++q) bytes += q == rank_ ? 0 : Index(messages[q].size());
      traffic_->exchanged.push_back(bytes);
    }
    return board_->all_to_all(rank_, messages);
  }

 private:
  std::shared_ptr<Board> board_;
  std::size_t rank_;
  Traffic* traffic_;
};

void run(Index ranks, std::vector<Traffic>* traffic, const std::function<void(const Communicator&)>& f) {
  check_at_least("run_loopback", "ranks", ranks, 1);
  const auto P = static_cast<std::size_t>(ranks);
  const auto board = std::make_shared<Board>(P);
  std::vector<std::exception_ptr> own(P), told(P);
  std::vector<std::thread> threads;
  for (std::size_t r = 0; r < P; ++r)
    threads.emplace_back([&, r] {
      const Communicator comm(std::make_unique<Loopback>(board, r, traffic ? &(*traffic)[r] : nullptr));
      RankEnding ending;
      try {
        f(comm);
      } catch (const RankFailure&) {
        told[r] = std::current_exception();
      } catch (const std::exception& error) {
        own[r] = std::current_exception();
        ending = {1, error.what()};
      } catch (...) {
        own[r] = std::current_exception();
        ending = {1, "unknown error"};
      }
      comm.end(ending);
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<std::exception_ptr>* all : {&own, &told})
    for (const std::exception_ptr& error : *all)
      if (error) std::rethrow_exception(error);
}

}  // namespace

Index Traffic::bytes() const {
  return std::accumulate(gathered.begin(), gathered.end(), Index{0}) +
         std::accumulate(exchanged.begin(), exchanged.end(), Index{0});
}

void run_loopback(Index ranks, const std::function<void(const Communicator&)>& f) { run(ranks, nullptr, f); }

void run_loopback(Index ranks, std::vector<Traffic>& traffic,
                  const std::function<void(const Communicator&)>& f) {
  traffic.assign(static_cast<std::size_t>(ranks), {});
  run(ranks, &traffic, f);
}

}  // namespace bochner
