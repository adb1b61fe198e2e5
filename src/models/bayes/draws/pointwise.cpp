#include "bochner/models/bayes/pointwise.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bochner/compute/row_plan.hpp"
#include "bochner/random/count_draws.hpp"
#include "bochner/random/log_gamma.hpp"
#include "src/models/bayes/row_law.hpp"
#include "src/models/bayes/table.hpp"

namespace bochner {

namespace {

constexpr Index rows_at_a_time = 64;
constexpr double least_log = -1e10;  // of what a draw excludes: infinities would hide all other draws

/// The entries of a view, where each row of them begins, and what the likelihood needs to know.
struct ViewEntries {
  const BayesViewFit& fit;
  Matrix Y;                  // N x M in scaled units
  BayesKnown rows;           // trials and exposures
  Vector factors;            // N, or empty
  std::vector<Index> begin;  // N + 1, among the entries
  std::vector<Index> unit;   // N: column of a row in log_likelihood, of a multinomial view
};

/// `count` of 0 .. n - 1, each as likely as any other, ascending.
std::vector<Index> choose(Index n, Index count, Rng rng) {
  std::vector<Index> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Index{0});
  if (count >= n) return all;
  for (Index i = 0; i < count; ++i)
    std::swap(all[static_cast<std::size_t>(i)], all[static_cast<std::size_t>(i + rng.below(n - i))]);
  all.resize(static_cast<std::size_t>(count));
  std::sort(all.begin(), all.end());
  return all;
}

/// Which entries of Y are kept; of a multinomial view whole rows.
BoolMatrix chosen(const Matrix& Y, double share, bool whole_rows, const Rng& rng) {
  const BoolMatrix measured = !Y.array().isNaN();
  BoolMatrix out = BoolMatrix::Constant(Y.rows(), Y.cols(), false);
  std::vector<std::pair<Index, Index>> units;
  for (Index n = 0; n < Y.rows(); ++n)
    for (Index m = 0; m < (whole_rows ? 1 : Y.cols()); ++m)
      if (whole_rows ? measured.row(n).any() : measured(n, m)) units.emplace_back(n, m);
  const auto all = static_cast<Index>(units.size());
  const auto count = std::clamp<Index>(static_cast<Index>(share * double(all)), std::min<Index>(1, all), all);
  for (const Index i : choose(all, count, rng)) {
    const auto [n, m] = units[static_cast<std::size_t>(i)];
    if (whole_rows)
      out.row(n) = measured.row(n);
    else
      out(n, m) = true;
  }
  return out;
}

/// Takes down entries of one row for one draw, in places of `out` that belong to this row.
void add_row(const ViewEntries& view, const BayesFunctions& draw, const Vector& f, Index n, Index s, Rng rng,
             PointwiseView& out) {
  const auto begin = view.begin[static_cast<std::size_t>(n)],
             end = view.begin[static_cast<std::size_t>(n) + 1];
  const double factor = view.factors.size() > 0 ? view.factors(n) : 1;
  if (view.fit.likelihood == BayesLikelihood::multinomial) {  // given the total of what was measured
    Vector part(end - begin), y(end - begin);
    for (Index e = begin; e < end; ++e) {
      part(e - begin) = f(out.column[static_cast<std::size_t>(e)]);
      y(e - begin) = out.observed(e);
    }
    const Vector p = (part.array() - part.maxCoeff()).exp();
    const double total = y.sum();
    double log_p = log_gamma(total + 1);
    for (Index i = 0; i < y.size(); ++i)
      log_p += (y(i) > 0 ? y(i) * std::log(p(i) / p.sum()) : 0) - log_gamma(y(i) + 1);
    out.log_likelihood(s, view.unit[static_cast<std::size_t>(n)]) = std::max(log_p, least_log);
    const IndexVector counts = multinomial(static_cast<Index>(total), p, rng);
    for (Index i = 0; i < y.size(); ++i) out.predictive(s, begin + i) = double(counts(i));
    return;
  }
  const RowLaw law = law_of(view.fit, draw, f, known_row(view.rows, n, f.size()));
  const bool labels = view.fit.likelihood == BayesLikelihood::categorical,
             gaussian = view.fit.likelihood == BayesLikelihood::gaussian;
  const std::vector<Index> at = softmaxes(view.fit);
  for (Index e = begin; e < end; ++e) {
    const Index m = out.column[static_cast<std::size_t>(e)];
    const double y = view.Y(n, m);
    const Index j = labels ? at[static_cast<std::size_t>(m)] + static_cast<Index>(y) : m;
    double log_p = log_entry(view.fit, law, j, y);
    double drawn = 0;
    if (labels) {
      const Index first = at[static_cast<std::size_t>(m)],
                  classes = at[static_cast<std::size_t>(m) + 1] - first;
      drawn = double(rng.categorical(law.mean.segment(first, classes)));
    } else {
      drawn = draw_entry(view.fit, law, j, rng);
    }
    if (gaussian) {
      log_p -= std::log(view.fit.scaling.scale(m) * factor);
      drawn = factor * (view.fit.scaling.centre(m) + view.fit.scaling.scale(m) * drawn);
    }
    out.log_likelihood(s, e) = std::max(log_p, least_log);
    out.predictive(s, e) = drawn;
  }
}

ViewEntries entries_of(const BayesFit& fit, std::size_t v, const BayesData& seen, const RowFactors& factors,
                       double share, const Rng& rng, PointwiseView& out) {
  const View& table = seen.data.view(static_cast<Index>(v));
  const BayesViewFit& view = fit.views[v];
  const bool gaussian = view.likelihood == BayesLikelihood::gaussian,
             whole_rows = view.likelihood == BayesLikelihood::multinomial;
  ViewEntries own{.fit = view,
                  .Y = gaussian ? view.scaling.apply(table.Y) : table.Y,
                  .rows = known_rows(seen, v),
                  .factors = v < factors.by_view.size() ? factors.by_view[v] : Vector(),
                  .begin = {0},
                  .unit = {}};
  const BoolMatrix keep = chosen(table.Y, share, whole_rows, rng.split("entries").split(view.name));
  out.view = view.name;
  out.measured = (!table.Y.array().isNaN()).count();
  out.measured_rows = (!table.Y.array().isNaN()).rowwise().any().count();
  std::vector<double> observed;
  for (Index n = 0; n < table.rows(); ++n) {
    own.unit.push_back(static_cast<Index>(out.rows.size()));
    for (Index m = 0; m < table.cols(); ++m)
      if (keep(n, m)) {
        out.row.push_back(n);
        out.column.push_back(m);
        observed.push_back(table.Y(n, m) * (own.factors.size() > 0 ? own.factors(n) : 1));
      }
    own.begin.push_back(static_cast<Index>(observed.size()));
    if (whole_rows && own.begin.back() > own.begin[own.begin.size() - 2]) out.rows.push_back(n);
  }
  out.observed = Eigen::Map<const Vector>(observed.data(), static_cast<Index>(observed.size()));
  return own;
}

}  // namespace

bool Pointwise::complete() const {
  return std::all_of(views.begin(), views.end(),
                     [](const PointwiseView& v) { return static_cast<Index>(v.row.size()) == v.measured; });
}

Pointwise pointwise(const BayesDraws& draws, const BayesFit& fit, const BayesData& seen,
                    const RowFactors& factors, const PointwiseOptions& options, const Rng& rng,
                    const Compute& compute) {
  double measured = 0;
  for (const View& view : seen.data.views()) measured += double((!view.Y.array().isNaN()).count());
  const double all = double(draws.chains) * double(draws.draws), most = double(options.most);
  const auto wanted = std::max<Index>(1, static_cast<Index>(std::ceil(all * measured / most)));
  const Index every = std::min(wanted, std::max<Index>(1, static_cast<Index>(all) / options.fewest_draws));
  Pointwise out{.chains = draws.chains};
  for (Index d = every - 1; d < draws.draws; d += every) out.draws.push_back(d);
  const auto kept = static_cast<Index>(out.draws.size()), S = draws.chains * kept;
  const double share = std::min(1.0, most / std::max(1.0, double(S) * measured));

  std::vector<ViewEntries> entries;
  for (std::size_t v = 0; v < fit.views.size(); ++v) {
    out.views.emplace_back();
    PointwiseView& own = out.views.back();
    entries.push_back(entries_of(fit, v, seen, factors, share, rng, own));
    const auto E = static_cast<Index>(own.row.size());
    own.predictive = Matrix(S, E);
    own.log_likelihood = Matrix(S, own.by_row() ? static_cast<Index>(own.rows.size()) : E);
  }
  draws.each([&](const BayesDraw& draw) {
    if ((draw.number + 1) % every != 0) return;
    const Index s = draw.chain * kept + draw.number / every;
    for (std::size_t v = 0; v < fit.views.size(); ++v) {
      const BayesFunctions& functions = draw.functions[v];
      const Rng own = rng.split("predictive").split(fit.views[v].name).split(static_cast<std::uint64_t>(s));
      for_each_block(compute, draw.X.rows(), rows_at_a_time, [&](Index begin, Index size) {
        const auto first = static_cast<std::size_t>(begin), last = static_cast<std::size_t>(begin + size);
        if (entries[v].begin[first] == entries[v].begin[last]) return;
        Matrix F = bayes_features(functions.W, draw.X.middleRows(begin, size), Threads(1)) * functions.B;
        if (seen.design.size() > 0) F += seen.design.middleRows(begin, size) * functions.covariates;
        for (Index n = begin; n < begin + size; ++n)
          if (const auto i = static_cast<std::size_t>(n); entries[v].begin[i] < entries[v].begin[i + 1])
            add_row(entries[v], functions, F.row(n - begin).transpose(), n, s,
                    own.split(static_cast<std::uint64_t>(n)), out.views[v]);
      });
    }
  });
  return out;
}

double pointwise_memory(const Dataset& seen, const BayesOptions& fit, const PointwiseOptions& options) {
  double measured = 0, functions = 0;
  for (const View& view : seen.views()) {
    measured += double((!view.Y.array().isNaN()).count());
    functions += double(view.cols());
  }
  const double numbers = std::min(double(options.most), double(fit.chains * fit.draws) * measured);
  return 8 * (2 * numbers + functions * double(2 * fit.frequencies + 1));
}

std::vector<ViewCriteria> criteria(const Pointwise& pointwise, double reff, const Compute& compute) {
  std::vector<ViewCriteria> out;
  for (const PointwiseView& view : pointwise.views) {
    if (view.log_likelihood.rows() < 2 || view.log_likelihood.cols() < 1) continue;
    out.push_back({.view = view.view,
                   .measured = view.by_row() ? view.measured_rows : view.measured,
                   .loo = loo(view.log_likelihood, reff, compute),
                   .waic = waic(view.log_likelihood, compute)});
  }
  return out;
}

}  // namespace bochner
