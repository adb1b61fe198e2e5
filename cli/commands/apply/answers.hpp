#pragma once
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bochner/models/bayes/bayes.hpp"
#include "bochner/models/gplvm/gplvm.hpp"
#include "bochner/models/kpca/kpca.hpp"
#include "bochner/run/run_folder.hpp"
#include "bochner/tables/csv.hpp"
#include "label_file.hpp"
#include "new_covariates.hpp"
#include "new_exposures.hpp"
#include "new_times.hpp"
#include "tables.hpp"

namespace bochner::cli {

// What `apply` does with a model, one class for each kind: all have views(), text(), leaves(), answer() and a nested
// Files, which writes the answers to blocks of samples and shows the tables in the end.

/// The answers to a block of samples; which tables these are is known to the class that made them and to its Files.
struct BlockAnswer {
  std::vector<std::string> ids{};
  Index empty = 0;  // samples without an answer
  std::vector<Matrix> tables{};
};

struct ApplySettings {
  std::string model;
  std::vector<std::string> views;
  double interval = 0.9;
  std::string of = "y";
  std::vector<std::string> trials{};  // of binomial views: N for all, or NAME=N
  std::vector<std::string> offset{};  // exposures of counts: a column or N for all, or NAME=..
  std::string time{}, group{};        // columns of a model over time; "": as in the fit
  std::string meta{};                 // table that may have these columns, and covariates
};

class GplvmAnswers {
 public:
  /// `fit` may lack its predictors of absent views: they are read once a sample needs them.
  GplvmAnswers(GplvmFit fit, const ApplySettings& settings);

  std::vector<ModelView> views() const;
  std::string text() const;    // "2 dimensions from 100 samples, views .."
  std::string leaves() const;  // "latent.csv, latent_sd.csv and predicted/ (90 % intervals of measurements)"
  std::string unanswered(Index samples) const;  // a note on samples without an answer
  BlockAnswer answer(const Dataset& block, const Threads& threads) const;

  class Files {
   public:
    Files(const GplvmAnswers& answers, RunFolder& run);
    void write(const BlockAnswer& block, const Threads& threads);
    void commit();

   private:
    struct View {
      CsvWriter mean, low, high;
    };
    const GplvmAnswers& answers_;
    CsvWriter latent_, latent_sd_;
    std::list<View> views_;
    std::optional<LabelFile> labels_;
  };

 private:
  const GplvmFit& fit_for(const Dataset& block) const;

  mutable GplvmFit fit_;
  mutable bool complete_ = false;
  const ApplySettings& settings_;
};

class BayesAnswers {
 public:
  BayesAnswers(BayesFit fit, const ApplySettings& settings, std::uint64_t seed);

  std::vector<ModelView> views() const;
  std::string text() const;
  std::string leaves() const;
  std::string unanswered(Index samples) const;
  const std::string& note() const { return times_.note(); }
  /// InputError for counts, exposures or covariates that it cannot use.
  void check(const Dataset& block) const;
  BlockAnswer answer(const Dataset& block, const Threads& threads) const;

  class Files {
   public:
    Files(const BayesAnswers& answers, RunFolder& run);
    void write(const BlockAnswer& block, const Threads& threads);
    void commit();

   private:
    const BayesAnswers& answers_;
    CsvWriter latent_, latent_sd_;
    std::list<std::vector<CsvWriter>> views_;  // mean, low, high; of labels probabilities alone
    std::map<std::string, std::pair<std::string, TextTable>> labels_;  // by view: path, and the likeliest
  };

 private:
  BayesData with_sizes(
      const Dataset& block) const;  // covariates, and trials and exposures of each of its views

  BayesFit fit_;
  const ApplySettings& settings_;
  std::vector<Matrix> trials_;  // 1 x 1 for each view of the model, empty where the user said nothing
  NewExposures exposures_;
  NewCovariates covariates_;
  NewTimes times_;
  Rng rng_;
};

class KpcaAnswers {
 public:
  explicit KpcaAnswers(KpcaFit fit);

  std::vector<ModelView> views() const;
  std::string text() const;
  std::string leaves() const;
  std::string unanswered(Index samples) const;
  BlockAnswer answer(const Dataset& block, const Threads& threads) const;

  class Files {
   public:
    Files(const KpcaAnswers& answers, RunFolder& run);
    void write(const BlockAnswer& block, const Threads& threads);
    void commit();

   private:
    struct View {
      Index v;
      CsvWriter values;
      TextTable classes{};  // of a view of classes: written in the end
      std::string classes_path{};
    };
    const KpcaAnswers& answers_;
    CsvWriter latent_;
    std::list<View> views_;
  };

 private:
  KpcaFit fit_;
};

}  // namespace bochner::cli
