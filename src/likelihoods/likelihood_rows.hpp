#pragma once
#include "bochner/compute/threads.hpp"
#include "bochner/likelihoods/any_likelihood.hpp"

namespace bochner {

// Likelihoods look at each row alone; these give blocks of rows to threads.

ExpectedLog expected_log(const AnyLikelihood& likelihood, MatrixIn Y, MatrixIn mean, MatrixIn variance,
                         const Threads& threads);
Matrix log_predictive(const AnyLikelihood& likelihood, MatrixIn Y, MatrixIn mean, MatrixIn variance,
                      const Threads& threads);
Matrix probabilities(const AnyLikelihood& likelihood, MatrixIn mean, MatrixIn variance,
                     const Threads& threads);

}  // namespace bochner
