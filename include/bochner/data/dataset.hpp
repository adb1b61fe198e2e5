#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/data/view.hpp"

namespace bochner {

struct JoinOptions {
  enum class Rows {
    all,    // every sample that any view has
    shared  // only samples that every view has
  };
  Rows rows = Rows::all;
  /// Accept groups of views that have no sample in common. Right when a fitted model looks at each sample
  /// alone, wrong when one is fitted: the groups would share nothing, and the cause is almost always ids
  /// spelled differently.
  bool allow_disjoint = false;
};

/// Views that share their rows: row n of every view is the sample `ids()[n]`. A sample that a view does not
/// have is a row of NaN there, and is known to be absent rather than present with every entry missing.
class Dataset {
 public:
  Index rows() const { return views_.front().rows(); }                        // N
  Index view_count() const { return static_cast<Index>(views_.size()); }      // V >= 1
  const std::vector<std::string>& ids() const { return views_.front().ids; }  // N
  const std::vector<View>& views() const { return views_; }                   // all with the same ids
  const View& view(Index v) const { return views_.at(static_cast<std::size_t>(v)); }
  const View& view(std::string_view name) const { return view(view_index(name)); }  // InputError if unknown
  Index view_index(std::string_view name) const;                                    // InputError if unknown

  /// N: whether the table of view v had a row for the sample.
  const VectorT<bool>& present(Index v) const { return present_.at(static_cast<std::size_t>(v)); }
  BoolMatrix mask(Index v) const { return observed_mask(view(v).Y); }  // N x M_v
  Index observed(Index v) const { return observed_.at(static_cast<std::size_t>(v)); }
  Index observed() const;
  double fraction_observed(Index v) const;  // of the N x M_v entries of view v
  double fraction_observed() const;         // of the entries of all views
  std::vector<Index> empty_rows() const;    // samples without a single measurement in any view

  /// The samples `rows`, in that order; an index may not repeat.
  Dataset take_rows(const IndexVector& rows) const;

  /// The same samples with some columns of each view, in that order: one list for each view, at least one column each.
  Dataset take_columns(const std::vector<std::vector<Index>>& columns) const;

  /// The same samples, views and presence with other values: scaled, or with entries hidden. One N x M_v
  /// matrix each.
  Dataset with_values(std::vector<Matrix> values) const;

  friend Dataset join(std::vector<View> views, const JoinOptions& options);

 private:
  Dataset(std::vector<View> views, std::vector<VectorT<bool>> present);

  std::vector<View> views_;
  std::vector<VectorT<bool>> present_;
  std::vector<Index> observed_;
};

/// Joins views by sample id. Samples come in the order of their first appearance, reading the views in the
/// order given; a single table keeps its order. Every view must pass check_view and view names must differ.
/// If the views fall into groups without a common sample, the InputError names a view of each, example ids,
/// and the remedy (id_mismatch.hpp).
Dataset join(std::vector<View> views, const JoinOptions& options = {});

}  // namespace bochner
