#include "likelihood_group.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner::detail {

namespace {

constexpr Index most = 1'000'000;  // outputs and classes

/// One list of members per likelihood, for writing (const L) and for reading. A likelihood without one does not compile.
template <class F>
struct Members {
  F& f;
  template <class L>
  void operator()(L& l) const {
    using T = std::remove_const_t<L>;
    if constexpr (std::is_same_v<T, GaussianNoise>) {
      f.positive("variance", l.variance);
    } else if constexpr (std::is_same_v<T, StudentT>) {
      f.positive("scale", l.scale), f.positive("degrees", l.degrees);
    } else if constexpr (std::is_same_v<T, Poisson>) {
      f.finite("log_rate", l.log_rate);
    } else if constexpr (std::is_same_v<T, HeteroscedasticNoise>) {
      f.positive("variance", l.variance), f.positive("amplitude", l.amplitude);
      f.alike("amplitude", l.amplitude, l.variance);
    } else if constexpr (std::is_same_v<T, NegativeBinomial>) {
      f.finite("log_rate", l.log_rate), f.positive("size", l.size);
      f.alike("size", l.size, l.log_rate);
    } else if constexpr (std::is_same_v<T, Bernoulli>) {
      f.count("outputs", l.outputs_, 1);
    } else if constexpr (std::is_same_v<T, Softmax>) {
      f.count("classes", l.classes, 2);
    } else {
      static_assert(std::is_same_v<T, RobustMax>, "a likelihood without a list of members");
      f.count("classes", l.classes, 2), f.share("epsilon", l.epsilon);
    }
  }
};

struct Writer {
  ModelGroup& group;
  void positive(const char* name, const Vector& value) { group.set(name, value); }
  void positive(const char* name, double value) { group.set(name, value); }
  void finite(const char* name, const Vector& value) { group.set(name, value); }
  void alike(const char*, const Vector&, const Vector&) {}
  void share(const char* name, double value) { group.set(name, value); }
  void count(const char* name, Index value, Index) { group.set(name, value); }
};

struct Reader {
  const ModelGroup& group;

  void require(bool good, const char* name, const std::string& rule) const {
    if (!good)
      throw InputError(
          fmt::format("{}: the entry {} of the likelihood must be {}", group.where(), quote(name), rule));
  }
  void positive(const char* name, Vector& value) const {
    value = group.vector(name);
    require(value.size() > 0 && value.allFinite() && (value.array() > 0).all(), name, "positive numbers");
  }
  void positive(const char* name, double& value) const {
    value = group.number(name);
    require(std::isfinite(value) && value > 0, name, "a positive number");
  }
  void finite(const char* name, Vector& value) const {
    value = group.vector(name);
    require(value.size() > 0 && value.allFinite(), name, "finite numbers");
  }
  void alike(const char* name, const Vector& a, const Vector& b) const {
    require(a.size() == b.size(), name, fmt::format("{} numbers, one for each outcome", b.size()));
  }
  void share(const char* name, double& value) const {
    value = group.number(name);
    require(value > 0 && value < 1, name, "a number between 0 and 1");
  }
  void count(const char* name, Index& value, Index least) const {
    value = group.integer(name);
    require(value >= least && value <= most, name, fmt::format("at least {} and at most {}", least, most));
  }
};

/// The likelihood of the variant that has this name.
template <std::size_t i = 0>
AnyLikelihood empty_likelihood(const ModelGroup& group, const std::string& name) {
  if constexpr (i < std::variant_size_v<AnyLikelihood>) {
    AnyLikelihood out{std::in_place_index<i>};
    return likelihood_name(out) == name ? out : empty_likelihood<i + 1>(group, name);
  } else {
    throw InputError(fmt::format("{}: there is no likelihood {}; the file is of a later release",
                                 group.where(), quote(name)));
  }
}

}  // namespace

ModelGroup likelihood_group(const AnyLikelihood& likelihood) {
  ModelGroup out;
  out.set("likelihood", likelihood_name(likelihood));
  Writer writer{out};
  std::visit(Members<Writer>{writer}, likelihood);
  return out;
}

AnyLikelihood likelihood_from(const ModelGroup& group) {
  AnyLikelihood out = empty_likelihood(group, group.text("likelihood"));
  Reader reader{group};
  std::visit(Members<Reader>{reader}, out);
  return out;
}

}  // namespace bochner::detail
