"""Parameters of estimators, as scikit-learn knows them, without scikit-learn."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, ClassVar

from ._rules import Rule, check_parameters


class Estimator:
    """The conventions of scikit-learn: a constructor that only stores, ``get_params``, ``set_params``.

    ``sklearn.base.clone``, pipelines and searches work with any subclass; scikit-learn itself is never imported unless it
    asks for its tags.
    """

    _estimator_type: str | None = None
    _rules: ClassVar[Mapping[str, Rule]] = {}  # of every parameter
    _fit: Any  # of the core
    _sklearn_output_config: dict[str, str]

    @classmethod
    def _get_param_names(cls) -> list[str]:
        signature = inspect.signature(cls.__init__)
        return sorted(name for name in signature.parameters if name != "self")

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters of the constructor and their values."""
        return {name: getattr(self, name) for name in self._get_param_names()}

    def set_params(self, **params: Any) -> Any:
        """Changes parameters; a name that the constructor does not know is a ValueError."""
        known = self._get_param_names()
        for name, value in params.items():
            if name not in known:
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {self!r}. Valid parameters are: {known!r}."
                )
            setattr(self, name, value)
        return self

    def _check_params(self) -> None:
        """Called by ``fit``: ParameterError for the first parameter that breaks its rule."""
        check_parameters(type(self).__name__, self._rules, self.get_params(deep=False))

    _command = "fit"  # of the program, that fits such models

    def report(self, path: Any, *, meta: Any = None, shapes: Mapping[str, Any] | None = None) -> None:
        """Writes what the model knows as one HTML file that works offline: the ``report.html`` of the command line.

        Panels that need the tables (the data map, held-out entries one by one) are those of ``bochner fit`` alone: an
        estimator does not keep its data. ``meta``: annotations of the samples of ``fit`` to colour them by, a DataFrame or
        a dict of lists; ``shapes``: ``{"faces": (28, 20)}``, views whose rows are pictures.
        """
        from ._report import write_report

        write_report(self, path, meta, shapes)

    def _report_tables(self) -> dict[str, Any]:
        """Files of a run folder that the model can fill: columns and rows by name."""
        return {}

    def _repr_html_(self) -> str:
        from ._report import summary

        return summary(self)

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        shown = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if not _same(value, defaults[name].default)
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    def __sklearn_clone__(self) -> Any:
        import copy

        params = {name: copy.deepcopy(value) for name, value in self.get_params(deep=False).items()}
        new = type(self)(**params)
        config = getattr(self, "_sklearn_output_config", None)
        if config is not None:
            new._sklearn_output_config = dict(config)
        return new

    def _add_tags(self, tags: Any) -> None:
        """What a subclass adds to the tags of scikit-learn."""

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags

        tags = Tags(
            estimator_type=self._estimator_type,
            target_tags=TargetTags(required=False),
            transformer_tags=None,
            regressor_tags=None,
            classifier_tags=None,
            input_tags=InputTags(),
        )
        self._add_tags(tags)
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_fit")


def _same(a: Any, b: Any) -> bool:
    try:
        return bool(a is b or (type(a) is type(b) and a == b))
    except ValueError:
        return False
