#!/usr/bin/env python3
"""Fails when a requirement has no upper bound, or pyproject.toml, tools/requirements-*.in and the lock files disagree.

A release of a dependency that does not exist yet must not decide whether bochner builds.
"""
import pathlib
import re
import sys

NAME = r"[A-Za-z0-9][A-Za-z0-9._-]*"
UNBOUNDED = {"pandas-stubs"}  # types alone, numbered after pandas


def requirements(text: str) -> dict[str, str]:
    """Every "name>=1,<2" in double quotes, or alone in a line."""
    found = re.findall(rf'^\s*({NAME})\s*([<>=!~][^#\s]*)?\s*(?:#.*)?$|"({NAME})\s*([<>=!~][^"]*)?"', text, re.MULTILINE)
    return {(a or c).lower(): b or d for a, b, c, d in found}


def complaints(root: pathlib.Path):
    project = (root / "pyproject.toml").read_text(encoding="utf-8")
    lists = re.findall(r"^(?:requires|dependencies|arviz|plot|tables|test) = \[(.*?)\]", project, re.DOTALL | re.MULTILINE)
    wanted = requirements((root / "tools/requirements-test.in").read_text(encoding="utf-8"))
    tool_lists = {
        name: requirements((root / f"tools/requirements-{name}.in").read_text(encoding="utf-8"))
        for name in ("test", "docs", "check", "packages", "browser")
    }
    places = [("pyproject.toml", requirements("".join(f'"{item}"\n' for item in re.findall(r'"([^"]+)"', one)))) for one in lists]
    if len(places) != 6 or not all(tool_lists.values()):
        yield "pyproject.toml: its lists of requirements were not found"
    for place, names in [*places, *((f"tools/requirements-{name}.in", names) for name, names in tool_lists.items())]:
        for name, bounds in names.items():
            if "<" not in bounds and name not in UNBOUNDED:
                yield f"{place}: {name} has no upper bound"
            if name in wanted and wanted[name] != bounds:
                yield f"{place}: {name}{bounds}, but tools/requirements-test.in says {name}{wanted[name]}"
    for tool, names in tool_lists.items():
        lock = f"tools/requirements-{tool}.txt"
        pins = set()
        for line in (root / lock).read_text(encoding="utf-8").splitlines()[1:]:
            pin = re.fullmatch(rf"({NAME})==\S+ --hash=sha256:[0-9a-f]{{64}}", line)
            if not pin:
                yield f"{lock}: not a version with its hash: {line}"
            else:
                pins.add(pin.group(1).lower())
        for name in names:
            if name not in pins:
                yield f"{lock}: {name} is missing; run tools/lock_requirements.py"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = list(complaints(root))
    print("\n".join(found) if found else "requirements: good")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
