"""The first steps of README.md, as packaging/test_wheel.sh runs them in an empty system."""

import numpy as np
from bochner import MultiViewGPLVM, datasets

views = datasets.make_s_curve(100, {"rna": 20, "protein": 8}, missing=0.1, random_state=1).views
model = MultiViewGPLVM(n_components=2, random_state=1)
Z = model.fit_transform(views)
imputed, low, high = model.impute(views, interval=0.9)
assert Z.shape == (100, 2) and np.isfinite(Z).all() and not np.isnan(imputed["rna"]).any()
print(f"embedded {len(Z)} samples; the first is at {Z[0]}")
