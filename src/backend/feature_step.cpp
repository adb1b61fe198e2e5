#include "bochner/backend/feature_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "feature_sizes.hpp"

namespace bochner {
namespace {

using Size = Engine::Size;

constexpr double jitters[] = {0, 1e-10, 1e-8, 1e-6};  // times the mean diagonal, as in compute/cholesky.hpp

/// Numbers that a step needs, in one array: one upload.
enum Control { inverse_sigma2, diagonal, diagonal_weighted, control_count = 8 };
/// Numbers that a step leaves, before the sums of the pullback and dL/dX: one download.
enum Result {
  log_det,
  explained,
  weights_squared,
  inverse_squared,
  filled_squared,
  trouble,
  trouble_weighted,
  traces,
  result_count = 16
};

}  // namespace

struct FeatureStep::Layout {
  FeatureSizes size;
  bool paired;
  std::shared_ptr<Engine> engine;
  DeviceArray<double> W, dPhi, control, results, lane_sums, sums, inverse, P, Bt, H, X, pull_parts, dX_parts;
  int program = 0;

  Layout(std::shared_ptr<Engine> e, const FeatureSizes& s, bool complete, bool pairs)
      : size(s),
        paired(pairs),
        engine(e),
        W(e, s.rows * s.stride),
        dPhi(e, s.rows * s.F),
        control(e, control_count + s.summed()),
        results(e, result_count + s.summed() + s.N * s.D),
        lane_sums(e, s.lanes * s.F * s.products(complete)),
        sums(e, s.F * s.products(complete)),
        inverse(e, s.matrices(complete) * s.F * s.F),
        P(e, s.F * s.table),
        Bt(e, s.table * s.F),
        H(e, (s.phi + s.table) * s.F),
        X(e, s.N * s.D),
        pull_parts(e, s.pieces * s.summed()),
        dX_parts(e, s.tiles > 1 ? s.tiles * s.N * s.D : 0) {
    e->fill(whole(), 0);  // rows and columns that only fill up stay zero
    e->fill(slice(H, 0, s.phi + s.table, s.F), 0);
    e->fill(slice(lane_sums, 0, s.lanes * s.F, s.products(complete)), 0);  // what bands leave out
    e->fill(slice(results, 0, 1, result_count), 0);  // not every step leaves all of them
  }
  ~Layout() { engine->forget(program); }
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;

  Slice whole() const { return slice(W, 0, size.rows, size.stride); }
  Slice table() const { return whole().columns(0, size.table); }
  Slice Y() const { return table().block(0, 0, size.N, size.M); }
  Slice Phi() const { return whole().columns(size.table, size.F); }
  Slice weighted() const { return whole().columns(size.table + size.phi, size.F); }
  Slice residual() const { return whole().columns(size.table + 2 * size.phi, size.table); }

  FeatureWaves waves() const {
    const Size J = size.J, D = size.D;
    const double* amplitude = control.data() + control_count + 2 * J * D;
    return {slice(control, control_count, D, J), slice(control, control_count + J * D, paired ? D : 0, J),
            amplitude};
  }
};

FeatureStep::FeatureStep(std::shared_ptr<Engine> engine, const FilledTable<double>& table)
    : engine_(std::move(engine)),
      N_(table.rows()),
      M_(table.cols()),
      observed_(table.observed()),
      complete_(table.complete()),
      Y_(engine_, N_ * M_) {
  Y_.upload(table.Y().data());
  Index next = 0;  // of the missing entries
  for (Index n = 0; n < N_; ++n) {
    double row =
        0;  // of measured entries alone: as a difference of sums, its last digits would depend on the guesses
    for (Index m = 0; m < M_; ++m) {
      if (next < table.missing_end(n) && table.missing_columns()[static_cast<std::size_t>(next)] == m) {
        missing_entries_.push_back(n * M_ + m);
        ++next;
      } else {
        row += table.Y()(n, m) * table.Y()(n, m);
      }
    }
    squares_ += row;
  }
  if (complete_) return;
  weight_ = DeviceArray<double>(engine_, N_);
  weight_.upload(table.weight().data());
  missing_ = DeviceArray<std::int64_t>(engine_, Index(missing_entries_.size()));
}

FeatureStep::~FeatureStep() = default;

double FeatureStep::bytes(Index rows, Index cols, Index missing, Index frequencies, Index dims) {
  const bool complete = missing == 0;
  const FeatureSizes s(rows, cols, complete, frequencies, dims);
  const double F = double(s.F), products = double(s.products(complete));
  const double doubles = double(s.rows) * (double(s.stride) + F) + F * products * double(s.lanes + 1) +
                         2 * F * F + 3 * F * double(s.table) + F * F +
                         double(s.N) * double(s.D) * double(s.tiles > 1 ? s.tiles + 2 : 2) +
                         double(s.pieces + 2) * double(s.summed()) + double(rows) * double(cols) +
                         double(s.matrices(complete)) * F * F;  // of factorisations
  return 8 * (doubles + (complete ? 0 : double(missing) + double(rows)));
}

/// Arrays for another number of frequencies; the table moves over with its guesses.
void FeatureStep::lay_out(Index J, Index D, bool paired) {
  if (at_ && at_->size.J == J && at_->size.D == D && at_->paired == paired) return;
  if (at_) {  // the old arrays go first: there may be no memory for both
    Y_ = DeviceArray<double>(engine_, N_ * M_);
    engine_->copy(at_->Y(), slice(Y_, 0, N_, M_));
    engine_->wait();
    at_.reset();
  }
  ++layout_;
  at_ = std::make_unique<Layout>(engine_, FeatureSizes(N_, M_, complete_, J, D), complete_, paired);
  engine_->copy(slice(Y_, 0, N_, M_), at_->Y());
  engine_->wait();
  Y_ = {};
  if (!complete_) {
    std::vector<std::int64_t> offsets;
    offsets.reserve(missing_entries_.size());
    for (const std::int64_t at : missing_entries_) offsets.push_back(at / M_ * at_->size.stride + at % M_);
    missing_.upload(offsets.data());
  }
}

void FeatureStep::write_control() {
  const Size J = at_->size.J, D = at_->size.D;
  const Frequencies& f = frequencies_;
  Vector control = Vector::Zero(control_count + at_->size.summed());
  control(inverse_sigma2) = 1 / sigma2_;
  control(diagonal) = sigma2_ + jitter_[0];
  control(diagonal_weighted) = sigma2_ + jitter_[1];
  const auto part = [&](Size offset) {
    return Eigen::Map<Matrix>(control.data() + control_count + offset, D, J);
  };
  part(0) = (f.paired() ? Matrix(0.5 * (f.Omega1 + f.Omega2)) : f.Omega1).transpose();
  if (f.paired()) part(J * D) = 0.5 * (f.Omega1 - f.Omega2).transpose();
  control.tail(J) = f.amplitude;
  at_->control.upload(control.data());
}

Slice FeatureStep::X() const { return slice(at_->X, 0, N_, at_->size.D); }
Slice FeatureStep::dX() const {
  return slice(at_->results, result_count + at_->size.summed(), N_, at_->size.D);
}
Slice FeatureStep::head() const { return slice(at_->results, 0, 1, result_count + at_->size.summed()); }

/// [A C C_w] = Phi' [Y Phi w o Phi], of C and C_w the lower triangle and perhaps more.
void FeatureStep::sums_over_rows() {
  const Layout& a = *at_;
  const FeatureSizes& s = a.size;
  const Size width = s.products(complete_);
  const Slice parts{a.lane_sums.data(), s.F, width, width, s.lanes, s.F * width};
  const auto product = [&](Size row, Size rows, Size col, Size cols) {
    engine_->product(1, transposed(a.Phi().columns(row, rows).lanes(s.lanes)),
                     a.whole().columns(col, cols).lanes(s.lanes), 0, {}, parts.block(row, col, rows, cols));
  };
  const Size bands = bands_of(s.N, s.F, width), height = aligned((s.F + bands - 1) / bands);
  if (bands == 1) product(0, s.F, 0, width);
  for (Size row = 0; bands > 1 && row < s.F; row += height) {
    const Size rows = std::min(height, s.F - row);
    product(row, rows, 0, s.table + row + rows);
    if (!complete_) product(row, rows, s.table + s.phi, row + rows);
  }
  engine_->tree_sum(parts, slice(a.sums, 0, s.F, width));
}

/// With C = Phi'Phi + sigma2 I = L L', C_w = Phi'W Phi + sigma2 I (C where nothing is missing), A = Phi'Y, P = L^-1 A and B = C^-1 A:
///
///   dL/dPhi = [Y Phi] H      H = [B' / sigma2; -M C^-1 - B B' / sigma2]     where nothing is missing
///   dL/dPhi = [w o Phi  E] H      H = [-M C_w^-1; B' / sigma2],  E = Y - Phi B     otherwise
void FeatureStep::operations() {
  Engine& e = *engine_;
  const Layout& a = *at_;
  const FeatureSizes& s = a.size;
  double *out = a.results.data(), *control = a.control.data();
  e.fourier_fill(a.waves(), X(), a.Phi().top_rows(s.N), complete_ ? nullptr : weight_.data(),
                 complete_ ? Slice{} : a.weighted().top_rows(s.N));
  sums_over_rows();

  const Size both = s.matrices(complete_);
  const Slice sums = slice(a.sums, 0, s.F, s.products(complete_)), A = sums.columns(0, s.table);
  Slice C = sums.columns(s.table, s.F);  // and C_w
  C.batch = both;
  C.step = s.phi;
  e.add_diagonal(control + diagonal, C, out + traces);
  const Slice inverses{a.inverse.data(), s.F, s.F, s.F, both, s.F * s.F};
  e.cholesky(C, inverses, out + trouble);

  const Slice own = inverses.one(0), weighted = inverses.one(both - 1);
  const Slice P = slice(a.P, 0, s.F, s.table), Bt = slice(a.Bt, 0, s.table, s.F);
  const Slice H = slice(a.H, 0, s.phi + s.table, s.F);
  const Slice by_features = H.block(complete_ ? s.table : 0, 0, s.F, s.F);
  const Slice by_table = H.block(complete_ ? 0 : s.phi, 0, s.table, s.F);
  e.side_by_side({[&] {
                    e.product(1, own, A, 0, {}, P);
                    e.product(1, transposed(P), own, 0, {}, Bt);
                    e.scale(control + inverse_sigma2, Bt, by_table);
                    if (!complete_) e.product(-1, a.Phi(), transposed(Bt), 1, a.table(), a.residual());
                  },
                  [&] {
                    e.product(-double(M_), transposed(weighted), weighted, 0, {}, by_features);
                    e.log_determinant(C.one(both - 1), out + log_det);
                    e.sum_of_squares(weighted, out + inverse_squared);  // tr C_w^-1
                    if (!complete_)
                      e.squares_at(missing_.data(), missing_.size(), a.Y().at, out + filled_squared);
                  }});
  if (complete_) e.product(-1, transposed(Bt), by_table, 1, by_features, by_features);
  e.side_by_side({[&] { pull(H); },
                  [&] {
                    e.sum_of_squares(P, out + explained);
                    e.sum_of_squares(Bt, out + weights_squared);
                  }});
}

/// From dL/dPhi to the frequencies and the latents.
void FeatureStep::pull(const Slice& H) {
  Engine& e = *engine_;
  const Layout& a = *at_;
  const FeatureSizes& s = a.size;
  const Slice dPhi = slice(a.dPhi, 0, s.rows, s.F);
  e.product(1, a.whole().columns(complete_ ? 0 : s.table + s.phi, s.phi + s.table), H, 0, {}, dPhi);
  const bool one = s.tiles == 1;
  const Slice dX_parts{one ? dX().at : a.dX_parts.data(), s.N, s.D, s.D, s.tiles, s.N * s.D};
  const Slice pull_parts{a.pull_parts.data(), 1, s.summed(), s.summed(), s.pieces, s.summed()};
  e.fourier_pull(a.waves(), X(), a.Phi().top_rows(s.N), dPhi.top_rows(s.N), dX_parts, pull_parts);
  e.side_by_side({[&] { e.tree_sum(pull_parts, slice(a.results, result_count, 1, s.summed())); },
                  [&] {
                    if (!one) e.tree_sum(dX_parts, dX());
                  }});
}

void FeatureStep::prepare(const Frequencies& f, double sigma2) {
  const char* const door = "FeatureStep::prepare";
  check_positive(door, "sigma2", sigma2);
  check_at_least(door, "number of frequencies", f.count(), 1);
  lay_out(f.count(), f.Omega1.cols(), f.paired());
  frequencies_ = f;
  sigma2_ = sigma2;
  for (int i : {0, 1}) {
    jitter_[i] = 0;
    attempt_[i] = 0;
  }
  write_control();
}

bool FeatureStep::accepts(const double* head) {
  results_ = Eigen::Map<const Vector>(head, this->head().cols);
  bool good = true;
  for (int i = 0; i < (complete_ ? 1 : 2); ++i) {
    if (results_(trouble + i) == 0) continue;
    good = false;
    const double mean = results_(traces + i) / double(at_->size.F) - jitter_[i];
    if (!std::isfinite(mean) || ++attempt_[i] == std::size(jitters))
      throw NumericalError(std::string("FeatureStep: ") + (i == 0 ? "Phi'Phi" : "Phi'W Phi") +
                           " + sigma2 I of size " + std::to_string(at_->size.F) +
                           " is not positive definite; a parameter or input has left the finite numbers, or "
                           "inputs are duplicated at nearly zero noise");
    jitter_[i] = jitters[attempt_[i]] * mean;
  }
  if (!good) write_control();
  return good;
}

void FeatureStep::refill() {
  if (!complete_) engine_->subtract_at(missing_.data(), missing_.size(), at_->residual().at, at_->Y().at);
}

FeatureStepResult FeatureStep::evaluate(const Frequencies& f, double sigma2, MatrixIn X, bool refill) {
  const char* const door = "FeatureStep::evaluate";
  check_size(door, "rows of X", X.rows(), "rows of the table", N_);
  check_size(door, "columns of X", X.cols(), "columns of the frequencies", f.Omega1.cols());
  check_finite(door, "X", X);
  prepare(f, sigma2);
  const Matrix x = X;
  at_->X.upload(x.data());
  if (at_->program == 0) at_->program = engine_->record([this] { operations(); });
  Vector all(at_->results.size());
  do {
    engine_->replay(at_->program);
    at_->results.download(all.data());
  } while (!accepts(all.data()));
  FeatureStepResult out = result();
  out.dX = Eigen::Map<const Matrix>(all.data() + this->head().cols, N_, X.cols());
  if (refill) this->refill();
  return out;
}

FeatureStepResult FeatureStep::result() const {
  const Size J = at_->size.J, D = at_->size.D;
  const double F = double(at_->size.F), M = double(M_), n_obs = double(observed_);
  const Vector& r = results_;
  const Frequencies& f = frequencies_;
  const double sigma2 = sigma2_;
  const double squares = squares_ + (complete_ ? 0 : r(filled_squared));
  const double residual = squares - r(explained);
  FeatureStepResult out;
  out.value = -0.5 * (n_obs * (log_2pi + std::log(sigma2)) + M * (r(log_det) - F * std::log(sigma2)) +
                      residual / sigma2);
  out.dsigma2 = -0.5 * (n_obs / sigma2 + M * (r(inverse_squared) - F / sigma2) -
                        residual / (sigma2 * sigma2) + r(weights_squared) / sigma2);
  const auto part = [&](Size offset) {
    return Eigen::Map<const Matrix>(r.data() + result_count + offset, D, J).transpose();
  };
  if (f.paired()) {
    out.gradient.Omega1 = 0.5 * (part(0) + part(J * D));
    out.gradient.Omega2 = 0.5 * (part(0) - part(J * D));
  } else {
    out.gradient.Omega1 = part(0);
    out.gradient.Omega2.resize(0, D);
  }
  const auto powers = r.segment(result_count + 2 * J * D, J);
  const double least = std::sqrt(std::numeric_limits<double>::min());
  out.gradient.amplitude.resize(J);
  for (Size j = 0; j < J; ++j)
    out.gradient.amplitude(j) =
        std::abs(f.amplitude(j)) > least ? powers(j) / f.amplitude(j) : slow_amplitude(j);
  out.jitter = std::max(jitter_[0], jitter_[1]);
  return out;
}

/// dL/dc_j from the adjoints of its two columns, for amplitudes so small that Phi / c is meaningless.
double FeatureStep::slow_amplitude(Index j) const {
  const Frequencies& f = frequencies_;
  const Size J = at_->size.J;
  Matrix X(N_, at_->size.D);
  engine_->download_rows(this->X(), X.data());
  const Slice dPhi = slice(at_->dPhi, 0, N_, at_->size.F);
  Vector cosine(N_), sine(N_);
  engine_->download_rows(dPhi.columns(j, 1), cosine.data());
  engine_->download_rows(dPhi.columns(J + j, 1), sine.data());
  double sum = 0;
  for (const Matrix* Omega : {&f.Omega1, &f.Omega2}) {
    if (Omega->rows() == 0) continue;
    const Vector angle = X * Omega->row(j).transpose();
    sum += cosine.dot(angle.array().cos().matrix()) + sine.dot(angle.array().sin().matrix());
  }
  return sum;
}

Vector FeatureStep::guesses() const {
  Vector out(Index(missing_entries_.size()));
  if (out.size() == 0) return out;
  Matrix Y(N_, M_);
  engine_->download_rows(at_ ? at_->Y() : slice(Y_, 0, N_, M_), Y.data());
  for (std::size_t i = 0; i < missing_entries_.size(); ++i) out(Index(i)) = Y.data()[missing_entries_[i]];
  return out;
}

void FeatureStep::set_guesses(VectorIn values) {
  check_size("FeatureStep::set_guesses", "size of values", values.size(), "missing entries",
             Index(missing_entries_.size()));
  if (values.size() == 0) return;
  const Slice table = at_ ? at_->Y() : slice(Y_, 0, N_, M_);
  Matrix Y(N_, M_);
  engine_->download_rows(table, Y.data());
  for (std::size_t i = 0; i < missing_entries_.size(); ++i) Y.data()[missing_entries_[i]] = values(Index(i));
  engine_->upload_rows(Y.data(), table);
}

}  // namespace bochner
