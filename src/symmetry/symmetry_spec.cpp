#include "bochner/symmetry/symmetry_spec.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "bochner/core/checks.hpp"
#include "bochner/core/counted.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/nearest_name.hpp"
#include "bochner/core/parse_number.hpp"
#include "bochner/core/printable.hpp"
#include "bochner/linalg/eigenpairs.hpp"

namespace bochner {
namespace {

using Names = std::vector<std::string>;

constexpr Index largest = 1'000'000;  // of numbers in words

std::string quoted(const std::string& text) {
  return std::string("'").append(printable(text, 100)).append("'");
}

std::string listing(const Names& names) {
  constexpr std::size_t most = 8;
  std::string out;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
    out += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + quoted(names[i]);
  return names.size() <= most ? out : out + " and " + std::to_string(names.size() - most) + " more";
}

Names split(const std::string& text, char mark) {
  Names out(1);
  for (const char c : text)
    if (c == mark)
      out.emplace_back();
    else
      out.back() += c;
  return out;
}

std::string before(const std::string& text, char mark) { return text.substr(0, text.find(mark)); }

/// A whole number from 0, without a sign.
std::optional<Index> whole(const std::string& text) {
  const auto value = parse_integer<std::uint64_t>(text);
  if (!value || *value > static_cast<std::uint64_t>(largest)) return std::nullopt;
  return static_cast<Index>(*value);
}

/// Where the names of columns stand; words may list thousands of them.
class Places {
 public:
  explicit Places(const Names& columns) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      Place& place = places_.try_emplace(columns[i], Place{static_cast<Index>(i), 0}).first->second;
      ++place.count;
    }
  }
  /// The first of that name, if there is one.
  std::optional<Index> find(const std::string& name) const {
    const auto at = places_.find(name);
    return at == places_.end() ? std::nullopt : std::optional<Index>(at->second.first);
  }
  Index count(const std::string& name) const {
    const auto at = places_.find(name);
    return at == places_.end() ? 0 : at->second.count;
  }

 private:
  struct Place {
    Index first, count;
  };
  std::unordered_map<std::string, Place> places_;
};

/// One word and what it may speak of.
class Reader {
 public:
  Reader(const std::string& word, const Names& columns, const Places& places)
      : word_(word), columns_(columns), places_(places) {
    const std::size_t colon = word.find(':');
    if (colon != std::string::npos) rest_ = word.substr(colon + 1);
  }

  std::vector<Symmetry> read(MatrixIn X) const {
    std::vector<Symmetry> out = read_head(X);
    for (Symmetry& s : out) {
      if (s.order < 2) refuse("moves nothing; leave it out");
      s.name = word_;
    }
    return out;
  }

  void check_motions(Index count) const {
    if (count > most_motions)
      refuse("makes more than " + std::to_string(most_motions) +
             " motions together with those before it; use fewer turns, groups or symmetries");
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError("the symmetry " + quoted(word_) + " " + why);
  }
  [[noreturn]] void refuse_form(const std::string& form) const {
    refuse("cannot be read; write it as " + form);
  }

  Index D() const { return static_cast<Index>(columns_.size()); }

  std::vector<Symmetry> read_head(MatrixIn X) const {
    const std::string head = before(word_, ':');
    if (head == "negate") return read_negate(X);
    if (head == "rotate") return {read_rotate()};
    if (head == "translate") return {read_translate()};
    if (head == "longitude") return {read_longitude()};
    if (head == "permute") return {read_permute()};
    if (head == "flip") return {read_flip()};
    if (head == "shift") return {read_shift()};
    const Names heads{"negate", "rotate", "translate", "longitude", "permute", "flip", "shift"};
    const std::string near = nearest_name(head, heads);
    refuse("is none of " + listing(heads) + (near.empty() ? "" : "; did you mean " + quoted(near) + "?"));
  }

  std::vector<Symmetry> read_negate(MatrixIn X) const {
    if (!rest_) {
      std::vector<Index> all(columns_.size());
      std::iota(all.begin(), all.end(), Index{0});
      return {negate(D(), all)};
    }
    const std::string kind = before(*rest_, ':');
    const bool grouped = rest_->find(':') != std::string::npos && (kind == "axes" || kind == "pca");
    if (!grouped) return {negate(D(), read_columns(*rest_))};
    const std::optional<Index> J = whole(rest_->substr(kind.size() + 1));
    if (!J || *J < 1) refuse_form("negate:" + kind + ":J with J = 1, 2, ..");
    if (*J > D())
      refuse("makes more groups than there are columns; use at most negate:" + kind + ":" +
             std::to_string(D()));
    return kind == "axes" || *J == 1 ? negate_axes(*J) : negate_directions(*J, X);
  }

  /// All principal directions together are all axes together, J = 1.
  std::vector<Symmetry> negate_axes(Index J) const {
    std::vector<Symmetry> out;
    for (Index g = 0; g < J; ++g) {
      std::vector<Index> group;
      for (Index j = g; j < D(); j += J) group.push_back(j);
      out.push_back(negate(D(), group));
    }
    return out;
  }

  std::vector<Symmetry> negate_directions(Index J, MatrixIn X) const {
    check_size("make_symmetries", "columns of X", X.cols(), "number of columns", D());
    check_at_least("make_symmetries", "rows of X", X.rows(), 1);
    check_finite("make_symmetries", "X", X);
    const Matrix C = X.transpose() * X / double(X.rows());  // about zero, where the sign turns
    const Matrix V = top_eigenpairs(C, D(), {}, Threads(1)).vectors;
    std::vector<Symmetry> out;
    for (Index g = 0; g < J; ++g) {
      Matrix group(D(), (D() - g + J - 1) / J);
      for (Index k = 0; k < group.cols(); ++k) group.col(k) = V.col(g + k * J);
      out.push_back(reflect(group));
    }
    return out;
  }

  Symmetry read_rotate() const {
    const auto [names, T] = read_turns("rotate:a,b:T");
    const std::vector<Index> plane = read_columns(names);
    if (plane.size() != 2)
      refuse("turns " + counted(static_cast<long long>(plane.size()), "column") +
             ", but a plane has two; write it as rotate:a,b:T");
    return rotate(D(), plane[0], plane[1], T);
  }

  Symmetry read_translate() const {
    const auto [name, T] = read_turns("translate:a:T");
    const std::optional<Index> c = find("cos " + name), s = find("sin " + name);
    if (c && s) return rotate(D(), *c, *s, T);
    if (find(name))
      refuse("is for a circle, and the column " + quoted(name) +
             " is a line; declare it a circle by its period, or leave the symmetry out");
    Names circles;
    for (const std::string& column : columns_)
      if (column.starts_with("cos ")) circles.push_back(column.substr(4));
    refuse_name("circle", name, circles);
  }

  Symmetry read_longitude() const {
    std::string name;
    std::optional<Index> T = rest_ ? whole(*rest_) : std::nullopt;
    if (!T) {
      std::tie(name, T) = read_turns("longitude:T");
      name = " " + name;
    }
    check_turns(*T);
    const std::optional<Index> x = find("x" + name), y = find("y" + name), z = find("z" + name);
    if (x && y && z) return rotate(D(), *x, *y, *T);
    Names spheres;
    for (const std::string& column : columns_)
      if (column.starts_with("x ")) spheres.push_back(column.substr(2));
    if (!name.empty() && !spheres.empty()) refuse_name("sphere", name.substr(1), spheres);
    if (!spheres.empty())
      refuse("does not say which sphere; name its longitude, one of " + listing(spheres) +
             ", as in longitude:" + printable(spheres.front(), 100) + ":" + std::to_string(*T));
    refuse("needs a sphere; say which columns are longitude and latitude");
  }

  Symmetry read_permute() const {
    if (!rest_) refuse_form("permute:a,b,c");
    const std::vector<Index> cycle = read_columns(*rest_);
    std::vector<Index> from(columns_.size());
    std::iota(from.begin(), from.end(), Index{0});
    for (std::size_t i = 0; i < cycle.size(); ++i)
      from[static_cast<std::size_t>(cycle[(i + 1) % cycle.size()])] = cycle[i];
    return permute(from);
  }

  Symmetry read_flip() const {
    const Names parts = split(rest_.value_or(""), ':');
    if (parts.size() != 2 || (parts[1] != "ud" && parts[1] != "lr"))
      refuse_form("flip:HxW:ud or flip:HxW:lr");
    const auto [height, width] = read_image(parts[0], "flip:HxW:" + parts[1]);
    return flip_image(height, width, parts[1] == "lr");
  }

  Symmetry read_shift() const {
    const std::string form = "shift:HxW:R,C";
    const Names parts = split(rest_.value_or(""), ':');
    if (parts.size() != 2) refuse_form(form);
    const auto [height, width] = read_image(parts[0], form);
    const Names by = split(parts[1], ',');
    const std::optional<Index> rows = whole(by.front()), columns = whole(by.back());
    if (by.size() != 2 || !rows || !columns) refuse_form(form);
    if (*rows >= height || *columns >= width)
      refuse("goes round an image of " + std::to_string(height) + "x" + std::to_string(width) +
             " pixels; use fewer than " + counted(height, "row") + " and " + counted(width, "column"));
    return shift_image(height, width, *rows, *columns);
  }

  std::pair<Index, Index> read_image(const std::string& text, const std::string& form) const {
    const Names parts = split(text, 'x');
    const std::optional<Index> height = whole(parts.front()), width = whole(parts.back());
    if (parts.size() != 2 || !height || !width || *height < 1 || *width < 1) refuse_form(form);
    if (*height * *width != D())
      refuse("is for images of " + counted(*height * *width, "pixel") + ", but there " +
             (D() == 1 ? "is " : "are ") + counted(D(), "column") + "; give the height and width of yours");
    return {*height, *width};
  }

  /// "name:T", the name up to the last colon.
  std::pair<std::string, Index> read_turns(const std::string& form) const {
    const std::size_t colon = rest_ ? rest_->rfind(':') : std::string::npos;
    if (colon == std::string::npos) refuse_form(form);
    const std::optional<Index> T = whole(rest_->substr(colon + 1));
    if (!T) refuse_form(form + " with T = 2, 3, ..");
    check_turns(*T);
    return {rest_->substr(0, colon), *T};
  }

  void check_turns(Index T) const {
    if (T < 2) refuse("needs at least T = 2 turns to be back where it began");
    check_motions(T);
  }

  /// A column by its name, if there is one such. A name that comes twice means the first: those of circles and spheres.
  std::optional<Index> find(const std::string& name) const { return places_.find(name); }

  std::vector<Index> read_columns(const std::string& text) const {
    std::vector<Index> out;
    std::vector<bool> seen(columns_.size());
    for (const std::string& name : split(text, ',')) {
      const Index column = read_column(name);
      if (seen[static_cast<std::size_t>(column)])
        refuse("has the column " + quoted(name) + " twice; name it once");
      seen[static_cast<std::size_t>(column)] = true;
      out.push_back(column);
    }
    return out;
  }

  Index read_column(const std::string& name) const {
    if (places_.count(name) > 1)
      refuse("has the column " + quoted(name) + ", but several are called so; say its number, from 1 to " +
             std::to_string(D()));
    if (const std::optional<Index> column = find(name)) return *column;
    if (const std::optional<Index> number = whole(name); number && *number >= 1 && *number <= D())
      return *number - 1;
    if (find("cos " + name))
      refuse("has the column " + quoted(name) + ", which is a circle; use translate:" + printable(name, 100) +
             ":T, or its columns " + quoted("cos " + name) + " and " + quoted("sin " + name));
    refuse_name("column", name, columns_);
  }

  [[noreturn]] void refuse_name(const std::string& what, const std::string& name, const Names& known) const {
    const std::string near = nearest_name(name, known);
    refuse("has the " + what + " " + quoted(name) + ", but there is none of that name; " +
           (!near.empty()       ? "did you mean " + quoted(near) + "?"
            : known.empty()     ? "declare it, or leave the symmetry out"
            : known.size() == 1 ? "there is " + listing(known)
                                : "there are " + listing(known)));
  }

  const std::string& word_;
  const Names& columns_;
  const Places& places_;
  std::optional<std::string> rest_;  // what follows the first colon
};

}  // namespace

std::vector<Symmetry> make_symmetries(const Names& words, const Names& columns, MatrixIn X) {
  check_at_least("make_symmetries", "number of columns", Index(columns.size()), 1);
  const Places places(columns);
  std::vector<Symmetry> out;
  Index motions = 1;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (std::find(words.begin(), words.begin() + Index(i), words[i]) != words.begin() + Index(i))
      throw InputError("the symmetry " + quoted(words[i]) + " comes twice; name it once");
    const Reader reader(words[i], columns, places);
    for (Symmetry& s : reader.read(X)) {
      motions *= std::min(s.order, most_motions + 1);
      reader.check_motions(motions);
      out.push_back(std::move(s));
    }
  }
  return out;
}

bool mixes_columns(const Names& words) {
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    const std::string head = before(word, ':');
    return head == "rotate" || head == "permute" || head == "flip" || head == "shift";
  });
}

}  // namespace bochner
