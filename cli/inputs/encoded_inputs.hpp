#pragma once
#include <string>
#include <vector>

#include "bochner/data/input_encoding.hpp"
#include "row_table.hpp"

namespace bochner::cli {

/// Inputs as numbers, and how they were made (data/input_encoding.hpp).
struct EncodedInputs {
  RowTable table;
  InputEncoding encoding{};        // no columns where the table is numbers without missing values
  std::vector<std::string> names;  // of the columns before
};

struct InputOptions {
  std::vector<std::string> categorical, drop;  // names, perhaps several with commas between them
  std::string outcome{};                       // a column of the same file that is not an input
};

/// Reads a table of inputs and learns its encoding. Files of arrays that are too large for memory are read twice, and may have
/// missing values but no categories.
EncodedInputs read_encoded(const std::string& spec, double most_bytes, const CsvOptions& csv,
                           const InputOptions& options);

/// A table of text as the encoding takes it: the columns of these names, in their order. InputError if some are absent.
RawTable raw_columns(const TextTable& text, const std::vector<std::string>& names);

/// The encoded table, with the ids of the other.
Table encoded_table(const InputEncoding& encoding, const RawTable& raw, const std::vector<std::string>& ids,
                    bool ids_generated, const std::string& id_name, std::vector<std::string>& notes);

}  // namespace bochner::cli
