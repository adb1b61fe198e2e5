#pragma once
#include <optional>
#include <string_view>

namespace bochner {

/// Days since 1970-01-01 of an ISO 8601 date: 2020-12-31, 2020-12-31T23:59, 2020-12-31 23:59:59.5, the last two perhaps
/// with Z or +01:00 at the end. Nothing for any other text, or for a day that the calendar does not have.
std::optional<double> parse_date(std::string_view text);

}  // namespace bochner
