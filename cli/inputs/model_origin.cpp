#include "model_origin.hpp"

#include <fmt/format.h>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner::cli {

namespace {

struct Origins {
  ModelOrigin operator()(const GplvmFit&) const { return {"'bochner fit'", "'bochner apply'"}; }
  ModelOrigin operator()(const BayesFit&) const { return {"'bochner fit'", "'bochner apply'"}; }
  ModelOrigin operator()(const KpcaFit&) const { return {"'bochner kpca'", "'bochner apply'"}; }
  ModelOrigin operator()(const ForecastFit&) const { return {"'bochner forecast'", "'bochner forecast'"}; }
  ModelOrigin operator()(const HarmonicFit&) const {
    return {"'bochner regress' or 'bochner classify'", "'bochner predict'"};
  }
};

}  // namespace

ModelOrigin origin_of(const AnyFit& fit) { return std::visit(Origins{}, fit); }

void refuse_model(const std::string& path, const AnyFit& fit) {
  const ModelOrigin origin = origin_of(fit);
  throw InputError(
      fmt::format("{}: this is a model of {}; use {}", printable(path), origin.made_by, origin.used_by));
}

}  // namespace bochner::cli
