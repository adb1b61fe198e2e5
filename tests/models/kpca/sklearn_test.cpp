// Numbers of scikit-learn 1.9.1 on tables from the generator of support/portable_uniform.hpp, seed 17:
//   A = 4 matrix(25, 3) - 2, B = 2 matrix(25, 2), new rows NA = 4 matrix(3, 3) - 2, NB = 2 matrix(3, 2)
// scores of rows 0, 7, 24 of A and of the new rows, KernelPCA(n_components=4, eigen_solver="dense").
#include <gtest/gtest.h>

#include "examples.hpp"
#include "tests/support/portable_uniform.hpp"

namespace bochner::sklearn_test {
namespace {

using namespace testing;

struct Example {
  PortableUniform uniform{17};
  Matrix A = (4 * uniform.matrix(25, 3)).array() - 2;
  Matrix B = 2 * uniform.matrix(25, 2);
  Matrix new_A = (4 * uniform.matrix(3, 3)).array() - 2;
  Matrix new_B = 2 * uniform.matrix(3, 2);
};

struct Pinned {
  Vector values;
  Matrix train;  // rows 0, 7, 24
  Matrix fresh;
};

void expect_pinned(const KpcaFit& fit, const Dataset& data, const Dataset& fresh, const Pinned& pinned) {
  const Threads threads(1);
  ASSERT_EQ(fit.dims(), pinned.values.size());
  EXPECT_LT(largest((fit.lambda - pinned.values).cwiseQuotient(pinned.values)), 1e-8);
  // all six rows together have the signs of scikit-learn or the opposite ones
  Matrix expected(6, fit.dims()), got(6, fit.dims());
  expected << pinned.train, pinned.fresh;
  const Matrix at = scores(fit, fit.H);
  got << at.row(0), at.row(7), at.row(24), scores(fit, embed(fit, fresh, threads));
  EXPECT_LT(largest(with_signs_of(got, expected) - expected), 1e-8 * std::max(1.0, largest(expected)));
  EXPECT_LT(largest(scores(fit, embed(fit, data, threads)) - at), 1e-8 * largest(at));
}

/// A with this kernel, as it is.
KpcaOptions plain(std::string kernel, double lengthscale, FeatureSpec::Kind kind, KpcaSolver solver,
                  Index dims) {
  return {.dims = dims,
          .view = {.kernel = std::move(kernel),
                   .lengthscale = lengthscale,
                   .features = {.kind = kind},
                   .scaling = ScalingKind::none},
          .solver = solver,
          .tolerance = 1e-12};
}

TEST(KpcaSklearn, Rbf) {  // kernel="rbf", gamma=1/(2*1.3**2)
  const Example x;
  const Pinned pinned{Vector{{4.28357334322987, 3.26498218828969, 2.28403166707771, 1.92908317688277}},
                      Matrix{{0.680294028307316, 0.0615963336187947, -0.259743474806778, -0.046068099617309},
                             {0.684703184331398, -0.163225674257488, -0.162351356568376, -0.185747960207664},
                             {-0.468781608028949, -0.207598342194942, 0.131605748421562, -0.160744538050453}},
                      Matrix{{0.132805298061861, 0.588979042769299, 0.249711871193979, 0.509850399963244},
                             {-0.0731910211815083, -0.431294212981645, 0.168756382147709, 0.113647390821587},
                             {0.491098993504188, 0.263207156333812, 0.0490092138178783, 0.157200542755135}}};
  for (const KpcaSolver solver : {KpcaSolver::automatic, KpcaSolver::dual_stiefel}) {
    const KpcaFit fit =
        fit_kpca(tables({x.A}), plain("rbf", 1.3, FeatureSpec::Kind::automatic, solver, 4), 1, Threads(1));
    expect_pinned(fit, tables({x.A}), tables({x.new_A}), pinned);
  }
}

TEST(KpcaSklearn, Polynomial) {  // kernel="poly", degree=3, gamma=1, coef0=1
  const Example x;
  const Pinned pinned{Vector{{786.715302510124, 719.731134563944, 557.886964615024, 391.300657745816}},
                      Matrix{{-0.325259334049946, -9.32916889534802, -4.0039413295578, -6.19071835300865},
                             {2.06748177659373, -8.01565727574005, -2.73032134008489, -4.34715163543193},
                             {0.437558629471897, 1.408335710949, 0.357867527108181, 0.396960508458901}},
                      Matrix{{-10.03324510717, -4.06354655703309, 3.57676504641378, 6.79202804179824},
                             {7.37988944029, 1.26667406588613, -0.0758438221578656, 2.79791842050588},
                             {-2.98640878538261, -5.17114251934747, 0.461893138256442, -0.691768637277835}}};
  for (const auto& [kind, solver] : {std::pair{FeatureSpec::Kind::exact, KpcaSolver::dual},
                                     {FeatureSpec::Kind::finite, KpcaSolver::primal},
                                     {FeatureSpec::Kind::finite, KpcaSolver::dual},
                                     {FeatureSpec::Kind::finite, KpcaSolver::primal_stiefel},
                                     {FeatureSpec::Kind::automatic, KpcaSolver::automatic}}) {
    SCOPED_TRACE(int(solver));
    const KpcaFit fit = fit_kpca(tables({x.A}), plain("poly3", 1, kind, solver, 4), 1, Threads(1));
    expect_pinned(fit, tables({x.A}), tables({x.new_A}), pinned);
  }
}

TEST(KpcaSklearn, LinearIsPca) {  // PCA(3): explained_variance_, transform, explained_variance_ratio_
  const Example x;
  const Pinned pinned{24 * Vector{{1.64733814395145, 1.45023798579269, 0.669957245791062}},
                      Matrix{{-1.71757156976193, -1.34079628061808, 0.605303930202275},
                             {-1.98367567813284, -0.264153633427004, 0.0318063869749762},
                             {0.850076211064542, 1.01034693073317, -0.570098730349521}},
                      Matrix{{0.427164336370168, -2.29580174476869, 0.207847757712657},
                             {-0.959786850606897, 1.67167764330686, 0.106246432550255},
                             {-1.0085064622536, -1.6770411383169, -0.509544900627576}}};
  for (const KpcaSolver solver :
       {KpcaSolver::primal, KpcaSolver::dual, KpcaSolver::primal_stiefel, KpcaSolver::dual_stiefel}) {
    SCOPED_TRACE(int(solver));
    const KpcaFit fit =
        fit_kpca(tables({x.A}), plain("linear", 1, FeatureSpec::Kind::automatic, solver, 3), 1, Threads(1));
    expect_pinned(fit, tables({x.A}), tables({x.new_A}), pinned);
    EXPECT_LT(largest(fit.explained() - Vector{{0.4372458, 0.38493036, 0.17782384}}), 1e-8);
  }
}

// Two standardised views (StandardScaler), kernel="precomputed" with
//   0.7 rbf_kernel(A, gamma=1/(2*0.9**2)) + 2 linear_kernel(B)
TEST(KpcaSklearn, TwoWeightedViews) {
  const Example x;
  const Pinned pinned{Vector{{52.2131450212867, 48.9142330709282, 2.33182127822232, 1.84423248898259}},
                      Matrix{{2.90136278826028, 0.674133580303777, 0.257778624752452, 0.0288666322535661},
                             {0.558791929005211, 1.57777067269518, 0.4790514365292, -0.033048930393719},
                             {-1.61467596336999, 0.3660338536082, -0.132284320690423, -0.263797600231737}},
                      Matrix{{-1.51369651943105, -1.08887878432241, 0.103614997077821, 0.549076749876707},
                             {1.32898653931452, 1.80757671846315, -0.0870842284831004, -0.273612500453938},
                             {0.900544963769687, 1.33107613813068, 0.168715443307672, 0.153582715357187}}};
  const KpcaOptions options{.dims = 4,
                            .own = {{KpcaViewOptions{.kernel = "rbf", .lengthscale = 0.9, .weight = 0.7}},
                                    {KpcaViewOptions{.kernel = "linear", .weight = 2}}},
                            .tolerance = 1e-12};
  const KpcaFit fit = fit_kpca(tables({x.A, x.B}), options, 1, Threads(1));
  expect_pinned(fit, tables({x.A, x.B}), tables({x.new_A, x.new_B}), pinned);
}

}  // namespace
}  // namespace bochner::sklearn_test
