#include "bochner/kernels/make_kernel.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <sstream>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/printable.hpp"

namespace bochner {
namespace {

std::string all_names() {
  std::string list;
  for (const std::string& name : kernel_names()) list.append(list.empty() ? "" : ", ").append(name);
  return list;
}

/// One kernel by its name, on D inputs.
class Maker {
 public:
  Maker(const Rng& rng, const KernelSettings& settings) : rng_(rng), settings_(settings) {}

  /// Nothing when the name is unknown.
  std::optional<AnyKernel> leaf(const std::string& name, Index D) {
    const double sigma2 = settings_.sigma2;
    const Vector ell = Vector::Constant(D, settings_.ell), one = Vector::Ones(D);
    Rng rng = rng_.split(static_cast<std::uint64_t>(leaves_++));
    if (name == "rbf") return Rbf{.ell = ell, .sigma2 = sigma2};
    if (name == "matern12") return Matern{.ell = ell, .sigma2 = sigma2, .smoothness = Smoothness::half};
    if (name == "matern32")
      return Matern{.ell = ell, .sigma2 = sigma2, .smoothness = Smoothness::three_halves};
    if (name == "matern52")
      return Matern{.ell = ell, .sigma2 = sigma2, .smoothness = Smoothness::five_halves};
    if (name == "rq") return RationalQuadratic{.ell = ell, .alpha = 1, .sigma2 = sigma2};
    if (name == "periodic")
      return Periodic{.ell = ell, .period = Vector::Constant(D, settings_.period), .sigma2 = sigma2};
    if (name == "linear") return Linear{.weight = sigma2 * one};
    if (name == "affine") return Linear{.weight = sigma2 * one, .offset = sigma2};
    if (name == "gibbs") return Gibbs{.a = std::log(settings_.ell), .sigma2 = sigma2};
    if (name == "arccos0" || name == "arccos1" || name == "arccos2")
      return ArcCosine{.weight = one, .bias = 1, .sigma2 = sigma2, .order = name.back() - '0'};
    if (name == "sm" || name == "bsm" || name == "ngsm") return mixture(name, D, rng);
    if (name.size() > 4 && name.size() < 7 && name.starts_with("poly")) {
      int degree = 0;
      for (const char c : name.substr(4)) degree = c >= '0' && c <= '9' ? 10 * degree + (c - '0') : -1000;
      if (degree >= 1) return Polynomial{.weight = one, .offset = 1, .degree = degree};
    }
    return std::nullopt;
  }

 private:
  /// Equal weights and widths, mean frequencies of half that width: a kernel near Rbf, no two components alike.
  AnyKernel mixture(const std::string& name, Index D, Rng& rng) const {
    const Index R = settings_.components;
    check_at_least("make_kernel", "components", R, 1);
    const Vector alpha = Vector::Constant(R, settings_.sigma2 / double(R)), rho = Vector::Constant(R, 0.5);
    const Matrix sd = Matrix::Constant(R, D, 1 / settings_.ell);
    const Matrix mu1 = 0.5 / settings_.ell * rng.normal(R, D), mu2 = 0.5 / settings_.ell * rng.normal(R, D);
    if (name == "sm") return SpectralMixture{.alpha = alpha, .mu = mu1, .sd = sd};
    if (name == "bsm") return BivariateSm{.alpha = alpha, .mu1 = mu1, .mu2 = mu2, .sd = sd, .rho = rho};
    return NgSm{.alpha = alpha, .mu1 = mu1, .mu2 = mu2, .sd1 = sd, .sd2 = sd, .rho = rho};
  }

  Rng rng_;
  KernelSettings settings_;
  Index leaves_ = 0;
};

/// sum := product {"+" product}; product := factor {"*" factor};
/// factor := (name | "scaled" "(" sum ")" | "(" sum ")") ["[" column {"," column} "]"]
class Parser {
 public:
  Parser(const std::string& text, Index D, Maker maker) : text_(text), D_(D), maker_(std::move(maker)) {
    for (const char c : text)
      if (!std::isspace(static_cast<unsigned char>(c))) source_.push_back(c);
  }

  AnyKernel parse() {
    const AnyKernel k = sum(D_);
    if (at_ < source_.size()) fail();
    return k;
  }

 private:
  AnyKernel sum(Index D) {
    return chain<Sum>('+', [&] { return product(D); });
  }
  AnyKernel product(Index D) {
    return chain<Product>('*', [&] { return factor(D); });
  }

  template <class Composite, class Next>
  AnyKernel chain(char by, const Next& next) {
    std::vector<AnyKernel> list = {next()};
    while (accept(by)) list.push_back(next());
    return list.size() == 1 ? list.front() : AnyKernel(Composite{list});
  }

  AnyKernel factor(Index D) {
    const std::vector<Index> columns =
        columns_ahead(D);  // they decide how many inputs the kernel before them has
    const Index inner_D = columns.empty() ? D : static_cast<Index>(columns.size());
    const AnyKernel k = primary(inner_D);
    if (columns.empty()) return k;
    at_ = source_.find(']', at_) + 1;  // read already
    return Select{.inner = {k}, .columns = columns, .dims = D};
  }

  AnyKernel primary(Index D) {
    std::string name;
    while (std::isalnum(static_cast<unsigned char>(peek()))) name.push_back(source_[at_++]);
    if (name.empty() || name == "scaled") {
      if (!accept('(')) fail();
      if (++depth_ > deepest_kernel_text) refuse_size("nests brackets deeper than", deepest_kernel_text);
      AnyKernel inner = sum(D);
      if (!accept(')')) fail();
      --depth_;
      return name.empty() ? inner : AnyKernel(Scaled{.inner = {std::move(inner)}});
    }
    if (++kernels_ > most_kernels_in_text) refuse_size("joins more than", most_kernels_in_text, " kernels");
    const std::optional<AnyKernel> k = maker_.leaf(name, D);
    if (!k) fail();
    return *k;
  }

  /// The columns in square brackets behind the factor that starts here; empty when there are none.
  std::vector<Index> columns_ahead(Index D) const {
    std::size_t i = at_;
    while (i < source_.size() && std::isalnum(static_cast<unsigned char>(source_[i]))) ++i;
    if (i < source_.size() && source_[i] == '(')
      for (int depth = 0; i < source_.size();) {
        depth += source_[i] == '(' ? 1 : source_[i] == ')' ? -1 : 0;
        ++i;
        if (depth == 0) break;
      }
    std::vector<Index> columns;
    if (i >= source_.size() || source_[i] != '[') return columns;
    do {
      Index column = 0;
      for (++i; i < source_.size() && std::isdigit(static_cast<unsigned char>(source_[i])); ++i)
        column = std::min<Index>(10 * column + (source_[i] - '0'), 1'000'000'000);
      if (column < 1 || column > D) fail();
      columns.push_back(column - 1);
    } while (i < source_.size() && source_[i] == ',');
    if (i >= source_.size() || source_[i] != ']') fail();
    return columns;
  }

  char peek() const { return at_ < source_.size() ? source_[at_] : '\0'; }
  bool accept(char c) { return peek() == c ? (++at_, true) : false; }

  [[noreturn]] void refuse_size(const char* what, int most, const char* of = "") const {
    std::ostringstream message;
    message << "the kernel \"" << printable(text_) << "\" " << what << " " << most << of
            << "; use a simpler one, such as rbf+linear";
    throw InputError(message.str());
  }

  [[noreturn]] void fail() const {
    std::ostringstream message;
    message << "the kernel \"" << printable(text_) << "\" cannot be read: use " << all_names()
            << ", joined by + and *, grouped by brackets, with input columns 1 to " << D_ << " as in rbf[1]";
    throw InputError(message.str());
  }

  std::string text_, source_;
  Index D_;
  Maker maker_;
  std::size_t at_ = 0;
  int depth_ = 0;  // of brackets, bounded as the parser recurses
  int kernels_ = 0;
};

}  // namespace

const std::vector<std::string>& kernel_names() {
  static const std::vector<std::string> names = {
      "rbf",   "matern12", "matern32", "matern52", "rq",    "periodic", "linear", "affine",
      "poly2", "arccos0",  "arccos1",  "arccos2",  "gibbs", "sm",       "bsm",    "ngsm"};
  return names;
}

AnyKernel make_kernel(const std::string& text, Index D, const Rng& rng, const KernelSettings& settings) {
  check_at_least("make_kernel", "D", D, 1);
  check_positive("make_kernel", "ell", settings.ell);
  check_positive("make_kernel", "sigma2", settings.sigma2);
  check_positive("make_kernel", "period", settings.period);
  return Parser(text, D, Maker(rng, settings)).parse();
}

}  // namespace bochner
