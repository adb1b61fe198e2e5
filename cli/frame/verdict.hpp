#pragma once
#include <string>
#include <vector>

#include "bochner/assess/view_verdict.hpp"
#include "bochner/infer/optimize_result.hpp"
#include "bochner/run/json_file.hpp"

namespace bochner::cli {

/// The verdict with remedies as options of the command line.
std::string verdict_text(const Verdict& verdict);

/// Puts "verdict", its kind, and "message" into metrics.json; "sentence" is the former name of "message".
void put_verdict(Json& json, const Verdict& verdict);

/// The warnings of a verdict, one string each, with remedies as options of the command line.
Json warnings_json(const Verdict& verdict);

/// Why the learning ended, for people: "converged", "step limit", "interrupted", "not finite".
const char* status_text(Status status);

/// The held-out scores as lines of a table.
std::string scores_text(const std::vector<ViewScores>& scores);

/// Scores of views that a sample lacks, as lines of a table; nothing if there are none.
std::string absent_text(const std::vector<AbsentViewScores>& scores);

/// "verdict: ..", in lines of at most 100 characters; after the scores, if there are any.
std::string verdict_lines(const Verdict& verdict);
std::string verdict_lines(const std::vector<ViewScores>& scores, const Verdict& verdict,
                          const std::vector<AbsentViewScores>& absent = {});

/// "0.0123", three digits.
std::string short_number(double value);

}  // namespace bochner::cli
