#include "bochner/models/bayes/draws_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>
#include <numeric>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner {

namespace {

namespace fs = std::filesystem;

Index size_of(const std::vector<Index>& shape) {
  return std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>());
}

std::vector<std::vector<Index>> shapes_of(const BayesDraw& draw) {
  std::vector<std::vector<Index>> out{{draw.X.rows(), draw.X.cols()},
                                      {},
                                      {static_cast<Index>(draw.paths.size()), 2},
                                      {draw.turn.rows(), draw.turn.cols()}};
  for (const BayesFunctions& f : draw.functions) {
    out.push_back({f.W.rows(), f.W.cols()});
    out.push_back({f.B.rows(), f.B.cols()});
    out.push_back({f.scale.size()});
    out.push_back({f.covariates.rows(), f.covariates.cols()});
    out.push_back({f.W.rows() + 1, 1 + f.W.cols() + f.W.cols() * f.W.cols()});
  }
  return out;
}

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw WriteError(fmt::format("{}: {} ({})", printable(path), what, std::strerror(errno)));
}

/// A mixture as one matrix of a shape that all draws have: concentration and amplitude, then for each of L components its
/// weight, mean and covariance, NaN if it is not in use.
Matrix spectrum_numbers(const SpectralDraw& s, Index L, Index Q) {
  Matrix out = Matrix::Constant(L + 1, 1 + Q + Q * Q, std::nan(""));
  out(0, 0) = s.concentration;
  out(0, 1) = s.amplitude;
  for (Index k = 0; k < s.components(); ++k)
    out.row(k + 1) << s.weights(k), s.means.row(k), s.covariances.row(k);
  return out;
}

SpectralDraw spectrum_from_numbers(const Matrix& numbers, Index Q) {
  Index K = 0;
  while (K + 1 < numbers.rows() && !std::isnan(numbers(K + 1, 0))) ++K;
  return {.weights = numbers.col(0).segment(1, K),
          .means = numbers.block(1, 1, K, Q),
          .covariances = numbers.block(1, 1 + Q, K, Q * Q),
          .concentration = numbers(0, 0),
          .amplitude = numbers(0, 1)};
}

}  // namespace

DrawsLog::DrawsLog(std::string path, Index begin) : path_(std::move(path)), begin_(begin) {
  std::error_code error;
  if (begin > 0 && !fs::exists(path_, error))
    throw InputError(
        fmt::format("{}: the draws of the stopped run are gone; start it anew", printable(path_)));
  file_.reset(std::fopen(path_.c_str(), begin > 0 ? "r+b" : "wb"));
  if (!file_) fail(path_, "the draws cannot be written");
}

void DrawsLog::start(const BayesDraw& draw) {
  shapes_ = shapes_of(draw);
  Index numbers = 0;
  for (const auto& shape : shapes_) numbers += size_of(shape);
  const std::int64_t kept = std::int64_t{8} * numbers * begin_;
  if (begin_ > 0 && static_cast<std::int64_t>(fs::file_size(path_)) < kept)
    throw InputError(
        fmt::format("{}: some draws of the stopped run are gone; start it anew", printable(path_)));
  if (ftruncate(fileno(file_.get()), kept) != 0 || fseeko(file_.get(), kept, SEEK_SET) != 0)
    fail(path_, "the draws cannot be written");
  count_ = begin_;
}

void DrawsLog::write(const double* values, Index n) {
  if (std::fwrite(values, sizeof(double), static_cast<std::size_t>(n), file_.get()) !=
      static_cast<std::size_t>(n))
    fail(path_, "the draws cannot be written");
}

void DrawsLog::add(const BayesDraw& draw) {
  if (shapes_.empty()) start(draw);
  write(draw.X.data(), draw.X.size());
  write(&draw.log_density, 1);
  for (const PathPrior& path : draw.paths) {
    const double both[2] = {path.ell, path.variance};
    write(both, 2);
  }
  write(draw.turn.data(), draw.turn.size());
  for (const BayesFunctions& f : draw.functions) {
    write(f.W.data(), f.W.size());
    write(f.B.data(), f.B.size());
    write(f.scale.data(), f.scale.size());
    write(f.covariates.data(), f.covariates.size());
    const Matrix spectrum = spectrum_numbers(f.spectrum, f.W.rows(), f.W.cols());
    write(spectrum.data(), spectrum.size());
  }
  ++count_;
}

void DrawsLog::flush() {
  if (std::fflush(file_.get()) != 0 || fsync(fileno(file_.get())) != 0)
    fail(path_, "the draws cannot be written");
}

namespace {

using Shapes = std::vector<std::vector<Index>>;

/// The numbers of one draw after the other.
class LogReader {
 public:
  explicit LogReader(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "rb")) {
    if (!file_) fail(path, "the draws cannot be read back");
  }
  void read(double* values, Index n) {
    const auto size = static_cast<std::size_t>(n);
    if (std::fread(values, sizeof(double), size, file_.get()) != size)
      fail(path_, "the draws cannot be read back");
  }
  Matrix matrix(const std::vector<Index>& shape) {
    Matrix out(shape[0], shape.size() > 1 ? shape[1] : 1);
    read(out.data(), out.size());
    return out;
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

BayesFunctions read_functions(LogReader& log, const std::vector<Index>* shape) {
  BayesFunctions out{.W = log.matrix(shape[0]),
                     .B = log.matrix(shape[1]),
                     .scale = log.matrix(shape[2]).col(0),
                     .covariates = log.matrix(shape[3])};
  out.spectrum = spectrum_from_numbers(log.matrix(shape[4]), out.W.cols());
  return out;
}

/// `place` of each chain in the log among those that are kept, or -1.
void read_draws(const std::string& path, const Shapes& shapes, const std::vector<Index>& place, Index draws,
                PathKind kind, const std::function<void(const BayesDraw&)>& f) {
  LogReader log(path);
  for (Index d = 0; d < draws; ++d)
    for (const Index c : place) {
      const Matrix X = log.matrix(shapes[0]);
      double log_density = 0;
      log.read(&log_density, 1);
      std::vector<PathPrior> paths;
      const Matrix sizes = log.matrix(shapes[2]);
      for (Index q = 0; q < sizes.rows(); ++q) paths.push_back({kind, sizes(q, 0), sizes(q, 1)});
      const Matrix turn = log.matrix(shapes[3]);
      std::vector<BayesFunctions> functions;
      for (std::size_t at = 4; at < shapes.size(); at += 5)
        functions.push_back(read_functions(log, &shapes[at]));
      if (c >= 0) f({c, d, X, functions, paths, turn, log_density});
    }
}

}  // namespace

BayesDraws DrawsLog::draws(const BayesFit& fit) {
  if (shapes_.empty()) {  // nothing was added to what the earlier run had left
    std::vector<BayesFunctions> functions;
    for (const BayesViewFit& view : fit.views) functions.push_back(view.draws.front());
    start({0, 0, fit.X.front(), functions, fit.paths.empty() ? std::vector<PathPrior>{} : fit.paths.front(),
           Matrix::Zero(fit.dims(), fit.dims()), 0});
  }
  flush();
  BayesDraws out{.chains = fit.chains(), .draws = count_ / fit.options.chains};
  std::vector<Index> place(static_cast<std::size_t>(fit.options.chains), -1);
  Index kept = 0;
  for (const Index c : fit.kept_chains()) place[static_cast<std::size_t>(c)] = kept++;
  for (Index d = 0; d < out.draws; ++d) out.numbers.push_back(d);
  out.each = [path = path_, shapes = shapes_, place, draws = out.draws,
              kind = fit.options.latent.kind](const std::function<void(const BayesDraw&)>& f) {
    read_draws(path, shapes, place, draws, kind, f);
  };
  return out;
}

}  // namespace bochner
