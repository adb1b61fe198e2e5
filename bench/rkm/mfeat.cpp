// Six views of 2,000 digits: each from the other five, on a held-out fifth.

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bochner/models/kpca/kpca.hpp"
#include "bochner/tables/read_table.hpp"
#include "parts.hpp"

namespace bochner::bench {
namespace {

double r2(const Matrix& guess, const Matrix& truth) {
  const Matrix centred = truth.rowwise() - truth.colwise().mean();
  return 1 - (guess - truth).squaredNorm() / centred.squaredNorm();
}

/// Ridge regression of Y on X (both standardised by the training rows), penalty by five folds of the training rows.
Matrix ridge(const Matrix& X, const Matrix& Y, const Matrix& X_new) {
  const auto solve = [](const Matrix& A, const Matrix& B, double rho) -> Matrix {
    Eigen::MatrixXd C = A.transpose() * A;
    C.diagonal().array() += rho * double(A.rows());
    return C.llt().solve(Eigen::MatrixXd(A.transpose() * B));
  };
  double best = 1e300, chosen = 1;
  for (const double rho : {1e-4, 1e-3, 1e-2, 1e-1, 1.0}) {
    double error = 0;
    for (Index k = 0; k < 5; ++k) {
      std::vector<Index> in, out;
      for (Index n = 0; n < X.rows(); ++n) (n % 5 == k ? out : in).push_back(n);
      error += (X(out, Eigen::all) * solve(X(in, Eigen::all), Y(in, Eigen::all), rho) - Y(out, Eigen::all))
                   .squaredNorm();
    }
    if (error < best) best = error, chosen = rho;
  }
  return X_new * solve(X, Y, chosen);
}

}  // namespace

void mfeat(const Settings& s) {
  const std::vector<std::string> names{"fac", "fou", "kar", "mor", "pix", "zer"};
  const IndexVector order = Rng(0).split("split").permutation(2000);
  std::vector<Index> train(order.begin(), order.begin() + 1600), test(order.begin() + 1600, order.end());
  std::vector<Matrix> in, out;
  std::vector<View> views_in, views_out;
  for (const std::string& name : names) {
    const Matrix Y = read_table(s.data + "/mfeat.npz:" + name).values;
    const Scaling scaling = fit_scaling(Y(train, Eigen::all), ScalingKind::standardise);
    in.push_back(scaling.apply(Y(train, Eigen::all)));
    out.push_back(scaling.apply(Y(test, Eigen::all)));
    views_in.push_back(make_view(name, in.back()));
    views_out.push_back(make_view(name, out.back()));
  }
  const Dataset data_in = join(std::move(views_in)), data_out = join(std::move(views_out));
  KpcaOptions o;
  o.view.scaling = ScalingKind::none;
  std::puts("R^2 of a view from the other five, 1600 digits to learn, 400 to judge");
  std::printf("%-34s", "");
  for (const std::string& name : names) std::printf("  %6s", name.c_str());
  std::puts("");
  for (const Index dims : {100, 400, 800})
    for (const double factor : {1.0, 2.0}) {
      o.dims = dims;
      o.own.clear();
      for (const Matrix& X : in) {  // times the median distance
        KpcaViewOptions view = o.view;
        std::vector<double> d;
        for (Index i = 0; i < 400; ++i) d.push_back((X.row(i) - X.row(i + 400)).norm());
        std::nth_element(d.begin(), d.begin() + 200, d.end());
        view.lengthscale = factor * d[200];
        o.own.push_back(view);
      }
      const Stopwatch watch;
      const KpcaFit fit = fit_kpca(data_in, o, 0, s.threads);
      const double seconds = watch.seconds();
      std::printf("rbf, %3ld components, %g x median  ", long(dims), factor);
      for (Index v = 0; v < 6; ++v)
        std::printf("  %6.3f",
                    r2(predict_from_others(fit, v, data_out, s.threads), out[static_cast<std::size_t>(v)]));
      std::printf("   %.1f s\n", seconds);
    }
  std::printf("%-34s", "ridge regression on the other five");
  for (std::size_t v = 0; v < 6; ++v) {
    Index columns = 0;
    for (std::size_t w = 0; w < 6; ++w)
      if (w != v) columns += in[w].cols();
    Matrix X(in[v].rows(), columns), X_new(out[v].rows(), columns);
    Index at = 0;
    for (std::size_t w = 0; w < 6; ++w) {
      if (w == v) continue;
      X.middleCols(at, in[w].cols()) = in[w];
      X_new.middleCols(at, in[w].cols()) = out[w];
      at += in[w].cols();
    }
    std::printf("  %6.3f", r2(ridge(X, in[v], X_new), out[v]));
  }
  std::puts("");
}

}  // namespace bochner::bench
