#pragma once
#include <string>
#include <vector>

#include "bochner/models/bayes/options.hpp"

namespace bochner {

// Priors of scalar parameters as the words of the command line, configuration files and Python: NAME=DISTRIBUTION.
//
//     lengthscale=lognormal:MEDIAN:SD        of a path over time, in units of time; SD on the log scale
//     variance=inversegamma:SHAPE:SCALE      of a path
//     amplitude=inversegamma:SHAPE:SCALE     variance of f - b, one for each view
//     noise=inversegamma:SHAPE:SCALE         of Gaussian columns, after scaling
//     intercept=normal:SD                    around the value of the column alone
//     covariate=normal:SD                    of coefficients, per standard deviation of a number or between levels
//     dispersion=gamma:SHAPE                 of negative binomial columns; its rate is learned ..
//     dispersion-rate=gamma:SHAPE:RATE       .. with this prior
//     concentration=gamma:SHAPE:RATE         of the Dirichlet process of frequencies
//
// Each has the distribution that its update in the sampler is for.

/// Sets one of them. InputError with what there is if the name, the distribution or a number cannot be read.
void set_prior(BayesPriors& priors, const std::string& text);

/// All of them, in the order above. A length-scale that the times decide is "lengthscale=auto".
std::vector<std::string> prior_texts(const BayesPriors& priors);

}  // namespace bochner
