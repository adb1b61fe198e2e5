"""What parameters of estimators may be: a rule for each, checked at ``fit``."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._validation import MOST_JOBS, threads_of


class ParameterError(ValueError, TypeError):
    """A parameter of an estimator is of the wrong type or out of range; both kinds of error, as in scikit-learn."""


@dataclass(frozen=True)
class Rule:
    """What a value must be, as text and as a test."""

    text: str
    holds: Callable[[Any], bool]
    by_view: bool = False  # or a dict of such values by name of view

    def check(self, owner: str, name: str, value: Any) -> None:
        if self.by_view and isinstance(value, Mapping):
            for view, own in value.items():
                if not self.holds(own):
                    raise ParameterError(f"{owner}: {name}[{view!r}] is {_shown(own)}, but must be {self.text}")
            return
        if not self.holds(value):
            also = ", or a dict of such values by view" if self.by_view else ""
            raise ParameterError(f"{owner}: {name} is {_shown(value)}, but must be {self.text}{also}")


def check_parameters(owner: str, rules: Mapping[str, Rule], values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        rules[name].check(owner, name, value)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _is_int(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))


def _is_number(value: Any) -> bool:
    return _is_int(value) or isinstance(value, (float, np.floating))


def integer(low: int, high: int) -> Rule:
    return Rule(f"an int from {low} to {high}", lambda v: _is_int(v) and low <= v <= high)


def integer_or_auto(low: int, high: int) -> Rule:
    def holds(v: Any) -> bool:
        return (isinstance(v, str) and v == "auto") or (_is_int(v) and low <= v <= high)

    return Rule(f"an int from {low} to {high}, or 'auto'", holds)


def number(low: float, high: float) -> Rule:
    return Rule(f"a number from {low:g} to {high:g}", lambda v: _is_number(v) and low <= v <= high)


def positive() -> Rule:
    return Rule("a positive, finite number", lambda v: _is_number(v) and 0 < v < math.inf)


def boolean() -> Rule:
    return Rule("True or False", lambda v: isinstance(v, (bool, np.bool_)))


def one_of(*names: str) -> Rule:
    listed = ", ".join(map(repr, names[:-1])) + f" or {names[-1]!r}"
    return Rule(listed, lambda v: isinstance(v, str) and v in names)


def one_or_several_of(*names: str) -> Rule:
    """One of the names, or a list of those after the first."""
    several = one_of(*names[1:])
    return Rule(
        f"{one_of(*names).text}, or a list of those after {names[0]!r}",
        lambda v: v in names
        if isinstance(v, str)
        else isinstance(v, (list, tuple)) and len(v) > 0 and all(several.holds(own) for own in v),
    )


_BRITISH = {"standardize": "standardise", "center": "centre"}


def british(name: str) -> str:
    """The spelling of the core and the command line; both are accepted."""
    return _BRITISH.get(name, name)


def scaling(*names: str) -> Rule:
    """One of the names, in either spelling."""
    return Rule(one_of(*names).text, lambda v: isinstance(v, str) and british(v) in names)


def optional(rule: Rule, none: str = "None") -> Rule:
    return Rule(f"{none} or {rule.text}", lambda v: v is None or rule.holds(v))


def by_view(rule: Rule) -> Rule:
    return Rule(rule.text, rule.holds, by_view=True)


def kernel(inputs: int = 1000) -> Rule:
    """Of the grammar of the core. Columns beyond those of the data are refused by the core, which knows them."""
    return Rule(
        f"one of {', '.join(_core.kernel_names())}, or sums and products of them such as 'rbf+linear'",
        lambda v: isinstance(v, str) and _core.reads_kernel(v, inputs),
    )


def _counted(value: Any, reads: Callable[[str], bool]) -> bool:
    return (isinstance(value, str) or _is_int(value)) and reads(str(value))


def features() -> Rule:
    return Rule(
        "'auto', 'exact', 'random', a number of frequencies from 1 to 1000000, 'orthogonal:300' or 'nystrom:500'",
        lambda v: _counted(v, _core.reads_features),
    )


def device() -> Rule:
    return Rule(
        "'cpu', 'cuda', 'cuda:1' (the second card) or 'auto'",
        lambda v: isinstance(v, str) and _core.reads_device(v),
    )


def kpca_features() -> Rule:
    return Rule(
        "'auto', 'exact', 'finite', a number of frequencies from 1 to 1000000, 'orthogonal:300', 'nystrom:500' or "
        "'network:32'",
        lambda v: _counted(v, _core.reads_kpca_features),
    )


_SYMMETRIES = ("negate", "rotate", "translate", "longitude", "permute", "flip", "shift")


def layers() -> Rule:
    def holds(v: Any) -> bool:
        if _is_int(v):
            return 1 <= int(v) <= 20
        return isinstance(v, list | tuple) and len(v) > 0 and all(isinstance(word, str) for word in v)

    return Rule('a number of layers from 1 to 20 or a list of words such as "patches:5"', holds)


def image() -> Rule:
    def holds(v: Any) -> bool:
        return isinstance(v, list | tuple) and len(v) in (2, 3) and all(_is_int(side) and side >= 1 for side in v)

    return Rule("height, width and perhaps channels, as in (28, 28)", holds)


def counts() -> Rule:
    def holds(v: Any) -> bool:
        return isinstance(v, list | tuple) and all(_is_int(count) and count >= 1 for count in v)

    return Rule("a list of positive integers", holds)


def symmetry() -> Rule:
    """The form only: which columns a symmetry moves is for the core to check."""

    def known(word: Any) -> bool:
        return isinstance(word, str) and word.split(":")[0] in _SYMMETRIES

    def holds(value: Any) -> bool:
        if isinstance(value, str):
            return value in ("none", "auto") or known(value)
        return isinstance(value, Sequence) and (list(value) == ["auto"] or all(map(known, value)))

    return Rule(f"'none', 'auto', or one or a list of {', '.join(map(repr, _SYMMETRIES))} with their columns", holds)


def _is_column(value: Any) -> bool:
    return isinstance(value, str) or _is_int(value)


def circle() -> Rule:
    def holds(value: Any) -> bool:
        return value is None or (
            isinstance(value, Mapping)
            and all(_is_column(c) and _is_number(period) and 0 < period < math.inf for c, period in value.items())
        )

    return Rule("None or a dict of periods by column, such as {'hour': 24}", holds)


def columns() -> Rule:
    """Names or positions of columns, or None."""

    def good(value: Any) -> bool:
        return value is None or (isinstance(value, (list, tuple)) and all(_is_column(v) for v in value))

    return Rule("None, or a list of column names or positions", good)


def class_weights() -> Rule:
    def good(value: Any) -> bool:
        return value in (None, "balanced") if not isinstance(value, Mapping) else all(
            _is_number(w) and 0 <= w < math.inf for w in value.values()
        )

    return Rule("None, 'balanced' or a dict of weights by class", good)


def is_pair(value: Any) -> bool:
    """Two columns, not a list of pairs of them."""
    return isinstance(value, (tuple, list)) and len(value) == 2 and all(map(_is_column, value))


def sphere() -> Rule:
    def holds(value: Any) -> bool:
        return value is None or is_pair(value) or (isinstance(value, (tuple, list)) and all(map(is_pair, value)))

    return Rule("None, a pair (longitude, latitude) of columns, or a list of such pairs", holds)


def trials() -> Rule:
    """Tables of trials are checked against their view."""

    def holds(value: Any) -> bool:
        if value is None or len(getattr(value, "shape", ())) == 2 or isinstance(value, (list, tuple)):
            return True
        return _is_number(value) and float(value).is_integer() and value >= 1

    return Rule("None, a whole number from 1, or a table of them", holds, by_view=True)


def priors() -> Rule:
    """A dict of names and distributions, as ``{"lengthscale": "lognormal:0.2:1"}``."""

    def reads(name: Any, value: Any) -> bool:
        if not (isinstance(name, str) and isinstance(value, str)):
            return False
        try:
            _core.BayesOptions().set_prior(f"{name}={value}")
        except ValueError:
            return False
        return True

    def holds(value: Any) -> bool:
        return isinstance(value, Mapping) and all(reads(k, v) for k, v in value.items())

    names = ", ".join(f"'{text.split('=')[0]}'" for text in _core.BayesOptions().priors)
    return Rule(
        f"a dict of {names} and their distributions, as {{'lengthscale': 'lognormal:MEDIAN:SD'}}", holds
    )


def _is_n_jobs(value: Any) -> bool:
    try:
        threads_of(value)
    except ValueError:
        return False
    return True


COMMON: dict[str, Rule] = {
    "random_state": Rule(
        "None, an int from 0 to 2**64 - 1, or a NumPy generator",
        lambda v: v is None
        or (_is_int(v) and 0 <= v < 2**64)
        or isinstance(v, (np.random.Generator, np.random.RandomState)),
    ),
    "n_jobs": Rule(
        f"None, an int from 1 to {MOST_JOBS}, or a negative one (-1 for all cores)",
        _is_n_jobs,
    ),
    "verbose": Rule(
        "an int from 0, True or False",
        lambda v: isinstance(v, (bool, np.bool_)) or (_is_int(v) and v >= 0),
    ),
    "callback": Rule("None or callable", lambda v: v is None or callable(v)),
}
NORMALISE = by_view(Rule("None or 'rows'", lambda v: v is None or (isinstance(v, str) and v == "rows")))
MOST_VARIABLE = by_view(optional(integer(1, 10**9)))
LAYER = Rule(
    "None, the name of a layer, or a dict of them by modality",
    lambda v: v is None or isinstance(v, str) or (isinstance(v, Mapping) and all(isinstance(k, str) for k in v.values())),
)
KEY_ADDED = Rule("a string that is not empty", lambda v: isinstance(v, str) and v != "")
VIEWS = Rule(
    "None or a dict of columns by name of view",
    lambda v: v is None or (isinstance(v, Mapping) and len(v) > 0 and all(isinstance(k, str) and k for k in v)),
)
