#include "bochner/likelihoods/any_likelihood.hpp"

#include <stdexcept>
#include <type_traits>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"

namespace bochner {

const std::vector<std::string>& likelihood_names() {
  static const std::vector<std::string> names = {"gaussian", "student",   "bernoulli",       "poisson",
                                                 "softmax",  "robustmax", "heteroscedastic", "negbinom"};
  static_assert(std::variant_size_v<AnyLikelihood> == 8);
  return names;
}

const std::string& likelihood_name(const AnyLikelihood& any) { return likelihood_names()[any.index()]; }

AnyLikelihood make_likelihood(const std::string& name, Index size) {
  const bool classes = name == "softmax" || name == "robustmax";
  check_at_least("make_likelihood", classes ? "number of classes" : "number of outputs", size,
                 classes ? 2 : 1);
  if (name == "gaussian") return GaussianNoise{.variance = Vector::Ones(size)};
  if (name == "student") return StudentT{.scale = Vector::Ones(size)};
  if (name == "bernoulli") return Bernoulli{.outputs_ = size};
  if (name == "poisson") return Poisson{.log_rate = Vector::Zero(size)};
  if (name == "softmax") return Softmax{.classes = size};
  if (name == "heteroscedastic")
    return HeteroscedasticNoise{.variance = Vector::Ones(size), .amplitude = Vector::Ones(size)};
  if (name == "negbinom") return NegativeBinomial{.log_rate = Vector::Zero(size), .size = Vector::Ones(size)};
  if (name == "robustmax") return RobustMax{.classes = size};
  std::string list;
  for (const std::string& known : likelihood_names()) list += (list.empty() ? "" : ", ") + known;
  throw InputError("there is no likelihood '" + name + "'; choose one of " + list);
}

Index latents(const AnyLikelihood& any) {
  return std::visit([](const auto& l) { return l.latents(); }, any);
}

Index outputs(const AnyLikelihood& any) {
  return std::visit([](const auto& l) { return l.outputs(); }, any);
}

Index parameter_count(const AnyLikelihood& any) {
  return std::visit([](const auto& l) { return l.parameter_count(); }, any);
}

std::vector<std::string> parameter_names(const AnyLikelihood& any) {
  return std::visit([](const auto& l) { return l.parameter_names(); }, any);
}

Vector parameters(const AnyLikelihood& any) {
  return std::visit([](const auto& l) { return l.parameters(); }, any);
}

AnyLikelihood with_parameters(const AnyLikelihood& any, VectorIn theta) {
  return std::visit([&](const auto& l) -> AnyLikelihood { return l.with_parameters(theta); }, any);
}

void check_outcomes(const AnyLikelihood& any, MatrixIn Y) {
  std::visit([&](const auto& l) { l.check_outcomes(Y); }, any);
}

ExpectedLog expected_log(const AnyLikelihood& any, MatrixIn Y, MatrixIn mean, MatrixIn var) {
  return std::visit([&](const auto& l) { return l.expected_log(Y, mean, var); }, any);
}

Matrix log_predictive(const AnyLikelihood& any, MatrixIn Y, MatrixIn mean, MatrixIn var) {
  return std::visit([&](const auto& l) { return l.log_predictive(Y, mean, var); }, any);
}

bool is_count(const AnyLikelihood& any) {
  return std::holds_alternative<Poisson>(any) || std::holds_alternative<NegativeBinomial>(any);
}

bool has_outcome(const AnyLikelihood& any) {
  return std::visit([](const auto& l) { return NumberLikelihood<std::decay_t<decltype(l)>>; }, any);
}

bool has_probabilities(const AnyLikelihood& any) {
  return std::visit([](const auto& l) { return ClassLikelihood<std::decay_t<decltype(l)>>; }, any);
}

Outcome outcome(const AnyLikelihood& any, MatrixIn mean, MatrixIn var) {
  return std::visit(
      [&](const auto& l) -> Outcome {
        if constexpr (NumberLikelihood<std::decay_t<decltype(l)>>) return l.outcome(mean, var);
        throw std::invalid_argument("outcome: the outcomes of " + likelihood_name(any) +
                                    " are classes, which have probabilities but no mean");
      },
      any);
}

Matrix probabilities(const AnyLikelihood& any, MatrixIn mean, MatrixIn var) {
  return std::visit(
      [&](const auto& l) -> Matrix {
        if constexpr (ClassLikelihood<std::decay_t<decltype(l)>>) return l.probabilities(mean, var);
        throw std::invalid_argument("probabilities: the outcomes of " + likelihood_name(any) +
                                    " are numbers, which have a mean and a variance but no classes");
      },
      any);
}

}  // namespace bochner
