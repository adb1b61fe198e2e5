#!/usr/bin/env python3
"""Fails when a wheel would not run elsewhere, or holds what it should not.

    tools/check_wheel.py [--builds x86-64-v4,...] <wheel> ...

- the modules _core and _processor, one further _core in the folder of each of --builds, the stub, py.typed;
- a tag manylinux_2_N (N at most 36) or manylinux<year>, and on Python 3.12 and later abi3;
- libraries that the modules load are in the wheel, or are on the list of those that every Linux has; the search path of
  modules is relative to themselves ($ORIGIN), and nothing else;
- our licence, and one for every library in the wheel or compiled in;
- no path of the machine that built it in any file, no test, no cache;
- at most 15 MB.
"""
import fnmatch
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

EVERYWHERE = re.compile(r"(libc|libm|libdl|libpthread|librt|libstdc\+\+|libgcc_s|libz|ld-linux-[a-z0-9-]+)\.so\.\d+")  # PEP 600
COMPILED_IN = "boost eigen hdf5 lbfgspp libzip nanobind nanoflann nlohmann_json random123 robin_map spectra".split()
BUILD_PATH = re.compile(rb"/(?:work|home|root|build|tmp|github|project)/[ -~]{4,80}")
LARGEST = 15_000_000


def tag_complaints(name: str):
    match = re.fullmatch(r"bochner-[0-9.]+-(cp3(\d+))-(\w+)-([\w.]+)\.whl", name)
    if not match:
        yield "the name is not that of a wheel of this package"
        return
    minor, abi, platforms = int(match[2]), match[3], match[4]
    if minor >= 12 and abi != "abi3":
        yield f"{abi} is for one Python only, not for all from 3.12 on (abi3)"
    glibc = re.search(r"manylinux_2_(\d+)_", platforms)
    if not glibc or int(glibc[1]) > 36:
        yield f"{platforms}: not repaired, or for a C library newer than 2.36"


def content_complaints(names: list[str], builds: list[str]):
    expected = ["bochner/_core.*.so", "bochner/_processor.*.so", "bochner/_core.pyi", "bochner/py.typed"]
    for pattern in [*expected, *(f"bochner/{build}/_core.*.so" for build in builds)]:
        if not fnmatch.filter(names, pattern):
            yield f"{pattern} is missing"
    for name in names:
        if re.search(r"__pycache__|\.pyc$|(^|/)tests?/|\.(cpp|hpp|a|o)$", name):
            yield f"{name} does not belong into a wheel"


def licence_complaints(names: list[str]):
    licences = {pathlib.PurePath(name).stem.lower() for name in names if ".dist-info/licenses/" in name}
    files = [pathlib.PurePath(name).name for name in names if name.startswith("bochner.libs/")]
    grafted = {re.sub(r"^lib(\w+?)(-[0-9a-f]{8})?\.so.*", r"\1", file) for file in files}
    for library in ["license", *COMPILED_IN, *sorted(grafted)]:
        if library not in licences:
            yield f"the licence of {library} is missing"


def module_complaints(path: pathlib.Path, inside: set[str]):
    text = subprocess.run(["readelf", "-W", "-d", str(path)], capture_output=True, text=True, check=True).stdout
    for library in re.findall(r"\(NEEDED\).*\[(.*)\]", text):
        if library not in inside and not EVERYWHERE.fullmatch(library):
            yield f"loads {library}, which is neither in the wheel nor on every Linux"
    for kind, value in re.findall(r"\((RPATH|RUNPATH)\).*\[(.*)\]", text):
        for element in value.split(":"):
            if not re.fullmatch(r"\$ORIGIN(/\.\.)*/bochner\.libs|\$ORIGIN", element):
                yield f"{kind} [{value}] leaves the wheel"


def complaints(wheel: pathlib.Path, builds: list[str]):
    yield from tag_complaints(wheel.name)
    if wheel.stat().st_size > LARGEST:
        yield f"{wheel.stat().st_size} bytes, more than {LARGEST}"
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        yield from content_complaints(names, builds)
        yield from licence_complaints(names)
        archive.extractall(folder)
        inside = {pathlib.PurePath(name).name for name in names}
        for name in names:
            path = pathlib.Path(folder, name)
            if found := BUILD_PATH.search(path.read_bytes()):
                yield f"{name} holds the path {found[0].decode()}"
            if re.search(r"\.so(\.|$)", name):
                for problem in module_complaints(path, inside):
                    yield f"{name} {problem}"


def main():
    arguments, builds = sys.argv[1:], []
    if arguments[:1] == ["--builds"]:
        builds, arguments = arguments[1].split(","), arguments[2:]
    found = [f"{wheel}: {problem}" for wheel in map(pathlib.Path, arguments) for problem in complaints(wheel, builds)]
    print("\n".join(found) if found else "wheels: good")
    return 1 if found or not arguments else 0


if __name__ == "__main__":
    sys.exit(main())
