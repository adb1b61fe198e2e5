#pragma once
#include "bochner/models/gplvm/fit.hpp"

namespace bochner {

/// A prediction of all columns of a view, from scaled units to those of the table; NaN for columns that were never measured.
Predictive in_table_units(const GplvmView& view, Predictive scaled);

}  // namespace bochner
