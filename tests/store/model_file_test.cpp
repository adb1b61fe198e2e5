#include "bochner/store/model_file.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <thread>

#include "bochner/random/rng.hpp"
#include "bochner/store/partial_model.hpp"
#include "bochner/store/sha256.hpp"
#include "tests/support/fixtures.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::model_file_test {
namespace {

using testing::expect_message;
using testing::slurp;
using testing::TempFolder;
using Names = std::vector<std::string>;

ModelGroup example() {
  ModelGroup view;
  view.set("name", "rna").set("noise", 0.05).set("columns", Names{"TP53", "\xce\xb2-actin", "", "x"});
  ModelGroup views;
  views.set("rna", view);
  ModelGroup model;
  model.set("zeta", 1.5)
      .set("alpha", 2)
      .set("seed", std::int64_t{-5'000'000'000})
      .set("text", "two\nlines, \xe2\x82\xac");
  model.set("empty_text", "")
      .set("weights", Matrix(Rng(1).normal(7, 3)))
      .set("vector", Vector(Rng(2).normal(4)));
  model.set("odd",
            Matrix{{std::numeric_limits<double>::quiet_NaN(), -0.0},
                   {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::denorm_min()}});
  model.set("no_rows", Matrix(0, 5)).set("no_columns", Matrix(3, 0)).set("no_numbers", Vector(0));
  model.set("counts", std::vector<std::int64_t>{1, -2, std::numeric_limits<std::int64_t>::max()});
  model.set("no_counts", std::vector<std::int64_t>{}).set("no_texts", Names{}).set("converged", true);
  model.set("views", views).set("nothing", ModelGroup());
  return model;
}

bool same(const ModelGroup& a, const ModelGroup& b);

struct Same {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    if constexpr (std::is_same_v<T, ModelGroup>) {
      return same(a, b);
    } else if constexpr (std::is_same_v<T, double>) {
      return std::memcmp(&a, &b, sizeof a) == 0;
    } else if constexpr (std::is_same_v<T, Matrix> || std::is_same_v<T, Vector>) {
      return a.rows() == b.rows() && a.cols() == b.cols() &&
             (a.size() == 0 || std::memcmp(a.data(), b.data(), sizeof(double) * std::size_t(a.size())) == 0);
    } else {
      return a == b;
    }
  }
  template <class T, class U>
  bool operator()(const T&, const U&) const {
    return false;
  }
};

bool same(const ModelGroup& a, const ModelGroup& b) {
  if (a.entries().size() != b.entries().size()) return false;
  for (std::size_t i = 0; i < a.entries().size(); ++i)
    if (a.entries()[i].name != b.entries()[i].name ||
        !std::visit(Same{}, a.entries()[i].value, b.entries()[i].value))
      return false;
  return true;
}

// A valid checksum for bytes that were changed on purpose.
std::string sign(std::string bytes) {
  const std::size_t at = bytes.find("\nsha256 ") + 8;
  bytes.replace(at, 64, std::string(64, '0'));
  return bytes.replace(at, 64, sha256_hex(bytes));
}

TEST(ModelFile, ReturnsWhatWasPutInBitForBitAndInOrder) {
  const TempFolder folder;
  write_model(folder.file("m.bochner"), example());
  EXPECT_TRUE(same(read_model(folder.file("m.bochner")), example()));
  EXPECT_FALSE(same(example(), ModelGroup()));
  EXPECT_TRUE(same(parse_model(format_model(ModelGroup()), "m"), ModelGroup()));
}

TEST(ModelFile, KeepsTheOrderOfManyEntries) {  // beyond the few links that HDF5 keeps in the group itself
  ModelGroup many;
  for (int i = 0; i < 300; ++i) many.set("entry" + std::to_string(i * 7919 % 300), i);
  EXPECT_TRUE(same(parse_model(format_model(many), "m"), many));
}

TEST(ModelFile, KeepsLongTextsAndDeepGroups) {
  ModelGroup inner;
  inner.set("text", std::string(300000, 'q'));
  for (int i = 0; i < 40; ++i) {
    ModelGroup outer;
    outer.set("g", inner);
    inner = outer;
  }
  EXPECT_TRUE(same(parse_model(format_model(inner), "m"), inner));
}

TEST(ModelFile, KeepsValuesOfEverySizeInOrder) {  // entries cross a pipe, in pieces of at most 64 kB
  ModelGroup sizes;
  for (const Index n : {1, 1000, 4095, 4096, 4097, 5000, 7000, 8191, 8192, 8193, 10000, 40000}) {
    sizes.set("before" + std::to_string(n), n);
    sizes.set("values" + std::to_string(n), Vector(Rng(static_cast<std::uint64_t>(n)).normal(n)));
    sizes.set("text" + std::to_string(n), std::string(static_cast<std::size_t>(n), 'x'));
  }
  EXPECT_TRUE(same(parse_model(format_model(sizes), "m"), sizes));
}

TEST(ModelFile, NumbersThatSinglePrecisionHoldsTakeHalfTheRoom) {
  constexpr Index rows = 300, cols = 400;
  const Matrix normal = Rng(1).normal(rows, cols), rounded = normal.cast<float>().cast<double>();
  Matrix odd = rounded;
  odd(7, 9) += 1e-12;  // one number that single precision does not hold
  Matrix missing = rounded;
  missing(0, 0) = std::numeric_limits<double>::quiet_NaN();
  const auto bytes = [](const Matrix& A) { return format_model(ModelGroup().set("A", A)); };
  for (const Matrix& A : {normal, rounded, odd, missing}) {
    const ModelGroup model = ModelGroup().set("A", A);
    EXPECT_TRUE(same(parse_model(format_model(model), "m"), model));
  }
  constexpr double numbers = double(rows * cols);
  EXPECT_LT(double(bytes(rounded).size()), 4.2 * numbers);
  EXPECT_GT(double(bytes(odd).size()), 8 * numbers);
  EXPECT_GT(double(bytes(missing).size()), 8 * numbers);
}

TEST(ModelFile, LeavesOutAnEntryOfTheFileButNoneOfItsGroups) {
  ModelGroup inner, model;
  inner.set("large", 1.5);
  model.set("large", Matrix(Rng(1).normal(30, 20))).set("views", inner).set("last", "here");
  ModelGroup expected;
  expected.set("views", inner).set("last", "here");
  const std::string bytes = format_model(model);
  EXPECT_TRUE(same(parse_model_without(bytes, "m", "large"), expected));
  EXPECT_TRUE(same(parse_model_without(bytes, "m", "no such entry"), model));
}

TEST(ModelFile, IsReadWhereAFileOfTheSameNameLies) {
  const TempFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.file(""));
  write_model("model.bochner", example());
  EXPECT_NO_THROW(read_model("model.bochner"));
  EXPECT_NO_THROW(parse_model(format_model(example()), "memory"));
  std::filesystem::current_path(before);
}

TEST(ModelFile, SameContentSameBytes) {
  const std::string first = format_model(example());
  { std::vector<std::string> noise(2000, std::string(777, 'n')); }  // dirties the heap
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));     // and lets the clock tick
  EXPECT_EQ(format_model(example()), first);
}

TEST(ModelFile, BeginsWithTextForPeople) {
  const std::string bytes = format_model(example());
  EXPECT_TRUE(bytes.starts_with("bochner model file\nformat 1\nwritten-by bochner "));
  EXPECT_EQ(bytes.find("\x89HDF"), 512u);
  EXPECT_NE(bytes.find("\nbytes " + std::to_string(bytes.size()) + "\n"), std::string::npos);
}

TEST(ModelFile, AnyDamageIsAMessage) {
  const std::string bytes = format_model(ModelGroup().set("W", Matrix(Rng(1).normal(4, 4))).set("name", "x"));
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    std::string damaged = bytes;
    damaged[n] = static_cast<char>(damaged[n] ^ (1 << n % 8));
    expect_message([&] { parse_model(damaged, "m.bochner"); }, {"m.bochner"});
  }
  for (std::size_t n = 0; n < bytes.size(); n += 7)
    expect_message([&] { parse_model(bytes.substr(0, n), "m.bochner"); }, {"m.bochner"});
  expect_message([&] { parse_model(bytes + "x", "m.bochner"); }, {"m.bochner", "checksum"});
  expect_message([&] { parse_model(bytes.substr(0, bytes.size() - 1), "m.bochner"); },
                 {"cut off", "copy it again"});
}

// The checksum is no signature: whoever changes a byte can sum again. HDF5 itself dies of some of these files.
TEST(ModelFile, SurvivesForgedBytes) {
  const std::string bytes = format_model(example());
  Rng rng(5);
  Index refused = 0, taken = 0;
  for (int attempt = 0; attempt < 700; ++attempt) {
    std::string forged = bytes;
    for (Index flips = 1 + rng.below(3); flips > 0; --flips)
      forged[static_cast<std::size_t>(512 + rng.below(static_cast<Index>(forged.size()) - 512))] =
          static_cast<char>(rng.below(256));
    try {
      parse_model(sign(forged), "m.bochner");
      ++taken;
    } catch (const InputError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("m.bochner")) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(taken, 0);  // numbers are numbers
}

TEST(ModelFile, RefusesContentLargerThanTheFile) {
  const std::string bytes = format_model(ModelGroup().set("text", std::string(1000, 'q')));
  Index refused = 0;
  for (std::size_t at = 512; at + 8 < bytes.size(); ++at) {
    // The length of the text, 1000 in little-endian bytes, becomes eight million: more than the file has.
    if (static_cast<unsigned char>(bytes[at]) != 0xe8 || bytes[at + 1] != 3 || bytes[at + 2] != 0) continue;
    std::string forged = bytes;
    forged[at + 2] = 0x7f;
    try {
      const ModelGroup group = parse_model(sign(forged), "m.bochner");
      EXPECT_LE(group.text("text").size(), bytes.size());
    } catch (const InputError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("m.bochner"));
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
}

TEST(ModelFile, KeepsToItsOwnBytes) {  // or the content of any file could be read, and shown, through a model
  const TempFolder folder;
  const std::string secret = folder.write("secret.txt", std::string(4096, 'S'));
  const auto forged = [&](const auto& change) {
    const std::string path = folder.write("m.h5", format_model(ModelGroup().set("model", "gplvm")));
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    EXPECT_GE(file, 0);
    change(file);
    H5Fclose(file);
    std::string bytes = slurp(path);
    bytes.replace(bytes.find("\nbytes ") + 7, bytes.find("\nsha256 ") - bytes.find("\nbytes ") - 7,
                  std::to_string(bytes.size()));
    return sign(bytes.substr(0, bytes.size()));
  };
  const std::string outside = forged([&](hid_t file) {
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE), type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, 64);
    H5Pset_external(creation, secret.c_str(), 0, 64);
    const hsize_t one = 1;
    const hid_t space = H5Screate_simple(1, &one, nullptr);
    H5Dclose(H5Dcreate2(file, "text", type, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5Sclose(space);
    H5Tclose(type);
    H5Pclose(creation);
  });
  expect_message([&] { parse_model(outside, "m.bochner"); }, {"m.bochner", "damaged"});
  const std::string linked = forged([&](hid_t file) {
    H5Lcreate_external(folder.file("other.h5").c_str(), "/x", file, "x", H5P_DEFAULT, H5P_DEFAULT);
  });
  expect_message([&] { parse_model(linked, "m.bochner"); }, {"m.bochner", "damaged"});
  const std::string soft =
      forged([&](hid_t file) { H5Lcreate_soft("/model", file, "again", H5P_DEFAULT, H5P_DEFAULT); });
  expect_message([&] { parse_model(soft, "m.bochner"); }, {"m.bochner", "damaged"});
}

TEST(ModelFile, SaysWhatIsNotAModel) {
  const TempFolder folder;
  expect_message([&] { read_model(folder.write("a", "")); }, {"empty"});
  expect_message([&] { read_model(folder.write("a.csv", "id,a\nx,1\n")); }, {"a.csv", "not a model file"});
  expect_message([&] { read_model(folder.write("a.h5", testing::hdf5_v110)); }, {"a.h5", "not a model file"});
  expect_message([&] { read_model(folder.file("modle.bochner")); }, {"no such file"});
  expect_message([&] { read_model(folder.file("")); }, {"folder"});
}

TEST(ModelFile, ANewerFormatNamesTheRelease) {
  std::string bytes = format_model(example());
  bytes.replace(bytes.find("format 1"), 8, "format 7");
  bytes.replace(bytes.find("bochner 0"), 9, "bochner 9");
  expect_message([&] { parse_model(bytes, "m.bochner"); },
                 {"m.bochner", "written by bochner 9", "format 7", "upgrade"});
  bytes.replace(bytes.find("format 7"), 8, "format 0");
  expect_message([&] { parse_model(sign(bytes), "m.bochner"); }, {"m.bochner", "damaged"});
}

TEST(ModelFile, TheChecksumIsOverEveryByte) {
  const std::string bytes = format_model(example());
  EXPECT_EQ(sign(bytes), bytes);
  EXPECT_TRUE(same(parse_model(sign(bytes), "m"), example()));
}

TEST(ModelGroup, GettersNameWhatIsWrong) {
  const ModelGroup m = parse_model(format_model(example()), "m.bochner");
  EXPECT_EQ(m.number("alpha"), 2);
  EXPECT_EQ(m.integer("alpha"), 2);
  EXPECT_TRUE(m.flag("converged"));
  EXPECT_EQ(m.text("text"), "two\nlines, \xe2\x82\xac");
  EXPECT_EQ(m.group("views").group("rna").texts("columns").size(), 4u);
  EXPECT_TRUE(m.has("zeta"));
  EXPECT_FALSE(m.has("Zeta"));
  expect_message([&] { m.number("beta"); }, {"m.bochner", "no entry 'beta'"});
  expect_message([&] { m.integer("zeta"); }, {"m.bochner", "'zeta'", "not an integer"});
  expect_message([&] { m.flag("alpha"); }, {"m.bochner", "'alpha'", "0 or 1"});
  expect_message([&] { m.vector("weights"); }, {"m.bochner", "'weights'", "not a vector"});
  expect_message([&] { m.group("views").group("rna").matrix("W"); }, {"m.bochner/views/rna", "no entry 'W'"});
}

TEST(ModelGroup, RefusesBadNamesAndTexts) {
  ModelGroup m;
  m.set("a", 1);
  EXPECT_THROW(m.set("a", 2), std::invalid_argument);
  for (const char* name : {"", ".", "..", "a/b", "a b", "\xc3\xa9", "a\n"})
    EXPECT_THROW(m.set(name, 1), std::invalid_argument) << name;
  EXPECT_THROW(m.set("t", std::string("a\0b", 3)), std::invalid_argument);
  EXPECT_THROW(m.set("t", "\xff"), std::invalid_argument);
  EXPECT_THROW(m.set("t", Names{"ok", "\xff"}), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::model_file_test
