#pragma once
#include <string>
#include <vector>

namespace bochner {

/// One message for two tables whose ids never meet: both names, example ids of each, and the remedy. When
/// the ids would meet after ignoring spaces at the ends, upper and lower case, separators ("a-1", "a.1",
/// "a_1") or the spelling of numbers ("007", "7", "7.0"), or when those of one begin with those of the other
/// (a sample and its aliquots), the message says so and shows such a pair.
std::string explain_id_mismatch(const std::string& name_a, const std::vector<std::string>& ids_a,
                                const std::string& name_b, const std::vector<std::string>& ids_b);

}  // namespace bochner
