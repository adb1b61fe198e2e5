#include "anndata.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "inside.hpp"
#include "src/tables/duplicates.hpp"
#include "storage.hpp"

namespace bochner::detail {

namespace {

// The index of a data frame, and what its names are names of.
struct Frame {
  const char* group;   // "/obs"
  const char* things;  // "row"
  const char* remedy;  // what makes the names unique in Python
  Index size;
};

// The strings of a dataset of n of them, or nothing if it holds something else.
std::vector<std::string> texts(hid_t dataset, Index n) {
  const H5 type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  if (!type.ok() || !space.ok() || H5Tget_class(type) != H5T_STRING) return {};
  std::vector<std::string> out;
  const auto count = static_cast<std::size_t>(n);
  if (H5Tis_variable_str(type) > 0) {
    std::vector<char*> cells(count, nullptr);
    if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells.data()) < 0) return {};
    for (const char* cell : cells) out.emplace_back(cell ? cell : "");
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, cells.data());
    return out;
  }
  const std::size_t width = H5Tget_size(type);
  std::string cells(width * count, '\0');
  if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells.data()) < 0) return {};
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view cell = std::string_view(cells).substr(i * width, width);
    out.emplace_back(cell.substr(0, cell.find('\0')));
  }
  return out;
}

// An attribute says which column of the frame is its index. Strings that may be missing are a group with their values.
H5 open_index(hid_t file, const std::string& path, const std::string& frame, std::string& name) {
  H5 nothing(-1, H5Oclose);
  const H5 group = open_inside(file, frame, path);
  if (!group.ok() || H5Iget_type(group) != H5I_GROUP) return nothing;
  const std::string index = text_attribute(group, "_index");
  if (index.empty()) return nothing;
  name = frame + "/" + index;
  H5 column = open_inside(group, index, path);
  if (column.ok() && H5Iget_type(column) == H5I_GROUP) {
    name += "/values";
    H5 values = open_inside(column, "values", path);
    return values.ok() && H5Iget_type(values) == H5I_DATASET ? std::move(values) : std::move(nothing);
  }
  return column.ok() && H5Iget_type(column) == H5I_DATASET ? std::move(column) : std::move(nothing);
}

std::vector<std::string> frame_index(hid_t file, const std::string& path, const std::string& matrix,
                                     const Frame& frame) {
  std::string name;
  const H5 dataset = open_index(file, path, frame.group, name);
  if (!dataset.ok()) return {};
  check_stored(dataset, 0, path, quote(name));  // not elsewhere; what was never written is an empty name
  const H5 space(H5Dget_space(dataset), H5Sclose), type(H5Dget_type(dataset), H5Tclose);
  if (!space.ok() || H5Sget_simple_extent_ndims(space) != 1) return {};
  const auto there = H5Sget_simple_extent_npoints(space);
  if (there != frame.size)
    throw InputError(fmt::format("{}: {} has {}, but {} has {}; the file is damaged, write it again",
                                 printable(path), quote(name), counted(there, "name"), quote(matrix),
                                 counted(frame.size, frame.things)));
  check_claim(file, double(there) * double(H5Tget_size(type)), path, quote(name));
  std::vector<std::string> names = texts(dataset, frame.size);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].empty() || valid_utf8(names[i]) != names[i].size())
      throw InputError(
          fmt::format("{}: name {} in {} is empty or not UTF-8", printable(path), i + 1, quote(name)));
  if (const auto repeat = first_repeat(names))
    throw InputError(fmt::format("{}: names {} and {} in {} are both {}; make them unique with adata.{}",
                                 printable(path), repeat->first + 1, repeat->second + 1, quote(name),
                                 quote(names[repeat->second]), frame.remedy));
  return names;
}

}  // namespace

AnnDataNames anndata_names(hid_t file, const std::string& path, const std::string& dataset, Index rows,
                           Index cols) {
  const std::string full = full_path(dataset);
  const bool raw = full == "/raw/X", matrix = full == "/X" || full.starts_with("/layers/");
  AnnDataNames out;
  if (!raw && !matrix && !full.starts_with("/obsm/")) return out;
  out.ids = frame_index(file, path, full, {"/obs", "row", "obs_names_make_unique()", rows});
  if (raw || matrix)
    out.columns =
        frame_index(file, path, full, {raw ? "/raw/var" : "/var", "column", "var_names_make_unique()", cols});
  return out;
}

}  // namespace bochner::detail
