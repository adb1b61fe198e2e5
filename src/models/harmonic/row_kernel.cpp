#include "row_kernel.hpp"

#include "bochner/compute/lane_sum.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/symmetry/harmonic.hpp"
#include "groups.hpp"

namespace bochner {
namespace {

/// f(first image, images, their patches) for all images, some at a time. The last ones are filled up with zeros: products give a
/// row the same bytes wherever it stands in blocks of one size.
template <class F>
void for_each_images(const Patches& patches, MatrixIn X, const F& f) {
  const Index each = std::min(X.rows(), std::max<Index>(1, most_patch_rows / patches.count()));
  for (Index begin = 0; begin < X.rows(); begin += each) {
    const Index size = std::min(each, X.rows() - begin);
    Matrix images = Matrix::Zero(each, X.cols());
    images.topRows(size) = X.middleRows(begin, size);
    f(begin, size, patch_rows(patches, images));
  }
}

/// What is summed over images in the adjoint of their variances.
struct VarianceSum {
  Vector dtheta, dweight;
  VarianceSum& operator+=(const VarianceSum& other) {
    dtheta += other.dtheta;
    dweight += other.dweight;
    return *this;
  }
};

}  // namespace

Matrix patch_rows(const Patches& patches, MatrixIn images) {
  const Index d = patches.length(), P = patches.count();
  Matrix out(images.rows() * P, d + 2);
  out.leftCols(d) = patches.gather(images);
  out.rightCols(2) = patches.positions().replicate(images.rows(), 1);
  return out;
}

std::vector<Matrix> row_grams(const Harmonics& k, const std::optional<PatchSum>& sum, MatrixIn X, MatrixIn Z,
                              const Compute& compute) {
  if (!sum) return harmonic_grams(k, X, Z, compute);
  const Index P = sum->patches.count();
  const Vector om = sum->weight / double(P);
  std::vector<Matrix> out(at(k.weights.rows()), Matrix(X.rows(), Z.rows()));
  for_each_images(sum->patches, X, [&](Index begin, Index size, const Matrix& rows) {
    const std::vector<Matrix> K = harmonic_grams(k, rows, Z, compute);
    for_each_block(compute, size, 1, [&](Index b, Index) {
      for (std::size_t h = 0; h < K.size(); ++h)
        out[h].row(begin + b).noalias() = om.transpose() * K[h].middleRows(b * P, P);
    });
  });
  return out;
}

RowGramsPullback row_grams_pullback(const Harmonics& k, const std::optional<PatchSum>& sum, MatrixIn X,
                                    MatrixIn Z, const std::vector<Matrix>& dL_dK, const Compute& compute) {
  if (!sum) {
    HarmonicsPullback pulled = harmonic_grams_pullback(k, X, Z, dL_dK, compute);
    return {std::move(pulled.dtheta), std::move(pulled.dZ), std::move(pulled.dX), Vector()};
  }
  const Index P = sum->patches.count(), d = sum->patches.length();
  const Vector om = sum->weight / double(P);
  RowGramsPullback out{Vector::Zero(parameter_count(k.kernel)), Matrix::Zero(Z.rows(), Z.cols()),
                       Matrix(X.rows(), X.cols()), Vector::Zero(P)};
  for_each_images(sum->patches, X, [&](Index begin, Index size, const Matrix& rows) {
    const std::vector<Matrix> K = harmonic_grams(k, rows, Z, compute);
    std::vector<Matrix> dK(K.size(), Matrix::Zero(rows.rows(), Z.rows()));
    Matrix dom = Matrix::Zero(size, P);
    for_each_block(compute, size, 1, [&](Index b, Index) {
      for (std::size_t h = 0; h < K.size(); ++h) {
        dK[h].middleRows(b * P, P).noalias() = om * dL_dK[h].row(begin + b);
        dom.row(b).noalias() += dL_dK[h].row(begin + b) * K[h].middleRows(b * P, P).transpose();
      }
    });
    const HarmonicsPullback pulled = harmonic_grams_pullback(k, rows, Z, dK, compute);
    out.dtheta += pulled.dtheta;
    out.dZ += pulled.dZ;
    out.dX.middleRows(begin, size) = sum->patches.scatter(pulled.dX.topRows(size * P).leftCols(d));
    out.dweight += dom.colwise().sum().transpose() / double(P);
  });
  return out;
}

Vector row_variances(const AnyKernel& k, const std::optional<PatchSum>& sum, MatrixIn X,
                     const Compute& compute) {
  if (!sum) return diagonal(k, X);
  const Index P = sum->patches.count();
  const Vector om = sum->weight / double(P);
  Vector out(X.rows());
  for_each_block(compute, X.rows(), 1, [&](Index n, Index) {
    const Matrix rows = patch_rows(sum->patches, X.row(n));
    Matrix K(P, P);
    gram_block(k, rows, rows, K);
    out(n) = om.dot(K * om);
  });
  return out;
}

RowVariancesPullback row_variances_pullback(const AnyKernel& k, const std::optional<PatchSum>& sum,
                                            MatrixIn X, VectorIn dL_dvariance, const Compute& compute) {
  RowVariancesPullback out{Vector::Zero(parameter_count(k)), Matrix::Zero(X.rows(), X.cols()), Vector()};
  if (!sum) {
    pull_diagonal(k, X, dL_dvariance, out.dtheta, out.dX);
    return out;
  }
  const Index P = sum->patches.count(), d = sum->patches.length();
  const Vector om = sum->weight / double(P);
  VarianceSum total =
      sum_over_rows<VarianceSum>(compute, RowPlan::make(X.rows(), 1, 16), {out.dtheta, Vector::Zero(P)},
                                 [&](VarianceSum& of_lane, Index n, Index) {
                                   const Matrix rows = patch_rows(sum->patches, X.row(n));
                                   Matrix K(P, P), drows = Matrix::Zero(P, d + 2);
                                   gram_block(k, rows, rows, K);
                                   of_lane.dweight += (2 * dL_dvariance(n) / double(P)) * (K * om);
                                   const Matrix dK = dL_dvariance(n) * om * om.transpose();
                                   Matrix dsecond = Matrix::Zero(P, d + 2);
                                   KernelAdjoint adjoint{of_lane.dtheta, drows, dsecond};
                                   pull_block(k, rows, rows, K, dK, adjoint);
                                   out.dX.row(n) = sum->patches.scatter((drows + dsecond).leftCols(d));
                                 });
  out.dtheta = std::move(total.dtheta);
  out.dweight = std::move(total.dweight);
  return out;
}

std::vector<Vector> row_variances(const Harmonics& k, const std::optional<PatchSum>& sum, MatrixIn X,
                                  const Compute& compute) {
  std::vector<Vector> out;
  for (Index h = 0; h < k.weights.rows(); ++h) {
    const Harmonic one{.inner = {k.kernel}, .motions = k.motions, .weight = k.weights.row(h)};
    out.push_back(sum ? Vector(X.rows()) : one.diagonal(X));
    if (!sum) continue;
    const Vector om = sum->weight / double(sum->patches.count());
    for_each_block(compute, X.rows(), 1, [&](Index n, Index) {
      const Matrix rows = patch_rows(sum->patches, X.row(n));
      Matrix K(rows.rows(), rows.rows());
      one.gram_block(rows, rows, K);
      out.back()(n) = om.dot(K * om);
    });
  }
  return out;
}

}  // namespace bochner
