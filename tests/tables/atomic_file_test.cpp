#include "bochner/tables/atomic_file.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "bochner/store/model_file.hpp"
#include "bochner/tables/csv.hpp"
#include "bochner/tables/npy.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::atomic_file_test {
namespace {

using testing::expect_message;
using testing::slurp;
using testing::TempFolder;
using Names = std::vector<std::string>;

TEST(AtomicFile, AppearsOnCommitOnly) {
  const TempFolder folder;
  const std::string path = folder.write("a.txt", "old");
  {
    AtomicFile file(path);
    file.write("new");
    EXPECT_EQ(slurp(path), "old");
  }
  EXPECT_EQ(slurp(path), "old");
  EXPECT_EQ(folder.names(), Names{"a.txt"});
  AtomicFile file(path);
  file.write(std::string(1000000, 'x'));
  file.write("y");
  file.commit();
  EXPECT_EQ(slurp(path), std::string(1000000, 'x') + "y");
  EXPECT_EQ(folder.names(), Names{"a.txt"});
}

TEST(AtomicFile, TwoWritersDoNotMix) {
  const TempFolder folder;
  AtomicFile a(folder.file("a.txt")), b(folder.file("a.txt"));
  a.write("from a");
  b.write("from b");
  a.commit();
  EXPECT_EQ(slurp(folder.file("a.txt")), "from a");
  b.commit();
  EXPECT_EQ(slurp(folder.file("a.txt")), "from b");
  EXPECT_EQ(folder.names(), Names{"a.txt"});
}

TEST(AtomicFile, FollowsLinksAndTheUmask) {
  const TempFolder folder;
  folder.write("real.txt", "old");
  std::filesystem::create_symlink("real.txt", folder.file("link.txt"));
  write_file(folder.file("link.txt"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link.txt")));
  EXPECT_EQ(slurp(folder.file("real.txt")), "new");
  const mode_t before = ::umask(027);
  write_file(folder.file("shared.txt"), "x");
  ::umask(before);
  struct stat status {};
  ASSERT_EQ(::stat(folder.file("shared.txt").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST(AtomicFile, FailuresAreMessages) {
  const TempFolder folder;
  const auto write = [](const std::string& path) { return [path] { write_file(path, "x"); }; };
  expect_message<WriteError>(write(""), {"name of the file"});
  expect_message<WriteError>(write(folder.file("no/a.txt")), {"a.txt", "there is no folder", "/no'"});
  std::filesystem::create_directory(folder.file("sub"));
  expect_message<WriteError>(write(folder.file("sub")), {"sub", "folder"});
  expect_message<WriteError>(write(folder.file(std::string(300, 'x'))), {"could not be put in place"});
  expect_message<WriteError>(write(std::string("a\0b", 3)), {"NUL"});
  expect_message<WriteError>(write("/proc/a.txt"), {"/proc/a.txt", "cannot be written"});
  EXPECT_EQ(folder.names(), Names{"sub"});
}

TEST(AtomicFile, AFullDiskIsAMessage) {
  // /dev/full is the device that is always full; it is written directly, not replaced by a file.
  expect_message<WriteError>([] { write_file("/dev/full", "x"); }, {"/dev/full", "the disk is full"});
  expect_message<WriteError>(
      [] {
        write_csv("/dev/full", Table{{"x"}, {"a"}, Matrix{{1}}});
      },
      {"the disk is full"});
  struct stat status {};
  ASSERT_EQ(::stat("/dev/full", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
}

// In a child whose files may not grow beyond 64 kB, each writer fails half-way: one message, nothing left behind, and an
// older file untouched.
TEST(AtomicFile, AWriterThatFailsHalfWayLeavesTheOldFile) {
  const TempFolder folder;
  const Table table{std::vector<std::string>(1), {"a"}, Matrix::Ones(1, 1)};
  Table large = make_table(Matrix::Constant(300, 100, 0.1));
  const std::string csv = folder.file("a.csv"), npy = folder.file("a.npy"), model = folder.file("a.bochner");
  for (const std::string& path : {csv, npy, model})
    folder.write(std::filesystem::path(path).filename().string(), "old");
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{65536, 65536};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int failed = 0;
    const auto attempt = [&](auto&& f) {
      try {
        f();
      } catch (const WriteError& error) {
        failed += testing::is_one_message(error.what()) &&
                  std::string(error.what()).find("size limit") != std::string::npos;
      }
    };
    attempt([&] { write_csv(csv, large); });
    attempt([&] { write_npy(npy, large.values); });
    attempt([&] { write_model(model, ModelGroup().set("W", large.values)); });
    ::_exit(failed);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
  for (const std::string& path : {csv, npy, model}) EXPECT_EQ(slurp(path), "old");
  EXPECT_EQ(folder.names().size(), 3u);
}

TEST(MakeFolder, MakesWhatIsMissing) {
  const TempFolder folder;
  make_folder(folder.file("a/b/c"));
  EXPECT_TRUE(std::filesystem::is_directory(folder.file("a/b/c")));
  make_folder(folder.file("a/b/c"));
  make_folder(folder.file("a/b/c/"));
  folder.write("file", "x");
  expect_message<WriteError>([&] { make_folder(folder.file("file")); }, {"file", "cannot be made"});
  expect_message<WriteError>([&] { make_folder(folder.file("file/sub")); }, {"file/sub", "cannot be made"});
}

}  // namespace
}  // namespace bochner::atomic_file_test
