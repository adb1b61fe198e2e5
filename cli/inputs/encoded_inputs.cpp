#include "encoded_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "cli/frame/shell_quote.hpp"
#include "paired_rows.hpp"

namespace bochner::cli {

namespace {

using Names = std::vector<std::string>;

bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Every value is a name, or several with commas between them.
Names known_names(const char* option, const Names& values, const Names& columns) {
  Names out;
  for (const std::string& value : values) {
    if (has(columns, value)) {
      out.push_back(value);
      continue;
    }
    for (std::size_t from = 0; from <= value.size();) {
      const std::size_t comma = std::min(value.find(',', from), value.size());
      const std::string name = value.substr(from, comma - from);
      if (!has(columns, name)) {
        const std::string hint = did_you_mean(name, columns);
        throw InputError(fmt::format("--{}: the inputs have no column {}{}", option, quote(name),
                                     hint.empty() ? "; they have " + listing(columns) : hint));
      }
      out.push_back(name);
      from = comma + 1;
    }
  }
  return out;
}

std::string remedy(const Names& columns, bool unique) {
  std::string names;
  for (const std::string& c : columns) names += (names.empty() ? "" : ",") + printable(c);
  if (columns.size() > 1)
    return fmt::format("use --drop {0} to leave them out, or --categorical {0}{1}", shell_quote(names),
                       unique ? "; one of them may be --id COLUMN, the names of rows" : "");
  return fmt::format("use --categorical {0}{1} or --drop {0}", shell_quote(names),
                     unique ? fmt::format(", --id {} if these are names of rows,", shell_quote(names)) : "");
}

/// What is left of the columns without the outcome and those to drop.
Names kept_names(const std::string& spec, const Names& columns, const InputOptions& options) {
  Names left = columns;
  if (!options.outcome.empty()) std::erase(left, options.outcome);
  for (const std::string& name : known_names("drop", options.drop, left)) std::erase(left, name);
  if (left.empty())
    throw InputError(options.drop.empty()
                         ? fmt::format("{}: the outcome {} is the only column, so there are no inputs",
                                       printable(split_spec(spec).path), quote(options.outcome))
                         : fmt::format("{}: --drop leaves no inputs", printable(split_spec(spec).path)));
  return left;
}

Table some_columns(Table table, const Names& kept) {
  if (kept == table.columns) return table;
  std::vector<Index> places;
  for (const std::string& name : kept)
    places.push_back(std::find(table.columns.begin(), table.columns.end(), name) - table.columns.begin());
  table.values = Matrix(table.values(Eigen::all, places));
  table.columns = kept;
  return table;
}

EncodedInputs encoded(const std::string& spec, const RawTable& raw, const InputOptions& options,
                      Table table) {
  Names names;
  for (const RawColumn& c : raw.columns) names.push_back(c.name);
  const Names categorical = known_names("categorical", options.categorical, names);
  InputEncoding encoding = learn_encoding(raw, {.categorical = categorical, .remedy = remedy});
  Names nothing_new;
  Table out = encoded_table(encoding, raw, table.ids, table.ids_generated, table.id_name, nothing_new);
  if (encoding.plain()) encoding = {};
  return {{spec, std::move(out)}, std::move(encoding), names};
}

EncodedInputs encoded_numbers(const std::string& spec, Table table, const InputOptions& options) {
  if (table.columns_generated) {
    const Names generated = numbered_inputs(table.cols());
    if (options.drop.empty() && options.categorical.empty() && table.values.allFinite())
      return {{spec, std::move(table)}, {}, generated};
    table.columns = generated;
    table.columns_generated = false;
  }
  table = some_columns(std::move(table), kept_names(spec, table.columns, options));
  if (options.categorical.empty() && table.values.allFinite()) {
    const Names names = table.columns;
    return {{spec, std::move(table)}, {}, names};
  }
  const RawTable raw = raw_table(split_spec(spec).path, table.values, table.columns);
  table.values.resize(0, 0);
  return encoded(spec, raw, options, std::move(table));
}

/// A pass over a file that is read in blocks, for the means of columns with missing values.
EncodedInputs encoded_blocks(RowTable rows, const InputOptions& options) {
  if (!options.categorical.empty() || !options.drop.empty())
    throw InputError(fmt::format("{}: --categorical and --drop need the table in memory; raise --memory",
                                 printable(rows.name())));
  constexpr Index block = 1 << 14;
  const Index D = rows.cols();
  const Names names = numbered_inputs(D);
  Vector sum = Vector::Zero(D), count = Vector::Zero(D);
  Matrix X;
  for (Index begin = 0; begin < rows.rows(); begin += block) {
    X.resize(std::min(block, rows.rows() - begin), D);
    rows.read(begin, X);
    const auto here = X.array().isFinite();
    sum += here.select(X.array(), 0).colwise().sum().matrix().transpose();
    count += here.cast<double>().colwise().sum().matrix().transpose();
  }
  InputEncoding encoding;
  for (Index d = 0; d < D; ++d) {
    const bool missing = count(d) < double(rows.rows());
    if (count(d) == 0)
      throw InputError(fmt::format("{}, column {}: no row has a value; leave the column out",
                                   printable(rows.name()), quote(names[static_cast<std::size_t>(d)])));
    encoding.columns.push_back({.name = names[static_cast<std::size_t>(d)],
                                .kind = InputKind::number,
                                .levels = {},
                                .missing = missing,
                                .fill = missing ? sum(d) / count(d) : 0});
  }
  if (encoding.plain()) return {std::move(rows), {}, names};
  rows.encode_with(encoding);
  return {std::move(rows), std::move(encoding), names};
}

}  // namespace

RawTable raw_columns(const TextTable& text, const Names& names) {
  RawTable out{.name = text.name, .columns = {}, .ids = text.ids_generated ? Names{} : text.ids};
  for (const std::string& name : names)
    out.columns.push_back({.name = name, .cells = text.column(name), .numbers = {}});
  return out;
}

Table encoded_table(const InputEncoding& encoding, const RawTable& raw, const Names& ids, bool ids_generated,
                    const std::string& id_name, Names& notes) {
  return {.ids = ids,
          .columns = encoding.names(),
          .values = encode(encoding, raw, notes),
          .ids_generated = ids_generated,
          .columns_generated = false,
          .id_name = id_name};
}

EncodedInputs read_encoded(const std::string& spec, double most_bytes, const CsvOptions& csv,
                           const InputOptions& options) {
  const TableSpec x = split_spec(spec);
  if (holds_arrays(x.path) || !x.part.empty()) {
    RowTable rows = open_table(spec, most_bytes, csv);
    return rows.table() ? encoded_numbers(spec, *rows.table(), options)
                        : encoded_blocks(std::move(rows), options);
  }
  std::optional<Table> numbers;
  try {
    numbers = read_table(x.path, csv);
  } catch (const InputError&) {  // text, or something that the other reader complains of, too
  }
  if (numbers) return encoded_numbers(spec, std::move(*numbers), options);
  const TextTable text = read_text_table(x.path, csv);
  const RawTable raw = raw_columns(text, kept_names(spec, text.columns, options));
  return encoded(spec, raw, options,
                 {.ids = text.ids,
                  .columns = {},
                  .values = {},
                  .ids_generated = text.ids_generated,
                  .id_name = text.id_name});
}

}  // namespace bochner::cli
