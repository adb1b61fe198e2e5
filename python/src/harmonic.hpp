#pragma once
#include "bochner/models/harmonic/fit.hpp"
#include "module.hpp"

namespace bochner::python {

/// Distributions of new outcomes, and what the columns of the table do, as methods of the fit.
void add_harmonic_answers(nb::class_<HarmonicFit>& fit);

/// Encodings of tables; before the fits, which have one.
void add_harmonic_inputs(nb::module_& m);

}  // namespace bochner::python
