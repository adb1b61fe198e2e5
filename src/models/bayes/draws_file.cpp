#include "bochner/models/bayes/draws_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <numeric>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "src/tables/hdf5/h5.hpp"
#include "src/tables/subprocess.hpp"

namespace bochner {

namespace {

namespace fs = std::filesystem;

Index size_of(const std::vector<Index>& shape) {
  return std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>());
}

std::vector<std::vector<Index>> shapes_of(const BayesDraw& draw) {
  std::vector<std::vector<Index>> out{{draw.X.rows(), draw.X.cols()},
                                      {},
                                      {static_cast<Index>(draw.paths.size()), 2},
                                      {draw.turn.rows(), draw.turn.cols()}};
  for (const BayesFunctions& f : draw.functions) {
    out.push_back({f.W.rows(), f.W.cols()});
    out.push_back({f.B.rows(), f.B.cols()});
    out.push_back({f.scale.size()});
  }
  return out;
}

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw WriteError(fmt::format("{}: {} ({})", printable(path), what, std::strerror(errno)));
}

/// Names of groups may not hold a slash, and a dot alone means the group itself.
std::string group_name(const std::string& view, std::size_t v) {
  const bool plain = !view.empty() && view != "." && view != ".." && view.find('/') == std::string::npos;
  return plain ? view : fmt::format("view_{}", v);
}

template <class Id>
Id&& must(Id&& id) {
  if (id < 0) throw WriteError("the HDF5 library could not write the draws");
  return std::forward<Id>(id);
}

}  // namespace

DrawsLog::DrawsLog(std::string path, Index begin) : path_(std::move(path)), begin_(begin) {
  std::error_code error;
  if (begin > 0 && !fs::exists(path_, error))
    throw InputError(
        fmt::format("{}: the draws of the stopped run are gone; start it anew", printable(path_)));
  file_.reset(std::fopen(path_.c_str(), begin > 0 ? "r+b" : "wb"));
  if (!file_) fail(path_, "the draws cannot be written");
}

void DrawsLog::start(const BayesDraw& draw) {
  shapes_ = shapes_of(draw);
  Index numbers = 0;
  for (const auto& shape : shapes_) numbers += size_of(shape);
  const std::int64_t kept = std::int64_t{8} * numbers * begin_;
  if (begin_ > 0 && static_cast<std::int64_t>(fs::file_size(path_)) < kept)
    throw InputError(
        fmt::format("{}: some draws of the stopped run are gone; start it anew", printable(path_)));
  if (ftruncate(fileno(file_.get()), kept) != 0 || fseeko(file_.get(), kept, SEEK_SET) != 0)
    fail(path_, "the draws cannot be written");
  count_ = begin_;
}

void DrawsLog::write(const double* values, Index n) {
  if (std::fwrite(values, sizeof(double), static_cast<std::size_t>(n), file_.get()) !=
      static_cast<std::size_t>(n))
    fail(path_, "the draws cannot be written");
}

void DrawsLog::add(const BayesDraw& draw) {
  if (shapes_.empty()) start(draw);
  write(draw.X.data(), draw.X.size());
  write(&draw.log_density, 1);
  for (const PathPrior& path : draw.paths) {
    const double both[2] = {path.ell, path.variance};
    write(both, 2);
  }
  write(draw.turn.data(), draw.turn.size());
  for (const BayesFunctions& f : draw.functions) {
    write(f.W.data(), f.W.size());
    write(f.B.data(), f.B.size());
    write(f.scale.data(), f.scale.size());
  }
  ++count_;
}

void DrawsLog::flush() {
  if (std::fflush(file_.get()) != 0 || fsync(fileno(file_.get())) != 0)
    fail(path_, "the draws cannot be written");
}

namespace {

using Shapes = std::vector<std::vector<Index>>;

/// Path of a part of the draws of a chain.
std::string dataset_name(const BayesFit& fit, Index chain, std::size_t part) {
  constexpr std::array<const char*, 4> own{"X", "log_density", "paths", "turn"};
  constexpr std::array<const char*, 3> of_view{"W", "B", "scale"};
  if (part < own.size()) return fmt::format("/chain_{}/{}", chain, own[part]);
  const std::size_t v = (part - own.size()) / of_view.size();
  return fmt::format("/chain_{}/views/{}/{}", chain, group_name(fit.views[v].name, v),
                     of_view[(part - own.size()) % of_view.size()]);
}

/// One dataset for each part of the draws of a chain, to be filled draw by draw.
std::vector<detail::H5> make_datasets(hid_t file, const BayesFit& fit, const Shapes& shapes, Index chain,
                                      Index draws) {
  const detail::H5 links(must(H5Pcreate(H5P_LINK_CREATE)), H5Pclose);
  must(H5Pset_create_intermediate_group(links, 1));
  const detail::H5 creation(must(H5Pcreate(H5P_DATASET_CREATE)), H5Pclose);
  must(H5Pset_obj_track_times(creation, false));  // or the same draws would give other bytes tomorrow
  std::vector<detail::H5> out;
  for (std::size_t part = 0; part < shapes.size(); ++part) {
    std::vector<hsize_t> shape{static_cast<hsize_t>(draws)};
    for (const Index n : shapes[part]) shape.push_back(static_cast<hsize_t>(n));
    const detail::H5 space(must(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr)),
                           H5Sclose);
    out.emplace_back(must(H5Dcreate2(file, dataset_name(fit, chain, part).c_str(), H5T_IEEE_F64LE, space,
                                     links, creation, H5P_DEFAULT)),
                     H5Dclose);
  }
  return out;
}

/// Draw number d of a part.
void put_draw(hid_t dataset, const std::vector<Index>& shape, Index d, const std::vector<double>& numbers) {
  if (numbers.empty()) return;
  std::vector<hsize_t> start{static_cast<hsize_t>(d)}, size{1};
  for (const Index n : shape) {
    start.push_back(0);
    size.push_back(static_cast<hsize_t>(n));
  }
  const detail::H5 space(must(H5Dget_space(dataset)), H5Sclose);
  must(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr));
  const detail::H5 memory(must(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr)),
                          H5Sclose);
  must(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers.data()));
}

/// The draws in the order of the log as datasets of an HDF5 file.
void convert(const std::string& log, const std::string& path, const BayesFit& fit, const Shapes& shapes,
             Index draws) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> from(std::fopen(log.c_str(), "rb"), std::fclose);
  if (!from) fail(log, "the draws cannot be read back");
  const detail::QuietH5 quiet;
  const detail::H5 creation(must(H5Pcreate(H5P_FILE_CREATE)), H5Pclose);
  must(H5Pset_obj_track_times(creation, false));
  const detail::H5 file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT), H5Fclose);
  if (!file.ok()) fail(path, "the file cannot be written");
  std::vector<std::vector<detail::H5>> datasets;
  for (Index c = 0; c < fit.options.chains; ++c)
    datasets.push_back(make_datasets(file, fit, shapes, c, draws));
  std::vector<double> numbers;
  for (Index d = 0; d < draws; ++d)
    for (const std::vector<detail::H5>& chain : datasets)
      for (std::size_t part = 0; part < shapes.size(); ++part) {
        numbers.resize(static_cast<std::size_t>(size_of(shapes[part])));
        if (std::fread(numbers.data(), sizeof(double), numbers.size(), from.get()) != numbers.size())
          fail(log, "the draws cannot be read back");
        put_draw(chain[part], shapes[part], d, numbers);
      }
  must(H5Fflush(file, H5F_SCOPE_GLOBAL));  // a full disk may show here first, and closing does not tell
}

/// A file that is gone at the end of the scope, whatever happens; one that was renamed is gone already.
struct Removed {
  std::string path;
  ~Removed() {
    std::error_code error;
    fs::remove(path, error);
  }
};

}  // namespace

void DrawsLog::finish(const std::string& path, const BayesFit& fit) {
  const Index chains = fit.options.chains;
  if (shapes_.empty()) {  // nothing was added to what the earlier run had left
    std::vector<BayesFunctions> functions;
    for (const BayesViewFit& view : fit.views) functions.push_back(view.draws.front());
    start({0, 0, fit.X.front(), functions, fit.paths.empty() ? std::vector<PathPrior>{} : fit.paths.front(),
           Matrix::Zero(fit.dims(), fit.dims()), 0});
  }
  flush();
  const Index draws = count_ / chains;
  file_.reset();
  const fs::path target(path);
  const std::string temporary =
      (target.parent_path() / fmt::format(".{}.{}-0.part", target.filename().string(), ::getpid())).string();
  const Removed remains{temporary};
  // HDF5 may crash when it closes a file that a full disk has cut short, hence a child.
  auto lock = detail::lock_hdf5();
  detail::Isolated child([&](detail::Channel& channel) {
    std::string complaint;
    try {
      convert(path_, temporary, fit, shapes_, draws);
    } catch (const std::exception& error) {
      complaint = error.what();
    }
    channel.send(complaint);
  });
  lock.unlock();
  std::string complaint;
  if (!child.channel().receive(complaint, 4096))
    throw WriteError(fmt::format("{}: the file cannot be written; the disk may be full", printable(path)));
  if (!complaint.empty()) throw WriteError(printable(complaint, 4096));
  std::error_code error;
  fs::rename(temporary, path, error);
  if (error)
    throw WriteError(fmt::format("{}: the file cannot be written ({})", printable(path), error.message()));
}

}  // namespace bochner
