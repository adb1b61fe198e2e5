#!/usr/bin/env python3
"""Fails when a folder includes a folder it may not see, or a header does not start with #pragma once.

The order of the house (docs/architecture.md): a folder sees the folders listed beside it and nothing else.
"""
import pathlib
import re
import sys

SEES = {
    "core": set(),
    "linalg": {"core"},
    "data": {"core", "linalg"},
    "kernels": {"core", "linalg"},
    "evidence": {"core", "linalg"},
    "likelihoods": {"core", "linalg"},
    "features": {"core", "linalg", "kernels", "evidence"},
    "simulate": {"core", "linalg", "data", "kernels"},
    "priors": {"core", "linalg"},
    "infer": {"core", "linalg"},
    "metrics": {"core", "linalg", "data"},
    "models": {"core", "linalg", "data", "kernels", "evidence", "likelihoods", "features", "priors", "infer", "metrics"},
}
SEES["io"] = set(SEES) | {"models"}
SEES["processor"] = set()  # compiled with flags of its own: cmake/processor.cmake

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]bochner/([a-z_]+)/', re.MULTILINE)
# Heavy headers that live in one translation unit (or folder) only.
CONFINED = {
    "CLI/CLI.hpp": "cli/",
    "Spectra/": "src/linalg/",
    "LBFGS": "src/infer/",
    "hdf5.h": "src/io/",
    "sleef.h": "src/core/",
    "Random123/": "src/core/",
}


def complaints(root: pathlib.Path):
    files = [p for folder in ("include/bochner", "src") for p in sorted((root / folder).rglob("*")) if p.suffix in (".hpp", ".cpp")]
    if not files:
        yield "no source files found: wrong folder?"
    for path in files:
        name = path.relative_to(root).as_posix()
        folder = name.split("/")[2] if name.startswith("include/") else name.split("/")[1]
        text = path.read_text(encoding="utf-8")
        if folder not in SEES:
            yield f"{name}: folder '{folder}' has no place in the include order; add it to tools/check_includes.py"
            continue
        for seen in INCLUDE.findall(text):
            if seen != folder and seen not in SEES[folder]:
                yield f"{name}: '{folder}' includes '{seen}', which is not to its left"
        if path.suffix == ".hpp" and not text.startswith("#pragma once"):
            yield f"{name}: a header starts with #pragma once"
        own = root / "include/bochner" / folder / (path.stem + ".hpp")
        first = re.search(r'#\s*include\s*[<"]([^>"]+)', text)
        if path.suffix == ".cpp" and own.exists() and first and first.group(1) != f"bochner/{folder}/{path.stem}.hpp":
            yield f"{name}: includes its own header first, which shows that the header compiles alone"
        if not text.isascii():
            yield f"{name}: sources are ASCII"
    for path in [p for folder in ("include", "src", "cli") for p in sorted((root / folder).rglob("*.?pp"))]:
        name = path.relative_to(root).as_posix()
        for header, home in CONFINED.items():
            if re.search(r'#\s*include\s*[<"]' + re.escape(header), path.read_text(encoding="utf-8")) and not name.startswith(home):
                yield f"{name}: {header} belongs to {home}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = list(complaints(root))
    print("\n".join(found) if found else "include order: good")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
