#include "netcdf.hpp"

#include <map>
#include <numeric>

#include "bochner/core/errors.hpp"
#include "netcdf_scales.hpp"

namespace bochner::detail {

struct NetcdfState {
  H5 file;
  ScaleReferences references{};
  std::int32_t next_dimension = 0;
};

struct NetcdfGroup::Scales {
  struct Scale {
    H5 dataset;
    Index size;
  };
  std::map<std::string, Scale> by_name;
};

namespace {

H5 creation_of(hid_t kind) {
  H5 out(netcdf_must(H5Pcreate(kind)), H5Pclose);
  netcdf_must(H5Pset_obj_track_times(out, false));  // or the same values would give other bytes tomorrow
  netcdf_must(H5Pset_attr_creation_order(out, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  if (kind != H5P_DATASET_CREATE)
    netcdf_must(H5Pset_link_creation_order(out, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  return out;
}

H5 space_of(const std::vector<Index>& shape) {
  const std::vector<hsize_t> sizes(shape.begin(), shape.end());
  return {
      netcdf_must(sizes.empty() ? H5Screate(H5S_SCALAR)
                                : H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr)),
      H5Sclose};
}

/// Whole numbers of a draw at a time: counts shrink to a tenth.
void compress(hid_t creation, const std::vector<Index>& shape) {
  constexpr Index worth = 1000;
  if (shape.size() < 3 || shape.back() < worth || H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0) return;
  std::vector<hsize_t> chunk(shape.size(), 1);
  chunk.back() = static_cast<hsize_t>(shape.back());
  netcdf_must(H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data()));
  netcdf_must(H5Pset_shuffle(creation));
  netcdf_must(H5Pset_deflate(creation, 4));
}

H5 make_dataset(hid_t group, const std::string& name, hid_t type, const std::vector<Index>& shape,
                bool compressed = false) {
  const H5 creation = creation_of(H5P_DATASET_CREATE);
  if (compressed) compress(creation, shape);
  return {
      netcdf_must(H5Dcreate2(group, name.c_str(), type, space_of(shape), H5P_DEFAULT, creation, H5P_DEFAULT)),
      H5Dclose};
}

H5 string_type() {
  H5 type(netcdf_must(H5Tcopy(H5T_C_S1)), H5Tclose);
  netcdf_must(H5Tset_size(type, H5T_VARIABLE));
  netcdf_must(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

void write_texts(hid_t dataset, const std::vector<std::string>& values) {
  if (values.empty()) return;
  std::vector<const char*> pointers;
  for (const std::string& value : values) pointers.push_back(value.c_str());
  netcdf_must(H5Dwrite(dataset, string_type(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()));
}

}  // namespace

Index NetcdfVariable::size_behind(std::size_t dims) const {
  return std::accumulate(shape_.begin() + std::ptrdiff_t(dims), shape_.end(), Index{1}, std::multiplies<>());
}

void NetcdfVariable::put(const double* values) { put({}, values); }

void NetcdfVariable::put(const std::vector<Index>& at, const double* values) {
  const Index size = size_behind(at.size());
  if (size == 0) return;
  const H5 space(netcdf_must(H5Dget_space(dataset_)), H5Sclose);
  if (!at.empty()) {
    std::vector<hsize_t> start(shape_.size(), 0), count(shape_.begin(), shape_.end());
    for (std::size_t d = 0; d < at.size(); ++d) {
      start[d] = static_cast<hsize_t>(at[d]);
      count[d] = 1;
    }
    netcdf_must(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
  }
  const H5 memory = space_of({size});
  if (type_ == NetcdfType::integer) {
    const std::vector<std::int64_t> whole(values, values + size);
    netcdf_must(H5Dwrite(dataset_, H5T_NATIVE_INT64, shape_.empty() ? H5S_ALL : hid_t(memory),
                         shape_.empty() ? H5S_ALL : hid_t(space), H5P_DEFAULT, whole.data()));
    return;
  }
  netcdf_must(H5Dwrite(dataset_, H5T_NATIVE_DOUBLE, shape_.empty() ? H5S_ALL : hid_t(memory),
                       shape_.empty() ? H5S_ALL : hid_t(space), H5P_DEFAULT, values));
}

void NetcdfVariable::attribute(const std::string& name, const std::string& text) {
  text_attribute(dataset_, name, text);
}
void NetcdfVariable::attribute(const std::string& name, double value) {
  scalar_attribute(dataset_, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

NetcdfGroup::NetcdfGroup(NetcdfState& file, H5 group)
    : file_(file), group_(std::move(group)), scales_(std::make_unique<Scales>()) {}
NetcdfGroup::NetcdfGroup(NetcdfGroup&&) noexcept = default;
NetcdfGroup::~NetcdfGroup() = default;

void NetcdfGroup::dimension(const std::string& name, const std::vector<std::string>& labels) {
  const auto size = static_cast<Index>(labels.size());
  H5 dataset = make_dataset(group_, name, string_type(), {size});
  write_texts(dataset, labels);
  mark_as_scale(dataset, name, file_.next_dimension++);
  scales_->by_name.emplace(name, Scales::Scale{std::move(dataset), size});
}

void NetcdfGroup::dimension(const std::string& name, const std::vector<std::int64_t>& numbers) {
  const auto size = static_cast<Index>(numbers.size());
  H5 dataset = make_dataset(group_, name, H5T_STD_I64LE, {size});
  if (size > 0)
    netcdf_must(H5Dwrite(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()));
  mark_as_scale(dataset, name, file_.next_dimension++);
  scales_->by_name.emplace(name, Scales::Scale{std::move(dataset), size});
}

void NetcdfGroup::dimension(const std::string& name, Index size) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(size));
  std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
  dimension(name, numbers);
}

bool NetcdfGroup::has_dimension(const std::string& name) const { return scales_->by_name.contains(name); }

void NetcdfGroup::attach(hid_t dataset, const std::vector<std::string>& dims) {
  std::vector<hid_t> scales;
  for (const std::string& dim : dims) scales.push_back(scales_->by_name.at(dim).dataset);
  attach_scales(dataset, scales, file_.references);
}

NetcdfVariable NetcdfGroup::variable(const std::string& name, const std::vector<std::string>& dims,
                                     NetcdfType type) {
  std::vector<Index> shape;
  for (const std::string& dim : dims) shape.push_back(scales_->by_name.at(dim).size);
  const bool real = type == NetcdfType::real;
  H5 dataset = make_dataset(group_, name, real ? H5T_IEEE_F64LE : H5T_STD_I64LE, shape, !real);
  attach(dataset, dims);
  return {std::move(dataset), type, std::move(shape)};
}

void NetcdfGroup::texts(const std::string& name, const std::string& dim,
                        const std::vector<std::string>& values) {
  const H5 dataset = make_dataset(group_, name, string_type(), {static_cast<Index>(values.size())});
  write_texts(dataset, values);
  attach(dataset, {dim});
}

void NetcdfGroup::attribute(const std::string& name, const std::string& text) {
  text_attribute(group_, name, text);
}
void NetcdfGroup::attribute(const std::string& name, std::int64_t value) {
  scalar_attribute(group_, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}
void NetcdfGroup::attribute(const std::string& name, double value) {
  scalar_attribute(group_, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

NetcdfFile::NetcdfFile(const std::string& path) {
  const H5 creation = creation_of(H5P_FILE_CREATE), access(netcdf_must(H5Pcreate(H5P_FILE_ACCESS)), H5Pclose);
  netcdf_must(H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18));  // read by every netCDF-4
  H5 file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose);
  if (!file.ok()) throw WriteError("the file cannot be written");
  state_ = std::make_unique<NetcdfState>(NetcdfState{.file = std::move(file)});
}
NetcdfFile::~NetcdfFile() = default;

NetcdfGroup NetcdfFile::root() {
  return {*state_, H5(netcdf_must(H5Gopen2(state_->file, "/", H5P_DEFAULT)), H5Gclose)};
}

NetcdfGroup NetcdfFile::group(const std::string& name) {
  const H5 creation = creation_of(H5P_GROUP_CREATE);
  return {*state_, H5(netcdf_must(H5Gcreate2(state_->file, name.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT)),
                      H5Gclose)};
}

void NetcdfFile::finish() {
  write_references(state_->file, state_->references);
  netcdf_must(H5Fflush(state_->file, H5F_SCOPE_GLOBAL));  // a full disk may show here first
}

}  // namespace bochner::detail
