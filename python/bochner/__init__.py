"""bochner: learning from tables with spectral kernels.

A kernel is a spectral density, and a spectral density is a feature map. Estimators with the conventions of scikit-learn,
which is not needed to use them:

- ``MultiViewGPLVM``, ``BayesianGPLVM``, ``MultiViewKernelPCA``: tables of the same samples as a few dimensions
- ``HarmonicGPRegressor``, ``HarmonicGPClassifier``: Gaussian processes at scale
- ``KernelForecaster``: time series
- ``datasets``, ``plot``
"""

from ._processor import unsupported as _unsupported

if _message := _unsupported():  # before _core is loaded, which would end Python with an illegal instruction
    raise ImportError(_message)

from . import datasets, plot
from ._assess import ConvergenceWarning, FitWarning, Verdict
from ._backtest import Backtest, Tuning
from .bayes import BayesianGPLVM
from .forecaster import Forecast, KernelForecaster
from .gplvm import MultiViewGPLVM
from .harmonic import HarmonicGPClassifier, HarmonicGPRegressor
from .kpca import MultiViewKernelPCA

__version__ = "0.1.0"
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
]
