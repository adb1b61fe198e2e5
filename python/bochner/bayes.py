"""Bayesian latent variable models by Markov chains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _core
from ._assess import Assessed, Verdict, check_holdout, data_hash, verdict_of
from ._bayes_inputs import options_of, prepare
from ._covariates import EFFECTS
from ._inference_data import KeepsDraws
from ._latent import each_view
from ._progress import run_fit
from ._report import latent_tables, relevance_tables
from ._rules import (
    COMMON,
    KEY_ADDED,
    LAYER,
    MOST_VARIABLE,
    NORMALISE,
    VIEWS,
    by_view,
    integer,
    integer_or_auto,
    one_of,
    one_or_several_of,
    optional,
    priors,
    trials,
)
from ._samples_of_fit import SamplesOfFit
from ._validation import Array, as_matrix, check_fitted, check_interval, count_of
from ._views import Parsed


class BayesianGPLVM(KeepsDraws, Assessed):
    """Tables of numbers, counts or labels of the same samples as a few dimensions, by Markov chains.

    Parameters
    ----------
    n_components : int
    likelihood : str or dict
        For all views, or by name of view: ``"gaussian"``, ``"poisson"``, ``"negbinom"``, ``"binomial"``,
        ``"bernoulli"``, ``"multinomial"`` (rows given their totals) or ``"categorical"`` (columns of labels).
    trials : int, array or dict
        Of binomial views: a number, or a table of them.
    kernel : "dp" or "rbf"
        A Dirichlet-process mixture over frequencies, or one Gaussian.
    n_frequencies : int
    time_kernel : "matern12", "matern32", "matern52" or "walk"
        Of the paths of latents over time, if ``fit`` is given ``time``.
    priors : dict, optional
        Distributions of scalar parameters by name, those of ``--prior``: ``"lengthscale": "lognormal:MEDIAN:SD"`` and
        ``"variance": "inversegamma:SHAPE:SCALE"`` of paths over time, ``"amplitude"``, ``"noise"`` (``inversegamma``),
        ``"intercept": "normal:SD"``, ``"dispersion": "gamma:SHAPE"``, ``"dispersion-rate"`` and ``"concentration"``
        (``gamma:SHAPE:RATE``). By default the length-scale has its median halfway between step and duration on the log scale.
    n_chains, n_warmup, n_draws, thin, n_stored : int
        Chains; sweeps of each that are not kept; draws of each; sweeps between draws; draws of all chains together that
        the model keeps to predict from. ``n_warmup="auto"``: until chains have settled, 200 to 3000 sweeps.
    start : "auto", "variational", "isomap", "spectral", "pca" or "random", or a list of them
        Where chains begin; a list is taken in turn. "auto" is "isomap" of columns smoothed over time if ``fit`` is given
        ``time`` and there are at most four components, else "variational", a short variational fit. Chains that fall behind in log posterior during warm-up go
        on from better ones; those that end in a clearly lower mode are left out, and the verdict says so.
    normalise, most_variable, views, layer, key_added, random_state, n_jobs, verbose, callback
        As for ``MultiViewGPLVM``; ``normalise`` is for Gaussian views alone.

    Attributes
    ----------
    latent_, latent_sd_ : arrays
        Mean and standard deviation over draws, turned to one frame.
    latent_draws_ : list of arrays
    relevance_ : dict
        For every view, the fraction of its variance that each dimension explains: what predictions, averaged over draws, lose
        when the dimension is averaged out. Views of numbers: of the variance of their entries beyond ``covariates``. Counts
        and labels: of the variance of their functions f over samples and draws, without covariates.
    explained_ : dict
        For every view, the fraction that all dimensions together explain; of the variance of f, the part that does not
        differ between draws.
    explained_heldout_ : dict
        For every view, the fraction of the variance of held-out entries that the model explains, below 0 where column means
        predict better; NaN without ``holdout``, and for labels.
    loadings_, loadings_sd_ : dicts
        For every view, (columns, dimensions): posterior mean and standard deviation of the mean derivative of f along a
        dimension, per standard deviation of the dimension, in standard deviations of the column or, of counts and labels, of f. NaN for
        labels of more than two classes, which have no direction.
    component_views_ : list of lists
        For every dimension the views that depend on it: several (shared), one (private to it) or none (unused).
    coefficients_ : list of str
        Of covariates: their names, those of text with a level.
    covariate_effects_ : dict of dicts
        For every view ``mean``, ``sd``, ``low`` and ``high`` (90 % intervals), ``rhat``, ``ess_bulk`` and ``ess_tail`` of how much f
        rises per unit of a number or from the reference to a level, (coefficients, columns), from the stored draws. Views of
        numbers in units of their columns.
    columns_ : dict
        For every view its columns, or those that ``most_variable`` kept.
    time_, group_ : arrays or None
        Of every sample, as ``fit`` was given them.
    monitors_ : list of (name, R-hat, bulk ESS, tail ESS)
    rhat_ : float
        The largest; above 1.05 chains do not agree yet.
    status_ : str
        ``"converged"`` if no R-hat is above 1.05 and predictions are worth 100 independent draws, ``"finished"`` if all draws
        were taken without that, ``"stopped by callback"`` if they were not.

    Examples
    --------
    >>> from bochner import BayesianGPLVM, datasets
    >>> data = datasets.make_s_curve(40, {"counts": (6, "rbf", "poisson")}, random_state=1)
    >>> model = BayesianGPLVM(likelihood="poisson", n_frequencies=10, n_warmup=20, n_draws=20, random_state=1)
    >>> model.fit(data.views["counts"]).latent_.shape
    (40, 2)
    """

    _rules = {
        **COMMON,
        "normalise": NORMALISE,
        "most_variable": MOST_VARIABLE,
        "views": VIEWS,
        "layer": LAYER,
        "key_added": KEY_ADDED,
        "n_components": integer(1, 100),
        "likelihood": by_view(
            one_of("gaussian", "poisson", "negbinom", "binomial", "bernoulli", "multinomial", "categorical")
        ),
        "trials": trials(),
        "kernel": one_of("dp", "rbf"),
        "n_frequencies": integer(1, 10**4),
        "time_kernel": one_of("matern12", "matern32", "matern52", "walk"),
        "priors": optional(priors()),
        "n_chains": integer(1, 1000),
        "n_warmup": integer_or_auto(0, 10**7),
        "n_draws": integer(1, 10**7),
        "thin": integer(1, 10**6),
        "n_stored": integer(1, 10**6),
        "start": one_or_several_of("auto", "variational", "isomap", "spectral", "pca", "random"),
    }

    def __init__(
        self,
        *,
        n_components: int = 2,
        likelihood: str | Mapping[str, str] = "gaussian",
        trials: Any = None,
        kernel: str = "dp",
        n_frequencies: int = 50,
        time_kernel: str = "matern32",
        priors: Mapping[str, str] | None = None,
        n_chains: int = 4,
        n_warmup: int | str = 300,
        n_draws: int = 250,
        thin: int = 1,
        n_stored: int = 200,
        start: str | Sequence[str] = "auto",
        normalise: str | Mapping[str, str | None] | None = None,
        most_variable: int | Mapping[str, int | None] | None = None,
        views: Mapping[str, Any] | None = None,
        layer: str | Mapping[str, str] | None = None,
        key_added: str = "X_bochner",
        random_state: Any = None,
        n_jobs: int | None = -1,
        verbose: int = 0,
        callback: Any = None,
    ) -> None:
        self.n_components = n_components
        self.likelihood = likelihood
        self.trials = trials
        self.kernel = kernel
        self.n_frequencies = n_frequencies
        self.time_kernel = time_kernel
        self.priors = priors
        self.n_chains = n_chains
        self.n_warmup = n_warmup
        self.n_draws = n_draws
        self.thin = thin
        self.n_stored = n_stored
        self.start = start
        self.normalise = normalise
        self.most_variable = most_variable
        self.views = views
        self.layer = layer
        self.key_added = key_added
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.callback = callback

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        time: Any = None,
        group: Any = None,
        offset: Any = None,
        covariates: Any = None,
        start: Any = None,
        holdout: float | None = None,
    ) -> BayesianGPLVM:
        """Draws from the posterior given one table, a dict of tables, AnnData or MuData.

        ``time`` (a number or a date for each sample) makes latents paths over time; rows of different ``group`` have paths of
        their own. ``offset`` (one positive number for each sample, or a dict of them by view) are exposures of views of counts:
        library sizes, times of observation. Means are proportional to them: their logarithms are added to f. ``covariates`` (DataFrame, Series, dict of columns or
        array) enter f linearly, as numbers in standard deviations, or as indicators of the levels of text but the first. ``start`` (samples x components) is where chains begin. Series and DataFrames are matched by
        their index; arrays go with the rows of the views, which must then be the same in all of them.

        ``holdout`` (0.05, for instance) is the share of the measured entries to hide from the fit and judge it by: the
        same entries, scores and verdict as those of ``bochner fit --inference mcmc --holdout``. None: it learns from all of them.
        """
        share = check_holdout(holdout, type(self).__name__)
        self._check_params()
        parsed, owner = self._read_new(X), type(self).__name__
        likelihoods = each_view(self.likelihood, parsed.names, "likelihood", "gaussian")
        prepared = prepare(self, parsed, likelihoods, time=time, group=group, offset=offset, covariates=covariates, owner=owner)
        data, joined = prepared.data, prepared.joined
        if start is not None:
            data.start = self._start_of(parsed.along_rows(start, "start"))
        options = options_of(self, likelihoods, dynamic=time is not None, started=start is not None)
        seed = self._seed()
        held_out = _core.hold_out(data=joined, share=share, seed=seed)
        rows = _core.fit_row_factors(
            seen=held_out.hide(data=joined) if share > 0 else joined, normalised=self._normalised(parsed.names, likelihoods)
        )
        data = _core.divide_bayes(data=data, factors=rows)
        seen = _core.hide_bayes(data=data, held_out=held_out) if share > 0 else data
        fit = run_fit(
            self,
            lambda on_step: _core.fit_bayes(
                data=seen, options=options, seed=seed, threads=self._threads(), on_step=on_step
            ),
        )
        fit.keep_row_medians(factors=rows)
        self._keep(fit)
        self._remember_layout(parsed)
        self._class_names = prepared.classes
        self._samples = None if time is None else SamplesOfFit(parsed, self._measured(parsed))
        self._trials_of_fit = prepared.trials
        self._held_out_share = share
        self.time_ = None if time is None else np.asarray(data.time)
        self.group_ = None if group is None else np.asarray(data.group)
        self._explain(parsed.names, seen)
        mean, sd = self._fit.loadings(data=seen, threads=self._threads())
        self.loadings_ = dict(zip(parsed.names, mean, strict=True))
        self.loadings_sd_ = dict(zip(parsed.names, sd, strict=True))
        self._annotate(parsed, self.latent_, self.latent_sd_, self._column_relevance)
        self.ids_ = parsed.index()
        found = _core.assess_bayes(fit=self._fit, data=data, held_out=held_out, threads=self._threads())
        self._judge(found, self._hash_of(parsed), share > 0)
        return self

    def _normalised(self, names: list[str], likelihoods: list[str]) -> list[bool]:
        """Of each view, whether its rows are normalised."""
        out = [word == "rows" for word in each_view(self.normalise, names, "normalise", None)]
        for name, likelihood, wanted in zip(names, likelihoods, out, strict=True):
            if wanted and likelihood != "gaussian":
                raise ValueError(
                    f"normalise: view {name!r} is {likelihood}, but only rows of gaussian views can be divided; name these "
                    "(multinomial counts do not depend on the totals of their rows)"
                )
        return out

    def _hash_of(self, parsed: Parsed) -> bytes:
        return data_hash(self._measured(parsed).values())

    def assess(self, X: Any = None, *, holdout: float = 0.05, trials: Any = None, offset: Any = None, covariates: Any = None) -> Verdict:
        """Whether the model may be trusted: scores of held-out entries, warnings and the verdict.

        Without X, or with the X of ``fit(X, holdout=..)``: ``assessment_``, the verdict of ``bochner fit``. Other samples: a
        share of their measured entries is hidden, and predicted from the rest; ``trials``, ``offset`` and ``covariates`` as in ``transform``. Not by
        time: at a time of ``fit`` the path has seen the entries.
        """
        check_fitted(self)
        parsed = None if X is None else self._read_known(X)
        joined = None if parsed is None else parsed.dataset(allow_disjoint=True)
        kept = self._kept(None if parsed is None else self._hash_of(parsed))
        if kept is not None or parsed is None or joined is None:
            return self.assessment_
        share = check_holdout(holdout, type(self).__name__)
        held_out = _core.hold_out_of_new(data=joined, share=share, seed=getattr(self, "seed_", 0))
        data = self._with_sizes(parsed, joined, self._sizes(parsed, trials, offset, covariates))
        return verdict_of(
            _core.assess_new_bayes(
                fit=self._fit, data=data, held_out=held_out, by_id=parsed.has_ids, threads=self._threads()
            )
        )

    def _start_of(self, start: Array) -> Array:
        out = as_matrix(start, "start", owner=type(self).__name__, allow_nan=False)
        if out.shape[1] != self.n_components:
            raise ValueError(f"start has {out.shape[1]} columns, but n_components is {self.n_components}")
        return out

    def _keep(self, fit: Any) -> None:
        self._fit = fit
        self._parts = [(name, list(columns)) for name, columns, _ in fit.views]
        self._words = {name: word for name, _, word in fit.views}
        self.columns_ = self._columns()
        self.latent_ = fit.latent_mean
        self.latent_sd_ = fit.latent_sd
        self.latent_draws_ = list(fit.latent_draws)
        self.log_density_ = fit.log_density
        self.monitors_ = list(fit.monitors)
        self.rhat_ = max((m[1] for m in self.monitors_ if np.isfinite(m[1])), default=float("nan"))
        self.n_draws_ = int(fit.draws)
        self.status_ = fit.status
        exposures = {name: fit.exposure(view=name) for name in self._words}
        self.coefficients_ = list(fit.coefficients)
        self.covariate_effects_ = {
            name: dict(zip(EFFECTS, values, strict=True)) for name, values in fit.covariate_effects(threads=self._threads())
        }
        self._exposure_of_fit = {name: own for name, own in exposures.items() if own.size}

    def score(self, X: Any, y: Any = None, *, trials: Any = None, offset: Any = None, covariates: Any = None) -> float:
        """Mean log density of held-out entries: a fifth of what X has is hidden, found again from the rest, and judged."""
        parsed = self._read_known(X)
        data = parsed.dataset(allow_disjoint=True)
        held_out = _core.hold_out_of_new(data=data, share=0.2, seed=0)
        if held_out.count == 0:
            raise ValueError("score: X has no measured entry")
        seen = held_out.hide(data=data)
        sizes = self._sizes(parsed, trials, offset, covariates)
        own = self._with_sizes(parsed, seen, sizes)
        draws = list(self._fit.embed(data=own, by_id=parsed.has_ids, threads=self._threads()))
        total = 0.0
        for name in parsed.names:
            density = self._fit.log_density_of(
                view=name, X=draws, Y=held_out.truth(data=data, view=name), known=seen.values(name),
                trials=sizes[name].trials, exposure=sizes[name].exposure, design=sizes[name].design, factors=self._fit.row_factors(view=name, values=seen.values(name)),
                threads=self._threads(),
            )  # fmt: skip
            total += float(np.nansum(density))
        return total / held_out.count

    def forecast(self, h: int, gap: float, interval: float = 0.9) -> dict[str, tuple[Array, Array, Array]]:
        """Median and ends of intervals of every view at ``h`` times after the last one, ``gap`` apart, group by group.

        Probabilities of the classes, instead of the median, for labels. Counts have the median exposure of ``fit``.
        """
        check_fitted(self)
        check_interval(interval)
        h = count_of(h, "h")
        if not (gap > 0 and np.isfinite(gap)):
            raise ValueError(f"gap is {gap}, but must be a positive number")
        draws = list(self._fit.forecast(steps=h, gap=float(gap)))
        out = {}
        for name, _ in self._parts:
            mean, _, _, low, high, median = self._at(name, draws, None, interval)
            out[name] = (mean if self._words[name] == "categorical" else median, low, high)
        return out

    def _report_tables(self) -> dict[str, Any]:
        chains = [f"chain_{c}" for c in range(len(self.log_density_))]
        draws = [[d, *column] for d, column in enumerate(np.asarray(self.log_density_).T)]
        return (
            latent_tables(self._fit.ids, self.latent_, self.latent_sd_)
            | relevance_tables(self)
            | {"trace.csv": (["draw", *chains], draws)}
            | {"chains.csv": (["quantity", "rhat", "ess_bulk", "ess_tail"], [list(m) for m in self.monitors_])}
        )

    @classmethod
    def load(cls, path: Any, *, views: Mapping[str, Any] | None = None, n_jobs: int | None = -1) -> BayesianGPLVM:
        """A model that ``save`` or ``bochner fit --inference mcmc`` wrote; ``views`` as in the constructor."""
        fit = _core.BayesFit.load(str(path))
        words = {name: word for name, _, word in fit.views}
        model = cls(n_components=int(fit.latent_mean.shape[1]), likelihood=words, views=views, n_jobs=n_jobs)
        model._keep(fit)
        model._class_names = {name: fit.classes(view=name) for name, word in words.items() if word == "categorical"}
        model.ids_ = list(fit.ids)
        model.seed_ = int(fit.seed)
        if len(model._parts) == 1:
            model.n_features_in_ = len(model._parts[0][1])
        return model

