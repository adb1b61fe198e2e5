"""scikit-learn's check of array API input runs only if scipy was told so before it is imported."""

import os

os.environ.setdefault("SCIPY_ARRAY_API", "1")

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
import pytest  # noqa: E402


@pytest.fixture
def Y():
    """A table without structure."""
    return np.random.default_rng(0).normal(size=(20, 5))


@pytest.fixture
def A(Y):
    """The same as a frame with labels."""
    return pd.DataFrame(Y, index=[f"s{n}" for n in range(20)], columns=list("abcde"))
