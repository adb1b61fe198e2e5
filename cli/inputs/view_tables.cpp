#include "view_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <unordered_set>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_date.hpp"
#include "bochner/data/labels.hpp"
#include "bochner/data/table_view.hpp"
#include "bochner/models/bayes/names.hpp"
#include "bochner/tables/read_table.hpp"
#include "row_table.hpp"

namespace bochner::cli {

namespace {

namespace fs = std::filesystem;

bool is_file(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

/// "data/rna.csv.gz" -> "rna", "all.npz:rna" -> "rna", "all.h5:/layers/rna" -> "rna"
std::string default_name(const std::string& table) {
  const TableSpec spec = split_spec(table);
  if (!spec.part.empty()) return fs::path(spec.part).filename().string();
  fs::path name = fs::path(spec.path).filename();
  if (name.extension() == ".gz" || name.extension() == ".bgz") name = name.stem();
  return name.stem().string();
}

[[noreturn]] void refuse_likelihood(const std::string& spec, const std::string& likelihood) {
  throw InputError(
      fmt::format("{}: the likelihood {} requires --inference mcmc of 'bochner fit'; otherwise omit {}",
                  printable(spec), likelihood, quote(":" + likelihood)));
}

/// Reads a table, and explains a likelihood behind the colon where only a part of the file is expected: instead of a
/// column of that name, and if an array of that name does not exist.
Table read_view_table(const std::string& spec, Likelihoods likelihoods) {
  const TableSpec where = split_spec(spec);
  if (likelihoods == Likelihoods::refused && is_bayes_likelihood(where.part) && is_file(where.path) &&
      !holds_arrays(where.path))
    refuse_likelihood(spec, where.part);
  try {
    return read_table(spec);
  } catch (const InputError&) {
    if (where.part.empty() || !is_file(where.path)) throw;
    const std::string meant = nearest_name(where.part, bayes_likelihood_names());
    if (meant.empty()) throw;
    if (meant == where.part) refuse_likelihood(spec, meant);
    throw InputError(fmt::format(
        "{}: {} is neither in the file nor a likelihood; did you mean {}? The likelihoods, which require "
        "--inference mcmc of 'bochner fit', are {}",
        printable(where.path), quote(where.part), quote(meant), listing(bayes_likelihood_names())));
  }
}

/// A table of numbers beside its columns of words; nothing if it is no CSV file, or has no such columns.
std::optional<ViewTable> read_beside_words(const ViewSpec& spec, const std::vector<std::string>& wanted) {
  constexpr std::uintmax_t most_bytes = 500'000'000;  // cells of text take several times as much
  const TableSpec where = split_spec(spec.table);
  std::error_code error;
  if (!where.part.empty() || !fs::is_regular_file(where.path, error) ||
      fs::file_size(where.path, error) > most_bytes || holds_arrays(where.path))
    return {};
  TextTable text = read_text_table(spec.table);
  std::vector<std::string> words = columns_of_words(text);
  std::erase_if(words, [&](const std::string& name) {
    return std::find(wanted.begin(), wanted.end(), name) != wanted.end();
  });
  if (words.empty() || words.size() == text.columns.size()) return {};  // the message about a cell says more
  ViewTable out{spec, read_table(spec.table, {.without = words})};
  out.words = {.name = text.name, .ids = text.ids, .columns = words};
  for (const std::string& name : words) out.words.cells.push_back(text.column(name));
  out.words.ids_generated = text.ids_generated;
  return out;
}

ViewTable read_without_words(const ViewSpec& spec, Likelihoods likelihoods,
                             const std::vector<std::string>& wanted) {
  try {
    return {spec, read_view_table(spec.table, likelihoods)};
  } catch (const InputError&) {  // words, or something that has nothing to do with them
    std::optional<ViewTable> numbers = read_beside_words(spec, wanted);
    if (!numbers) throw;
    return std::move(*numbers);
  }
}

/// Whether all of these columns hold dates.
bool are_dates(const TextTable& text, const std::vector<std::string>& columns) {
  return std::all_of(columns.begin(), columns.end(), [&](const std::string& name) {
    const std::vector<std::string>& cells = text.column(name);
    return std::all_of(cells.begin(), cells.end(), [](const std::string& cell) {
      return !is_label(cell) || parse_date(cell).has_value();
    });
  });
}

}  // namespace

ViewSpec split_view(const std::string& value, const std::vector<std::string>& known) {
  std::size_t equals = value.find('=');
  for (const std::string& name : known)
    if (value.starts_with(name + "=") && name.size() > equals) equals = name.size();
  // A file may have the sign in its name.
  if (equals == std::string::npos || is_file(split_spec(value).path))
    return {default_name(value), value, false};
  ViewSpec out{value.substr(0, equals), value.substr(equals + 1), true};
  if (out.table.empty())
    throw InputError(fmt::format("--view {}: the table is missing; use --view NAME=FILE", printable(value)));
  return out;
}

void check_view_names(const std::vector<ViewSpec>& specs, const std::vector<std::string>& more) {
  std::vector<std::string> names;
  for (const ViewSpec& spec : specs) {
    if (std::error_code error; fs::is_directory(spec.table, error))
      throw InputError(fmt::format("{}: this is a folder, name a file in it", printable(spec.table)));
    if (spec.name.empty() || spec.name.starts_with('.') || spec.name.find('/') != std::string::npos ||
        spec.name.size() > 200 || printable(spec.name) != spec.name)
      throw InputError(fmt::format(
          "invalid view name {}: view names are used as file names and must not be empty, start with a dot "
          "or contain a slash; use --view NAME={}",
          quote(spec.name), printable(spec.table)));
    if (std::find(names.begin(), names.end(), spec.name) != names.end())
      throw InputError(fmt::format("two views are named {}; use distinct names, as in --view NAME={}",
                                   quote(spec.name), printable(spec.table)));
    names.push_back(spec.name);
  }
  std::vector<std::string> endings{"_lo", "_hi", "_class"};
  endings.insert(endings.end(), more.begin(), more.end());
  for (const std::string& name : names)
    for (const std::string& ending : endings)
      if (std::find(names.begin(), names.end(), name + ending) != names.end())
        throw InputError(
            fmt::format("the views {} and {} would write the same file: {}{} is reserved for results of the "
                        "first; rename one "
                        "of them",
                        quote(name), quote(name + ending), printable(name), ending));
}

std::vector<ViewTable> read_view_tables(const std::vector<ViewSpec>& specs, Likelihoods likelihoods) {
  check_view_names(specs);
  std::vector<ViewTable> out;
  for (const ViewSpec& spec : specs) out.push_back({spec, read_view_table(spec.table, likelihoods)});
  return out;
}

std::vector<ViewTable> read_view_tables_without_words(const std::vector<ViewSpec>& specs,
                                                      Likelihoods likelihoods,
                                                      const std::vector<std::string>& wanted,
                                                      std::vector<std::string>& notes,
                                                      const std::vector<std::string>& described) {
  check_view_names(specs);
  std::vector<ViewTable> out;
  for (const ViewSpec& spec : specs) {
    out.push_back(read_without_words(spec, likelihoods, wanted));
    std::vector<std::string> words = out.back().words.columns;
    std::erase_if(words, [&](const std::string& name) {
      return std::find(described.begin(), described.end(), name) != described.end();
    });
    if (words.empty()) continue;
    const std::vector<std::string> yes = columns_of_yes_and_no(out.back().words);
    notes.push_back(fmt::format(
        "{}: {} {} {} and {} left out of the view{}", printable(spec.table),
        words.size() == 1 ? "the column " + quote(words.front()) : "the columns " + listing(words),
        words.size() == 1 ? "holds" : "hold", are_dates(out.back().words, words) ? "dates" : "words",
        words.size() == 1 ? "is" : "are",
        yes.empty() ? "" : "; write 1 and 0 for yes and no, true and false, to keep " + listing(yes)));
  }
  return out;
}

std::string ids_text(const std::vector<ViewTable>& tables) {
  constexpr std::size_t most = 8;
  std::string out;
  for (std::size_t v = 0; v < std::min(tables.size(), most); ++v)
    out += fmt::format("{}{} {}", v == 0 ? "" : "; ", printable(tables[v].spec.table),
                       ids_text(tables[v].table));
  if (tables.size() > most) out += fmt::format("; and {} more", tables.size() - most);
  return out;
}

void share_ids(std::vector<ViewTable>& tables, std::vector<std::string>& notes) {
  const ViewTable* with_ids = nullptr;
  for (const ViewTable& t : tables) {
    if (t.table.ids_generated) continue;
    if (with_ids && with_ids->table.ids != t.table.ids) return;  // whose rows would they be?
    with_ids = &t;
  }
  if (!with_ids) return;
  for (ViewTable& t : tables) {
    if (!t.table.ids_generated || t.table.rows() != with_ids->table.rows()) continue;
    // Ids "0", "1", ... in another order mean those rows.
    const std::unordered_set<std::string> numbers(t.table.ids.begin(), t.table.ids.end());
    if (std::all_of(with_ids->table.ids.begin(), with_ids->table.ids.end(),
                    [&](const std::string& id) { return numbers.contains(id); }))
      continue;
    t.table.ids = with_ids->table.ids;
    notes.push_back(fmt::format("{} has no sample ids; its rows are matched to those of {} by position",
                                printable(t.spec.table), printable(with_ids->spec.table)));
  }
}

std::vector<View> as_views(std::vector<ViewTable> tables) {
  std::vector<View> views;
  for (ViewTable& t : tables) views.push_back(make_view(t.spec.name, std::move(t.table)));
  return views;
}

}  // namespace bochner::cli
