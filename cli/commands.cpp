#include "cli/commands/apply/apply.hpp"
#include "cli/commands/completion/completion.hpp"
#include "cli/commands/demo/demo.hpp"
#include "cli/commands/evaluate/evaluate.hpp"
#include "cli/commands/fit/fit.hpp"
#include "cli/commands/forecast/forecast.hpp"
#include "cli/commands/kpca/kpca.hpp"
#include "cli/commands/predict/predict.hpp"
#include "cli/commands/regress/regress.hpp"
#include "cli/commands/report/report.hpp"
#include "cli/commands/serve/serve.hpp"
#include "cli/frame/command.hpp"

namespace bochner::cli {

std::vector<Command> all_commands() {
  return {demo_command(),    fit_command(),   apply_command(),     regress_command(),  classify_command(),
          predict_command(), kpca_command(),  forecast_command(),  evaluate_command(), report_command(),
          compare_command(), serve_command(), completion_command()};
}

}  // namespace bochner::cli
