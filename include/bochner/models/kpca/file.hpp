#pragma once
#include <string>

#include "bochner/models/kpca/kpca.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner {

// Fitted kernel PCA as a model file. What is read is what was written, to the last bit. A view whose
// kernel has no explicit features keeps its training rows: they are the model. Reading throws InputError,
// with the file, if an entry is absent, of another kind or of a shape that does not fit the others.

ModelGroup kpca_group(const KpcaFit& fit);
KpcaFit kpca_from(const ModelGroup& group);

void write_kpca(const std::string& path, const KpcaFit& fit);
KpcaFit read_kpca(const std::string& path);

}  // namespace bochner
