"""Sphinx configuration of the documentation site; `make docs` builds it (tools/build_site.py)."""
import html
import pathlib
import re

import bochner
import pybtex.plugin
from docutils import nodes
from docutils.utils.math import MathError, latex2mathml
from pybtex.style.formatting.plain import Style as PlainStyle
from pybtex.style.labels import BaseLabelStyle
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build-docs"

project = "bochner"
release = version = re.search(r"project\(bochner VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc", "breathe", "sphinxcontrib.bibtex"]
templates_path = [str(ROOT / "docs/site/templates")]
nitpicky = True
highlight_language = "text"
smartquotes = False  # ' is a transpose, -- begins an option
toc_object_entries_show_parents = "hide"

# Markdown
myst_enable_extensions = ["dollarmath", "attrs_inline"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

# Python
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings say it
autosummary_generate = True
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

# C++
breathe_projects = {"bochner": str(BUILD / "xml")}
breathe_default_project = "bochner"
breathe_default_members = ("members",)
breathe_show_include = False
cpp_maximum_signature_line_length = 100

# Literature
bibtex_bibfiles = [str(ROOT / "docs/refs.bib")]
bibtex_default_style = "by_key"

# HTML: nothing from elsewhere, so that the site opens from disk without a network
html_theme = "furo"
html_title = f"bochner {version}"
html_static_path = [str(ROOT / "docs/site/static"), str(BUILD / "static")]
html_css_files = ["site.css"]
html_math_renderer = "katex"
html_show_search_summary = False  # it is fetched, which browsers refuse for files
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False

nitpick_ignore_regex = [
    ("cpp:.*", r"(std|Eigen|nlohmann|Clock|Vector|Matrix)(::.*)?"),  # of other libraries
]


class KeyLabels(BaseLabelStyle):
    def format_labels(self, sorted_entries):
        return [entry.key for entry in sorted_entries]


class ByKey(PlainStyle):
    """The bibliography has the keys that the code cites."""

    default_label_style = KeyLabels


pybtex.plugin.register_plugin("pybtex.style.formatting", "by_key", ByKey)


class LinkCitations(SphinxPostTransform):
    """[rasmussen2006, Eq. 5.1], in Markdown as in comments of headers, links to the bibliography."""

    default_priority = 700

    def run(self, **kwargs):
        entries = {c.key: c for c in self.env.get_domain("cite").citations}
        if not entries:
            return
        keys = re.compile(r"\b(" + "|".join(sorted(entries)) + r")\b")
        for text in list(self.document.findall(nodes.Text)):
            if not keys.search(text) or isinstance(text.parent, (nodes.literal, nodes.literal_block, nodes.reference, nodes.citation, nodes.label)):
                continue
            parts = []
            for i, part in enumerate(keys.split(text)):
                if i % 2:
                    entry = entries[part]
                    page = self.app.builder.get_relative_uri(self.env.docname, entry.bibliography_key.docname)
                    parts.append(nodes.reference("", part, internal=True, refuri=f"{page}#{entry.citation_id}"))
                elif part:
                    parts.append(nodes.Text(part))
            text.parent.replace(text, parts)


def guess_languages(app, doctree):
    """Indented blocks name no language: most are commands, some in headers are C++."""
    for block in doctree.findall(nodes.literal_block):
        if block.get("language", "text") in ("text", "none", "default"):
            if re.match(r"(bochner|make|source|for|pip) ", block.astext()):
                block["language"] = "bash"
            elif re.search(r";( *//.*)?$", block.astext(), re.MULTILINE):
                block["language"] = "cpp"


def math(node, tag, as_block):
    """MathML, which KaTeX replaces; without JavaScript it stays. What docutils does not understand is a warning."""
    tex = node.astext()
    try:
        shown = latex2mathml.tex2mathml(tex, as_block=as_block)
    except MathError as error:
        logging.getLogger(__name__).warning("%s", error, location=node)
        shown = ""
    return f'<{tag} class="math" data-tex="{html.escape(tex)}">{shown}</{tag}>'


def visit_math(self, node):
    self.body.append(math(node, "span", False))
    raise nodes.SkipNode


def visit_math_block(self, node):
    self.body.append(math(node, "div", True))
    raise nodes.SkipNode


def add_katex(app, pagename, templatename, context, doctree):
    if doctree and next(doctree.findall(lambda node: isinstance(node, (nodes.math, nodes.math_block))), None):
        app.add_css_file("katex/katex.min.css")
        app.add_js_file("katex/katex.min.js")
        app.add_js_file("math.js")


def check_names(app):
    listed = (ROOT / "docs/site/python.rst").read_text().split()
    for name in bochner.__all__:
        if name not in listed:
            logging.getLogger(__name__).warning("docs/site/python.rst: lacks %s", name)


def setup(app):
    app.connect("builder-inited", check_names)
    app.connect("doctree-read", guess_languages)
    app.add_post_transform(LinkCitations)
    app.connect("html-page-context", add_katex)
    app.add_html_math_renderer("katex", (visit_math, None), (visit_math_block, None))
