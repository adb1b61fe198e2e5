#include "bochner/symmetry/symmetry.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/kernels/any_kernel.hpp"

namespace bochner {
namespace {

constexpr Index most_looked_at = 200;

Index order_of(const std::vector<Symmetry>& symmetries) {
  Index T = 1;
  for (const Symmetry& s : symmetries) T *= s.order;
  return T;
}

/// f(s_1 .. s_J) for all 0 <= s_j < T_j, the last running fastest.
template <class F>
void for_each_index(const std::vector<Symmetry>& symmetries, const F& f) {
  std::vector<Index> s(symmetries.size(), 0);
  for (Index count = order_of(symmetries); count > 0; --count) {
    f(s);
    for (std::size_t j = s.size(); j-- > 0;) {
      if (++s[j] < symmetries[j].order) break;
      s[j] = 0;
    }
  }
}

Motion power(const Motion& g, Index times) {
  Motion out = identity_motion(g.b.size());
  for (Index i = 0; i < times; ++i) out = compose(g, out);
  return out;
}

Motion dense_identity(Index D) {
  return {.b = Vector::Zero(D), .from = {}, .sign = {}, .A = Matrix::Identity(D, D)};
}

[[noreturn]] void refuse(const Symmetry& s, const std::string& what) {
  throw InputError("the symmetry '" + s.name + "' " + what);
}

}  // namespace

Matrix Motion::linear() const {
  if (from.empty()) return A;
  Matrix out = Matrix::Zero(dims(), dims());
  for (Index i = 0; i < dims(); ++i) out(i, from[static_cast<std::size_t>(i)]) = sign(i);
  return out;
}

Matrix Motion::apply(MatrixIn X) const {
  check_size("Motion::apply", "columns of X", X.cols(), "dimensions of the motion", dims());
  Matrix out(X.rows(), X.cols());
  if (from.empty())
    out.noalias() = X * A.transpose();
  else
    for (Index n = 0; n < X.rows(); ++n)
      for (Index i = 0; i < dims(); ++i) out(n, i) = sign(i) * X(n, from[static_cast<std::size_t>(i)]);
  return out.rowwise() + b.transpose();
}

Matrix Motion::pull(MatrixIn dL_dMoved) const {
  if (from.empty()) return dL_dMoved * A;
  Matrix out(dL_dMoved.rows(), dL_dMoved.cols());
  for (Index n = 0; n < out.rows(); ++n)
    for (Index i = 0; i < dims(); ++i) out(n, from[static_cast<std::size_t>(i)]) = sign(i) * dL_dMoved(n, i);
  return out;
}

Motion identity_motion(Index D) {
  Motion g{.b = Vector::Zero(D),
           .from = std::vector<Index>(static_cast<std::size_t>(D)),
           .sign = Vector::Ones(D),
           .A = Matrix(0, 0)};
  std::iota(g.from.begin(), g.from.end(), Index{0});
  return g;
}

Motion compose(const Motion& second, const Motion& first) {
  Motion g{.b = second.apply(first.b.transpose()).row(0), .from = {}, .sign = {}, .A = Matrix(0, 0)};
  if (second.from.empty() || first.from.empty()) {
    g.A = second.linear() * first.linear();
    return g;
  }
  g.sign = second.sign;
  for (Index i = 0; i < g.dims(); ++i) {
    const Index middle = second.from[static_cast<std::size_t>(i)];
    g.from.push_back(first.from[static_cast<std::size_t>(middle)]);
    g.sign(i) *= first.sign(middle);
  }
  return g;
}

Symmetry negate(Index D, const std::vector<Index>& columns) {
  Motion g = identity_motion(D);
  for (const Index c : columns) {
    check_between("negate", "column", double(c), 0, double(D - 1));
    g.sign(c) = -1;
  }
  return {"negate", std::move(g), 2};
}

Symmetry reflect(MatrixIn V) {
  const Matrix gram = V.transpose() * V;
  if ((gram - Matrix::Identity(V.cols(), V.cols())).cwiseAbs().maxCoeff() > 1e-8)
    throw std::invalid_argument("reflect: the columns of V must be orthonormal");
  Motion g = dense_identity(V.rows());
  g.A -= 2 * V * V.transpose();
  return {"reflect", std::move(g), 2};
}

Symmetry rotate(Index D, Index first, Index second, Index order) {
  check_at_least("rotate", "order", order, 2);
  check_between("rotate", "first", double(first), 0, double(D - 1));
  check_between("rotate", "second", double(second), 0, double(D - 1));
  if (first == second) throw std::invalid_argument("rotate: a plane has two different columns");
  Motion g = dense_identity(D);
  const double c = std::cos(2 * pi / double(order)), s = std::sin(2 * pi / double(order));
  g.A(first, first) = g.A(second, second) = c;
  g.A(first, second) = -s;
  g.A(second, first) = s;
  return {"rotate", std::move(g), order};
}

Symmetry translate(VectorIn shift, Index order) {
  check_at_least("translate", "order", order, 2);
  Motion g = identity_motion(shift.size());
  g.b = shift;
  return {"translate", std::move(g), order};
}

Symmetry permute(const std::vector<Index>& from) {
  const auto D = static_cast<Index>(from.size());
  std::vector<bool> seen(from.size(), false);
  Motion g = identity_motion(D);
  g.from = from;
  for (Index i = 0; i < D; ++i) {
    const Index j = from[static_cast<std::size_t>(i)];
    check_between("permute", "an entry of from", double(j), 0, double(D - 1));
    if (seen[static_cast<std::size_t>(j)])
      throw std::invalid_argument("permute: column " + std::to_string(j) + " comes twice");
    seen[static_cast<std::size_t>(j)] = true;
  }
  Index order = 1;
  std::fill(seen.begin(), seen.end(), false);
  for (Index i = 0; i < D; ++i) {
    Index length = 0;
    for (Index j = i; !seen[static_cast<std::size_t>(j)]; j = from[static_cast<std::size_t>(j)], ++length)
      seen[static_cast<std::size_t>(j)] = true;
    if (length > 0) order = std::lcm(order, length);
  }
  return {"permute", std::move(g), order};
}

Symmetry flip_image(Index height, Index width, bool left_right) {
  std::vector<Index> from;
  for (Index r = 0; r < height; ++r)
    for (Index c = 0; c < width; ++c)
      from.push_back(left_right ? r * width + (width - 1 - c) : (height - 1 - r) * width + c);
  Symmetry s = permute(from);
  s.name = "flip";
  return s;
}

Symmetry shift_image(Index height, Index width, Index rows, Index columns) {
  check_between("shift_image", "rows", double(rows), 0, double(height - 1));
  check_between("shift_image", "columns", double(columns), 0, double(width - 1));
  std::vector<Index> from;
  for (Index r = 0; r < height; ++r)
    for (Index c = 0; c < width; ++c) from.push_back((r + rows) % height * width + (c + columns) % width);
  Symmetry s = permute(from);
  s.name = "shift";
  return s;
}

std::vector<HarmonicIndex> harmonic_indices(const std::vector<Symmetry>& symmetries) {
  std::vector<HarmonicIndex> out;
  for_each_index(symmetries, [&](const std::vector<Index>& t) {
    HarmonicIndex h{t};
    for (std::size_t j = 0; j < t.size(); ++j) {
      const Index T = symmetries[j].order;
      if (2 * t[j] > T) return;  // T - t_j stands for both
      if (t[j] != 0 && 2 * t[j] != T) h.multiplicity *= 2;
    }
    out.push_back(std::move(h));
  });
  return out;
}

std::vector<GroupElement> group_elements(const std::vector<Symmetry>& symmetries, Index D) {
  std::vector<GroupElement> out;
  for_each_index(symmetries, [&](const std::vector<Index>& s) {
    Motion g = identity_motion(D);
    for (std::size_t j = 0; j < s.size(); ++j) g = compose(power(symmetries[j].generator, s[j]), g);
    out.push_back({std::move(g), s});
  });
  return out;
}

void check_symmetries(const AnyKernel& kernel, const std::vector<Symmetry>& symmetries, MatrixIn X) {
  const Matrix some = X.topRows(std::min(most_looked_at, X.rows()));
  const Compute compute;
  const Matrix K = gram(kernel, some, compute);
  const double close = 1e-8 * std::max(K.cwiseAbs().maxCoeff(), 1e-300);
  const auto differs = [&](const Matrix& other) { return !((other - K).cwiseAbs().maxCoeff() <= close); };
  for (const Symmetry& s : symmetries) {
    check_size("check_symmetries", "dimensions of the symmetry", s.generator.b.size(), "columns of X",
               X.cols());
    const Matrix moved = s.generator.apply(some);
    if (differs(gram(kernel, moved, compute)))
      refuse(s, "changes the kernel " + kernel_name(kernel) +
                    ": k(Gx, Gy) is not k(x, y); use one length-scale for the columns that it mixes, or "
                    "another symmetry");
    if (differs(gram(kernel, some, power(s.generator, s.order).apply(some), compute)))
      refuse(s, "is not back where it began after " + std::to_string(s.order) + " turns");
    for (const Symmetry& other : symmetries) {
      const Matrix one_way = s.generator.apply(other.generator.apply(some)),
                   other_way = other.generator.apply(moved);
      if (differs(gram(kernel, one_way, other_way, compute)))
        refuse(s, "and '" + other.name + "' do not commute; use one of them");
    }
  }
}

}  // namespace bochner
