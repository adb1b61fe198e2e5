#include "bochner/kernels/damped_waves.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/compute/vector_math.hpp"
#include "bochner/kernels/negative_exp.hpp"

namespace bochner {
namespace {

constexpr Index lanes = Waves::lanes;
constexpr Index tile = 256;  // columns per sweep over the rows: what a tile touches stays in the first cache
static_assert(lanes == Lanes::SizeAtCompileTime);

Eigen::Map<const Lanes> load(const double* p) { return Eigen::Map<const Lanes>(p); }
Eigen::Map<Lanes> store(double* p) { return Eigen::Map<Lanes>(p); }

/// The first `count` entries at p, then zeros.
Lanes load_part(const double* p, Index count) {
  Lanes padded = Lanes::Zero();
  std::copy(p, p + count, padded.data());
  return padded;
}

Index rounded_up(Index n) { return (n + lanes - 1) / lanes * lanes; }

/// exp(-q / 2) with q / 2 = decay(x_i) + decay(z_j) + sum_d (U_di - V_dj)^2, a sum of squares.
struct Damping {
  Matrix U, V;
  Vector decay_x, decay_z;

  Damping(double rho, const Waves& x, const Waves& z) {
    const double scale = std::sqrt(0.5 * std::abs(rho)), apart = 0.5 * (1 - std::abs(rho));
    U = scale * x.U;
    V = (rho < 0 ? -scale : scale) * z.U;
    decay_x = apart * x.U.colwise().squaredNorm().transpose();
    decay_z = apart * z.U.colwise().squaredNorm().transpose();
  }

  /// Row i, columns begin .. begin + size - 1, size a multiple of `lanes`.
  void fill(Index i, Index begin, Index size, double* E) const {
    for (Index j = 0; j < size; j += lanes) {
      Lanes e = -decay_x(i) - load(&decay_z(begin + j));
      for (Index d = 0; d < U.rows(); ++d) {
        const Lanes apart = U(d, i) - load(&V(d, begin + j));
        e = fused(-apart, apart, e);
      }
      store(E + j) = negative_exp(e);
    }
  }
};

}  // namespace

Waves Waves::zero(Index n, Index D) {
  const Index padded = rounded_up(n);
  return {.n = n, .U = Matrix::Zero(D, padded), .c = Vector::Zero(padded), .s = Vector::Zero(padded)};
}

Waves waves(VectorIn sd, VectorIn mu, MatrixIn X, VectorIn origin) {
  const Index n = X.rows(), D = X.cols();
  Waves w = Waves::zero(n, D);
  Vector phase = Vector::Zero(n);
  for (Index d = 0; d < D; ++d) {
    const Vector x = X.col(d).array() - origin(d);
    w.U.row(d).head(n) = sd(d) * x.transpose();
    phase += mu(d) * x;
  }
  sincos(phase.data(), w.s.data(), w.c.data(), n);
  return w;
}

void pull_waves(VectorIn sd, VectorIn mu, MatrixIn X, VectorIn origin, const Waves& w, const Waves& dw,
                VectorOut dlog_sd, VectorOut dmu, MatrixOut dX) {
  const Index n = w.n;
  const Vector dphase = (dw.s.array() * w.c.array() - dw.c.array() * w.s.array()).head(n);
  for (Index d = 0; d < X.cols(); ++d) {
    const auto du = dw.U.row(d).head(n).transpose();
    dlog_sd(d) += du.dot(w.U.row(d).head(n).transpose());  // u_d = sd_d x_d
    dmu(d) += dphase.dot((X.col(d).array() - origin(d)).matrix());
    dX.col(d) += sd(d) * du + mu(d) * dphase;
  }
}

void add_damped_waves(double weight, double rho, const Waves& x, const Waves& z, MatrixOut K) {
  const Damping damping(rho, x, z);
  alignas(64) double E[tile];
  for (Index begin = 0; begin < z.n; begin += tile) {
    const Index size = std::min(tile, z.n - begin), padded = rounded_up(size);
    for (Index i = 0; i < x.n; ++i) {
      damping.fill(i, begin, padded, E);
      const double c = weight * x.c(i), s = weight * x.s(i);
      for (Index j = 0; j < padded; j += lanes)
        store(E + j) *= fused(Lanes::Constant(c), load(&z.c(begin + j)), s * load(&z.s(begin + j)));
      double* k = &K(i, begin);
      for (Index j = 0; j < size; ++j) k[j] += E[j];
    }
  }
}

DampedWavesAdjoint pull_damped_waves(double weight, double rho, const Waves& x, const Waves& z,
                                     MatrixIn dL_dK, Waves& dx, Waves& dz) {
  // With H = dL/dK o exp(-q/2) and P = weight H o (c_i c_j + s_i s_j) = dL/dK o weight t:
  //   dL/dc_i = weight sum_j H_ij c_j,  dL/ds_i alike,  dL/dlog weight = sum P,
  //   dL/du_i = -sum_j P_ij (u_i - rho v_j),  dL/drho = sum_ij P_ij u_i'v_j,  and the same for columns.
  const Index D = x.U.rows();
  const Damping damping(rho, x, z);
  DampedWavesAdjoint out;
  alignas(64) double P[tile], zc[tile], zs[tile];
  Matrix zPu(D, tile);  // sum_i P_ij u_i
  for (Index begin = 0; begin < z.n; begin += tile) {
    const Index size = std::min(tile, z.n - begin), padded = rounded_up(size);
    std::fill(zc, zc + padded, 0.0);
    std::fill(zs, zs + padded, 0.0);
    zPu.setZero();
    for (Index i = 0; i < x.n; ++i) {
      damping.fill(i, begin, padded, P);
      const double c = weight * x.c(i), s = weight * x.s(i);
      const double* g = dL_dK.row(i).data() + begin;
      Lanes xc = Lanes::Zero(), xs = Lanes::Zero();
      for (Index j = 0; j < padded; j += lanes) {
        const Lanes c_j = load(&z.c(begin + j)), s_j = load(&z.s(begin + j));
        const Lanes h = load(P + j) * (j + lanes <= size ? Lanes(load(g + j)) : load_part(g + j, size - j));
        xc = fused(h, c_j, xc);
        xs = fused(h, s_j, xs);
        store(zc + j) = fused(Lanes::Constant(c), h, load(zc + j));
        store(zs + j) = fused(Lanes::Constant(s), h, load(zs + j));
        store(P + j) = h * fused(Lanes::Constant(c), c_j, s * s_j);
      }
      const double sum_c = xc.sum(), sum_s = xs.sum(), sum_p = c * sum_c + s * sum_s;
      dx.c(i) += weight * sum_c;
      dx.s(i) += weight * sum_s;
      out.dlog_weight += sum_p;
      for (Index d = 0; d < D; ++d) {
        const double u = x.U(d, i);
        Lanes Pv = Lanes::Zero();
        for (Index j = 0; j < padded; j += lanes) {
          Pv = fused(load(P + j), load(&z.U(d, begin + j)), Pv);
          store(&zPu(d, j)) = fused(Lanes::Constant(u), load(P + j), load(&zPu(d, j)));
        }
        const double sum_pv = Pv.sum();
        dx.U(d, i) += rho * sum_pv - sum_p * u;
        out.drho += u * sum_pv;
      }
    }
    for (Index j = 0; j < size; ++j) {
      const double sum_p = z.c(begin + j) * zc[j] + z.s(begin + j) * zs[j];
      dz.c(begin + j) += zc[j];
      dz.s(begin + j) += zs[j];
      for (Index d = 0; d < D; ++d) dz.U(d, begin + j) += rho * zPu(d, j) - sum_p * z.U(d, begin + j);
    }
  }
  return out;
}

namespace {

/// exp(-q / 2) of each pair.
Vector pair_damping(double rho, const Waves& x, const Waves& z) {
  const double sign = rho < 0 ? -1 : 1;
  Vector e =
      -0.5 * (1 - std::abs(rho)) * (x.U.colwise().squaredNorm() + z.U.colwise().squaredNorm()).transpose();
  e -= 0.5 * std::abs(rho) * (x.U - sign * z.U).colwise().squaredNorm().transpose();
  exp(e.data(), e.data(), x.n);
  return e.head(x.n);
}

}  // namespace

Vector damped_wave_pairs(double weight, double rho, const Waves& x, const Waves& z) {
  const Index n = x.n;
  return weight * pair_damping(rho, x, z).array() *
         (x.c.head(n).array() * z.c.head(n).array() + x.s.head(n).array() * z.s.head(n).array());
}

DampedWavesAdjoint pull_damped_wave_pairs(double weight, double rho, const Waves& x, const Waves& z,
                                          VectorIn dL_dt, Waves& dx, Waves& dz) {
  const Index n = x.n, D = x.U.rows();
  const Vector H = weight * pair_damping(rho, x, z).cwiseProduct(dL_dt);
  const Vector P =
      H.array() * (x.c.head(n).array() * z.c.head(n).array() + x.s.head(n).array() * z.s.head(n).array());
  dx.c.head(n) += H.cwiseProduct(z.c.head(n));
  dx.s.head(n) += H.cwiseProduct(z.s.head(n));
  dz.c.head(n) += H.cwiseProduct(x.c.head(n));
  dz.s.head(n) += H.cwiseProduct(x.s.head(n));
  DampedWavesAdjoint out{.dlog_weight = P.sum()};
  for (Index d = 0; d < D; ++d) {
    const auto u = x.U.row(d).head(n).transpose(), v = z.U.row(d).head(n).transpose();
    dx.U.row(d).head(n) -= P.cwiseProduct(u - rho * v).transpose();
    dz.U.row(d).head(n) -= P.cwiseProduct(v - rho * u).transpose();
    out.drho += P.dot(u.cwiseProduct(v));
  }
  return out;
}

}  // namespace bochner
