#include "listing.hpp"

#include <algorithm>
#include <set>

#include "dataset.hpp"
#include "inside.hpp"
#include "sparse.hpp"
#include "storage.hpp"

namespace bochner::detail {

namespace {

constexpr std::size_t most_objects = 20000;
constexpr int deepest = 100;

using Names = std::vector<std::string>;

herr_t note_name(hid_t, const char* name, const H5L_info_t* info, void* data) {
  auto& names = *static_cast<Names*>(data);
  if (info->type == H5L_TYPE_HARD) names.emplace_back(name);
  return names.size() > most_objects ? 1 : 0;
}

class Walk {
 public:
  Walk(const std::string& path, Hdf5Listing& out) : path_(path), out_(out) {}

  void start(hid_t root) {
    is_new(root);
    group(root, "", 0);
  }

 private:
  // Each object is opened from its own group: from the root, its whole path would be walked again.
  void group(hid_t id, const std::string& prefix, int depth) {
    Names names;
    H5Literate(id, H5_INDEX_NAME, H5_ITER_INC, nullptr, note_name, &names);
    for (const std::string& name : names) {
      if (++objects_ > most_objects) {
        out_.complete = false;
        return;
      }
      const H5 object = open_inside(id, name, path_);
      if (object.ok() && is_new(object)) look_at(object, prefix + "/" + name, depth);
    }
  }

  void look_at(hid_t object, const std::string& full, int depth) {
    const H5I_type_t type = H5Iget_type(object);
    if (type == H5I_DATASET) {
      const Stored stored = where_stored(object);
      if (is_table(object)) out_.paths.push_back(full);
      if (stored == Stored::in_other_file || stored == Stored::by_mapping) out_.elsewhere.push_back(full);
    } else if (type == H5I_GROUP && is_sparse(object)) {
      if (is_readable_sparse(object)) out_.paths.push_back(full);
    } else if (type == H5I_GROUP && depth < deepest) {
      group(object, full, depth + 1);
    } else if (type == H5I_GROUP) {
      out_.complete = false;
    }
  }

  // Hard links can lead to an object on several ways, and in circles.
  bool is_new(hid_t object) {
    H5O_info_t info;
    if (H5Oget_info2(object, &info, H5O_INFO_BASIC) < 0) return false;
    return info.rc <= 1 || seen_.insert(info.addr).second;
  }

  const std::string& path_;
  Hdf5Listing& out_;
  std::set<haddr_t> seen_;
  std::size_t objects_ = 0;
};

}  // namespace

Hdf5Listing list_tables(hid_t file, const std::string& path) {
  Hdf5Listing out;
  const H5 root(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose);
  if (root.ok()) Walk(path, out).start(root);
  std::sort(out.paths.begin(), out.paths.end());
  std::sort(out.elsewhere.begin(), out.elsewhere.end());
  return out;
}

}  // namespace bochner::detail
