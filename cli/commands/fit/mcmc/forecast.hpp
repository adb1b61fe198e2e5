#pragma once
#include <string>
#include <vector>

#include "bochner/models/bayes/forecast.hpp"
#include "bochner/run/run_folder.hpp"

namespace bochner::cli {

/// What is said of times past the last one, and how good it is on the last rows that were measured.
struct ForecastAnswer {
  std::vector<std::string> ids;  // "s40+1", "s40+2", .. for every group; dates
  Vector time;                   // of dates days since 1970
  LatentPosterior latent;
  std::vector<BayesPrediction> views;
  std::vector<ForecastScores> scores;
};

/// `steps` past the last row of every group (following_times). `data`: everything measured.
ForecastAnswer make_forecast(const BayesFit& fit, const BayesData& data, Index steps, const Threads& threads);

/// forecast_latent.csv and the tables in forecast/.
void write_forecast(const ForecastAnswer& answer, const BayesFit& fit, RunFolder& run);

}  // namespace bochner::cli
