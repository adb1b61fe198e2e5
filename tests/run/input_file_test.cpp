// What is not a file: refused at once where it may have no end, read where somebody writes into it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <string>
#include <thread>

#include "bochner/run/config.hpp"
#include "bochner/run/run_folder.hpp"
#include "bochner/store/model_file.hpp"
#include "bochner/tables/read_table.hpp"
#include "src/tables/byte_source.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::input_file_test {
namespace {

using testing::expect_message;
using testing::TempFolder;

/// Everything that opens a file of the user for reading.
const std::vector<std::pair<const char*, std::function<void(const std::string&)>>> readers = {
    {"table", [](const std::string& path) { read_table(path); }},
    {"text table", [](const std::string& path) { read_text_table(path); }},
    {"rows", [](const std::string& path) { open_rows(path); }},
    {"CSV", [](const std::string& path) { read_csv(path); }},
    {"NPY", [](const std::string& path) { read_npy(path); }},
    {"NPZ", [](const std::string& path) { read_npz(path); }},
    {"HDF5", [](const std::string& path) { read_hdf5(path); }},
    {"datasets", [](const std::string& path) { hdf5_datasets(path); }},
    {"config", [](const std::string& path) { read_config(path); }},
    {"model", [](const std::string& path) { read_model(path); }},
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(InputFile, DevicesAreRefusedByEveryReader) {
  const TempFolder folder;
  for (const char* device : {"/dev/zero", "/dev/urandom", "/dev/null"}) {
    for (const char* name : {"x", "x.csv", "x.npy", "x.npz", "x.h5"}) {
      const std::string path = folder.file(name);
      ASSERT_EQ(::symlink(device, path.c_str()), 0);
      for (const auto& [what, read] : readers) {
        SCOPED_TRACE(what);
        if (what == std::string("rows") && (path.ends_with(".csv") || path.ends_with(".npz")))
          continue;  // refused by their names
        expect_message([&, read = read] { read(path); }, {path, "this is a device", "name a file"});
      }
      ASSERT_EQ(::unlink(path.c_str()), 0);
    }
  }
}

TEST(InputFile, FoldersAndSocketsAreRefused) {
  const TempFolder folder;
  const std::string path = folder.file("socket");
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(path.size(), sizeof address.sun_path);
  std::memcpy(address.sun_path, path.c_str(), path.size());
  ASSERT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  for (const auto& [what, read] : readers) {
    SCOPED_TRACE(what);
    expect_message([&, read = read] { read(path); }, {path, "this is a socket"});
    expect_message([&, read = read] { read(folder.file("")); }, {"this is a folder"});
  }
  ::close(fd);
}

TEST(InputFile, AFifoThatNobodyWritesToIsRefused) {
  const TempFolder folder;
  for (const char* name : {"x.csv", "x.h5", "x.npz"}) {
    const std::string path = folder.file(name);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    const auto start = std::chrono::steady_clock::now();
    expect_message([&] { read_table(path); }, {path, "this is a pipe"});
    EXPECT_LT(seconds_since(start), 9);
  }
  // Formats that need a file do not wait.
  for (const char* name : {"x.h5", "x.npz"}) {
    const auto start = std::chrono::steady_clock::now();
    expect_message([&] { read_table(folder.file(name)); }, {"this is a pipe", "files only"});
    EXPECT_LT(seconds_since(start), 1);
  }
}

TEST(InputFile, ReadsAFifoWhoseWriterIsLate) {
  const TempFolder folder;
  const std::string path = folder.file("x.csv");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    std::ofstream out(path);
    out << "id,a\n" << std::flush;
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    out << "x,1\n";
  });
  EXPECT_EQ(read_table(path).values, (Matrix{{1}}));
  writer.join();
}

TEST(InputFile, ReadsAnAnonymousPipe) {
  for (const bool late : {false, true}) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const auto write = [&] {
      if (late) std::this_thread::sleep_for(std::chrono::milliseconds(300));
      ASSERT_EQ(::write(ends[1], "id,a\nx,1\n", 9), 9);
      ::close(ends[1]);
    };
    std::thread writer;
    if (late)
      writer = std::thread(write);
    else
      write();  // the writer may be gone before the pipe is opened
    EXPECT_EQ(read_table("/dev/fd/" + std::to_string(ends[0])).values, (Matrix{{1}}));
    if (late) writer.join();
    ::close(ends[0]);
  }
}

TEST(InputFile, AnEndlessPipeHitsALimit) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
  std::thread writer([&] {
    const std::string bytes(1 << 20, 'x');
    for (int i = 0; i < 2100 && ::write(ends[1], bytes.data(), bytes.size()) >= 0; ++i) {
    }
    ::close(ends[1]);
  });
  const std::string path = "/dev/fd/" + std::to_string(ends[0]);
  detail::InputFile file(path);
  std::string bytes(1 << 20, '\0');
  std::uint64_t taken = 0;
  expect_message(
      [&] {
        for (std::size_t got = 1; got > 0; taken += got) got = file.read(bytes.data(), bytes.size());
      },
      {path, "more than 2.1 GB came through this pipe", "write the content to a file"});
  EXPECT_EQ(taken, detail::longest_pipe);
  while (::read(ends[0], bytes.data(), bytes.size()) > 0) {  // lets the writer finish
  }
  writer.join();
  ::close(ends[0]);
}

TEST(InputFile, ARunFolderDoesNotWaitForItsConfiguration) {
  const TempFolder folder;
  ASSERT_EQ(::mkdir(folder.file("run").c_str(), 0700), 0);
  ASSERT_EQ(::mkfifo(folder.file("run/config.toml").c_str(), 0600), 0);
  expect_message<WriteError>([&] { RunFolder(folder.file("run"), "demo", {}, ""); }, {"run"});
}

}  // namespace
}  // namespace bochner::input_file_test
