#!/usr/bin/env python3
"""Builds the documentation site in build-docs/html, from scratch: build_site.py [--program build/bin/bochner]

The pages are those of the project (README.md, CONTRIBUTING.md, CHANGELOG.md, docs/), at the same places in
build-docs/source, so that their relative links hold. Pages that are made from something else lie in its reference/: options
from --help of the program, the C++ API from the headers, folder by folder as in docs/architecture.md.
Warnings of Doxygen and Sphinx are errors.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

import check_site

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build-docs"
SITE = ROOT / "docs/site"
INCLUDE = ROOT / "include/bochner"

# ---- Markdown ----


def short_titles(navigation: str) -> dict[str, str]:
    """Pages by path and what the navigation calls them, from its lines 'Title <path>'."""
    return {path + ".md": title for title, path in re.findall(r"^(.+) <(.+)>$", navigation, re.MULTILINE)}


def with_titles(text: str, page: str, titles: dict[str, str]) -> str:
    """[fit.md](fit.md) and [fit.md](fit.md#new-samples), good names in a folder, become links with titles."""

    def link(match: re.Match) -> str:
        shown, target, anchor = match.groups()
        if pathlib.PurePosixPath(shown).name != pathlib.PurePosixPath(target).name:
            return match.group(0)
        path = os.path.normpath(os.path.join(os.path.dirname(page), target))
        return f"[{'' if anchor else titles.get(path, '')}]({target}{anchor})"

    return re.sub(r"\[([\w/.]+\.md)\]\(([\w/.]+\.md)(#[\w-]+|)\)", link, text)


def project_pages() -> dict[str, str]:
    navigation = (SITE / "navigation.md").read_text()
    titles = short_titles(navigation)
    paths = [ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]
    pages = {str(path.relative_to(ROOT)): path.read_text() for path in paths if path.parent != SITE}
    pages = {name: with_titles(text, name, titles).replace("../README.md", "../index.md") for name, text in pages.items()}
    pages["index.md"] = with_titles((ROOT / "README.md").read_text(), "index.md", titles) + navigation
    pages["reference/python.rst"] = (SITE / "python.rst").read_text()
    pages["reference/bibliography.md"] = (SITE / "bibliography.md").read_text()
    return pages


# ---- The command line ----


def command_page(program: pathlib.Path) -> str:
    """Every command with its options, from --help."""

    def ask(*args: str) -> str:
        return subprocess.run([program, *args], check=True, capture_output=True, text=True).stdout

    commands = re.findall(r"^  ([a-z]+) +\S.*\n {8,}bochner \1", ask("--help"), re.MULTILINE)
    if not commands:
        sys.exit(f"{program} --help: no commands found")
    out = ["# Commands and options\n\nWhat `bochner <command> --help` prints; "
           "[Command line](../docs/cli.md) describes what the commands have in common.\n"]
    for command in commands:
        summary, *lines = ask(command, "--help").splitlines()
        out.append(f"## {command}\n\n{summary.split(': ', 1)[1]}.\n\n```{{program}} bochner {command}\n```\n")
        example = False
        for line in lines:
            if heading := re.fullmatch(r"([A-Z][\w -]*):", line):
                example = heading.group(1).startswith("Example")
                out.append(f"\n**{heading.group(1)}**\n")
            elif option := re.match(r"  (-\S+(?: \S+)*)(?:  +(.*))?$", line):
                out.append(f"```{{option}} {option.group(1)}\n{option.group(2) or ''}\n```")
            else:
                out.append(f"    {line.strip()}" if example else line.strip())
        out.append("")
    return "\n".join(out)


# ---- The C++ API ----

BEHIND = re.compile(r"^([^/]*[;,{]|\s+\w[^/;(]*) +// (?=\S)")
FORMULA = re.compile(r"([A-Za-z][\w ]{0,24}(\([^)]*\))?'? [=~] |[a-z][a-z ]{2,24}: )")
COMMENT = re.compile(r"(\s*///) ?(.*)")
WIDTH = 112
# What is public, in this order
SECTIONS = ("briefdescription detaileddescription typedef enum innerclass public-type public-attrib public-static-attrib "
            "public-func public-static-func func var")


def header_for_doxygen(text: str) -> str:
    """The header as Doxygen and Breathe want it.

    - A plain comment behind a member says what it is; Doxygen would drop it.
    - A formula has a line of its own, which ends where the next word would have fitted; here it is a paragraph.
    - Indented lines, except in lists, keep their layout: four spaces and an empty line before.
    - '> 0' at the beginning of a comment is no quotation.
    - The namespace around everything is left to the page: Breathe would declare it once for each header.
    - Sphinx does not parse designated initialisers.
    """
    text = re.sub(r"^(namespace bochner \{|\}  // namespace bochner)$", "", text, flags=re.MULTILINE)
    text = re.sub(r" ?(= ?)?\{\.\w+ = [^}]*\};$", ";", text, flags=re.MULTILINE)
    lines = [re.sub(r"(///<?) >", r"\1 \\>", BEHIND.sub(r"\1 ///< ", line)) for line in text.splitlines()]
    out: list[str] = []
    in_list = in_block = False
    indent = 0
    for line, after in zip(lines, [*lines[1:], ""]):
        comment, following = COMMENT.fullmatch(line), COMMENT.fullmatch(after)
        if not comment:
            in_list = in_block = False
            out.append(line)
            continue
        slashes, content = comment.groups()
        rest = following.group(2) if following else ""
        in_list = content.startswith("- ") or in_list and content.startswith(" ")
        opens = FORMULA.match(content) and rest.startswith("   ")  # a formula of several lines
        if not in_list and (content.startswith("  ") or opens):
            if not in_block:
                out.append(slashes)
                indent = len(content) - len(content.lstrip())
            in_block = True
            out.append(f"{slashes}     {content[min(indent, len(content) - len(content.lstrip())):]}")
            continue
        in_block = False
        fitted = rest.strip() and len(line) + len(rest.split()[0]) < WIDTH
        ended = re.search(r"[.:;)\]\d]$" if FORMULA.match(rest) else r"[.)\]]$", content)
        broken = fitted and ended and not rest.startswith(" ") and (FORMULA.match(content) or FORMULA.match(rest))
        out += [line, slashes] if broken else [line]
    return "\n".join(out) + "\n"


def run_doxygen() -> dict[str, list[tuple[str, str]]]:
    """Reads the headers into build-docs/xml. Returns (kind, id or name) of the file and its concepts for each header.

    Files get their paths in the index, which has bare names: Breathe looks there, and some names are common.
    """
    for header in INCLUDE.rglob("*.hpp"):
        copy = BUILD / "headers/bochner" / header.relative_to(INCLUDE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(header_for_doxygen(header.read_text()))
    subprocess.run(["doxygen", ROOT / "docs/Doxyfile"], cwd=BUILD / "headers", check=True)

    found: dict[str, list[tuple[str, str]]] = {}
    xml = BUILD / "xml"

    def path_of(match: re.Match) -> str:
        refid, kind, name = match.groups()
        path = re.findall(r'<location file="([^"]+)"', (xml / f"{refid}.xml").read_text())[-1]
        found.setdefault(path, []).append((kind, refid if kind == "file" else name))
        return match.group(0).replace(f">{name}<", f">{path}<") if kind == "file" else match.group(0)

    index = re.sub(r'refid="([^"]+)" kind="(file|concept)"><name>([^<]*)</name>', path_of, (xml / "index.xml").read_text())
    (xml / "index.xml").write_text(index)
    for path in xml.glob("class*.xml"):  # Doxygen lists private classes as well
        path.write_text(re.sub(r'<innerclass [^>]*prot="private"[^>]*>[^<]*</innerclass>', "", path.read_text()))
    return found


def folders(architecture: str) -> dict[str, str]:
    """Folders of public headers and their purposes, in the order of the table in docs/architecture.md."""
    table = dict(re.findall(r"^\| `([a-z/]+)` \| (.*) \|$", architecture, re.MULTILINE))
    there = {str(p.parent.relative_to(INCLUDE)) for p in INCLUDE.rglob("*.hpp")}
    if missing := sorted(there - set(table)):
        sys.exit(f"docs/architecture.md: its table of folders lacks {', '.join(missing)}")
    return {folder: purpose for folder, purpose in table.items() if folder in there}


def cpp_pages(purposes: dict[str, str], found: dict[str, list[tuple[str, str]]]) -> dict[str, str]:
    pages = {}
    for folder, purpose in purposes.items():
        sentence = purpose[0].upper() + purpose[1:] if re.match("[a-z]{2}", purpose) else purpose
        parts = [f"# bochner/{folder}\n\n{sentence}.\n\n```{{cpp:namespace}} bochner\n```\n"]
        for header in sorted((INCLUDE / folder).glob("*.hpp")):
            if "\nnamespace bochner {\n" not in header.read_text():
                continue  # all in bochner::detail
            name = f"bochner/{folder}/{header.name}"
            label = next(one for kind, one in found[name] if kind == "file")
            parts.append(f"({label})=\n## {header.name}\n\n```cpp\n#include <{name}>\n```\n")
            parts += [f"```{{doxygenconcept}} {one}\n```\n" for kind, one in found[name] if kind == "concept"]
            parts.append(f"```{{doxygenfile}} {name}\n:sections: {SECTIONS}\n```\n")
        pages[f"reference/cpp/{folder}.md"] = "\n".join(parts)
    rows = "".join(f"| [{folder}](cpp/{folder}.md) | {purpose} |\n" for folder, purpose in purposes.items())
    toc = "```{toctree}\n:hidden:\n\n" + "".join(f"{folder} <cpp/{folder}>\n" for folder in purposes) + "```\n"
    pages["reference/cpp.md"] = (
        "# C++ API\n\nThe public headers by folder, all in the namespace `bochner`. A folder includes folders above it "
        "([include order](../docs/architecture.md#folders)); names of matrices and their shapes are in "
        f"[Notation](../docs/notation.md).\n\n| folder | content |\n| --- | --- |\n{rows}\n{toc}")
    return pages


def copy_katex():
    """What the pages need of Debian's libjs-katex: its style sheet offers fonts in two older formats too."""
    katex = pathlib.Path("/usr/share/javascript/katex")
    static = BUILD / "static/katex"
    (static / "fonts").mkdir(parents=True)
    shutil.copy(katex / "katex.min.js", static)
    css = (katex / "katex.min.css").read_text()
    (static / "katex.min.css").write_text(re.sub(r",url\([^)]*\.(?:woff|ttf)\) format\(['\"]\w+['\"]\)", "", css))
    for font in (katex / "fonts").glob("*.woff2"):
        shutil.copy(font, static / "fonts")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/bin/bochner")
    program = parser.parse_args().program
    shutil.rmtree(BUILD, ignore_errors=True)

    pages = project_pages()
    pages["reference/commands.md"] = command_page(program)
    pages.update(cpp_pages(folders((ROOT / "docs/architecture.md").read_text()), run_doxygen()))
    for name, text in pages.items():
        path = BUILD / "source" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for path in (ROOT / "docs").glob("*.*"):
        if path.suffix in (".bib", ".svg", ".png"):
            shutil.copy(path, BUILD / "source/docs")
    copy_katex()

    # One process: an exception in one of several ends without a word.
    sphinx = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going",
              "-c", ROOT / "docs", "-d", BUILD / "doctrees", BUILD / "source", BUILD / "html"]
    if subprocess.run(sphinx).returncode:
        sys.exit(1)
    return check_site.main([str(BUILD / "html")])


if __name__ == "__main__":
    sys.exit(main())
