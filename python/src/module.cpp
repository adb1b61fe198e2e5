#include "module.hpp"

#include "bochner/core/errors.hpp"
#include "bochner/core/memory.hpp"

NB_MODULE(_core, m) {
  using namespace bochner::python;
  m.doc() = "The C++ core of bochner. Use the estimators of the package instead.";
  m.attr("version") = BOCHNER_VERSION;
  m.attr("built_for") = BOCHNER_ARCH;
  bochner::keep_freed_memory();
  // The message of the command line, as the kind of error that Python expects.
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const bochner::InputError& e) {
      PyErr_SetString(PyExc_ValueError, e.what());
    } catch (const bochner::WriteError& e) {
      PyErr_SetString(PyExc_OSError, e.what());
    } catch (const bochner::NumericalError& e) {
      PyErr_SetString(PyExc_RuntimeError, e.what());
    }
  });
  add_dataset(m);
  add_labels(m);
  add_gplvm(m);
  add_bayes(m);
  add_bayes_draws(m);
  add_harmonic(m);
  add_kpca(m);
  add_forecast(m);
  add_assess(m);
  add_simulate(m);
  add_grammar(m);
  add_report(m);
}
