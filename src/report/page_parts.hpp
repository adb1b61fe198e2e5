#pragma once
#include <string>
#include <string_view>

namespace bochner::detail {

// The folder report/ of the repository, put into the library when it is built (cmake/report_page.cmake).

extern const std::string_view page_template;
extern const std::string_view page_style;
extern const std::string_view
    page_script;  // its modules one after the other, in the order of report/modules.txt

// The page of a run that is watched while it is under way (src/serve).
extern const std::string_view live_template;
extern const std::string_view live_style;
extern const std::string_view live_script;  // in the order of report/live_modules.txt

/// 'sha256-..' of an inline script or style, as a content security policy names it.
std::string source_hash(std::string_view text);

}  // namespace bochner::detail
