#pragma once
#include <hdf5.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner::testing {

/// A compressed sparse matrix as AnnData keeps it: by default 3 x 4, by rows,
///   0 1 0 2
///   0 0 0 0
///   3 0 0 4
struct SparseArrays {
  std::string format = "csr_matrix";
  std::vector<std::int64_t> shape = {3, 4};
  std::vector<double> data = {1, 2, 3, 4};
  std::vector<std::int64_t> indices = {1, 3, 0, 3};
  std::vector<std::int64_t> indptr = {0, 2, 2, 4};
};

/// The same matrix by columns.
inline SparseArrays sparse_by_columns() {
  return {.format = "csc_matrix", .data = {3, 1, 2, 4}, .indices = {2, 0, 0, 2}, .indptr = {0, 1, 2, 2, 4}};
}

/// Writes an HDF5 file piece by piece; it is complete when this goes out of scope.
class Hdf5Writer {
 public:
  explicit Hdf5Writer(const std::string& path, bool latest = false) {
    const hid_t access = must(H5Pcreate(H5P_FILE_ACCESS));
    if (latest) must(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
    file_ = must(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    H5Pclose(access);
  }
  ~Hdf5Writer() { H5Fclose(file_); }
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  hid_t id() const { return file_; }

  template <class T>
  static T must(T result) {
    if (result < 0) throw std::runtime_error("HDF5 failed in a test");
    return result;
  }

  void group(const std::string& name) {
    H5Gclose(must(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)));
  }

  /// Doubles in one piece, written unless `values` is null.
  void array(const std::string& name, const std::vector<hsize_t>& shape, const double* values,
             hid_t creation = H5P_DEFAULT) {
    write(name, shape, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values, creation);
  }
  void matrix(const std::string& name, const Matrix& values, hid_t creation = H5P_DEFAULT) {
    array(name, {static_cast<hsize_t>(values.rows()), static_cast<hsize_t>(values.cols())}, values.data(),
          creation);
  }
  void integers(const std::string& name, const std::vector<std::int64_t>& values) {
    write(name, {values.size()}, H5T_STD_I64LE, H5T_NATIVE_INT64, values.data(), H5P_DEFAULT);
  }

  void text_attribute(const std::string& object, const char* name, const std::string& text) {
    const hid_t type = must(H5Tcopy(H5T_C_S1));
    must(H5Tset_size(type, H5T_VARIABLE));
    const char* value = text.c_str();
    attribute(object, name, type, must(H5Screate(H5S_SCALAR)), &value);
    H5Tclose(type);
  }
  void integers_attribute(const std::string& object, const char* name,
                          const std::vector<std::int64_t>& values) {
    const hsize_t n = values.size();
    attribute(object, name, H5T_NATIVE_INT64, must(H5Screate_simple(1, &n, nullptr)), values.data());
  }

  /// A data frame of nothing but its index.
  void frame(const std::string& name, const std::vector<std::string>& index) {
    group(name);
    text_attribute(name, "_index", "_index");
    const hid_t type = must(H5Tcopy(H5T_C_S1));
    must(H5Tset_size(type, H5T_VARIABLE));
    must(H5Tset_cset(type, H5T_CSET_UTF8));
    std::vector<const char*> cells;
    for (const std::string& text : index) cells.push_back(text.c_str());
    write(name + "/_index", {cells.size()}, type, type, cells.data(), H5P_DEFAULT);
    H5Tclose(type);
  }

  void sparse(const std::string& name, const SparseArrays& m) {
    group(name);
    text_attribute(name, "encoding-type", m.format);
    text_attribute(name, "encoding-version", "0.1.0");
    integers_attribute(name, "shape", m.shape);
    array(name + "/data", {m.data.size()}, m.data.data());
    integers(name + "/indices", m.indices);
    integers(name + "/indptr", m.indptr);
  }

  /// Names for the default SparseArrays.
  void frames() {
    frame("/obs", {"cell1", "cell2", "cell3"});
    frame("/var", {"TP53", "ACTB", "MYC", "GAPDH"});
  }

 private:
  void write(const std::string& name, const std::vector<hsize_t>& shape, hid_t file_type, hid_t memory_type,
             const void* values, hid_t creation) {
    const hid_t space = must(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr));
    const hid_t dataset =
        must(H5Dcreate2(file_, name.c_str(), file_type, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    if (values) must(H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    H5Dclose(dataset);
    H5Sclose(space);
  }
  void attribute(const std::string& object, const char* name, hid_t type, hid_t space, const void* value) {
    const hid_t attribute = must(
        H5Acreate_by_name(file_, object.c_str(), name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    must(H5Awrite(attribute, type, value));
    H5Aclose(attribute);
    H5Sclose(space);
  }

  hid_t file_;
};

}  // namespace bochner::testing
