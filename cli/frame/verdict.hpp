#pragma once
#include <string>
#include <vector>

#include "bochner/assess/view_verdict.hpp"
#include "bochner/infer/optimize_result.hpp"
#include "interrupt.hpp"
#include "json_file.hpp"
#include "verb.hpp"

namespace bochner::cli {

/// The verdict with remedies as options of the command line.
std::string verdict_text(const Verdict& verdict);

/// Puts "verdict", its kind, and "message" into metrics.json; "sentence" is the former name of "message".
void put_verdict(Json& json, const Verdict& verdict);

/// The warnings of a verdict, one string each, with remedies as options of the command line.
Json warnings_json(const Verdict& verdict);

/// 128 + the signal that stopped the run; else 4 if the verdict is "do not trust" and --strict asks for that; else 0.
int exit_code(const Interrupt& interrupt, const Verdict& verdict, const Common& common);

/// Why the learning ended, for people: "converged", "step limit", "interrupted", "not finite".
const char* ending(Status status);

/// The held-out scores as lines of a table.
std::string scores_text(const std::vector<ViewScores>& scores);

/// "0.0123", three digits.
std::string short_number(double value);

}  // namespace bochner::cli
