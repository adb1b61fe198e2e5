#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "bochner/core/errors.hpp"

namespace bochner::testing {

/// A folder of its own for one test, gone when the test is over.
class TempFolder {
 public:
  TempFolder() {
    // Numbers only: random letters sooner or later spell what is_one_message looks for.
    const std::string name = "bochner-io-" + std::to_string(::getpid()) + "-";
    for (int number = 0; path_.empty(); ++number)
      if (const auto path = std::filesystem::temp_directory_path() / (name + std::to_string(number));
          std::filesystem::create_directory(path))
        path_ = path;
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, std::string_view bytes) const {
    std::ofstream(file(name), std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return file(name);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      out.push_back(entry.path().filename().string());
    return out;
  }

 private:
  std::filesystem::path path_;
};

inline std::string slurp(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// One line of plain text that a person can read, and nothing of what went on behind it.
inline ::testing::AssertionResult is_one_message(const std::string& text) {
  if (text.size() < 20 || text.size() > 700) return ::testing::AssertionFailure() << "odd length: " << text;
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      return ::testing::AssertionFailure() << "control character in: " << text;
  for (const char* noise :
       {"std::", "terminate", "H5", "basic_string", "bad_alloc", "errno", "  ", "nullptr"})
    if (text.find(noise) != std::string::npos)
      return ::testing::AssertionFailure() << noise << " in: " << text;
  return ::testing::AssertionSuccess();
}

/// What `f` throws as E, which must be one message that holds all `parts`.
template <class E = InputError, class F>
std::string expect_message(F&& f, const std::vector<std::string>& parts) {
  std::string text;
  try {
    f();
    ADD_FAILURE() << "nothing was thrown, expected a message with: " << (parts.empty() ? "" : parts[0]);
    return text;
  } catch (const E& error) {
    text = error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another kind of exception: " << error.what();
    return text;
  }
  EXPECT_TRUE(is_one_message(text));
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nnot in: " << text;
  return text;
}

}  // namespace bochner::testing
