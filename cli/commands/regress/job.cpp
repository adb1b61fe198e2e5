#include "job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/data/splits.hpp"
#include "bochner/models/harmonic/file.hpp"
#include "cli/inputs/encoded_inputs.hpp"
#include "cli/inputs/row_ids.hpp"

namespace bochner::cli {

namespace {

constexpr Index piece = 4096;  // rows read at a time

bool holds_columns(const std::string& path) {
  for (const char* ending : {".npy", ".npz", ".h5", ".hdf5", ".h5ad"})
    if (path.ends_with(ending)) return false;
  return true;
}

/// The inputs; without the outcome, where that is a column of the same file.
EncodedInputs read_inputs(const RegressSettings& s, const CsvOptions& csv) {
  const TableSpec x = split_spec(s.x), y = split_spec(s.y);
  InputOptions options{.categorical = s.categorical, .drop = s.drop};
  if (same_file(s.x, s.y)) {
    if (x.part == y.part)
      throw InputError(fmt::format(
          "--x and --y are both {}; {}", printable(s.x),
          holds_columns(y.path) ? fmt::format("specify the outcome, as in --y {}:COLUMN", printable(y.path))
                                : "the outcomes must be in another array"));
    if (holds_columns(x.path) && x.part.empty()) options.outcome = y.part;
  }
  return read_encoded(s.x, 1e6 * s.memory, csv, options);
}

/// Which column was taken for what.
std::string columns_text(const RowTable& x, const std::vector<std::string>& names, const Outcomes& y) {
  constexpr std::size_t most = 8;
  const std::string inputs = x.table() && !x.table()->columns_generated
                                 ? (names.size() == 1 ? "the input " : "the inputs ") + listing(names, most)
                                 : counted(x.cols(), "input");
  return fmt::format("{} {} and {}; {} {}", printable(split_spec(x.name()).path),
                     x.table() ? ids_text(*x.table()) : "has no ids", inputs,
                     y.names.size() == 1 ? "the outcome is" : "the outcomes are", listing(y.names, most));
}

/// The name that the first columns of two files without ids share; "" if there is none.
std::string shared_first_column(const RowTable& x, const RowTable& y) {
  if (!x.table() || !y.table() || split_spec(x.name()).path == split_spec(y.name()).path) return "";
  const Table &a = *x.table(), &b = *y.table();
  const bool nameless = !a.ids_generated || !b.ids_generated || a.columns_generated || b.columns_generated;
  return !nameless && b.cols() > 1 && a.columns.front() == b.columns.front() ? a.columns.front() : "";
}

std::vector<std::string> input_names(const RowTable& x) {
  return x.table() && !x.table()->columns_generated ? x.table()->columns : numbered_inputs(x.cols());
}

std::string class_likelihood(const std::string& asked, const std::vector<std::string>& classes) {
  if (asked == "bernoulli" && classes.size() > 2)
    throw InputError(
        fmt::format("--likelihood bernoulli is for two classes, but there are {}; use softmax or robustmax",
                    classes.size()));
  return asked != "auto" ? asked : classes.size() == 2 ? "bernoulli" : "softmax";
}

/// How many groups of harmonics there will be at most; complains of symmetries that cannot be read.
Index count_groups(const RegressJob& job) {
  const InputMap map{
      .columns = job.names.inputs, .circles = job.options.circles, .spheres = job.options.spheres};
  const std::vector<std::string>& words = job.options.symmetries;
  if (words == std::vector<std::string>{"auto"}) return most_compared_groups;
  if (words.empty()) return 1;
  const RowSource rows = learning_rows(job);
  Matrix X(std::min<Index>(rows.rows, 1000), rows.inputs), Y(X.rows(), rows.outcomes);
  rows.read(0, X, Y);
  return harmonic_groups(job.options, map.names(), map.unfold(X));
}

/// Messages with sample and column, which the model cannot know.
void check_rows(const RegressJob& job, Index begin, const Matrix& X, const Matrix& Y) {
  const std::vector<std::string>&inputs = job.names.inputs, &outcomes = job.names.outcomes;
  for (Index n = 0; n < X.rows(); ++n) {
    for (Index c = 0; c < X.cols(); ++c)
      if (!std::isfinite(X(n, c)))
        throw InputError(
            fmt::format("{}, column {}: inputs must not have missing values; impute them (e.g. with 'bochner "
                        "fit') or omit the row",
                        job.data.where(begin + n), quote(inputs[static_cast<std::size_t>(c)])));
    for (const Sphere& sphere : job.options.spheres)
      if (std::abs(X(n, sphere.latitude)) > 90)
        throw InputError(
            fmt::format("{}, column {}: {} is not a latitude in degrees; check the order of --sphere LON,LAT",
                        job.data.where(begin + n), quote(inputs[static_cast<std::size_t>(sphere.latitude)]),
                        X(n, sphere.latitude)));
    if (job.options.likelihood != "poisson" && job.options.likelihood != "negbinom") continue;
    for (Index c = 0; c < Y.cols(); ++c)
      if (Y(n, c) < 0 || (!std::isnan(Y(n, c)) && Y(n, c) != std::floor(Y(n, c))))
        throw InputError(
            fmt::format("{}, outcome {}: {} is not a count; {} requires non-negative integers (use "
                        "gaussian for real values)",
                        job.data.where(begin + n), quote(outcomes[static_cast<std::size_t>(c)]), Y(n, c),
                        job.options.likelihood));
  }
}

/// The row of the table that the i-th row to learn from is, given the held-out ones.
Index row_of(Index i, const std::vector<Index>& test) {
  // test[j] - j rows to learn from lie before test[j], and that never falls.
  Index low = 0, high = static_cast<Index>(test.size());
  while (low < high) {
    const Index middle = (low + high) / 2;
    if (test[static_cast<std::size_t>(middle)] - middle <= i)
      low = middle + 1;
    else
      high = middle;
  }
  return i + low;
}

}  // namespace

Index RegressJob::latents() const {
  const bool several = options.likelihood == "softmax" || options.likelihood == "robustmax";
  const Index each = options.likelihood == "heteroscedastic" ? 2 : 1;  // and one for the noise
  return each * static_cast<Index>(several ? names.classes.size() : names.outcomes.size());
}

RegressJob prepare_regress(const RegressSettings& s, bool classes, std::uint64_t seed) {
  check_settings(s);
  std::vector<std::string> notes;
  const CsvOptions csv = row_id_csv(s.x, s.id, {}, notes);
  const CsvOptions csv_y = same_file(s.x, s.y) ? csv : input_csv(s.id);
  Outcomes y = classes ? read_classes(s.y, 1e6 * s.memory, csv_y) : read_numbers(s.y, 1e6 * s.memory, csv_y);
  EncodedInputs inputs = read_inputs(s, csv);
  RowTable& x = inputs.table;
  check_id_column(s.id, {&x, &y.table});
  if (const std::string how = encoding_text(inputs.encoding); !how.empty()) notes.push_back(how);
  const std::string columns = columns_text(x, inputs.names, y);
  HarmonicNames names{.inputs = inputs.encoding.columns.empty() ? input_names(x) : inputs.encoding.names(),
                      .outcomes = y.names,
                      .classes = y.classes,
                      .encoding = std::move(inputs.encoding)};
  if (const std::string shared = shared_first_column(x, y.table); !shared.empty())
    notes.push_back(fmt::format(
        "both tables have a first column {0}, which was read as values; use --id {0} if it contains row ids",
        quote(shared)));
  HarmonicFitOptions options = model_options(s, names.inputs);
  if (classes) options.likelihood = class_likelihood(s.likelihood, names.classes);
  PairedRows data(std::move(x), std::move(y), false, notes);
  std::vector<Index> test = held_out_rows(data.rows(), s.test, seed);
  const Index N = data.rows(), held_out = static_cast<Index>(test.size());
  if (N - held_out < 3)
    throw InputError(fmt::format("there {} {} for training, but at least 3 are required",
                                 N - held_out == 1 ? "is" : "are", counted(N - held_out, "row")));
  RegressJob job{.data = std::move(data),
                 .names = std::move(names),
                 .options = std::move(options),
                 .test = std::move(test),
                 .seed = seed,
                 .notes = std::move(notes),
                 .columns = columns};
  job.groups = count_groups(job);
  const InputMap map{
      .columns = job.names.inputs, .circles = job.options.circles, .spheres = job.options.spheres};
  job.options = with_effort(job.options, N - held_out, Index(map.names().size()), job.latents(), job.groups);
  return job;
}

RowSource learning_rows(const RegressJob& job) {
  const Index N = job.data.rows() - static_cast<Index>(job.test.size());
  return {N, job.data.inputs(), job.data.outcomes(), [&job, N](Index begin, MatrixOut X, MatrixOut Y) {
            // Rows between are read too, so that a whole sweep looks at every row of the table.
            const Index first = begin == 0 ? 0 : row_of(begin, job.test);
            const Index end =
                begin + X.rows() == N ? job.data.rows() : row_of(begin + X.rows() - 1, job.test) + 1;
            auto next = std::lower_bound(job.test.begin(), job.test.end(), first);
            Matrix x, y;
            for (Index from = first, filled = 0; from < end; from += piece) {
              x.resize(std::min(piece, end - from), X.cols());
              y.resize(x.rows(), Y.cols());
              job.data.read(from, x, y);
              check_rows(job, from, x, y);
              for (Index n = 0; n < x.rows(); ++n) {
                if (next != job.test.end() && *next == from + n) {
                  ++next;
                  continue;
                }
                X.row(filled) = x.row(n);
                Y.row(filled++) = y.row(n);
              }
            }
          }};
}

void for_each_test_block(
    const RegressJob& job,
    const std::function<void(const std::vector<std::string>&, const Matrix&, const Matrix&)>& f) {
  Matrix x, y;
  for (auto next = job.test.begin(); next != job.test.end();) {
    const Index from = *next;
    x.resize(std::min(piece, job.data.rows() - from), job.data.inputs());
    y.resize(x.rows(), job.data.outcomes());
    job.data.read(from, x, y);
    std::vector<Index> here;
    std::vector<std::string> ids;
    for (; next != job.test.end() && *next < from + x.rows(); ++next) {
      here.push_back(*next - from);
      ids.push_back(job.data.id(*next));
    }
    f(ids, x(here, Eigen::all), y(here, Eigen::all));
  }
}

void identify(const RegressJob& job, Fingerprint& sum) {
  sum.add(job.names.inputs).add(job.names.outcomes).add(job.names.classes);
  sum.add(std::to_string(job.data.rows()));
  constexpr Index looks = 256, rows = 64;  // at files that are too large to be read for this alone
  const Index N = job.data.rows(), step = job.data.in_memory() ? piece : std::max(N / looks, rows);
  Matrix X, Y;
  for (Index begin = 0; begin < N; begin += step) {
    X.resize(std::min(job.data.in_memory() ? piece : rows, N - begin), job.data.inputs());
    Y.resize(X.rows(), job.data.outcomes());
    job.data.read(begin, X, Y);
    sum.add(X).add(Y);
    if (!job.data.in_memory()) continue;
    for (Index n = 0; n < X.rows(); ++n) sum.add(job.data.id(begin + n));
  }
}

HarmonicFit learn(const RegressJob& job, RunProgress& progress, const Threads& threads) {
  const char* what = job.classes() ? "classify" : "regress";
  progress.step({.what = what, .of = job.options.steps});  // the survey of the data takes time too
  HarmonicHooks hooks{.resume = progress.resume()};
  hooks.on_step = [&](const HarmonicProgress& now) {
    return progress.step({.what = what, .step = now.step, .of = job.options.steps, .value = now.bound},
                         now.checkpoint);
  };
  return fit_harmonic(learning_rows(job), job.names, job.options, job.seed, threads, hooks);
}

}  // namespace bochner::cli
