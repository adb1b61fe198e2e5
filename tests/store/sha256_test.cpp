#include "bochner/store/sha256.hpp"

#include <gtest/gtest.h>

#include "bochner/random/rng.hpp"

namespace bochner::sha256_test {
namespace {

TEST(Sha256, AgreesWithTheStandard) {  // the examples of FIPS 180-4 and NIST's long message
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, LengthsAroundTheBlockAgreeWithPython) {
  // hashlib.sha256(b"".join(hashlib.sha256(b"x" * n).digest() for n in range(200))).hexdigest()
  Sha256 all;
  for (std::size_t n = 0; n < 200; ++n) {
    const std::string hex = sha256_hex(std::string(n, 'x'));
    std::string digest;
    for (std::size_t i = 0; i < 64; i += 2)
      digest += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    all.update(digest);
  }
  EXPECT_EQ(all.hex(), "f5e61141898898cdabae3590cb32e1901b40bdc59952302926213a44c105c129");
}

TEST(Sha256, PiecesDoNotMatter) {
  Rng rng(2);
  std::string text;
  for (int i = 0; i < 5000; ++i) text += static_cast<char>(rng.below(256));
  for (int trial = 0; trial < 50; ++trial) {
    Sha256 sum;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t n = std::min<std::size_t>(text.size() - at, std::size_t(rng.below(200)));
      sum.update(std::string_view(text).substr(at, n));
      at += n;
    }
    EXPECT_EQ(sum.hex(), sha256_hex(text));
  }
}

}  // namespace
}  // namespace bochner::sha256_test
