#include "bochner/run/live_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>

#include "bochner/core/errors.hpp"
#include "bochner/run/json_file.hpp"
#include "bochner/tables/atomic_file.hpp"

namespace bochner {

namespace {

void append_number(std::string& out, double value, int digits = 5) {
  if (std::isfinite(value))
    fmt::format_to(std::back_inserter(out), "{:.{}g}", value, digits);
  else
    out += "null";
}

constexpr int objective_digits = 9;  // the last steps of a fit change little of a large number

/// Evenly spaced samples where there are too many for a picture that is drawn again every few seconds.
std::string latents_text(const LiveLatents& latents, Index most) {
  const Index N = latents.mean.rows(), stride = std::max<Index>(1, (N + most - 1) / most);
  Json ids = Json::array();
  for (Index n = 0; n < N; n += stride) ids.push_back(latents.ids[static_cast<std::size_t>(n)]);
  std::string out = fmt::format("{{\"samples\":{},\"ids\":{},\"mean\":[", N, json_line(ids));
  for (Index q = 0; q < latents.mean.cols(); ++q) {
    out += q > 0 ? ",[" : "[";
    for (Index n = 0; n < N; n += stride) {
      if (n > 0) out += ',';
      append_number(out, latents.mean(n, q));
    }
    out += ']';
  }
  return out + "]}";
}

}  // namespace

void ThinTrace::add(Index step, double value) {
  if (seen_++ % stride_ != 0) return;
  steps_.push_back(step);
  values_.push_back(value);
  if (steps_.size() < most) return;
  for (std::size_t i = 0; 2 * i < most; ++i) {
    steps_[i] = steps_[2 * i];
    values_[i] = values_[2 * i];
  }
  steps_.resize(most / 2);
  values_.resize(most / 2);
  stride_ *= 2;
}

LiveFile::~LiveFile() {
  std::error_code error;
  if (!path_.empty()) std::filesystem::remove(path_, error);
}

std::string LiveFile::text(const RunStep& now, double seconds) const {
  const Index done = now.step - first_;
  std::string out = fmt::format(
      "{{\"format\":1,\"what\":{},\"objective\":{},\"step\":{},\"of\":{},\"value\":", json_line(now.what),
      json_line(now.objective), now.step, now.of);
  append_number(out, now.value, objective_digits);
  out += fmt::format(",\"seconds\":{:.1f},\"left\":", seconds);
  append_number(out,
                done > 0 ? (seconds - what_began_) * double(now.of - now.step) / double(done) : std::nan(""));
  out += ",\"trace\":{\"steps\":[" + fmt::format("{}", fmt::join(trace_.steps(), ",")) + "],\"values\":[";
  for (std::size_t i = 0; i < trace_.values().size(); ++i) {
    if (i > 0) out += ',';
    append_number(out, trace_.values()[i], objective_digits);
  }
  out += "]}";
  if (!latents_.empty()) out += ",\"latents\":" + latents_;
  return out + "}\n";
}

void LiveFile::step(const RunStep& now, const RunFolder* folder) {
  const double seconds = total_.seconds();
  if (what_ != now.what) {
    what_ = now.what;
    what_began_ = seconds;
    first_ = now.step;
    trace_.clear();
  }
  if (now.step > 0) trace_.add(now.step, now.value);
  if (!folder || seconds < next_) return;
  try {
    if (now.latents) latents_ = latents_text(now.latents(), most_samples);
    path_ = folder->path(live_file);
    write_file(path_, text(now, seconds));
  } catch (const WriteError&) {
  }
  const double after = total_.seconds();
  if (interval_ > 0) next_ = after + std::max(interval_, (after - seconds) / most_share);
}

}  // namespace bochner
