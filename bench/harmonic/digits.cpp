// Ten classes of digits that were flipped or shifted at random [sun2021, Sec. 4.2 and 6.2]: symmetries of the data against
// negation and against plain sparse GPs.

#include <algorithm>
#include <cstdio>

#include "bochner/models/harmonic/fit.hpp"
#include "bochner/random/rng.hpp"
#include "bochner/tables/table.hpp"
#include "parts.hpp"
#include "support/public_data.hpp"

namespace bochner::bench {
namespace {

struct Model {
  const char* name;
  Index inducing;
  std::vector<std::string> symmetries;
  bool shared = false;
};

struct Digits {
  Matrix X, Y;
};

/// Each image moved by symmetries, so many turns of each drawn at random.
Digits moved(const Labelled& digits, const IndexVector& rows, const std::vector<Symmetry>& symmetries,
             Rng rng) {
  Digits out{digits.Y(rows, Eigen::all), Matrix(rows.size(), 1)};
  for (Index n = 0; n < rows.size(); ++n) {
    out.Y(n, 0) = double(digits.labels(rows(n)));
    for (const Symmetry& s : symmetries)
      for (Index turns = rng.below(s.order); turns > 0; --turns)
        out.X.row(n) = s.generator.apply(out.X.row(n)).row(0);
  }
  return out;
}

void compare(const Settings& s, const std::vector<Symmetry>& of_data, const std::vector<Model>& models) {
  const Labelled all = mnist_digits(s.data);
  const IndexVector train = Rng(1).split("digits").permutation(60000).head(10000);
  const IndexVector test = IndexVector::LinSpaced(10000, 60000, 69999);
  const Digits in = moved(all, train, of_data, Rng(2)), out = moved(all, test, of_data, Rng(3));
  std::vector<std::string> classes = numbered_names(10);
  std::printf("%-34s %8s %8s %8s %8s %8s\n", "model", "groups", "accuracy", "NLL", "steps", "seconds");
  const auto chosen = [&](const Model& model) {
    return s.sets.empty() || std::any_of(s.sets.begin(), s.sets.end(), [&](const std::string& part) {
             return std::string(model.name).find(part) != std::string::npos;
           });
  };
  for (const Model& model : models) {
    if (!chosen(model)) continue;
    const HarmonicFitOptions options{.kernel = "rbf",
                                     .likelihood = "softmax",
                                     .symmetries = model.symmetries,
                                     .scaling = InputScaling::none,
                                     .inducing = model.inducing,
                                     .shared_inducing = model.shared,
                                     .steps = s.steps > 0 ? s.steps : 400,
                                     .step_size = 0.02};
    const Stopwatch watch;
    const HarmonicFit fit = fit_harmonic(
        memory_rows(in.X, in.Y), {.inputs = numbered_names(784), .outcomes = {"digit"}, .classes = classes},
        options, 1, s.threads);
    const double seconds = watch.seconds();
    const Matrix p = predict(fit, out.X, s.threads).probabilities;
    double right = 0;
    for (Index n = 0; n < p.rows(); ++n) {
      Index c = 0;
      p.row(n).maxCoeff(&c);
      right += double(c) == out.Y(n, 0);
    }
    std::printf("%-34s %8ld %8.4f %8.4f %8ld %8.0f\n", model.name, long(fit.gp.groups()),
                right / double(p.rows()), -log_density(fit, out.X, out.Y, s.threads).mean(), long(fit.steps),
                seconds);
    std::fflush(stdout);
  }
}

}  // namespace

void flips(const Settings& s) {
  compare(s, {flip_image(28, 28, false), flip_image(28, 28, true)},
          {{"SVGP 100", 100, {}},
           {"SVGP 400", 400, {}},
           {"negation 4 x 100", 100, {"negate:axes:2"}},
           {"flips 4 x 100", 100, {"flip:28x28:ud", "flip:28x28:lr"}}});
}

void shifts(const Settings& s) {
  const std::vector<std::string> words{"shift:28x28:4,0", "shift:28x28:0,4"};
  compare(s, {shift_image(28, 28, 1, 0), shift_image(28, 28, 0, 1)},
          {{"SVGP 50", 50, {}},
           {"SVGP 800", 800, {}},
           {"negation 16 x 50", 50, {"negate:axes:4"}},
           {"shifts 16 x 50, shared points", 50, words, true},
           {"shifts 16 x 50", 50, words}});
}

}  // namespace bochner::bench
