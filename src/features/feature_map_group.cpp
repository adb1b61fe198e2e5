#include "bochner/features/feature_map_group.hpp"

#include <fmt/format.h>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/kernels/kernel_group.hpp"
#include "src/store/entries.hpp"

namespace bochner {

namespace {

using detail::check_length, detail::check_shape, detail::count_from, detail::place;

struct ToGroup {
  ModelGroup operator()(const FourierFeatures<double>& m) const {
    ModelGroup out;
    out.set("map", "fourier").set("Omega1", m.Omega1).set("Omega2", m.Omega2).set("amplitude", m.amplitude);
    return out;
  }
  ModelGroup operator()(const LinearFeatures<double>& m) const {
    ModelGroup out;
    out.set("map", "linear").set("log_weight", m.log_weight);
    return out;
  }
  ModelGroup operator()(const NystromFeatures<double>& m) const {
    ModelGroup out;
    out.set("map", "nystrom").set("kernel", kernel_group(m.kernel)).set("Z", m.Z).set("Kzz", m.Kzz);
    out.set("L", m.factor.L).set("factor_jitter", m.factor.jitter).set("jitter", m.jitter);
    return out;
  }
  ModelGroup operator()(const BivariateSmFeatures<double>& m) const {
    ModelGroup out;
    out.set("map", "bivariate_sm").set("waves", (*this)(m.waves)).set("Decay", m.Decay);
    return out;
  }
  ModelGroup operator()(const PolynomialFeatures<double>& m) const {
    ModelGroup out;
    out.set("map", "polynomial").set("log_weight", m.log_weight).set("log_offset", m.log_offset);
    out.set("degree", m.entries.cols());
    return out;
  }
  ModelGroup operator()(const NetworkFeatures<double>& m) const {
    ModelGroup out;
    out.set("map", "network").set("layers", m.W.size());
    for (std::size_t k = 0; k < m.W.size(); ++k)
      out.set("W_" + place(k), m.W[k]).set("b_" + place(k), m.b[k]);
    return out;
  }
};

FourierFeatures<double> fourier_from(const ModelGroup& g, Index D) {
  FourierFeatures<double> m{g.matrix("Omega1"), g.matrix("Omega2"), g.vector("amplitude")};
  const Index J = m.Omega1.rows();
  check_shape(g, "Omega1", m.Omega1, J, D);
  if (m.Omega2.rows() > 0) check_shape(g, "Omega2", m.Omega2, J, D);
  check_length(g, "amplitude", m.amplitude.size(), J);
  return m;
}

NystromFeatures<double> nystrom_from(const ModelGroup& g, Index D) {
  NystromFeatures<double> m{.kernel = kernel_from(g.group("kernel"), D),
                            .Z = g.matrix("Z"),
                            .Kzz = g.matrix("Kzz"),
                            .factor = {g.matrix("L"), g.number("factor_jitter")},
                            .jitter = g.number("jitter")};
  const Index F = m.Z.rows();
  check_shape(g, "Z", m.Z, F, D);
  check_shape(g, "Kzz", m.Kzz, F, F);
  check_shape(g, "L", m.factor.L, F, F);
  if (!(m.factor.L.diagonal().array() > 0).all())
    throw InputError(fmt::format("{}: the Cholesky factor has a diagonal that is not positive", g.where()));
  return m;
}

PolynomialFeatures<double> polynomial_from(const ModelGroup& g, Index D) {
  check_length(g, "log_weight", g.vector("log_weight").size(), D);
  const Index degree = count_from(g, "degree");
  if (degree < 1 || degree > 100)
    throw InputError(fmt::format("{}: no polynomial has degree {}", g.where(), degree));
  auto m = PolynomialFeatures<double>::from(
      {.weight = Vector::Ones(D), .offset = 1, .degree = static_cast<int>(degree)});
  m.log_weight = g.vector("log_weight");
  m.log_offset = g.number("log_offset");
  return m;
}

NetworkFeatures<double> network_from(const ModelGroup& g, Index D) {
  NetworkFeatures<double> m;
  const Index layers = count_from(g, "layers");
  if (layers < 1 || layers > 1000)
    throw InputError(fmt::format("{}: a network has between 1 and 1000 layers, not {}", g.where(), layers));
  Index width = D;
  for (std::size_t k = 0; k < static_cast<std::size_t>(layers); ++k) {
    const std::string W = "W_" + place(k), b = "b_" + place(k);
    m.W.push_back(g.matrix(W));
    m.b.push_back(g.vector(b));
    check_shape(g, W.c_str(), m.W.back(), width, m.W.back().cols());
    width = m.W.back().cols();
    check_length(g, b.c_str(), m.b.back().size(), width);
  }
  return m;
}

}  // namespace

ModelGroup feature_map_group(const AnyFeatureMap& map) { return std::visit(ToGroup{}, map.map); }

AnyFeatureMap feature_map_from(const ModelGroup& g, Index D) {
  const std::string& name = g.text("map");
  if (name == "fourier") return {fourier_from(g, D)};
  if (name == "linear") {
    check_length(g, "log_weight", g.vector("log_weight").size(), D);
    return {LinearFeatures<double>{g.vector("log_weight")}};
  }
  if (name == "nystrom") return {nystrom_from(g, D)};
  if (name == "bivariate_sm") {
    BivariateSmFeatures<double> m{fourier_from(g.group("waves"), D), g.matrix("Decay")};
    // One row per component, which owns as many frequencies as the others.
    const Index R = m.Decay.rows(), J = m.waves.Omega1.rows();
    check_shape(g, "Decay", m.Decay, R > 0 && J % R == 0 ? R : J, D);
    return {std::move(m)};
  }
  if (name == "polynomial") return {polynomial_from(g, D)};
  if (name == "network") return {network_from(g, D)};
  throw InputError(
      fmt::format("{}: there is no feature map {}; the file is of a later release", g.where(), quote(name)));
}

}  // namespace bochner
