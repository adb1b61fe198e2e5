#include "verdict.hpp"

#include <fmt/format.h>

#include "provenance_panels.hpp"

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
  if (command == "apply" || command == "predict") {
    out.push_back(fmt::format("Read the verdict of the run that {} comes from.", run.setting("model")));
    return out;
  }
  const bool python = !made_by(run).empty();
  if (kind == "unjudged" && command == "forecast")
    out.push_back(
        python ? "Use model.assess(X): forecasts from earlier times are then compared with what followed."
               : "Use --backtest 5: forecasts from earlier times are then compared with what followed.");
  else if (kind == "unjudged")
    out.push_back("Hold something out, and the fit can be judged by it.");
  if (kind == "linear")
    out.push_back(
        command == "forecast" ? "Use the simpler forecast that the verdict names."
        : command == "classify"
            ? "Unless more rows say otherwise, logistic regression will do: it is easier to explain."
            : "Unless more rows say otherwise, linear regression will do: it is easier to explain.");
  if (!run.has("model.bochner")) return out;
  if (!made_by(run).empty()) {
    if (command == "fit" || command == "kpca")
      out.push_back("Embed new samples, whichever views they have: model.transform({VIEW: table})");
    else if (command != "forecast")
      out.push_back("Predict new rows: model.predict(X)");
    return out;
  }
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
  if (text.empty() && (run.command() == "apply" || run.command() == "predict"))
    text = "These are predictions of an existing model; how far to trust them was judged when it was fitted.";
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
  if (command == "apply") return "New samples, placed by a fitted model";
  if (command == "predict") return "Predictions of new rows";
  return "Run";
}

}  // namespace bochner::detail
