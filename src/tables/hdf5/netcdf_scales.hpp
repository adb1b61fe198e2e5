#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bochner/core/errors.hpp"
#include "h5.hpp"

namespace bochner::detail {

// The attributes that make datasets dimension scales of others, as H5DS of hdf5_hl writes them.

template <class Id>
Id&& netcdf_must(Id&& id) {
  if (id < 0) throw WriteError("the HDF5 library cannot write the file; the disk may be full");
  return std::forward<Id>(id);
}

/// For the address of each scale: the datasets that have it, and as which of their dimensions.
using ScaleReferences = std::map<hobj_ref_t, std::vector<std::pair<hobj_ref_t, int>>>;

/// A string, or one number, as an attribute.
void text_attribute(hid_t object, const std::string& name, const std::string& text);
void scalar_attribute(hid_t object, const std::string& name, hid_t file_type, hid_t memory_type,
                      const void* value);

void mark_as_scale(hid_t dataset, const std::string& name, std::int32_t number);

/// One scale for each dimension of the dataset.
void attach_scales(hid_t dataset, const std::vector<hid_t>& scales, ScaleReferences& references);

/// What scales know of the datasets that have them.
void write_references(hid_t file, const ScaleReferences& references);

}  // namespace bochner::detail
