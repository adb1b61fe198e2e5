#include "progress.hpp"

namespace bochner::python {

bool PythonCallback::keep_going() {
  if (interrupted_ || error_) return false;
  nb::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() == 0) return true;
  if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) {
    PyErr_Clear();
    interrupted_ = true;
  } else {
    error_ = std::make_exception_ptr(nb::python_error());
  }
  return false;
}

bool PythonCallback::keep_going(Index step, Index of, double objective) {
  if (!keep_going()) return false;
  if (!on_step_) return true;
  nb::gil_scoped_acquire acquire;
  try {
    return (*on_step_)(step, of, objective);
  } catch (nb::python_error& error) {
    if (error.matches(PyExc_KeyboardInterrupt)) {
      interrupted_ = true;
    } else {
      error_ = std::current_exception();
    }
    return false;
  }
}

}  // namespace bochner::python
