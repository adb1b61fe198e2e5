"""Lists the parts: python3 bench/fits"""

import ast
from pathlib import Path

print("bench/fits: the defaults of `bochner fit` on real tables; .venv-bench/bin/python bench/fits/PART.py --help")
for part in ("optimum", "digits", "dims", "intervals", "short_runs", "missing_views", "times", "features", "top_columns"):
    text = ast.get_docstring(ast.parse((Path(__file__).parent / f"{part}.py").read_text(encoding="utf-8")))
    print(f"  {part}.py".ljust(20) + (text or "").splitlines()[0])
