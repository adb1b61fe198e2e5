#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "byte_source.hpp"

namespace bochner::detail {

/// One record of a text table: usually a line, several when a quoted cell holds line ends.
struct Record {
  std::string_view text;  // without the line end
  long long line = 0;     // where it starts, from 1
  bool has_quotes = false;
  bool ended = true;  // false for a last line without a line end
};

/// Cuts bytes into records, and vouches that they are UTF-8 text: no NUL, no invalid sequence, no endless
/// line.
class Records {
 public:
  Records(PeekedSource source, std::string name);  // skips a byte-order mark

  /// The next record; its text is valid until the next call. False at the end.
  bool next(Record& record);

  /// A quote opens a cell at the start of a line and behind this character; '\0' (the start) stands for , ;
  /// tab and |.
  void set_delimiter(char delimiter) { delimiter_ = delimiter; }

  static constexpr std::size_t longest_record = std::size_t{1} << 28;

 private:
  bool fill();  // more bytes behind what is there; false at the end
  void check_text(std::size_t from);
  std::size_t quoted_record_end(std::size_t begin, long long& lines) const;
  [[noreturn]] void fail(long long line, const std::string& why) const;

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0,
              checked_ = 0;  // bytes not yet handed out; where UTF-8 has been verified up to
  long long line_ = 1;
  char line_end_ = '\n';
  char delimiter_ = '\0';
  bool at_end_ = false;
};

}  // namespace bochner::detail
