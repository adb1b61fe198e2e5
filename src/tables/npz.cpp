#include "bochner/tables/npz.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <memory>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "byte_source.hpp"
#include "fail.hpp"
#include "npy_array.hpp"

namespace bochner {

namespace {

using detail::fail;

struct CloseArchive {
  void operator()(zip_t* z) const { zip_discard(z); }
};
struct CloseEntry {
  void operator()(zip_file_t* f) const { zip_fclose(f); }
};
using Entry = std::unique_ptr<zip_file_t, CloseEntry>;
struct Archive {
  std::unique_ptr<zip_t, CloseArchive> zip;
  std::uint64_t size;  // of the archive, in bytes
};

std::string message(zip_error_t& error) {
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return printable(text);
}

Archive open_source(zip_source_t* source, std::uint64_t size, const std::string& name) {
  if (size == 0) {  // libzip would call it an archive without entries
    zip_source_free(source);
    fail(name, "the file is empty, not a NumPy archive (.npz)");
  }
  zip_error_t error;
  zip_error_init(&error);
  zip_t* archive = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
  if (!archive) {
    if (source) zip_source_free(source);
    fail(name, fmt::format("this is not a NumPy archive (.npz), or it is damaged ({})", message(error)));
  }
  zip_error_fini(&error);
  return {std::unique_ptr<zip_t, CloseArchive>(archive), size};
}

Archive open_path(const std::string& path) {
  const detail::InputFile file(path,
                               detail::Pipes::refused);  // our messages about missing files and folders
  zip_error_t error;
  zip_error_init(&error);
  return open_source(zip_source_file_create(path.c_str(), 0, -1, &error), file.size(), path);
}

Archive open_memory(std::string_view bytes, const std::string& name) {
  zip_error_t error;
  zip_error_init(&error);
  return open_source(zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error), bytes.size(), name);
}

struct ArrayEntry {
  std::string name;
  zip_uint64_t index;
};

std::vector<ArrayEntry> arrays(zip_t* archive) {
  std::vector<ArrayEntry> out;
  const zip_int64_t n = zip_get_num_entries(archive, 0);
  for (zip_int64_t i = 0; i < n; ++i) {
    const char* entry = zip_get_name(archive, static_cast<zip_uint64_t>(i), ZIP_FL_ENC_GUESS);
    const std::string_view name = entry ? entry : "";
    if (name.ends_with(".npy"))
      out.push_back({std::string(name.substr(0, name.size() - 4)), zip_uint64_t(i)});
  }
  return out;
}

std::vector<std::string> names(const std::vector<ArrayEntry>& entries) {
  std::vector<std::string> out;
  for (const ArrayEntry& entry : entries) out.push_back(entry.name);
  return out;
}

struct EntrySource : detail::ByteSource {
  EntrySource(zip_file_t* f, std::string n) : file(f), name(std::move(n)) {}
  std::size_t read(char* to, std::size_t n) override {
    std::size_t done = 0;
    while (done < n) {
      const zip_int64_t got = zip_fread(file, to + done, n - done);
      if (got < 0)
        fail(name, fmt::format("the archive is damaged ({}); copy it again",
                               printable(zip_error_strerror(zip_file_get_error(file)))));
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }
  zip_file_t* file;
  std::string name;
};

Table read_archive(const Archive& file, const std::string& name, std::string wanted) {
  zip_t* const archive = file.zip.get();
  const std::vector<ArrayEntry> entries = arrays(archive);
  if (entries.empty()) fail(name, "the archive holds no NumPy array");
  if (wanted.ends_with(".npy")) wanted.resize(wanted.size() - 4);
  if (wanted.empty()) {
    if (entries.size() > 1)
      fail(name, fmt::format("the archive holds {} arrays, {}; name one, as in {}:{}", entries.size(),
                             listing(names(entries)), printable(name), printable(entries[0].name)));
    wanted = entries[0].name;
  }
  const ArrayEntry* found = nullptr;
  for (const ArrayEntry& entry : entries)
    if (entry.name == wanted) found = &entry;
  if (!found)
    fail(name, fmt::format("there is no array {} in it, only {}", quote(wanted), listing(names(entries))));

  const std::string full_name = name + ":" + wanted;
  zip_stat_t status;
  zip_stat_init(&status);
  if (zip_stat_index(archive, found->index, 0, &status) != 0 || !(status.valid & ZIP_STAT_SIZE) ||
      !(status.valid & ZIP_STAT_COMP_SIZE))
    fail(full_name, "the archive is damaged; copy it again");
  // Deflate shrinks at most 1032 times. A directory that claims more is damaged, or made to exhaust the
  // memory.
  constexpr zip_uint64_t most = 1032;
  if (status.comp_size > file.size || status.size / most > status.comp_size + 64)
    fail(full_name, fmt::format("the archive is damaged: {} cannot unpack to {}",
                                human_bytes(double(status.comp_size)), human_bytes(double(status.size))));
  const Entry entry(zip_fopen_index(archive, found->index, 0));
  if (!entry)
    fail(full_name,
         fmt::format("the array cannot be unpacked ({}); save it with numpy.savez or numpy.savez_compressed",
                     printable(zip_error_strerror(zip_get_error(archive)))));
  EntrySource bytes(entry.get(), full_name);
  Table table = detail::read_npy_array(bytes, status.size, full_name);
  char beyond = 0;  // libzip compares the CRC when it comes to the end
  if (bytes.read(&beyond, 1) != 0) fail(full_name, "the archive is damaged; copy it again");
  return table;
}

}  // namespace

Table read_npz(const std::string& path, const std::string& array) {
  return read_archive(open_path(path), path, array);
}

Table parse_npz(std::string_view bytes, const std::string& name, const std::string& array) {
  return read_archive(open_memory(bytes, name), name, array);
}

std::vector<std::string> npz_arrays(const std::string& path) {
  return names(arrays(open_path(path).zip.get()));
}

}  // namespace bochner
