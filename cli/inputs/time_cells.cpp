#include "time_cells.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_date.hpp"
#include "bochner/core/parse_number.hpp"
#include "bochner/data/labels.hpp"

namespace bochner::cli {

namespace {

std::optional<double> parsed(const std::string& cell, bool dates) {
  return dates ? parse_date(cell) : parse_number(cell);
}

}  // namespace

TimeAxis time_axis(const std::vector<std::string>& cells, const std::vector<std::string>& ids) {
  TimeAxis out{.time = Vector(static_cast<Index>(cells.size()))};
  out.dates = !cells.empty() && parse_date(cells.front()).has_value();
  for (std::size_t n = 0; n < cells.size(); ++n) {
    const std::optional<double> time = parsed(cells[n], out.dates);
    if (!time)
      throw InputError(
          fmt::format("--time: sample {}: {} is not a {}", quote(ids[n]), quote(cells[n]),
                      out.dates ? fmt::format("date, as that of sample {} is; write dates like 2020-12-31 or "
                                              "2020-12-31T23:59",
                                              quote(ids.front()))
                                : "number; write dates like 2020-12-31 or 2020-12-31T23:59, in every row"));
    out.time(static_cast<Index>(n)) = *time;
  }
  return out;
}

Vector new_times(const TimeAxis& fit, const std::vector<std::string>& cells,
                 const std::vector<std::string>& ids) {
  Vector out = Vector::Constant(static_cast<Index>(cells.size()), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t n = 0; n < cells.size(); ++n) {
    if (!is_label(cells[n])) continue;
    const std::optional<double> time = parsed(cells[n], fit.dates);
    if (!time)
      throw InputError(fmt::format("time of sample {}: {} is not a {}, as the times of the fit are",
                                   quote(ids[n]), quote(cells[n]),
                                   fit.dates ? "date like 2020-12-31 or 2020-12-31T23:59" : "number"));
    out(static_cast<Index>(n)) = *time;
  }
  return out;
}

}  // namespace bochner::cli
