"""bochner: learning from tables with spectral kernels.

A kernel is a spectral density, and a spectral density is a feature map. Estimators with the conventions of scikit-learn,
which is not needed to use them:

- ``MultiViewGPLVM``, ``BayesianGPLVM``, ``MultiViewKernelPCA``: tables of the same samples as a few dimensions
- ``HarmonicGPRegressor``, ``HarmonicGPClassifier``: Gaussian processes at scale
- ``KernelForecaster``: time series
- ``datasets``, ``plot``, ``show_versions``
"""

import os as _os

from . import _builds, _processor

# Before _core is loaded: on a processor that cannot run it, it would end Python with an illegal instruction.
__path__ = _builds.search_path(
    __path__,
    _processor.builds(),
    _builds.choose(_processor.builds(), _processor.unsupported, _os.environ.get(_builds.VARIABLE, "")),
)

from . import _core, datasets, plot
from ._assess import ConvergenceWarning, FitWarning, Verdict
from ._backtest import Backtest, Tuning
from ._versions import show_versions
from .bayes import BayesianGPLVM
from .forecaster import Forecast, KernelForecaster
from .gplvm import MultiViewGPLVM
from .harmonic import HarmonicGPClassifier, HarmonicGPRegressor
from .kpca import MultiViewKernelPCA

__version__: str = _core.version
__all__ = [
    "Backtest",
    "BayesianGPLVM",
    "ConvergenceWarning",
    "FitWarning",
    "Forecast",
    "HarmonicGPClassifier",
    "HarmonicGPRegressor",
    "KernelForecaster",
    "MultiViewGPLVM",
    "MultiViewKernelPCA",
    "Tuning",
    "Verdict",
    "datasets",
    "plot",
    "show_versions",
]
