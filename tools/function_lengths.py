#!/usr/bin/env python3
"""Lists functions of more than 60 lines; fails if one of them is not a table of options or bindings.

    tools/function_lengths.py [ROOT] [--limit 60]

Reads what clang-format wrote: the body of a function ends with a brace in the column in which its head begins.
"""
import argparse
import pathlib
import re

HEAD = re.compile(r"^(?P<indent> *)(?!namespace|struct|class|enum|union|extern|for|if|else|while|switch|do|try|return|using|template|public|private|protected|//|#|\})\S.*")
# Lists, not logic: every line is an option, or a method bound to Python.
TABLES = re.compile(r"(?:cli/.*options\.cpp|python/src/.*\.cpp)$")


def functions(path):
    """(first line, lines, head) of every function in the file."""
    text = path.read_text(encoding="utf-8")
    # Raw strings hold other languages: keep their lines, drop their content.
    text = re.sub(r'R"(\w*)\((.*?)\)\1"', lambda m: '""' + "\n" * m[2].count("\n"), text, flags=re.DOTALL)
    lines = text.splitlines()
    i = 0
    while i < len(lines):
        head = HEAD.match(lines[i])
        if not head or "(" not in lines[i]:
            i += 1
            continue
        end = i  # the head may run over several lines
        while end < len(lines) and not lines[end].rstrip().endswith(("{", ";", "}")) and end - i < 12:
            end += 1
        if end >= len(lines) or not lines[end].rstrip().endswith("{") or lines[end].lstrip().startswith("namespace"):
            i += 1
            continue
        close = head["indent"] + "}"
        stop = next((j for j in range(end + 1, len(lines)) if lines[j].rstrip() in (close, close + ";", close + ");")), None)
        if stop is None:
            i += 1
            continue
        yield i + 1, stop - i + 1, lines[i].strip()
        i = stop + 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", default=".", type=pathlib.Path)
    parser.add_argument("--limit", type=int, default=60)
    options = parser.parse_args()
    root = options.root.resolve()
    count, found = 0, []
    for folder in ("include", "src", "cli", "python/src"):
        for path in sorted((root / folder).rglob("*.?pp")):
            for line, length, head in functions(path):
                count += 1
                if length > options.limit:
                    found.append((length, path.relative_to(root).as_posix(), line, head))
    wrong = 0
    for length, name, line, head in sorted(found, reverse=True):
        table = bool(TABLES.search(name))
        wrong += not table
        print(f"{length:4} {name}:{line} {head}{'  (a table)' if table else ''}")
    print(f"{count} functions, {len(found)} of more than {options.limit} lines, {wrong} of them not tables")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
