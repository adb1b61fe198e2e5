#!/usr/bin/env python3
"""Which build of the core a wheel loads, on this processor and on older ones: packaging/test_builds.py <wheel> ...

A wheel is installed for the Python that runs this, if it is for it (others are passed over), with NumPy, into a folder of its
own. Older processors are those of qemu-x86_64, where it is installed: Haswell has AVX2, Nehalem has not.
"""
import os
import platform
import shutil
import subprocess
import sys
import tempfile

LOADED = "import bochner; print(bochner._core.built_for, bochner._core.__file__)"
FIT = (
    "import hashlib; from bochner import MultiViewGPLVM, datasets;"
    "views = datasets.make_s_curve(40, {'a': 6, 'b': 4}, random_state=1).views;"
    "Z = MultiViewGPLVM(n_components=2, max_iter=20, random_state=1).fit_transform(views);"
    "print(hashlib.sha256(Z.tobytes()).hexdigest())"
)
V4 = "avx512f avx512dq avx512cd avx512bw avx512vl".split()


def run(folder: str, code: str, build: str = "", before: tuple[str, ...] = ()) -> subprocess.CompletedProcess:
    env = {k: v for k, v in os.environ.items() if k != "BOCHNER_PROCESSOR"} | {"PYTHONPATH": folder}
    if build:
        env["BOCHNER_PROCESSOR"] = build
    return subprocess.run([*before, sys.executable, "-c", code], capture_output=True, text=True, env=env, check=False)


def this_processor() -> str:
    flags = open("/proc/cpuinfo").read().split("flags", 1)[1].split("\n", 1)[0].split()
    return "x86-64-v4" if all(f in flags for f in V4) else "x86-64-v3"


def check(what: str, done: subprocess.CompletedProcess, start: str, output: str = "stdout") -> None:
    text = getattr(done, output)
    lines = [line for line in text.splitlines() if line.startswith(start)]
    if not lines:
        raise SystemExit(f"{what}: expected '{start}', got '{text}{done.stderr if output == 'stdout' else ''}'")
    print(f"{what}: {lines[0][:150]}")


def test(wheel: str) -> bool:
    """Whether the wheel is for this Python; fails if it does not do what it should."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", folder]
        done = subprocess.run([*pip, wheel], capture_output=True, text=True, check=False)
        if "is not a supported wheel on this platform" in done.stderr:
            print(f"{wheel}: not for Python {platform.python_version()}")
            return False
        if done.returncode:
            raise SystemExit(done.stderr)
        print(wheel)
        best = this_processor()
        check("this processor", run(folder, LOADED), f"{best} ")
        check("BOCHNER_PROCESSOR=x86-64-v3", run(folder, LOADED, "x86-64-v3"), "x86-64-v3 ")
        check("BOCHNER_PROCESSOR=x86-64-v2", run(folder, LOADED, "x86-64-v2"),
              "ImportError: bochner: BOCHNER_PROCESSOR=x86-64-v2, but this package is built for x86-64-v4 and x86-64-v3", "stderr")
        qemu = shutil.which("qemu-x86_64") or shutil.which("qemu-x86_64-static")
        if not qemu:
            print("qemu-x86_64 is not installed: no other processor tested")
            return True
        haswell, nehalem = (qemu, "-cpu", "Haswell"), (qemu, "-cpu", "Nehalem")
        check("Haswell", run(folder, LOADED, before=haswell), "x86-64-v3 ")
        check("Haswell, BOCHNER_PROCESSOR=x86-64-v4", run(folder, LOADED, "x86-64-v4", haswell),
              "ImportError: bochner: this module was built for other processors (BOCHNER_ARCH=x86-64-v4)", "stderr")
        check("Nehalem", run(folder, LOADED, before=nehalem),
              "ImportError: bochner: this module was built for other processors (BOCHNER_ARCH=x86-64-v3)", "stderr")
        here = run(folder, FIT, "x86-64-v3")
        expected = here.stdout.strip() or f"a fit: {here.stderr}"
        check("a fit of x86-64-v3, here and on Haswell", run(folder, FIT, before=haswell), expected)
        return True


def main() -> int:
    if platform.machine() != "x86_64":
        print("one build only, on this machine")
        return 0
    return 0 if any([test(wheel) for wheel in sys.argv[1:]]) else 1


if __name__ == "__main__":
    sys.exit(main())
