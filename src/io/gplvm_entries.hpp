#pragma once
#include <vector>

#include "bochner/io/model_file.hpp"
#include "bochner/models/gplvm.hpp"

namespace bochner::io {

// The pieces that the files of fits and of checkpoints share.

/// "views", {0: .., 1: ..}: names of groups are letters and digits, those of views are anything.
std::string place(std::size_t i);

Matrix trace_matrix(const std::vector<GplvmStep>& trace);  // start, step, objective, step size, draw
std::vector<GplvmStep> trace_from(const ModelGroup& group);

Vector numbers(const std::vector<double>& values);
std::vector<double> numbers(const Vector& values);

/// The integer, which must not be negative.
Index count_from(const ModelGroup& group, const char* name);

/// InputError that names the entry and the shape that it should have.
void check_shape(const ModelGroup& group, const char* name, const Matrix& value, Index rows, Index cols);
void check_length(const ModelGroup& group, const char* name, Index length, Index expected);

}  // namespace bochner::io
