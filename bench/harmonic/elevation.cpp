// Elevation of the earth [sun2021, Sec. 6.1]: an RBF kernel on the unit sphere, cut by turns of longitude. Every model learns
// for the same time. ETOPO5 is written to NPY files and streamed from there.

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "bochner/models/harmonic/fit.hpp"
#include "bochner/random/rng.hpp"
#include "bochner/tables/read_table.hpp"
#include "parts.hpp"
#include "support/png.hpp"

namespace bochner::bench {
namespace {

struct Globe {
  Matrix X, Y;  // longitude and latitude in degrees; elevation, standardised
};

Globe read_globe(const std::string& path) {
  const Matrix h = read_table(path + ":elevation").values;
  const Vector lat = read_table(path + ":lat").values, lon = read_table(path + ":lon").values;
  Globe g{Matrix(h.size(), 2), Matrix(h.size(), 1)};
  for (Index i = 0, n = 0; i < h.rows(); ++i)
    for (Index j = 0; j < h.cols(); ++j, ++n) {
      g.X.row(n) << lon(j), lat(i);
      g.Y(n, 0) = h(i, j);
    }
  g.Y = fit_scaling(g.Y, ScalingKind::standardise).apply(g.Y);
  return g;
}

struct Model {
  const char* name;
  Index inducing;
  std::vector<std::string> symmetries;
  bool shared = false;
};

const std::vector<Model> models{{"SVGP 300", 300, {}},
                                {"SVGP 900", 900, {}},
                                {"HVGP 7 x 300", 300, {"longitude:12"}},
                                {"HVGP 13 x 300", 300, {"longitude:24"}},
                                {"7 x 300 shared", 300, {"longitude:12"}, true},
                                {"13 x 300 shared", 300, {"longitude:24"}, true}};

/// Blue below the sea, green to white above.
void paint(const Vector& z, Index rows, Index cols, std::vector<std::uint8_t>& rgb) {
  for (Index i = rows - 1; i >= 0; --i)  // the file runs from south to north
    for (Index j = 0; j < cols; ++j) {
      const double v = std::clamp(z(i * cols + j), -2.0, 2.5);
      const double sea = 0.78;  // the coast, in standardised metres
      const double t = v < sea ? (v + 2) / (sea + 2) : (v - sea) / (2.5 - sea);
      const double r = v < sea ? 20 + 120 * t : 60 + 195 * t, g = v < sea ? 40 + 150 * t : 120 + 130 * t,
                   b = v < sea ? 110 + 130 * t : 60 + 180 * t;
      for (const double c : {r, g, b}) rgb.push_back(std::uint8_t(std::clamp(c, 0.0, 255.0)));
    }
}

/// Where the rows come from, how many bytes of them are kept in memory, and the length-scale to start from: finer grids show
/// finer hills.
struct Training {
  RowSource rows;
  double row_memory, lengthscale;
};

const HarmonicNames names{.inputs = {"lon", "lat"}, .outcomes = {"elevation"}};

/// Learns for `minutes`: the time of a step is measured first, so that step sizes fall as they should.
HarmonicFit learn(const Training& train, const Model& model, const Settings& s) {
  HarmonicFitOptions options{.kernel = "rbf",
                             .ard = false,
                             .lengthscale = train.lengthscale,
                             .symmetries = model.symmetries,
                             .spheres = {Sphere{0, 1}},
                             .inducing = model.inducing,
                             .shared_inducing = model.shared,
                             .step_size = s.step_size,
                             .validation = 0,
                             .check_every = 100000,
                             .row_memory = train.row_memory};
  options.steps = 12;
  double first = 0, last = 0;
  Stopwatch watch;
  fit_harmonic(train.rows, names, options, 1, s.threads, {.on_step = [&](const HarmonicProgress& at) {
                 (at.step == 2 ? first : last) = watch.seconds();
                 return true;
               }});
  options.steps = std::max<Index>(20, Index(60 * s.minutes / ((last - first) / 10)));
  return fit_harmonic(train.rows, names, options, 1, s.threads);
}

void compare(const Settings& s, const Training& train, const Globe& test, const Globe* picture) {
  std::printf("%-15s %8s %8s %8s %8s %8s %8s\n", "model", "groups", "RMSE", "NLL", "missed", "steps",
              "seconds");
  std::vector<std::uint8_t> rgb;
  if (picture != nullptr) paint(picture->Y.col(0), 180, 360, rgb);
  int panels = 1;
  for (const Model& model : models) {
    const Stopwatch watch;
    const HarmonicFit fit = learn(train, model, s);
    const double seconds = watch.seconds();
    const Matrix mean = predict(fit, test.X, s.threads).y.mean;
    const Matrix some = fit.inputs.apply(test.X.topRows(std::min<Index>(3000, test.X.rows())));
    std::printf("%-15s %8ld %8.4f %8.4f %8.4f %8ld %8.0f\n", model.name, long(fit.gp.groups()),
                std::sqrt((mean - test.Y).squaredNorm() / double(mean.rows())),
                -log_density(fit, test.X, test.Y, s.threads).mean(),
                nystrom_trace_error(fit.gp, some, s.threads) / diagonal(fit.gp.kernel, some).sum(),
                long(fit.steps), seconds);
    std::fflush(stdout);
    if (picture != nullptr && (&model == &models.front() || &model == &models.back())) {
      paint(predict(fit, picture->X, s.threads).y.mean.col(0), 180, 360, rgb);
      ++panels;
    }
  }
  if (picture != nullptr) write_png(s.out + "/elevation.png", 360, 180 * panels, rgb);
}

/// Rows of two NPY files.
RowSource streamed(const std::string& x, const std::string& y) {
  const auto X = std::make_shared<NpyRows>(x), Y = std::make_shared<NpyRows>(y);
  return {X->rows(), X->cols(), Y->cols(), [X, Y](Index begin, MatrixOut a, MatrixOut b) {
            X->read(begin, a);
            Y->read(begin, b);
          }};
}

}  // namespace

void elevation(const Settings& s) {
  const Globe all = read_globe(s.data + "/etopo60.npz");
  const Index N = all.X.rows(), held = N / 5;
  const IndexVector order = Rng(1).split("elevation").permutation(N);
  const IndexVector in = order.tail(N - held), out = order.head(held);
  compare(s, {memory_rows(all.X(in, Eigen::all), all.Y(in, Eigen::all)), 1e9, 0.2},
          {all.X(out, Eigen::all), all.Y(out, Eigen::all)}, s.out.empty() ? nullptr : &all);
}

void elevation5(const Settings& s) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "bochner-etopo5";
  fs::create_directories(folder);
  const std::string x = (folder / "x.npy").string(), y = (folder / "y.npy").string();
  Globe test;
  {
    const Globe all = read_globe(s.data + "/etopo5.npz");
    // Every tenth row is to test by, 100,000 of them are looked at.
    std::vector<Index> in, out;
    for (Index n = 0; n < all.X.rows(); ++n) (n % 10 == 0 ? out : in).push_back(n);
    const IndexVector some = Rng(2).permutation(Index(out.size())).head(100000);
    test.X.resize(100000, 2);
    test.Y.resize(100000, 1);
    for (Index i = 0; i < 100000; ++i) {
      test.X.row(i) = all.X.row(out[std::size_t(some(i))]);
      test.Y.row(i) = all.Y.row(out[std::size_t(some(i))]);
    }
    write_npy(x, all.X(in, Eigen::all));
    write_npy(y, all.Y(in, Eigen::all));
    std::printf("%ld rows to learn from, in files\n", long(in.size()));
  }
  constexpr double row_memory = 32e6;  // an eighth of the files, so that they are read in windows
  compare(s, {streamed(x, y), row_memory, 0.1}, test, nullptr);
  fs::remove_all(folder);
}

}  // namespace bochner::bench
