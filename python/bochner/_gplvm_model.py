"""What a fitted variational model says about samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._dimensions import Dimensions
from ._numbers import dtype_of
from ._validation import Array, as_matrix, check_fitted, check_interval, count_of, counted, seed_of


class GplvmModel(Dimensions):
    """Latents of samples, and predictions of views and labels."""

    latent_: Array
    latent_sd_: Array
    classes_: Array
    _fit: Any
    _labels: str | None

    def _embed(self, data: _core.Dataset) -> tuple[Array, Array]:
        mean, sd = self._fit.embed(data=data, threads=self._threads())
        return mean, sd

    def transform(self, X: Any, return_std: bool = False) -> Any:
        """Latents of samples with any subset of views and entries; a sample's answer does not depend on the others."""
        parsed = self._read_known(X)
        mean, sd = self._embed(parsed.dataset(allow_disjoint=True))
        return self._finish(parsed, mean, sd, return_std)

    def inverse_transform(self, Z: Any, return_std: bool = False) -> Any:
        """What every view is at latents Z: one table, or a dict, as the data of ``fit`` were."""
        check_fitted(self)
        at = as_matrix(Z, "Z", owner=type(self).__name__, allow_nan=False)
        self._check_latents(at)
        answers = {name: self._at(name, at, np.zeros_like(at)) for name, _ in self._parts}
        dtype = dtype_of(Z)
        mean = self._together({name: a[0] for name, a in answers.items()}, dtype)
        if not return_std:
            return mean
        return mean, self._together({name: np.sqrt(a[2]) for name, a in answers.items()}, dtype)

    def _check_latents(self, Z: Array) -> None:
        if Z.shape[1] != self._n_out():
            raise ValueError(f"Z has {counted(Z.shape[1], 'column')}, but the model has {counted(self._n_out(), 'dimension')}")

    def _at(self, view: str, mean: Array, sd: Array) -> tuple[Array, Array, Array]:
        answer: tuple[Array, Array, Array] = self._fit.predict(view=view, mean=mean, sd=sd, threads=self._threads())
        return answer

    def _of(self, view: str, seen: _core.Dataset, mean: Array, sd: Array) -> tuple[Array, Array]:
        """Mean and variance of a view of samples with these latents; of those that lack it, from the views that they have."""
        m, _, v = self._fit.predict_samples(view=view, seen=seen, mean=mean, sd=sd, threads=self._threads())
        return m, v

    def impute(self, X: Any, interval: float | None = None) -> Any:
        """X with its missing values filled, in the shape of X; with ``interval=0.9`` also the ends of 90 % intervals.

        Measured entries stay as they are, and are their own interval. A dict of views comes back with all rows of all
        views, and with the views that it lacks. A view that a sample lacks altogether is that of ``predict_view``.
        """
        parsed = self._read_known(X)
        z = _quantile(interval)
        data = parsed.dataset(allow_disjoint=True)
        mean, sd = self._embed(data)
        filled, low, high = {}, {}, {}
        for name, own in self._parts:
            m, v = self._of(name, data, mean, sd)
            seen = parsed.measured(name, len(own))
            known = ~np.isnan(seen)
            filled[name] = np.where(known, seen, m)
            low[name] = np.where(known, seen, m - z * np.sqrt(v))
            high[name] = np.where(known, seen, m + z * np.sqrt(v))
        columns = self._columns()
        out = parsed.answer(filled, columns)
        if interval is None:
            return out
        return out, parsed.answer(low, columns), parsed.answer(high, columns)

    def predict_view(self, X: Any, view: str, return_std: bool = False) -> Any:
        """A view from the other views of the samples, whether X has it or not.

        Predictors of each view from sets of others are learned by ``fit``; a sample gets the one that uses most of what it has.
        """
        parsed = self._read_known(X)
        self._check_others(view)
        for t in parsed.tables:
            if t.name == view:
                t.values = np.full_like(t.values, np.nan)
        data = parsed.dataset(allow_disjoint=True)
        m, v = self._of(view, data, *self._embed(data))
        m = m.astype(parsed.dtype, copy=False)
        return (m, np.sqrt(v).astype(parsed.dtype, copy=False)) if return_std else m

    def sample(self, n_samples: int = 1, random_state: Any = None, *, noise: bool = True) -> Any:
        """Measurements of new samples, in the shape of the data of ``fit``.

        Each has the latents of a random sample of ``fit``, drawn from their posterior, and in every view a measurement
        there: mean, uncertainty of the functions and noise. ``noise=False`` leaves it at the mean.
        """
        check_fitted(self)
        rng = np.random.default_rng(seed_of(random_state))
        rows = rng.integers(len(self.latent_), size=count_of(n_samples, "n_samples"))
        Z = self.latent_[rows] + self.latent_sd_[rows] * rng.standard_normal((n_samples, self._n_out()))
        drawn = {}
        for name, _ in self._parts:
            mean, _, v = self._at(name, Z, np.zeros_like(Z))
            drawn[name] = mean + np.sqrt(v) * rng.standard_normal(mean.shape) if noise else mean
        return self._together(drawn)

    def score(self, X: Any, y: Any = None) -> float:
        """Mean log density of held-out entries: a fifth of what X has is hidden, found again from the rest, and judged."""
        parsed = self._read_known(X)
        data = parsed.dataset(allow_disjoint=True)
        held_out = _core.hold_out_of_new(data=data, share=0.2, seed=0)
        if held_out.count == 0:
            raise ValueError("score: X has no measured entry")
        seen = held_out.hide(data=data)
        mean, sd = self._embed(seen)
        total = 0.0
        for name in parsed.names:
            truth = held_out.truth(data=data, view=name)
            count = int((~np.isnan(truth)).sum())
            if count > 0:
                m, v = self._of(name, seen, mean, sd)
                total += count * _core.log_predictive_density(truth=truth, mean=m, variance=v)
        return total / held_out.count

    def predict_label_proba(self, X: Any) -> Array:
        """Probabilities of the classes of each sample, (samples, classes) in the order of ``classes_``.

        The columns of the predicted view ``"labels"``, negative ones as 0, divided by their sum: the numbers of the
        ``labels.csv`` of ``bochner apply``.
        """
        out: Array = _core.class_probabilities(indicators=self._indicators(X))
        return out

    def predict_labels(self, X: Any) -> Array:
        """The class of each sample: that of the largest column of the predicted view ``"labels"``."""
        best = self._indicators(X).argmax(axis=1)
        out: Array = self.classes_[best]
        return out

    def _indicators(self, X: Any) -> Array:
        parsed = self._read_known(X)
        if self._labels is None:
            raise ValueError("the model knows no classes: fit was not given labels")
        data = parsed.dataset(allow_disjoint=True)
        return self._of(self._labels, data, *self._embed(data))[0]


def _quantile(interval: float | None) -> float:
    if interval is None:
        return 0.0
    return _core.normal_quantile_of_interval(level=check_interval(interval))
