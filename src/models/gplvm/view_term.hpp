#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "bochner/backend/feature_step.hpp"
#include "bochner/evidence/filled_table.hpp"
#include "bochner/kernels/any_kernel.hpp"
#include "bochner/linalg/missing_patterns.hpp"
#include "bochner/models/gplvm/options.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// What one view adds to the bound at a draw of its latents, with adjoints.
struct ViewEvidence {
  double value = 0;
  double dsigma2 = 0;
  Vector dtheta;  // unconstrained kernel parameters
  Matrix dX;      // n x Q, rows of the view
  Matrix dZ;      // m x Q, Nystrom only
  double jitter = 0;
};

/// The patterns of missing entries of a table, for the exact evidence with these features; none where that costs too much.
struct PatternsOfForm {
  FeatureSpec features;
  std::vector<MissingPattern> patterns;
};

/// The columns that vary. One that does not says nothing about the latents, but would count as perfectly explained.
std::vector<Index> informative_columns(MatrixIn Y);

/// One view as the objective sees it: its table without empty rows and columns, and how its Gram matrix is made.
class ViewTerm {
 public:
  /// Y (N x M, scaled, NaN = not measured), guess (N x M) for the missing entries. InputError if no column varies, or if the
  /// kernel cannot do what `features` asks for.
  ViewTerm(const std::string& name, MatrixIn Y, MatrixIn guess, const AnyKernel& kernel,
           const FeatureSpec& features, FloatingPoint precision, const Compute& compute);
  ViewTerm(const ViewTerm& other);  // what the other has on a device stays there
  ViewTerm(ViewTerm&&) = default;

  const std::vector<Index>& columns() const { return columns_; }  // those that vary
  const std::vector<Index>& rows() const { return rows_; }  // samples with a measured entry in one of them
  Index observed() const { return table_.observed(); }
  const Vector& weight() const { return table_.weight(); }
  Matrix filled() const;  // rows x columns, missing entries as guessed now

  /// log p(Y | X) or its bound at latents X (n x Q, all of the view's rows). `rng` draws the frequencies. The missing entries of
  /// a wide table are refilled at every tenth step only: all else sees it through its N x N outer product. Missing entries have
  /// their exact evidence with the kernel itself and with inducing latents, in double, where that is cheap. Random features
  /// are evaluated on the device of `compute`, if it has one, always in double.
  ViewEvidence evaluate(const AnyKernel& kernel, double sigma2, const Matrix& Z, const Matrix& X, Index step,
                        const Rng& rng, const Compute& compute);

  /// Whether that is the device of `compute`, and how its step goes on there with its latents (backend/latent_step.hpp).
  bool on_device(const AnyKernel& kernel, const Compute& compute) const;
  FeatureStep& device_step(const Compute& compute);
  SpectralNoise draw(const AnyKernel& kernel, const Rng& rng) const;

  /// Another way to make the Gram matrix.
  void set_features(const FeatureSpec& features) { features_ = features; }

  Vector guesses() const;
  void set_guesses(const Vector& values);

 private:
  const std::vector<MissingPattern>& patterns();
  bool wants_single(double sigma2) const;
  ViewEvidence evaluate_on_device(const AnyKernel& kernel, double sigma2, const Matrix& X, const Rng& rng,
                                  const Compute& compute);
  void leave_device();
  void use(bool single, const Compute& compute);

  std::vector<Index> columns_, rows_;
  FilledTable<double> table_;
  std::optional<FilledTable<float>> single_;  // the same table, once single precision was wanted
  bool in_single_ = false;                    // whose guesses are those of now
  std::optional<PatternsOfForm> patterns_;    // of the last form that asked for them
  FeatureSpec features_;
  FloatingPoint precision_;
  double mean_square_;                 // of the table
  std::unique_ptr<FeatureStep> step_;  // the table on a device, whose guesses are those of now
};

}  // namespace bochner
