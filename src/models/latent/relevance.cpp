#include "bochner/models/latent/relevance.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "bochner/assess/normal_interval.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/data/scaling.hpp"

namespace bochner {

Relevance relevance_of(const std::vector<ColumnErrors>& errors) {
  const auto V = static_cast<Index>(errors.size());
  Relevance out{Matrix(V, V == 0 ? 0 : errors.front().without.cols()), {}, Vector(V), {}};
  // No part is larger than the whole: averaged out, a dimension may leave predictions that are worse than the means.
  const auto part = [](double without, double with, double all) {
    return all > 0 ? std::clamp((without - with) / all, 0.0, std::clamp(1 - with / all, 0.0, 1.0)) : 0.0;
  };
  for (Index v = 0; v < V; ++v) {
    const ColumnErrors& e = errors[static_cast<std::size_t>(v)];
    const double total = e.total.sum(), with_all = e.with_all.sum();
    Matrix by_column(e.total.size(), e.without.cols());
    for (Index q = 0; q < e.without.cols(); ++q) {
      out.by_view(v, q) = part(e.without.col(q).sum(), with_all, total);
      for (Index m = 0; m < e.total.size(); ++m)
        by_column(m, q) = part(e.without(m, q), e.with_all(m), e.total(m));
    }
    out.by_column.push_back(std::move(by_column));
    out.explained(v) = total > 0 ? 1 - with_all / total : 0.0;
    out.entries.push_back(e.entries);
  }
  return out;
}

Vector squared_errors(MatrixIn Y, MatrixIn F) {
  return Y.array().isNaN().select(0.0, Y - F).colwise().squaredNorm();
}

Vector carriers(MatrixIn squares) {
  Vector out = Vector::Zero(squares.cols());
  for (Index m = 0; m < squares.cols(); ++m) {
    const double largest = squares.rows() > 0 ? squares.col(m).maxCoeff() : 0.0;
    if (!(largest > 0)) continue;
    const Vector share = squares.col(m) / largest;  // whose squares neither overflow nor vanish
    out(m) = share.sum() * share.sum() / share.squaredNorm();
  }
  return out;
}

ColumnErrors errors_of_means(MatrixIn squares, Index dims) {
  return {squares.colwise().sum(), Vector::Zero(squares.cols()), Matrix::Zero(squares.cols(), dims),
          carriers(squares)};
}

Matrix squares_around_means(MatrixIn Y) {
  const Vector means = fit_scaling(Y, ScalingKind::centre).centre;
  return Y.array().isNaN().select(0.0, (Y.rowwise() - means.transpose()).cwiseAbs2());
}

double lower_relevance(double relevance, double entries, Index dims) {
  const double known = entries - double(dims) - 2;
  if (!(known > 0) || !(relevance > 0)) return 0;
  constexpr double most = 1 - 1e-12;  // atanh of more is infinite
  const double z = std::atanh(std::sqrt(std::min(relevance, most))),
               half = normal_quantile_of_interval(0.9) / std::sqrt(known);
  const double r = std::tanh(std::max(z - half, 0.0));
  return r * r;
}

BoolMatrix views_of_dimensions(const Relevance& relevance) {
  constexpr double least = 0.01, share = 0.05;
  BoolMatrix out(relevance.by_view.rows(), relevance.by_view.cols());
  for (Index v = 0; v < out.rows(); ++v)
    out.row(v) = relevance.by_view.row(v).array() > std::max(least, share * relevance.explained(v));
  return out;
}

constexpr double least_of_top = 0.001;  // of the variance of a column: less is nothing to look at

std::vector<TopColumn> top_columns(const Relevance& relevance, const std::vector<Matrix>& loadings, Index q,
                                   Index most) {
  std::vector<TopColumn> out;
  for (std::size_t v = 0; v < relevance.by_column.size(); ++v)
    for (Index m = 0; m < relevance.by_column[v].rows(); ++m)
      if (const double own = relevance.by_column[v](m, q); own > least_of_top)
        out.push_back({Index(v), m, own, loadings.empty() ? 0.0 : loadings[v](m, q),
                       lower_relevance(own, relevance.entries[v](m), relevance.by_column[v].cols())});
  std::stable_sort(out.begin(), out.end(), [](const TopColumn& a, const TopColumn& b) {
    return std::tie(a.lower, a.relevance) > std::tie(b.lower, b.relevance);
  });
  if (Index(out.size()) > most) out.resize(static_cast<std::size_t>(most));
  return out;
}

Vector response_values(MatrixIn latents, Index q, Index count) {
  check_between("response_values", "q", double(q), 0, double(latents.cols() - 1));
  Vector x = latents.col(q);
  std::sort(x.begin(), x.end());
  const auto at = [&](double share) {
    return x(static_cast<Index>(std::lround(share * double(x.size() - 1))));
  };
  return Vector::LinSpaced(count, at(0.025), at(0.975));
}

}  // namespace bochner
