#pragma once
#include <string_view>

namespace bochner::detail {

// What a cell of a table of text is, by itself.
//
//   number   as csv.hpp reads them
//   date     ISO 8601, as parse_date reads it
//   word     has a letter (1st, 4wd, 10+ years, 2001Q1), has - : / + or _ behind a digit (18-25, 65+, 08:00, 2020-01), or has
//            no digit at all
//   limit    <0.5
//   another  a number or a date in another notation: 1,5 or 5 % or $5 or 31/12/2020

enum class CellKind { missing, number, date, word, limit, another };

CellKind cell_kind(std::string_view trimmed);

/// True for a day of the calendar that is not ISO 8601: 31/12/2020, 31.12.2020, 2020/12/31 23:59.
bool is_other_date(std::string_view trimmed);

}  // namespace bochner::detail
