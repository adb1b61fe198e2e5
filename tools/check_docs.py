#!/usr/bin/env python3
"""Fails when the documents and the code drift apart.

- every ```cpp block in README.md and docs/ is, word for word, a file of examples/ (which the tests compile and run);
- every [key2016] cited in a document or a source file stands in docs/refs.bib;
- every file that README.md and docs/ link to exists;
- every page of docs/ stands in the navigation of the site and in the table of docs/README.md.
"""
import pathlib
import re
import sys

CITATION = re.compile(r"\[([a-z]+(?:[12][0-9]{3})[a-z]?)(?:[,;\]])")


def complaints(root: pathlib.Path):
    documents = [root / "README.md", root / "CONTRIBUTING.md", root / "CHANGELOG.md", *sorted((root / "docs").rglob("*.md"))]
    examples = {p.read_text(encoding="utf-8").strip() for p in (root / "examples").glob("*.cpp")}
    blocks = 0
    for document in documents:
        text = document.read_text(encoding="utf-8")
        for block in re.findall(r"```cpp\n(.*?)```", text, re.DOTALL):
            blocks += 1
            if block.strip() not in examples:
                yield f"{document.name}: a C++ block is not a file of examples/: {block.strip().splitlines()[0]}"
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", text):
            if not (document.parent / target).exists():
                yield f"{document.name}: links to {target}, which does not exist"
    navigation = (root / "docs/site/navigation.md").read_text(encoding="utf-8")
    overview = (root / "docs/README.md").read_text(encoding="utf-8")
    for page in sorted((root / "docs").rglob("*.md")):
        name = page.relative_to(root / "docs")
        if name.parts[0] == "site" or name.name == "README.md":
            continue
        if f"<docs/{name.with_suffix('')}>" not in navigation:
            yield f"docs/{name}: is not in docs/site/navigation.md"
        if f"]({name}" not in overview:
            yield f"docs/{name}: is not in docs/README.md"
    if not blocks:
        yield "README.md: has no C++ example"
    keys = set(re.findall(r"@\w+\{([^,\s]+),", (root / "docs/refs.bib").read_text(encoding="utf-8")))
    sources = [path for folder in ("include", "src", "cli", "tests", "bench", "examples") for path in sorted((root / folder).rglob("*.?pp"))]
    for path in [*documents, *sources]:
        for key in CITATION.findall(path.read_text(encoding="utf-8")):
            if key not in keys:
                yield f"{path.relative_to(root)}: cites [{key}], which is not in docs/refs.bib"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = list(complaints(root))
    print("\n".join(found) if found else "documents: good")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
