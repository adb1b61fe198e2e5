#include "bochner/kernels/kernel_list.hpp"

#include "bochner/core/checks.hpp"
#include "bochner/kernels/any_kernel.hpp"

namespace bochner {

Index input_dims(const std::vector<AnyKernel>& list) {
  Index common = 0;
  for (const AnyKernel& k : list) {
    const Index D = input_dims(k);
    if (D == 0) continue;
    if (common > 0)
      check_size("input_dims", "inputs of a kernel in a list", D, "inputs of the one before", common);
    common = D;
  }
  return common;
}

Index parameter_count(const std::vector<AnyKernel>& list) {
  Index count = 0;
  for (const AnyKernel& k : list) count += parameter_count(k);
  return count;
}

std::vector<std::string> parameter_names(const std::vector<AnyKernel>& list) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < list.size(); ++i)
    for (const std::string& name : parameter_names(list[i]))
      names.push_back(kernel_name(list[i]) + "[" + std::to_string(i + 1) + "]." + name);
  return names;
}

Vector parameters(const std::vector<AnyKernel>& list) {
  Vector theta(parameter_count(list));
  for_each_member(list, [&](std::size_t i, Index begin, Index size) {
    theta.segment(begin, size) = parameters(list[i]);
  });
  return theta;
}

std::vector<AnyKernel> with_parameters(const std::vector<AnyKernel>& list, VectorIn theta) {
  check_size("with_parameters", "size of theta", theta.size(), "parameter_count()", parameter_count(list));
  std::vector<AnyKernel> out;
  for_each_member(list, [&](std::size_t i, Index begin, Index size) {
    out.push_back(with_parameters(list[i], theta.segment(begin, size)));
  });
  return out;
}

void for_each_member(const std::vector<AnyKernel>& list,
                     const std::function<void(std::size_t, Index, Index)>& f) {
  Index begin = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Index size = parameter_count(list[i]);
    f(i, begin, size);
    begin += size;
  }
}

}  // namespace bochner
