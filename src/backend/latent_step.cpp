#include "bochner/backend/latent_step.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

using Size = Engine::Size;

constexpr Size own_sums = 2;  // of the latents, before the results of views

void check_rows(const char* door, std::vector<Index> rows, Index samples) {
  std::sort(rows.begin(), rows.end());
  const bool twice = std::adjacent_find(rows.begin(), rows.end()) != rows.end();
  if (!rows.empty() && (rows.front() < 0 || rows.back() >= samples || twice))
    throw std::domain_error(std::string(door) + ": rows of a view must be different ones of " +
                            std::to_string(samples) + " samples");
}

}  // namespace

struct LatentStep::View {
  FeatureStep* step;
  DeviceArray<std::int64_t> rows;  // empty: all samples
  bool some = false;               // not all samples
};

/// A program holds for the addresses and layouts that it was recorded with.
struct LatentStep::Recorded {
  Engine& engine;
  int program;
  const double* theta;
  double* gradient;
  std::vector<int> layouts;
  ~Recorded() { engine.forget(program); }
};

LatentStep::LatentStep(std::shared_ptr<Engine> engine, Index samples, Index dims,
                       const std::vector<LatentView>& views, double observed)
    : engine_(std::move(engine)),
      N_(samples),
      Q_(dims),
      observed_(observed),
      draw_(engine_, 1),
      X_(engine_, N_ * Q_),
      offset_(engine_, N_ * Q_),
      dX_(engine_, N_ * Q_) {
  const char* const door = "LatentStep";
  check_positive(door, "observed", observed);
  for (const LatentView& view : views) {
    const bool some = !view.rows.empty();
    check_size(door, "rows of a view", some ? Index(view.rows.size()) : N_, "rows of its table",
               view.step->rows());
    check_rows(door, view.rows, N_);
    views_.push_back({.step = view.step, .rows = {}, .some = some});
    if (!some) continue;
    const std::vector<std::int64_t> rows(view.rows.begin(), view.rows.end());
    views_.back().rows = DeviceArray<std::int64_t>(engine_, Index(rows.size()));
    views_.back().rows.upload(rows.data());
  }
}

LatentStep::~LatentStep() = default;

double LatentStep::bytes(Index samples, Index dims) {
  constexpr double copies = 2 * 8;  // means and log sds: theta, its gradient, moments, and the best of them
  return 8 * double(samples) * double(dims) * (copies + 3);
}

void LatentStep::operations(const double* theta, double* gradient) {
  Engine& e = *engine_;
  const Slice X = slice(X_, 0, N_, Q_), dX = slice(dX_, 0, N_, Q_);
  const bool direct = views_.size() == 1 && !views_.front().some;  // its latents are all latents
  e.latent_draw(draw_.data(), N_ * Q_, theta, direct ? views_.front().step->X().at : X.at, offset_.data());
  std::vector<std::function<void()>> tasks;
  Size at = own_sums;
  for (const View& view : views_) {
    const Slice mail = slice(mail_, at, 1, view.step->head().cols);
    at += mail.cols;
    tasks.emplace_back([&e, &view, X, mail, direct] {
      if (!direct) e.gather_rows(view.rows.data(), X, view.step->X());
      view.step->operations();
      e.copy(view.step->head(), mail);
    });
  }
  e.side_by_side(tasks);
  if (!direct) {
    e.fill(dX, 0);
    for (const View& view : views_) e.add_to_rows(view.rows.data(), view.step->dX(), dX);
  }
  e.latent_gradient(observed_, N_ * Q_, theta, offset_.data(), direct ? views_.front().step->dX().at : dX.at,
                    gradient, mail_.data());
}

void LatentStep::record(const double* theta, double* gradient) {
  std::vector<int> layouts;
  for (const View& view : views_) layouts.push_back(view.step->layout());
  if (recorded_ && recorded_->theta == theta && recorded_->gradient == gradient &&
      recorded_->layouts == layouts)
    return;
  recorded_.reset();
  Size size = own_sums;
  for (const View& view : views_) size += view.step->head().cols;
  mail_ = DeviceArray<double>(engine_, size);
  results_.resize(size);
  const int program = engine_->record([this, theta, gradient] { operations(theta, gradient); });
  recorded_.reset(new Recorded{*engine_, program, theta, gradient, std::move(layouts)});
}

LatentStep::Result LatentStep::evaluate(const std::vector<Frequencies>& frequencies,
                                        const std::vector<double>& sigma2, const LatentDraw& draw,
                                        const DeviceVector& theta, DeviceVector& gradient,
                                        const std::function<void()>& meanwhile) {
  const char* const door = "LatentStep::evaluate";
  check_size(door, "size of theta", theta.size(), "means and log sds", 2 * N_ * Q_);
  check_size(door, "size of frequencies", Index(frequencies.size()), "views", Index(views_.size()));
  check_size(door, "size of sigma2", Index(sigma2.size()), "views", Index(views_.size()));
  if (gradient.size() != theta.size()) gradient = DeviceVector(engine_, theta.size());
  draw_.upload(&draw);
  for (std::size_t v = 0; v < views_.size(); ++v) views_[v].step->prepare(frequencies[v], sigma2[v]);
  record(theta.data(), gradient.data());
  for (bool good = false, busy = false; !good;) {
    engine_->replay(recorded_->program);
    if (meanwhile && !busy) meanwhile();
    busy = true;
    mail_.download(results_.data());
    good = true;
    Size at = own_sums;
    for (View& view : views_) {
      good = view.step->accepts(results_.data() + at) && good;
      at += view.step->head().cols;
    }
  }
  Result out{.divergence = 0.5 * results_(0), .squares = results_(1), .views = {}};
  for (View& view : views_) {
    out.views.push_back(view.step->result());
    view.step->refill();
  }
  return out;
}

}  // namespace bochner
