#include "bochner/models/bayes/names.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner {

namespace {

template <class E, std::size_t n>
using Words = std::array<std::pair<const char*, E>, n>;

constexpr Words<BayesLikelihood, 7> likelihoods{{{"gaussian", BayesLikelihood::gaussian},
                                                 {"poisson", BayesLikelihood::poisson},
                                                 {"negbinom", BayesLikelihood::negbinom},
                                                 {"binomial", BayesLikelihood::binomial},
                                                 {"bernoulli", BayesLikelihood::bernoulli},
                                                 {"multinomial", BayesLikelihood::multinomial},
                                                 {"categorical", BayesLikelihood::categorical}}};
constexpr Words<PathKind, 4> path_kinds{{{"matern12", PathKind::matern12},
                                         {"matern32", PathKind::matern32},
                                         {"matern52", PathKind::matern52},
                                         {"walk", PathKind::random_walk}}};
constexpr Words<BayesStart, 7> starts{{{"auto", BayesStart::automatic},
                                       {"variational", BayesStart::variational},
                                       {"isomap", BayesStart::isomap},
                                       {"spectral", BayesStart::spectral},
                                       {"pca", BayesStart::pca},
                                       {"random", BayesStart::random},
                                       {"given", BayesStart::given}}};

template <class E, std::size_t n>
std::string word_of(const Words<E, n>& words, E value) {
  for (const auto& [word, own] : words)
    if (own == value) return word;
  return "?";
}

template <class E, std::size_t n>
E value_of(const Words<E, n>& words, const char* what, const std::string& text) {
  std::vector<std::string> known;
  for (const auto& [word, own] : words) {
    if (text == word) return own;
    known.emplace_back(word);
  }
  throw InputError(fmt::format("{} is no {}{}; there are {}", quote(text), what, did_you_mean(text, known),
                               listing(known)));
}

}  // namespace

std::string to_text(BayesLikelihood likelihood) { return word_of(likelihoods, likelihood); }
BayesLikelihood parse_bayes_likelihood(const std::string& text) {
  return value_of(likelihoods, "likelihood", text);
}
bool is_bayes_likelihood(const std::string& text) {
  for (const auto& [word, own] : likelihoods)
    if (text == word) return true;
  return false;
}

const std::vector<std::string>& bayes_likelihood_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const auto& [word, own] : likelihoods) out.emplace_back(word);
    return out;
  }();
  return names;
}

std::string to_text(PathKind kind) { return word_of(path_kinds, kind); }
PathKind parse_path_kind(const std::string& text) { return value_of(path_kinds, "prior over time", text); }

std::string to_text(BayesStart start) { return word_of(starts, start); }
BayesStart parse_bayes_start(const std::string& text) { return value_of(starts, "start", text); }

}  // namespace bochner
