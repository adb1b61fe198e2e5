#include "bochner/infer/elliptical_slice_rows.hpp"

#include <cmath>
#include <utility>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/infer/elliptical_bracket.hpp"

namespace bochner {

namespace {

constexpr Index max_shrinks = 100;

}  // namespace

Vector elliptical_slice_angles(const RowLogLikelihoods& likelihood, const std::vector<Index>& rows,
                               const std::vector<SlicePiece>& pieces, MatrixIn X, MatrixIn mean,
                               MatrixIn draw, std::vector<Rng>& rngs) {
  const char* const f = "elliptical_slice_angles";
  check_size(f, "number of rows", static_cast<Index>(rows.size()), "rows of X", X.rows());
  check_size(f, "rows of mean", mean.rows(), "rows of X", X.rows());
  check_size(f, "rows of draw", draw.rows(), "rows of X", X.rows());
  check_size(f, "number of generators", static_cast<Index>(rngs.size()), "number of pieces",
             static_cast<Index>(pieces.size()));
  const Vector now = likelihood(rows, X);
  std::vector<EllipticalBracket> brackets;
  std::vector<std::size_t> active;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    brackets.emplace_back(now.segment(pieces[p].begin, pieces[p].size).sum(), rngs[p]);
    if (!std::isfinite(brackets[p].level()))
      throw NumericalError("elliptical_slice_angles: the log likelihood of a piece is not finite");
    active.push_back(p);
  }
  for (Index shrinks = 0; !active.empty() && shrinks < max_shrinks; ++shrinks) {
    Index size = 0;
    for (const std::size_t p : active) size += pieces[p].size;
    Matrix proposal(size, X.cols());
    std::vector<Index> tried(static_cast<std::size_t>(size));
    Index at = 0;
    for (const std::size_t p : active) {
      const double c = std::cos(brackets[p].angle()), s = std::sin(brackets[p].angle());
      for (Index i = pieces[p].begin; i < pieces[p].begin + pieces[p].size; ++i, ++at) {
        proposal.row(at) = mean.row(i) + c * (X.row(i) - mean.row(i)) + s * draw.row(i);
        tried[static_cast<std::size_t>(at)] = rows[static_cast<std::size_t>(i)];
      }
    }
    const Vector value = likelihood(tried, proposal);
    std::vector<std::size_t> left;
    at = 0;
    for (const std::size_t p : active) {
      const double sum = value.segment(at, pieces[p].size).sum();
      at += pieces[p].size;
      if (brackets[p].accepts(sum)) continue;
      brackets[p].shrink(rngs[p]);
      left.push_back(p);
    }
    active = std::move(left);
  }
  Vector angle(static_cast<Index>(pieces.size()));
  for (std::size_t p = 0; p < pieces.size(); ++p) angle(static_cast<Index>(p)) = brackets[p].angle();
  for (const std::size_t p : active) angle(static_cast<Index>(p)) = 0;  // stays
  return angle;
}

}  // namespace bochner
