#include "bochner/models/bayes/prior_text.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <string_view>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"

namespace bochner {

namespace {

struct Parameter {
  const char* word = nullptr;  // none: the distribution has no such parameter
  double* value = nullptr;
};

struct ScalarPrior {
  const char* name;
  const char* distribution;
  Parameter first, second{};

  std::string form() const {
    return fmt::format("{}:{}{}{}", distribution, first.word, second.word ? ":" : "",
                       second.word ? second.word : "");
  }
};

std::array<ScalarPrior, 9> scalar_priors(BayesPriors& p) {
  const auto inverse_gamma = [](const char* name, double& shape, double& scale) {
    return ScalarPrior{name, "inversegamma", {"SHAPE", &shape}, {"SCALE", &scale}};
  };
  const auto gamma = [](const char* name, double& shape, double& rate) {
    return ScalarPrior{name, "gamma", {"SHAPE", &shape}, {"RATE", &rate}};
  };
  return {{{"lengthscale", "lognormal", {"MEDIAN", &p.ell_median}, {"SD", &p.log_ell_sd}},
           inverse_gamma("variance", p.path_variance_shape, p.path_variance_scale),
           inverse_gamma("amplitude", p.amplitude_shape, p.amplitude_scale),
           inverse_gamma("noise", p.noise_shape, p.noise_scale),
           {"intercept", "normal", {"SD", &p.intercept_sd}},
           {"covariate", "normal", {"SD", &p.covariate_sd}},
           {"dispersion", "gamma", {"SHAPE", &p.dispersion_shape}},
           gamma("dispersion-rate", p.rate_shape, p.rate_rate),
           gamma("concentration", p.frequencies.alpha_shape, p.frequencies.alpha_rate)}};
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t end = text.find(at);
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

double positive(const std::string& text, const Parameter& parameter, std::string_view word) {
  const auto value = parse_number(word);
  if (!value || !(*value > 0 && *value < std::numeric_limits<double>::infinity()))
    throw InputError(
        fmt::format("{}: {} is {}, but must be a positive number", quote(text), parameter.word, quote(word)));
  return *value;
}

}  // namespace

void set_prior(BayesPriors& priors, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  std::vector<std::string> known;
  for (const ScalarPrior& prior : scalar_priors(priors)) {
    known.emplace_back(prior.name);
    if (name != prior.name) continue;
    const auto words =
        split(equals == std::string::npos ? "" : std::string_view(text).substr(equals + 1), ':');
    const std::size_t parameters = prior.second.word ? 2 : 1;
    if (words.front() != prior.distribution || words.size() != parameters + 1)
      throw InputError(fmt::format("{} cannot be read; use {}={}", quote(text), name, prior.form()));
    const double first = positive(text, prior.first, words[1]);
    if (parameters == 2) *prior.second.value = positive(text, prior.second, words[2]);
    *prior.first.value = first;
    return;
  }
  throw InputError(fmt::format("there is no prior of {}{}; there are those of {}", quote(name),
                               did_you_mean(name, known), listing(known)));
}

std::vector<std::string> prior_texts(const BayesPriors& priors) {
  BayesPriors own = priors;
  std::vector<std::string> out;
  for (const ScalarPrior& prior : scalar_priors(own)) {
    std::string text = fmt::format("{}={}:{}", prior.name, prior.distribution, *prior.first.value);
    if (prior.second.word) text += fmt::format(":{}", *prior.second.value);
    const bool by_times = prior.first.value == &own.ell_median && own.ell_median == 0;
    out.push_back(by_times ? fmt::format("{}=auto", prior.name) : text);
  }
  return out;
}

}  // namespace bochner
