#pragma once
#include <string>

#include "bochner/core/types.hpp"
#include "bochner/data/dataset.hpp"
#include "bochner/store/sha256.hpp"

namespace bochner {

/// A checksum of what a run works on, so that a run is resumed with the tables that it was started with. What is fed in
/// another order, or cut in other pieces, has another checksum.
class Fingerprint {
 public:
  Fingerprint& add(const std::string& text);
  Fingerprint& add(const std::vector<std::string>& texts);
  Fingerprint& add(const Matrix& values);  // with its shape; any NaN is the same missing value
  Fingerprint& add(const Dataset& data);   // ids, names and values of every view
  std::string hex();                       // call once, at the end

 private:
  Sha256 sum_;
};

}  // namespace bochner
