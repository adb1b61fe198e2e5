#include "apply.hpp"
#include "demo.hpp"
#include "evaluate.hpp"
#include "fit.hpp"
#include "forecast.hpp"
#include "kpca.hpp"
#include "predict.hpp"
#include "regress.hpp"
#include "verb.hpp"

namespace bochner::cli {

std::vector<Verb> all_verbs() {
  return {demo_verb(),    fit_verb(),  apply_verb(),    regress_verb(), classify_verb(),
          predict_verb(), kpca_verb(), forecast_verb(), evaluate_verb()};
}

}  // namespace bochner::cli
