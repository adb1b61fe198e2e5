#include "records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner::detail {

namespace {

constexpr std::size_t first_size = std::size_t{1} << 16;

std::size_t find(const char* from, const char* to, char c) {
  const void* at = from == to ? nullptr : std::memchr(from, c, static_cast<std::size_t>(to - from));
  return at ? static_cast<std::size_t>(static_cast<const char*>(at) - from) : std::string_view::npos;
}

}  // namespace

Records::Records(PeekedSource source, std::string name)
    : source_(std::move(source.bytes)), name_(std::move(name)), buffer_(first_size) {
  const std::string& head = source.head;
  if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff"))
    throw InputError(
        fmt::format("{}: the text is UTF-16 (Excel calls it 'Unicode Text'), save it as 'CSV UTF-8' instead",
                    printable(name_)));
  fill();
  if (std::string_view(buffer_.data(), end_).starts_with("\xef\xbb\xbf")) begin_ = 3;
  // Line ends of the classic Mac, which Excel still offers: CR and no LF at all.
  const std::size_t cr = find(buffer_.data(), buffer_.data() + end_, '\r');
  if (cr != std::string_view::npos &&
      find(buffer_.data(), buffer_.data() + end_, '\n') == std::string_view::npos &&
      !(cr + 1 == end_ && !at_end_))
    line_end_ = '\r';
}

void Records::fail(long long line, const std::string& why) const {
  throw InputError(fmt::format("{}, line {}: {}", printable(name_), line, why));
}

bool Records::fill() {
  if (at_end_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    checked_ -= std::min(checked_, begin_);
    begin_ = 0;
  }
  if (end_ >= longest_record)
    fail(line_,
         fmt::format(
             "the line is longer than {}; either a quote opens here and never closes, or this is not a "
             "table of text",
             human_bytes(double(longest_record))));
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const std::size_t room = buffer_.size() - end_;
  const std::size_t got = source_->read(buffer_.data() + end_, room);
  const std::size_t from = end_;
  end_ += got;
  at_end_ = got < room;
  check_text(from);
  return got > 0;
}

void Records::check_text(std::size_t from) {
  const char* data = buffer_.data();
  const auto line_of = [&](std::size_t at) {
    return line_ + std::count(data + begin_, data + at, line_end_);
  };
  const std::size_t nul = find(data + from, data + end_, '\0');
  if (nul != std::string_view::npos)
    fail(line_of(from + nul),
         "there is a NUL byte, so this is a binary file or UTF-16 text; save the table as 'CSV UTF-8'");
  checked_ += valid_utf8({data + checked_, end_ - checked_});
  const std::size_t rest = end_ - checked_;
  if (rest >= 4 || (at_end_ && rest > 0)) {  // fewer may be a sequence that the next bytes complete
    const auto byte = static_cast<unsigned char>(data[checked_]);
    std::size_t line_begin = checked_;
    while (line_begin > begin_ && data[line_begin - 1] != line_end_) --line_begin;
    fail(
        line_of(checked_),
        fmt::format(
            "byte {} (0x{:02x}) is not UTF-8, the text looks like Latin-1 or Windows-1252; save the table as "
            "'CSV UTF-8', or convert it with: iconv -f WINDOWS-1252 -t UTF-8",
            checked_ - line_begin + 1, byte));
  }
}

// Position of the line end that closes the record at `begin`, std::string_view::npos if a quoted cell is still open at the end.
std::size_t Records::quoted_record_end(std::size_t begin, long long& lines) const {
  const char* data = buffer_.data();
  const std::string_view delimiters =
      delimiter_ == '\0' ? std::string_view(",;\t|") : std::string_view(&delimiter_, 1);
  bool cell_start = true;
  for (std::size_t i = begin; i < end_; ++i) {
    if (cell_start) {
      std::size_t k = i;
      while (k < end_ && data[k] == ' ') ++k;  // spaces before the quote, as in  a, "b"
      if (k < end_ && data[k] == '"') {
        for (++k;; ++k) {
          const std::size_t step = find(data + k, data + end_, '"');
          if (step == std::string_view::npos) return std::string_view::npos;
          lines += std::count(data + k, data + k + step, line_end_);
          k += step;
          if (k + 1 < end_ && data[k + 1] == '"')
            ++k;  // a doubled quote stands for itself
          else
            break;
        }
        i = k + 1;
        if (i >= end_) return std::string_view::npos;  // the quote may yet turn out to be a doubled one
      }
    }
    if (data[i] == line_end_) return i;
    cell_start = delimiters.find(data[i]) != std::string_view::npos;
  }
  return std::string_view::npos;
}

bool Records::next(Record& record) {
  for (std::size_t scanned = 0;;) {
    const char* data = buffer_.data();
    std::size_t length = find(data + begin_ + scanned, data + end_, line_end_);
    if (length != std::string_view::npos) length += scanned;
    const bool line_complete = length != std::string_view::npos;
    if (!line_complete) length = end_ - begin_;
    if (!line_complete && !at_end_) {
      scanned = length;
      fill();
      continue;
    }
    if (!line_complete && length == 0) return false;

    long long lines = 0;
    record.has_quotes = find(data + begin_, data + begin_ + length, '"') != std::string_view::npos;
    record.ended = line_complete;
    if (record.has_quotes) {
      std::size_t stop = quoted_record_end(begin_, lines);
      if (stop == std::string_view::npos) {
        if (!at_end_) {
          scanned = length;
          fill();
          continue;
        }
        stop = end_;  // cells() finds out whether the last quote is closed
        record.ended = false;
      }
      length = stop - begin_;
    }
    record.line = line_;
    record.text = std::string_view(data + begin_, length);
    if (line_end_ == '\n' && record.text.ends_with('\r')) record.text.remove_suffix(1);
    line_ += lines + 1;
    begin_ = std::min(begin_ + length + 1, end_);
    return true;
  }
}

}  // namespace bochner::detail
