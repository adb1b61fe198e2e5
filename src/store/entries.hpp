#pragma once
#include <string>
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner::detail {

// The pieces that the files of fits and of checkpoints share.

/// "views", {0: .., 1: ..}: names of groups are letters and digits, those of views are anything.
std::string place(std::size_t i);

Vector numbers(const std::vector<double>& values);
std::vector<double> numbers(const Vector& values);

/// The integer, which must not be negative.
Index count_from(const ModelGroup& group, const char* name);

/// InputError that names the entry and the shape that it should have.
void check_shape(const ModelGroup& group, const char* name, const Matrix& value, Index rows, Index cols);
void check_length(const ModelGroup& group, const char* name, Index length, Index expected);

}  // namespace bochner::detail
