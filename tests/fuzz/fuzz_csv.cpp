// The first byte chooses the options, the rest is the file.
#include "bochner/tables/csv.hpp"
#include "judge.hpp"

using namespace bochner;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes = fuzz::view(data + 1, size - 1);
  CsvOptions options;
  options.header = !(data[0] & 1);
  options.ids = !(data[0] & 2);
  options.decimal = data[0] & 4 ? ',' : '.';
  if (data[0] & 8) options.delimiter = ';';
  if (data[0] & 16 && options.header && options.ids) options.id_column = "b";
  fuzz::read_and_judge("t.csv", [&] { return parse_csv(bytes, "t.csv", options); });
  try {
    const TextTable t = parse_csv_text(bytes, "t.csv", options);
    if (t.cells.size() != t.columns.size()) fuzz::find("columns without cells");
    for (const auto& column : t.cells)
      if (column.size() != t.ids.size()) fuzz::find("cells without ids");
    t.numbers(t.columns.back());
  } catch (const InputError& error) {
    fuzz::judge(error, "t.csv");
  }
  return 0;
}
