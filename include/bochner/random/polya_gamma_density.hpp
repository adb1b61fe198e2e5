#pragma once

namespace bochner::detail {

// The density of X = 4 w, w ~ PG(b, 0), is an inverse-Gaussian kernel times a factor S [biane2001; windle2014],
//
//     f(x) = 2^b b (2 pi x^3)^(-1/2) exp(-b^2 / (2 x)) S(x),
//     S(x) = sum_n (-1)^n Gamma(n + b) / (Gamma(b) n!) (1 + 2 n / b) exp(-2 n (n + b) / x).
//
// log S falls from log S(0) = 0 towards the slope -pi^2 / 8 and is concave; the latter is checked numerically, to 120
// digits for b from 0.01 to 30 and in the tests, not proved.

struct PgFactor {
  double value;  // S(x)
  double slope;  // S'(x) <= 0
};

/// S by its series, exact but for rounding. Its terms cancel as b and x grow: at b = 30 the relative error is 1e-12 at
/// the mean, 1e-8 three standard deviations above it and all digits are gone at seven, where no draw ever falls.
double pg_factor(double b, double x);
PgFactor pg_factor_and_slope(double b, double x);

/// S by the saddle point of -b log cos(sqrt(2 t)), the cumulant function of X. In terms of the mean y and the variance
/// V of the law tilted by v = 2 t, at b = 1:
///     v = s^2 > 0: y = tan(s) / s > 1;   v = -s^2 < 0: y = tanh(s) / s < 1;   V = dy/dt = y^2 + (1 - y) / v.
struct PgSaddle {
  double v, y, V;

  explicit PgSaddle(double at);
  static PgSaddle with_mean(double y);  // y = x / b

  double log_factor(double b) const;        // log S(b y), an upper bound
  double log_factor_slope(double b) const;  // its derivative in y

  /// b (true log S - log_factor) to order 1 / b [daniels1954]: from 0 at y = 0 down to -1/12 as y grows. What is left
  /// after it is below 0.015 / b^2.
  double correction() const;

 private:
  double variance_slope() const;  // dV / dy
};

}  // namespace bochner::detail
