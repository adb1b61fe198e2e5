#include "job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "bochner/models/kpca/names.hpp"
#include "cli/commands/fit/job.hpp"
#include "cli/inputs/by_view.hpp"
#include "cli/inputs/label_view.hpp"
#include "cli/inputs/meta_table.hpp"
#include "cli/inputs/picture_shapes.hpp"
#include "cli/inputs/view_tables.hpp"

namespace bochner::cli {

namespace {

KpcaOptions model_options(const KpcaSettings& s, const std::vector<std::string>& names, bool labels) {
  KpcaOptions out{.dims = s.dims};
  out.training.epochs = s.epochs;
  try {
    out.solver = parse_solver(s.solver);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--solver: {}", error.what()));
  }
  std::vector<KpcaViewOptions> each(names.size());
  for (KpcaViewOptions& view : each) view.scaling = s.no_scale ? ScalingKind::none : ScalingKind::standardise;
  if (labels)
    each.back() = {
        .kernel = "linear", .scaling = ScalingKind::none, .preimage = Preimage::ridge, .classes = true};
  const auto set = [&](const char* option, const std::vector<std::string>& words, const auto& f) {
    const KpcaViewOptions of_labels = each.back();
    set_by_view(option, words, names, each, f);
    // A value for all views means the tables.
    const auto names_them = [](const std::string& word) {
      return word.starts_with(std::string(label_view_name) + "=");
    };
    if (labels && std::none_of(words.begin(), words.end(), names_them)) each.back() = of_labels;
  };
  set("kernel", s.kernel, [](KpcaViewOptions& view, const std::string& text) {
    make_kernel(text, 2, Rng(0));  // complains here
    view.kernel = text;
  });
  set("lengthscale", s.lengthscale,
      [](KpcaViewOptions& view, const std::string& text) { view.lengthscale = positive_number(text); });
  set("features", s.features, [](KpcaViewOptions& view, const std::string& text) {
    view.features = parse_features(text, kpca_feature_kinds);
  });
  set("preimage", s.preimage,
      [](KpcaViewOptions& view, const std::string& text) { view.preimage = parse_preimage(text); });
  set("weight", s.weight,
      [](KpcaViewOptions& view, const std::string& text) { view.weight = positive_number(text); });
  out.own.assign(each.begin(), each.end());
  return out;
}

}  // namespace

KpcaJob prepare_kpca(const KpcaSettings& s, std::uint64_t seed) {
  std::vector<ViewSpec> specs;
  std::vector<std::string> names, notes;
  for (const std::string& word : s.views) specs.push_back(split_view(word));
  for (const ViewSpec& spec : specs) names.push_back(spec.name);
  const bool labels = !s.labels.empty();
  if (labels) names = with_label_view(std::move(names));
  KpcaOptions options = model_options(s, names, labels);
  std::vector<ViewTable> tables = read_view_tables_without_words(specs, Likelihoods::refused, {}, notes);
  std::vector<TextTable> words;
  for (ViewTable& t : tables) words.push_back(std::move(t.words));
  const std::string ids = ids_text(tables);
  LabelledViews all = views_with_labels(std::move(tables), s.labels, notes);
  KpcaJob job{.data = join(std::move(all.views)), .options = std::move(options), .seed = seed, .ids = ids};
  check_magnitude(job.data);
  check_shapes(s.shape, job.data);
  job.meta = s.meta.empty() ? words_as_meta(words, job.data.ids(), all.ids_generated)
                            : read_meta(s.meta, job.data.ids(), all.ids_generated, notes);
  job.notes = std::move(notes);
  if (s.balance) job.options = balanced(job.data, job.options, seed, Threads(1));
  return job;
}

}  // namespace bochner::cli
