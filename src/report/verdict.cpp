#include "verdict.hpp"

#include <fmt/format.h>

namespace bochner::detail {

namespace {

bool has_chains(const RunFiles& run) {
  return run.has("chains.csv") || member(run.metrics(), "chains").is_number() ||
         run.setting("inference") == "mcmc" || run.setting("bayes") == "true";  // not yet at its end
}

/// What a user would do with such a run.
Json next_steps(const RunFiles& run, const std::string& kind) {
  Json out = Json::array();
  const std::string command = run.command(), model = run.name() + "/model.bochner";
  if (kind == "doubtful")
    out.push_back(
        "Follow the remedies in brackets and fit again; until then treat everything below as a sketch.");
  if (kind == "unjudged") out.push_back("Hold something out, and the fit can be judged by it.");
  if (kind == "linear") out.push_back("Use linear regression: it predicts as well and is easier to explain.");
  if (!run.has("model.bochner")) return out;
  if (command == "regress" || command == "classify")
    out.push_back(fmt::format("Predict new rows: bochner predict {} NEW_TABLE --out new", model));
  else if (command != "forecast")
    out.push_back(fmt::format(
        "Embed new samples, whichever views they have: bochner apply {} VIEW=NEW_TABLE --out new", model));
  return out;
}

}  // namespace

Json verdict_json(const RunFiles& run) {
  const std::string kind = text_of(run.metrics(), "verdict");
  std::string text = text_of(run.metrics(), "message");
  if (text.empty()) text = text_of(run.metrics(), "sentence");  // what earlier versions call it
  if (text.empty())
    text = run.has("metrics.json") ? "This run was not judged: nothing was held out."
                                   : "This run has not ended: it has no metrics.json.";
  Json out{{"kind", kind.empty() ? "unjudged" : kind}, {"text", text}, {"warnings", Json::array()}};
  if (const Json& warnings = member(run.metrics(), "warnings"); warnings.is_array())
    for (const Json& warning : warnings)
      if (warning.is_string()) out["warnings"].push_back(warning);
  if (const Json& notes = member(run.metrics(), "notes"); notes.is_array())
    for (const Json& note : notes)
      if (note.is_string()) out["warnings"].push_back(note);
  out["next"] = next_steps(run, kind.empty() ? "unjudged" : kind);
  return out;
}

std::string family_name(const RunFiles& run) {
  const std::string command = run.command();
  if (command == "kpca") return "Kernel PCA";
  if (command == "forecast") return "Forecast";
  if (command == "regress") return "Gaussian process regression";
  if (command == "classify") return "Gaussian process classification";
  if (command == "fit" || command == "demo")
    return has_chains(run) ? "Bayesian latent variable model (MCMC)" : "Variational latent variable model";
  return "Run";
}

}  // namespace bochner::detail
