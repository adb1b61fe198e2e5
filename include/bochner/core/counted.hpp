#pragma once
#include <string>

namespace bochner {

/// "3 rows", "1 row", for messages; "3 entries", "1 entry" with the plural given.
std::string counted(long long n, const char* noun);
std::string counted(long long n, const char* noun, const char* plural);

}  // namespace bochner
