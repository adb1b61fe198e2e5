#pragma once
#include <string>
#include <string_view>

namespace bochner::detail {

/// Text as HTML, also within quotes.
std::string html_text(std::string_view text);

}  // namespace bochner::detail
