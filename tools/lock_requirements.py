#!/usr/bin/env python3
"""Writes tools/requirements-*.txt: what pip takes now for each tools/requirements-*.in, with versions and hashes.

The hashes are those of the wheels for this Python and this machine; tools/setup.sh takes the files where both are the same.
"""
import json
import pathlib
import platform
import subprocess
import sys

TOOLS = pathlib.Path(__file__).resolve().parent


def lock(wanted: pathlib.Path, options: list[str]):
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--only-binary", ":all:",
               "--report", "-", "-r", str(wanted), *options]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    lines = [f"# Written by tools/lock_requirements.py for Python {sys.version_info[0]}.{sys.version_info[1]} on {platform.machine()}."]
    for package in sorted(report["install"], key=lambda p: p["metadata"]["name"].lower()):
        sha256 = package["download_info"]["archive_info"]["hashes"]["sha256"]
        lines.append(f"{package['metadata']['name']}=={package['metadata']['version']} --hash=sha256:{sha256}")
    wanted.with_suffix(".txt").write_text("\n".join(lines) + "\n")


def main():
    """The names of lists (test, docs; all by default), then options for pip."""
    names = [arg for arg in sys.argv[1:] if not arg.startswith("-")]
    for wanted in sorted(TOOLS.glob("requirements-*.in")):
        if not names or wanted.stem.removeprefix("requirements-") in names:
            lock(wanted, [arg for arg in sys.argv[1:] if arg.startswith("-")])


if __name__ == "__main__":
    main()
