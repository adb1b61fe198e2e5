#include "netcdf_scales.hpp"

#include <algorithm>
#include <cstddef>

namespace bochner::detail {

namespace {

/// An attribute that is not there yet.
H5 new_attribute(hid_t object, const std::string& name, hid_t type, hid_t space) {
  return {netcdf_must(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT)), H5Aclose};
}

hobj_ref_t reference_to(hid_t object) {
  hobj_ref_t out = 0;
  netcdf_must(H5Rcreate(&out, object, ".", H5R_OBJECT, -1));
  return out;
}

/// An entry of REFERENCE_LIST. Bytes between its members are in the file, too: they are zero.
struct Reference {
  hobj_ref_t dataset = 0;
  int dimension = 0;
  int nothing = 0;
};

}  // namespace

void text_attribute(hid_t object, const std::string& name, const std::string& text) {
  const H5 type(netcdf_must(H5Tcopy(H5T_C_S1)), H5Tclose),
      space(netcdf_must(H5Screate(H5S_SCALAR)), H5Sclose);
  netcdf_must(H5Tset_size(type, std::max<std::size_t>(1, text.size())));
  netcdf_must(H5Tset_strpad(type, H5T_STR_NULLTERM));
  const bool ascii =
      std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 128; });
  netcdf_must(H5Tset_cset(type, ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8));
  const H5 attribute = new_attribute(object, name, type, space);
  netcdf_must(H5Awrite(attribute, type, text.c_str()));
}

void scalar_attribute(hid_t object, const std::string& name, hid_t file_type, hid_t memory_type,
                      const void* value) {
  const H5 space(netcdf_must(H5Screate(H5S_SCALAR)), H5Sclose);
  const H5 attribute = new_attribute(object, name, file_type, space);
  netcdf_must(H5Awrite(attribute, memory_type, value));
}

void mark_as_scale(hid_t dataset, const std::string& name, std::int32_t number) {
  // With their end, as H5DS writes and compares them.
  text_attribute(dataset, "CLASS", std::string("DIMENSION_SCALE") + '\0');
  text_attribute(dataset, "NAME", name + '\0');
  scalar_attribute(dataset, "_Netcdf4Dimid", H5T_STD_I32LE, H5T_NATIVE_INT32, &number);
}

void attach_scales(hid_t dataset, const std::vector<hid_t>& scales, ScaleReferences& references) {
  if (scales.empty()) return;
  std::vector<hobj_ref_t> addresses;
  for (const hid_t scale : scales) addresses.push_back(reference_to(scale));
  std::vector<hvl_t> lists;
  for (hobj_ref_t& address : addresses) lists.push_back({1, &address});
  const hsize_t rank = scales.size();
  const H5 type(netcdf_must(H5Tvlen_create(H5T_STD_REF_OBJ)), H5Tclose),
      space(netcdf_must(H5Screate_simple(1, &rank, nullptr)), H5Sclose);
  const H5 attribute = new_attribute(dataset, "DIMENSION_LIST", type, space);
  netcdf_must(H5Awrite(attribute, type, lists.data()));
  for (std::size_t d = 0; d < addresses.size(); ++d)
    references[addresses[d]].emplace_back(reference_to(dataset), static_cast<int>(d));
}

void write_references(hid_t file, const ScaleReferences& references) {
  const H5 type(netcdf_must(H5Tcreate(H5T_COMPOUND, sizeof(Reference))), H5Tclose);
  netcdf_must(H5Tinsert(type, "dataset", offsetof(Reference, dataset), H5T_STD_REF_OBJ));
  netcdf_must(H5Tinsert(type, "dimension", offsetof(Reference, dimension), H5T_NATIVE_INT));
  for (const auto& [address, users] : references) {
    std::vector<Reference> list;
    for (const auto& [dataset, dimension] : users) list.push_back({dataset, dimension});
    const hsize_t size = list.size();
    const H5 space(netcdf_must(H5Screate_simple(1, &size, nullptr)), H5Sclose),
        scale(netcdf_must(H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, &address)), H5Oclose);
    const H5 attribute = new_attribute(scale, "REFERENCE_LIST", type, space);
    netcdf_must(H5Awrite(attribute, type, list.data()));
  }
}

}  // namespace bochner::detail
