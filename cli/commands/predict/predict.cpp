#include "predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "bochner/core/errors.hpp"
#include "bochner/core/memory.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/stopwatch.hpp"
#include "bochner/run/any_fit.hpp"
#include "bochner/run/inputs.hpp"
#include "bochner/run/run_folder.hpp"
#include "cli/commands/regress/prediction_file.hpp"
#include "cli/commands/regress/scores.hpp"
#include "cli/frame/console.hpp"
#include "cli/frame/interrupt.hpp"
#include "cli/frame/progress.hpp"
#include "cli/frame/resources.hpp"
#include "cli/frame/run_options.hpp"
#include "cli/frame/terminal.hpp"
#include "cli/frame/text.hpp"
#include "cli/inputs/encoded_inputs.hpp"
#include "cli/inputs/model_origin.hpp"
#include "cli/inputs/paired_rows.hpp"
#include "cli/inputs/row_ids.hpp"
#include "prediction_tables.hpp"

namespace bochner::cli {

namespace {

constexpr Index block_rows = 4096;  // results of so many rows are in memory at a time

struct PredictSettings {
  std::string model, x, y, id;
  bool parts = false;
  double interval = 0;  // 0: 0.9 for numbers, none for classes
  std::string quantiles;
};

void check_width(const RowTable& table, Index expected, const char* what) {
  if (table.cols() != expected)
    throw InputError(fmt::format("{} has {}, but the model has {}", printable(table.name()),
                                 counted(table.cols(), "column"), counted(expected, what)));
}

std::vector<std::string> absent_from(const std::vector<std::string>& wanted,
                                     const std::vector<std::string>& has) {
  std::vector<std::string> out;
  for (const std::string& name : wanted)
    if (std::find(has.begin(), has.end(), name) == has.end()) out.push_back(name);
  return out;
}

void refuse_absent(const std::string& table, const std::vector<std::string>& absent) {
  throw InputError(fmt::format("{} lacks {} of the model: {}", printable(table),
                               absent.size() == 1 ? "the column" : counted(Index(absent.size()), "column"),
                               listing(absent)));
}

/// The columns of the model in its order: by name where both have names, by position otherwise.
RowTable known_columns(RowTable table, const std::vector<std::string>& wanted, bool wanted_generated,
                       const char* what) {
  const auto N = static_cast<Index>(wanted.size());
  if (!table.table() || table.table()->columns_generated) {
    check_width(table, N, what);
    return table;
  }
  const std::vector<std::string> absent = absent_from(wanted, table.table()->columns);
  if (!absent.empty()) {
    if (!wanted_generated) refuse_absent(table.name(), absent);
    check_width(table, N, what);
    return table;
  }
  Table out = *table.table();
  std::vector<Index> places;
  for (const std::string& name : wanted)
    places.push_back(std::find(out.columns.begin(), out.columns.end(), name) - out.columns.begin());
  out.values = Matrix(out.values(Eigen::all, places));
  out.columns = wanted;
  return {table.name(), std::move(out)};
}

/// With an encoding: columns by name, as text where the file has text.
RowTable read_encoded_inputs(const std::string& spec, double most_bytes, const CsvOptions& csv,
                             const HarmonicFit& fit, std::vector<std::string>& notes) {
  const std::vector<std::string> wanted = fit.table_columns();
  if (!holds_arrays(split_spec(spec).path)) {
    const TextTable text = read_text_table(spec, csv);
    if (const auto absent = absent_from(wanted, text.columns); !absent.empty()) refuse_absent(spec, absent);
    return {spec, encoded_table(fit.encoding, raw_columns(text, wanted), text.ids, text.ids_generated,
                                text.id_name, notes)};
  }
  RowTable rows = open_table(spec, most_bytes, csv);
  if (!rows.table()) {
    check_width(rows, Index(wanted.size()), "input");
    rows.encode_with(fit.encoding);
    return rows;
  }
  rows = known_columns(std::move(rows), wanted, wanted == numbered_inputs(Index(wanted.size())), "input");
  const Table& table = *rows.table();
  return {spec, encoded_table(fit.encoding, raw_table(spec, table.values, wanted), table.ids,
                              table.ids_generated, table.id_name, notes)};
}

RowTable read_inputs(const std::string& spec, double most_bytes, const CsvOptions& csv,
                     const HarmonicFit& fit, std::vector<std::string>& notes) {
  if (!fit.encoding.columns.empty()) return read_encoded_inputs(spec, most_bytes, csv, fit, notes);
  const std::vector<std::string>& wanted = fit.inputs.columns;
  const bool generated = wanted == numbered_inputs(static_cast<Index>(wanted.size()));
  std::optional<RowTable> table;
  try {
    table = open_table(spec, most_bytes, csv);
  } catch (const InputError&) {
    // Further columns may be words, if the file is one that has columns at all.
    std::optional<TextTable> text;
    try {
      text = read_text_table(spec, csv);
    } catch (const InputError&) {
    }
    if (!text || generated) throw;
    if (const auto absent = absent_from(wanted, text->columns); !absent.empty()) refuse_absent(spec, absent);
    return {spec, number_columns(*text, wanted)};
  }
  return known_columns(std::move(*table), wanted, generated, "input");
}

Outcomes read_truth(const std::string& spec, double most_bytes, const CsvOptions& csv,
                    const HarmonicFit& fit) {
  if (!fit.classes.empty()) return read_classes(spec, most_bytes, csv, fit.classes);
  Outcomes y = read_numbers(spec, most_bytes, csv);
  const bool generated = fit.outcomes == numbered_outcomes(static_cast<Index>(fit.outcomes.size()));
  const bool alone = fit.outcomes.size() == 1 && y.table.cols() == 1;  // whatever it is called
  if (!alone) y.table = known_columns(std::move(y.table), fit.outcomes, generated, "outcome");
  y.names = fit.outcomes;
  return y;
}

std::string model_text(const HarmonicFit& fit) {
  return fmt::format("{} from {} by {} of {}, learned from {}",
                     fit.classes.empty()
                         ? join_list(fit.outcomes)
                         : fmt::format("{} ({} classes)", fit.outcomes.front(), fit.classes.size()),
                     counted(Index(fit.table_columns().size()), "input"), counted(fit.gp.groups(), "group"),
                     counted(fit.gp.inducing(), "inducing point"), counted(fit.rows, "row"));
}

/// Block by block, a block for each process at a time; the first one writes. Nothing if it was interrupted, and then no table
/// appears.
std::optional<Predicted> write_predictions(const HarmonicFit& fit, const PairedRows& rows,
                                           const PredictSettings& s, const RunFolder* run,
                                           const Interrupt& interrupt, const ProgressOptions& shown,
                                           const Threads& threads, const Communicator& comm) {
  std::optional<PredictionTables> tables;
  if (run)
    tables.emplace(
        fit, rows, *run,
        PredictionColumns{
            .truth = rows.outcomes() > 0, .interval = s.interval, .levels = read_levels(s.quantiles)},
        s.parts);
  const Index blocks = (rows.rows() + block_rows - 1) / block_rows;
  Progress progress("predict", "rows", blocks, shown);
  Matrix X, Y;
  const auto read = [&](Index begin) {
    X.resize(std::min(block_rows, rows.rows() - begin), rows.inputs());
    Y.resize(X.rows(), rows.outcomes());
    rows.read(begin, X, Y);
  };
  for (Index first = 0; first < blocks; first += comm.size()) {
    progress.update(first, static_cast<double>(first * block_rows));
    if (comm.largest(interrupt.asked() ? 1 : 0) > 0) return std::nullopt;
    const Index begin = (first + comm.rank()) * block_rows;
    HarmonicPrediction own;
    if (begin < rows.rows()) {
      read(begin);
      own = predict_complete(fit, X, threads);
    }
    if (comm.is_alone()) {
      tables->write(begin, X, Y, own, threads);
      continue;
    }
    Index at = first * block_rows;
    for (const std::string& bytes : comm.to_first(begin < rows.rows() ? bytes_of(own) : "")) {
      if (bytes.empty()) continue;
      read(at);
      tables->write(at, X, Y, prediction_from(bytes), threads);
      at += block_rows;
    }
  }
  return tables ? tables->commit() : Predicted{};
}

std::string scores_line(const HarmonicFit& fit, const std::vector<OutcomeScores>& scores) {
  std::string out;
  for (std::size_t o = 0; o < scores.size(); ++o) {
    const OutcomeScores& s = scores[o];
    if (s.nll.count() == 0) continue;
    const bool classes = !fit.classes.empty();
    out += fmt::format(
        "score {}: {} {} +- {}, nll {} +- {}{}, {} known\n", printable(fit.outcomes[o], 40),
        classes ? "accuracy" : "rmse", short_number(classes ? s.right.mean() : s.rmse()),
        short_number(classes ? s.right.se() : s.rmse_se()), short_number(s.nll.mean()),
        short_number(s.nll.se()),
        s.covered.count() > 0 ? fmt::format(", {} in 90 % intervals", percent(s.covered.mean())) : "",
        s.nll.count());
  }
  return out;
}

std::string plan(const HarmonicFit& fit, const PairedRows& rows, const PredictSettings& s,
                 const std::string& out, const Threads& threads) {
  Matrix X(std::min<Index>(rows.rows(), 256), rows.inputs()), Y(X.rows(), rows.outcomes());
  rows.read(0, X, Y);
  const Stopwatch watch;
  predict_complete(fit, X, threads);
  const double seconds = watch.seconds() * double(rows.rows()) / double(X.rows()) *
                         (1.0 + double(s.parts) + double(rows.outcomes() > 0));
  return fmt::format(
      "bochner predict would\n"
      "  use    a model of {}\n"
      "  for    {}{}, in {} on {}\n"
      "  write  config.toml, log.jsonl, predictions.csv{}{} in {}/\n",
      model_text(fit), counted(rows.rows(), "row"), rows.in_memory() ? "" : ", read in blocks",
      about_time(seconds), counted(threads.count(), "thread"), s.parts ? ", parts.csv" : "",
      rows.outcomes() > 0 ? ", metrics.json" : "", out);
}

/// metrics.json, where the truth is known.
void write_scores(const HarmonicFit& fit, const std::vector<OutcomeScores>& scores, Index rows,
                  double seconds, const RunFolder& run) {
  Json truth = Json::object();
  for (std::size_t o = 0; o < scores.size(); ++o) {
    Json& own = truth[fit.outcomes[o]];
    own["entries"] = static_cast<Index>(scores[o].nll.count());
    for (const auto& [name, value] : named_scores(scores[o])) own[name] = value;
  }
  write_json(run.path("metrics.json"), {{"rows", rows}, {"seconds", seconds}, {"truth", truth}});
}

std::string incomplete_note(Index rows) {
  return fmt::format("note: {} missing values in the inputs: {} empty\n",
                     rows == 1 ? "1 row has" : fmt::format("{} rows have", rows),
                     rows == 1 ? "its prediction is" : "their predictions are");
}

int run(const PredictSettings& s, const Job& job) {
  const Common& common = job.common;
  if (job.comm.is_first()) check_run_folder(common.out, "predict");
  read_levels(s.quantiles);  // before anything is read
  const HarmonicFit fit = require_fit<HarmonicFit>(s.model, read_fit(s.model));
  std::vector<std::string> notes;
  // Arrays are read in blocks, unless they may have to be matched with ids.
  const double most_bytes = s.y.empty() || is_array(s.x) == is_array(s.y) ? 0 : 256e6;
  const CsvOptions csv = row_id_csv(s.x, s.id, fit.table_columns(), notes);
  RowTable x = read_inputs(s.x, most_bytes, csv, fit, notes);
  check_id_column(s.id, {&x});
  const std::string columns =
      fmt::format("{} {}; the inputs are {}", printable(split_spec(s.x).path),
                  x.table() ? ids_text(*x.table()) : "has no ids", listing(fit.table_columns()));
  const CsvOptions csv_y = !s.y.empty() && same_file(s.x, s.y) ? csv : input_csv(s.id);
  const PairedRows rows =
      s.y.empty() ? PairedRows(std::move(x))
                  : PairedRows(std::move(x), read_truth(s.y, most_bytes, csv_y, fit), true, notes);
  const Threads threads = make_threads(common.threads);
  if (!common.quiet)
    for (const std::string& note : notes) print_error("note: " + note + "\n");
  if (common.dry_run) {
    print(plan(fit, rows, s, common.out, threads));
    return 0;
  }
  std::vector<std::string> read = job.inputs;
  read.insert(read.begin(), s.model);
  check_same_inputs(read, job.comm);  // before earlier results go
  const Stopwatch watch;
  const Interrupt interrupt;
  std::optional<RunFolder> folder;
  if (job.comm.is_first()) {
    folder.emplace(
        common.out, "predict",
        std::vector<std::string>{"predictions.csv", "parts.csv", "metrics.json", "log.jsonl", report_file},
        config_text(job));
    folder->log(json_line({{"event", "start"},
                           {"command", "predict"},
                           {"version", BOCHNER_VERSION},
                           {"threads", threads.count()},
                           {"line", job.line},
                           {"rows", rows.rows()}}));
    log_inputs(read, *folder);
  }
  const std::optional<Predicted> done = write_predictions(
      fit, rows, s, folder ? &*folder : nullptr, interrupt,
      folder ? logged_progress(common, *folder) : ProgressOptions{.shown = false}, threads, job.comm);
  const int code = static_cast<int>(job.comm.largest(interrupt.exit_code()));
  if (!folder) return code;
  RunFolder& run = *folder;
  if (done && rows.outcomes() > 0) write_scores(fit, done->scores, rows.rows(), watch.seconds(), run);
  run.log(json_line(
      {{"event", done ? "end" : "stopped"}, {"seconds", watch.seconds()}, {"peak_memory", peak_memory()}}));
  if (done && done->missing > 0 && !common.quiet) print_error(incomplete_note(done->missing));
  if (done && !common.quiet)
    print(
        fmt::format("used  a model of {}\n"
                    "read  {}\n"
                    "for   {} in {:.1f} s\n"
                    "{}Wrote {}/ with predictions.csv{}{}\n",
                    model_text(fit), columns, counted(rows.rows(), "row"), watch.seconds(),
                    rows.outcomes() > 0 ? scores_line(fit, done->scores) : "", common.out,
                    s.parts ? ", parts.csv" : "", rows.outcomes() > 0 ? ", metrics.json" : ""));
  if (done) add_report(common, threads);
  if (!done && !common.quiet) print_error("bochner: stopped before the end; no table was written\n");
  return code;
}

std::vector<Option> input_options(PredictSettings& s) {
  return {{.name = "model",
           .placeholder = "MODEL",
           .help = "model.bochner of 'bochner regress' or 'bochner classify'",
           .target = &s.model,
           .group = Group::input,
           .required = true,
           .positional = true},
          {.name = "x",
           .placeholder = "TABLE",
           .help = "Inputs of new rows",
           .target = &s.x,
           .group = Group::input,
           .required = true,
           .file = true,
           .positional = true},
          {.name = "y",
           .placeholder = "TABLE",
           .help = "True outcomes, a table or FILE:COLUMN, to score the predictions",
           .target = &s.y,
           .group = Group::input,
           .file = true},
          {.name = "id",
           .placeholder = "COLUMN",
           .help = "Column of row ids, or none",
           .target = &s.id,
           .group = Group::input,
           .shown_default = "a first column named id, sample, ..."}};
}

std::vector<Option> output_options(PredictSettings& s) {
  return {{.name = "parts",
           .help = "Write the contribution of each group of harmonics to parts.csv, without the mean",
           .target = &s.parts,
           .group = Group::output},
          {.name = "interval",
           .placeholder = "FRACTION",
           .help = "Coverage of intervals, also of class probabilities",
           .target = &s.interval,
           .group = Group::output,
           .low = 0,
           .high = 0.9999,
           .shown_default = "0.9; classes: none",
           .aliases = {"coverage"}},
          {.name = "quantiles",
           .placeholder = "Q,Q,..",
           .help = "Quantiles of a new outcome, or of the probability of each class",
           .target = &s.quantiles,
           .group = Group::output,
           .suggestions = {"0.05,0.5,0.95", "0.1,0.5,0.9"}}};
}

}  // namespace

Command predict_command() {
  const auto s = std::make_shared<PredictSettings>();
  return {
      .name = "predict",
      .summary = "Predict outcomes or classes of new rows with a model of 'bochner regress' or 'classify'",
      .example = "bochner predict run/model.bochner new.csv --out new",
      .details =
          "Columns are matched by name; additional ones are ignored. Files without column names must have "
          "the\n"
          "columns of the training table in the same order. Writes predictions.csv: for each outcome the "
          "mean, the\n"
          "standard deviation of the function (f_sd) and of an observation (y_sd), the interval of an "
          "observation\n"
          "(lo, hi) and its quantiles; or the most probable class and the probability of each. With --y, "
          "also "
          "writes\n"
          "metrics.json. Rows are predicted independently; NPY and HDF5 files are read in blocks.",
      .options = concatenate({input_options(*s), output_options(*s)}),
      .out_help = "Output folder",
      .out_default = "new",
      .shares = true,
      .run = [s](const Job& job) { return run(*s, job); }};
}

}  // namespace bochner::cli
