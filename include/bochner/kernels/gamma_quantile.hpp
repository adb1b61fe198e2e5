#pragma once

namespace bochner {

/// (dP(a, x)/da) / (x p(x)), where P(a, .) is the distribution function of Gamma(a, rate 1) and p its density: the
/// derivative of the regularised incomplete gamma function in its shape, freed of the factor that under- and
/// overflows. Always negative. a > 0, x > 0; some sqrt(a) terms.
///
///   x < a + 1:  P = x p(x) / a * S with S = sum_n x^n / ((a+1)..(a+n)) [abramowitz1964, 6.5.29], so the quotient is
///               ((log x - psi(a + 1)) S + dS/da) / a.
///   otherwise:  1 - P = x p(x) C with Legendre's continued fraction C [abramowitz1964, 6.5.31], and the quotient is
///               -((log x - psi(a)) C + dC/da): two terms of one sign, nothing cancels.
double gamma_cdf_shape_slope(double a, double x);

/// tau = g / a where g is the u-quantile of Gamma(a, rate 1), and its derivative in a at fixed u: a draw of
/// Gamma(a, rate a), mean one, that is a smooth function of its shape. Differentiating P(a, g(a)) = u gives
/// dg/da = -(dP/da) / p(g) [figurnov2018, Eq. 5]. Above a = 1e5 both come from the expansion of g in powers of
/// a^-1/2 [abramowitz1964, 26.2.49], good there to about 1e-13.
struct GammaQuantile {
  double tau;
  double dlog_tau;  // dlog tau / dlog a
};
GammaQuantile gamma_quantile(double a, double u);  // a > 0, 0 < u < 1

}  // namespace bochner
