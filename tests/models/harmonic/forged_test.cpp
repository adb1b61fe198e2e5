#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "bochner/models/harmonic/distribution.hpp"
#include "bochner/models/harmonic/file.hpp"
#include "file_examples.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::forged_test {
namespace {

using namespace testing;

/// A copy of a group with one entry, named by its path, changed or left out.
ModelGroup with(const ModelGroup& group, const std::string& path, const std::optional<ModelValue>& value) {
  const std::size_t slash = path.find('/');
  const std::string head = path.substr(0, slash);
  ModelGroup out;
  for (const ModelEntry& entry : group.entries())
    if (entry.name != head)
      out.set(entry.name, entry.value);
    else if (slash != std::string::npos)
      out.set(head, ModelValue(with(group.group(head), path.substr(slash + 1), value)));
    else if (value)
      out.set(head, *value);
  return out;
}

/// All entries that are not groups, by their paths; the names of the parts of a kernel, which its own name repeats, are left out.
std::vector<std::string> paths(const ModelGroup& group, const std::string& before = "") {
  std::vector<std::string> out;
  for (const ModelEntry& entry : group.entries()) {
    const std::string path = before + entry.name;
    if (path.find("/part_") != std::string::npos && entry.name == "kernel") continue;
    if (!std::holds_alternative<ModelGroup>(entry.value))
      out.push_back(path);
    else
      for (const std::string& below : paths(group.group(entry.name), path + "/")) out.push_back(below);
  }
  return out;
}

const ModelValue& value_at(const ModelGroup& group, const std::string& path) {
  const std::size_t slash = path.find('/');
  if (slash != std::string::npos) return value_at(group.group(path.substr(0, slash)), path.substr(slash + 1));
  for (const ModelEntry& entry : group.entries())
    if (entry.name == path) return entry.value;
  throw std::logic_error("no entry " + path);
}

/// Whatever is forged into one entry: a message when it is read, or a fit whose predictions are numbers or fail as numbers
/// do (they overflow, a matrix is not positive definite).
void survives(const ModelGroup& group, const Matrix& table) {
  std::optional<HarmonicFit> fit;
  try {
    fit = harmonic_from(group);
  } catch (const InputError& error) {
    EXPECT_TRUE(is_one_message(error.what()));
    return;
  }
  try {
    const HarmonicPrediction p = predict(*fit, table, threads);
    if (has_outcome(fit->gp.likelihood)) predict_quantiles(*fit, p.draws, {0.05, 0.95}, threads);
  } catch (const NumericalError&) {
  } catch (const std::domain_error&) {
  }
}

/// Options that files of earlier versions lack, and one that need not be decided.
bool files_may_lack(const std::string& path) {
  const std::vector<std::string> names{
      "options/layers",          "options/image",     "options/hidden_inducing",
      "options/draws",           "options/minutes",   "options/ard",
      "options/noise_by_inputs", "options/calibrate", "temperature"};
  return std::find(names.begin(), names.end(), path) != names.end();
}

TEST(HarmonicFile, WhatIsAbsentOrOfAnotherShapeIsAMessage) {
  for (const std::string& likelihood : likelihood_names())
    for (const bool shared : {false, true}) {
      const ModelGroup good = harmonic_group(example_harmonic({likelihood, shared, false}));
      EXPECT_NO_THROW(harmonic_from(good));
      for (const std::string& path : paths(good)) {
        if (!files_may_lack(path)) {
          EXPECT_THROW(harmonic_from(with(good, path, std::nullopt)), InputError) << path;
        }
        EXPECT_THROW(harmonic_from(with(good, path, ModelValue(ModelGroup()))), InputError) << path;
        const ModelValue& value = value_at(good, path);
        if (const auto* M = std::get_if<Matrix>(&value); M != nullptr) {
          for (const Matrix& forged : {Matrix(Matrix::Zero(M->rows() + 1, M->cols())),
                                       Matrix(Matrix::Zero(M->rows(), M->cols() + 1)), Matrix(0, M->cols()),
                                       Matrix(M->rows(), 0), Matrix(0, 0)})
            EXPECT_THROW(harmonic_from(with(good, path, ModelValue(forged))), InputError) << path;
        } else if (const auto* v = std::get_if<Vector>(&value); v != nullptr) {
          EXPECT_THROW(harmonic_from(with(good, path, ModelValue(Vector(Vector::Ones(v->size() + 1))))),
                       InputError)
              << path;
          EXPECT_THROW(harmonic_from(with(good, path, ModelValue(Vector(0)))), InputError) << path;
        } else if (std::holds_alternative<std::vector<std::int64_t>>(value) &&
                   !std::get<std::vector<std::int64_t>>(value).empty()) {
          EXPECT_THROW(harmonic_from(with(good, path, ModelValue(std::vector<std::int64_t>()))), InputError)
              << path;
        }
      }
    }
}

TEST(HarmonicFile, ForgedNumbersDoNotCrash) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::int64_t huge = std::numeric_limits<std::int64_t>::max(),
                     low = std::numeric_limits<std::int64_t>::min();
  const Matrix table = example_table();
  for (const std::string& likelihood : likelihood_names()) {
    const ModelGroup good = harmonic_group(example_harmonic({likelihood, false, false}));
    for (const std::string& path : paths(good)) {
      // What does not concern the likelihood needs to be forged once.
      const bool concerns = path.starts_with("gp/likelihood/") || path.starts_with("noise_");
      if (likelihood != likelihood_names().front() && !concerns) continue;
      const auto use = [&](const ModelValue& forged) {
        SCOPED_TRACE(path);
        survives(with(good, path, forged), table);
      };
      const ModelValue& value = value_at(good, path);
      if (std::holds_alternative<double>(value)) {
        for (const double x : {nan, -1.0, 0.0, 1e300}) use(x);
      } else if (std::holds_alternative<std::int64_t>(value)) {
        for (const std::int64_t x :
             {huge, low, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, std::int64_t{99}})
          use(x);
      } else if (const auto* M = std::get_if<Matrix>(&value); M != nullptr) {
        for (const double x : {nan, -1.0, 0.0, 1e300}) use(Matrix(Matrix::Constant(M->rows(), M->cols(), x)));
      } else if (const auto* v = std::get_if<Vector>(&value); v != nullptr) {
        for (const double x : {nan, -1.0, 0.0, 1e300}) use(Vector(Vector::Constant(v->size(), x)));
      } else if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value); list != nullptr) {
        for (const std::int64_t x : {huge, low, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}})
          use(std::vector<std::int64_t>(list->size(), x));
      } else if (std::holds_alternative<std::string>(value)) {
        for (const char* text : {"", "x", "softmax", "gaussian", "rbf", "ngsm", "rbf[9]"})
          use(std::string(text));
      } else if (const auto* texts = std::get_if<std::vector<std::string>>(&value); texts != nullptr) {
        use(std::vector<std::string>());
        use(std::vector<std::string>(texts->size() + 1, "same"));
      }
    }
  }
}

TEST(HarmonicFile, RulesThatShapesDoNotShow) {
  const ModelGroup good = harmonic_group(example_harmonic({}));
  const auto refused = [&](const std::string& path, const ModelValue& value, const std::string& part) {
    expect_message([&] { harmonic_from(with(good, path, value)); }, {part});
  };
  std::vector<std::int64_t> from = good.group("gp").group("motions").integers("from");
  from[1] = from[0];
  refused("gp/motions/from", from, "does not take every column once");
  Matrix sign = good.group("gp").group("motions").matrix("sign");
  sign(0, 0) = 2;
  refused("gp/motions/sign", sign, "signs");
  std::vector<std::int64_t> dense = good.group("gp").group("motions").integers("dense");
  std::swap(dense[0], dense[1]);
  refused("gp/motions/dense", dense, "ascending");
  refused("gp/likelihood/likelihood", std::string("zipf"), "'zipf'");
  refused("gp/likelihood/variance", Vector{{1, 0}}, "positive");
  refused("gp/jitter", -1.0, "jitter");
  refused("gp/factor_counts", std::vector<std::int64_t>(8, 3), "must have one");
  refused("inputs/scale", Vector(Vector::Zero(D)), "positive scales");
  refused("inputs/circle_columns", std::vector<std::int64_t>{1}, "share a column");
  refused("inputs/circle_columns", std::vector<std::int64_t>{6}, "names column 6");
  refused("inputs/circle_periods", Vector{{-24}}, "periods");
  refused("options/scaling", std::string("whole"), "'whole'");
  refused("status", std::string("happy"), "'happy'");
  refused("classes", std::vector<std::string>{"a", "b"}, "'classes'");
}

TEST(HarmonicCheckpointFile, WhatDoesNotFitIsAMessage) {
  const ModelGroup good = checkpoint_group(example_checkpoint(true, true));
  for (const std::string& path : paths(good)) {
    EXPECT_THROW(harmonic_checkpoint_from(with(good, path, std::nullopt)), InputError) << path;
    if (const auto* M = std::get_if<Matrix>(&value_at(good, path)); M != nullptr) {
      EXPECT_THROW(harmonic_checkpoint_from(
                       with(good, path, ModelValue(Matrix(Matrix::Zero(M->rows() + 1, M->cols()))))),
                   InputError)
          << path;
    }
  }
  const auto refused = [&](const std::string& path, const ModelValue& value, const std::string& part) {
    expect_message([&] { harmonic_checkpoint_from(with(good, path, value)); }, {part});
  };
  refused("adam/0/v", Vector(Vector::Ones(2)), "'v'");
  refused("adam/states", ModelValue(std::int64_t{1}), "at least two");
  refused("best_step", ModelValue(std::int64_t{78}), "77 steps were taken");
  refused("cool_from", ModelValue(std::int64_t{-2}), "'cool_from'");
  const ModelGroup other =
      harmonic_group(example_harmonic({"gaussian", true, false}));  // its points are shared
  refused("best_gp", other.group("gp"), "not of the shape");
}

}  // namespace
}  // namespace bochner::forged_test
