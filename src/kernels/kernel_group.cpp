#include "bochner/kernels/kernel_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/kernels/make_kernel.hpp"

namespace bochner {

namespace {

// One list of members per kernel, for writing (const K) and for reading. A kernel without one does not compile.

template <class K>
concept MadeOfOne =
    std::is_same_v<std::remove_const_t<K>, Scaled> || std::is_same_v<std::remove_const_t<K>, Select>;

template <class F>
struct Members {
  F& f;

  template <class K>
  void operator()(K& k) const {
    using T = std::remove_const_t<K>;
    if constexpr (std::is_same_v<T, Rbf> || std::is_same_v<T, Matern>) {
      f("ell", k.ell), f("sigma2", k.sigma2);
    } else if constexpr (std::is_same_v<T, RationalQuadratic>) {
      f("ell", k.ell), f("alpha", k.alpha), f("sigma2", k.sigma2);
    } else if constexpr (std::is_same_v<T, Periodic>) {
      f("ell", k.ell), f("period", k.period), f("sigma2", k.sigma2);
    } else if constexpr (std::is_same_v<T, Linear>) {
      f("weight", k.weight);
      if (k.offset) f("offset", *k.offset);
    } else if constexpr (std::is_same_v<T, Polynomial>) {
      f("weight", k.weight), f("offset", k.offset);
    } else if constexpr (std::is_same_v<T, ArcCosine>) {
      f("weight", k.weight), f("bias", k.bias), f("sigma2", k.sigma2);
    } else if constexpr (std::is_same_v<T, Gibbs>) {
      f("a", k.a), f("b", k.b), f("sigma2", k.sigma2);
    } else if constexpr (std::is_same_v<T, SpectralMixture>) {
      f("alpha", k.alpha), f("mu", k.mu), f("sd", k.sd);
    } else if constexpr (std::is_same_v<T, BivariateSm>) {
      f("alpha", k.alpha), f("mu1", k.mu1), f("mu2", k.mu2), f("sd", k.sd), f("rho", k.rho);
    } else if constexpr (std::is_same_v<T, NgSm>) {
      f("alpha", k.alpha), f("mu1", k.mu1), f("mu2", k.mu2), f("sd1", k.sd1), f("sd2", k.sd2),
          f("rho", k.rho);
    } else if constexpr (std::is_same_v<T, Sum>) {
      f.parts(k.terms);
    } else if constexpr (std::is_same_v<T, Product>) {
      f.parts(k.factors);
    } else {
      static_assert(MadeOfOne<K>, "a kernel without a list of members");
      if constexpr (std::is_same_v<T, Scaled>) f("scale", k.scale);
      f.parts(k.inner);
    }
  }
};

/// The number of components that the mixtures in the tree have; 0 if there is none.
struct Components {
  Index count = 0;
  template <class T>
  void operator()(const char* name, const T& value) {
    if constexpr (std::is_same_v<T, Vector>)
      if (std::string_view(name) == "alpha") count = std::max(count, value.size());
  }
  void parts(const std::vector<AnyKernel>& list) {
    for (const AnyKernel& k : list) std::visit(Members<Components>{*this}, k);
  }
};

struct Writer {
  ModelGroup& group;
  template <class T>
  void operator()(const char* name, const T& value) {
    group.set(name, ModelValue(value));
  }
  void parts(const std::vector<AnyKernel>& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      ModelGroup part;
      part.set("kernel", kernel_name(list[i]));
      Writer inner{part};
      std::visit(Members<Writer>{inner}, list[i]);
      group.set(fmt::format("part_{}", i + 1), ModelValue(std::move(part)));
    }
  }
};

/// Fills a kernel that has the right shape already.
struct Reader {
  const ModelGroup& group;

  [[noreturn]] void refuse(const char* name, const std::string& rule) const {
    throw InputError(fmt::format("{}: the kernel parameter {} must be {}", group.where(), quote(name), rule));
  }
  void operator()(const char* name, double& value) const {
    value = group.number(name);
    if (!std::isfinite(value)) refuse(name, "a finite number");
  }
  void operator()(const char* name, Vector& value) const {
    const Vector& read = group.vector(name);
    if (read.size() != value.size() || !read.allFinite())
      refuse(name, counted(value.size(), "finite number"));
    value = read;
  }
  void operator()(const char* name, Matrix& value) const {
    const Matrix& read = group.matrix(name);
    if (read.rows() != value.rows() || read.cols() != value.cols() || !read.allFinite())
      refuse(name, fmt::format("{} x {} finite numbers", value.rows(), value.cols()));
    value = read;
  }
  void parts(std::vector<AnyKernel>& list) const {
    for (std::size_t i = 0; i < list.size(); ++i) {
      Reader inner{group.group(fmt::format("part_{}", i + 1))};
      std::visit(Members<Reader>{inner}, list[i]);
    }
  }
};

}  // namespace

ModelGroup kernel_group(const AnyKernel& kernel) {
  ModelGroup group;
  Components components;
  std::visit(Members<Components>{components}, kernel);
  group.set("kernel", kernel_name(kernel));
  if (components.count > 0) group.set("components", components.count);
  Writer writer{group};
  std::visit(Members<Writer>{writer}, kernel);
  return group;
}

AnyKernel kernel_from(const ModelGroup& group, Index D) {
  const Index components = group.has("components") ? group.integer("components") : 1;
  if (components < 1 || components > 1'000'000)
    throw InputError(fmt::format("{}: the kernel has {} components, but must have at least one",
                                 group.where(), components));
  AnyKernel kernel = make_kernel(group.text("kernel"), D, Rng(0), {.components = components});
  Reader reader{group};
  std::visit(Members<Reader>{reader}, kernel);
  return kernel;
}

}  // namespace bochner
