"""Regression and classification at scale with harmonic variational Gaussian processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._assess import Verdict
from ._harmonic import HarmonicGP
from ._harmonic_classifier import HarmonicGPClassifier
from ._numbers import dtype_of
from ._rules import number, one_of, positive
from ._targets import check_counts_of, check_lengths, outcomes_of, weights_of
from ._validation import Array, check_fitted, is_frame

__all__ = ["HarmonicGPClassifier", "HarmonicGPRegressor"]

_COUNTS = ("poisson", "negbinom")


@dataclass(kw_only=True, eq=False, repr=False)
class HarmonicGPRegressor(HarmonicGP):
    """Gaussian-process regression whose kernel is cut into its harmonics, each with inducing points of its own.

    Parameters
    ----------
    kernel : str
        ``"matern32"``, ``"rbf"``, ``"rq"``, ..
    ard : bool or None
        A length-scale for each column; None: where the symmetries and up to 100 columns allow it.
    lengthscale : float or None
        Initial length-scale, of scaled inputs; None takes the median distance.
    likelihood : {"gaussian", "student", "poisson", "negbinom"}
        ``"student"`` is for outliers, ``"poisson"`` for counts, ``"negbinom"`` for counts that scatter more than Poisson's.
    noise_model : {"inputs", "joint", "constant"}
        Variance of ``"gaussian"`` noise: one number, or a second Gaussian process of the inputs. It is learned after the mean
        (``"inputs"``), which it then leaves alone and is kept if validation rows agree, or with it (``"joint"``): higher densities, but
        rows that seem noisy count less for the mean.
    calibrate : bool
        Whether validation rows correct the scale of the noise (of classes: the temperature of their probabilities).
    degrees : float
        Degrees of freedom of ``"student"``.
    noise : float
        Initial noise variance of the standardised outcome (``"student"``: its squared scale); it is learned.
    symmetry : str or list of str
        ``"none"``, ``"auto"``, or one or a list of ``"negate"``, ``"flip:..."``, ``"shift:..."``, .. as on the command line.
    circle : dict or None
        Periods of columns that are periodic, as in ``{"hour": 24}``; columns by name or position.
    sphere : pair, list of pairs or None
        Columns that are longitude and latitude in degrees, as in ``("lon", "lat")``; columns by name or position.
    categorical : list of str or int, or None
        Columns that are categories though they are numbers. Of a DataFrame, columns of strings and categories are categories
        anyway, columns of dates are days since 1970-01-01, and what is missing in a column of X has an indicator of its own.
    scaling : {"auto", "standardise", "common", "pixels", "none"}
        Of the inputs; ``"standardize"`` is accepted too. ``"pixels"``: means column by column, one scale for all.
    layers : int or list of str
        Layers of a deep GP from the inputs up: a number, or words as in ``["conv:5:1:10", "patches:3"]`` for images
        (``dense[:WIDTH]``, ``conv:SIZE[:STRIDE[:MAPS]][:same][:pool2]``, ``patches:SIZE[:STRIDE][:same]``).
    image : tuple of int or None
        Height, width and, for colours, channels of images whose pixels are the columns of ``X``.
    n_inducing : int or None
        Inducing points of each group of harmonics; None: by the rows and ``minutes``.
    hidden_inducing : list of int or None
        The same for each hidden layer; ``n_inducing`` otherwise.
    n_draws : int
        Draws of the hidden layers for each prediction.
    shared_inducing : bool
        One set of inducing points for all groups.
    shared_covariance : bool
        One posterior covariance for all outcomes, or all classes: less memory.
    max_iter, batch_size, step_size, validation_fraction, patience
        Of the optimiser; it stops when the validation rows gain nothing. ``max_iter=None``: by ``minutes``.
    minutes : float
        Time on two usual cores that inducing points and steps are chosen for; no clock is looked at.
    natural_step : float
        Largest step of natural gradients; 0 leaves all parameters to Adam.
    random_state, n_jobs, verbose, callback
        As for ``MultiViewGPLVM``.

    Attributes
    ----------
    relevance_ : dict
        How far each column of X counts, from 0 to about 1: the share of the variance of predictions that is lost when the
        column is shuffled (total Sobol index for independent columns). Not in models that are loaded.
    lengthscale_ : dict
        Length-scale of each input of the kernel, in scaled units (``ard=False``: the same for all); for kernels that have some.
    kernel_, noise_ : dict
        Parameters of the kernel; noise variance of each outcome in its own units (``"student"``: squared scale;
        ``noise_model="inputs"``: where its latent function is 0).
    calibration_ : dict
        What validation rows changed: ``"noise"``, factor of the noise variance of each outcome; ``"spread"``, standard deviation of the
        log noise variance from row to row that inputs do not explain. Of classes ``"temperature"``, with ``"negbinom"`` ``"size"``,
        the factor of the size; empty with ``"poisson"``.
    notes_ : list of str
        What the user should know, such as how columns were encoded.

    Examples
    --------
    >>> from bochner import HarmonicGPRegressor, datasets
    >>> data = datasets.make_regression(100, random_state=0)
    >>> model = HarmonicGPRegressor(n_inducing=30, max_iter=300, random_state=0).fit(data.X, data.y)
    >>> mean, std = model.predict(data.X, return_std=True)
    >>> model.score(data.X, data.y) > 0.5
    True

    Angles and places on a globe:

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = np.column_stack([rng.uniform(0, 24, 80), rng.uniform(-180, 180, 80), rng.uniform(-90, 90, 80)])
    >>> model = HarmonicGPRegressor(circle={0: 24}, sphere=(1, 2), n_inducing=20, max_iter=100, random_state=0)
    >>> model.fit(X, np.sin(X[:, 0] * np.pi / 12)).predict(X).shape
    (80,)
    """

    likelihood: str = "gaussian"
    noise_model: str = "inputs"
    degrees: float = 4.0
    noise: float = 0.1

    _estimator_type = "regressor"
    _rules = {
        **HarmonicGP._rules,
        "likelihood": one_of("gaussian", "student", "poisson", "negbinom"),
        "noise_model": one_of("inputs", "joint", "constant"),
        "degrees": number(1.1, 1e6),
        "noise": positive(),
    }

    _command = "regress"

    def _add_tags(self, tags: Any) -> None:
        from sklearn.utils import RegressorTags

        super()._add_tags(tags)
        tags.regressor_tags = RegressorTags()
        tags.target_tags.multi_output = True

    def _options(self, likelihood: str, columns: Sequence[str] | None, width: int) -> _core.HarmonicOptions:
        gaussian = likelihood == "gaussian"
        out = super()._options("heteroscedastic" if gaussian and self.noise_model == "joint" else likelihood, columns, width)
        out.noise_by_inputs = gaussian and self.noise_model == "inputs"
        out.degrees = float(self.degrees)
        out.noise = float(self.noise)
        return out

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, holdout: float | None = None) -> HarmonicGPRegressor:
        """Learns y (one column, or several with missing values) from X.

        ``sample_weight`` multiplies the expected log density of each row; weight 2 is two rows, up to a common factor.
        ``holdout`` (0.1, for instance) is the share of the rows to hold out and judge the fit by: the same rows, scores and
        verdict as those of ``bochner regress --test``. None: it learns from all rows.
        """
        self._check_params()
        x, encoding = self._read_new(X)
        Y = outcomes_of(y, type(self).__name__)
        check_lengths(x, Y)
        if self.likelihood in _COUNTS:
            check_counts_of(Y, self.likelihood)
        outcomes = [str(c) for c in y.columns] if is_frame(y) else [f"y{p}" for p in range(Y.shape[1])]
        weights = None if sample_weight is None else weights_of(sample_weight, len(x))
        self._learn(x, Y, outcomes, [], self.likelihood, holdout, encoding, weights)
        self._flat = np.asarray(y).ndim == 1
        return self

    def assess(self, X: Any = None, y: Any = None) -> Verdict:
        """Whether the model may be trusted, and whether it is worth it: against the mean, and against ridge regression.

        Without data, or with those of ``fit(X, y, holdout=..)``: ``assessment_``, the verdict of ``bochner regress``. Other
        rows are judged all.
        """
        check_fitted(self)
        if X is None:
            return self._kept(None) or self.assessment_
        x = self._read_known(X)
        Y = outcomes_of(y, type(self).__name__)
        check_lengths(x, Y)
        if Y.shape[1] != len(self._fit.outcomes):
            raise ValueError(f"y has {Y.shape[1]} columns, but the model has {len(self._fit.outcomes)} outcomes")
        return self._assess(x, Y)

    def _loaded(self, fit: Any) -> None:
        if fit.classes:
            raise ValueError("this is a model of classes; use HarmonicGPClassifier.load")
        self.degrees, self.noise = fit.options.degrees, fit.options.noise
        if self.likelihood in ("gaussian", "heteroscedastic"):
            self.noise_model = "inputs" if fit.options.noise_by_inputs else "constant"
            if self.likelihood == "heteroscedastic":
                self.likelihood, self.noise_model = "gaussian", "joint"
        self._flat = len(fit.outcomes) == 1

    def _moments(self, X: Any) -> tuple[Array, Array]:
        """Mean and variance of the outcomes, in double."""
        x = self._read_known(X)
        _, _, mean, variance, _ = self._fit.predict(X=x, threads=self._threads())
        return (mean[:, 0], variance[:, 0]) if self._flat else (mean, variance)

    def predict(self, X: Any, return_std: bool = False, return_cov: bool = False, *, quantiles: Any = None) -> Any:
        """Mean of the outcome; float32 for float32.

        ``return_std``: also its standard deviation, noise included. ``return_cov``: also the covariance between rows, noise on the
        diagonal (rows x rows, for several outcomes x outcomes), for one layer and at most 10,000 rows; of counts, of the
        logarithm of their rate. ``quantiles``: instead of the mean the quantiles of a new outcome at these levels, exact for
        every likelihood: rows (x outcomes) x levels, without the last axis for a single level.
        """
        if sum((bool(return_std), bool(return_cov), quantiles is not None)) > 1:
            raise ValueError("predict takes one of return_std, return_cov and quantiles at a time")
        dtype = dtype_of(X)
        if quantiles is not None:
            q = self._quantiles(X, quantiles)
            q = q[:, 0] if self._flat else q
            return (q[..., 0] if np.ndim(quantiles) == 0 else q).astype(dtype, copy=False)
        mean, variance = self._moments(X)
        out = mean.astype(dtype, copy=False)
        if return_cov:
            return out, self._covariance(X).astype(dtype, copy=False)
        return (out, np.sqrt(variance).astype(dtype, copy=False)) if return_std else out

    def _covariance(self, X: Any) -> Array:
        x = self._read_known(X)
        parts = self._fit.covariance(X=x, threads=self._threads())
        if self.likelihood == "gaussian":
            variance = self._fit.predict(X=x, threads=self._threads())[3]
            for p, part in enumerate(parts):
                np.fill_diagonal(part, variance[:, p])
        out: Array = parts[0] if self._flat else np.stack(parts, axis=2)
        return out

    def sample_y(self, X: Any, n_samples: int = 1, random_state: Any = 0) -> Array:
        """Draws of new outcomes, rows (x outcomes) x n_samples.

        With one layer each is a draw of a whole function with noise of every row (at most 10,000 rows); with hidden layers rows
        are drawn independently.
        """
        draws = self._draws(X, n_samples, random_state)
        return (draws[:, 0] if self._flat else draws).astype(dtype_of(X), copy=False)

    def log_density(self, X: Any, y: Any) -> Array:
        """log p(y | x) of every entry."""
        x = self._read_known(X)
        Y = outcomes_of(y, type(self).__name__)
        check_lengths(x, Y)
        if Y.shape[1] != len(self._fit.outcomes):
            raise ValueError(f"y has {Y.shape[1]} columns, but the model has {len(self._fit.outcomes)} outcomes")
        if self.likelihood in _COUNTS:
            check_counts_of(Y, self.likelihood)
        out: Array = self._fit.log_density(X=x, Y=Y, threads=self._threads())
        return (out[:, 0] if self._flat else out).astype(dtype_of(X), copy=False)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R^2, the mean over columns, as every regressor of scikit-learn."""
        truth = outcomes_of(y, type(self).__name__)
        guess = self._moments(X)[0]
        check_lengths(guess, truth)
        guess = guess.reshape(truth.shape)
        w = weights_of(sample_weight, len(truth))
        known = ~np.isnan(truth)
        weights = np.where(known, w[:, None], 0)
        t = np.where(known, truth, 0)
        centre = (weights * t).sum(0) / weights.sum(0)
        left = (weights * (t - guess) ** 2).sum(0)
        total = (weights * (t - centre) ** 2).sum(0)
        r2 = np.where(total > 0, 1 - left / np.where(total > 0, total, 1), np.where(left > 0, 0.0, 1.0))
        return float(r2.mean())
