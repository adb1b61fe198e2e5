#include "tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"
#include "bochner/data/labels.hpp"
#include "bochner/models/bayes/names.hpp"
#include "bochner/tables/read_table.hpp"
#include "cli/commands/fit/most_variable.hpp"
#include "cli/inputs/by_view.hpp"
#include "cli/inputs/exposures.hpp"
#include "cli/inputs/match_rows.hpp"
#include "cli/inputs/meta_table.hpp"
#include "cli/inputs/row_table.hpp"
#include "cli/inputs/time_cells.hpp"
#include "cli/inputs/view_tables.hpp"
#include "sample_columns.hpp"

namespace bochner::cli {

namespace {

using Classes = std::vector<std::vector<std::string>>;  // of each column

/// InputError if there is nothing to tell apart.
void check_classes(const TextTable& text, std::size_t m, const std::vector<std::string>& names) {
  if (names.size() < 2)
    throw InputError(fmt::format(
        "{}: column {} has {}, but a categorical column requires at least two; omit it", printable(text.name),
        quote(text.columns[m]), names.empty() ? "no label" : "only the label " + quote(names.front())));
}

/// An array of whole numbers as text, to be read as labels.
TextTable as_text(const Table& table, const std::string& name) {
  TextTable out{
      .name = name, .ids = table.ids, .columns = table.columns, .ids_generated = table.ids_generated};
  for (Index m = 0; m < table.cols(); ++m) {
    out.cells.emplace_back();
    for (Index n = 0; n < table.rows(); ++n) out.cells.back().push_back(label_text(table.values(n, m)));
  }
  return out;
}

/// Two rows of one group at one time would be the same point of a path.
void check_times(const Vector& time, const std::vector<Index>& group, const Dataset& data) {
  std::map<std::pair<Index, double>, Index> seen;
  for (Index n = 0; n < time.size(); ++n) {
    const Index g = group.empty() ? 0 : group[static_cast<std::size_t>(n)];
    const auto [at, fresh] = seen.emplace(std::pair{g, time(n)}, n);
    if (!fresh)
      throw InputError(
          fmt::format("--time: samples {} and {} have the same time {:g}; use --group for the column that "
                      "separates trials",
                      quote(data.ids()[static_cast<std::size_t>(at->second)]),
                      quote(data.ids()[static_cast<std::size_t>(n)]), time(n)));
  }
}

/// A number, or a table with the rows and columns of the view.
Matrix read_trials(const std::string& word, const View& view) {
  if (const std::optional<double> number = trials_number(word)) return Matrix::Constant(1, 1, *number);
  const Table table = read_table(word);
  const MatchedRows rows =
      match_rows({"the view " + view.name, view.ids, false}, {word, table.ids, table.ids_generated});
  Matrix out = Matrix::Constant(view.rows(), view.cols(), std::nan(""));
  for (Index m = 0; m < view.cols(); ++m) {
    const auto at =
        std::find(table.columns.begin(), table.columns.end(), view.columns[static_cast<std::size_t>(m)]);
    const Index from =
        table.columns_generated && table.cols() == view.cols() ? m : at - table.columns.begin();
    if (from >= table.cols())
      throw InputError(fmt::format("--trials: {} has no column {}", printable(word),
                                   quote(view.columns[static_cast<std::size_t>(m)])));
    for (std::size_t i = 0; i < rows.a.size(); ++i) out(rows.a[i], m) = table.values(rows.b[i], from);
  }
  for (Index n = 0; n < out.rows(); ++n)
    for (Index m = 0; m < out.cols(); ++m) {
      if (std::isnan(view.Y(n, m)) && std::isnan(out(n, m))) out(n, m) = 0;
      if (!(out(n, m) >= 0 && out(n, m) <= 1e15 && out(n, m) == std::floor(out(n, m))))
        throw InputError(fmt::format("--trials: {}, sample {}, column {}: a non-negative integer is required",
                                     printable(word), quote(view.ids[static_cast<std::size_t>(n)]),
                                     quote(view.columns[static_cast<std::size_t>(m)])));
    }
  return out;
}

}  // namespace

void check_counts(const View& view, BayesLikelihood likelihood, const Matrix& trials,
                  const std::string& file) {
  if (likelihood == BayesLikelihood::gaussian || likelihood == BayesLikelihood::categorical) return;
  for (Index n = 0; n < view.rows(); ++n)
    for (Index m = 0; m < view.cols(); ++m) {
      const double y = view.Y(n, m);
      if (std::isnan(y)) continue;
      const auto refuse = [&](const std::string& rule) {
        throw InputError(fmt::format("{}view {}, sample {}, column {}: {} {}",
                                     file.empty() ? "" : printable(file) + ", ", quote(view.name),
                                     quote(view.ids[static_cast<std::size_t>(n)]),
                                     quote(view.columns[static_cast<std::size_t>(m)]), y, rule));
      };
      if (!(y >= 0 && y == std::floor(y) && y <= 1e15))
        refuse(fmt::format("is not a count; {} requires non-negative integers (use gaussian for real values)",
                           to_text(likelihood)));
      if (likelihood == BayesLikelihood::bernoulli && y > 1)
        refuse("is neither 0 nor 1, as bernoulli requires (use poisson or binomial for counts)");
      if (trials.size() > 0 && y > trials(trials.size() == 1 ? 0 : n, trials.size() == 1 ? 0 : m))
        refuse("exceeds its number of trials");
    }
}

std::optional<double> trials_number(const std::string& word) {
  const std::optional<double> number = parse_number(word);
  if (number && !(*number >= 1 && *number <= 1e15 && *number == std::floor(*number)))
    throw InputError(fmt::format("--trials: {} is not a number of trials", quote(word)));
  return number;
}

TextTable read_labels_table(const std::string& spec) {
  const bool array = is_array(spec) || split_spec(spec).path.ends_with(".npz");
  return array ? as_text(read_table(spec), spec) : read_text_table(spec);
}

Table labels_as_numbers(const TextTable& text, Classes& classes) {
  const bool known = !classes.empty();
  Table out{.ids = text.ids,
            .columns = text.columns,
            .values = Matrix(text.ids.size(), text.columns.size()),
            .ids_generated = text.ids_generated};
  for (std::size_t m = 0; m < text.cells.size(); ++m) {
    const Labels labels = known ? encode_labels(text.cells[m], classes[m]) : encode_labels(text.cells[m]);
    if (!known) {
      check_classes(text, m, labels.names);
      classes.push_back(labels.names);
    }
    for (std::size_t n = 0; n < text.ids.size(); ++n) {
      const Index code = labels.code(static_cast<Index>(n));
      if (code == Labels::unknown)
        throw InputError(
            fmt::format("{}, sample {}, column {}: label {} is unknown to the model; its labels are {}",
                        printable(text.name), quote(text.ids[n]), quote(text.columns[m]),
                        quote(text.cells[m][n]), listing(classes[m])));
      out.values(static_cast<Index>(n), static_cast<Index>(m)) =
          code == Labels::missing ? std::nan("") : double(code);
    }
  }
  return out;
}

std::string cut_likelihood(std::string& table) {
  const std::size_t colon = table.rfind(':');
  std::error_code error;
  if (colon == std::string::npos || std::filesystem::exists(table, error)) return "";
  const std::string word = table.substr(colon + 1);
  if (!is_bayes_likelihood(word)) return "";
  table.resize(colon);
  return word;
}

namespace {

/// The views as the user named them.
struct NamedViews {
  std::vector<ViewSpec> specs;
  std::vector<std::string> names;
  std::vector<BayesLikelihood> likelihoods;
  std::vector<std::optional<Index>> counts;  // of --most-variable
};

NamedViews named_views(const FitSettings& s) {
  NamedViews out;
  for (std::string text : s.views) {
    const std::string likelihood = cut_likelihood(text);
    out.specs.push_back(split_view(text));
    out.names.push_back(out.specs.back().name);
    out.likelihoods.push_back(likelihood.empty() ? BayesLikelihood::gaussian
                                                 : parse_bayes_likelihood(likelihood));
  }
  check_view_names(out.specs,
                   s.forecast > 0 ? std::vector<std::string>{"_mean"} : std::vector<std::string>{});
  set_by_view("likelihood", s.likelihood, out.names, out.likelihoods,
              [](BayesLikelihood& own, const std::string& text) { own = parse_bayes_likelihood(text); });
  std::vector<bool> labels;
  for (const BayesLikelihood own : out.likelihoods) labels.push_back(own == BayesLikelihood::categorical);
  out.counts = most_variable_of(s.most_variable, out.names, labels);
  return out;
}

/// Numbers of trials, and a check that the values are what their likelihoods are for.
void set_trials(const FitSettings& s, const NamedViews& views, BayesTables& out) {
  const auto& [specs, names, likelihoods, counts] = views;
  for (const auto& [v, text] : values_by_view("trials", s.trials, names)) {
    if (likelihoods[v] == BayesLikelihood::binomial)
      out.trials[v] = read_trials(text, out.data.view(static_cast<Index>(v)));
    else if (s.trials.size() == 1 && names.size() > 1 && s.trials.front() == text)
      continue;  // one number for all views: for those that are binomial
    else
      throw InputError(fmt::format("--trials: view {} is {}; use --view NAME=TABLE:binomial", quote(names[v]),
                                   to_text(likelihoods[v])));
  }
  for (std::size_t v = 0; v < specs.size(); ++v) {
    if (likelihoods[v] == BayesLikelihood::binomial && out.trials[v].size() == 0)
      throw InputError(fmt::format("view {} is binomial; specify the number of trials with --trials {}=N",
                                   quote(names[v]), names[v]));
    check_counts(out.data.view(static_cast<Index>(v)), likelihoods[v], out.trials[v], specs[v].table);
  }
}

/// Columns that enter f linearly, and a note on references.
void set_covariates(const FitSettings& s, const SampleColumns& columns, BayesTables& out,
                    std::vector<std::string>& notes) {
  std::vector<std::vector<std::string>> cells;
  for (const std::string& name : s.covariate)
    cells.push_back(columns.cells("covariate", name, out.data, out.meta));
  if (cells.empty()) return;
  out.covariates = learn_covariates(s.covariate, cells, out.data.ids());
  out.design = encode(out.covariates, cells, out.data.ids());
  const bool levels = std::any_of(out.covariates.columns.begin(), out.covariates.columns.end(),
                                  [](const Covariate& own) { return !own.levels.empty(); });
  if (levels) notes.push_back("covariates: " + out.covariates.text());
}

/// The column of exposures of each view, empty where it has none.
std::vector<std::string> offset_columns(const FitSettings& s, const NamedViews& views) {
  std::vector<std::string> out(views.names.size());
  const auto counts = [&](std::size_t v) { return has_exposure(views.likelihoods[v]); };
  for (const auto& [v, column] : values_by_view("offset", s.offset, views.names)) {
    const bool everywhere = std::find(s.offset.begin(), s.offset.end(), column) != s.offset.end();
    if (!counts(v) && everywhere) continue;  // one column for all views: for those of counts
    if (!counts(v))
      throw InputError(
          fmt::format("--offset: view {} is {}, but only poisson and negbinom counts have exposures",
                      quote(views.names[v]), to_text(views.likelihoods[v])));
    out[v] = column;
  }
  if (!s.offset.empty() &&
      std::all_of(out.begin(), out.end(), [](const std::string& column) { return column.empty(); }))
    throw InputError("--offset: no view holds counts; use --likelihood poisson or negbinom");
  return out;
}

/// Columns of a table of trials go with those of its view.
void keep_columns(const std::vector<std::optional<Index>>& counts, BayesTables& out) {
  KeptColumns kept = choose_columns(out.data, counts);
  if (kept.text.empty()) return;
  out.data = out.data.take_columns(kept.columns);
  for (std::size_t v = 0; v < out.trials.size(); ++v)
    if (out.trials[v].size() > 1) out.trials[v] = Matrix(out.trials[v](Eigen::all, kept.columns[v]));
  out.kept = std::move(kept.text);
}

}  // namespace

BayesTables read_bayes_tables(const FitSettings& s) {
  const NamedViews views = named_views(s);
  const auto& [specs, names, likelihoods, counts] = views;
  std::vector<std::string> notes;
  const std::vector<std::string> offsets = offset_columns(s, views);
  std::vector<std::string> described{s.time, s.group};
  described.insert(described.end(), offsets.begin(), offsets.end());
  described.insert(described.end(), s.covariate.begin(), s.covariate.end());
  SampleColumns columns(described);
  std::vector<ViewTable> tables;
  std::vector<TextTable> words;
  std::vector<Classes> classes(specs.size());
  for (std::size_t v = 0; v < specs.size(); ++v) {
    if (likelihoods[v] != BayesLikelihood::categorical) {
      tables.push_back(
          read_view_tables_without_words({specs[v]}, Likelihoods::columns, {}, notes, described).front());
      words.push_back(tables.back().words);
      columns.take(words.back());
      continue;
    }
    TextTable text = read_labels_table(specs[v].table);
    columns.take(text);
    tables.push_back({specs[v], labels_as_numbers(text, classes[v])});
  }
  const std::string ids = ids_text(tables);
  share_ids(tables, notes);
  bool generated = true;
  for (const ViewTable& t : tables) generated = generated && t.table.ids_generated;
  columns.take(tables);
  if (!s.group.empty() && s.time.empty())
    throw InputError("--group separates trials over time; use --time for the column of times");

  BayesTables out{.data = join(as_views(std::move(tables))),
                  .likelihoods = likelihoods,
                  .trials = std::vector<Matrix>(specs.size()),
                  .classes = classes,
                  .exposure = std::vector<Vector>(specs.size()),
                  .exposure_names = offsets};
  out.meta = s.meta.empty() ? words_as_meta(words, out.data.ids(), generated)
                            : read_meta(s.meta, out.data.ids(), generated, notes);
  if (!s.time.empty()) {
    out.axis = time_axis(columns.cells("time", s.time, out.data, out.meta), out.data.ids());
    out.axis.column = s.time;
    if (!s.group.empty()) {
      const Labels labels = encode_labels(columns.cells("group", s.group, out.data, out.meta));
      out.axis.group = {labels.code.begin(), labels.code.end()};
      out.axis.group_names = labels.names;
      out.axis.group_column = s.group;
    }
    check_times(out.axis.time, out.axis.group, out.data);
  }
  for (std::size_t v = 0; v < offsets.size(); ++v)
    if (const std::string& column = offsets[v]; !column.empty())
      out.exposure[v] = exposures_of(
          column, columns.cells("offset", column, out.data, out.meta, SampleColumns::Gaps::empty),
          out.data.view(static_cast<Index>(v)));
  set_covariates(s, columns, out, notes);
  set_trials(s, views, out);
  keep_columns(counts, out);
  if (const auto empty = static_cast<Index>(out.data.empty_rows().size()); empty > 0)
    notes.push_back(
        fmt::format("{} missing from every view: the latent {}",
                    empty == 1 ? "1 sample is" : fmt::format("{} samples are", empty),
                    s.time.empty() ? "is the prior" : "follows the path through the other times"));
  out.notes = std::move(notes);
  out.ids = ids;
  return out;
}

}  // namespace bochner::cli
