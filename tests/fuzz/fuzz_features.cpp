// The words for features, scalings and states of a fit: refused in one line, or read; what was read is written as a word
// that means the same.
#include "bochner/infer/optimize_result.hpp"
#include "bochner/models/gplvm/names.hpp"
#include "bochner/models/kpca/options.hpp"
#include "judge.hpp"

using namespace bochner;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::view(data, size));
  try {
    const std::string word = to_text(parse_features(text, kpca_feature_kinds));
    if (to_text(parse_features(word, kpca_feature_kinds)) != word)
      fuzz::find("features change when they are written:", word);
  } catch (const InputError& error) {
    fuzz::judge(error, "the features '");
  }
  try {
    if (to_text(parse_scaling(text)) != text) fuzz::find("a scaling changes when it is written:", text);
  } catch (const InputError& error) {
    fuzz::judge(error, "there is no scaling '");
  }
  try {
    parse_status(text);
  } catch (const InputError& error) {
    fuzz::judge(error, "there is no status '");
  }
  return 0;
}
