#pragma once

namespace bochner {

/// Tells the C library to keep freed memory for the next allocation instead of returning it to the system. A training
/// step allocates the same few large matrices each time; fetching their pages anew can cost as much as the arithmetic.
/// For programs to call once at their start; the library itself never does. Returns false where it has no effect.
bool keep_freed_memory();

/// Bytes that programs can still take without swapping, as the system estimates them; infinity where it does not tell.
double available_memory();

/// The most memory that this process has had at once, in bytes; NaN where the system does not tell.
double peak_memory();

}  // namespace bochner
