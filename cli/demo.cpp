#include "demo.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "bochner/data/dataset.hpp"
#include "bochner/data/scaling.hpp"
#include "bochner/io/read_table.hpp"
#include "bochner/io/run_folder.hpp"
#include "bochner/kernels/any_kernel.hpp"
#include "bochner/metrics/prediction_scores.hpp"
#include "bochner/models/gp_regression.hpp"
#include "console.hpp"
#include "demo_plan.hpp"
#include "demo_report.hpp"
#include "demo_tables.hpp"
#include "interrupt.hpp"
#include "io/sentence.hpp"
#include "progress.hpp"
#include "resources.hpp"
#include "stopwatch.hpp"

namespace bochner::cli {

namespace {

using RowVector = Eigen::RowVectorXd;

constexpr double z_90 = 1.6448536269514722;  // a standard normal lies within +-z with probability 0.9

void write_tables(const DemoTables& tables, const RunFolder& run) {
  write_csv(run.path("inputs.csv"), tables.inputs);
  write_csv(run.path("targets.csv"), tables.targets);
  write_csv(run.path("new_inputs.csv"), tables.new_inputs);
  write_csv(run.path("new_targets.csv"), tables.new_targets);
  write_csv(run.path("new_truth.csv"), tables.new_truth);
}

/// From here on the demo knows what a user would: two tables in files.
struct Samples {
  Matrix X, Y;
  std::vector<std::string> ids, targets;
};

Samples read_samples(const std::string& inputs, const std::string& targets) {
  Table x = read_table(inputs), y = read_table(targets);
  const Dataset data = join({{"inputs", std::move(x.ids), std::move(x.columns), std::move(x.values)},
                             {"targets", std::move(y.ids), std::move(y.columns), std::move(y.values)}});
  return {data.view(0).Y, data.view(1).Y, data.ids(), data.view(1).columns};
}

/// Length-scales as wide as the inputs, half of the variance to the noise.
GpRegression first_guess(const Matrix& X, const Matrix& Z) {
  const double variance =
      Z.array().isNaN().select(0.0, Z.array()).square().sum() / static_cast<double>(count_observed(Z));
  return {Rbf{.ell = fit_scaling(X, ScalingKind::standardise).scale, .sigma2 = variance / 2}, variance / 2};
}

Table prediction_table(const Samples& at, const Matrix& mean, const Matrix& half_width) {
  Table out{.ids = at.ids, .values = Matrix(mean.rows(), 3 * mean.cols())};
  for (Index p = 0; p < mean.cols(); ++p) {
    const std::string& name = at.targets[static_cast<std::size_t>(p)];
    out.columns.insert(out.columns.end(), {name, name + "_lo", name + "_hi"});
    out.values.col(3 * p) = mean.col(p);
    out.values.col(3 * p + 1) = mean.col(p) - half_width.col(p);
    out.values.col(3 * p + 2) = mean.col(p) + half_width.col(p);
  }
  return out;
}

Table trace_table(const std::vector<Iteration>& trace) {
  Table out{.columns = {"log_evidence", "gradient_norm"}, .values = Matrix(trace.size(), 2)};
  for (std::size_t i = 0; i < trace.size(); ++i) {
    out.ids.push_back(std::to_string(trace[i].number));
    out.values.row(static_cast<Index>(i)) << trace[i].value, trace[i].gradient_norm;
  }
  return out;
}

Json kernel_json(const GpFit& fit, const Rbf& rbf, const Vector& centre) {
  return {{"kernel", kernel_name(fit.kernel())},
          {"ell", {{"x1", rbf.ell(0)}, {"x2", rbf.ell(1)}}},
          {"sigma2", rbf.sigma2},
          {"noise_variance", fit.noise_variance()},
          {"mean", {{"y1", centre(0)}, {"y2", centre(1)}}},
          {"log_evidence", fit.log_likelihood()},
          {"jitter", fit.jitter()}};
}

/// What was learned, and how.
struct Learned {
  GpFit fit;
  Scaling scaling;  // the mean of each column
  std::vector<Iteration> trace;
  double seconds = 0;
};

Learned learn(const Samples& train, Index steps, const Interrupt& interrupt, bool shown, const Rng& rng,
              const Threads& threads) {
  const Stopwatch watch;
  const Scaling scaling = fit_scaling(train.Y, ScalingKind::centre);
  const Matrix Z = scaling.apply(train.Y);
  std::vector<Iteration> trace;
  Progress progress("fit", "log evidence", steps, shown);
  GpFitOptions options;
  options.lbfgs.max_iterations = steps;
  options.on_iteration = [&](const Iteration& it) {
    trace.push_back(it);
    progress.update(it.number, it.value);
    return !interrupt.asked();
  };
  GpFit fit = first_guess(train.X, Z).fit(train.X, Z, options, rng, threads);
  return {std::move(fit), scaling, std::move(trace), watch.seconds()};
}

/// The mean that the same regression predicts when it is told what is to be learned.
Matrix ideal_mean(const Samples& train, const Matrix& X_new, const DemoTruth& truth, const Rng& rng,
                  const Threads& threads) {
  const RowVector offset = truth.offset.transpose();
  const GpRegression told{truth.kernel, truth.noise_sd * truth.noise_sd};
  const GpFit fit = told.fit(train.X, train.Y.rowwise() - offset, {.learn = false}, rng, threads);
  return fit.predict(X_new, threads).mean.rowwise() + offset;
}

/// One number per output.
template <class Score>
Vector by_column(Index columns, const Score& score) {
  Vector out(columns);
  for (Index c = 0; c < columns; ++c) out(c) = score(c);
  return out;
}

DemoScores score(const Learned& learned, const Samples& fresh, const Matrix& truth, const Matrix& mean,
                 const Matrix& half_width, const Matrix& ideal) {
  const Index P = truth.cols();
  const auto rmse_of = [&](const Matrix& guess) {
    return by_column(P, [&](Index c) { return rmse(truth.col(c), guess.col(c)); });
  };
  const Matrix lower = mean - half_width, upper = mean + half_width;
  return {.kernel = std::get<Rbf>(learned.fit.kernel()),
          .noise_sd = std::sqrt(learned.fit.noise_variance()),
          .rmse = rmse_of(mean),
          .rmse_ideal = rmse_of(ideal),
          .rmse_column_mean = rmse_of(learned.scaling.centre.transpose().replicate(truth.rows(), 1)),
          .coverage = by_column(
              P, [&](Index c) { return interval_coverage(fresh.Y.col(c), lower.col(c), upper.col(c)); }),
          .log_density = log_predictive_density(fresh.Y, mean, (half_width / z_90).array().square().matrix()),
          .new_samples = fresh.X.rows(),
          .status = learned.fit.status(),
          .steps = learned.trace.back().number,
          .first_evidence = learned.trace.front().value,
          .evidence = learned.fit.log_likelihood()};
}

int run(const DemoSettings& s, const Job& job) {
  const Common& common = job.common;
  const Threads threads = make_threads(common.threads);
  check_run_folder(common.out, "demo");
  if (common.dry_run) {
    print(demo_plan(s, common.out, threads));
    return 0;
  }
  check_memory(demo_memory(s), "use fewer --samples");
  const auto say = [&](const std::string& text) {
    if (!common.quiet) print(text);
  };
  const Stopwatch total;
  const Interrupt interrupt;
  RunFolder run(common.out, "demo", demo_files(), config_text(job));
  run.log(json_line(
      {{"event", "start"}, {"verb", "demo"}, {"version", BOCHNER_VERSION}, {"threads", threads.count()}}));

  const Rng rng(static_cast<std::uint64_t>(common.seed));
  const DemoTruth truth{.noise_sd = s.noise};
  write_tables(make_demo_tables(s, truth, rng.split("tables"), threads), run);
  const Samples train = read_samples(run.path("inputs.csv"), run.path("targets.csv"));
  const Samples fresh = read_samples(run.path("new_inputs.csv"), run.path("new_targets.csv"));
  const Matrix fresh_truth = read_table(run.path("new_truth.csv")).values;
  run.log(json_line({{"event", "tables"}, {"seconds", total.seconds()}}));
  say(fmt::format("made  {}: {} samples, 2 inputs, 2 outputs, {} of {} values not measured\n",
                  run.path("targets.csv"), s.samples, train.Y.size() - count_observed(train.Y),
                  train.Y.size()));

  const Learned learned = learn(train, s.steps, interrupt, !common.quiet, rng.split("fit"), threads);
  run.log(json_line(
      {{"event", "fit"}, {"status", to_string(learned.fit.status())}, {"seconds", learned.seconds}}));
  say(fmt::format(
      "fit   exact GP regression, RBF kernel: {} in {:.1f} s, log evidence {:.1f} -> {:.1f}, {}\n\n",
      io::counted(learned.trace.back().number, "step"), learned.seconds, learned.trace.front().value,
      learned.fit.log_likelihood(), interrupt.asked() ? "stopped" : to_string(learned.fit.status())));

  const Predictive p = learned.fit.predict(fresh.X, threads);
  const Matrix mean = learned.scaling.undo(p.mean), half_width = z_90 * p.y_variance.array().sqrt();
  const Matrix ideal = ideal_mean(train, fresh.X, truth, rng, threads);
  DemoScores scores = score(learned, fresh, fresh_truth, mean, half_width, ideal);
  scores.truth = truth;
  write_csv(run.path("predictions.csv"), prediction_table(fresh, mean, half_width));
  write_csv(run.path("trace.csv"), trace_table(learned.trace), "step");
  write_json(run.path("kernel.json"), kernel_json(learned.fit, scores.kernel, learned.scaling.centre));
  write_json(run.path("metrics.json"), report_json(scores));
  run.log(json_line({{"event", "end"},
                     {"verdict", judge(scores).good ? "good" : "doubtful"},
                     {"seconds", total.seconds()}}));
  const std::string elsewhere = common.out == job.verb.out_default ? "" : " --out " + common.out;
  say(report_text(scores) + fmt::format("\nleft  {}/ with predictions.csv (90 % intervals), metrics.json, "
                                        "kernel.json, trace.csv and the tables\n"
                                        "again 'bochner demo --config {}{}' {}\n",
                                        common.out, run.path("config.toml"), elsewhere,
                                        interrupt.asked() ? "takes it to its end" : "gives the same bytes"));
  return interrupt.exit_code();
}

}  // namespace

Verb demo_verb() {
  const auto s = std::make_shared<DemoSettings>();
  return {.name = "demo",
          .summary = "make tables with a known truth and holes, fit them, judge the fit; needs no data",
          .example = "bochner demo --out run",
          .details =
              "Draws two functions of two inputs, adds noise, forgets some values and writes CSV tables. "
              "Then it reads them\n"
              "as you would yours, learns an exact Gaussian process regression by its evidence, predicts new "
              "samples with\n"
              "90 % intervals, and says how far from the truth it landed. Ctrl-C stops early and keeps what "
              "was learned.",
          .options = {{.name = "samples",
                       .placeholder = "N",
                       .help = "samples to learn from",
                       .target = &s->samples,
                       .low = 10,
                       .high = 20000},
                      {.name = "new-samples",
                       .placeholder = "N",
                       .help = "samples to be judged by",
                       .target = &s->new_samples,
                       .low = 2,
                       .high = 20000},
                      {.name = "noise",
                       .placeholder = "SD",
                       .help = "standard deviation of the noise; functions have 1",
                       .target = &s->noise,
                       .low = 0.001,
                       .high = 100},
                      {.name = "holes",
                       .placeholder = "SHARE",
                       .help = "of the values that are not measured",
                       .target = &s->holes,
                       .low = 0,
                       .high = 0.45},
                      {.name = "steps",
                       .placeholder = "N",
                       .help = "of the optimiser, at most",
                       .target = &s->steps,
                       .low = 1,
                       .high = 100000}},
          .out_help = "the run folder",
          .out_default = "run",
          .run = [s](const Job& job) { return run(*s, job); }};
}

}  // namespace bochner::cli
