#pragma once
#include "bochner/compute/compute.hpp"
#include "bochner/likelihoods/any_likelihood.hpp"

namespace bochner {

// Likelihoods look at each row alone; these give blocks of rows to threads.

/// Y may have one column more than the likelihood has outputs: weights of the rows, which multiply their expected logs and all
/// derivatives.
ExpectedLog expected_log(const AnyLikelihood& likelihood, MatrixIn Y, MatrixIn mean, MatrixIn variance,
                         const Compute& compute);
Matrix log_predictive(const AnyLikelihood& likelihood, MatrixIn Y, MatrixIn mean, MatrixIn variance,
                      const Compute& compute);
Matrix probabilities(const AnyLikelihood& likelihood, MatrixIn mean, MatrixIn variance,
                     const Compute& compute);

}  // namespace bochner
