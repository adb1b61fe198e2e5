"""What ``transform`` gives back: arrays, or frames if ``set_output`` asked for them."""

from __future__ import annotations

import sys
from typing import Any

from ._validation import Array


def configured(estimator: Any) -> str:
    """The container asked for: by ``set_output``, else by scikit-learn's global configuration."""
    own: dict[str, str] = getattr(estimator, "_sklearn_output_config", {})
    if "transform" in own:
        return own["transform"]
    if "sklearn" in sys.modules:
        from sklearn import get_config

        return str(get_config()["transform_output"])
    return "default"


def wrapped(estimator: Any, Z: Array, index: Any) -> Any:
    """Z (N x Q) in that container, with these labels of rows (None: numbers)."""
    kind = configured(estimator)
    names = list(estimator.get_feature_names_out())
    if kind == "pandas":
        import pandas as pd

        return pd.DataFrame(Z, columns=names, index=index)
    if kind == "polars":
        import polars as pl

        return pl.DataFrame(Z, schema=names)
    return Z


class OutputMixin:
    """``set_output`` for transformers."""

    def set_output(self, *, transform: str | None = None) -> Any:
        """``"default"`` (arrays), ``"pandas"`` or ``"polars"`` for the results of ``transform``."""
        if transform is None:
            return self
        if transform not in ("default", "pandas", "polars"):
            raise ValueError(f"transform is {transform!r}, but must be 'default', 'pandas' or 'polars'")
        self._sklearn_output_config: dict[str, str] = {**getattr(self, "_sklearn_output_config", {}), "transform": transform}
        return self
