#!/usr/bin/env python3
"""tools/check_wheel.py accepts a good wheel and names each fault of a bad one: check_wheel_test.py <check_wheel.py>."""
import pathlib
import subprocess
import sys
import tempfile
import zipfile

CHECK = sys.argv[1]
GOOD = "bochner-0.1.0-cp311-cp311-manylinux_2_35_x86_64.whl"
LIBRARIES = "boost eigen hdf5 lbfgspp libzip nanobind nanoflann nlohmann_json random123 robin_map spectra fmt"


def module(folder: pathlib.Path, *options: str) -> bytes:
    path = folder / "module.so"
    subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", "-x", "none", "-o", str(path), *options], check=True)
    return path.read_bytes()


def good_content(so: bytes) -> dict[str, bytes]:
    content = {
        "bochner/_core.cpython-311-x86_64-linux-gnu.so": so,
        "bochner/x86-64-v4/_core.cpython-311-x86_64-linux-gnu.so": so,
        "bochner/_processor.cpython-311-x86_64-linux-gnu.so": so,
        "bochner/_core.pyi": b"",
        "bochner/py.typed": b"",
        "bochner.libs/libfmt-4f700944.so.9.1.0": so,
        "bochner-0.1.0.dist-info/licenses/LICENSE": b"ours",
    }
    return content | {f"bochner-0.1.0.dist-info/licenses/packaging/licenses/{name}.txt": b"theirs" for name in LIBRARIES.split()}


def expect(folder: pathlib.Path, fault: str, content: dict[str, bytes], name: str = GOOD):
    wheel = folder / name
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, data in content.items():
            archive.writestr(path, data)
    done = subprocess.run([sys.executable, CHECK, "--builds", "x86-64-v4", str(wheel)], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert len(lines) == 1 and fault in lines[0], f"expected one complaint, '{fault}', got: {done.stdout}{done.stderr}"
    assert done.returncode == (fault != "wheels: good"), done.returncode


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        so = module(folder)
        good = good_content(so)
        core, faster = list(good)[:2]
        expect(folder, "wheels: good", good)
        expect(folder, "wheels: good", good | {core: module(folder, "-Wl,-rpath,$ORIGIN/../bochner.libs")})
        expect(folder, "leaves the wheel", good | {core: module(folder, "-Wl,-rpath,/opt/lib")})
        expect(folder, "leaves the wheel", good | {core: module(folder, "-Wl,-rpath,$ORIGIN/../bochner.libs:")})
        expect(folder, "loads libzip.so.4", good | {core: module(folder, "-Wl,--no-as-needed", fake_library(folder))})
        expect(folder, "bochner/x86-64-v4/_core.*.so is missing", {k: v for k, v in good.items() if k != faster})
        expect(folder, "licence of eigen", {k: v for k, v in good.items() if "eigen" not in k})
        expect(folder, "licence of sleef", good | {"bochner.libs/libsleef-692eef8d.so.3.5.1": so})
        expect(folder, "/home/somebody/bochner", good | {"bochner/_core.pyi": b"# /home/somebody/bochner/python"})
        expect(folder, "does not belong", good | {"bochner/__pycache__/kpca.cpython-311.pyc": b""})
        expect(folder, "not repaired", good, "bochner-0.1.0-cp311-cp311-linux_x86_64.whl")
        expect(folder, "newer than 2.36", good, "bochner-0.1.0-cp311-cp311-manylinux_2_39_x86_64.whl")
        expect(folder, "one Python only", good, "bochner-0.1.0-cp312-cp312-manylinux_2_35_x86_64.whl")
    print("check_wheel.py: good")


def fake_library(folder: pathlib.Path) -> str:
    path = folder / "libzip.so"
    path.write_bytes(module(folder, "-Wl,-soname,libzip.so.4"))
    return str(path)


if __name__ == "__main__":
    main()
