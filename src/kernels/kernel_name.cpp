#include <string>

#include "bochner/kernels/any_kernel.hpp"

namespace bochner {
namespace {

/// Parts are appended rather than added: GCC 12 warns falsely about overlap in literal + std::string.
std::string text(std::initializer_list<std::string> parts) {
  std::string out;
  for (const std::string& part : parts) out.append(part);
  return out;
}

bool is_made_of_several(const AnyKernel& k) {
  return std::holds_alternative<Sum>(k) || std::holds_alternative<Product>(k) ||
         std::holds_alternative<Select>(k);
}

/// Brackets around what binds more loosely than `by`; a sum within a sum keeps them to stay a tree.
std::string joined(const std::vector<AnyKernel>& list, const std::string& by) {
  std::string name;
  for (const AnyKernel& k : list) {
    const bool brackets = std::holds_alternative<Sum>(k) || (by == "*" && std::holds_alternative<Product>(k));
    if (!name.empty()) name.append(by);
    name.append(brackets ? text({"(", kernel_name(k), ")"}) : kernel_name(k));
  }
  return name;
}

struct Name {
  std::string operator()(const Rbf&) const { return "rbf"; }
  std::string operator()(const Matern& k) const {
    return text({"matern", std::to_string(static_cast<int>(k.smoothness)), "2"});
  }
  std::string operator()(const RationalQuadratic&) const { return "rq"; }
  std::string operator()(const Periodic&) const { return "periodic"; }
  std::string operator()(const Linear& k) const { return k.offset ? "affine" : "linear"; }
  std::string operator()(const Polynomial& k) const { return text({"poly", std::to_string(k.degree)}); }
  std::string operator()(const ArcCosine& k) const { return text({"arccos", std::to_string(k.order)}); }
  std::string operator()(const Gibbs&) const { return "gibbs"; }
  std::string operator()(const SpectralMixture&) const { return "sm"; }
  std::string operator()(const BivariateSm&) const { return "bsm"; }
  std::string operator()(const NgSm&) const { return "ngsm"; }
  std::string operator()(const Sum& k) const { return joined(k.terms, "+"); }
  std::string operator()(const Product& k) const { return joined(k.factors, "*"); }
  std::string operator()(const Scaled& k) const {
    return k.inner.empty() ? "scaled()" : text({"scaled(", kernel_name(k.inner.front()), ")"});
  }
  std::string operator()(const Select& k) const {
    std::string columns;
    for (const Index column : k.columns)
      columns.append(columns.empty() ? "" : ",").append(std::to_string(column + 1));
    const std::string inner = k.inner.empty() ? std::string() : kernel_name(k.inner.front());
    const bool brackets = !k.inner.empty() && is_made_of_several(k.inner.front());
    return brackets ? text({"(", inner, ")[", columns, "]"}) : text({inner, "[", columns, "]"});
  }
};

}  // namespace

std::string kernel_name(const AnyKernel& any) { return std::visit(Name{}, any); }

}  // namespace bochner
