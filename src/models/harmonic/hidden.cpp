#include "hidden.hpp"

#include <cmath>

#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

constexpr double floor = 1e-6;  // under square roots, whose derivative at 0 is infinite

Matrix inputs_of_kernel(const HiddenLayer& layer, MatrixIn inputs) {
  return layer.patches ? layer.patches->gather(inputs) : Matrix(inputs);
}

/// n x R with the P places of a row below each other -> N x P R, an image with R channels.
Matrix as_rows(const HiddenLayer& layer, const Matrix& f) {
  const Index P = layer.places(), N = f.rows() / P, R = f.cols();
  Matrix out = Eigen::Map<const Matrix>(f.data(), N, P * R);
  return layer.pool ? mean_pool({layer.patches->rows(), layer.patches->cols(), R}, out) : out;
}

Matrix pull_rows(const HiddenLayer& layer, MatrixIn dout) {
  const Index P = layer.places(), R = layer.functions();
  const Matrix d =
      layer.pool ? mean_pool_pullback({layer.patches->rows(), layer.patches->cols(), R}, dout) : Matrix(dout);
  return Eigen::Map<const Matrix>(d.data(), d.rows() * P, R);
}

/// f += Psi'M, blocks of the rows of f in parallel.
void add_transposed_product(const Matrix& Psi, const Matrix& M, Matrix& f, const Compute& compute) {
  for_each_block(compute, f.rows(), 256, [&](Index begin, Index size) {
    f.middleRows(begin, size).noalias() += Psi.middleCols(begin, size).transpose() * M;
  });
}

std::vector<Matrix> noise_of(const HiddenLayer& layer, std::size_t place, Index rows,
                             const HiddenNoise& noise, const Compute& compute) {
  const Index P = layer.places(), H = layer.groups();
  std::vector<Matrix> out(at(H + 1), Matrix(rows * P, layer.functions()));
  for_each_block(compute, rows, 16, [&](Index begin, Index size) {
    for (Index n = begin; n < begin + size; ++n) {
      const Matrix drawn = noise.draw(place, n, layer);
      for (Index h = 0; h <= H; ++h) out[at(h)].middleRows(n * P, P) = drawn.middleRows(h * P, P);
    }
  });
  return out;
}

}  // namespace

Matrix HiddenNoise::draw(std::size_t layer, Index row, const HiddenLayer& shape) const {
  Rng stream = rng.split(static_cast<std::uint64_t>(layer));
  if (!alike) stream = stream.split(static_cast<std::uint64_t>(first_row + row));
  return sign * stream.normal((shape.groups() + 1) * shape.places(), shape.functions());
}

HiddenGradient zero_gradient(const HiddenLayer& layer) {
  const auto zeros = [](const std::vector<Matrix>& like) {
    std::vector<Matrix> out;
    for (const Matrix& one : like) out.push_back(Matrix::Zero(one.rows(), one.cols()));
    return out;
  };
  return {Vector::Zero(parameter_count(layer.kernel)), zeros(layer.Z), zeros(layer.mean), zeros(layer.factor),
          zeros(layer.output_factor)};
}

HiddenFactors factorise(const HiddenLayer& layer, const Compute& compute) {
  const Inducing points = inducing_of(layer);
  HiddenFactors out{.blocks = blocks_of(points)};
  out.factors = factorise(points, out.blocks, compute);
  return out;
}

// f = map'x + sum_h Psi_h'mean_h + sum_h sqrt(a_h + j) eps_h G_h' + sqrt(c + j) eps_0
HiddenDraw draw_hidden(const HiddenLayer& layer, const HiddenFactors& factors, std::size_t place,
                       MatrixIn inputs, const HiddenNoise& noise, const Compute& compute) {
  check_size("draw_hidden", "columns of inputs", inputs.cols(), "those of the layer", layer.inputs());
  const Index H = layer.groups();
  HiddenDraw d{.X = inputs_of_kernel(layer, inputs)};
  d.Psi = whitened_features(inducing_of(layer), factors.blocks, factors.factors, d.X, compute);
  d.A.resize(at(H));
  for_each_group(H, compute, [&](Index h) {
    d.A[at(h)] = lower_transposed_times(layer.factor[at(h)], d.Psi[at(h)], compute);
  });
  d.kept.resize(d.X.rows(), H);
  d.residual = diagonal(layer.kernel, d.X);
  d.noise = noise_of(layer, place, inputs.rows(), noise, compute);
  Matrix f = multiply<double>(d.X, layer.map, compute);
  for (Index h = 0; h < H; ++h) {
    const Matrix& Psi = d.Psi[at(h)];
    add_transposed_product(Psi, layer.mean[at(h)], f, compute);
    d.residual -= Psi.colwise().squaredNorm().transpose();
    d.kept.col(h) = d.A[at(h)].colwise().squaredNorm().transpose();
    const Vector sd = (d.kept.col(h).array() + floor).sqrt();
    f += sd.asDiagonal() * (d.noise[at(h + 1)] * layer.output_factor[at(h)].transpose());
  }
  d.residual = d.residual.cwiseMax(0);
  f += (d.residual.array() + floor).sqrt().matrix().asDiagonal() * d.noise.front();
  d.out = as_rows(layer, f);
  return d;
}

Matrix pull_hidden(const HiddenLayer& layer, const HiddenFactors& factors, const HiddenDraw& d,
                   MatrixIn dL_dout, HiddenGradient& g, const Compute& compute) {
  const Index H = layer.groups();
  const Matrix D = pull_rows(layer, dL_dout);  // n x R
  // dL/dc; a residual that rounding made negative does not move
  const Vector dresidual = (d.residual.array() > 0)
                               .select(D.cwiseProduct(d.noise.front()).rowwise().sum().array() /
                                           (2 * (d.residual.array() + floor).sqrt()),
                                       0.0);
  std::vector<Matrix> dPsi(at(H));
  for_each_group(H, compute, [&](Index h) {
    const Matrix &Psi = d.Psi[at(h)], &A = d.A[at(h)], &G = layer.output_factor[at(h)],
                 &eps = d.noise[at(h + 1)];
    const Vector sd = (d.kept.col(h).array() + floor).sqrt();
    const Vector dkept = D.cwiseProduct(eps * G.transpose()).rowwise().sum().array() / (2 * sd.array());
    Matrix dG = (sd.asDiagonal() * D).transpose() * eps;
    dG.triangularView<Eigen::StrictlyUpper>().setZero();
    g.output_factor[at(h)] += dG;
    g.mean[at(h)] += multiply<double>(Psi, D, compute);
    g.factor[at(h)] += lower_of_product(Psi * (2 * dkept).asDiagonal(), A, compute);
    dPsi[at(h)] = lower_times(layer.factor[at(h)], A * (2 * dkept).asDiagonal(), compute);
    dPsi[at(h)] += multiply<double>(layer.mean[at(h)], D.transpose(), compute);
    dPsi[at(h)] -= 2 * Psi * dresidual.asDiagonal();
  });
  const FeaturesPullback pulled =
      pull_features(inducing_of(layer), factors.blocks, factors.factors, d.X, d.Psi, dPsi, compute);
  g.kernel += pulled.kernel;
  for (std::size_t b = 0; b < g.Z.size(); ++b) g.Z[b] += pulled.Z[b];
  Matrix dX = pulled.X;
  pull_diagonal(layer.kernel, d.X, dresidual, g.kernel, dX);
  dX += multiply<double>(D, layer.map.transpose(), compute);
  return layer.patches ? layer.patches->scatter(dX) : dX;
}

double divergence(const HiddenLayer& layer) {
  double kl = 0;
  for (std::size_t h = 0; h < layer.mean.size(); ++h) {
    const Matrix &F = layer.factor[h], &G = layer.output_factor[h];
    const double m = double(F.rows()), R = double(G.rows());
    kl += 0.5 * (F.squaredNorm() * G.squaredNorm() + layer.mean[h].squaredNorm() - m * R) -
          R * F.diagonal().array().abs().log().sum() - m * G.diagonal().array().abs().log().sum();
  }
  return kl;
}

void subtract_divergence(const HiddenLayer& layer, HiddenGradient& g) {
  for (std::size_t h = 0; h < layer.mean.size(); ++h) {
    const Matrix &F = layer.factor[h], &G = layer.output_factor[h];
    g.mean[h] -= layer.mean[h];
    g.factor[h] -= G.squaredNorm() * F;
    g.factor[h].diagonal().array() += double(G.rows()) / F.diagonal().array();
    g.output_factor[h] -= F.squaredNorm() * G;
    g.output_factor[h].diagonal().array() += double(F.rows()) / G.diagonal().array();
  }
}

}  // namespace bochner
