"""What a Bayesian latent variable model says of samples: averages over its stored draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _core
from ._covariates import design_of
from ._dimensions import Relevances
from ._entries import check_entries, check_mean_trials
from ._labels import encode
from ._numbers import dtype_of
from ._samples_of_fit import SamplesOfFit, rows_of_fit
from ._sizes import NOT_KNOWN, Sizes, exposures_of, offset_by_view, set_sizes
from ._time_axis import axis_of_new
from ._trials import trials_of
from ._validation import Array, as_matrix, check_fitted, check_interval, count_of, counted, seed_of
from ._views import Kinds, Parsed


class DrawsModel(Relevances):
    """Latents and measurements of samples, old and new."""

    likelihood: str | Mapping[str, str]
    trials: Any
    latent_: Array
    latent_sd_: Array
    latent_draws_: list[Array]
    ids_: list[Any]
    _words: dict[str, str]  # likelihood of each view
    _class_names: dict[str, list[list[str]]]
    _samples: SamplesOfFit | None = None  # those whose latents are paths over time
    _trials_of_fit: Mapping[str, Array] = {}  # of binomial views
    _exposure_of_fit: Mapping[str, Array] = {}  # of views that have them

    def response(self, view: str, dim: int, n_points: int = 21, interval: float | None = None) -> Any:
        """Partial dependence: values of a dimension, and the mean of every column of a view there, (n_points, columns).

        The other dimensions are where the samples of ``fit`` are, and the answer is the mean over these and over draws. With
        ``interval``, 0.9 for example, also the ends of that share of the draws: ``z, mean, low, high``. Labels of two classes have
        the probability of the second, those of more NaN.
        """
        if interval is not None:
            check_interval(interval)
        z, mean, low, high = self._response(view, dim, n_points, interval=0.9 if interval is None else interval)
        return (z, mean) if interval is None else (z, mean, low, high)

    def _kinds(self) -> Kinds:
        def of(wanted: str) -> list[str] | None:
            if isinstance(self.likelihood, Mapping):
                return [name for name, word in self.likelihood.items() if word == wanted]
            return None if self.likelihood == wanted else []

        return Kinds(labels=of("categorical"), booleans=of("bernoulli"))

    def _read_known(self, X: Any) -> Parsed:
        parsed = super()._read_known(X)
        for t in parsed.tables:
            if t.labels is not None:
                encode(t, self._class_names[t.name])
            check_entries(t, self._words[t.name])
        return parsed

    def _measured(self, parsed: Parsed) -> dict[str, Array]:
        return {name: parsed.measured(name, len(columns)) for name, columns in self._parts}

    def _rows_of_fit(self, parsed: Parsed, fitted: bool | None) -> Array:
        """The sample of ``fit`` that each joined row is, -1 for a new one; without time all are like new ones."""
        if fitted is None and not self._fit.has_time:
            return np.full(len(parsed.ids), -1)
        return rows_of_fit(fitted, self._samples, parsed, self._measured(parsed), self.ids_)

    def _draws(self, parsed: Parsed, sizes: Mapping[str, Sizes]) -> list[Array]:
        """Latents of the joined rows, each placed by its entries alone."""
        data = self._with_sizes(parsed, parsed.dataset(allow_disjoint=True), sizes)
        return list(self._fit.embed(data=data, by_id=parsed.has_ids, threads=self._threads()))

    def _with_sizes(self, parsed: Parsed, data: Any, sizes: Mapping[str, Sizes]) -> Any:
        """``data`` of new samples, with how large their counts can be."""
        for t in parsed.tables:
            if self._words[t.name] == "binomial" and sizes[t.name].trials is None:
                check_mean_trials(t, self._fit.mean_trials(view=t.name))
        out = set_sizes(_core.BayesData(data=data), [t.name for t in parsed.tables], sizes)
        any_view = next(iter(sizes.values()))
        if any_view.design is not None:
            out.set_design(fit=self._fit, design=any_view.design)
        return out if any_view.axis is None else any_view.axis.set_on(out)

    def _sizes(
        self, parsed: Parsed, trials: Any, offset: Any, covariates: Any, time: Any = None, group: Any = None, *, needed: bool = True
    ) -> dict[str, Sizes]:
        """Of the joined rows in every view of the model. Where nothing was measured, the median exposure of ``fit`` will do."""
        parsed.join()  # exposures are those of joined rows
        axis = axis_of_new(self._fit, parsed, time, group)
        design = design_of(self._fit, covariates, parsed) if needed or covariates is not None else None
        exposed_views = {name: word for name, word in self._words.items() if name in self._exposure_of_fit}
        if offset is not None and not exposed_views:
            raise ValueError("offset: the model was fitted without exposures")
        given = offset_by_view(offset, exposed_views)
        measured = {t.name for t in parsed.tables if not np.isnan(t.values).all()}
        out = {}
        for name, word in self._words.items():
            if name in exposed_views and name not in given and needed and name in measured:
                raise ValueError(
                    f"view {name!r} was fitted with exposures: give those of these samples as offset=, one number for each "
                    "of them, or one for all"
                )
            out[name] = Sizes(
                self._trials_of_view(parsed, trials, name) if word == "binomial" else None,
                exposures_of(given[name], parsed) if name in given else None,
                design,
                axis,
            )
        return out

    def _trials_of_view(self, parsed: Parsed, trials: Any, name: str) -> Array | None:
        if trials is not None:
            return trials_of(trials, parsed, name, self._columns()[name], type(self).__name__)
        own = self.trials.get(name) if isinstance(self.trials, Mapping) else self.trials
        return np.full((1, 1), float(own)) if own is not None and np.asarray(own).ndim == 0 else None

    def transform(
        self,
        X: Any,
        return_std: bool = False,
        *,
        trials: Any = None,
        offset: Any = None,
        covariates: Any = None,
        time: Any = None,
        group: Any = None,
        fitted: bool | None = None,
    ) -> Any:
        """Posterior means of the latents of samples with any subset of views and entries.

        A new sample is placed by its entries, and by its ``time`` (and ``group``) if the model has them: near the path of ``fit``
        there, or on it, going back to the prior before and after; NaN is a time that is not known. A sample of ``fit`` that was given ``time`` is where its path
        is: ``latent_``. It is known again by its label and its entries, arrays as a whole; ``fitted=True`` says that X has
        samples of ``fit`` (a model file does not tell), ``fitted=False`` that all are new.

        ``trials`` of binomial views as in the constructor, of these samples; else the number of the constructor, or the
        mean number of ``fit``. ``offset`` as in ``fit``, of these samples, is required if ``fit`` had it; one number is that of
        all; so are ``covariates``, with the names of ``fit``. Rows with an index draw their own random numbers; rows of arrays all draw the same ones, so
        that the answer for a row does not depend on its place.
        """
        parsed = self._read_known(X)
        parsed.join()
        at = self._rows_of_fit(parsed, fitted)
        old = at >= 0
        mean, sd = np.empty((len(at), self._n_out())), np.empty((len(at), self._n_out()))
        mean[old], sd[old] = self.latent_[at[old]], self.latent_sd_[at[old]]
        if not old.all():
            draws = np.stack(self._draws(parsed, self._sizes(parsed, trials, offset, covariates, time, group)))
            mean[~old], sd[~old] = draws.mean(0)[~old], draws.std(0)[~old]
        return self._finish(parsed, mean, sd, return_std)

    def _at(self, view: str, draws: list[Array], known: Array | None, interval: float, sizes: Sizes = NOT_KNOWN) -> Any:
        return self._fit.predict(
            view=view, X=draws, known=known, trials=sizes.trials, exposure=sizes.exposure, design=sizes.design, interval=interval, of_fit=False,
            factors=self._factors(view, known), threads=self._threads(),
        )  # fmt: skip

    def _factors(self, view: str, known: Array | None) -> Array | None:
        """Of rows that are normalised; None: they are not, or nothing is known of them, and they have the median."""
        return None if known is None else self._fit.row_factors(view=view, values=np.ascontiguousarray(known))

    def _at_samples_of_fit(self, view: str, at: Array, known: Array, interval: float, sizes: Sizes) -> Any:
        """At rows of the fit, with the numbers that ``bochner fit`` writes into ``imputed/``. ``sizes``: those that the caller
        has said anew."""
        own = self._fit.design
        of_fit = Sizes(self._trials_of_fit.get(view), self._exposure_of_fit.get(view), own if own.size else None).at(at)
        trials = of_fit.trials if sizes.trials is None else sizes.trials
        exposure = of_fit.exposure if sizes.exposure is None else sizes.exposure
        design = of_fit.design if sizes.design is None else sizes.design
        draws = [np.ascontiguousarray(draw[at]) for draw in self.latent_draws_]
        return self._fit.predict(
            view=view, X=draws, known=known, trials=trials, exposure=exposure, design=design, interval=interval, of_fit=True,
            factors=self._factors(view, known), threads=self._threads(),
        )  # fmt: skip

    def _repeated(self, Z: Any) -> list[Array]:
        check_fitted(self)
        at = as_matrix(Z, "Z", owner=type(self).__name__, allow_nan=False)
        if at.shape[1] != self._n_out():
            raise ValueError(f"Z has {counted(at.shape[1], 'column')}, but the model has {counted(self._n_out(), 'dimension')}")
        return [at] * len(self.latent_draws_)

    def inverse_transform(self, Z: Any, return_std: bool = False) -> Any:
        """What every view is expected to be at latents Z; probabilities of the classes for labels."""
        draws = self._repeated(Z)
        answers = {name: self._at(name, draws, None, 0.0) for name, _ in self._parts}
        dtype = dtype_of(Z)
        mean = self._joined({name: a[0] for name, a in answers.items()}, dtype)
        if not return_std:
            return mean
        return mean, self._joined({name: np.sqrt(a[2]) for name, a in answers.items()}, dtype)

    def _joined(self, by_view: dict[str, Array], dtype: Any) -> Any:
        wide = any(by_view[name].shape[1] != len(columns) for name, columns in self._parts)
        if wide:
            return {name: values.astype(dtype, copy=False) for name, values in by_view.items()}
        return self._together(by_view, dtype)

    def impute(
        self,
        X: Any,
        interval: float | None = None,
        *,
        trials: Any = None,
        offset: Any = None,
        covariates: Any = None,
        time: Any = None,
        group: Any = None,
        fitted: bool | None = None,
    ) -> Any:
        """X with its missing values filled by expected values; with ``interval=0.9`` also the ends of 90 % intervals.

        If ``fit`` was given ``time``, samples of ``fit`` are filled along their paths, as ``bochner fit`` does;
        ``fitted``, ``trials``, ``offset``, ``covariates``, ``time`` and ``group`` as in ``transform``. Views of labels are left out of the answer: ``predict_view`` has their
        probabilities.
        """
        if interval is not None:
            check_interval(interval)
        parsed = self._read_known(X)
        if parsed.kind == "table" and "categorical" in self._words.values():
            raise ValueError("impute does not fill labels in a table; predict_view has their probabilities")
        parsed.join()
        at = self._rows_of_fit(parsed, fitted)
        old, new = np.flatnonzero(at >= 0), np.flatnonzero(at < 0)
        sizes = self._sizes(parsed, trials, offset, covariates, time, group, needed=len(new) > 0)
        draws = self._draws(parsed, sizes) if len(new) else []
        answers: tuple[dict[str, Array], ...] = ({}, {}, {})  # filled, low, high
        for name, seen in self._measured(parsed).items():
            if self._words[name] == "categorical":
                continue
            parts: list[tuple[Any, Any, Any]] = []  # rows, where their answers are, answers
            if len(old):
                said = Sizes(sizes[name].trials if trials is not None else None, sizes[name].exposure, sizes[name].design).at(old)
                own = np.ascontiguousarray(seen[old])
                parts.append((old, slice(None), self._at_samples_of_fit(name, at[old], own, interval or 0.0, said)))
            if len(new):
                parts.append((new, new, self._at(name, draws, seen, interval or 0.0, sizes[name])))
            for out, which in zip(answers, (0, 3, 4)[: 1 if interval is None else 3], strict=False):
                out[name] = seen.copy()
                for rows, theirs, answer in parts:
                    out[name][rows] = np.where(np.isnan(seen[rows]), answer[which][theirs], seen[rows])
        columns_of = self._columns()
        filled = parsed.answer(answers[0], columns_of)
        if interval is None:
            return filled
        return filled, parsed.answer(answers[1], columns_of), parsed.answer(answers[2], columns_of)

    def predict_view(
        self,
        X: Any,
        view: str,
        return_std: bool = False,
        *,
        trials: Any = None,
        offset: Any = None,
        covariates: Any = None,
        time: Any = None,
        group: Any = None,
    ) -> Any:
        """A view from the other views of the samples; probabilities of the classes for labels. Counts without a given
        ``offset`` have the median exposure of ``fit``."""
        parsed = self._read_known(X)
        self._check_others(view)
        for t in parsed.tables:
            if t.name == view:
                t.values = np.full_like(t.values, np.nan)
        sizes = self._sizes(parsed, trials, offset, covariates, time, group)
        draws = self._draws(parsed, sizes)
        mean, _, variance, *_ = self._at(view, draws, None, 0.0, sizes[view])
        mean = mean.astype(parsed.dtype, copy=False)
        return (mean, np.sqrt(variance).astype(parsed.dtype, copy=False)) if return_std else mean

    def sample(self, n_samples: int = 1, random_state: Any = None, *, noise: bool = True) -> Any:
        """Measurements of new samples, in the shape of the data of ``fit``; a dict with arrays of labels if there are some.

        Each has the latents of a random sample of ``fit`` in a random draw of the chains, and in every view a measurement
        there with the noise of its likelihood: counts are whole numbers, labels are labels. Binomial views have the mean
        number of trials of ``fit``, counts the exposure of that sample, and all views its covariates. ``noise=False`` gives expected measurements instead (probabilities of the classes for
        labels), at latents drawn from the posterior of a random sample.
        """
        check_fitted(self)
        count, seed = count_of(n_samples, "n_samples"), seed_of(random_state)
        if not noise:
            rng = np.random.default_rng(seed)
            rows = rng.integers(len(self.latent_), size=count)
            about = rng.standard_normal((count, self._n_out()))
            return self.inverse_transform(self.latent_[rows] + self.latent_sd_[rows] * about)
        drawn = dict(zip(self._view_names(), self._fit.sample(count=count, seed=seed), strict=True))
        labelled = [name for name, word in self._words.items() if word == "categorical"]
        if not labelled:
            return self._together(drawn)
        for name in labelled:
            columns = zip(self._class_names[name], drawn[name].T, strict=True)
            drawn[name] = np.column_stack([np.array(own, dtype=object)[codes.astype(np.intp)] for own, codes in columns])
        return drawn
