#include "bochner/tables/hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <optional>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "byte_source.hpp"
#include "npy_array.hpp"
#include "src/tables/hdf5/table.hpp"
#include "subprocess.hpp"

namespace bochner {

namespace {

// The talk between parent and child. The child opens the file and answers; then, for each request {begin,
// rows}, it answers and, if the answer is good, sends the numbers. An answer is one letter and a text.
struct Request {
  std::int64_t begin, rows;
};
constexpr char good = '+', bad = '-';
constexpr std::size_t longest_answer = std::size_t{1} << 32;
constexpr Index request_bytes = Index{1} << 25;  // the child's buffer

// More than this to open a file and to list what is in it means that HDF5 is going in circles; damaged files do that.
double open_cpu_seconds(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return 10 + (error ? 0 : 1e-7 * double(size));
}

// A list of texts as one, each ended by a NUL.
std::string join(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += text + '\0';
  return out;
}
std::vector<std::string> split(std::string_view joined) {
  std::vector<std::string> out;
  for (std::size_t end = 0; (end = joined.find('\0')) != std::string_view::npos;
       joined.remove_prefix(end + 1))
    out.emplace_back(joined.substr(0, end));
  return out;
}

// Runs `work`, which returns the text of a good answer; what goes wrong becomes the text of a bad one.
template <class Work>
bool answer(detail::Channel& channel, Work&& work) {
  std::string text;
  try {
    text = good + work();
  } catch (const InputError& error) {
    text = bad + std::string(error.what());
  } catch (const std::bad_alloc&) {
    text = bad + std::string("there is not enough memory to read the HDF5 file");
  }
  return channel.send(text) && text[0] == good;
}

void serve_dataset(detail::Channel& channel, const std::string& path, const std::string& name) {
  detail::limit_cpu_seconds(open_cpu_seconds(path));
  std::optional<detail::Hdf5Table> dataset;
  const bool opened = answer(channel, [&] {
    dataset.emplace(path, name);
    const std::int64_t shape[2] = {dataset->rows(), dataset->cols()};
    const detail::AnnDataNames names = dataset->names();
    return std::string(reinterpret_cast<const char*>(shape), sizeof shape) +
           join({dataset->title(), names.ids.empty() ? "" : "ids", names.columns.empty() ? "" : "columns"}) +
           join(names.ids) + join(names.columns);
  });
  std::vector<double> numbers;
  for (Request request{}; opened && channel.receive_raw(&request, sizeof request);) {
    detail::limit_cpu_seconds(dataset->cpu_seconds(request.rows));
    const bool read = answer(channel, [&] {
      numbers.resize(static_cast<std::size_t>(request.rows * dataset->cols()));
      dataset->read(request.begin, request.rows, numbers.data());
      return std::string();
    });
    if (read && !channel.send_raw(numbers.data(), numbers.size() * sizeof(double))) return;
  }
}

// The text of a good answer. No answer at all means that the child is dead.
std::string expect_good(detail::Channel& channel, const std::string& path) {
  std::string text;
  if (!channel.receive(text, longest_answer) || text.empty())
    throw InputError(
        fmt::format("{}: the HDF5 library broke down on this file, so the file is damaged; copy it again",
                    printable(path)));
  if (text[0] != good) throw InputError(text.substr(1));
  return text.substr(1);
}

}  // namespace

struct Hdf5Rows::State {
  State(const std::string& path_, const std::string& dataset) : path(path_) {
    {
      const detail::InputFile file(path, detail::Pipes::refused);
    }  // our messages about missing files and folders
    {
      const auto lock = detail::lock_hdf5();
      child.emplace([&](detail::Channel& channel) { serve_dataset(channel, path, dataset); });
    }
    const std::string text = expect_good(child->channel(), path);
    std::int64_t shape[2] = {0, 0};
    std::memcpy(shape, text.data(), std::min(sizeof shape, text.size()));
    rows = shape[0];
    cols = shape[1];
    const std::vector<std::string> texts =
        split(std::string_view(text).substr(std::min(sizeof shape, text.size())));
    const std::size_t n_ids = texts.size() > 1 && !texts[1].empty() ? static_cast<std::size_t>(rows) : 0;
    const std::size_t n_columns = texts.size() > 2 && !texts[2].empty() ? static_cast<std::size_t>(cols) : 0;
    if (rows < 1 || cols < 1 || texts.size() != 3 + n_ids + n_columns)
      throw InputError(fmt::format("{}: the HDF5 file is damaged", printable(path)));
    title = texts[0];
    ids.assign(texts.begin() + 3, texts.begin() + 3 + static_cast<std::ptrdiff_t>(n_ids));
    columns.assign(texts.end() - static_cast<std::ptrdiff_t>(n_columns), texts.end());
  }

  std::string path, title;
  std::vector<std::string> ids, columns;
  std::optional<detail::Isolated> child;
  std::mutex talking;  // one request at a time
  Index rows = 0, cols = 0;
};

Hdf5Rows::Hdf5Rows(const std::string& path, const std::string& dataset)
    : state_(std::make_unique<State>(path, dataset)) {}
Hdf5Rows::~Hdf5Rows() = default;
Hdf5Rows::Hdf5Rows(Hdf5Rows&&) noexcept = default;
Hdf5Rows& Hdf5Rows::operator=(Hdf5Rows&&) noexcept = default;

Index Hdf5Rows::rows() const { return state_->rows; }
Index Hdf5Rows::cols() const { return state_->cols; }
const std::vector<std::string>& Hdf5Rows::ids() const { return state_->ids; }
const std::vector<std::string>& Hdf5Rows::columns() const { return state_->columns; }

void Hdf5Rows::read(Index begin, MatrixOut out) const {
  check_size("Hdf5Rows::read", "columns of out", out.cols(), "columns of the dataset", cols());
  check_at_least("Hdf5Rows::read", "begin", begin, 0);
  check_at_least("Hdf5Rows::read", "rows of the dataset", rows(), begin + out.rows());
  const std::lock_guard lock(state_->talking);
  detail::Channel& channel = state_->child->channel();
  const Index per_request = std::max<Index>(1, request_bytes / 8 / cols());
  for (Index done = 0; done < out.rows(); done += per_request) {
    const Request request{begin + done, std::min(per_request, out.rows() - done)};
    channel.send_raw(&request, sizeof request);  // if the child is gone, no answer comes
    expect_good(channel, state_->path);
    for (Index n = 0; n < request.rows; ++n)
      if (!channel.receive_raw(out.row(done + n).data(), static_cast<std::size_t>(cols()) * sizeof(double)))
        expect_good(channel, state_->path);
  }
  detail::refuse_infinite(out, begin, state_->title);
}

Table read_hdf5(const std::string& path, const std::string& dataset) {
  const Hdf5Rows source(path, dataset);
  Matrix values = detail::room_for(source.rows(), source.cols(), path);
  source.read(0, values);
  Table table = make_table(std::move(values));
  if (!source.ids().empty()) {
    table.ids = source.ids();
    table.ids_generated = false;
  }
  if (!source.columns().empty()) {
    table.columns = source.columns();
    table.columns_generated = false;
  }
  return table;
}

std::vector<std::string> hdf5_datasets(const std::string& path) {
  { const detail::InputFile file(path, detail::Pipes::refused); }
  auto lock = detail::lock_hdf5();
  detail::Isolated child([&](detail::Channel& channel) {
    detail::limit_cpu_seconds(open_cpu_seconds(path));
    answer(channel, [&] { return join(detail::hdf5_tables(path)); });
  });
  lock.unlock();
  return split(expect_good(child.channel(), path));
}

}  // namespace bochner
