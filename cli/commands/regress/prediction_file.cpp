#include "prediction_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "bochner/assess/normal_interval.hpp"
#include "cli/commands/apply/answers.hpp"
#include "cli/commands/apply/finite_answers.hpp"

namespace bochner::cli {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool counts(const HarmonicFit& fit) { return outcome_kind(fit) == OutcomeKind::count; }

/// Rows of A in the places `here` of N, NaN elsewhere.
Matrix spread(const Matrix& A, const std::vector<Index>& here, Index N) {
  if (A.cols() == 0) return A;
  Matrix out = Matrix::Constant(N, A.cols(), nan);
  out(here, Eigen::all) = A;
  return out;
}

/// Infinite where Student's t has no variance: an empty cell.
Matrix sd(const Matrix& variance) {
  return variance.array().isFinite().select(variance.array().sqrt(), nan).matrix();
}

/// A latent function for each outcome, or for each class; one for two classes, of the second.
std::vector<std::string> latent_names(const HarmonicFit& fit) {
  return static_cast<Index>(fit.classes.size()) == fit.gp.latents() ? fit.classes : fit.outcomes;
}

std::vector<std::string> parts_columns(const HarmonicFit& fit) {
  std::vector<std::string> out;
  for (const std::string& name : latent_names(fit))
    for (Index h = 1; h <= fit.gp.groups(); ++h) {
      out.push_back(fmt::format("{}_part{}", name, h));
      out.push_back(fmt::format("{}_part{}_sd", name, h));
    }
  return out;
}

}  // namespace

std::vector<std::string> PredictionFile::columns(const HarmonicFit& fit, bool truth) {
  std::vector<std::string> out;
  if (!fit.classes.empty()) {
    if (truth) out.push_back("truth");
    out.push_back("class");
    for (const std::string& name : fit.classes) out.push_back("p_" + name);
    return out;
  }
  for (const std::string& name : fit.outcomes) {
    if (truth) out.push_back(name + "_truth");
    out.push_back(name + "_mean");
    if (counts(fit)) out.push_back(name + "_f_mean");
    out.insert(out.end(), {name + "_f_sd", name + "_y_sd"});
    if (has_intervals(fit)) out.insert(out.end(), {name + "_lo", name + "_hi"});
  }
  return out;
}

PredictionFile::PredictionFile(const std::string& path, const HarmonicFit& fit, bool truth)
    : fit_(fit), truth_(truth), csv_(path, columns(fit, truth)) {}

void PredictionFile::write(const std::vector<std::string>& ids, const HarmonicPrediction& p, MatrixIn truth) {
  const auto N = static_cast<Index>(ids.size());
  if (!fit_.classes.empty()) {
    const Matrix probabilities = class_probabilities(fit_, p);
    std::vector<std::vector<std::string>> words;
    if (truth_) {
      words.emplace_back();
      for (Index n = 0; n < N; ++n)
        words[0].push_back(std::isnan(truth(n, 0)) ? ""
                                                   : fit_.classes[static_cast<std::size_t>(truth(n, 0))]);
    }
    words.push_back(likeliest(probabilities, fit_.classes));
    csv_.write(ids, words, probabilities);
    return;
  }
  check_answers(ids, fit_.outcomes, p.y.mean);  // not y_sd: that of Student's t with few degrees is infinite
  const Matrix f_sd = sd(p.f.variance), y_sd = sd(p.y.variance);
  const double z = normal_quantile_of_interval(0.9);
  Matrix values(N, static_cast<Index>(columns(fit_, truth_).size()));
  Index c = 0;
  for (Index o = 0; o < p.y.mean.cols(); ++o) {
    if (truth_) values.col(c++) = truth.col(o);
    values.col(c++) = p.y.mean.col(o);
    if (counts(fit_)) values.col(c++) = p.f.mean.col(o);
    values.col(c++) = f_sd.col(o);
    values.col(c++) = y_sd.col(o);
    if (!has_intervals(fit_)) continue;
    values.col(c++) = p.y.mean.col(o) - z * y_sd.col(o);
    values.col(c++) = p.y.mean.col(o) + z * y_sd.col(o);
  }
  csv_.write(ids, values);
}

PartsFile::PartsFile(const std::string& path, const HarmonicFit& fit)
    : fit_(fit), csv_(path, parts_columns(fit)) {}

void PartsFile::write(const std::vector<std::string>& ids, MatrixIn X, const Threads& threads) {
  const std::vector<Index> here = complete_inputs(X);
  const std::vector<LatentMarginals> parts = predict_parts(fit_, X(here, Eigen::all), threads);
  const Index H = fit_.gp.groups(), P = fit_.gp.latents();
  Matrix values(static_cast<Index>(here.size()), 2 * H * P);
  for (Index p = 0; p < P; ++p)
    for (Index h = 0; h < H; ++h) {
      const LatentMarginals& part = parts[static_cast<std::size_t>(h)];
      values.col(2 * (p * H + h)) = part.mean.col(p);
      values.col(2 * (p * H + h) + 1) = part.variance.col(p).cwiseMax(0).cwiseSqrt();
    }
  csv_.write(ids, spread(values, here, X.rows()));
}

}  // namespace bochner::cli
