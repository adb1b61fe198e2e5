#include "file_signature.hpp"

#include <fmt/format.h>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner::detail {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view hdf5_magic = "\x89HDF\r\n\x1a\n"sv;

struct Foreign {
  std::string_view magic;
  const char* what;
  const char* remedy;
};

constexpr const char* unpack = "unpack it first (gzip is read directly)";
constexpr Foreign foreign[] = {
    {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, "an Excel workbook (.xls)", "save the sheet as 'CSV UTF-8'"},
    {"PAR1"sv, "a Parquet file", "write it with pandas: read_parquet(...).to_csv(...)"},
    {"ARROW1"sv, "a Feather or Arrow file", "write it with pandas: read_feather(...).to_csv(...)"},
    {"FEA1"sv, "a Feather file", "write it with pandas: read_feather(...).to_csv(...)"},
    {"RDX2\n"sv, "an R workspace", "write the table in R: write.csv(x, 'x.csv')"},
    {"RDX3\n"sv, "an R workspace", "write the table in R: write.csv(x, 'x.csv')"},
    {"X\n\0\0"sv, "an R object (.rds)", "write the table in R: write.csv(x, 'x.csv')"},
    {"MATLAB 5.0 MAT-file"sv, "a MATLAB file",
     "write the table in MATLAB: writetable(...), or save(..., '-v7.3')"},
    {"\x80\x02"sv, "a Python pickle", "save the array with numpy.save"},
    {"\x80\x03"sv, "a Python pickle", "save the array with numpy.save"},
    {"\x80\x04\x95"sv, "a Python pickle", "save the array with numpy.save"},
    {"\x80\x05\x95"sv, "a Python pickle", "save the array with numpy.save"},
    {"SQLite format 3"sv, "an SQLite database", "export the table as CSV"},
    {"BZh"sv, "compressed with bzip2", unpack},
    {"\xfd"
     "7zXZ"sv,
     "compressed with xz", unpack},
    {"\x28\xb5\x2f\xfd"sv, "compressed with zstd", unpack},
    {"7z\xbc\xaf\x27\x1c"sv, "a 7z archive", unpack},
    {"Rar!"sv, "a RAR archive", unpack},
    {"%PDF-"sv, "a PDF document", "export the table as CSV"},
    {"\x89PNG"sv, "a picture", "name a table instead"},
    {"\xff\xd8\xff"sv, "a picture", "name a table instead"},
    {"{\\rtf"sv, "a rich text document", "save it as plain text"},
    {"<!DOCTYPE"sv, "a web page", "a download may have failed; export the table as CSV"},
    {"<html"sv, "a web page", "a download may have failed; export the table as CSV"},
    {"<?xml"sv, "an XML document", "export the table as CSV"},
};

[[noreturn]] void refuse(const std::string& name, const char* what, const char* remedy) {
  throw InputError(fmt::format("{}: this is {}, not a table of text; {}", printable(name), what, remedy));
}

}  // namespace

Format recognise(std::string_view head) {
  if (head.starts_with("\x93NUMPY")) return Format::npy;
  if (head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06"sv)) return Format::zip;
  if (head.starts_with("bochner model file\n")) return Format::model;
  // HDF5 allows a user block of 512, 1024, 2048, ... bytes in front.
  for (std::size_t at = 0; at < head.size(); at = at == 0 ? 512 : 2 * at)
    if (head.substr(at).starts_with(hdf5_magic)) return Format::hdf5;
  return Format::text;
}

void refuse_foreign(std::string_view head, const std::string& name) {
  for (const Foreign& f : foreign)
    if (head.starts_with(f.magic)) refuse(name, f.what, f.remedy);
  switch (recognise(head)) {
    case Format::text:
      return;
    case Format::npy:
      refuse(name, "a NumPy array", "call it .npy");
    case Format::hdf5:
      refuse(name, "an HDF5 file", "call it .h5");
    case Format::model:
      refuse(name, "a model that bochner saved", "name a table instead");
    case Format::zip:
      // Office documents are zip archives with these names inside; the first of them lies in the first bytes.
      if (head.find("[Content_Types].xml") != std::string_view::npos ||
          head.find("xl/") != std::string_view::npos)
        refuse(name, "an Excel workbook (.xlsx)", "save the sheet as 'CSV UTF-8'");
      if (head.find("opendocument.spreadsheet") != std::string_view::npos)
        refuse(name, "an OpenDocument spreadsheet", "save the sheet as CSV, UTF-8");
      refuse(name, "a zip archive", unpack);
  }
}

}  // namespace bochner::detail
