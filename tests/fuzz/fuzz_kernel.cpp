// A kernel expression: refused in one line, or read; its name means the same kernel. The first byte gives the number of
// inputs.
#include "bochner/kernels/any_kernel.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "judge.hpp"

using namespace bochner;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Index D = 1 + data[0] % 4;
  std::string name;
  try {
    name = kernel_name(make_kernel(std::string(fuzz::view(data + 1, size - 1)), D, Rng(1)));
  } catch (const InputError& error) {
    fuzz::judge(error, "the kernel ");
    return 0;
  }
  const std::string again = kernel_name(make_kernel(name, D, Rng(1)));
  if (again != name) fuzz::find("the name of a kernel means another one:", name + " and " + again);
  return 0;
}
