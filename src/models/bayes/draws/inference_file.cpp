#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/models/bayes/inference_data.hpp"
#include "bochner/models/bayes/names.hpp"
#include "posterior_variables.hpp"
#include "src/tables/hdf5/netcdf.hpp"
#include "src/tables/subprocess.hpp"

namespace bochner {

namespace {

using detail::NetcdfFile, detail::NetcdfGroup, detail::NetcdfType, detail::NetcdfVariable;

using Numbers = std::vector<std::int64_t>;

/// What every group says of where it comes from, as ArviZ's schema has it. No time of day: the same draws are the same bytes.
void describe(NetcdfGroup& group, const BayesFit& fit) {
  group.attribute("inference_library", "bochner");
  group.attribute("inference_library_version", BOCHNER_VERSION);
  group.attribute("tuning_steps", std::int64_t{fit.options.warmup});
  group.attribute("thin", std::int64_t{fit.options.thin});
}

void add_draw_dimensions(NetcdfGroup& group, Index chains, const std::vector<Index>& numbers) {
  group.dimension("chain", chains);
  group.dimension("draw", Numbers(numbers.begin(), numbers.end()));
}

std::vector<std::string> behind_draws(std::vector<std::string> dims) {
  dims.insert(dims.begin(), {"chain", "draw"});
  return dims;
}

/// One variable of a group that is written draw by draw, and how it is found in one.
struct ByDraw {
  NetcdfVariable variable;
  std::vector<double> values;
  std::function<void(const BayesDraw&, double*)> get;
};

ByDraw by_draw(NetcdfVariable variable, std::function<void(const BayesDraw&, double*)> get,
               const std::string& long_name) {
  variable.attribute("long_name", long_name);
  std::vector<double> values(static_cast<std::size_t>(variable.size_behind(2)));
  return {std::move(variable), std::move(values), std::move(get)};
}

void add_posterior(NetcdfFile& file, const InferenceData& data, std::vector<ByDraw>& out) {
  NetcdfGroup group = file.group("posterior");
  describe(group, data.fit);
  add_draw_dimensions(group, data.draws.chains, data.draws.numbers);
  for (const PosteriorVariable& own : posterior_variables(data.fit)) {
    std::vector<std::string> dims;
    for (const auto& [name, labels] : own.dims) {
      if (!group.has_dimension(name)) group.dimension(name, labels);
      dims.push_back(name);
    }
    out.push_back(by_draw(
        group.variable(own.name, behind_draws(dims), own.integer ? NetcdfType::integer : NetcdfType::real),
        own.get, own.long_name));
  }
  NetcdfGroup stats = file.group("sample_stats");
  describe(stats, data.fit);
  add_draw_dimensions(stats, data.draws.chains, data.draws.numbers);
  out.push_back(by_draw(
      stats.variable("log_density", {"chain", "draw"}),
      [](const BayesDraw& draw, double* to) { *to = draw.log_density; },
      "log probability of the tables given latents and functions"));
}

std::function<void(const BayesDraw&, double*)> copy_of(std::size_t v, Matrix BayesFunctions::*member) {
  return [v, member](const BayesDraw& draw, double* to) {
    const Matrix& M = draw.functions[v].*member;
    std::copy(M.data(), M.data() + M.size(), to);
  };
}

void add_functions(NetcdfFile& file, const InferenceData& data, const std::vector<std::string>& names,
                   std::vector<ByDraw>& out) {
  NetcdfGroup group = file.group("functions");
  describe(group, data.fit);
  add_draw_dimensions(group, data.draws.chains, data.draws.numbers);
  group.dimension("dim", dim_labels(data.fit.dims()));
  for (std::size_t v = 0; v < names.size(); ++v) {
    const BayesViewFit& view = data.fit.views[v];
    const std::string &name = names[v], frequency = name + "_frequency", weight = name + "_weight",
                      function = name + "_function";
    const Index L = view.draws.front().W.rows();
    std::vector<std::string> labels;
    for (const char* what : {"cos", "sin"})
      for (Index l = 0; l < L; ++l) labels.push_back(fmt::format("{}{}", what, l));
    labels.emplace_back("intercept");
    group.dimension(frequency, L);
    group.dimension(weight, labels);
    group.dimension(function, function_labels(view));
    out.push_back(by_draw(group.variable("W_" + name, behind_draws({frequency, "dim"})),
                          copy_of(v, &BayesFunctions::W), "angular frequencies w of f"));
    out.push_back(by_draw(group.variable("B_" + name, behind_draws({weight, function})),
                          copy_of(v, &BayesFunctions::B),
                          "weights of cos(w'x) / sqrt L and sin(w'x) / sqrt L, and intercepts, of f"));
  }
  if (data.fit.paths.empty()) return;
  group.dimension("path", data.fit.dims());
  out.push_back(by_draw(
      group.variable("turn", behind_draws({"path", "dim"})),
      [](const BayesDraw& draw, double* to) {
        std::copy(draw.turn.data(), draw.turn.data() + draw.turn.size(), to);
      },
      "rotation: latent = paths times turn"));
}

/// Rows behind the last component of a draw are NaN.
std::function<void(const BayesDraw&, double*)> padded(std::size_t v, Index most, Index width,
                                                      std::function<Matrix(const SpectralDraw&)> part) {
  return [=](const BayesDraw& draw, double* to) {
    std::fill(to, to + most * width, std::nan(""));
    const Matrix M = part(draw.functions[v].spectrum);
    std::copy(M.data(), M.data() + M.size(), to);
  };
}

void add_spectrum(NetcdfFile& file, const InferenceData& data, const std::vector<std::string>& names,
                  std::vector<ByDraw>& out) {
  const Index Q = data.fit.dims();
  std::vector<Index> most(names.size(), 0);
  data.draws.each([&](const BayesDraw& draw) {
    for (std::size_t v = 0; v < most.size(); ++v)
      most[v] = std::max(most[v], draw.functions[v].spectrum.components());
  });
  if (*std::max_element(most.begin(), most.end()) == 0) return;
  NetcdfGroup group = file.group("spectrum");
  describe(group, data.fit);
  add_draw_dimensions(group, data.draws.chains, data.draws.numbers);
  group.dimension("dim", dim_labels(Q));
  group.dimension("dim_other", dim_labels(Q));
  for (std::size_t v = 0; v < names.size(); ++v) {
    const std::string component = names[v] + "_component";
    group.dimension(component, most[v]);
    out.push_back(by_draw(group.variable("weights_" + names[v], behind_draws({component})),
                          padded(v, most[v], 1, [](const SpectralDraw& s) { return Matrix(s.weights); }),
                          "shares of the frequencies, largest first"));
    out.push_back(by_draw(group.variable("means_" + names[v], behind_draws({component, "dim"})),
                          padded(v, most[v], Q, [](const SpectralDraw& s) { return s.means; }),
                          "means of angular frequencies"));
    out.push_back(
        by_draw(group.variable("covariances_" + names[v], behind_draws({component, "dim", "dim_other"})),
                padded(v, most[v], Q * Q, [](const SpectralDraw& s) { return s.covariances; }),
                "covariances of angular frequencies"));
  }
}

std::vector<std::string> taken(const std::vector<std::string>& labels, const std::vector<Index>& at) {
  std::vector<std::string> out;
  for (const Index i : at) out.push_back(labels[static_cast<std::size_t>(i)]);
  return out;
}

std::string classes_text(const BayesViewFit& view) {
  std::string out;
  for (std::size_t m = 0; m < view.class_names.size(); ++m) {
    out += (m > 0 ? "; " : "") + view.columns[m] + ":";
    for (std::size_t c = 0; c < view.class_names[m].size(); ++c)
      out += fmt::format(" {}={}", c, view.class_names[m][c]);
  }
  return out;
}

/// The dimension of measured entries of a view, with the sample and the column of each.
void add_entries(NetcdfGroup& group, const InferenceData& data, const std::string& name,
                 const PointwiseView& view, const BayesViewFit& model) {
  group.dimension(name + "_entry", static_cast<Index>(view.row.size()));
  group.texts(name + "_entry_sample", name + "_entry", taken(data.fit.ids, view.row));
  group.texts(name + "_entry_column", name + "_entry", taken(model.columns, view.column));
}

/// Which variable is about what, and what is left out of it.
void annotate(NetcdfVariable& variable, const std::string& name, const PointwiseView& view,
              const BayesViewFit& model) {
  variable.attribute("coordinates", name + "_entry_sample " + name + "_entry_column");
  variable.attribute("long_name", view.view);
  variable.attribute("likelihood", to_text(model.likelihood));
  if (model.likelihood == BayesLikelihood::categorical) variable.attribute("classes", classes_text(model));
  if (static_cast<Index>(view.row.size()) < view.measured)
    variable.attribute("left_out", fmt::format("{} of {} measured entries were chosen at random",
                                               view.row.size(), view.measured));
}

NetcdfType type_of(const BayesViewFit& view) {
  return view.likelihood == BayesLikelihood::gaussian ? NetcdfType::real : NetcdfType::integer;
}

void put_pointwise(NetcdfVariable& variable, const Matrix& values, Index chains) {
  const Index draws = values.rows() / chains;
  for (Index s = 0; s < values.rows(); ++s)
    variable.put({s / draws, s % draws}, Eigen::RowVectorXd(values.row(s)).data());
}

void write_log_likelihood(NetcdfFile& file, const InferenceData& data, const std::vector<std::string>& names,
                          const std::vector<Index>& numbers) {
  const Pointwise& pointwise = *data.pointwise;
  NetcdfGroup group = file.group("log_likelihood");
  describe(group, data.fit);
  group.attribute("reff", data.reff);
  add_draw_dimensions(group, pointwise.chains, numbers);
  for (std::size_t v = 0; v < names.size(); ++v) {
    const PointwiseView& view = pointwise.views[v];
    if (view.row.empty()) continue;
    const BayesViewFit& model = data.fit.views[v];
    if (view.by_row()) {
      const std::string row = names[v] + "_sample";
      group.dimension(row, taken(data.fit.ids, view.rows));
      NetcdfVariable variable = group.variable(names[v], behind_draws({row}));
      variable.attribute("long_name", view.view + ", the counts of a row given their total");
      put_pointwise(variable, view.log_likelihood, pointwise.chains);
      continue;
    }
    add_entries(group, data, names[v], view, model);
    NetcdfVariable variable = group.variable(names[v], behind_draws({names[v] + "_entry"}));
    annotate(variable, names[v], view, model);
    put_pointwise(variable, view.log_likelihood, pointwise.chains);
  }
}

void write_entries(NetcdfFile& file, const InferenceData& data, const std::vector<std::string>& names,
                   const std::vector<Index>& numbers) {
  const Pointwise& pointwise = *data.pointwise;
  NetcdfGroup predictive = file.group("posterior_predictive"), observed = file.group("observed_data");
  describe(predictive, data.fit);
  describe(observed, data.fit);
  add_draw_dimensions(predictive, pointwise.chains, numbers);
  for (std::size_t v = 0; v < names.size(); ++v) {
    const PointwiseView& view = pointwise.views[v];
    if (view.row.empty()) continue;
    const BayesViewFit& model = data.fit.views[v];
    const std::string entry = names[v] + "_entry";
    add_entries(predictive, data, names[v], view, model);
    add_entries(observed, data, names[v], view, model);
    NetcdfVariable drawn = predictive.variable(names[v], behind_draws({entry}), type_of(model)),
                   own = observed.variable(names[v], {entry}, type_of(model));
    annotate(drawn, names[v], view, model);
    annotate(own, names[v], view, model);
    put_pointwise(drawn, view.predictive, pointwise.chains);
    own.put(view.observed.data());
  }
}

void write_constants(NetcdfFile& file, const InferenceData& data, const std::vector<std::string>& names) {
  NetcdfGroup group = file.group("constant_data");
  describe(group, data.fit);
  group.dimension("sample", data.fit.ids);
  for (std::size_t v = 0; v < names.size(); ++v) {
    const BayesViewFit& model = data.fit.views[v];
    Matrix seen = data.seen->data.view(static_cast<Index>(v)).Y;
    group.dimension(names[v] + "_column", model.columns);
    NetcdfVariable variable = group.variable(names[v] + "_table", {"sample", names[v] + "_column"});
    variable.attribute("long_name", model.name + " as the fit has seen it: NaN is missing or held out");
    if (model.row_median > 0) variable.attribute("normalised", "rows are divided by their root mean square");
    variable.put(seen.data());
    if (model.exposure.size() == 0) continue;
    NetcdfVariable exposure = group.variable(names[v] + "_exposure", {"sample"});
    exposure.attribute("long_name", "exposures: means are proportional to them");
    exposure.put(model.exposure.data());
  }
  if (data.seen->axis.time.size() == 0) return;
  NetcdfVariable time = group.variable("time", {"sample"});
  // xarray reads such numbers as dates.
  if (data.seen->axis.dates) time.attribute("units", "days since 1970-01-01");
  time.put(data.seen->axis.time.data());
  if (data.seen->axis.group.empty()) return;
  const std::vector<double> groups(data.seen->axis.group.begin(), data.seen->axis.group.end());
  group.variable("group", {"sample"}, NetcdfType::integer).put(groups.data());
}

void write_all(const std::string& path, const InferenceData& data) {
  const detail::QuietH5 quiet;
  NetcdfFile file(path);
  {
    NetcdfGroup root = file.root();
    root.attribute("Conventions", "CF-1.11");
    describe(root, data.fit);
    const std::vector<std::string> names = netcdf_names(data.fit);
    std::vector<ByDraw> variables;
    add_posterior(file, data, variables);
    if (data.pointwise) {
      std::vector<Index> numbers;
      for (const Index d : data.pointwise->draws)
        numbers.push_back(data.draws.numbers[static_cast<std::size_t>(d)]);
      write_log_likelihood(file, data, names, numbers);
      write_entries(file, data, names, numbers);
    }
    if (data.seen != nullptr) write_constants(file, data, names);
    add_spectrum(file, data, names, variables);
    add_functions(file, data, names, variables);
    data.draws.each([&](const BayesDraw& draw) {
      for (ByDraw& own : variables) {
        own.get(draw, own.values.data());
        own.variable.put({draw.chain, draw.number}, own.values.data());
      }
    });
  }
  file.finish();
}

/// A file that is gone at the end of the scope, whatever happens; one that was renamed is gone already.
struct Removed {
  std::string path;
  ~Removed() {
    std::error_code error;
    std::filesystem::remove(path, error);
  }
};

}  // namespace

void write_inference_data(const std::string& path, const InferenceData& data) {
  const std::filesystem::path target(path);
  const std::string temporary =
      (target.parent_path() / fmt::format(".{}.{}-0.part", target.filename().string(), ::getpid())).string();
  const Removed remains{temporary};
  // HDF5 may crash when it closes a file that a full disk has cut short, hence a child.
  auto lock = detail::lock_hdf5();
  detail::Isolated child([&](detail::Channel& channel) {
    std::string complaint;
    try {
      write_all(temporary, data);
    } catch (const std::exception& error) {
      complaint = error.what();
    }
    channel.send(complaint);
  });
  lock.unlock();
  std::string complaint;
  if (!child.channel().receive(complaint, 4096))
    throw WriteError(fmt::format("{}: the file cannot be written; the disk may be full", printable(path)));
  if (!complaint.empty())
    throw WriteError(fmt::format("{}: {}", printable(path), printable(complaint, 4096)));
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error)
    throw WriteError(fmt::format("{}: the file cannot be written ({})", printable(path), error.message()));
}

}  // namespace bochner
