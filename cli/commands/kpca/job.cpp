#include "job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/data/labels.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "bochner/models/kpca/names.hpp"
#include "cli/commands/fit/job.hpp"
#include "cli/inputs/by_view.hpp"
#include "cli/inputs/label_column.hpp"
#include "cli/inputs/view_tables.hpp"

namespace bochner::cli {

namespace {

constexpr const char* label_view = "labels";

/// Rows of a table without ids are those of the labels, in that order, or the other way round.
void share_ids_with_labels(std::vector<ViewTable>& tables, LabelColumn& labels,
                           std::vector<std::string>& notes) {
  std::vector<ViewTable> all = std::move(tables);
  const auto n = static_cast<Index>(labels.ids.size());
  all.push_back({{.name = label_view, .table = labels.table},
                 {.ids = labels.ids,
                  .columns = {"label"},
                  .values = Matrix::Zero(n, 1),
                  .ids_generated = labels.ids_generated}});
  share_ids(all, notes);
  labels.ids = std::move(all.back().table.ids);
  all.pop_back();
  tables = std::move(all);
}

/// One column per class, 1 where a sample belongs to it; samples without a label are not in it.
View class_view(const LabelColumn& column) {
  std::vector<std::string> ids, labels;
  for (std::size_t n = 0; n < column.labels.size(); ++n)
    if (is_label(column.labels[n])) ids.push_back(column.ids[n]), labels.push_back(column.labels[n]);
  const Labels codes = encode_labels(labels);  // none is missing
  if (codes.names.size() < 2)
    throw InputError(fmt::format("{}: at least two classes are required, found {}", column.table,
                                 codes.names.empty() ? "none" : "one"));
  Matrix Y = Matrix::Zero(Index(ids.size()), Index(codes.names.size()));
  for (Index n = 0; n < Y.rows(); ++n) Y(n, codes.code(n)) = 1;
  return {label_view, ids, codes.names, std::move(Y)};
}

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
      return word.starts_with(std::string(label_view) + "=");
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
  if (labels) {
    if (std::find(names.begin(), names.end(), label_view) != names.end())
      throw InputError("invalid view name 'labels': --labels adds a view of that name; rename the view");
    names.push_back(label_view);
  }
  KpcaOptions options = model_options(s, names, labels);
  std::vector<ViewTable> tables = read_view_tables(specs);
  const std::string ids = ids_text(tables);
  std::vector<View> views;
  if (labels) {
    LabelColumn column = read_labels(s.labels);
    share_ids_with_labels(tables, column, notes);
    views = as_views(std::move(tables));
    views.push_back(class_view(column));
  } else {
    share_ids(tables, notes);
    views = as_views(std::move(tables));
  }
  KpcaJob job{.data = join(std::move(views)),
              .options = std::move(options),
              .seed = seed,
              .notes = notes,
              .ids = ids};
  check_magnitude(job.data);
  if (s.balance) job.options = balanced(job.data, job.options, seed, Threads(1));
  return job;
}

}  // namespace bochner::cli
