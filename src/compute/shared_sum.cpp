#include "bochner/compute/shared_sum.hpp"

#include <cstring>

#include "bochner/core/checks.hpp"

namespace bochner {

SharedRoots::SharedRoots(const RowPlan& plan) {
  for (Index r = 0; r < plan.ranks; ++r) {
    const std::vector<RowPlan::Strand> own = plan.roots_of(r);
    for (std::size_t k = 0; k < own.size(); ++k) {
      all.push_back(own[k]);
      rank.push_back(static_cast<std::size_t>(r));
      place.push_back(Index(k));
    }
  }
}

template <class T>
void gather_rows(const Compute& compute, const RowPlan& plan, MatrixT<T>& A) {
  if (!plan.is_shared()) return;
  check_size("gather_rows", "rows of A", A.rows(), "rows of the plan", plan.rows);
  const auto bytes = [&](Index r) {
    return static_cast<std::size_t>((plan.first_row(r + 1) - plan.first_row(r)) * A.cols()) * sizeof(T);
  };
  const auto at = [&](Index r) { return reinterpret_cast<char*>(A.data() + plan.first_row(r) * A.cols()); };
  const std::vector<std::string> parts = compute.comm.all_gather({at(plan.rank), bytes(plan.rank)});
  for (Index r = 0; r < plan.ranks; ++r)
    if (check_message(parts[static_cast<std::size_t>(r)], bytes(r)); r != plan.rank && bytes(r) > 0)
      std::memcpy(at(r), parts[static_cast<std::size_t>(r)].data(), bytes(r));
}

template void gather_rows<double>(const Compute&, const RowPlan&, MatrixT<double>&);
template void gather_rows<float>(const Compute&, const RowPlan&, MatrixT<float>&);

}  // namespace bochner
