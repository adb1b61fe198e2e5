#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

// Argument checks at the API boundary, in every build. A wrong value throws std::domain_error, a wrong shape
// std::invalid_argument; the message reads "<function>: <name> is <value>, but must be <rule>".

void check_positive(const char* function, const char* name, double value);      // > 0, finite
void check_non_negative(const char* function, const char* name, double value);  // >= 0, finite
void check_finite(const char* function, const char* name, double value);
void check_between(const char* function, const char* name, double value, double low,
                   double high);  // inclusive
void check_at_least(const char* function, const char* name, Index value, Index least);

void check_positive(const char* function, const char* name, VectorIn value);  // every entry
void check_finite(const char* function, const char* name,
                  MatrixIn value);  // every entry; names row and column

/// `value` must equal `expected`; `what` says whose size it is, for instance "columns of Z" and "columns of X".
void check_size(const char* function, const char* what, Index value, const char* expected_what,
                Index expected);

}  // namespace bochner
