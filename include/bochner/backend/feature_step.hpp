#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "bochner/backend/device_array.hpp"
#include "bochner/core/types.hpp"
#include "bochner/evidence/filled_table.hpp"
#include "bochner/kernels/frequencies.hpp"

namespace bochner {

/// What bounded_feature_evidence and the pullback of Fourier features give together.
struct FeatureStepResult {
  double value = 0;
  double dsigma2 = 0;
  double jitter = 0;
  Frequencies gradient;  // dL/dOmega1, dL/dOmega2, dL/damplitude
  Matrix dX;             // N x D
};

/// One step of random features on a device: the evidence of a table given Phi, or its bound where entries are missing
/// (evidence/bounded_evidence.hpp), with derivatives. The table and Phi stay on the device; frequencies and latents go there
/// and their adjoints come back.
///
/// The table lies beside the features, W = [Y | Phi] or, with missing entries, [Y~ | Phi | w o Phi | E], so that all sums over
/// rows are one product and dL/dPhi is another one. Rows are cut into lanes, a power of two, whose sums are added in a tree.
class FeatureStep {
 public:
  /// Copies the table with its guesses.
  FeatureStep(std::shared_ptr<Engine> engine, const FilledTable<double>& table);
  ~FeatureStep();
  FeatureStep(const FeatureStep&) = delete;
  FeatureStep& operator=(const FeatureStep&) = delete;

  /// At latents X (N x D). With `refill` missing entries move to their posterior means afterwards.
  FeatureStepResult evaluate(const Frequencies& frequencies, double sigma2, MatrixIn X, bool refill);

  // The same in parts, where latents are on the device already (latent_step.hpp):
  //
  //     prepare(f, sigma2);  do { X() <- latents; operations(); } while (!accepts(head() on this side));  result();  refill();

  /// Frequencies and noise go to the device. X(), dX() and head() stay where they are, and recorded operations hold, while
  /// layout() is the same: while the number of frequencies is.
  void prepare(const Frequencies& frequencies, double sigma2);
  int layout() const { return layout_; }
  Slice X() const;                   // N x D, to be written before the operations
  Slice dX() const;                  // N x D, dL/dX after them
  Slice head() const;                // 1 x whatever: the other results, to be read after them
  void operations();                 // may be recorded
  bool accepts(const double* head);  // false: repeat them with the jitter that is on the device now
  FeatureStepResult result() const;  // of the head that was accepted, without dX
  void refill();

  Vector guesses() const;
  void set_guesses(VectorIn values);

  Index rows() const { return N_; }

  /// Bytes on the device for J frequencies in D dimensions and `missing` missing entries.
  static double bytes(Index rows, Index cols, Index missing, Index frequencies, Index dims);

 private:
  struct Layout;
  void lay_out(Index J, Index D, bool paired);
  void write_control();
  void sums_over_rows();
  void pull(const Slice& H);
  double slow_amplitude(Index j) const;

  std::shared_ptr<Engine> engine_;
  Index N_, M_, observed_;
  double squares_ = 0;  // of measured entries
  bool complete_;
  DeviceArray<double> Y_;                      // the table, until it lies beside features
  DeviceArray<double> weight_;                 // N, share of the columns that a row has measured
  std::vector<std::int64_t> missing_entries_;  // n M + m
  DeviceArray<std::int64_t> missing_;          // the same in the table beside the features
  Frequencies frequencies_;  // of the evaluation under way, with its noise, jitters and their numbers
  double sigma2_ = 0, jitter_[2] = {};
  std::size_t attempt_[2] = {};
  Vector results_;
  int layout_ = 0;
  std::unique_ptr<Layout> at_;  // arrays for the present number of frequencies; none before the first step
};

}  // namespace bochner
