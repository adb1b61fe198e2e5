#include "bochner/models/kpca/names.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner {

namespace {

using Kind = KpcaFeatures::Kind;

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

constexpr std::array<Words<Kind>, 6> kinds{{{Kind::automatic, "auto"},
                                            {Kind::kernel, "exact"},
                                            {Kind::finite, "finite"},
                                            {Kind::fourier, "fourier"},
                                            {Kind::nystrom, "nystrom"},
                                            {Kind::network, "network"}}};

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

[[noreturn]] void refuse_features(const std::string& text) {
  throw InputError(
      fmt::format("the features {} cannot be read: use auto, exact, finite, a number of frequencies such as "
                  "300, orthogonal:300, "
                  "nystrom:500 or network:32",
                  quote(text)));
}

}  // namespace

std::string to_text(const KpcaFeatures& f) {
  const bool orthogonal = f.kind == Kind::fourier && f.directions == Directions::orthogonal;
  if (f.kind == Kind::fourier && !orthogonal && f.count > 0) return fmt::format("{}", f.count);
  const std::string name = orthogonal ? "orthogonal" : word_of(f.kind, kinds);
  return f.count > 0 ? fmt::format("{}:{}", name, f.count) : name;
}

KpcaFeatures parse_kpca_features(const std::string& text) {
  const std::size_t colon = text.find(':');
  std::string name = text.substr(0, colon), digits = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (!name.empty() && name.find_first_not_of("0123456789") == std::string::npos && digits.empty())
    digits = std::exchange(name, "fourier");
  KpcaFeatures out;
  if (name == "orthogonal") {
    out.directions = Directions::orthogonal;
    name = "fourier";
  }
  bool found = false;
  for (const auto& [kind, word] : kinds)
    if (name == word) out.kind = kind, found = true;
  if (!found || (colon != std::string::npos && digits.empty())) refuse_features(text);
  if (digits.empty()) return out;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out.count);
  const bool counted = out.kind == Kind::fourier || out.kind == Kind::nystrom || out.kind == Kind::network;
  if (error != std::errc() || end != digits.data() + digits.size() || out.count < 1 ||
      out.count > 1'000'000 || !counted)
    refuse_features(text);
  return out;
}

std::string to_text(Preimage preimage) { return word_of(preimage, preimages); }
Preimage parse_preimage(const std::string& text) { return value_of(text, preimages, "pre-image"); }

std::string to_text(KpcaSolver solver) { return word_of(solver, solvers); }
KpcaSolver parse_solver(const std::string& text) { return value_of(text, solvers, "solver"); }

}  // namespace bochner
