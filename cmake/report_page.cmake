# Puts the folder report/ into a C++ source: the template and the style as they are, and the modules of modules.txt one after the
# other. Modules import by name from files before them, and all names are different, so that without their import lines and
# the word export they make one script: no bundler is needed.
#   cmake -DREPORT=<folder> -DOUTPUT=<file.cpp> -P report_page.cmake
file(STRINGS ${REPORT}/modules.txt modules)
set(script "\"use strict\";\n")
foreach(module ${modules})
  file(READ ${REPORT}/js/${module} text)
  string(REGEX REPLACE "(^|\n)import [^\n]*" "" text "${text}")
  string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
  string(APPEND script "// ${module}\n${text}\n")
endforeach()
file(READ ${REPORT}/page.html template)
file(READ ${REPORT}/style.css style)
set(source "#include \"src/report/page_parts.hpp\"\n\nnamespace bochner::detail {\n\n")
foreach(part template style script)
  string(APPEND source "extern const std::string_view page_${part};\nconst std::string_view page_${part} = R\"bochner_page(${${part}})bochner_page\";\n\n")
endforeach()
string(APPEND source "}  // namespace bochner::detail\n")
file(WRITE ${OUTPUT} "${source}")
