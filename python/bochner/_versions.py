import os
import platform

import numpy as np

from . import _builds, _core, _processor


def show_versions() -> None:
    """Print the versions of bochner, Python and NumPy, and for which processor the loaded module was built."""
    others = [build for build in _processor.builds() if build != _core.built_for]
    chosen = f", chosen by {_builds.VARIABLE}" if os.environ.get(_builds.VARIABLE) else ""
    print(f"bochner {_core.version}")
    print(f"built for: {_core.built_for}{chosen}" + (f" (also here: {', '.join(others)})" if others else ""))
    print(f"Python {platform.python_version()}, NumPy {np.__version__}")
    print(f"system: {platform.platform()}")
