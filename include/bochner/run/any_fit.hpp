#pragma once
#include <string>
#include <variant>

#include "bochner/models/bayes/fit.hpp"
#include "bochner/models/forecast/forecast.hpp"
#include "bochner/models/gplvm/fit.hpp"
#include "bochner/models/harmonic/fit.hpp"
#include "bochner/models/kpca/fit.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner {

/// A fit of any family that has model files. Whoever visits it says what to do with each: a missing case does not compile.
using AnyFit = std::variant<GplvmFit, BayesFit, KpcaFit, ForecastFit, HarmonicFit>;

/// The fit in a model file, whatever it is. InputError that names the file if there is none.
AnyFit read_fit(const std::string& path);

/// The same from a group, and back: the entry "model" says which it is.
AnyFit fit_from(const ModelGroup& group);
ModelGroup fit_group(const AnyFit& fit);

}  // namespace bochner
