#include "bochner/data/covariates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "bochner/core/checks.hpp"
#include "bochner/core/counted.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"
#include "bochner/data/labels.hpp"

namespace bochner {

namespace {

constexpr std::size_t most_covariate_levels = 100;

std::string at_sample(const std::string& name, const std::string& id) {
  return fmt::format("covariate {}, sample {}", quote(name), quote(id));
}

void check_covariate_cells(const std::string& name, const std::vector<std::string>& cells,
                           const std::vector<std::string>& ids) {
  check_size("covariates", "cells", static_cast<Index>(cells.size()), "samples",
             static_cast<Index>(ids.size()));
  for (std::size_t n = 0; n < cells.size(); ++n)
    if (!is_label(cells[n]))
      throw InputError(
          fmt::format("{} has no value; fill it in or omit the sample", at_sample(name, ids[n])));
}

std::optional<double> finite_number(const std::string& cell) {
  const std::optional<double> out = parse_number(cell);
  return out && std::isfinite(*out) ? out : std::nullopt;
}

Vector covariate_numbers(const std::string& name, const std::vector<std::string>& cells,
                         const std::vector<std::string>& ids) {
  Vector out(static_cast<Index>(cells.size()));
  for (std::size_t n = 0; n < cells.size(); ++n) {
    const std::optional<double> number = finite_number(cells[n]);
    if (!number)
      throw InputError(fmt::format("{}: {} is not a number, as it was in the fit", at_sample(name, ids[n]),
                                   quote(cells[n])));
    out(static_cast<Index>(n)) = *number;
  }
  return out;
}

Covariate learn_covariate(const std::string& name, const std::vector<std::string>& cells,
                          const std::vector<std::string>& ids) {
  check_covariate_cells(name, cells, ids);
  Covariate out{.name = name};
  const bool single =
      std::all_of(cells.begin(), cells.end(), [&](const std::string& c) { return c == cells[0]; });
  if (single)
    throw InputError(
        fmt::format("covariate {} is the same for all samples, which tells nothing; omit it", quote(name)));
  if (std::all_of(cells.begin(), cells.end(),
                  [](const std::string& c) { return finite_number(c).has_value(); })) {
    const Vector x = covariate_numbers(name, cells, ids);
    out.centre = x.mean();
    out.scale = std::sqrt((x.array() - out.centre).square().mean());
    if (!(out.scale > 0 && std::isfinite(out.scale)))
      throw InputError(
          fmt::format("covariate {} has no standard deviation that can be divided by; omit it", quote(name)));
    return out;
  }
  out.levels = encode_labels(cells).names;
  const auto odd = std::find_if(cells.begin(), cells.end(),
                                [](const std::string& c) { return !finite_number(c).has_value(); });
  const auto numbers = std::count_if(cells.begin(), cells.end(),
                                     [](const std::string& c) { return finite_number(c).has_value(); });
  if (out.levels.size() > 10 && 2 * numbers > std::ssize(cells))
    throw InputError(fmt::format(
        "{}: {} is not a number, as most cells of the column are; correct it, or make all of them "
        "text, as in 'b1'",
        at_sample(name, ids[static_cast<std::size_t>(odd - cells.begin())]), quote(*odd)));
  if (out.levels.size() > most_covariate_levels || 2 * out.levels.size() > cells.size() + 2)
    throw InputError(fmt::format("covariate {} has {} in {}, which is text that hardly repeats; omit it",
                                 quote(name), counted(static_cast<long long>(out.levels.size()), "level"),
                                 counted(static_cast<long long>(cells.size()), "sample")));
  return out;
}

}  // namespace

Index Covariates::width() const {
  Index out = 0;
  for (const Covariate& c : columns) out += c.width();
  return out;
}

std::vector<std::string> Covariates::names() const {
  std::vector<std::string> out;
  for (const Covariate& c : columns) {
    if (c.levels.empty()) out.push_back(c.name);
    for (std::size_t k = 1; k < c.levels.size(); ++k) out.push_back(c.name + "=" + c.levels[k]);
  }
  return out;
}

Vector Covariates::units() const {
  Vector out = Vector::Ones(width());
  Index at = 0;
  for (const Covariate& c : columns) {
    if (c.levels.empty()) out(at) = c.scale;
    at += c.width();
  }
  return out;
}

std::string Covariates::text() const {
  std::string out;
  for (const Covariate& c : columns) {
    if (!out.empty()) out += ", ";
    out += printable(c.name, 40);
    if (!c.levels.empty())
      out += fmt::format(" ({}; reference {})", counted(static_cast<long long>(c.levels.size()), "level"),
                         quote(c.levels.front()));
  }
  return out;
}

Covariates learn_covariates(const std::vector<std::string>& names,
                            const std::vector<std::vector<std::string>>& cells,
                            const std::vector<std::string>& ids) {
  check_size("covariates", "columns", static_cast<Index>(cells.size()), "names",
             static_cast<Index>(names.size()));
  Covariates out;
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(c), names[c]) !=
        names.begin() + static_cast<std::ptrdiff_t>(c))
      throw InputError(fmt::format("covariate {} is given twice", quote(names[c])));
    out.columns.push_back(learn_covariate(names[c], cells[c], ids));
  }
  return out;
}

Matrix encode(const Covariates& covariates, const std::vector<std::vector<std::string>>& cells,
              const std::vector<std::string>& ids) {
  check_size("covariates", "columns", static_cast<Index>(cells.size()), "covariates of the model",
             static_cast<Index>(covariates.columns.size()));
  Matrix out = Matrix::Zero(static_cast<Index>(ids.size()), covariates.width());
  Index at = 0;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const Covariate& own = covariates.columns[c];
    check_covariate_cells(own.name, cells[c], ids);
    if (own.levels.empty()) {
      out.col(at) = (covariate_numbers(own.name, cells[c], ids).array() - own.centre) / own.scale;
    } else {
      const Labels labels = encode_labels(cells[c], own.levels);
      for (Index n = 0; n < out.rows(); ++n) {
        if (labels.code(n) == Labels::unknown)
          throw InputError(fmt::format("{}: level {} is unknown to the model; its levels are {}",
                                       at_sample(own.name, ids[static_cast<std::size_t>(n)]),
                                       quote(cells[c][static_cast<std::size_t>(n)]), listing(own.levels)));
        if (labels.code(n) > 0) out(n, at + labels.code(n) - 1) = 1;
      }
    }
    at += own.width();
  }
  return out;
}

}  // namespace bochner
