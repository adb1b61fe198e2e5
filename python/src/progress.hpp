#pragma once
#include <exception>
#include <functional>

#include "arrays.hpp"

namespace bochner::python {

/// What Python is told while a call runs: (step, of, objective), and whether to continue.
using OnStep = std::function<bool(Index step, Index of, double objective)>;

/// Asks Python between two steps of a call that has released the lock: its callback, and whether Ctrl-C was pressed. An
/// exception in the callback ends the learning and is thrown again by rethrow().
class PythonCallback {
 public:
  explicit PythonCallback(std::optional<OnStep> on_step) : on_step_(std::move(on_step)) {}

  bool keep_going(Index step, Index of, double objective);
  bool keep_going();  // before the first step and after the last: Ctrl-C only
  bool interrupted() const { return interrupted_; }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::optional<OnStep> on_step_;
  bool interrupted_ = false;
  std::exception_ptr error_;
};

/// Runs a long call without the lock.
template <class F>
auto without_lock(const F& f) {
  nb::gil_scoped_release release;
  return f();
}

}  // namespace bochner::python
