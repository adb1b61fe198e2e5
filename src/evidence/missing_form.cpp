#include <algorithm>
#include <cmath>
#include <vector>

#include "bochner/compute/row_plan.hpp"
#include "feature_forms.hpp"

// Missing entries, exactly: column m sees the rows where it is measured and no others,
//     C_m = sum over measured n of phi_n phi_n' + sigma2 I,
// one factorisation for all columns with the same missing entries (a missing pattern). A pattern lists its measured rows or its
// missing ones, whichever are fewer; in the second case C_m is the full sum less the missing rows. Sums with Y take Y
// with zeros in the missing entries, which is the sum over measured entries, not an assumption about the missing ones.

namespace bochner {
namespace {

constexpr Index sweep_rows = 4096;  // rows of Phi made at a time, then shared by all patterns

struct Group {  // a pattern, and what the sweeps gather for it
  const MissingPattern* pattern;
  bool by_missing;          // `rows` are the missing ones
  std::vector<Index> rows;  // ascending
  Matrix C;                 // F x F sum over `rows`, lower triangle; later unused
  WeightPosterior weights;
};

std::vector<Group> make_groups(const std::vector<MissingPattern>& patterns, Index N) {
  std::vector<Group> groups;
  for (const MissingPattern& pattern : patterns) {
    if (pattern.rows.empty()) continue;  // nothing measured, nothing to say
    Group group{.pattern = &pattern, .by_missing = 2 * Index(pattern.rows.size()) > N};
    group.rows = group.by_missing ? missing_rows(pattern, N) : pattern.rows;
    groups.push_back(std::move(group));
  }
  return groups;
}

/// The rows of `group` that lie in [begin, begin + size), relative to begin.
std::vector<Index> rows_in(const Group& group, Index begin, Index size) {
  const auto first = std::lower_bound(group.rows.begin(), group.rows.end(), begin);
  const auto last = std::lower_bound(first, group.rows.end(), begin + size);
  std::vector<Index> rows(first, last);
  for (Index& row : rows) row -= begin;
  return rows;
}

template <class T>
void add_lower_gram(const MatrixT<T>& Phi, Matrix& C) {
  if (Phi.rows() == 0) return;
  MatrixT<T> sum = MatrixT<T>::Zero(Phi.cols(), Phi.cols());
  sum.template selfadjointView<Eigen::Lower>().rankUpdate(Phi.transpose());
  C += sum.template cast<double>();
}

template <class T>
struct Sweeper {
  const FeatureRows<T>& features;
  const Observations<T>& observations;
  double sigma2;
  const PullFeatures<T>& pull;
  const EvidenceOptions& options;
  const Compute& compute;
  CachedRows<T> cache;
  MatrixT<T> Y0;  // missing entries as zeros

  Index N() const { return features.rows; }
  Index F() const { return features.cols; }

  /// First sweep: sums over rows for the patterns of this batch, then one factorisation each.
  void gather(std::vector<Group>& groups, std::size_t from, std::size_t to, bool first) {
    Matrix C_all = Matrix::Zero(F(), F()), A = Matrix::Zero(F(), Y0.cols());
    for (std::size_t g = from; g < to; ++g) groups[g].C = Matrix::Zero(F(), F());
    MatrixT<T> buffer(std::min(sweep_rows, N()), F());
    for (Index begin = 0; begin < N(); begin += sweep_rows) {
      const Index size = std::min(sweep_rows, N() - begin);
      for_each_block(compute, size, options.block, [&](Index b, Index n) {
        MatrixT<T> scratch;
        buffer.middleRows(b, n) =
            first ? cache.make(begin + b, n, scratch) : cache.again(begin + b, n, scratch);
      });
      const auto Phi = buffer.topRows(size);
      const Index tasks = Index(to - from);
      compute.threads.run(tasks + 1 + Y0.cols() / 64 + 1, [&](Index task) {
        if (task < tasks) {
          Group& group = groups[from + task];
          add_lower_gram<T>(Phi(rows_in(group, begin, size), Eigen::all), group.C);
        } else if (task == tasks) {
          add_lower_gram<T>(Phi, C_all);
        } else {
          const Index column = (task - tasks - 1) * 64, width = std::min<Index>(64, Y0.cols() - column);
          if (width > 0)
            A.middleCols(column, width) +=
                (Phi.transpose() * Y0.block(begin, column, size, width)).template cast<double>();
        }
      });
    }
    compute.threads.run(Index(to - from), [&](Index task) {
      Group& group = groups[from + task];
      Matrix C = group.by_missing ? Matrix(C_all - group.C) : std::move(group.C);
      group.C.resize(0, 0);
      const Matrix y = Y0(group.pattern->rows, group.pattern->columns).template cast<double>();
      group.weights =
          weight_posterior(std::move(C), A(Eigen::all, group.pattern->columns), y.squaredNorm(),
                           Index(group.pattern->rows.size()), sigma2, bool(pull), precision_of<T>, compute);
    });
  }

  /// Second sweep: d/dphi_n = sum over measured m of y_nm b_m' / sigma2 - phi_n sum over measured patterns of G_p.
  void scatter(const std::vector<Group>& groups, std::size_t from, std::size_t to) {
    MatrixT<T> Bt = MatrixT<T>::Zero(Y0.cols(), F());
    Matrix G_all = Matrix::Zero(F(), F());  // patterns that list their missing rows act on every row ...
    for (std::size_t g = from; g < to; ++g) {
      const std::vector<Index>& columns = groups[g].pattern->columns;
      Bt(columns, Eigen::all) = (groups[g].weights.B.transpose() / sigma2).template cast<T>();
      if (groups[g].by_missing) G_all += groups[g].weights.G;
    }
    const MatrixT<T> G_every = G_all.template cast<T>();
    const RowPlan plan = evidence_plan(N(), options, compute);
    std::vector<MatrixT<T>> buffers(plan.strands());
    for_each_block(compute, plan, [&](Index lane, Index begin, Index size) {
      const auto Phi = cache.again(begin, size, buffers[plan.strand_of(lane)]);
      MatrixT<T> dPhi = Y0.middleRows(begin, size) * Bt;
      dPhi.noalias() -= Phi * G_every;
      for (std::size_t g = from; g < to; ++g) {
        const std::vector<Index> rows = rows_in(groups[g], begin, size);
        if (rows.empty()) continue;
        const MatrixT<T> listed = Phi(rows, Eigen::all) * groups[g].weights.G.template cast<T>();
        if (groups[g].by_missing)
          dPhi(rows, Eigen::all) += listed;  // ... and are taken back where they are missing
        else
          dPhi(rows, Eigen::all) -= listed;
      }
      pull(lane, begin, Phi, dPhi);
    });
  }
};

}  // namespace

template <class T>
FeatureEvidence missing_form(const FeatureRows<T>& features, const Observations<T>& observations,
                             double sigma2, const PullFeatures<T>& pull, const EvidenceOptions& options,
                             const Compute& compute) {
  std::vector<Group> groups = make_groups(observations.patterns(), features.rows);
  Sweeper<T> sweeper{
      features,        observations, sigma2, pull, options, compute, CachedRows<T>(features, options),
      observations.Y()};
  sweeper.Y0 =
      sweeper.Y0.array().isNaN().select(MatrixT<T>::Zero(features.rows, observations.cols()), sweeper.Y0);

  // As many patterns at a time as half a gigabyte of F x F matrices allows; dL/dPhi is a sum over patterns, so each
  // batch hands on its own part.
  const double bytes = 16.0 * double(features.cols) * double(features.cols);
  const std::size_t batch = std::max<std::size_t>(8, std::size_t(536870912.0 / bytes));
  FeatureEvidence out{.form = EvidenceForm::features};
  for (std::size_t from = 0; from < groups.size(); from += batch) {
    const std::size_t to = std::min(groups.size(), from + batch);
    sweeper.gather(groups, from, to, from == 0);
    if (pull) sweeper.scatter(groups, from, to);
    for (std::size_t g = from; g < to; ++g) {
      out.value += groups[g].weights.value;
      out.dsigma2 += groups[g].weights.dsigma2;
      out.jitter = std::max(out.jitter, groups[g].weights.jitter);
      groups[g].weights = {};
    }
  }
  return out;
}

template FeatureEvidence missing_form<double>(const FeatureRows<double>&, const Observations<double>&, double,
                                              const PullFeatures<double>&, const EvidenceOptions&,
                                              const Compute&);
template FeatureEvidence missing_form<float>(const FeatureRows<float>&, const Observations<float>&, double,
                                             const PullFeatures<float>&, const EvidenceOptions&,
                                             const Compute&);

}  // namespace bochner
