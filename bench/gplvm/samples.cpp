// Samples that lack views, and samples that the model has not seen: multiple features (six views of 2,000 digits) and
// three-phase oil flow.

#include <cstdio>
#include <cstring>
#include <limits>
#include <numeric>

#include "bochner/assess/knn.hpp"
#include "bochner/data/splits.hpp"
#include "support.hpp"
#include "support/public_data.hpp"

namespace bochner::bench {
namespace {

constexpr const char* mfeat_views[] = {"fac", "fou", "kar", "mor", "pix", "zer"};

/// The rows without view v.
Dataset without_view(const Dataset& data, Index v) {
  std::vector<Matrix> values;
  for (const View& view : data.views()) values.push_back(view.Y);
  values[std::size_t(v)].setConstant(std::numeric_limits<double>::quiet_NaN());
  return data.with_values(std::move(values));
}

/// Each sample without one view, drawn at random.
Dataset one_view_less(const Dataset& data, Rng rng) {
  std::vector<Matrix> values;
  for (const View& view : data.views()) values.push_back(view.Y);
  for (Index n = 0; n < data.rows(); ++n) {
    const auto v = std::size_t(rng.uniform() * double(data.view_count()));
    values[v].row(n).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  return data.with_values(std::move(values));
}

/// 1 - |Y - prediction|^2 / |Y - mean|^2, each column divided by its scale in the model; the mean is that of the
/// training rows.
double explained(const GplvmView& view, const Matrix& prediction, const Matrix& Y) {
  const Matrix error = view.scaling.apply(prediction) - view.scaling.apply(Y);
  return 1 - error.squaredNorm() / view.scaling.apply(Y).squaredNorm();
}

double mean_distance_in_sd(const Matrix& a, const Matrix& b) {
  const Matrix centred = b.rowwise() - b.colwise().mean();
  const Vector sd = (centred.colwise().squaredNorm() / double(b.rows())).cwiseSqrt();
  return ((a - b).cwiseAbs().colwise().mean().transpose().array() / sd.array()).mean();
}

bool same_bytes(const Matrix& a, const Matrix& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), std::size_t(a.size()) * sizeof(double)) == 0;
}

}  // namespace

void mfeat(const Settings& s) {
  std::vector<View> views;
  for (const char* name : mfeat_views) views.push_back(make_view(name, read_array(s.data, "mfeat", name)));
  const IndexVector labels = read_labels(s.data, "mfeat", "labels");
  const Dataset data = join(views);
  const GplvmOptions o = options(s);

  std::printf("latent of (Q = %ld)     KNN-1   KNN-10  seconds\n", long(o.dims));
  const auto fit_and_score = [&](const std::string& name, const Dataset& seen) {
    const Stopwatch watch;
    const GplvmFit fit = fit_gplvm(seen, o, 0, s.threads);
    std::printf("%-20s  %.4f  %.4f  %6.0f\n", name.c_str(), knn(fit.latent.mean, labels, 1, s.threads),
                knn(fit.latent.mean, labels, 10, s.threads), watch.seconds());
  };
  for (const View& view : views) fit_and_score(view.name, join({view}));
  fit_and_score("all six", data);
  fit_and_score("five, one at random", one_view_less(data, Rng(1)));

  // A view of new samples from their other five. Two dimensions cannot carry six views, so here there are more.
  Rng rng(2);
  const Split split = train_test_split(data.rows(), 0.25, rng);
  for (const Index dims : {o.dims, Index(10)}) {
    GplvmOptions wide = o;
    wide.dims = dims;
    const GplvmFit fit = fit_gplvm(data.take_rows(split.train), wide, 0, s.threads);
    const Dataset fresh = data.take_rows(split.test);
    std::printf("R^2 of a view of 500 new samples from the other five, column means 0 (Q = %ld):",
                long(dims));
    for (Index v = 0; v < data.view_count(); ++v) {
      const LatentPosterior x = embed(fit, without_view(fresh, v), s.threads);
      const GplvmView& view = fit.views[std::size_t(v)];
      std::printf("  %s %.3f", view.name.c_str(),
                  explained(view, predict(view, x, s.threads).mean, fresh.view(v).Y));
    }
    std::puts("");
  }
}

void oil(const Settings& s) {
  const Matrix train = read_array(s.data, "oil_flow", "X_trn"),
               test = read_array(s.data, "oil_flow", "X_tst");
  const IndexVector train_labels = read_labels(s.data, "oil_flow", "labels_trn"),
                    test_labels = read_labels(s.data, "oil_flow", "labels_tst");
  const auto score = [&](const Matrix& known, const Matrix& asked) {
    return accuracy(test_labels,
                    knn_predict(known, train_labels, asked, 1, VoteTies::smallest_label, s.threads));
  };
  const Dataset known = join({make_view("y", train)}), asked = join({make_view("y", test)});

  const GplvmFit fit = fit_gplvm(known, options(s), 0, s.threads);
  const Stopwatch watch;
  const LatentPosterior fresh = embed(fit, asked, s.threads);
  const double seconds = watch.seconds();

  Matrix both(train.rows() + test.rows(), train.cols());
  both << train, test;
  const GplvmFit joint = fit_gplvm(join({make_view("y", both)}), options(s), 0, s.threads);

  std::printf("KNN-1 of the test rows: applied %.4f, joint fit %.4f\n", score(fit.latent.mean, fresh.mean),
              score(joint.latent.mean.topRows(train.rows()), joint.latent.mean.bottomRows(test.rows())));
  std::printf("seconds to apply to 1,000 rows: %.2f\n", seconds);
  const LatentPosterior back = embed(fit, known, s.threads);
  std::printf("applied to the training rows, mean distance in latent sd: %.4f\n",
              mean_distance_in_sd(back.mean, fit.latent.mean));

  bool same = true;
  for (Index n = 0; n < test.rows(); n += 100) {
    const LatentPosterior alone = embed(fit, asked.take_rows(IndexVector::Constant(1, n)), s.threads);
    same = same && same_bytes(alone.mean, fresh.mean.row(n)) && same_bytes(alone.sd, fresh.sd.row(n));
  }
  std::printf("ten rows alone and in the batch: %s\n", same ? "the same bytes" : "DIFFERENT");
}

}  // namespace bochner::bench
