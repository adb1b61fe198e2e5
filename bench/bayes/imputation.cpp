// 20 % of the entries held out [zhang2023, Table 3], after the scaling of the authors' program.

#include <cmath>
#include <cstdio>

#include "bochner/data/fills.hpp"
#include "bochner/data/held_out.hpp"
#include "bochner/simulate/latent_views.hpp"
#include "bochner/simulate/lorenz.hpp"
#include "parts.hpp"
#include "support/public_data.hpp"

namespace bochner::bench {
namespace {

struct Set {
  const char* name;
  Index dims;
  double dynamic, fixed;  // of the paper
};

/// Rows in the order of time.
Matrix table_of(const std::string& name, const Settings& s, std::uint64_t seed) {
  if (name == "scurve") return simulate_views(SCurveViews{}, Rng(seed), s.threads).data.view(Index{0}).Y;
  if (name == "lorenz") return simulate_lorenz(Rng(seed)).data.view(Index{0}).Y;
  Matrix Y;
  if (name ==
      "forex") {  // rows with a missing entry and the first column dropped, logarithms, every fourth row
    const Matrix rates = read_array(s.data, "forex_2000_2019", "rates");
    std::vector<Index> whole, some;
    for (Index n = 0; n < rates.rows(); ++n)
      if (!rates.row(n).array().isNaN().any()) whole.push_back(n);
    for (std::size_t i = 0; i < whole.size(); i += 4) some.push_back(whole[i]);
    Y = rates(some, Eigen::all).rightCols(rates.cols() - 1).array().log();
  } else {  // the first frame is no motion; every fifth of the others
    const Matrix motion = read_array(s.data, "cmu_01_01_bvh", "motion");
    std::vector<Index> some;
    for (Index n = 1; n < motion.rows(); n += 5) some.push_back(n);
    Y = motion(some, Eigen::all);
  }
  const Scaling scaling = fit_scaling(Y, ScalingKind::standardise);
  Matrix Z = scaling.apply(Y);
  std::vector<Index> varying;
  for (Index m = 0; m < Z.cols(); ++m)
    if (Z.col(m).squaredNorm() > 0) varying.push_back(m);
  return Z(Eigen::all, varying);
}

double squared_error(const Matrix& truth, const Matrix& guess, const BoolMatrix& held_out) {
  return held_out.select((truth - guess).cwiseAbs2(), Matrix::Zero(truth.rows(), truth.cols())).sum() /
         double(held_out.count());
}

}  // namespace

void imputation(const Settings& s) {
  const std::vector<Set> sets{{"scurve", 2, 0.344, 0.367},
                              {"lorenz", 3, 1.198, 1.221},
                              {"forex", 3, 0.132, 0.329},
                              {"cmu", 3, 0.075, 0.093}};
  std::printf("%-8s %18s %18s %18s   %s\n", "set", "dynamic", "static", "PCA", "paper: dynamic, static");
  for (const Set& set : sets) {
    if (!s.sets.empty() && std::find(s.sets.begin(), s.sets.end(), set.name) == s.sets.end()) continue;
    std::vector<double> dynamic, fixed, linear;
    for (Index seed = 1; seed <= s.seeds; ++seed) {
      const Matrix Y = table_of(set.name, s, std::uint64_t(seed));
      Rng rng = Rng(std::uint64_t(seed)).split("held out");
      const BoolMatrix held_out = held_out_mask(Y, 0.2, rng);
      const Matrix seen = hide(Y, held_out);
      BayesData data = one_view(seen);
      data.axis.time = Vector::LinSpaced(Y.rows(), -1, 1);
      for (const bool over_time : {true, false}) {
        BayesOptions options{.dims = set.dims,
                             .frequencies = s.frequencies,
                             .views = {{.scaling = ScalingKind::centre}},
                             .latent = {over_time},
                             .chains = s.chains,
                             .warmup = s.warmup,
                             .draws = s.draws,
                             .stored = 100};
        const BayesFit fit = fit_bayes(data, options, std::uint64_t(seed), s.threads);
        const Matrix mean = predict(fit.views[0], fit.X, {}, {}, Rng(1), s.threads).mean;
        (over_time ? dynamic : fixed).push_back(squared_error(Y, mean, held_out));
      }
      linear.push_back(
          squared_error(Y, fill_low_rank(seen, {.rank = set.dims}, Rng(1), s.threads), held_out));
    }
    std::printf("%-8s %18s %18s %18s   %.3f, %.3f\n", set.name, mean_sd(dynamic).c_str(),
                mean_sd(fixed).c_str(), mean_sd(linear).c_str(), set.dynamic, set.fixed);
    std::fflush(stdout);
  }
}

}  // namespace bochner::bench
