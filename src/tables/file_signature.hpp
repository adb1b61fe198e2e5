#pragma once
#include <string>
#include <string_view>

namespace bochner::detail {

/// What a file is, judged by its first bytes.
enum class Format { text, npy, zip, hdf5, model };
Format recognise(std::string_view head);

/// Throws the InputError that says what to do, if the first bytes (behind gzip, if any) are of a format that
/// people have but that is not read here: Excel, Parquet, R, MATLAB, pickle, other compressors, pictures and
/// documents.
void refuse_foreign(std::string_view head, const std::string& name);

}  // namespace bochner::detail
