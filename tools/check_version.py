#!/usr/bin/env python3
"""Fails when a file states another version than CMakeLists.txt, which is the place where it is changed.

Everything else derives it: pyproject.toml and docs/conf.py read CMakeLists.txt, the programs get it from CMake.
"""
import pathlib
import re
import sys


def complaints(root: pathlib.Path):
    def text(name: str) -> str:
        return (root / name).read_text(encoding="utf-8")

    stated = re.search(r"^project\(bochner VERSION ([0-9.]+)", text("CMakeLists.txt"), re.MULTILINE)
    if not stated:
        yield "CMakeLists.txt: has no project(bochner VERSION ..)"
        return
    version = stated.group(1)
    cited = re.search(r"^version: (\S+)$", text("CITATION.cff"), re.MULTILINE)
    if not cited or cited.group(1) != version:
        yield f"CITATION.cff: version is {cited.group(1) if cited else 'missing'}, but CMakeLists.txt says {version}"
    if not re.search(rf"^## \[?(Unreleased|{re.escape(version)})\b", text("CHANGELOG.md"), re.MULTILINE):
        yield f"CHANGELOG.md: has a section neither for {version} nor for what is unreleased"
    if re.search(r"^version = ", text("pyproject.toml"), re.MULTILINE):
        yield 'pyproject.toml: states a version of its own; use dynamic = ["version"]'
    if re.search(r"^__version__ = [\"'][0-9]", text("python/bochner/__init__.py"), re.MULTILINE):
        yield "python/bochner/__init__.py: states a version of its own; take that of the compiled module"


def main() -> int:
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = list(complaints(root))
    print("\n".join(found) if found else "version: good")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
