"""The package loads the best build that the processor can run, and says so where there is none, before it loads the core."""

import os
import subprocess
import sys

import bochner
import pytest
from bochner import _builds, _core, _processor

BUILDS = ["x86-64-v4", "x86-64-v3"]

OLD = """
import sys, types
fake = types.ModuleType("bochner._processor")
fake.builds = lambda: ["x86-64-v3"]
fake.unsupported = lambda build: "bochner: this module was built for other processors"
sys.modules["bochner._processor"] = fake
try:
    import bochner
except ImportError as error:
    print(error, "bochner._core" in sys.modules)
"""

OTHER = """
import sys, types
fake = types.ModuleType("bochner._processor")
fake.builds = lambda: ["new", "baseline"]
fake.unsupported = lambda build: ""
sys.modules["bochner._processor"] = fake
try:
    import bochner
except ImportError as error:
    print(error)
"""


def runs(*builds):
    return lambda build: "" if build in builds else f"this processor cannot run {build}"


def test_the_processor_that_built_it_runs_it():
    assert _core.built_for in _processor.builds()
    assert _processor.unsupported(_core.built_for) == ""


def test_a_build_that_is_not_there_is_a_value_error():
    with pytest.raises(ValueError, match="no build of bochner._core is for 'z80'"):
        _processor.unsupported("z80")


def test_the_best_build_that_runs_is_chosen():
    assert _builds.choose(BUILDS, runs("x86-64-v3", "x86-64-v4")) == "x86-64-v4"
    assert _builds.choose(BUILDS, runs("x86-64-v3")) == "x86-64-v3"
    with pytest.raises(ImportError, match="cannot run x86-64-v3"):
        _builds.choose(BUILDS, runs())


def test_a_build_may_be_asked_for():
    assert _builds.choose(BUILDS, runs("x86-64-v3", "x86-64-v4"), "x86-64-v3") == "x86-64-v3"
    with pytest.raises(ImportError, match="cannot run x86-64-v4"):
        _builds.choose(BUILDS, runs("x86-64-v3"), "x86-64-v4")
    with pytest.raises(ImportError, match="BOCHNER_PROCESSOR=v3, but this package is built for x86-64-v4 and x86-64-v3"):
        _builds.choose(BUILDS, runs("x86-64-v3"), "v3")


def test_another_processor_is_an_import_error():
    done = subprocess.run([sys.executable, "-c", OLD], capture_output=True, text=True, check=True)
    assert done.stdout == "bochner: this module was built for other processors False\n"


def test_the_environment_asks_for_a_build():
    code = "import bochner; bochner.show_versions()"
    for build in _processor.builds():
        if _processor.unsupported(build):
            continue
        env = os.environ | {"BOCHNER_PROCESSOR": build}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
        assert f"built for: {build}, chosen by BOCHNER_PROCESSOR" in done.stdout
    env = os.environ | {"BOCHNER_PROCESSOR": "z80"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=env)
    assert done.returncode == 1 and "BOCHNER_PROCESSOR=z80, but this package is built for" in done.stderr


def test_another_build_is_loaded_from_its_folder(tmp_path):
    # A package of links to this one, with another core in a folder of its own.
    package = tmp_path / "bochner"
    (package / "new").mkdir(parents=True)
    for entry in os.scandir(os.path.dirname(bochner.__file__)):
        os.symlink(entry.path, package / entry.name)
    (package / "new" / "_core.py").write_text("raise ImportError('the core of ' + __name__ + ' in new')")
    done = subprocess.run([sys.executable, "-c", OTHER], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "the core of bochner._core in new\n"


def test_versions_say_what_is_loaded(capsys):
    bochner.show_versions()
    out = capsys.readouterr().out
    assert out.startswith(f"bochner {bochner.__version__}\nbuilt for: {_core.built_for}")
