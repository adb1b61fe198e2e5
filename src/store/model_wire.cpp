#include "model_wire.hpp"

#include <new>
#include <stdexcept>

namespace bochner::detail {

namespace {

// A group is the number of its entries, then for each: length of the name, name, kind (the place in ModelValue), content.
// Lengths are 64 bits in the order of this machine: both ends are on it.
using Size = std::uint64_t;

/// Collects small pieces, so that a tree is not one system call per number.
class Sender {
 public:
  explicit Sender(Channel& channel) : channel_(channel) {}

  void raw(const void* bytes, std::size_t n) {
    constexpr std::size_t most = std::size_t{1} << 16;
    if (pending_.size() + n > most)
      flush();  // in order: what is pending goes before what is too large to wait
    if (n > most)
      good_ = good_ && channel_.send_raw(bytes, n);
    else
      pending_.append(static_cast<const char*>(bytes), n);
  }
  void size(std::size_t n) {
    const Size wide = n;
    raw(&wide, sizeof wide);
  }
  bool flush() {
    good_ = good_ && (pending_.empty() || channel_.send_raw(pending_.data(), pending_.size()));
    pending_.clear();
    return good_;
  }

  void operator()(double x) { raw(&x, sizeof x); }
  void operator()(std::int64_t x) { raw(&x, sizeof x); }
  void operator()(const std::string& x) {
    size(x.size());
    raw(x.data(), x.size());
  }
  void operator()(const Vector& x) {
    size(static_cast<std::size_t>(x.size()));
    raw(x.data(), sizeof(double) * static_cast<std::size_t>(x.size()));
  }
  void operator()(const Matrix& x) {
    size(static_cast<std::size_t>(x.rows()));
    size(static_cast<std::size_t>(x.cols()));
    raw(x.data(), sizeof(double) * static_cast<std::size_t>(x.size()));
  }
  void operator()(const std::vector<std::int64_t>& x) {
    size(x.size());
    raw(x.data(), sizeof(std::int64_t) * x.size());
  }
  void operator()(const std::vector<std::string>& x) {
    size(x.size());
    for (const std::string& text : x) (*this)(text);
  }
  void operator()(const ModelGroup& x) {
    size(x.entries().size());
    for (const ModelEntry& entry : x.entries()) {
      (*this)(entry.name);
      size(entry.value.index());
      std::visit(*this, entry.value);
    }
  }

 private:
  Channel& channel_;
  std::string pending_;
  bool good_ = true;
};

struct NoTree : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Receiver {
 public:
  Receiver(Channel& channel, std::size_t most_bytes) : channel_(channel), left_(most_bytes) {}

  ModelGroup group(int depth) {
    if (depth > deepest_group) throw NoTree("too deep");
    ModelGroup out;
    std::size_t n = count(entry_bytes);
    if (n > most_entries) throw NoTree("too many entries");
    for (; n > 0; --n) {
      std::string name = text();
      ModelValue value = this->value(size(), depth);
      out.set(std::move(name), std::move(value));  // checks the name
    }
    return out;
  }

 private:
  void raw(void* to, std::size_t n) {
    if (n > 0 && !channel_.receive_raw(to, n)) throw NoTree("cut off");
  }
  Size size() {
    Size out = 0;
    raw(&out, sizeof out);
    return out;
  }
  /// A number of things of so many bytes, which are taken off what may still come.
  std::size_t count(std::size_t bytes_each) {
    const Size n = size();
    if (n > left_ / bytes_each) throw NoTree("too large");
    left_ -= n * bytes_each;
    return n;
  }
  template <class T>
  T number() {
    T out{};
    raw(&out, sizeof out);
    return out;
  }
  std::string text() {
    std::string out(count(1), '\0');
    raw(out.data(), out.size());
    return out;
  }

  ModelValue value(Size kind, int depth) {
    switch (kind) {
      case 0:
        return number<double>();
      case 1:
        return number<std::int64_t>();
      case 2:
        return text();
      case 3: {
        Vector out(static_cast<Index>(count(sizeof(double))));
        raw(out.data(), sizeof(double) * static_cast<std::size_t>(out.size()));
        return out;
      }
      case 4: {
        constexpr Size longest = Size{1} << 57;  // of a side, also where the other one is 0
        const Size rows = size(), cols = size();
        if (rows > longest || cols > longest || (rows > 0 && cols > left_ / sizeof(double) / rows))
          throw NoTree("too large");
        left_ -= rows * cols * sizeof(double);
        Matrix out(static_cast<Index>(rows), static_cast<Index>(cols));
        raw(out.data(), rows * cols * sizeof(double));
        return out;
      }
      case 5: {
        std::vector<std::int64_t> out(count(sizeof(std::int64_t)));
        raw(out.data(), sizeof(std::int64_t) * out.size());
        return out;
      }
      case 6: {
        std::vector<std::string> out;
        for (std::size_t n = count(1); n > 0; --n) out.push_back(text());  // no room for what may never come
        return out;
      }
      case 7:
        return group(depth + 1);
      default:
        throw NoTree("an unknown kind");
    }
  }

  Channel& channel_;
  std::size_t left_;
};

static_assert(std::variant_size_v<ModelValue> == 8, "a new kind of entry needs a case above");

}  // namespace

bool send_group(Channel& channel, const ModelGroup& content) {
  Sender sender(channel);
  sender(content);
  return sender.flush();
}

std::optional<ModelGroup> receive_group(Channel& channel, std::size_t most_bytes) {
  try {
    return Receiver(channel, most_bytes).group(0);
  } catch (const NoTree&) {
  } catch (const std::invalid_argument&) {  // a name or a text that ModelGroup does not take
  } catch (const std::bad_alloc&) {
  }
  return std::nullopt;
}

}  // namespace bochner::detail
