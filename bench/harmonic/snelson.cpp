// Snelson's data with 2 x 5 inducing points [sun2021, Fig. 9]: the prediction, and its even and odd parts.

#include <cmath>
#include <cstdio>
#include <fstream>

#include "bochner/models/harmonic/fit.hpp"
#include "bochner/tables/read_table.hpp"
#include "parts.hpp"

namespace bochner::bench {
namespace {

constexpr double width = 260, height = 190, gap = 20, x_most = 3.6, y_most = 3.4;

/// One panel of the picture: a band of three standard deviations, the mean, and points.
class Panel {
 public:
  Panel(int number, const char* title) : left_(gap + number * (width + gap)) {
    svg_ += "<text x='" + text(left_ + width / 2) + "' y='14' text-anchor='middle'>" + title +
            "</text>\n<rect x='" + text(left_) + "' y='20' width='" + text(width) + "' height='" +
            text(height) + "' fill='none' stroke='#999'/>\n";
  }

  void band(const Vector& x, const Vector& mean, const Vector& sd) {
    std::string points;
    for (Index i = 0; i < x.size(); ++i) points += at(x(i), mean(i) + 3 * sd(i));
    for (Index i = x.size(); i-- > 0;) points += at(x(i), mean(i) - 3 * sd(i));
    svg_ += "<polygon points='" + points + "' fill='#9ecae1' opacity='0.6'/>\n";
    points.clear();
    for (Index i = 0; i < x.size(); ++i) points += at(x(i), mean(i));
    svg_ += "<polyline points='" + points + "' fill='none' stroke='#08519c' stroke-width='1.5'/>\n";
  }

  void dots(const Vector& x, const Vector& y, const char* colour, double size) {
    for (Index i = 0; i < x.size(); ++i)
      svg_ += "<circle cx='" + text(px(x(i))) + "' cy='" + text(py(y(i))) + "' r='" + text(size) +
              "' fill='" + colour + "'/>\n";
  }

  const std::string& svg() const { return svg_; }

 private:
  static std::string text(double v) {
    char out[32];
    std::snprintf(out, sizeof out, "%.1f", v);
    return out;
  }
  double px(double x) const { return left_ + width * (x + x_most) / (2 * x_most); }
  double py(double y) const { return 20 + height * (y_most - std::clamp(y, -y_most, y_most)) / (2 * y_most); }
  std::string at(double x, double y) const { return text(px(x)) + "," + text(py(y)) + " "; }

  double left_;
  std::string svg_;
};

}  // namespace

void snelson(const Settings& s) {
  const Matrix x = read_table(s.data + "/snelson1d.npz:x_train").values;
  const Matrix y = read_table(s.data + "/snelson1d.npz:y_train").values;
  const double middle = x.mean();
  const Matrix X = x.array() - middle;
  const HarmonicFitOptions options{.kernel = "rbf",
                                   .lengthscale = 0.5,
                                   .symmetries = {"negate"},
                                   .scaling = InputScaling::none,
                                   .inducing = 5,
                                   .steps = 3000,
                                   .validation = 0};
  const HarmonicFit fit =
      fit_harmonic(memory_rows(X, y), {.inputs = {"x"}, .outcomes = {"y"}}, options, 1, s.threads);
  const Matrix grid = Vector::LinSpaced(241, -x_most, x_most);
  const HarmonicPrediction p = predict(fit, grid, s.threads);
  const std::vector<LatentMarginals> parts = predict_parts(fit, grid, s.threads);
  const Vector even = parts[0].mean.col(0), odd = parts[1].mean.col(0);
  std::printf("noise sd %.3f, bound %.4f nats per row\n",
              std::sqrt(std::get<GaussianNoise>(fit.gp.likelihood).variance(0)) * fit.outputs.scale(0),
              fit.bound);
  std::printf("even + odd - prediction %.1e, even(x) - even(-x) %.1e, odd(x) + odd(-x) %.1e\n",
              (even.array() + odd.array() + fit.outputs.centre(0) - p.f.mean.col(0).array()).abs().maxCoeff(),
              (even - even.reverse()).cwiseAbs().maxCoeff(), (odd + odd.reverse()).cwiseAbs().maxCoeff());
  if (s.out.empty()) return;
  Panel whole(0, "prediction, with noise"), first(1, "even part"), second(2, "odd part");
  whole.band(grid.col(0), p.y.mean.col(0), p.y.variance.col(0).cwiseSqrt());
  whole.dots(X.col(0), y.col(0), "#333", 1.5);
  first.band(grid.col(0), even.array() + fit.outputs.centre(0), parts[0].variance.col(0).cwiseSqrt());
  second.band(grid.col(0), odd, parts[1].variance.col(0).cwiseSqrt());
  for (int h = 0; h < 2; ++h)
    (h == 0 ? first : second).dots(fit.gp.points(h).col(0), Vector::Constant(5, -3.2), "#cb181d", 3);
  std::ofstream(s.out + "/snelson.svg")
      << "<svg xmlns='http://www.w3.org/2000/svg' width='860' height='225' "
         "font-family='sans-serif' font-size='12'>\n<rect width='860' height='225' "
         "fill='white'/>\n"
      << whole.svg() << first.svg() << second.svg() << "</svg>\n";
}

}  // namespace bochner::bench
