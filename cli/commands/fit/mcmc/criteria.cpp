#include "criteria.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bochner/core/messages.hpp"
#include "cli/frame/text.hpp"

namespace bochner::cli {

namespace {

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

std::string measured_text(const ViewCriteria& c) {
  if (c.loo.n_data_points >= c.measured) return counted(c.loo.n_data_points, "measurement");
  return fmt::format("{} measurements (of {} in all)", c.loo.n_data_points, c.measured);
}

}  // namespace

std::string criteria_text(const std::vector<ViewCriteria>& criteria) {
  if (criteria.empty()) return "";
  std::vector<std::vector<std::string>> rows{
      {"leave-one-out (PSIS)", "elpd_loo", "se", "p_loo", "elpd_waic", "p_waic", "Pareto k too large"}};
  std::string warning;
  for (const ViewCriteria& c : criteria) {
    rows.push_back({"  " + printable(c.view, 40), fmt::format("{:.1f}", c.loo.elpd_loo),
                    fmt::format("{:.1f}", c.loo.se), fmt::format("{:.1f}", c.loo.p_loo),
                    fmt::format("{:.1f}", c.waic.elpd_waic), fmt::format("{:.1f}", c.waic.p_waic),
                    fmt::format("{} of {}", c.loo.bad, measured_text(c))});
    if (c.loo.warning() && warning.empty())
      warning = fmt::format(
          "Pareto k above {:.2f} means that leaving the measurement out changes the posterior too much for "
          "importance sampling:\nelpd_loo is an optimistic guess there. Held-out scores are not affected.\n",
          c.loo.good_k);
  }
  return align(rows) + warning + "\n";
}

void put_criteria(Json& json, const std::vector<ViewCriteria>& criteria) {
  for (const ViewCriteria& c : criteria) {
    json["loo"][c.view] = {{"elpd_loo", number(c.loo.elpd_loo)},
                           {"se", number(c.loo.se)},
                           {"p_loo", number(c.loo.p_loo)},
                           {"n_samples", c.loo.n_samples},
                           {"n_data_points", c.loo.n_data_points},
                           {"good_k", c.loo.good_k},
                           {"pareto_k_above_good_k", c.loo.bad},
                           {"pareto_k_above_1", c.loo.very_bad},
                           {"warning", c.loo.warning()}};
    json["waic"][c.view] = {{"elpd_waic", number(c.waic.elpd_waic)}, {"se", number(c.waic.se)},
                            {"p_waic", number(c.waic.p_waic)},       {"n_samples", c.waic.n_samples},
                            {"n_data_points", c.waic.n_data_points}, {"warning", c.waic.warning()}};
  }
}

}  // namespace bochner::cli
