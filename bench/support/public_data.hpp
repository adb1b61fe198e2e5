#pragma once
#include <string>

#include "bochner/core/types.hpp"

namespace bochner::bench {

/// Labelled rows.
struct Labelled {
  Matrix Y;
  IndexVector labels;
};

/// One array of `folder`/`file`.npz. Arrays of images (N x height x width) become one row per image. InputError of one
/// sentence, with the remedy, if the file is not there.
Matrix read_array(const std::string& folder, const std::string& file, const std::string& array);
IndexVector read_labels(const std::string& folder, const std::string& file, const std::string& array);

/// Pixels in [0, 1]: all 70,000 digits, training digits first, or the given ones of the 60,000 for training.
Labelled mnist_digits(const std::string& folder);
Labelled mnist_digits(const std::string& folder, const IndexVector& rows);

/// The 1,000 training digits numpy.random.RandomState(s).permutation(60000)[:1000], "R-MNIST".
Labelled r_mnist(const std::string& folder, unsigned s);

/// numpy.random.RandomState(seed).permutation(n): the order that NumPy promises never to change.
IndexVector numpy_permutation(unsigned seed, Index n);

}  // namespace bochner::bench
