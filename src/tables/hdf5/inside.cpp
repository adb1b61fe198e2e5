#include "inside.hpp"

#include <fmt/format.h>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner::detail {

namespace {

// HDF5 asks before it follows an external link; a negative answer stops it.
herr_t note_and_refuse(const char*, const char*, const char* file, const char*, unsigned*, hid_t,
                       void* target) {
  *static_cast<std::string*>(target) = file ? file : "";
  return -1;
}

H5 links_inside(std::string& target) {
  H5 access(H5Pcreate(H5P_LINK_ACCESS), H5Pclose);
  H5Pset_elink_cb(access, note_and_refuse, &target);
  return access;
}

}  // namespace

std::string full_path(const std::string& object) {
  std::string out;
  for (const char c : "/" + object)
    if (c != '/' || !out.ends_with('/')) out += c;
  if (out.size() > 1 && out.ends_with('/')) out.pop_back();
  return out;
}

H5 open_inside(hid_t where, const std::string& object, const std::string& path) {
  std::string target;
  const H5 access = links_inside(target);
  H5 opened(H5Oopen(where, object.c_str(), access), H5Oclose);
  if (!target.empty())
    throw InputError(fmt::format(
        "{}: {} lies in another file, {}, and such links are not followed; name that file, or write a plain "
        "copy of this one (in h5py, copy(..., expand_external=True))",
        printable(path), quote(object), quote(target)));
  return opened;
}

bool has_link(hid_t where, const std::string& object) {
  std::string target;
  return H5Lexists(where, object.c_str(), links_inside(target)) > 0;
}

std::string text_attribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return {};
  const H5 attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
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

}  // namespace bochner::detail
