"""Whether a fit may be trusted: scores of held-out data, warnings with remedies, and the verdict, as on the command line."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from . import _core

_REMEDIES: Mapping[str, str | Callable[[int], str]] = {
    "none": "",
    "more_steps": "increase max_iter",
    "smaller_step_size": "look for extreme values, or decrease step_size",
    "more_restarts": "increase n_restarts",
    "estimate_noise": "use noise=None, which estimates it",
    "smaller_noise_start": "omit noise_start, or decrease it",
    "fewer_dims": lambda suggested: f"use n_components={suggested}",
    "more_dims": "increase n_components",
    "more_draws": "increase n_draws",
    "more_warmup_and_draws": "increase n_warmup and n_draws",
    "shorter_forecast": "use a smaller h, smaller n_components or time_kernel='matern12'",
    "negbinom_likelihood": "use likelihood='negbinom'",
    "hold_out_entries": "use fit(X, holdout=0.05)",
    "hold_out_rows": "use fit(X, y, holdout=0.1)",
    "hold_out_samples": "use fit(X, holdout=0.1)",
    "more_held_out_rows": "increase holdout",
    "backtest": "use assess(X)",
    "tune": "try tune(X), or use the baseline",
}


class ConvergenceWarning(UserWarning):
    """An optimiser or a sampler has not converged. Where scikit-learn is there, it is also a
    ``sklearn.exceptions.ConvergenceWarning``."""


@dataclass(frozen=True)
class FitWarning:
    """A reason to doubt a fit (``severity="error"``), or to look twice (``"warning"``).

    ``kind`` names the reason, as ``"not_settled"`` or ``"coverage"``; ``remedy`` says which parameter to change, if one would
    help.
    """

    kind: str
    severity: str
    message: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.message} ({self.remedy})" if self.remedy else self.message


@dataclass(frozen=True)
class Verdict:
    """Whether a fit may be trusted; ``str`` gives the message.

    Attributes
    ----------
    kind : {"good", "doubtful", "unjudged", "linear"}
        ``"unjudged"``: no problems detected, but nothing was held out. ``"linear"``: linear or logistic
        regression, or a simpler forecast, does as well.
    message : str
        As the command line prints it, with the names of Python's parameters.
    warnings : tuple of FitWarning
    scores : dict
        Scores of held-out data by view or outcome, under the names of ``metrics.json``; empty if nothing was held out.
    absent_views : dict
        Scores of views that were hidden from some samples altogether, by view: ``samples``, ``entries``, ``r2`` (that
        of the column means is 0), ``r2_se``, ``rmse``, ``rmse_mean``, ``log_density``, ``coverage90`` and ``coverage90_se``, the
        numbers of ``heldout_views.csv``. Empty if no whole view was hidden.
    """

    kind: str
    message: str
    warnings: tuple[FitWarning, ...] = ()
    scores: dict[str, dict[str, float]] = field(default_factory=dict)
    not_converged: bool = False
    absent_views: dict[str, dict[str, float]] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.message

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({"absent_views": {}, **state})  # those of earlier versions have none

    def to_frame(self) -> Any:
        """The scores, a row for every view or outcome (pandas)."""
        import pandas as pd

        return pd.DataFrame.from_dict(self.scores, orient="index")


def remedy_text(warning: _core.Warning) -> str:
    """What a warning of the core recommends, with the names of Python's parameters."""
    text = _REMEDIES[warning.remedy]
    return text if isinstance(text, str) else text(warning.suggested)


def verdict_of(assessment: _core.Assessment) -> Verdict:
    """An assessment of the core as plain Python objects, which can be pickled."""
    found = assessment.verdict
    return Verdict(
        found.kind,
        found.message(remedy_text),
        tuple(FitWarning(w.kind, w.severity, w.message, remedy_text(w)) for w in found.warnings),
        {name: dict(scores) for name, scores in assessment.scores},
        found.not_converged,
        {name: dict(scores) for name, scores in assessment.absent_views},
    )


@cache
def _category() -> type[ConvergenceWarning]:
    try:
        from sklearn.exceptions import ConvergenceWarning as Theirs
    except ImportError:
        return ConvergenceWarning
    return type("ConvergenceWarning", (ConvergenceWarning, Theirs), {"__module__": __name__})


class Assessed:
    """What estimators with a verdict share. ``_judged_by`` is the hash of the data that ``assessment_`` is about."""

    assessment_: Verdict
    _judged_by: bytes
    _held_out: bool

    def _judge(self, assessment: _core.Assessment, data: bytes, held_out: bool, stacklevel: int = 3) -> None:
        """Keeps the verdict on a fit, and warns if the fit has not converged. Called by ``fit``, or further down."""
        self.assessment_ = verdict_of(assessment)
        self._judged_by = data
        self._held_out = held_out
        if self.assessment_.not_converged:
            warnings.warn(f"{type(self).__name__}: {self.assessment_.message}", _category(), stacklevel=stacklevel)

    def _kept(self, data: bytes | None) -> Verdict | None:
        """The verdict of ``fit``, if ``data`` (None: whatever they were) are those of ``fit``, of which it held some out."""
        if data is None:
            if not hasattr(self, "assessment_"):
                raise ValueError("the model comes from a file, which has no verdict; give data to judge it by")
            return self.assessment_
        if data != getattr(self, "_judged_by", None):
            return None
        if self._held_out:
            return self.assessment_
        warnings.warn(
            "the model was fitted to these data, nothing was held out, and scores are optimistic; use fit with holdout",
            stacklevel=3,
        )
        return None


def check_holdout(holdout: Any, owner: str) -> float:
    """A share from 0 to 0.5; None is 0."""
    if holdout is None:
        return 0.0
    number = isinstance(holdout, (int, float, np.integer, np.floating)) and not isinstance(holdout, (bool, np.bool_))
    if not number or not 0 <= holdout <= 0.5:
        raise ValueError(f"{owner}: holdout is {holdout!r}, but must be None or a number from 0 to 0.5")
    return float(holdout)


def data_hash(arrays: Any) -> bytes:
    """Of the numbers in some arrays, to know again the data that a model was fitted to."""
    out = hashlib.blake2b(digest_size=16)
    for array in arrays:
        own = np.array(array, dtype=np.float64) + 0.0  # one zero ..
        own[np.isnan(own)] = np.nan  # .. and one NaN
        out.update(repr(own.shape).encode())
        out.update(np.ascontiguousarray(own).tobytes())
    return out.digest()
