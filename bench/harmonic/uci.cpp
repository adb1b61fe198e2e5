// UCI regression: random splits 64 / 16 / 20, Matern 3/2 with one length-scale, k-means and median starts as in
// [sun2021, App. C.2]; 1,000 steps with natural gradients on q(u) and batches of 512 in place of its 30,000 of Adam and 256.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bochner/assess/prediction_scores.hpp"
#include "bochner/models/harmonic/fit.hpp"
#include "bochner/random/rng.hpp"
#include "bochner/tables/read_table.hpp"
#include "parts.hpp"

namespace bochner::bench {
namespace {

struct Model {
  const char* name;
  Index inducing;
  std::vector<std::string> symmetries;
};

std::vector<std::string> sets_of(const Settings& s) {
  return s.sets.empty() ? std::vector<std::string>{"kin40k", "elevators", "bike", "pol", "keggdirected"}
                        : s.sets;
}

}  // namespace

void uci(const Settings& s) {
  const std::vector<Model> models{
      {"SVGP 250", 250, {}}, {"SVGP 500", 500, {}}, {"HVGP 8 x 250", 250, {"negate:pca:3"}}};
  std::printf("%-13s %-15s %8s %8s %8s %8s %8s %7s\n", "set", "model", "RMSE", "se", "NLL", "se", "missed",
              "seconds");
  for (const std::string& set : sets_of(s)) {
    const Matrix X = read_table(s.data + "/uci_" + set + ".npz:X").values;
    const Matrix y = read_table(s.data + "/uci_" + set + ".npz:y").values;
    const Scaling scaling = fit_scaling(y, ScalingKind::standardise);  // as the authors: with all data
    const Matrix Y = scaling.apply(y);
    const Index N = X.rows(), test = N / 5;
    for (const Model& model : models) {
      Vector rmses(s.splits), nlls(s.splits), missed(s.splits);
      Stopwatch watch;
      for (Index split = 0; split < s.splits; ++split) {
        const IndexVector order = Rng(std::uint64_t(split)).split("uci").permutation(N);
        const IndexVector in = order.tail(N - test), out = order.head(test);
        HarmonicFitOptions options{.ard = false,
                                   .symmetries = model.symmetries,
                                   .inducing = model.inducing,
                                   .steps = s.steps > 0 ? s.steps : 1000,
                                   .step_size = s.step_size,
                                   .validation = 0.2};
        const HarmonicFit fit = fit_harmonic(memory_rows(X(in, Eigen::all), Y(in, Eigen::all)),
                                             {.inputs = numbered_names(X.cols()), .outcomes = {"y"}}, options,
                                             std::uint64_t(split), s.threads);
        const Matrix X_out = X(out, Eigen::all), Y_out = Y(out, Eigen::all);
        rmses(split) = rmse(Y_out, predict(fit, X_out, s.threads).y.mean);
        nlls(split) = -log_density(fit, X_out, Y_out, s.threads).mean();
        const Matrix some = fit.inputs.apply(X_out.topRows(std::min<Index>(3000, test)));
        missed(split) = nystrom_trace_error(fit.gp, some, s.threads) / diagonal(fit.gp.kernel, some).sum();
      }
      const auto se = [&](const Vector& v) {
        return v.size() < 2
                   ? 0.0
                   : std::sqrt((v.array() - v.mean()).square().sum() / double(v.size() * (v.size() - 1)));
      };
      std::printf("%-13s %-15s %8.4f %8.4f %8.4f %8.4f %8.5f %7.0f\n", set.c_str(), model.name, rmses.mean(),
                  se(rmses), nlls.mean(), se(nlls), missed.mean(), watch.seconds() / double(s.splits));
      std::fflush(stdout);
    }
  }
}

/// [sun2021, Fig. 6]: what inducing points miss of the prior variance at 3,000 rows, with the kernel that learning starts
/// from. Inducing points are the centres of k-means; the paper moves them further.
void nystrom(const Settings& s) {
  std::printf("%-13s %10s %10s %12s %12s\n", "set", "250", "500", "8x250 axes", "8x250 pca");
  for (const std::string& set : sets_of(s)) {
    const Matrix X = read_table(s.data + "/uci_" + set + ".npz:X").values;
    const IndexVector rows = Rng(1).split("nystrom").permutation(X.rows()).head(3000);
    const Matrix some = fit_scaling(X, ScalingKind::standardise).apply(X)(rows, Eigen::all);
    std::vector<double> distances;
    for (Index n = 0; n < 1500; ++n) distances.push_back((some.row(n) - some.row(n + 1500)).norm());
    std::nth_element(distances.begin(), distances.begin() + 750, distances.end());
    const AnyKernel kernel = Matern{.ell = Vector::Constant(X.cols(), distances[750])};
    const auto missed = [&](Index m, const std::vector<std::string>& words) {
      for (const SymmetryScore& score :
           compare_symmetries(kernel, some, numbered_names(X.cols()), m, false, Rng(1), s.threads))
        if (score.words == words) return 100 * score.missed;
      return std::nan("");
    };
    std::printf("%-13s %9.2f%% %9.2f%% %11.2f%% %11.2f%%\n", set.c_str(), missed(250, {}), missed(500, {}),
                missed(250, {"negate:axes:3"}), missed(250, {"negate:pca:3"}));
  }
}

}  // namespace bochner::bench
