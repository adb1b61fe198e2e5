#pragma once
#include <string_view>

namespace bochner::detail {

// The folder report/ of the repository, put into the library when it is built (cmake/report_page.cmake).

extern const std::string_view page_template;
extern const std::string_view page_style;
extern const std::string_view
    page_script;  // its modules one after the other, in the order of report/modules.txt

}  // namespace bochner::detail
