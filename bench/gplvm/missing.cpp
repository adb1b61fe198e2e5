// Digits and faces with entries missing at random: reconstruction errors of pixels in [0, 1] [li2024, Table 2].

#include <cstdio>

#include "bochner/data/fills.hpp"
#include "bochner/data/held_out.hpp"
#include "support.hpp"
#include "support/public_data.hpp"

namespace bochner::bench {
namespace {

struct Errors {
  double all = 0, missing = 0;
};

Errors reconstruct(const Matrix& truth, const Matrix& seen, const BoolMatrix& missing, const GplvmOptions& o,
                   const Threads& threads) {
  const GplvmFit fit = fit_gplvm(join({make_view("y", seen)}), o, 0, threads);
  const Predictive p = predict(fit.views[0], fit.latent, threads);
  return {mse(p.mean, truth, BoolMatrix::Constant(truth.rows(), truth.cols(), true)),
          mse(p.mean, truth, missing)};
}

void table(const char* name, const Matrix& Y, const Settings& s) {
  const auto row = [&](double fraction, Index dims, bool with_zeros) {
    Rng rng(7);
    const BoolMatrix missing = held_out_mask(Y, fraction, rng);
    const Matrix seen = hide(Y, missing);
    GplvmOptions o = options(s);
    o.dims = dims;
    const Stopwatch watch;
    const Errors ours = reconstruct(Y, seen, missing, o, s.threads);
    std::printf("%-6s  %2.0f %%  %ld  %.4f  %.4f    %.4f", name, 100 * fraction, long(dims), ours.all,
                ours.missing, mse(fill_column_means(seen), Y, missing));
    if (with_zeros) {
      const Errors zeros = reconstruct(Y, missing.select(0.0, Y), missing, o, s.threads);
      std::printf("    %.4f  %.4f", zeros.all, zeros.missing);
    } else {
      std::printf("    %-6s  %-6s", "", "");
    }
    std::printf("   %.0f s\n", watch.seconds());
  };
  for (const double fraction : {0.1, 0.3, 0.6}) row(fraction, s.dims ? s.dims : 2, true);
  for (const Index dims : {4, 8}) row(0.3, dims, false);
}

void header() {
  std::puts("                  model           column    same model, zeros filled in");
  std::puts("data    gone  Q  all     missing   mean      all     missing");
}

}  // namespace

void missing(const Settings& s) {
  header();
  table("digits", r_mnist(s.data, 0).Y, s);  // 1,000 digits, subset 0: the R-MNIST of the paper
}

void faces(const Settings& s) {
  header();
  table("faces", read_array(s.data, "frey_faces", "images") / 255, s);
}

}  // namespace bochner::bench
