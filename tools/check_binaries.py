#!/usr/bin/env python3
"""Fails when a program or module of a build folder would load code from where it should not, or lacks hardening.

    tools/check_binaries.py [--fortified] <build folder> [file that must be among them ...]

Every program and shared library under the folder is read with readelf:

- no element of RPATH or RUNPATH is empty or relative: the loader would look in the current folder, where an unpacked
  data set may have put a library; $ORIGIN is allowed;
- full RELRO (GNU_RELRO and BIND_NOW), a stack that is not executable, programs independent of their position;
- of those named on the command line, that the stack is guarded (__stack_chk_fail) and, with --fortified, that functions
  of the C library check their buffers (__*_chk). Small programs may have nothing to guard.

A project that uses the installed library (consumer/) chooses its own hardening; its paths are checked all the same.
"""
import pathlib
import re
import subprocess
import sys


def is_binary(path: pathlib.Path) -> bool:
    """A program or shared library: ELF of type EXEC or DYN."""
    with path.open("rb") as file:
        head = file.read(18)
    return head[:4] == b"\x7fELF" and head[16] in (2, 3)


def binaries(folder: pathlib.Path):
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        # The bundle for cards holds copies of ours, and libraries of the system, which are as it has built them.
        if "CMakeFiles" in parts or "cuda-bundle" in parts or path.is_symlink() or not path.is_file():
            continue
        if is_binary(path):
            yield path


def path_complaints(dynamic: str):
    for kind, value in re.findall(r"\((RPATH|RUNPATH)\).*\[(.*)\]", dynamic):
        for element in value.split(":"):
            if not element.startswith(("/", "$ORIGIN", "${ORIGIN}")):
                yield f"{kind} [{value}] has the {'relative' if element else 'empty'} element '{element}'"


def hardening_complaints(text: str):
    if "GNU_RELRO" not in text or not re.search(r"BIND_NOW|FLAGS_1\).*\bNOW\b", text):
        yield "no full RELRO (-z relro -z now)"
    stack = re.search(r"GNU_STACK(?:\s+0x[0-9a-f]+){5}\s+([RWE ]+?)\s+0x", text)
    if not stack or "E" in stack.group(1):
        yield "the stack is executable (-z noexecstack)"
    if re.search(r"Elf file type is EXEC", text):
        yield "the program is not independent of its position (-pie)"


def guard_complaints(symbols: str, fortified: bool):
    if not re.search(r"UND __stack_chk_fail\b", symbols):
        yield "the stack is not guarded (-fstack-protector-strong)"
    if fortified and not re.search(r"UND __(?!stack)\w+_chk\b", symbols):
        yield "no function checks its buffer (-D_FORTIFY_SOURCE=2)"


def complaints(folder: pathlib.Path, required, fortified: bool):
    found = list(binaries(folder))
    for path in required:
        if path.resolve() not in [f.resolve() for f in found]:
            yield f"{path}: not there, build it first"
            continue
        symbols = subprocess.run(["readelf", "-W", "--dyn-syms", str(path)], capture_output=True, text=True, check=True).stdout
        for problem in guard_complaints(symbols, fortified):
            yield f"{path}: {problem}"
    for path in found:
        text = subprocess.run(["readelf", "-W", "-d", "-l", str(path)], capture_output=True, text=True, check=True).stdout
        problems = list(path_complaints(text))
        if "consumer" not in path.relative_to(folder).parts:
            problems += hardening_complaints(text)
        for problem in problems:
            yield f"{path.relative_to(folder)}: {problem}"


def main():
    fortified = sys.argv[1] == "--fortified"
    folder, *required = [pathlib.Path(p) for p in sys.argv[1 + fortified :]]
    found = list(complaints(folder, required, fortified))
    print("\n".join(found) if found else "programs and modules: good")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
