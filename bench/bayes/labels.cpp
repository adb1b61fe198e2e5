// KNN accuracy (k = 1, five folds) of two latents [zhang2023, Table 1].

#include <algorithm>
#include <cstdio>

#include "bochner/metrics/knn.hpp"
#include "parts.hpp"
#include "support/public_data.hpp"

namespace bochner::bench {
namespace {

struct Set {
  const char* name;
  BayesLikelihood likelihood;
  double accuracy, sd;  // of the best column of the paper
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

/// 1,000 rows of a longer table, others for every seed.
Labelled some_rows(const Labelled& all, Index most, unsigned seed) {
  if (all.Y.rows() <= most) return all;
  const IndexVector rows = numpy_permutation(seed, all.Y.rows()).head(most);
  return {all.Y(rows, Eigen::all), all.labels(rows)};
}

Labelled read_set(const std::string& name, const std::string& folder, unsigned seed) {
  if (name == "bridges")
    return {read_array(folder, "bridges", "Y"), read_labels(folder, "bridges", "labels")};
  if (name == "congress")
    return {read_array(folder, "congress109", "Y"), read_labels(folder, "congress109", "labels")};
  if (name == "montreal") return montreal(folder, true);
  if (name == "montreal17") return montreal(folder, false);
  if (name == "newsgroups") {
    Labelled all{read_array(folder, "newsgroups3_counts", "Y"),
                 read_labels(folder, "newsgroups3_counts", "labels")};
    return some_rows(all, 1652, seed);
  }
  if (name == "spam")
    return some_rows(
        {read_array(folder, "sms_spam_counts", "Y"), read_labels(folder, "sms_spam_counts", "labels")}, 2000,
        seed);
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
  const std::vector<Set> sets{{"bridges", BayesLikelihood::poisson, 0.8664, 0.0191},
                              {"bridges", BayesLikelihood::negbinom, 0.8664, 0.0191},
                              {"congress", BayesLikelihood::negbinom, 0.8093, 0.0154},
                              {"montreal", BayesLikelihood::poisson, 0.8158, 0.0210},
                              {"montreal", BayesLikelihood::negbinom, 0.8158, 0.0210},
                              {"montreal17", BayesLikelihood::poisson, 0.8158, 0.0210},
                              {"newsgroups", BayesLikelihood::poisson, 0.4144, 0.0029},
                              {"spam", BayesLikelihood::poisson, 0.9515, 0.0023},
                              {"yale", BayesLikelihood::poisson, 0.6894, 0.0295},
                              {"mnist", BayesLikelihood::poisson, 0.6494, 0.0210},
                              {"cifar", BayesLikelihood::poisson, 0.2789, 0.0080}};
  std::printf("%-12s %-10s %8s %18s   %-18s %18s %8s\n", "set", "likelihood", "rows", "accuracy", "paper",
              "all columns", "seconds");
  for (const Set& set : sets) {
    if (!s.sets.empty() && std::find(s.sets.begin(), s.sets.end(), set.name) == s.sets.end()) continue;
    std::vector<double> accuracy, untouched;  // of two latents, of the table itself
    const Stopwatch watch;
    Index rows = 0;
    for (Index seed = 0; seed < s.seeds; ++seed) {
      const Labelled data = read_set(set.name, s.data, unsigned(seed));
      rows = data.Y.rows();
      const BayesFit fit = fit_bayes(one_view(data.Y),
                                     {.frequencies = s.frequencies,
                                      .views = {{.likelihood = set.likelihood}},
                                      .chains = 1,
                                      .warmup = s.warmup,
                                      .draws = s.draws,
                                      .stored = 5,
                                      .start = s.start},
                                     std::uint64_t(seed), s.threads);
      Rng folds = Rng(std::uint64_t(seed)).split("folds");
      Rng same = folds;
      accuracy.push_back(knn_accuracy(fit.latent.mean, data.labels, 1, 5, folds));
      untouched.push_back(knn_accuracy(data.Y, data.labels, 1, 5, same));
    }
    std::printf("%-12s %-10s %8ld %18s   %.4f +- %.4f   %18s %8.0f\n", set.name,
                set.likelihood == BayesLikelihood::poisson ? "poisson" : "negbinom", long(rows),
                mean_sd(accuracy).c_str(), set.accuracy, set.sd, mean_sd(untouched).c_str(),
                watch.seconds() / double(s.seeds));
    std::fflush(stdout);
  }
}

}  // namespace bochner::bench
