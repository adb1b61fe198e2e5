#include <string>
#include <unordered_set>

#include "bochner/core/errors.hpp"
#include "bochner/tables/csv.hpp"
#include "csv_reader.hpp"

namespace bochner {

std::optional<NamedIds> find_named_ids(const std::string& path, const CsvOptions& options) {
  using namespace detail;
  if (!options.ids || !options.header || !options.named_ids) return std::nullopt;
  try {
    const InputFile probe(path, Pipes::refused);  // a pipe can be read only once
    CsvReader csv(peek_through_gzip(file_bytes(InputFile(path)), path), path, options);
    if (!csv.found_ids() || csv.id_field() != 0) return std::nullopt;
    NamedIds out{.column = csv.id_name(), .repeated = {}};
    std::unordered_set<std::string> seen;
    std::string_view cell;
    while (csv.next_row()) {
      Cells cells(csv.record(), csv.delimiter());
      if (!cells.next(cell)) continue;
      if (!seen.emplace(cell).second) {
        out.repeated = cell;
        break;
      }
    }
    return out;
  } catch (const InputError&) {   // whoever reads the table says why
  } catch (const std::string&) {  // quotes that do not pair
  }
  return std::nullopt;
}

}  // namespace bochner
