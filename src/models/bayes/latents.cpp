#include "latents.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/compute/row_plan.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/infer/slice.hpp"

namespace bochner {

namespace {

constexpr Index rows_together = 64;  // one matrix product for so many
constexpr Index max_shrinks = 100;

/// Rows that move together on one ellipse: positions begin .. begin + size - 1 of the rows of a chunk.
struct Piece {
  Index begin, size;
};

/// Elliptical slice sampling [murray2010, Fig. 2] of several pieces at once: returns the angle of each. The likelihood of
/// all pieces that have not settled is one call, so that its matrix products are large.
Vector slice_angles(const LatentLikelihood& likelihood, const std::vector<Index>& rows,
                    const std::vector<Piece>& pieces, MatrixIn X, MatrixIn mean, MatrixIn draw,
                    std::vector<Rng>& rngs) {
  const auto P = static_cast<Index>(pieces.size());
  const Vector now = likelihood(rows, X);
  Vector level(P), angle(P), low(P), high(P);
  std::vector<Index> active;
  for (Index p = 0; p < P; ++p) {
    const Piece& piece = pieces[static_cast<std::size_t>(p)];
    Rng& rng = rngs[static_cast<std::size_t>(p)];
    level(p) = now.segment(piece.begin, piece.size).sum() + std::log(rng.uniform());
    angle(p) = 2 * pi * rng.uniform();
    low(p) = angle(p) - 2 * pi;
    high(p) = angle(p);
    if (!std::isfinite(level(p))) throw NumericalError("the likelihood of a latent is not finite");
    active.push_back(p);
  }
  for (Index shrinks = 0; !active.empty() && shrinks < max_shrinks; ++shrinks) {
    std::vector<Index> tried;
    for (const Index p : active) {
      const Piece& piece = pieces[static_cast<std::size_t>(p)];
      for (Index i = 0; i < piece.size; ++i) tried.push_back(piece.begin + i);
    }
    Matrix proposal(static_cast<Index>(tried.size()), X.cols());
    std::vector<Index> table_rows(tried.size());
    Index at = 0;
    for (const Index p : active) {
      const Piece& piece = pieces[static_cast<std::size_t>(p)];
      const double c = std::cos(angle(p)), s = std::sin(angle(p));
      for (Index i = piece.begin; i < piece.begin + piece.size; ++i, ++at) {
        proposal.row(at) = mean.row(i) + c * (X.row(i) - mean.row(i)) + s * draw.row(i);
        table_rows[static_cast<std::size_t>(at)] = rows[static_cast<std::size_t>(i)];
      }
    }
    const Vector value = likelihood(table_rows, proposal);
    std::vector<Index> left;
    at = 0;
    for (const Index p : active) {
      const Index size = pieces[static_cast<std::size_t>(p)].size;
      const double sum = value.segment(at, size).sum();
      at += size;
      if (sum > level(p)) continue;  // also false for NaN
      (angle(p) < 0 ? low : high)(p) = angle(p);
      angle(p) = low(p) + (high(p) - low(p)) * rngs[static_cast<std::size_t>(p)].uniform();
      left.push_back(p);
    }
    active = std::move(left);
  }
  for (const Index p : active) angle(p) = 0;  // stays
  return angle;
}

/// Pieces of a grid of one length, cut at a random place and where groups begin.
std::vector<Piece> cut(const TimeGrid& grid, Index length, Index offset) {
  std::vector<Piece> out;
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
    std::vector<Piece> pieces;
    std::vector<Rng> rngs;
    Matrix draw(size, Q);
    for (Index i = 0; i < size; ++i) {
      rows.push_back(begin + i);
      pieces.push_back({i, 1});
      rngs.push_back(rng.split(static_cast<std::uint64_t>(begin + i)));
      draw.row(i) = rngs.back().normal(Q).transpose();
    }
    const Matrix now = state.X.middleRows(begin, size);
    const Vector angle = slice_angles(likelihood, rows, pieces, now, Matrix::Zero(size, Q), draw, rngs);
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
void move_pieces(const LatentLikelihood& likelihood, const std::vector<Piece>& pieces, const Rng& rng,
                 Paths& paths) {
  const auto Q = static_cast<Index>(paths.states.size());
  Index total = 0;
  for (const Piece& piece : pieces) total += piece.size;
  Matrix X(total, Q), mean(total, Q), draw(total, Q);
  std::vector<Index> rows;
  std::vector<Piece> local;
  std::vector<Rng> rngs;
  std::vector<std::vector<PathBridge>> bridges;  // of each piece and dimension
  Index at = 0;
  for (const Piece& piece : pieces) {
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
  const Vector angle = slice_angles(likelihood, rows, local, X, mean, draw, rngs);
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
  const std::vector<Piece> pieces = cut(paths.grid, length, offset);
  const auto together = static_cast<std::size_t>(std::max<Index>(1, rows_together / length));
  for (const std::size_t colour : {0, 1}) {
    std::vector<std::vector<Piece>> chunks;  // a piece and its neighbours have different colours
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

void update_path_priors(BayesState& state, const TimeGrid& grid, const BayesPriors& priors,
                        double log_ell_mean, Rng& rng) {
  const Index N = state.X.rows();
  for (Index d = 0; d < state.X.cols(); ++d) {
    PathPrior& path = state.paths[static_cast<std::size_t>(d)];
    const Vector x = grid.sorted(state.X.col(d));
    const auto log_density = [&](double log_ell) {
      PathPrior other = path;
      other.ell = std::exp(log_ell);
      const double u = (log_ell - log_ell_mean) / priors.log_ell_sd;
      return path_density(path_steps(other, grid), x / std::sqrt(path.variance)).log_density - 0.5 * u * u;
    };
    const double log_ell = std::log(path.ell);
    path.ell = std::exp(slice_sample(log_density, log_ell, log_density(log_ell), rng, {.width = 0.5}).x);
    const double quadratic = path_density(path_steps(path, grid), x).quadratic;
    path.variance = (priors.path_variance_scale + 0.5 * quadratic) /
                    rng.gamma(priors.path_variance_shape + 0.5 * double(N));
  }
}

void update_scale_and_shift(BayesState& state, const TimeGrid* grid, const BayesPriors& priors, Rng& rng) {
  const Index N = state.X.rows(), Q = state.X.cols();
  for (Index d = 0; d < Q; ++d) {
    // The prior of x_d: -1/2 (quadratic + 2 s cross + s^2 ones) after a shift by s.
    PathDensity of_x{
        .quadratic = state.X.col(d).squaredNorm(), .ones = double(N), .cross = state.X.col(d).sum()};
    if (grid != nullptr) {
      const PathPrior& path = state.paths[static_cast<std::size_t>(d)];
      of_x = path_density(path_steps(path, *grid), grid->sorted(state.X.col(d)));
      of_x.quadratic /= path.variance;
      of_x.ones /= path.variance;
      of_x.cross /= path.variance;
    }
    const double s = (-of_x.cross / of_x.ones) + rng.normal() / std::sqrt(of_x.ones);
    state.X.col(d).array() += s;
    for (BayesViewState& view : state.views) {
      const Index L = view.W.rows();
      for (Index l = 0; l < L; ++l) {
        const double c = std::cos(view.W(l, d) * s), z = std::sin(view.W(l, d) * s);
        const Eigen::RowVectorXd cosine = view.B.row(l), sine = view.B.row(L + l);
        view.B.row(l) = c * cosine - z * sine;
        view.B.row(L + l) = z * cosine + c * sine;
      }
    }
    // After x_d -> c x_d the prior of x_d is exp(-c^2 quadratic / 2) c^N, that of a component (Sigma_dd of scale psi)
    // exp(-c^2 psi (Sigma^-1)_dd / 2) c^degrees, and the measure dc / c: c^2 is a gamma variable.
    double power = double(N), rate = of_x.quadratic + s * (2 * of_x.cross + s * of_x.ones);
    for (const BayesViewState& view : state.views)
      for (const SpectralComponent& component : view.mixture.components) {
        const Vector e = component.L.triangularView<Eigen::Lower>().solve(Vector::Unit(Q, d));
        power += priors.frequencies.degrees_for(Q);
        rate += priors.frequencies.scale * e.squaredNorm();
      }
    const double c = std::sqrt(rng.gamma(0.5 * power) / (0.5 * rate));
    state.X.col(d) *= c;
    for (BayesViewState& view : state.views) {
      view.W.col(d) /= c;
      for (SpectralComponent& component : view.mixture.components) {
        component.mean(d) /= c;
        component.L.row(d) /= c;
      }
    }
  }
}

}  // namespace bochner
