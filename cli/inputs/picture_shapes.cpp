#include "picture_shapes.hpp"

#include <fmt/format.h>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/report/report.hpp"

namespace bochner::cli {

void check_shapes(const std::vector<std::string>& shapes, const Dataset& data) {
  for (const std::string& text : shapes) {
    const auto [view, shape] = parse_shape(text);
    const Index columns = data.view(data.view_index(view)).cols();
    if (shape.rows * shape.cols != columns)
      throw InputError(fmt::format("--shape: a picture of {} x {} has {} pixels, but view {} has {} columns",
                                   shape.rows, shape.cols, shape.rows * shape.cols, quote(view), columns));
  }
}

}  // namespace bochner::cli
