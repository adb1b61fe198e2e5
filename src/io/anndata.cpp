#include "anndata.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bochner/core/errors.hpp"
#include "h5.hpp"
#include "repeats.hpp"
#include "sentence.hpp"

namespace bochner::io {

namespace {

// A text attribute of a group, or nothing.
std::string text_attribute(hid_t group, const char* name) {
  if (H5Aexists(group, name) <= 0) return {};
  const H5 attribute(H5Aopen(group, name, H5P_DEFAULT), H5Aclose);
  const H5 type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  if (!type.ok() || !space.ok() || H5Tget_class(type) != H5T_STRING ||
      H5Sget_simple_extent_npoints(space) != 1)
    return {};
  if (H5Tis_variable_str(type) > 0) {
    char* text = nullptr;
    if (H5Aread(attribute, type, &text) < 0 || !text) return {};
    std::string out(text);
    H5free_memory(text);
    return out;
  }
  std::string out(H5Tget_size(type), '\0');
  if (H5Aread(attribute, type, out.data()) < 0) return {};
  return out.substr(0, out.find('\0'));
}

// The texts of a dataset of exactly n of them, or nothing.
std::vector<std::string> texts(hid_t dataset, Index n) {
  const H5 type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  if (!type.ok() || !space.ok() || H5Tget_class(type) != H5T_STRING ||
      H5Sget_simple_extent_ndims(space) != 1 || H5Sget_simple_extent_npoints(space) != n)
    return {};
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

// The index of the data frame in a group: an attribute says which of its columns that is.
std::vector<std::string> frame_index(hid_t file, const std::string& path, const std::string& frame, Index n,
                                     const char* remedy) {
  const H5 group(H5Gopen2(file, frame.c_str(), H5P_DEFAULT), H5Gclose);
  if (!group.ok()) return {};
  const std::string index = text_attribute(group, "_index");
  if (index.empty()) return {};
  const H5 dataset(H5Dopen2(group, index.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.ok()) return {};
  std::vector<std::string> names = texts(dataset, n);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].empty() || valid_utf8(names[i]) != names[i].size())
      throw InputError(fmt::format("{}: name {} in {} is empty or not UTF-8", printable(path), i + 1,
                                   quote(frame + "/" + index)));
  if (const auto repeat = first_repeat(names))
    throw InputError(fmt::format("{}: names {} and {} in {} are both {}; make them unique with adata.{}",
                                 printable(path), repeat->first + 1, repeat->second + 1,
                                 quote(frame + "/" + index), quote(names[repeat->second]), remedy));
  return names;
}

}  // namespace

AnnDataNames anndata_names(hid_t file, const std::string& path, const std::string& dataset, Index rows,
                           Index cols) {
  const std::string full = dataset.starts_with('/') ? dataset : "/" + dataset;
  const bool raw = full == "/raw/X", matrix = full == "/X" || full.starts_with("/layers/");
  AnnDataNames out;
  if (!raw && !matrix && !full.starts_with("/obsm/")) return out;
  out.ids = frame_index(file, path, "/obs", rows, "obs_names_make_unique()");
  if (raw || matrix)
    out.columns = frame_index(file, path, raw ? "/raw/var" : "/var", cols, "var_names_make_unique()");
  return out;
}

}  // namespace bochner::io
