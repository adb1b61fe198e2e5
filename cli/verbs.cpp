#include "cli/commands/apply/apply.hpp"
#include "cli/commands/demo/demo.hpp"
#include "cli/commands/evaluate/evaluate.hpp"
#include "cli/commands/fit/fit.hpp"
#include "cli/commands/forecast/forecast.hpp"
#include "cli/commands/kpca/kpca.hpp"
#include "cli/commands/predict/predict.hpp"
#include "cli/commands/regress/regress.hpp"
#include "cli/frame/verb.hpp"

namespace bochner::cli {

std::vector<Verb> all_verbs() {
  return {demo_verb(),    fit_verb(),  apply_verb(),    regress_verb(), classify_verb(),
          predict_verb(), kpca_verb(), forecast_verb(), evaluate_verb()};
}

}  // namespace bochner::cli
