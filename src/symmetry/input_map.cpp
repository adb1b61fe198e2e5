#include "bochner/symmetry/input_map.hpp"

#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"

namespace bochner {
namespace {

std::size_t slot(Index i) { return static_cast<std::size_t>(i); }

/// Columns of the table that stay as they are; checks that circles and spheres take each of the others once.
std::vector<Index> plain_columns(const InputMap& map) {
  std::vector<bool> used(map.columns.size(), false);
  const auto use = [&](const char* what, Index column) {
    check_between("InputMap", what, double(column), 0, double(map.columns.size()) - 1);
    if (used[slot(column)])
      throw InputError(
          "the column '" + map.columns[slot(column)] +
          "' is used twice; it can be one circle, or the longitude or the latitude of one sphere");
    used[slot(column)] = true;
  };
  for (const Circle& c : map.circles) {
    use("the column of a circle", c.column);
    check_positive("InputMap", "the period of a circle", c.period);
  }
  for (const Sphere& s : map.spheres) {
    use("the longitude of a sphere", s.longitude);
    use("the latitude of a sphere", s.latitude);
  }
  std::vector<Index> plain;
  for (Index j = 0; j < Index(used.size()); ++j)
    if (!used[slot(j)]) plain.push_back(j);
  return plain;
}

/// 2 pi x / period. The remainder is exact, so that a point does not move when whole turns are added to it.
double angle(double x, double period) { return 2 * pi * (std::remainder(x, period) / period); }

}  // namespace

std::vector<std::string> InputMap::names() const {
  const std::vector<Index> plain = plain_columns(*this);
  std::vector<std::string> out;
  for (const Circle& c : circles)
    for (const char* f : {"cos ", "sin "}) out.push_back(f + columns[slot(c.column)]);
  for (const Sphere& s : spheres)
    for (const char* axis : {"x", "y", "z"})
      out.push_back(spheres.size() == 1 ? axis : axis + (" " + columns[slot(s.longitude)]));
  for (const Index j : plain) out.push_back(columns[slot(j)]);
  return out;
}

Matrix InputMap::unfold(MatrixIn table, Index first_row) const {
  const std::vector<Index> plain = plain_columns(*this);
  check_size("InputMap::unfold", "columns of the table", table.cols(), "columns of the map",
             Index(columns.size()));
  Matrix out(table.rows(), 2 * Index(circles.size()) + 3 * Index(spheres.size()) + Index(plain.size()));
  for (Index n = 0; n < table.rows(); ++n) {
    Index j = 0;
    for (const Circle& c : circles) {
      const double t = angle(table(n, c.column), c.period);
      out(n, j++) = std::cos(t);
      out(n, j++) = std::sin(t);
    }
    for (const Sphere& s : spheres) {
      const double degrees = table(n, s.latitude);
      if (std::abs(degrees) > 90)
        throw InputError("row " + std::to_string(first_row + n + 1) + ", column '" +
                         columns[slot(s.latitude)] + "': the latitude is " + std::to_string(degrees) +
                         ", but must lie between -90 and 90 degrees; name the column of longitudes first");
      const double longitude = angle(table(n, s.longitude), 360), latitude = degrees / 180 * pi;
      out(n, j++) = std::cos(latitude) * std::cos(longitude);
      out(n, j++) = std::cos(latitude) * std::sin(longitude);
      out(n, j++) = std::sin(latitude);
    }
    for (const Index column : plain) out(n, j++) = table(n, column);
  }
  return out;
}

Matrix InputMap::apply(MatrixIn table) const {
  Matrix out = unfold(table);
  check_size("InputMap::apply", "size of centre", centre.size(), "columns that come out", out.cols());
  check_size("InputMap::apply", "size of scale", scale.size(), "columns that come out", out.cols());
  out.array().rowwise() -= centre.transpose().array();
  out.array().rowwise() /= scale.transpose().array();
  return out;
}

}  // namespace bochner
