#include "latents.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "bochner/compute/row_plan.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/infer/elliptical_slice_rows.hpp"

namespace bochner {

namespace {

constexpr Index rows_together = 64;  // one matrix product for so many

/// Pieces of a grid of one length, cut at a random place and where groups begin.
std::vector<SlicePiece> cut(const TimeGrid& grid, Index length, Index offset) {
  std::vector<SlicePiece> out;
  Index begin = 0;
  for (Index i = 1; i <= grid.size(); ++i) {
    const bool ends = i == grid.size() || grid.gap(i) == 0 || (i + offset) % length == 0;
    if (!ends) continue;
    out.push_back({begin, i - begin});
    begin = i;
  }
  return out;
}

}  // namespace

void update_rows(BayesState& state, const std::vector<BayesTable>& tables, const Rng& rng,
                 const Compute& compute) {
  const LatentLikelihood likelihood(tables, state.views);
  const Index N = state.X.rows(), Q = state.X.cols();
  Matrix X = state.X;
  for_each_block(compute, N, rows_together, [&](Index begin, Index size) {
    std::vector<Index> rows;
    std::vector<SlicePiece> pieces;
    std::vector<Rng> rngs;
    Matrix draw(size, Q);
    for (Index i = 0; i < size; ++i) {
      rows.push_back(begin + i);
      pieces.push_back({i, 1});
      rngs.push_back(rng.split(static_cast<std::uint64_t>(begin + i)));
      draw.row(i) = rngs.back().normal(Q).transpose();
    }
    const Matrix now = state.X.middleRows(begin, size);
    const Vector angle =
        elliptical_slice_angles(std::cref(likelihood), rows, pieces, now, Matrix::Zero(size, Q), draw, rngs);
    X.middleRows(begin, size) =
        now.array().colwise() * angle.array().cos() + draw.array().colwise() * angle.array().sin();
  });
  state.X = X;
}

namespace {

/// All that a pass over paths works on, in the order of the grid.
struct Paths {
  const TimeGrid& grid;
  std::vector<std::vector<PathStep>> steps;  // of each dimension
  std::vector<PathStates> states;            // of each dimension, in natural units
  Vector sd;                                 // Q, of the processes
};

Paths paths_of(const BayesState& state, const TimeGrid& grid, const Rng& rng, const Compute& compute) {
  const Index Q = state.X.cols();
  Paths out{grid, {}, {}, Vector(Q)};
  out.steps.resize(static_cast<std::size_t>(Q));
  out.states.resize(static_cast<std::size_t>(Q));
  compute.threads.run(Q, [&](Index d) {
    const auto at = static_cast<std::size_t>(d);
    out.sd(d) = std::sqrt(state.paths[at].variance);
    out.steps[at] = path_steps(state.paths[at], grid);
    Rng own = rng.split(static_cast<std::uint64_t>(d));
    out.states[at] = draw_states_given(out.steps[at], grid.sorted(state.X.col(d)) / out.sd(d), own);
  });
  return out;
}

/// Moves some pieces, none next to another, each on its own ellipse given the states around it.
void move_pieces(const LatentLikelihood& likelihood, const std::vector<SlicePiece>& pieces, const Rng& rng,
                 Paths& paths) {
  const auto Q = static_cast<Index>(paths.states.size());
  Index total = 0;
  for (const SlicePiece& piece : pieces) total += piece.size;
  Matrix X(total, Q), mean(total, Q), draw(total, Q);
  std::vector<Index> rows;
  std::vector<SlicePiece> local;
  std::vector<Rng> rngs;
  std::vector<std::vector<PathBridge>> bridges;  // of each piece and dimension
  Index at = 0;
  for (const SlicePiece& piece : pieces) {
    Rng own = rng.split(static_cast<std::uint64_t>(piece.begin));
    bridges.emplace_back();
    for (Index d = 0; d < Q; ++d) {
      const auto q = static_cast<std::size_t>(d);
      bridges.back().push_back(
          draw_bridge(paths.steps[q], paths.states[q], paths.grid, piece.begin, piece.size, own));
      X.col(d).segment(at, piece.size) =
          paths.sd(d) * paths.states[q].col(0).segment(piece.begin, piece.size);
      mean.col(d).segment(at, piece.size) = paths.sd(d) * bridges.back().back().mean.col(0);
      draw.col(d).segment(at, piece.size) = paths.sd(d) * bridges.back().back().draw.col(0);
    }
    for (Index i = 0; i < piece.size; ++i)
      rows.push_back(paths.grid.order[static_cast<std::size_t>(piece.begin + i)]);
    local.push_back({at, piece.size});
    rngs.push_back(own);
    at += piece.size;
  }
  const Vector angle = elliptical_slice_angles(std::cref(likelihood), rows, local, X, mean, draw, rngs);
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const double c = std::cos(angle(static_cast<Index>(p))), s = std::sin(angle(static_cast<Index>(p)));
    for (std::size_t q = 0; q < paths.states.size(); ++q) {
      const PathBridge& bridge = bridges[p][q];
      auto part = paths.states[q].middleRows(pieces[p].begin, pieces[p].size);
      part = bridge.mean + c * (part - bridge.mean) + s * bridge.draw;
    }
  }
}

/// Moves all pieces of about one length.
void move_all(const LatentLikelihood& likelihood, Index length, Index offset, const Rng& rng,
              const Compute& compute, Paths& paths) {
  const std::vector<SlicePiece> pieces = cut(paths.grid, length, offset);
  const auto together = static_cast<std::size_t>(std::max<Index>(1, rows_together / length));
  for (const std::size_t colour : {0, 1}) {
    std::vector<std::vector<SlicePiece>> chunks;  // a piece and its neighbours have different colours
    for (std::size_t p = colour; p < pieces.size(); p += 2) {
      if (chunks.empty() || chunks.back().size() == together) chunks.emplace_back();
      chunks.back().push_back(pieces[p]);
    }
    compute.threads.run(static_cast<Index>(chunks.size()), [&](Index c) {
      move_pieces(likelihood, chunks[static_cast<std::size_t>(c)], rng, paths);
    });
  }
}

}  // namespace

void update_paths(BayesState& state, const TimeGrid& grid, const std::vector<BayesTable>& tables,
                  const Rng& rng, const Compute& compute) {
  const LatentLikelihood likelihood(tables, state.views);
  Paths paths = paths_of(state, grid, rng.split("states"), compute);
  Rng plan = rng.split("cut");
  // Rows alone, which is what moves where entries say much about a row, and pieces of 2, 4 .. up to all rows, each as
  // likely, which is what moves where they say little.
  const Index doublings = static_cast<Index>(std::ceil(std::log2(double(std::max<Index>(grid.size(), 2)))));
  const Index length = Index{2} << plan.below(doublings);
  move_all(likelihood, 1, 0, rng.split("row"), compute, paths);
  move_all(likelihood, length, plan.below(length), rng.split("piece"), compute, paths);
  for (Index d = 0; d < state.X.cols(); ++d) {
    const Vector x = paths.sd(d) * paths.states[static_cast<std::size_t>(d)].col(0);
    state.X.col(d) = grid.unsorted(x);
  }
}

}  // namespace bochner
