#include "answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bochner/assess/normal_interval.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/data/row_factors.hpp"
#include "bochner/run/any_fit.hpp"
#include "bochner/run/write_rows.hpp"
#include "cli/commands/fit/latent_tables.hpp"
#include "cli/commands/fit/mcmc/results.hpp"
#include "cli/commands/fit/mcmc/tables.hpp"
#include "cli/frame/text.hpp"
#include "cli/inputs/by_view.hpp"
#include "finite_answers.hpp"

namespace bochner::cli {

namespace {

template <class Fit>
std::vector<ModelView> views_of(const Fit& fit) {
  std::vector<ModelView> out;
  for (const auto& view : fit.views) out.push_back({view.name, view.columns});
  return out;
}

std::string describe(const char* noun, Index dims, std::size_t samples, const std::vector<ModelView>& views) {
  std::vector<std::string> names;
  for (const ModelView& view : views)
    names.push_back(fmt::format("{} ({})", printable(view.name, 40),
                                counted(static_cast<long long>(view.columns.size()), "column")));
  return fmt::format("{} from {}, views {}", counted(dims, noun),
                     counted(static_cast<long long>(samples), "sample"), join_list(names));
}

/// Whether a sample may lack a view of the fit. An entry counts if its column varied in training: others say nothing.
bool may_lack_a_view(const GplvmFit& fit, const Dataset& block) {
  for (const GplvmView& view : fit.views) {
    const auto at = std::find_if(block.views().begin(), block.views().end(),
                                 [&](const View& own) { return own.name == view.name; });
    if (at == block.views().end()) return true;
    BoolMatrix measured = !select_columns(*at, view.columns).Y.array().isNaN();
    for (const std::vector<Index>* silent : {&view.unmeasured, &view.constant})
      for (const Index m : *silent) measured.col(m).setConstant(false);
    if (!measured.rowwise().any().all()) return true;
  }
  return false;
}

}  // namespace

// ---- Variational latent variable models

GplvmAnswers::GplvmAnswers(GplvmFit fit, const ApplySettings& settings)
    : fit_(std::move(fit)), settings_(settings) {}

std::vector<ModelView> GplvmAnswers::views() const {
  std::vector<ModelView> out = views_of(fit_);
  for (ModelView& view : out) view.indicators = view.name == fit_.label_view;
  return out;
}

std::string GplvmAnswers::text() const {
  return describe("dimension", fit_.dims(), fit_.ids.size(), views());
}

std::string GplvmAnswers::leaves() const {
  return fmt::format("latent.csv, latent_sd.csv{} and predicted/ ({:.3g} % intervals of {})",
                     fit_.label_view.empty() ? "" : ", labels.csv", 100 * settings_.interval,
                     settings_.of == "y" ? "observations" : "the functions");
}

std::string GplvmAnswers::unanswered(Index samples) const {
  return fmt::format("{} missing from every view: the latent is the prior",
                     samples == 1 ? "1 sample is" : fmt::format("{} samples are", samples));
}

/// Means and standard deviations of latents, then means and half-widths of each view.
BlockAnswer GplvmAnswers::answer(const Dataset& block, const Threads& threads) const {
  const NormalisedRows own = normalised_for(fit_, block);
  auto factors = own.factors.by_view.begin();
  const GplvmFit& fit = fit_for(own.data);
  const LatentPosterior at = embed(fit, own.data, threads);
  BlockAnswer out{block.ids(), static_cast<Index>(block.empty_rows().size()), {at.mean, at.sd}};
  const double z = normal_quantile_of_interval(settings_.interval);
  for (const GplvmView& view : fit.views) {
    const Predictive p = multiply_rows(predict(fit, view.name, own.data, at, threads), *factors++);
    out.tables.push_back(p.mean);
    out.tables.push_back(z * (settings_.of == "f" ? p.f_variance : p.y_variance).array().sqrt());
  }
  return out;
}

const GplvmFit& GplvmAnswers::fit_for(const Dataset& block) const {
  if (complete_ || fit_.views.size() < 2 || !may_lack_a_view(fit_, block)) return fit_;
  AnyFit whole = read_fit(settings_.model);
  auto* const fit = std::get_if<GplvmFit>(&whole);
  if (fit == nullptr || fit->seed != fit_.seed || fit->latent.mean != fit_.latent.mean)
    throw InputError(fmt::format("{}: the model changed while it was in use", printable(settings_.model)));
  fit_ = std::move(*fit);
  complete_ = true;
  return fit_;
}

GplvmAnswers::Files::Files(const GplvmAnswers& answers, RunFolder& run)
    : answers_(answers),
      latent_(run.path("latent.csv"), latent_columns(answers.fit_.dims())),
      latent_sd_(run.path("latent_sd.csv"), latent_columns(answers.fit_.dims())) {
  if (const std::string& labels = answers.fit_.label_view; !labels.empty())
    labels_.emplace(run.path("labels.csv"), answers.fit_.view(labels).columns);
  for (const GplvmView& view : answers.fit_.views) {
    const auto path = [&](const char* ending) {
      return run.output("predicted/" + view.name + ending + ".csv");
    };
    views_.push_back({CsvWriter(path(""), view.columns), CsvWriter(path("_lo"), view.columns),
                      CsvWriter(path("_hi"), view.columns)});
  }
}

void GplvmAnswers::Files::write(const BlockAnswer& block, const Threads& threads) {
  auto table = block.tables.begin();
  const Matrix &at = *table++, &sd = *table++;
  check_latents(block.ids, at, sd);
  latent_.write(block.ids, at);
  latent_sd_.write(block.ids, sd);
  auto file = views_.begin();
  for (const GplvmView& view : answers_.fit_.views) {
    const Matrix &mean = *table++, &half_width = *table++;
    for (const Matrix* values : {&mean, &half_width}) check_answers(block.ids, view.columns, *values);
    if (labels_ && view.name == answers_.fit_.label_view) labels_->write(block.ids, mean);
    write_rows(file->mean, block.ids, mean, threads);
    write_rows(file->low, block.ids, mean - half_width, threads);
    write_rows(file->high, block.ids, mean + half_width, threads);
    ++file;
  }
}

void GplvmAnswers::Files::commit() {
  for (View& v : views_) v.mean.commit(), v.low.commit(), v.high.commit();
  if (labels_) labels_->commit();
  latent_sd_.commit();
  latent_.commit();
}

// ---- Bayesian latent variable models

BayesAnswers::BayesAnswers(BayesFit fit, const ApplySettings& settings, std::uint64_t seed)
    : fit_(std::move(fit)),
      settings_(settings),
      trials_(fit_.views.size()),
      exposures_(fit_, settings),
      covariates_(fit_, settings),
      times_(fit_, settings),
      rng_(Rng(seed).split("apply")) {
  std::vector<std::string> names;
  for (const BayesViewFit& view : fit_.views) names.push_back(view.name);
  for (const auto& [v, word] : values_by_view("trials", settings.trials, names)) {
    const std::optional<double> number = trials_number(word);
    if (!number) throw InputError(fmt::format("--trials: {} is not a number", quote(word)));
    trials_[v] = Matrix::Constant(1, 1, *number);
  }
}

std::vector<ModelView> BayesAnswers::views() const {
  std::vector<ModelView> out = views_of(fit_);
  for (std::size_t v = 0; v < out.size(); ++v) out[v].classes = fit_.views[v].class_names;
  return out;
}

BayesData BayesAnswers::with_sizes(const Dataset& block) const {
  BayesData out{.data = block, .design = covariates_.of(block.ids()), .axis = times_.of(block.ids())};
  for (const bochner::View& view : block.views()) {
    const BayesViewFit& own = fit_.view(view.name);
    const Matrix& said = trials_[static_cast<std::size_t>(&own - fit_.views.data())];
    const bool binomial = own.likelihood == BayesLikelihood::binomial;
    out.trials.push_back(!binomial ? Matrix() : said.size() > 0 ? said : Matrix::Constant(1, 1, own.trials));
    out.exposure.push_back(exposures_.of(own, block.ids(), &view));
    check_counts(view, own.likelihood, out.trials.back());
  }
  return out;
}

std::string BayesAnswers::text() const {
  return fmt::format("{}, {}", describe("dimension", fit_.dims(), fit_.ids.size(), views()),
                     counted(static_cast<long long>(fit_.X.size()), "draw"));
}

std::string BayesAnswers::leaves() const {
  return fmt::format("latent.csv, latent_sd.csv and predicted/ ({:.3g} % intervals of {})",
                     100 * settings_.interval, settings_.of == "y" ? "observations" : "their means");
}

std::string BayesAnswers::unanswered(Index samples) const {
  return fmt::format("{} missing from every view: the latent is the prior{}",
                     samples == 1 ? "1 sample is" : fmt::format("{} samples are", samples),
                     times_.known() ? ", which follows the path where the time is known" : "");
}

void BayesAnswers::check(const Dataset& block) const { with_sizes(normalised_for(fit_, block).data); }

/// Means and standard deviations of latents, then of each view means, or means, lower and upper ends.
BlockAnswer BayesAnswers::answer(const Dataset& block, const Threads& threads) const {
  const NormalisedRows rows = normalised_for(fit_, block);
  auto factors = rows.factors.by_view.begin();
  const std::vector<Matrix> X = embed(fit_, with_sizes(rows.data), rng_, threads);
  const LatentPosterior at = summary(X);
  BlockAnswer out{block.ids(), static_cast<Index>(block.empty_rows().size()), {at.mean, at.sd}};
  for (const BayesViewFit& view : fit_.views) {
    const auto own = std::find_if(block.views().begin(), block.views().end(),
                                  [&](const bochner::View& v) { return v.name == view.name; });
    const bool measured = own != block.views().end();
    const BayesKnown known{.Y = measured ? own->Y : Matrix(),
                           .trials = trials_[static_cast<std::size_t>(&view - fit_.views.data())],
                           .design = covariates_.of(block.ids()),
                           .exposure = exposures_.of(view, block.ids(), measured ? &*own : nullptr)};
    const bool alone = view.likelihood == BayesLikelihood::categorical;
    const BayesPrediction p = multiply_rows(
        predict(view, X, known,
                {.interval = alone ? 0 : settings_.interval, .of_function = settings_.of == "f"},
                rng_.split("predict"), threads),
        *factors++);
    out.tables.push_back(p.mean);
    if (alone) continue;
    out.tables.push_back(p.low);
    out.tables.push_back(p.high);
  }
  return out;
}

BayesAnswers::Files::Files(const BayesAnswers& answers, RunFolder& run)
    : answers_(answers),
      latent_(run.path("latent.csv"), latent_columns(answers.fit_.dims())),
      latent_sd_(run.path("latent_sd.csv"), latent_columns(answers.fit_.dims())) {
  for (const BayesViewFit& view : answers.fit_.views) {
    views_.emplace_back();
    const auto path = [&](const std::string& ending) {
      return run.output("predicted/" + view.name + ending);
    };
    if (view.likelihood == BayesLikelihood::categorical) {
      views_.back().emplace_back(path("_probability.csv"), function_names(view));
      labels_[view.name] = {path(".csv"), {.columns = view.columns, .cells = {}}};
      continue;
    }
    for (const char* ending : {"", "_lo", "_hi"})
      views_.back().emplace_back(path(std::string(ending) + ".csv"), view.columns);
  }
}

void BayesAnswers::Files::write(const BlockAnswer& block, const Threads& threads) {
  auto table = block.tables.begin();
  const Matrix &at = *table++, &sd = *table++;
  check_latents(block.ids, at, sd);
  latent_.write(block.ids, at);
  latent_sd_.write(block.ids, sd);
  auto files = views_.begin();
  for (const BayesViewFit& view : answers_.fit_.views) {
    check_answers(block.ids, function_names(view), *table);
    if (const auto labels = labels_.find(view.name); labels != labels_.end())
      add_labels(view, block.ids, *table, labels->second.second);
    for (CsvWriter& file : *files) write_rows(file, block.ids, *table++, threads);
    ++files;
  }
}

void BayesAnswers::Files::commit() {
  for (const auto& [view, labels] : labels_) write_csv(labels.first, labels.second);
  for (std::vector<CsvWriter>& view : views_)
    for (CsvWriter& file : view) file.commit();
  latent_sd_.commit();
  latent_.commit();
}

// ---- Kernel PCA

KpcaAnswers::KpcaAnswers(KpcaFit fit) : fit_(std::move(fit)) {}

std::vector<ModelView> KpcaAnswers::views() const { return views_of(fit_); }

std::string KpcaAnswers::text() const { return describe("component", fit_.dims(), fit_.ids.size(), views()); }

std::string KpcaAnswers::leaves() const { return "latent.csv and predicted/"; }

std::string KpcaAnswers::unanswered(Index samples) const {
  return fmt::format("{} no view without missing values: {} empty",
                     samples == 1 ? "1 sample has" : fmt::format("{} samples have", samples),
                     samples == 1 ? "its row is" : "their rows are");
}

/// Scores, then each view.
BlockAnswer KpcaAnswers::answer(const Dataset& block, const Threads& threads) const {
  const Matrix h = embed(fit_, block, threads);
  BlockAnswer out{block.ids(), h.col(0).array().isNaN().count(), {scores(fit_, h)}};
  for (std::size_t v = 0; v < fit_.views.size(); ++v)
    out.tables.push_back(fit_.views.size() == 1 ? predict_view(fit_, 0, h, {}, threads)
                                                : predict_from_others(fit_, Index(v), block, threads));
  return out;
}

KpcaAnswers::Files::Files(const KpcaAnswers& answers, RunFolder& run)
    : answers_(answers), latent_(run.path("latent.csv"), latent_columns(answers.fit_.dims())) {
  if (answers.fit_.views.size() ==
      1) {  // nothing to predict it from but itself: what the components keep of it
    const KpcaView& view = answers.fit_.views.front();
    views_.push_back({0, CsvWriter(run.output("predicted/" + view.name + ".csv"), view.columns), {}});
    return;
  }
  for (std::size_t v = 0; v < answers.fit_.views.size(); ++v) {
    const KpcaView& view = answers.fit_.views[v];
    views_.push_back({Index(v), CsvWriter(run.output("predicted/" + view.name + ".csv"), view.columns), {}});
    if (!view.classes) continue;
    views_.back().classes = {.columns = {"class"}, .cells = {{}}};
    views_.back().classes_path = run.output("predicted/" + view.name + "_class.csv");
  }
}

void KpcaAnswers::Files::write(const BlockAnswer& block, const Threads& threads) {
  const KpcaFit& fit = answers_.fit_;
  auto table = block.tables.begin();
  check_answers(block.ids, latent_columns(fit.dims()), *table);
  latent_.write(block.ids, *table++);
  for (View& view : views_) {
    const Matrix& values = *table++;
    const std::vector<std::string>& columns = fit.views[static_cast<std::size_t>(view.v)].columns;
    check_answers(block.ids, columns, values);
    write_rows(view.values, block.ids, values, threads);
    if (view.classes.cells.empty()) continue;
    const std::vector<std::string> names = likeliest(values, columns);
    view.classes.ids.insert(view.classes.ids.end(), block.ids.begin(), block.ids.end());
    view.classes.cells[0].insert(view.classes.cells[0].end(), names.begin(), names.end());
  }
}

void KpcaAnswers::Files::commit() {
  for (View& view : views_) {
    view.values.commit();
    if (view.classes.cells.empty()) continue;
    write_csv(view.classes_path, view.classes);
  }
  latent_.commit();
}

}  // namespace bochner::cli
