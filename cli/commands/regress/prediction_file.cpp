#include "prediction_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"
#include "bochner/models/harmonic/distribution.hpp"
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

bool has_interval(const HarmonicFit& fit, const PredictionColumns& what) {
  return what.interval > 0 || fit.classes.empty();
}

/// Intervals and quantiles of a block of rows, empty where an input is missing.
class Spreads {
 public:
  Spreads(const HarmonicFit& fit, const PredictionColumns& what, const std::vector<Index>& here, Index N,
          const HarmonicPrediction& p, const Threads& threads) {
    if (has_interval(fit, what)) {
      PredictionInterval ends =
          predict_interval(fit, p.draws, what.interval > 0 ? what.interval : 0.9, threads);
      if (two_classes(fit, ends.low)) ends = both(ends);
      add(ends.low, here, N);
      add(ends.high, here, N);
    }
    if (what.levels.empty()) return;
    std::vector<Matrix> q = predict_quantiles(fit, p.draws, what.levels, threads);
    if (two_classes(fit, q.front())) {
      // Of the first class: one minus the quantile of the second at the level that is left.
      std::vector<double> left;
      for (const double level : what.levels) left.push_back(1 - level);
      const std::vector<Matrix> other = predict_quantiles(fit, p.draws, left, threads);
      for (std::size_t i = 0; i < q.size(); ++i) q[i] = side_by_side(1 - other[i].array(), q[i]);
    }
    for (const Matrix& one : q) add(one, here, N);
  }

  Index count() const { return static_cast<Index>(all_.size()); }
  void put(Index column, Matrix& values, Index from) const {
    for (const Matrix& one : all_) values.col(from++) = one.col(column);
  }

 private:
  static bool two_classes(const HarmonicFit& fit, const Matrix& q) {
    return fit.classes.size() == 2 && q.cols() == 1;
  }
  static Matrix side_by_side(const Matrix& a, const Matrix& b) {
    Matrix out(a.rows(), 2);
    out << a, b;
    return out;
  }
  static PredictionInterval both(const PredictionInterval& second) {
    return {side_by_side(1 - second.high.array(), second.low),
            side_by_side(1 - second.low.array(), second.high)};
  }
  void add(const Matrix& compact, const std::vector<Index>& here, Index N) {
    all_.push_back(spread(compact, here, N));
  }
  std::vector<Matrix> all_;
};

}  // namespace

std::vector<double> read_levels(const std::string& list) {
  std::vector<double> out;
  for (std::size_t from = 0; !list.empty() && from <= list.size();) {
    const std::size_t comma = std::min(list.find(',', from), list.size());
    const auto level = parse_number(list.substr(from, comma - from));
    if (!level || !(*level > 0 && *level < 1))
      throw InputError(
          fmt::format("--quantiles is {}, but must be a list of levels between 0 and 1, as in 0.05,0.5,0.95",
                      quote(list)));
    out.push_back(*level);
    from = comma + 1;
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<std::string> PredictionFile::columns(const HarmonicFit& fit, const PredictionColumns& what) {
  std::vector<std::string> out;
  const auto add_spread = [&](const std::string& name) {
    if (has_interval(fit, what)) out.insert(out.end(), {name + "_lo", name + "_hi"});
    for (const double level : what.levels) out.push_back(fmt::format("{}_q{}", name, level));
  };
  if (!fit.classes.empty()) {
    if (what.truth) out.push_back("truth");
    out.push_back("class");
    for (const std::string& name : fit.classes) out.push_back("p_" + name);
    for (const std::string& name : fit.classes) add_spread("p_" + name);
    return out;
  }
  for (const std::string& name : fit.outcomes) {
    if (what.truth) out.push_back(name + "_truth");
    out.push_back(name + "_mean");
    if (counts(fit)) out.push_back(name + "_f_mean");
    out.insert(out.end(), {name + "_f_sd", name + "_y_sd"});
    add_spread(name);
  }
  return out;
}

PredictionFile::PredictionFile(const std::string& path, const HarmonicFit& fit, PredictionColumns what)
    : fit_(fit), what_(std::move(what)), csv_(path, columns(fit, what_)) {
  if ((has_interval(fit, what_) || !what_.levels.empty()) && !has_quantiles(fit))
    throw InputError("the likelihood robustmax has no quantiles; omit --interval and --quantiles");
}

void PredictionFile::write(const std::vector<std::string>& ids, MatrixIn X, const HarmonicPrediction& p,
                           MatrixIn truth, const Threads& threads) {
  const auto N = static_cast<Index>(ids.size());
  const Spreads spreads(fit_, what_, complete_inputs(X), N, p, threads);
  if (!fit_.classes.empty()) {
    const Matrix probabilities = class_probabilities(fit_, p);
    std::vector<std::vector<std::string>> words;
    if (what_.truth) {
      words.emplace_back();
      for (Index n = 0; n < N; ++n)
        words[0].push_back(std::isnan(truth(n, 0)) ? ""
                                                   : fit_.classes[static_cast<std::size_t>(truth(n, 0))]);
    }
    words.push_back(likeliest(probabilities, fit_.classes));
    const Index K = probabilities.cols();
    Matrix values(N, K * (1 + spreads.count()));
    values.leftCols(K) = probabilities;
    for (Index k = 0; k < K; ++k) spreads.put(k, values, K + k * spreads.count());
    csv_.write(ids, words, values);
    return;
  }
  check_answers(ids, fit_.outcomes, p.y.mean);  // not y_sd: that of Student's t with few degrees is infinite
  const Matrix f_sd = sd(p.f.variance), y_sd = sd(p.y.variance);
  Matrix values(N, static_cast<Index>(columns(fit_, what_).size()));
  Index c = 0;
  for (Index o = 0; o < p.y.mean.cols(); ++o) {
    if (what_.truth) values.col(c++) = truth.col(o);
    values.col(c++) = p.y.mean.col(o);
    if (counts(fit_)) values.col(c++) = p.f.mean.col(o);
    values.col(c++) = f_sd.col(o);
    values.col(c++) = y_sd.col(o);
    spreads.put(o, values, c);
    c += spreads.count();
  }
  csv_.write(ids, values);
}

PartsFile::PartsFile(const std::string& path, const HarmonicFit& fit)
    : fit_(fit), csv_(path, parts_columns(fit)) {}

void PartsFile::write(const std::vector<std::string>& ids, MatrixIn X, const Threads& threads) {
  const std::vector<Index> here = complete_inputs(X);
  const std::vector<LatentMarginals> parts = predict_parts(fit_, X(here, Eigen::all), threads);
  const Index H = fit_.gp.groups(), P = parts.front().mean.cols();
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
