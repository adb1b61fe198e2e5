#pragma once
#include <string>
#include <variant>
#include <vector>

#include "bochner/likelihoods/bernoulli.hpp"
#include "bochner/likelihoods/gaussian_noise.hpp"
#include "bochner/likelihoods/heteroscedastic_noise.hpp"
#include "bochner/likelihoods/negative_binomial.hpp"
#include "bochner/likelihoods/poisson.hpp"
#include "bochner/likelihoods/robust_max.hpp"
#include "bochner/likelihoods/softmax.hpp"
#include "bochner/likelihoods/student_t.hpp"

namespace bochner {

// What a Likelihood does (likelihood.hpp), for a likelihood chosen at run time: one visit per matrix.

using AnyLikelihood = std::variant<GaussianNoise, StudentT, Bernoulli, Poisson, Softmax, RobustMax,
                                   HeteroscedasticNoise, NegativeBinomial>;

/// gaussian, student, bernoulli, poisson, softmax, robustmax, heteroscedastic, negbinom: in the order of the variant.
const std::vector<std::string>& likelihood_names();
const std::string& likelihood_name(const AnyLikelihood& any);

/// `size` is the number of classes for softmax and robustmax, of outputs otherwise. Noise variances and scales start at
/// one. An unknown name throws InputError with the list of names.
AnyLikelihood make_likelihood(const std::string& name, Index size);

Index latents(const AnyLikelihood& any);
Index outputs(const AnyLikelihood& any);
Index parameter_count(const AnyLikelihood& any);
std::vector<std::string> parameter_names(const AnyLikelihood& any);
Vector parameters(const AnyLikelihood& any);
AnyLikelihood with_parameters(const AnyLikelihood& any, VectorIn theta);

void check_outcomes(const AnyLikelihood& any, MatrixIn Y);
ExpectedLog expected_log(const AnyLikelihood& any, MatrixIn Y, MatrixIn mean, MatrixIn var);
Matrix log_predictive(const AnyLikelihood& any, MatrixIn Y, MatrixIn mean, MatrixIn var);

/// Whether outcomes are counts: whole numbers without an upper end.
bool is_count(const AnyLikelihood& any);

/// Whether outcome() and probabilities() exist; calling one that does not throws std::invalid_argument.
bool has_outcome(const AnyLikelihood& any);
bool has_probabilities(const AnyLikelihood& any);
Outcome outcome(const AnyLikelihood& any, MatrixIn mean, MatrixIn var);
Matrix probabilities(const AnyLikelihood& any, MatrixIn mean, MatrixIn var);

}  // namespace bochner
