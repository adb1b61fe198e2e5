// Symmetries, a line each: refused in one line, or motions that are back after their order.
#include "bochner/random/rng.hpp"
#include "bochner/symmetry/symmetry_spec.hpp"
#include "judge.hpp"

using namespace bochner;

namespace {

// A circle, a sphere, plain columns, and one name that comes twice: twelve, as an image of 3 x 4 pixels has.
const std::vector<std::string> columns{"cos hour", "sin hour", "x", "y", "z", "a",
                                       "b",        "c",        "d", "e", "e", "\xce\xb2"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Matrix X = Rng(1).normal(20, Index(columns.size()));
  std::vector<std::string> words(1);
  for (const char c : fuzz::view(data, size))
    if (c == '\n')
      words.emplace_back();
    else
      words.back() += c;
  std::vector<Symmetry> made;
  try {
    made = make_symmetries(words, columns, X);
  } catch (const InputError& error) {
    fuzz::judge(error, "the symmetry '");
    return 0;
  }
  Index motions = 1;
  for (const Symmetry& s : made) {
    motions *= s.order;
    Matrix moved = X;
    for (Index turn = 0; turn < s.order; ++turn) moved = s.generator.apply(moved);
    if (!((moved - X).cwiseAbs().maxCoeff() < 1e-9)) fuzz::find("not back after its order:", s.name);
  }
  if (motions > most_motions) fuzz::find("too many motions");
  mixes_columns(words);
  return 0;
}
