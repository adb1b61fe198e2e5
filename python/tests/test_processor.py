"""The package says so on a processor that it was not built for, before it loads the core."""

import subprocess
import sys

from bochner import _processor

IMPORT = """
import sys, types
fake = types.ModuleType("bochner._processor")
fake.unsupported = lambda: "bochner: this module was built for other processors"
sys.modules["bochner._processor"] = fake
try:
    import bochner
except ImportError as error:
    print(error, "bochner._core" in sys.modules)
"""


def test_the_processor_that_built_it_runs_it():
    assert _processor.unsupported() == ""


def test_another_processor_is_an_import_error():
    done = subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True)
    assert done.stdout == "bochner: this module was built for other processors False\n"
