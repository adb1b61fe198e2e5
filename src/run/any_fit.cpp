#include "bochner/run/any_fit.hpp"

#include <fmt/format.h>

#include <optional>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/models/bayes/file.hpp"
#include "bochner/models/forecast/file.hpp"
#include "bochner/models/gplvm/file.hpp"
#include "bochner/models/harmonic/file.hpp"
#include "bochner/models/kpca/file.hpp"
#include "bochner/run/fit_at_latents.hpp"
#include "bochner/store/partial_model.hpp"

namespace bochner {

namespace {

/// How the fits of a family are kept: the entry "model" of their files, and the way there and back.
template <class Fit>
struct Format {
  const char* kind;
  ModelGroup (*group)(const Fit&);
  Fit (*from)(const ModelGroup&);
};

constexpr Format<GplvmFit> format_of(const GplvmFit*) { return {"gplvm", gplvm_group, gplvm_from}; }
constexpr Format<BayesFit> format_of(const BayesFit*) { return {"bayes", bayes_group, bayes_from}; }
constexpr Format<KpcaFit> format_of(const KpcaFit*) { return {"kpca", kpca_group, kpca_from}; }
constexpr Format<ForecastFit> format_of(const ForecastFit*) {
  return {"forecast", forecast_group, forecast_from};
}
constexpr Format<HarmonicFit> format_of(const HarmonicFit*) {
  return {"harmonic", harmonic_group, harmonic_from};
}

/// The first family of the variant whose files say so.
template <std::size_t i = 0>
std::optional<AnyFit> try_families(const ModelGroup& group, const std::string& kind) {
  if constexpr (i < std::variant_size_v<AnyFit>) {
    const auto format = format_of(static_cast<const std::variant_alternative_t<i, AnyFit>*>(nullptr));
    if (kind == format.kind) return format.from(group);
    return try_families<i + 1>(group, kind);
  }
  return std::nullopt;
}

}  // namespace

AnyFit fit_from(const ModelGroup& group) {
  const std::string& kind = group.text("model");
  if (kind.ends_with(" checkpoint"))
    throw InputError(
        fmt::format("{}: this is the checkpoint of an interrupted run, not a model; resume the run first",
                    group.where()));
  std::optional<AnyFit> fit = try_families(group, kind);
  if (!fit)
    throw InputError(fmt::format("{}: this is a model of the kind {}, which this release does not know",
                                 group.where(), quote(kind)));
  return std::move(*fit);
}

ModelGroup fit_group(const AnyFit& fit) {
  return std::visit([](const auto& own) { return format_of(&own).group(own); }, fit);
}

AnyFit read_fit(const std::string& path) { return fit_from(read_model(path)); }

AnyFit read_fit_at_latents(const std::string& path) {
  return fit_from(read_model_without(path, "cross_views"));
}

}  // namespace bochner
