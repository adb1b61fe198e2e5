"""What the latent variable models share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ._annotated_data import annotate
from ._most_variable import keep_most_variable
from ._output import OutputMixin, wrapped
from ._params import Estimator
from ._validation import Array, check_features, check_fitted, feature_names, is_frame, is_sparse, seed_of, threads_of, width_of
from ._views import Kinds, Parsed, parse


def each_view(value: Any, names: list[str], what: str, default: Any) -> list[Any]:
    """One value for all views, or a dict with some of them."""
    if not isinstance(value, Mapping):
        return [value] * len(names)
    unknown = [name for name in value if name not in names]
    if unknown:
        raise ValueError(f"{what} names view {unknown[0]!r}, but the views are {', '.join(map(repr, names))}")
    return [value.get(name, default) for name in names]


def latent_names(count: int) -> list[str]:
    """Columns of latents, in frames and plots as in the tables of the command line."""
    return [f"z{q + 1}" for q in range(count)]


class LatentModel(Estimator, OutputMixin):
    """A transformer of one or several tables of the same samples into a few dimensions."""

    n_components: Any
    views: Any
    random_state: Any
    n_jobs: int | None
    verbose: int
    callback: Any
    layer: str | Mapping[str, str] | None
    key_added: str
    _parts: list[tuple[str, list[str]]]
    _kept_columns: Mapping[str, tuple[Array, int]] = {}  # of views of which fit kept some columns, and their width

    def _add_tags(self, tags: Any) -> None:
        from sklearn.utils import TransformerTags

        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.transformer_tags = TransformerTags(preserves_dtype=["float64", "float32"])

    # ---- reading

    def _kinds(self) -> Kinds:
        return Kinds()

    def _read_new(self, X: Any) -> Parsed:
        """Data for a fit; remembers what its columns are."""
        parsed = parse(X, self.views, owner=type(self).__name__, kinds=self._kinds(), min_rows=2, layer=self.layer)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self, name):
                delattr(self, name)
        if parsed.kind == "table":
            self.n_features_in_ = parsed.width
            names = feature_names(X)
            if names is not None:
                self.feature_names_in_ = names
        keep_most_variable(parsed, getattr(self, "most_variable", None))
        self._kept_columns = {t.name: (t.kept, t.width) for t in parsed.tables if t.kept is not None}
        return parsed

    def _read_known(self, X: Any) -> Parsed:
        """Data for a fitted model."""
        check_fitted(self)
        if self._is_table(X) and hasattr(self, "n_features_in_"):
            # Before columns are matched by name: the messages are those of scikit-learn.
            width = width_of(X)
            if width and not self._has_more_columns(X):
                # A model from a file knows its columns by name, of an array or of a table: they are matched, and nothing is to be warned of.
                check_features(self, X, width, warns=hasattr(self, "_layout"))
        return parse(
            X, self.views, owner=type(self).__name__, model=self._parts, kept=self._kept_columns, kinds=self._kinds(),
            layer=self.layer,
        )  # fmt: skip

    def _has_more_columns(self, X: Any) -> bool:
        """Of a model from a file, which may have kept some columns of a table: whether X has these by their names."""
        if hasattr(self, "_layout") or self.views is not None:
            return False
        names = feature_names(X)
        name, columns = self._parts[0]
        if names is None:
            numbered = [f"{name}_{m}" for m in range(width_of(X) or 0)]
            return numbered[: len(columns)] != columns and set(columns) < set(numbered)
        return set(columns) < set(names)

    @staticmethod
    def _is_table(X: Any) -> bool:
        return is_sparse(X) or not (isinstance(X, Mapping) or hasattr(X, "obs_names"))

    def _threads(self) -> int:
        return threads_of(self.n_jobs)

    def _seed(self) -> int:
        self.seed_ = seed_of(self.random_state)
        return self.seed_

    # ---- scikit-learn

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """``fit(X).transform(X)``."""
        return self.fit(X, y, **fit_params).transform(X)

    def fit(self, X: Any, y: Any = None) -> Any:
        raise NotImplementedError

    def transform(self, X: Any) -> Any:
        raise NotImplementedError

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Names of the latent dimensions: ``z1``, ``z2``, .. as in the ``latent.csv`` of the command line."""
        check_fitted(self)
        return np.asarray(latent_names(self._n_out()), dtype=object)

    def _n_out(self) -> int:
        return int(self._fit.latent_mean.shape[1])

    def _columns(self) -> dict[str, list[str]]:
        return {name: list(columns) for name, columns in self._parts}

    def _finish(self, parsed: Parsed, Z: Array, sd: Array | None, return_std: bool) -> Any:
        """Latents in the container that the user wants."""
        self._annotate(parsed, Z, sd)
        index = parsed.index() if parsed.has_ids else None
        if parsed.kind == "table" and is_frame(parsed.source):
            index = parsed.source.index
        out = wrapped(self, Z.astype(parsed.dtype, copy=False), index)
        if not return_std or sd is None:
            return out
        return out, wrapped(self, sd.astype(parsed.dtype, copy=False), index)

    def _annotate(
        self, parsed: Parsed, Z: Array, sd: Array | None, relevance: Mapping[str, Array] | None = None
    ) -> None:
        annotate(parsed, Z, sd, relevance, self._info(), self.key_added)

    def _check_others(self, view: str) -> None:
        """A view is predicted from others."""
        names = self._view_names()
        if view not in names:
            raise ValueError(f"the model has no view {view!r}, only {', '.join(map(repr, names))}")
        if len(names) == 1:
            raise ValueError("the model has one view only, and no other to predict it from; impute() fills its missing values")

    def _view_names(self) -> list[str]:
        return [name for name, _ in self._parts]

    def _info(self) -> dict[str, Any]:
        return {"model": type(self).__name__, "seed": int(getattr(self, "seed_", 0))}

    def _together(self, by_view: dict[str, Array], dtype: Any = np.float64) -> Any:
        """Views as the data of fit had them: one table, or a dict."""
        by_view = {name: values.astype(dtype, copy=False) for name, values in by_view.items()}
        layout = getattr(self, "_layout", None)
        if layout is None:
            return by_view if len(by_view) > 1 else next(iter(by_view.values()))
        if layout == "dict":
            return by_view
        rows = next(iter(by_view.values())).shape[0]
        out = np.full((rows, self.n_features_in_), np.nan, dtype=dtype)
        for name, where in layout.items():
            out[:, where] = by_view[name]
        return out

    def _remember_layout(self, parsed: Parsed) -> None:
        cut = {t.name: t.where for t in parsed.tables if t.where is not None}
        self._layout = cut if parsed.kind == "table" else "dict"

    def save(self, path: Any) -> None:
        """Writes the model file of the command line: ``bochner apply path`` reads it."""
        check_fitted(self)
        self._fit.save(str(path))
