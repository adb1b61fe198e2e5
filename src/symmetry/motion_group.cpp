#include "motion_group.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bochner/core/errors.hpp"
#include "src/data/scaling_group.hpp"
#include "src/store/entries.hpp"

namespace bochner::detail {

namespace {

/// `from` must name every column once: Motion::pull relies on it.
bool is_permutation(std::vector<Index> from) {
  std::sort(from.begin(), from.end());
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i] != static_cast<Index>(i)) return false;
  return true;
}

}  // namespace

ModelGroup motions_group(const std::vector<Motion>& motions) {
  const auto G = static_cast<Index>(motions.size());
  const Index D = motions.front().dims();
  std::vector<Index> dense, from;
  for (Index g = 0; g < G; ++g)
    if (motions[static_cast<std::size_t>(g)].from.empty()) dense.push_back(g);
  const auto K = static_cast<Index>(dense.size());
  Matrix b(G, D), sign(G - K, D), A(K * D, D);
  Index signed_ones = 0, dense_ones = 0;
  for (Index g = 0; g < G; ++g) {
    const Motion& motion = motions[static_cast<std::size_t>(g)];
    b.row(g) = motion.b.transpose();
    if (motion.from.empty()) {
      A.middleRows(D * dense_ones++, D) = motion.A;
    } else {
      sign.row(signed_ones++) = motion.sign.transpose();
      from.insert(from.end(), motion.from.begin(), motion.from.end());
    }
  }
  ModelGroup out;
  out.set("b", std::move(b)).set("dense", integers(dense));
  out.set("from", integers(from)).set("sign", std::move(sign)).set("A", std::move(A));
  return out;
}

std::vector<Motion> motions_from(const ModelGroup& g, Index D) {
  const Matrix &b = g.matrix("b"), &sign = g.matrix("sign"), &A = g.matrix("A");
  const Index G = b.rows();
  check_shape(g, "b", b, std::max<Index>(G, 1), D);
  const std::vector<Index> dense = columns_from(g, "dense", G), from = columns_from(g, "from", D);
  const auto K = static_cast<Index>(dense.size());
  for (std::size_t i = 1; i < dense.size(); ++i)
    if (dense[i] <= dense[i - 1])
      throw InputError(fmt::format("{}: the entry 'dense' must be ascending", g.where()));
  check_shape(g, "A", A, K * D, D);
  check_shape(g, "sign", sign, G - K, D);
  check_length(g, "from", static_cast<Index>(from.size()), (G - K) * D);
  if (!b.allFinite() || !A.allFinite() || !(sign.array().abs() == 1).all())
    throw InputError(fmt::format("{}: motions need finite numbers and signs that are 1 or -1", g.where()));
  std::vector<Motion> out;
  for (Index i = 0, signed_ones = 0, dense_ones = 0; i < G; ++i) {
    Motion motion{.b = b.row(i).transpose(), .from = {}, .sign = {}, .A = Matrix(0, 0)};
    if (dense_ones < K && dense[static_cast<std::size_t>(dense_ones)] == i) {
      motion.A = A.middleRows(D * dense_ones++, D);
    } else {
      motion.from.assign(from.begin() + D * signed_ones, from.begin() + D * (signed_ones + 1));
      motion.sign = sign.row(signed_ones++).transpose();
      if (!is_permutation(motion.from))
        throw InputError(fmt::format("{}: motion {} does not take every column once", g.where(), i + 1));
    }
    out.push_back(std::move(motion));
  }
  return out;
}

}  // namespace bochner::detail
