#include "prediction_tables.hpp"

#include "bochner/compute/bytes.hpp"

namespace bochner::cli {

PredictionTables::PredictionTables(const HarmonicFit& fit, const PairedRows& rows, const RunFolder& run,
                                   const PredictionColumns& columns, bool parts)
    : fit_(fit),
      rows_(rows),
      file_(run.path("predictions.csv"), fit, columns),
      out_{.scores = std::vector<OutcomeScores>(fit.outcomes.size())} {
  if (parts) parts_.emplace(run.path("parts.csv"), fit);
}

void PredictionTables::write(Index begin, MatrixIn X, MatrixIn Y, const HarmonicPrediction& p,
                             const Threads& threads) {
  std::vector<std::string> ids;
  for (Index n = 0; n < X.rows(); ++n) ids.push_back(rows_.id(begin + n));
  out_.missing += X.rows() - static_cast<Index>(complete_inputs(X).size());
  file_.write(ids, X, p, Y, threads);
  if (parts_) parts_->write(ids, X, threads);
  if (Y.cols() > 0) add_scores(fit_, X, Y, p, out_.scores, threads);
}

Predicted PredictionTables::commit() {
  file_.commit();
  if (parts_) parts_->commit();
  return std::move(out_);
}

namespace {

std::vector<Matrix> flat(const std::vector<LatentMarginals>& draws) {
  std::vector<Matrix> out;
  for (const LatentMarginals& draw : draws) {
    out.push_back(draw.mean);
    out.push_back(draw.variance);
  }
  return out;
}

}  // namespace

std::string bytes_of(const HarmonicPrediction& p) {
  ByteWriter out;
  out.add(std::vector<Matrix>{p.f.mean, p.f.variance, p.y.mean, p.y.variance, p.probabilities});
  out.add(flat(p.draws));
  return out.take();
}

HarmonicPrediction prediction_from(const std::string& bytes) {
  std::vector<Matrix> own, draws;
  ByteReader in(bytes);
  in.read(own);
  in.read(draws);
  HarmonicPrediction out{{own[0], own[1]}, {own[2], own[3]}, own[4]};
  for (std::size_t d = 0; d < draws.size(); d += 2) out.draws.push_back({draws[d], draws[d + 1]});
  return out;
}

}  // namespace bochner::cli
