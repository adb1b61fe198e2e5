"""scikit-learn's check of array API input runs only if scipy was told so before it is imported."""

import os

os.environ.setdefault("SCIPY_ARRAY_API", "1")
