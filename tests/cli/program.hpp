#pragma once
#include <gtest/gtest.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace bochner::testing {

/// How to start the program.
struct Launch {
  std::string folder = ".";      // where it runs
  bool terminal = false;         // standard error is a terminal of 100 columns
  std::string output;            // a file that takes standard output; empty: it is collected
  std::size_t memory_bytes = 0;  // of address space, at most; 0: no limit
};

/// How it ended.
struct Outcome {
  int code = -1;   // exit code; -1 if it was killed
  int signal = 0;  // that killed it; 0 if none did
  std::string out, err;
};

/// The program, running.
class Program {
 public:
  explicit Program(const std::vector<std::string>& arguments, const Launch& launch = {});
  ~Program();  // kills it if it still runs
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void send(int signal) const;
  Outcome wait();

  /// Waits until the file exists, up to a minute; false if it does not, or if the program ends before.
  bool wait_for_file(const std::string& path) const;

 private:
  pid_t child_ = -1;
  int out_ = -1, err_ = -1;
};

/// Starts it and waits for its end.
Outcome run_program(const std::vector<std::string>& arguments, const Launch& launch = {});

/// It must end with `code` and say one message on standard error, "bochner: ..." with all `parts`, and nothing on
/// standard output.
void expect_refusal(const Outcome& outcome, int code, const std::vector<std::string>& parts);

}  // namespace bochner::testing
