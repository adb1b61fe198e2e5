"""What the latent variable models share."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._output import OutputMixin, wrapped
from ._params import Estimator
from ._progress import Progress
from ._validation import Array, check_features, check_fitted, feature_names, is_sparse, seed_of, threads_of
from ._views import Parsed, annotate, parse


def each_view(value: Any, names: list[str], what: str, default: Any) -> list[Any]:
    """One value for all views, or a dict with some of them."""
    if not isinstance(value, Mapping):
        return [value] * len(names)
    unknown = [name for name in value if name not in names]
    if unknown:
        raise ValueError(f"{what} names view {unknown[0]!r}, but the views are {', '.join(map(repr, names))}")
    return [value.get(name, default) for name in names]


class LatentModel(Estimator, OutputMixin):
    """A transformer of one or several tables of the same samples into a few dimensions."""

    n_components: int
    views: Any
    random_state: Any
    n_jobs: int | None
    verbose: int
    callback: Any
    _fit: Any
    _parts: list[tuple[str, list[str]]]
    _prefix: str
    _takes_labels = False

    def _add_tags(self, tags: Any) -> None:
        from sklearn.utils import TransformerTags

        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.transformer_tags = TransformerTags(preserves_dtype=["float64", "float32"])

    # ---- reading

    def _label_views(self) -> list[str]:
        return []

    def _read_new(self, X: Any, **kwargs: Any) -> Parsed:
        """Data for a fit; remembers what its columns are."""
        parsed = parse(
            X, self.views, owner=type(self).__name__, labels=self._label_views(), min_rows=2, **kwargs
        )
        if parsed.kind == "table":
            self.n_features_in_ = parsed.width
            names = feature_names(X)
            if names is not None:
                self.feature_names_in_ = names
            elif hasattr(self, "feature_names_in_"):
                del self.feature_names_in_
        return parsed

    def _read_known(self, X: Any) -> Parsed:
        """Data for a fitted model."""
        check_fitted(self)
        own: dict[str, Any] = {"owner": type(self).__name__, "labels": self._label_views()}
        if self._is_table(X) and hasattr(self, "n_features_in_"):
            # Before columns are matched by name: the sentences are those of scikit-learn.
            check_features(self, X, parse(X, self.views, **own).width)
        return parse(X, self.views, model=self._parts, **own)

    @staticmethod
    def _is_table(X: Any) -> bool:
        return is_sparse(X) or not (isinstance(X, Mapping) or hasattr(X, "obs_names"))

    def _talk(self) -> Progress:
        return Progress(type(self).__name__, self.verbose > 0, self.callback)

    def _run(self, call: Any) -> Any:
        """A fit of the core with progress and Ctrl-C."""
        self._threads()  # complains before any work
        talk = self._talk()
        try:
            fit, interrupted = call(talk if talk.wanted else None)
        finally:
            talk.close()
        if interrupted:
            warnings.warn(f"{type(self).__name__} was interrupted; it keeps the best state so far", stacklevel=3)
        return fit

    def _threads(self) -> int:
        return threads_of(self.n_jobs)

    def _seed(self) -> int:
        self.seed_ = seed_of(self.random_state)
        return self.seed_

    # ---- scikit-learn

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """``fit(X).transform(X)``."""
        return self.fit(X).transform(X)

    def fit(self, X: Any, y: Any = None) -> Any:
        raise NotImplementedError

    def transform(self, X: Any) -> Any:
        raise NotImplementedError

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Names of the latent dimensions."""
        check_fitted(self)
        return np.asarray([f"{self._prefix}{q}" for q in range(self._n_out())], dtype=object)

    def _n_out(self) -> int:
        return int(self._fit.latent_mean.shape[1])

    @property
    def _n_features_out(self) -> int:
        return self._n_out()

    def _columns(self) -> dict[str, list[str]]:
        return {name: list(columns) for name, columns in self._parts}

    def _finish(self, parsed: Parsed, Z: Array, sd: Array | None) -> Any:
        """Latents in the container that the user wants."""
        Z = Z.astype(parsed.dtype, copy=False)
        annotate(parsed, Z, sd, None, self._info())
        self._last_ids = parsed.index()
        out = wrapped(self, Z, parsed.source)
        del self._last_ids
        if sd is None:
            return out
        return out, sd.astype(parsed.dtype, copy=False)

    def _info(self) -> dict[str, Any]:
        return {"model": type(self).__name__, "seed": int(getattr(self, "seed_", 0))}

    def _together(self, by_view: dict[str, Array]) -> Any:
        """Views as the data of fit had them: one table, or a dict."""
        layout = getattr(self, "_layout", None)
        if layout is None:
            return by_view if len(by_view) > 1 else next(iter(by_view.values()))
        if layout == "dict":
            return by_view
        rows = next(iter(by_view.values())).shape[0]
        out = np.full((rows, self.n_features_in_), np.nan)
        for name, where in layout.items():
            out[:, where] = by_view[name]
        return out

    def _remember_layout(self, parsed: Parsed) -> None:
        self._layout = {t.name: t.where for t in parsed.tables} if parsed.kind == "table" else "dict"

    def save(self, path: Any) -> None:
        """Writes the model file of the command line: ``bochner apply path`` reads it."""
        check_fitted(self)
        self._fit.save(str(path))


def hidden(parsed: Parsed, share: float, seed: int) -> tuple[list[Array], Parsed]:
    """Some measured entries hidden, one in ``1 / share``, the same for the same seed; and the data without them."""
    masks = []
    tables = []
    for v, t in enumerate(parsed.tables):
        rng = np.random.default_rng([seed, v])
        mask = (rng.random(t.values.shape) < share) & ~np.isnan(t.values)
        masks.append(mask)
        tables.append(
            type(t)(t.name, np.where(mask, np.nan, t.values), t.columns, t.named, t.index, t.where, t.labels)
        )
    return masks, Parsed(parsed.kind, parsed.source, tables, parsed.dtype, parsed.width)
