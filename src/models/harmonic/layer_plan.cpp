#include "bochner/models/harmonic/layer_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"

namespace bochner {
namespace {

using Words = std::vector<std::string>;

constexpr Index widest_dense = 30, usual_maps = 10;
constexpr Index most_layers = 10, most_functions = 1000, largest_window = 100;

Words split(const std::string& text) {
  Words out(1);
  for (const char c : text)
    if (c == ':')
      out.emplace_back();
    else
      out.back() += c;
  return out;
}

/// One word: its name, then numbers, then flags.
class Reader {
 public:
  explicit Reader(const std::string& word) : word_(word), rest_(split(word)) {
    name_ = rest_.front();
    rest_.erase(rest_.begin());
  }

  const std::string& name() const { return name_; }

  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("the layer {} {}", quote(word_), why));
  }

  /// The next number from 1 to `most`, or `otherwise` where the word has no further one.
  Index number(const char* what, Index otherwise, Index most) {
    if (rest_.empty()) return otherwise;
    const auto value = parse_integer<Index>(rest_.front());
    if (!value) return otherwise;
    if (*value < 1 || *value > most)
      refuse(fmt::format("has a {} of {}, but it must be from 1 to {}", what, *value, most));
    rest_.erase(rest_.begin());
    return *value;
  }

  bool flag(const char* text) {
    const auto found = std::find(rest_.begin(), rest_.end(), text);
    if (found == rest_.end()) return false;
    rest_.erase(found);
    return true;
  }

  Window window(const char* form) {
    const Index size = number("window", 0, largest_window);
    if (size == 0) refuse(fmt::format("cannot be read; write it as {}", form));
    return {.size = size, .stride = number("stride", 1, size), .same = flag("same")};
  }

  void end(const char* form) const {
    if (!rest_.empty()) refuse(fmt::format("cannot be read; write it as {}", form));
  }

 private:
  std::string word_, name_;
  Words rest_;
};

HiddenPlan read_conv(Reader& word) {
  const char* form = "conv:SIZE[:STRIDE[:MAPS]][:same][:pool2]";
  HiddenPlan out;
  out.window = word.window(form);
  out.functions = word.number("number of maps", 0, most_functions);
  out.window->same = out.window->same || word.flag("same");
  out.pool = word.flag("pool2");
  word.end(form);
  return out;
}

std::optional<Index> layer_count(const Words& words) {
  if (words.size() != 1) return std::nullopt;
  return parse_integer<Index>(words.front());
}

}  // namespace

bool LayerPlan::images() const {
  return last.has_value() ||
         std::any_of(hidden.begin(), hidden.end(), [](const HiddenPlan& p) { return p.window.has_value(); });
}

LayerPlan parse_layers(const Words& words) {
  LayerPlan out;
  if (const std::optional<Index> count = layer_count(words)) {
    if (*count < 1 || *count > most_layers)
      throw InputError(
          fmt::format("the number of layers is {}, but it must be from 1 to {}", *count, most_layers));
    out.hidden.resize(static_cast<std::size_t>(*count - 1));
    return out;
  }
  for (const std::string& text : words) {
    Reader word(text);
    if (out.last) word.refuse("stands after 'patches', which must be the last");
    if (word.name() == "dense") {
      out.hidden.push_back({.functions = word.number("width", 0, most_functions)});
      word.end("dense[:WIDTH]");
    } else if (word.name() == "conv") {
      if (!out.hidden.empty() && !out.hidden.back().window)
        word.refuse("stands after 'dense', whose outputs are no image");
      out.hidden.push_back(read_conv(word));
    } else if (word.name() == "patches") {
      if (!out.hidden.empty() && !out.hidden.back().window)
        word.refuse("stands after 'dense', whose outputs are no image");
      out.last = word.window("patches:SIZE[:STRIDE][:same]");
      word.end("patches:SIZE[:STRIDE][:same]");
    } else {
      word.refuse("is none of a number, 'dense', 'conv' and 'patches'" +
                  did_you_mean(word.name(), {"dense", "conv", "patches"}));
    }
  }
  if (out.hidden.size() >= static_cast<std::size_t>(most_layers))
    throw InputError(
        fmt::format("there are {} layers, but at most {} make sense", words.size(), most_layers));
  return out;
}

Patches patches_of(const Window& window, const ImageShape& image) {
  const Patches out{.image = image, .size = window.size, .stride = window.stride, .same = window.same};
  check_patches(out);
  return out;
}

LayerShapes layer_shapes(const LayerPlan& plan, const std::string& shape, Index inputs) {
  LayerShapes out;
  ImageShape image{};
  if (plan.images()) image = parse_image_shape(shape);
  for (const HiddenPlan& p : plan.hidden) {
    if (!p.window) {
      out.hidden.push_back({inputs, 1, p.functions > 0 ? p.functions : std::min(inputs, widest_dense)});
      inputs = out.hidden.back().functions;
      continue;
    }
    const Patches patches = patches_of(*p.window, image);
    out.hidden.push_back({patches.length(), patches.count(), p.functions > 0 ? p.functions : usual_maps});
    image = {.height = patches.rows(), .width = patches.cols(), .channels = out.hidden.back().functions};
    if (p.pool) image = pooled_shape(image);
    inputs = image.pixels();
  }
  out.last.inputs = inputs;
  if (plan.last) {
    const Patches patches = patches_of(*plan.last, image);
    out.last = {patches.length() + 2, patches.count(), 1};
  }
  return out;
}

}  // namespace bochner
