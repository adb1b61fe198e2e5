"""Examples in docstrings, in the README and in the tutorial run."""

import doctest
import re
from pathlib import Path

import pytest

from bochner import _harmonic_classifier, bayes, datasets, forecaster, gplvm, harmonic, kpca

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("module", [_harmonic_classifier, bayes, datasets, forecaster, gplvm, harmonic, kpca], ids=lambda m: m.__name__)
def test_docstrings(module):
    result = doctest.testmod(module)
    assert result.attempted > 0 and result.failed == 0


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", [str(p.relative_to(ROOT)) for p in PAGES if "```python" in p.read_text()])
def test_pages(page, tmp_path, monkeypatch):
    import matplotlib

    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.S)
    scope: dict = {}
    for block in blocks:
        exec(compile(block, page, "exec"), scope)


def test_scikit_learn_is_not_imported():
    import subprocess
    import sys

    code = "import sys, bochner; sys.exit(any(m in sys.modules for m in ('sklearn', 'pandas', 'matplotlib', 'scipy')))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
