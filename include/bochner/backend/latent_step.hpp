#pragma once
#include <memory>
#include <vector>

#include "bochner/backend/device_vector.hpp"
#include "bochner/backend/feature_step.hpp"

namespace bochner {

/// A table of some of the samples: its row i is sample rows[i]; no rows: all samples in their order.
struct LatentView {
  FeatureStep* step;
  std::vector<Index> rows;
};

/// One step of the bound of several tables that share latents q(x_nq) = N(mean_nq, sd_nq^2), all of it on a device:
///
///   X = mean + sd o eps,   L = sum_v L_v(X) - KL(q || N(0, I)),   dL/dmean, dL/dlog sd
///
/// Latents come and their derivatives stay there; of a step, frequencies go to the device and their adjoints come back. All
/// its operations are one program, in which views run side by side.
class LatentStep {
 public:
  /// Steps stay with the caller. Derivatives are per `observed` entry.
  LatentStep(std::shared_ptr<Engine> engine, Index samples, Index dims, const std::vector<LatentView>& views,
             double observed);
  ~LatentStep();
  LatentStep(const LatentStep&) = delete;
  LatentStep& operator=(const LatentStep&) = delete;

  struct Result {
    double divergence = 0;                 // KL(q || N(0, I))
    double squares = 0;                    // |gradient|^2
    std::vector<FeatureStepResult> views;  // without dX
  };
  /// At theta = (means row by row, log sds); writes its derivatives to `gradient`, of the same size. Missing entries move to
  /// their posterior means afterwards. `meanwhile` is called while the device works.
  Result evaluate(const std::vector<Frequencies>& frequencies, const std::vector<double>& sigma2,
                  const LatentDraw& draw, const DeviceVector& theta, DeviceVector& gradient,
                  const std::function<void()>& meanwhile = {});

  /// Bytes on the device, with those of theta and its optimiser.
  static double bytes(Index samples, Index dims);

 private:
  struct View;
  void record(const double* theta, double* gradient);
  void operations(const double* theta, double* gradient);

  std::shared_ptr<Engine> engine_;
  Index N_, Q_;
  double observed_;
  std::vector<View> views_;
  DeviceArray<LatentDraw> draw_;
  DeviceArray<double> X_, offset_, dX_, mail_;  // mail: all that comes back, in one download
  Vector results_;
  struct Recorded;
  std::unique_ptr<Recorded> recorded_;
};

}  // namespace bochner
