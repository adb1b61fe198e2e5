#!/usr/bin/env python3
"""Writes tools/requirements-test.txt: what pip takes now for tools/requirements-test.in, with versions and hashes.

The hashes are those of the wheels for this Python and this machine; tools/setup.sh takes the file where both are the same.
"""
import json
import pathlib
import platform
import subprocess
import sys

TOOLS = pathlib.Path(__file__).resolve().parent


def main():
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--only-binary", ":all:",
               "--report", "-", "-r", str(TOOLS / "requirements-test.in"), *sys.argv[1:]]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    lines = [f"# Written by tools/lock_requirements.py for Python {sys.version_info[0]}.{sys.version_info[1]} on {platform.machine()}."]
    for package in sorted(report["install"], key=lambda p: p["metadata"]["name"].lower()):
        sha256 = package["download_info"]["archive_info"]["hashes"]["sha256"]
        lines.append(f"{package['metadata']['name']}=={package['metadata']['version']} --hash=sha256:{sha256}")
    (TOOLS / "requirements-test.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
