# Puts the folder report/ into a C++ source: the template and the style as they are, and the modules of modules.txt one after the
# other; the same for the live page. Modules import by name from files before them, and all names are different, so that without
# their import lines and the word export they make one script: no bundler is needed.
#   cmake -DREPORT=<folder> -DOUTPUT=<file.cpp> -P report_page.cmake
function(join_modules list out)
  file(STRINGS ${REPORT}/${list} modules)
  set(script "\"use strict\";\n")
  foreach(module ${modules})
    file(READ ${REPORT}/js/${module} text)
    string(REGEX REPLACE "(^|\n)import [^\n]*" "" text "${text}")
    string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
    string(APPEND script "// ${module}\n${text}\n")
  endforeach()
  set(${out} "${script}" PARENT_SCOPE)
endfunction()

join_modules(modules.txt page_script)
join_modules(live_modules.txt live_script)
file(READ ${REPORT}/page.html page_template)
file(READ ${REPORT}/live.html live_template)
file(READ ${REPORT}/style.css page_style)
file(READ ${REPORT}/live.css live_style)
string(PREPEND live_style "${page_style}")
set(source "#include \"src/report/page_parts.hpp\"\n\nnamespace bochner::detail {\n\n")
foreach(part page_template page_style page_script live_template live_style live_script)
  string(APPEND source "extern const std::string_view ${part};\nconst std::string_view ${part} = R\"bochner_page(${${part}})bochner_page\";\n\n")
endforeach()
string(APPEND source "}  // namespace bochner::detail\n")
file(WRITE ${OUTPUT} "${source}")
