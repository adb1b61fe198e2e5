"""Sphinx configuration of the documentation site; `make docs` builds it (tools/build_site.py)."""
import pathlib
import re

from docutils import nodes
from docutils.utils.math import latex2mathml
from sphinx.transforms.post_transforms import SphinxPostTransform

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build-docs"

project = "bochner"
copyright = "the bochner authors"
release = version = re.search(r"project\(bochner VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc", "breathe", "sphinxcontrib.bibtex"]
templates_path = [str(ROOT / "docs/site/templates")]
nitpicky = True
highlight_language = "text"

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
bibtex_default_style = "plain"

# HTML: nothing from elsewhere, so that the site opens from disk without a network
html_theme = "furo"
html_title = f"bochner {version}"
html_static_path = [str(ROOT / "docs/site/static")]
html_css_files = ["site.css"]
html_math_renderer = "mathml"
html_show_search_summary = False  # it is fetched, which browsers refuse for files
html_copy_source = False
html_show_sphinx = False

nitpick_ignore_regex = [
    ("cpp:.*", r"(std|Eigen|nlohmann|Clock|Vector|Matrix)(::.*)?"),  # of other libraries
]


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


def visit_math(self, node):
    self.body.append(latex2mathml.tex2mathml(node.astext(), as_block=False))
    raise nodes.SkipNode


def visit_math_block(self, node):
    self.body.append('<div class="math">' + latex2mathml.tex2mathml(node.astext(), as_block=True) + "</div>")
    raise nodes.SkipNode


def setup(app):
    app.add_post_transform(LinkCitations)
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math_block, None))
