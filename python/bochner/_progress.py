"""A line that shows how far a fit is, in terminals and notebooks."""

from __future__ import annotations

import math
import re
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any, TextIO

Callback = Callable[[int, int, float], Any]

_CORE_FUNCTION = re.compile(r"^(fit|make)_(gplvm|bayes|kpca|harmonic|harmonic_gp|bayes_table|time_grid|kernel): ")


class Progress:
    """Hears every step of the core, draws at most ten lines a second, and asks the user's callback."""

    def __init__(self, name: str, shown: bool, callback: Callback | None, out: TextIO | None = None) -> None:
        self._name = name
        self._shown = shown
        self._callback = callback
        self._out = out or sys.stderr
        self._begin = time.monotonic()
        self._drawn = 0.0
        self._width = 0
        self._last: tuple[int, int, float] = (0, 0, 0.0)

    @property
    def wanted(self) -> bool:
        return self._shown or self._callback is not None

    def __call__(self, step: int, of: int, objective: float) -> bool:
        if self._shown:
            now = time.monotonic()
            if step < self._last[0]:  # another start
                self._begin = now
            self._last = (step, of, objective)
            if now - self._drawn > 0.1:
                self._drawn = now
                self._draw(step, of, objective, now - self._begin)
        if self._callback is None:
            return True
        answer = self._callback(step, of, objective)
        return answer is None or bool(answer)

    def _draw(self, step: int, of: int, objective: float, seconds: float) -> None:
        share = min(1.0, step / of) if of > 0 else 0.0
        filled = math.floor(30 * share)
        left = f"{seconds / share * (1 - share):.0f} s left" if share > 0.01 else ""
        line = f"{self._name} |{'#' * filled}{'.' * (30 - filled)}| {step}/{of}  {objective:.6g}  {left}"
        self._out.write("\r" + line.ljust(self._width))
        self._out.flush()
        self._width = len(line)

    def close(self) -> None:
        """Ends the line, if there is one, with the last step."""
        if self._width:
            self._draw(*self._last, time.monotonic() - self._begin)
            self._out.write("\n")
            self._out.flush()
            self._width = 0


def run_fit(estimator: Any, call: Callable[[Progress | None], tuple[Any, bool]]) -> Any:
    """A fit of the core with a bar, the user's callback and Ctrl-C. ``call`` gives the fit, and whether it was cut short."""
    name = type(estimator).__name__
    progress = Progress(name, estimator.verbose > 0, estimator.callback)
    try:
        fit, interrupted = call(progress if progress.wanted else None)
    except (ValueError, RuntimeError) as error:
        text = _CORE_FUNCTION.sub("", str(error))
        if text == str(error):
            raise
        raise type(error)(text) from None  # who calls fit has not called a function of the core
    finally:
        progress.close()
    if interrupted:
        warnings.warn(f"{name} was interrupted; it keeps the best state so far", stacklevel=3)
    return fit
