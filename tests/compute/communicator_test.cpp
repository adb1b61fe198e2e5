#include "bochner/compute/communicator.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "bochner/compute/bytes.hpp"
#include "bochner/compute/loopback.hpp"
#include "bochner/core/errors.hpp"

namespace bochner::communicator_test {
namespace {

const std::vector<Index> many_ranks{1, 2, 3, 4, 5, 6, 7, 8, 16};

std::string text_of(Index from, Index to) {
  return std::string(std::size_t(3 * from), 'a') + std::to_string(to);
}

TEST(Communicator, AProcessIsAlone) {
  const Communicator comm = Communicator::alone();
  EXPECT_EQ(comm.rank(), 0);
  EXPECT_EQ(comm.size(), 1);
  EXPECT_TRUE(comm.is_alone());
  EXPECT_TRUE(comm.is_first());
  EXPECT_EQ(comm.name(), "rank 0 of 1");
  EXPECT_EQ(comm.all_gather("x"), std::vector<std::string>{"x"});
  EXPECT_EQ(comm.all_to_all({"y"}), std::vector<std::string>{"y"});
  EXPECT_EQ(comm.from_first("z"), "z");
  EXPECT_EQ(comm.largest(-3), -3);
  EXPECT_EQ(comm.end({4, ""}).code, 4);
}

TEST(Communicator, MovesPartsOfUnequalLength) {
  for (const Index P : many_ranks)
    run_loopback(P, [&](const Communicator& comm) {
      ASSERT_EQ(comm.size(), P);
      const Index me = comm.rank();
      for (int round = 0; round < 3; ++round) {
        const std::vector<std::string> all = comm.all_gather(text_of(me, round));
        ASSERT_EQ(Index(all.size()), P);
        for (Index r = 0; r < P; ++r) EXPECT_EQ(all[std::size_t(r)], text_of(r, round));
        std::vector<std::string> messages;
        for (Index q = 0; q < P; ++q) messages.push_back(text_of(me, q));
        const std::vector<std::string> received = comm.all_to_all(messages);
        for (Index q = 0; q < P; ++q) EXPECT_EQ(received[std::size_t(q)], text_of(q, me));
      }
      EXPECT_EQ(comm.from_first(comm.is_first() ? "said" : "unheard"), "said");
      const std::vector<std::string> all = comm.to_first(text_of(me, 7));
      ASSERT_EQ(Index(all.size()), comm.is_first() ? P : 0);
      for (Index r = 0; r < Index(all.size()); ++r) EXPECT_EQ(all[std::size_t(r)], text_of(r, 7));
      EXPECT_EQ(comm.largest(me == P / 2 ? 10 : -me), 10);
    });
}

// Whatever the others are in: they learn what happened, and the exception itself is what the caller sees.
TEST(Communicator, ARankThatThrowsEndsAll) {
  for (const Index P : many_ranks)
    for (const Index bad : {Index{0}, P - 1, P / 2}) {
      std::mutex mutex;
      std::vector<std::string> told;
      const auto job = [&](const Communicator& comm) {
        try {
          for (int step = 0;; ++step) {
            if (step == 5 && comm.rank() == bad) throw InputError("the disk is gone");
            step % 2 == 0 ? comm.all_gather("x")
                          : comm.all_to_all(std::vector<std::string>(std::size_t(P), "y"));
          }
        } catch (const RankFailure& failure) {
          const std::lock_guard lock(mutex);
          told.push_back(failure.what());
          EXPECT_THROW(comm.all_gather("z"), RankFailure);  // it stays so
          EXPECT_EQ(comm.end({7, "later"}).code, 1);
          throw;
        }
      };
      try {
        run_loopback(P, job);
        FAIL() << "nothing was thrown";
      } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "the disk is gone");
      }
      EXPECT_EQ(told, std::vector<std::string>(std::size_t(P - 1), bad == 0 ? "the disk is gone"
                                                                            : "rank " + std::to_string(bad) +
                                                                                  ": the disk is gone"));
    }
}

TEST(Communicator, TheLowestRankThatFailsIsHeard) {
  run_loopback(5, [](const Communicator& comm) {
    const RankEnding ending = comm.end(comm.rank() == 3   ? RankEnding{2, "three"}
                                       : comm.rank() == 1 ? RankEnding{1, "one"}
                                                          : RankEnding{});
    EXPECT_EQ(ending.code, 1);
    EXPECT_EQ(ending.message, "rank 1: one");
  });
  run_loopback(3, [](const Communicator& comm) {
    const RankEnding ending =
        comm.end({comm.is_first() ? 4 : 0, ""});  // the first rank alone knows the verdict
    EXPECT_EQ(ending.code, 4);
    EXPECT_EQ(ending.message, "");
  });
}

TEST(Communicator, RanksThatPartAreNoticed) {
  EXPECT_THROW(run_loopback(3,
                            [](const Communicator& comm) {
                              if (comm.rank() != 1) comm.all_gather("x");
                            }),
               RankFailure);
  EXPECT_THROW(run_loopback(3,
                            [](const Communicator& comm) {
                              comm.rank() == 1 ? comm.all_gather("x") : comm.all_to_all({"a", "b", "c"});
                            }),
               RankFailure);
}

TEST(ByteWriter, IsReadBack) {
  ByteWriter out;
  const Matrix A = Matrix::Random(3, 2);
  out.add(Index{-5});
  out.add(std::vector<std::string>{"a", "", std::string("\0b", 2)});
  out.add(std::vector<Matrix>{A, Matrix(0, 4)});
  const std::string bytes = out.take();
  ByteReader in(bytes);
  Index number = 0;
  std::vector<std::string> texts;
  std::vector<Matrix> matrices;
  in.read(number);
  in.read(texts);
  in.read(matrices);
  EXPECT_EQ(number, -5);
  EXPECT_EQ(texts, (std::vector<std::string>{"a", "", std::string("\0b", 2)}));
  EXPECT_EQ(matrices[0], A);
  EXPECT_EQ(matrices[1].cols(), 4);
  EXPECT_THROW(in.read(number), std::logic_error);
}

TEST(Communicator, BytesAreCounted) {
  std::vector<Traffic> traffic;
  run_loopback(3, traffic, [](const Communicator& comm) {
    comm.all_gather(std::string(10, 'x'));
    comm.all_to_all({"a", "bb", "ccc"});
  });
  EXPECT_EQ(traffic[0].gathered,
            (std::vector<Index>{22, 2, 10}));  // a byte says what it is; the last one is the end
  EXPECT_EQ(traffic[0].exchanged, std::vector<Index>{5});
  EXPECT_EQ(traffic[1].exchanged, std::vector<Index>{4});
}

}  // namespace
}  // namespace bochner::communicator_test
