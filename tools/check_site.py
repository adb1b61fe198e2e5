#!/usr/bin/env python3
"""Fails when a site has a link to a file or an anchor that is not there, or loads anything from elsewhere: check_site.py FOLDER"""
import html.parser
import pathlib
import re
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The anchors of a page, and what it refers to: (line, tag, target)."""

    def __init__(self, text: str):
        super().__init__()
        self.anchors = {"", "top"}  # every browser has these
        self.references: list[tuple[int, str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)
            elif name in ("href", "src", "data") and value is not None:
                self.references.append((self.getpos()[0], tag, value))


def complaints(site: pathlib.Path):
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    if not pages:
        yield f"{site}: has no HTML files"
    for path, page in pages.items():
        for line, tag, target in page.references:
            where = f"{path.relative_to(site)}:{line}"
            url = urllib.parse.urlsplit(target)
            if url.scheme in ("data", "mailto"):
                continue
            if url.scheme or url.netloc:
                if tag != "a":  # a reader may follow a link; nothing else may need a network
                    yield f"{where}: loads {target}"
                continue
            file = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            if not file.is_relative_to(site) or not file.is_file():
                yield f"{where}: links to {target}: no such file"
            elif file in pages and urllib.parse.unquote(url.fragment) not in pages[file].anchors:
                yield f"{where}: links to {target}: no such anchor"
    for path in sorted(site.rglob("*.css")):
        for target in re.findall(r"(?:url\(\s*|@import\s+(?!url))[\"']?([^\"')\s]+)", path.read_text(encoding="utf-8")):
            url = urllib.parse.urlsplit(target)
            if url.netloc:
                yield f"{path.relative_to(site)}: loads {target}"
            elif url.scheme != "data" and url.path and not (path.parent / urllib.parse.unquote(url.path)).is_file():
                yield f"{path.relative_to(site)}: loads {target}: no such file"


def main(args=sys.argv[1:]):
    site = pathlib.Path(args[0]).resolve()
    found = list(complaints(site))
    print("\n".join(found) if found else f"site: good ({len(list(site.rglob('*.html')))} pages)")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
