#include "bochner/infer/step_schedule.hpp"

#include <cmath>

#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

double factor_at(const ConstantStep&, Index, Index) { return 1.0; }

double factor_at(const CosineStep& s, Index t, Index T) {
  return s.last + (1 - s.last) * 0.5 * (1 + std::cos(pi * double(t) / double(T)));
}

double factor_at(const DecayingStep& s, Index t, Index) { return std::pow(s.factor, double(t / s.every)); }

void check(const char*, const ConstantStep&) {}

void check(const char* function, const CosineStep& s) {
  check_between(function, "schedule.last", s.last, 0.0, 1.0);
}

void check(const char* function, const DecayingStep& s) {
  check_at_least(function, "schedule.every", s.every, 1);
  check_positive(function, "schedule.factor", s.factor);
  check_between(function, "schedule.factor", s.factor, 0.0, 1.0);
}

}  // namespace

double step_factor(const StepSchedule& schedule, Index t, Index T) {
  return std::visit([&](const auto& s) { return factor_at(s, t, T); }, schedule);
}

void check_schedule(const char* function, const StepSchedule& schedule) {
  std::visit([&](const auto& s) { check(function, s); }, schedule);
}

}  // namespace bochner
