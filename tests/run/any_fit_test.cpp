#include "bochner/run/any_fit.hpp"

#include <gtest/gtest.h>

#include "bochner/core/errors.hpp"
#include "bochner/models/gplvm/gplvm.hpp"
#include "bochner/models/kpca/file.hpp"
#include "bochner/models/kpca/kpca.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::any_fit_test {

namespace {

using testing::expect_message, testing::TempFolder;

Dataset example() {
  return join({make_view("a", Rng(1).normal(12, 4)), make_view("b", Rng(2).normal(12, 3))});
}

TEST(AnyFit, AFileSaysWhichFamilyItIs) {
  const TempFolder folder;
  const KpcaFit kpca = fit_kpca(example(), {.dims = 2}, 1, Threads(1));
  write_model(folder.file("k"), fit_group(kpca));
  const AnyFit read = read_fit(folder.file("k"));
  ASSERT_TRUE(std::holds_alternative<KpcaFit>(read));
  EXPECT_EQ(format_model(fit_group(read)), format_model(kpca_group(kpca)));

  const GplvmFit gplvm = fit_gplvm(example(), {.steps = 3}, 1, Threads(1));
  const AnyFit back = fit_from(fit_group(gplvm));
  ASSERT_TRUE(std::holds_alternative<GplvmFit>(back));
  EXPECT_EQ(std::get<GplvmFit>(back).latent.mean, gplvm.latent.mean);
}

TEST(AnyFit, WhatIsNoFitIsAMessage) {
  const TempFolder folder;
  const auto refused = [&](const char* kind, const std::vector<std::string>& parts) {
    ModelGroup group;
    write_model(folder.file("m"), group.set("model", kind));
    expect_message([&] { read_fit(folder.file("m")); }, parts);
  };
  refused("tree", {folder.file("m"), "of the kind 'tree', which this release does not know"});
  refused("gplvm checkpoint", {folder.file("m"), "the checkpoint of an interrupted run"});
  refused("harmonic checkpoint", {"the checkpoint of an interrupted run"});
  refused("harmonic", {"no entry"});
}

}  // namespace

}  // namespace bochner::any_fit_test
