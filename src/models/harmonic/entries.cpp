#include "entries.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/kernels/kernel_group.hpp"
#include "layer_group.hpp"
#include "src/likelihoods/likelihood_group.hpp"
#include "src/store/entries.hpp"
#include "src/symmetry/motion_group.hpp"

namespace bochner::detail {

namespace {

Index last_inputs(const HarmonicGp& gp) {
  return gp.patch_sum ? gp.patch_sum->patches.image.pixels() : gp.Z.front().cols();
}

std::string numbered(const std::string& name, std::size_t i) { return name + "_" + place(i); }

}  // namespace

Matrix matrix_from(const ModelGroup& g, const std::string& name, Index rows, Index cols) {
  const Matrix& read = g.matrix(name);
  check_shape(g, name.c_str(), read, rows, cols);
  if (!read.allFinite())
    throw InputError(
        fmt::format("{}: the entry {} holds numbers that are not finite", g.where(), quote(name)));
  return read;
}

double jitter_from(const ModelGroup& g) {
  const double jitter = g.number("jitter");
  if (!(jitter >= 0) || !std::isfinite(jitter))
    throw InputError(fmt::format("{}: the jitter must not be negative", g.where()));
  return jitter;
}

void set_each(ModelGroup& group, const std::string& name, const std::vector<Matrix>& list) {
  for (std::size_t i = 0; i < list.size(); ++i) group.set(numbered(name, i), list[i]);
}

std::vector<Matrix> each_from(const ModelGroup& group, const std::string& name, Index H, Index m, Index P) {
  std::vector<Matrix> out;
  for (Index h = 0; h < H; ++h)
    out.push_back(matrix_from(group, numbered(name, static_cast<std::size_t>(h)), m, P));
  return out;
}

void set_squares(ModelGroup& group, const std::string& name, const std::vector<std::vector<Matrix>>& lists) {
  std::vector<std::int64_t> counts;
  for (const auto& list : lists) counts.push_back(static_cast<std::int64_t>(list.size()));
  group.set(name + "_counts", std::move(counts));
  for (std::size_t h = 0; h < lists.size(); ++h) set_each(group, numbered(name, h), lists[h]);
}

std::vector<std::vector<Matrix>> squares_from(const ModelGroup& group, const std::string& name, Index H,
                                              Index P, Index m) {
  const std::string counts_name = name + "_counts";
  const std::vector<std::int64_t>& counts = group.integers(counts_name);
  check_length(group, counts_name.c_str(), static_cast<Index>(counts.size()), H);
  std::vector<std::vector<Matrix>> out;
  for (std::size_t h = 0; h < counts.size(); ++h) {
    if (counts[h] != 1 && counts[h] != P)
      throw InputError(
          fmt::format("{}: group {} has {} matrices {}, but must have one, or one for each of {} functions",
                      group.where(), h + 1, counts[h], quote(name), P));
    out.push_back(each_from(group, numbered(name, h), counts[h], m, m));
  }
  return out;
}

ModelGroup harmonic_gp_group(const HarmonicGp& gp) {
  ModelGroup out;
  out.set("kernel", kernel_group(gp.kernel)).set("likelihood", likelihood_group(gp.likelihood));
  out.set("motions", motions_group(gp.motions)).set("weights", gp.weights).set("jitter", gp.jitter);
  out.set("shared_points", gp.Z.size() == 1);
  set_each(out, "Z", gp.Z);
  set_each(out, "mean", gp.mean);
  set_squares(out, "factor", gp.factor);
  if (gp.patch_sum) out.set("patch_sum", patch_sum_group(*gp.patch_sum));
  if (!gp.hidden.empty()) out.set("hidden", hidden_group(gp.hidden));
  return out;
}

HarmonicGp harmonic_gp_from(const ModelGroup& g) {
  const Index m = g.matrix("Z_0").rows(), D = g.matrix("Z_0").cols();
  if (m < 1 || D < 1) throw InputError(fmt::format("{}: the model has no inducing points", g.where()));
  HarmonicGp gp{.kernel = kernel_from(g.group("kernel"), D),
                .likelihood = likelihood_from(g.group("likelihood")),
                .motions = motions_from(g.group("motions"), D)};
  const Index H = g.matrix("weights").rows(), P = latents(gp.likelihood);
  gp.weights = matrix_from(g, "weights", H, static_cast<Index>(gp.motions.size()));
  if (H < 1) throw InputError(fmt::format("{}: the model has no group of harmonics", g.where()));
  gp.Z = each_from(g, "Z", g.flag("shared_points") ? 1 : H, m, D);
  gp.mean = each_from(g, "mean", H, m, P);
  gp.factor = squares_from(g, "factor", H, P, m);
  gp.jitter = jitter_from(g);
  // Files of models without layers and patches have neither entry.
  if (g.has("patch_sum")) {
    gp.patch_sum = patch_sum_from(g.group("patch_sum"));
    check_length(g, "Z_0", D, gp.patch_sum->patches.length() + 2);
  }
  if (g.has("hidden")) gp.hidden = hidden_from(g.group("hidden"));
  if (!gp.hidden.empty() && gp.hidden.back().outputs() != last_inputs(gp))
    throw InputError(fmt::format("{}: the last layer takes {} columns, but the one below it gives {}",
                                 g.where(), last_inputs(gp), gp.hidden.back().outputs()));
  return gp;
}

void set_trace(ModelGroup& group, const std::vector<HarmonicStep>& trace) {
  std::vector<std::int64_t> steps;
  Matrix values(static_cast<Index>(trace.size()), 2);
  for (const HarmonicStep& s : trace) {
    values.row(static_cast<Index>(steps.size())) << s.bound, s.validation;
    steps.push_back(s.step);
  }
  group.set("trace_steps", std::move(steps)).set("trace", std::move(values));
}

std::vector<HarmonicStep> harmonic_trace_from(const ModelGroup& group) {
  const std::vector<std::int64_t>& steps = group.integers("trace_steps");
  const Matrix& values = group.matrix("trace");
  check_shape(group, "trace", values, static_cast<Index>(steps.size()), 2);
  std::vector<HarmonicStep> out;
  for (const std::int64_t step : steps) {
    const auto i = static_cast<Index>(out.size());
    out.push_back({step, values(i, 0), values(i, 1)});
  }
  return out;
}

}  // namespace bochner::detail
