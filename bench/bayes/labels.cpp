// KNN accuracy (k = 1, five folds) of two latents [zhang2023, Table 1].

#include <algorithm>
#include <cstdio>

#include "bochner/assess/knn.hpp"
#include "bochner/models/bayes/names.hpp"
#include "parts.hpp"
#include "support/public_data.hpp"

namespace bochner::bench {
namespace {

struct Set {
  const char* name;
  double accuracy, sd, pca;  // of the paper: its best likelihood, and PCA
  std::vector<BayesLikelihood> likelihoods;
};

/// The complete counters, or eight of them: those with the most cyclists. The papers do not name theirs.
Labelled montreal(const std::string& folder, bool eight) {
  const Matrix Y = read_array(folder, "montreal_bikes_2015", "Y");
  std::vector<Index> complete;
  for (Index m = 0; m < Y.cols(); ++m)
    if (Y.col(m).minCoeff() >= 0) complete.push_back(m);
  std::sort(complete.begin(), complete.end(),
            [&](Index a, Index b) { return Y.col(a).sum() > Y.col(b).sum(); });
  if (eight) complete.resize(8);
  return {Y(Eigen::all, complete), read_labels(folder, "montreal_bikes_2015", "season")};
}

/// The documents by which the words of `newsgroups3_counts` were chosen.
Labelled newsgroups(const std::string& folder) {
  const Matrix Y = read_array(folder, "newsgroups3_counts", "Y");
  const IndexVector labels = read_labels(folder, "newsgroups3_counts", "labels"),
                    training = read_labels(folder, "newsgroups3_counts", "is_train");
  std::vector<Index> rows;
  for (Index n = 0; n < Y.rows(); ++n)
    if (training(n) != 0) rows.push_back(n);
  return {Y(rows, Eigen::all), labels(rows)};
}

Labelled read_set(const std::string& name, const std::string& folder, unsigned seed) {
  if (name == "bridges")
    return {read_array(folder, "bridges", "Y"), read_labels(folder, "bridges", "labels")};
  if (name == "congress")
    return {read_array(folder, "congress109", "Y"), read_labels(folder, "congress109", "labels")};
  if (name == "montreal") return montreal(folder, true);
  if (name == "montreal17") return montreal(folder, false);
  if (name == "newsgroups") return newsgroups(folder);
  if (name == "spam")
    return {read_array(folder, "sms_spam_counts", "Y"), read_labels(folder, "sms_spam_counts", "labels")};
  if (name == "yale")
    return {read_array(folder, "yale_faces_32x32", "images"),
            read_labels(folder, "yale_faces_32x32", "labels")};
  if (name == "mnist") {
    Labelled out = r_mnist(folder, seed);
    out.Y = (255 * out.Y.array()).round();
    return out;
  }
  return {read_array(folder, "cifar10_r2000_gray20", "images"),
          read_labels(folder, "cifar10_r2000_gray20", "labels")};
}

}  // namespace

void labels(const Settings& s) {
  const auto gaussian = BayesLikelihood::gaussian, poisson = BayesLikelihood::poisson,
             negbinom = BayesLikelihood::negbinom, multinomial = BayesLikelihood::multinomial;
  const std::vector<Set> sets{{"bridges", 0.8664, 0.0191, 0.8469, {poisson, negbinom}},
                              {"congress", 0.8093, 0.0154, 0.5558, {negbinom}},
                              {"montreal", 0.8158, 0.0210, 0.6802, {poisson, negbinom, multinomial}},
                              {"montreal17", 0.8158, 0.0210, 0.6802, {poisson, multinomial}},
                              {"newsgroups", 0.4144, 0.0029, 0.3896, {poisson, negbinom}},
                              {"spam", 0.9515, 0.0023, 0.8454, {poisson}},
                              {"yale", 0.6894, 0.0295, 0.5442, {poisson, gaussian}},
                              {"mnist", 0.6494, 0.0210, 0.3794, {poisson}},
                              {"cifar", 0.2789, 0.0080, 0.2651, {poisson, gaussian}}};
  std::printf("%-12s %-10s %6s %18s   %-18s %8s %8s %12s %8s\n", "set", "likelihood", "rows", "accuracy",
              "paper", "PCA", "paper", "all columns", "seconds");
  for (const Set& set : sets) {
    if (!s.sets.empty() && std::find(s.sets.begin(), s.sets.end(), set.name) == s.sets.end()) continue;
    for (const BayesLikelihood likelihood : set.likelihoods) {
      std::vector<double> accuracy, linear, untouched;  // of two latents, of PCA, of the table itself
      double seconds = 0;                               // of a fit
      Index rows = 0;
      for (Index seed = 0; seed < s.seeds; ++seed) {
        const Labelled data = read_set(set.name, s.data, unsigned(seed));
        rows = data.Y.rows();
        const Stopwatch watch;
        const BayesFit fit = fit_bayes(one_view(data.Y),
                                       {.frequencies = s.frequencies,
                                        .views = {{.likelihood = likelihood}},
                                        .chains = s.chains,
                                        .warmup = s.warmup,
                                        .draws = s.draws,
                                        .stored = 5,
                                        .start = s.start},
                                       std::uint64_t(seed), s.threads);
        seconds += watch.seconds() / double(s.seeds);
        // In an order of chance: files are sorted by class, and of neighbours at the same place the first one counts.
        const IndexVector order = numpy_permutation(unsigned(seed), rows);
        const auto score = [&](const Matrix& X) {
          Rng folds = Rng(std::uint64_t(seed)).split("folds");
          return knn_accuracy(X(order, Eigen::all), data.labels(order), 1, 5, folds);
        };
        accuracy.push_back(score(fit.latent.mean));
        linear.push_back(score(principal_components(data.Y, 2, ScalingKind::centre, s.threads)));
        untouched.push_back(score(data.Y));
      }
      std::printf("%-12s %-10s %6ld %18s   %.4f +- %.4f   %8.3f %8.3f %12.3f %8.0f\n", set.name,
                  to_text(likelihood).c_str(), long(rows), mean_sd(accuracy).c_str(), set.accuracy, set.sd,
                  mean_of(linear), set.pca, mean_of(untouched), seconds);
      std::fflush(stdout);
    }
  }
}

}  // namespace bochner::bench
