#include "bochner/models/kpca/names.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner {

namespace {

template <class T>
using Words = std::pair<T, const char*>;

constexpr std::array<Words<Preimage>, 7> preimages{{{Preimage::automatic, "auto"},
                                                    {Preimage::identity, "identity"},
                                                    {Preimage::smoother, "smoother"},
                                                    {Preimage::fixed_point, "fixed-point"},
                                                    {Preimage::ridge, "ridge"},
                                                    {Preimage::gradient, "gradient"},
                                                    {Preimage::network, "network"}}};

constexpr std::array<Words<KpcaSolver>, 5> solvers{{{KpcaSolver::automatic, "auto"},
                                                    {KpcaSolver::primal, "primal"},
                                                    {KpcaSolver::dual, "dual"},
                                                    {KpcaSolver::primal_stiefel, "primal-stiefel"},
                                                    {KpcaSolver::dual_stiefel, "dual-stiefel"}}};

template <class T, std::size_t n>
std::string word_of(T value, const std::array<Words<T>, n>& words) {
  for (const auto& [v, word] : words)
    if (v == value) return word;
  return "?";
}

template <class T, std::size_t n>
T value_of(const std::string& text, const std::array<Words<T>, n>& words, const char* what) {
  std::vector<std::string> names;
  for (const auto& [v, word] : words) {
    if (text == word) return v;
    names.emplace_back(word);
  }
  throw InputError(fmt::format("there is no {} {}, only {}", what, quote(text), listing(names)));
}

}  // namespace

std::string to_text(Preimage preimage) { return word_of(preimage, preimages); }
Preimage parse_preimage(const std::string& text) { return value_of(text, preimages, "pre-image"); }

std::string to_text(KpcaSolver solver) { return word_of(solver, solvers); }
KpcaSolver parse_solver(const std::string& text) { return value_of(text, solvers, "solver"); }

}  // namespace bochner
