#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/data/dataset.hpp"
#include "bochner/data/row_factors.hpp"
#include "bochner/infer/optimize_result.hpp"
#include "bochner/models/bayes/data.hpp"
#include "bochner/models/bayes/options.hpp"
#include "bochner/models/latent/latent_posterior.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// The spectral density of a view in one draw: the components of its Dirichlet-process mixture that have frequencies, the
/// heaviest first, in the frame of the draws.
struct SpectralDraw {
  Vector weights{};      // K, shares of the L frequencies
  Matrix means{};        // K x Q, of angular frequencies
  Matrix covariances{};  // K x Q^2, row by row
  double concentration = 1;
  double amplitude = 1;  // variance of f - b: the kernel at zero distance

  Index components() const { return weights.size(); }  // 0: model files of earlier releases do not tell
};

/// The functions of one view in one draw: f(x) = b + [cos(W x), sin(W x)]' beta / sqrt L, a column of B for each.
struct BayesFunctions {
  Matrix W;             // L x Q angular frequencies
  Matrix B;             // (2L + 1) x J: weights of cosines, of sines, intercepts b
  Vector scale{};       // J noise variances or dispersions, if the likelihood has them
  Matrix covariates{};  // C x J coefficients of a step of the design; empty without
  SpectralDraw spectrum{};
};

/// One view of a fitted model.
struct BayesViewFit {
  std::string name;
  std::vector<std::string> columns;  // M, of the table
  BayesLikelihood likelihood = BayesLikelihood::gaussian;
  Scaling scaling;               // identity unless Gaussian
  std::vector<Index> classes{};  // of each column of a categorical view; J is their sum, else M
  std::vector<std::vector<std::string>> class_names{};  // of these columns
  double trials = 1;                  // of a binomial entry whose number of trials is not known: their mean
  double total = 1;                   // of a multinomial row of which nothing is known: their mean
  Vector exposure{};                  // N, of the rows of the fit; empty: none
  std::string exposure_name{};        // column that they came from; may be empty
  double typical_exposure = 1;        // of a row whose own is not known: their median
  double row_median = 0;              // as that of GplvmView, of a Gaussian view
  std::vector<BayesFunctions> draws;  // S

  Index functions() const { return draws.front().B.cols(); }  // J
};

/// How well chains agree about one thing that can be compared between them.
struct BayesMonitor {
  std::string name;  // "f rna/g7 of s12", "distance of s1 and s9", "log density", ..
  double rhat = 0, ess_bulk = 0, ess_tail = 0;
};

/// A chain that sat in a clearly lower mode than the best one: results are without it.
struct BayesLeftOut {
  Index chain = 0;
  double gap = 0;  // of the mean log posterior to that of the best chain
};

/// The immutable result of fit_bayes. Draws of the latents are turned to a common frame, and the frequencies with them, so
/// that they may be averaged; the functions of a draw go with its latents.
struct BayesFit {
  std::vector<std::string> ids;  // N
  LatentPosterior latent;        // mean and sd over all draws, and, without time, over samples that are alike
  std::vector<Matrix> X;         // S stored draws, N x Q
  std::vector<BayesViewFit> views;

  TimeGrid grid{};  // of a dynamic prior ..
  TimeAxis axis{};  // .. and the times of the rows; empty: a file of an earlier release
  std::vector<std::vector<PathPrior>> paths{};  // S x Q, of X turn' ..
  std::vector<Matrix> turns{};                  // .. S, Q x Q
  Covariates covariates{};                      // that entered f linearly, and those of the rows ..
  Matrix design{};                              // .. N x their width
  std::vector<BayesMonitor> monitors{};
  std::vector<BayesLeftOut> left_out{};     // ascending; everything here is without these chains
  Matrix log_density;                       // chains x draws, of the tables
  Index draws = 0;                          // of all chains
  Status status = Status::iteration_limit;  // converged if chains agree (judged_status), or stopped
  BayesOptions options{};
  std::uint64_t seed = 0;

  Index dims() const { return latent.mean.cols(); }
  Index chains() const { return options.chains - static_cast<Index>(left_out.size()); }
  std::vector<Index> kept_chains() const;                 // their numbers among all
  const BayesViewFit& view(std::string_view name) const;  // InputError if unknown
};

/// What the model says about the entries of one view, averaged over draws. All n x J, in the units of the table.
struct BayesPrediction {
  Matrix mean;        // of y
  Matrix f_variance;  // of E[y | draw]: what is not known about x and the functions
  Matrix y_variance;  // of y
  Matrix low, high;   // interval of y (or of E[y | draw]); empty if none was asked for
  Matrix
      median;  // of the same; the mean of exp(f) is that of its few largest draws where f is not well known
};

/// What is known of the rows that predictions are asked for. All may be empty.
struct BayesKnown {
  Matrix Y{};         // n x M measured entries: they say how large the total of a multinomial row is
  Matrix trials{};    // n x M, or 1 x 1 for all, of a binomial view; else its mean number of trials is taken
  Matrix design{};    // n x width of the covariates; else they are means of numbers and references of levels
  Vector exposure{};  // n, of a view with exposures; else their median in the fit is taken
};
/// Of the rows of one view of a data set.
BayesKnown known_rows(const BayesData& data, std::size_t view);

struct BayesPredictOptions {
  double interval = 0;       // share that intervals hold; 0: none
  bool of_function = false;  // intervals of E[y | draw] instead of y
};

/// At latents of each stored draw, S times n x Q. Rows do not depend on each other.
BayesPrediction predict(const BayesViewFit& view, const std::vector<Matrix>& X, const BayesKnown& known,
                        const BayesPredictOptions& options, const Rng& rng, const Compute& compute);

/// Back in units of the table, for a view whose rows were divided by these factors; nothing happens if there are none.
BayesPrediction multiply_rows(BayesPrediction p, const Vector& factors);

/// log of the mean over draws of p(y) for the measured entries of Y (n x M), n x M; NaN elsewhere. Entries of a
/// multinomial row are taken as counts next to the known ones.
Matrix log_density(const BayesViewFit& view, const std::vector<Matrix>& X, MatrixIn Y,
                   const BayesKnown& known, const Compute& compute);

/// Where the measured entries of Y (n x M) lie in their predictive distributions: P(y' < y) + u P(y' = y) with u uniform,
/// which is uniform itself if the model is right, for counts and labels as well [czado2009]. NaN elsewhere.
Matrix randomised_pit(const BayesViewFit& view, const std::vector<Matrix>& X, MatrixIn Y,
                      const BayesKnown& known, const Rng& rng, const Compute& compute);

/// Measurements of `count` new samples, a matrix for each view (count x M; labels as numbers of their class): each is at the
/// latents of a random sample of the fit in a random stored draw, and has the noise of the likelihood. Binomial entries
/// have the mean number of trials of the fit, counts the exposure of that sample and all functions its covariates, rows that are divided by factors their median.
/// Row i does not depend on `count`.
std::vector<Matrix> sample_measurements(const BayesFit& fit, Index count, const Rng& rng);

/// A draw of the latents of new samples for each stored draw, given the functions: S times n x Q. Views of `data` are
/// matched by name; `trials` and `exposure` have an entry for each of them (BayesKnown), or none at all. Over time, samples
/// whose time and group are known (numbers of the groups of the fit) are near its paths there. Samples without any measurement get the prior. Rows do not depend on each other: each has a stream of its own, named by its id, or, for rows whose ids
/// mean nothing, the same one as all others, so that the same entries always get the same answer.
std::vector<Matrix> embed(const BayesFit& fit, const BayesData& data, const Rng& rng, const Compute& compute,
                          bool by_id = true);

/// Mean and sd over draws.
LatentPosterior summary(const std::vector<Matrix>& X);

}  // namespace bochner
