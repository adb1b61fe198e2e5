#include "public_data.hpp"

#include <zip.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <numeric>
#include <random>

#include "bochner/core/errors.hpp"
#include "bochner/tables/npy.hpp"
#include "bochner/tables/npz.hpp"

namespace bochner::bench {
namespace {

std::string path_of(const std::string& folder, const std::string& file) {
  const std::string path = folder + "/" + file + ".npz";
  if (!std::filesystem::exists(path))
    throw InputError("this part needs " + path +
                     ", which is not there; name its folder with --data or BOCHNER_DATA");
  return path;
}

std::string unpack(const std::string& path, const std::string& array) {
  const std::unique_ptr<zip_t, void (*)(zip_t*)> archive(zip_open(path.c_str(), ZIP_RDONLY, nullptr),
                                                         zip_discard);
  if (!archive) throw InputError(path + ": this is not a NumPy archive");
  const std::string name = array + ".npy";
  zip_stat_t status;
  zip_stat_init(&status);
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> entry(zip_fopen(archive.get(), name.c_str(), 0),
                                                                zip_fclose);
  if (!entry || zip_stat(archive.get(), name.c_str(), 0, &status) != 0)
    throw InputError(path + ": there is no array " + array + " in it");
  std::string bytes(status.size, '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const zip_int64_t got = zip_fread(entry.get(), bytes.data() + done, bytes.size() - done);
    if (got <= 0) throw InputError(path + ": the archive is damaged");
    done += std::size_t(got);
  }
  return bytes;
}

/// The library reads tables, not stacks of images: "(60000, 28, 28)" in the header becomes "(60000, 784)   ", which is
/// the same numbers in the same order.
void flatten_images(std::string& npy) {
  const std::size_t open = npy.find('(', npy.find("'shape'")), close = npy.find(')', open);
  long count = 0, height = 0, width = 0;
  if (close == std::string::npos ||
      std::sscanf(npy.c_str() + open, "(%ld, %ld, %ld)", &count, &height, &width) != 3)
    throw InputError("an array of images has three dimensions");
  char shape[64];
  const int length = std::snprintf(shape, sizeof shape, "(%ld, %ld)", count, height * width);
  npy.replace(open, close - open + 1, close - open + 1, ' ');
  npy.replace(open, std::size_t(length), shape);
}

Matrix read_images(const std::string& folder, const std::string& file, const std::string& array) {
  const std::string path = path_of(folder, file);
  std::string npy = unpack(path, array);
  flatten_images(npy);
  return parse_npy(npy, path + ":" + array).values;
}

}  // namespace

Matrix read_array(const std::string& folder, const std::string& file, const std::string& array) {
  if (array.ends_with("images")) return read_images(folder, file, array);
  return read_npz(path_of(folder, file), array).values;
}

IndexVector read_labels(const std::string& folder, const std::string& file, const std::string& array) {
  return read_array(folder, file, array).col(0).cast<Index>();
}

Labelled mnist_digits(const std::string& folder) {
  Labelled out;
  out.Y.resize(70000, 784);
  out.Y << read_array(folder, "mnist", "train_images"), read_array(folder, "mnist", "test_images");
  out.Y /= 255;
  out.labels.resize(70000);
  out.labels << read_labels(folder, "mnist", "train_labels"), read_labels(folder, "mnist", "test_labels");
  return out;
}

Labelled mnist_digits(const std::string& folder, const IndexVector& rows) {
  const Matrix all = read_array(folder, "mnist", "train_images");
  const IndexVector labels = read_labels(folder, "mnist", "train_labels");
  return {.Y = all(rows, Eigen::all) / 255, .labels = labels(rows)};
}

Labelled r_mnist(const std::string& folder, unsigned s) {
  return mnist_digits(folder, numpy_permutation(s, 60000).head(1000));
}

IndexVector numpy_permutation(unsigned seed, Index n) {
  std::mt19937 bits(seed);  // RandomState seeds the same generator in the same way
  IndexVector order(n);
  std::iota(order.begin(), order.end(), Index{0});
  for (Index i = n - 1; i > 0; --i) {
    unsigned mask = unsigned(i);  // the smallest 2^k - 1 that is not below i
    for (unsigned shift = 1; shift < 32; shift *= 2) mask |= mask >> shift;
    Index j = i + 1;
    while (j > i) j = Index(bits() & mask);
    std::swap(order(i), order(j));
  }
  return order;
}

}  // namespace bochner::bench
