"""Draws of a Bayesian model for ArviZ and xarray, and estimates of its predictive accuracy from them."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import numpy as np

from . import _core
from ._assess import check_holdout
from ._draws_model import DrawsModel
from ._validation import Array, check_fitted


def _whole(values: dict[str, float]) -> dict[str, float]:
    """Numbers of draws, measurements and warnings as whole ones."""
    return {name: int(v) if name.startswith(("n_", "pareto_k_", "variance_")) else v for name, v in values.items()}


class KeepsDraws(DrawsModel):
    """NetCDF files, InferenceData, LOO and WAIC."""

    _held_out_share: float = 0.0

    def to_netcdf(self, path: Any, X: Any = None, *, trials: Any = None, holdout: float | None = None) -> str:
        """Write the stored draws as a NetCDF-4 file in the layout of ArviZ's InferenceData; returns the path.

        The file is that of ``bochner fit --inference mcmc`` (``draws.nc``), with the ``n_stored`` draws that the model keeps;
        ``arviz.from_netcdf`` and ``xarray.open_dataset(path, group="posterior")`` read it. Writing it needs neither.

        Parameters
        ----------
        path : str or path
        X : as for ``fit``
            The data of ``fit``, which a model does not keep: with them the file also has the groups ``log_likelihood``,
            ``posterior_predictive``, ``observed_data`` and ``constant_data``. None: ``posterior``, ``sample_stats``,
            ``spectrum`` and ``functions`` alone.
        trials : int, array or dict
            Of binomial views; None: those of ``fit``.
        holdout : float
            The share of entries that ``fit`` was told to hold out, for a model that was loaded from a file; they are not among
            the observed data.
        """
        check_fitted(self)
        where = str(os.fspath(path))
        _core.keep_draws(fit=self._fit, path=where, data=self._seen(X, trials, holdout), threads=self._threads())
        return where

    def to_inference_data(self, X: Any = None, *, trials: Any = None, holdout: float | None = None) -> Any:
        """The stored draws as ArviZ's InferenceData (a DataTree from ArviZ 1.0 on); arguments as for ``to_netcdf``.

        >>> import arviz as az  # doctest: +SKIP
        >>> data = model.to_inference_data(X)  # doctest: +SKIP
        >>> az.summary(data, var_names=["amplitude"], filter_vars="like")  # doctest: +SKIP
        >>> az.loo(data)  # doctest: +SKIP
        """
        check_fitted(self)
        try:
            import arviz as az
        except ImportError as error:
            raise ImportError(
                "to_inference_data needs ArviZ: pip install 'bochner[arviz]'; to_netcdf writes the same draws without it"
            ) from error
        with tempfile.TemporaryDirectory() as folder:
            path = self.to_netcdf(os.path.join(folder, "draws.nc"), X, trials=trials, holdout=holdout)
            read: Any = az.from_netcdf
            return read(path).load()  # now: the file is about to go

    def loo(self, X: Any, *, trials: Any = None, holdout: float | None = None) -> dict[str, dict[str, float]]:
        """Leave-one-out cross-validation by Pareto-smoothed importance sampling, for every view.

        Values have the names of ArviZ's ``loo`` and are on its log scale: ``elpd_loo``, ``se``, ``p_loo``, ``n_samples``,
        ``n_data_points``, ``good_k``, and how many measurements have a Pareto k above ``good_k`` and above 1: if there are any,
        ``elpd_loo`` is an optimistic guess. A measurement is an entry; of a multinomial view it is a row. Arguments as for
        ``to_netcdf``.
        """
        return {view: _whole(loo) for view, loo, _ in self._criteria(X, trials, holdout)}

    def waic(self, X: Any, *, trials: Any = None, holdout: float | None = None) -> dict[str, dict[str, float]]:
        """The widely applicable information criterion of every view, with the names of ArviZ's ``waic``; prefer ``loo``."""
        return {view: _whole(waic) for view, _, waic in self._criteria(X, trials, holdout)}

    def _predictive(self, X: Any, trials: Any) -> Any:
        """Of every view: observed entries, and draws x entries from the posterior predictive."""
        data = self._seen(X, trials, None)
        if data is None:
            raise ValueError("X is None, but must be the data of fit: the model does not keep them")
        return _core.predictive_draws(fit=self._fit, data=data, threads=self._threads())

    def _criteria(self, X: Any, trials: Any, holdout: float | None) -> Any:
        check_fitted(self)
        if X is None:
            raise ValueError("X is None, but must be the data of fit: the model does not keep them")
        return _core.keep_draws(
            fit=self._fit, path=None, data=self._seen(X, trials, holdout), threads=self._threads()
        )

    def _seen(self, X: Any, trials: Any, holdout: float | None) -> _core.BayesData | None:
        """What the fit has seen of X, in the order of its samples and views."""
        if X is None:
            return None
        share = self._held_out_share if holdout is None else check_holdout(holdout, type(self).__name__)
        parsed = self._read_known(X)
        parsed.join()
        ids = list(self._fit.ids)
        at = {i: n for n, i in enumerate(parsed.ids)}
        unknown = [i for i in ids if i not in at]
        if unknown or len(ids) != len(at):
            raise ValueError(
                f"X must have the samples of fit: it has {len(at)} of which {len(ids) - len(unknown)} are among the "
                f"{len(ids)} of fit"
            )
        order = np.array([at[i] for i in ids], dtype=np.intp)
        measured = self._measured(parsed)
        joined = _core.dataset(
            [(name, ids, columns, np.ascontiguousarray(measured[name][order])) for name, columns in self._parts], True
        )
        if share > 0:
            joined = _core.hold_out(data=joined, share=share, seed=self._fit.seed).hide(data=joined)
        data = _core.BayesData(data=joined)
        data.trials = [self._trials_in_order(parsed, name, trials, order) for name, _ in self._parts]
        data.keep_design(fit=self._fit)
        data.exposure = [self._exposure_of_fit.get(name, np.zeros(0)) for name, _ in self._parts]
        return data

    def _trials_in_order(self, parsed: Any, name: str, trials: Any, order: Array) -> Array:
        if self._words[name] != "binomial":
            return np.zeros((0, 0))
        if trials is None and name in self._trials_of_fit:
            return self._trials_of_fit[name]  # in the order of fit already
        given = self._trials_of_view(parsed, trials, name)
        if given is None:
            raise ValueError(f"view {name!r} is binomial: give trials, a number or a table of them")
        return given if given.size == 1 else np.ascontiguousarray(given[order])
