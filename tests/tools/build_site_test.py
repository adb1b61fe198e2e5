"""What tools/build_site.py makes of Markdown, headers and --help: build_site_test.py PATH/build_site.py"""
import pathlib
import sys
import tempfile
import unittest

TOOL = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(TOOL.parent))
import build_site  # noqa: E402

HELP = """bochner 0.1.0

Commands:
  fit      Embed tables
             bochner fit --view rna=rna.csv
  predict  Predict rows
             bochner predict model
"""
FIT_HELP = """bochner fit: Embed tables; impute

Joins samples by id.

Input:
  --view NAME=TABLE        Table of observations (required)
  --resume                 Resume the run

Example:
  bochner fit --view rna=rna.csv
"""


class Markdown(unittest.TestCase):
    titles = build_site.short_titles("```{toctree}\nOverview <self>\nFitting models <docs/fit>\n```\n")

    def test_names_of_files_become_titles(self):
        text = "see [fit.md](fit.md), [docs/fit.md](../docs/fit.md), [fit.md](fit.md#new-samples)"
        self.assertEqual(build_site.with_titles(text, "docs/kpca.md", self.titles),
                         "see [Fitting models](fit.md), [Fitting models](../docs/fit.md), [](fit.md#new-samples)")

    def test_other_links_stay(self):
        for text in ("[the guide](fit.md)", "[`bochner fit`](fit.md)", "[refs.bib](refs.bib)", "[fit.md](https://a.org/fit.md)"):
            self.assertEqual(build_site.with_titles(text, "docs/kpca.md", self.titles), text)


class Headers(unittest.TestCase):
    def becomes(self, header, wanted):
        self.assertEqual(build_site.header_for_doxygen(header), wanted)

    def test_comments_behind_members(self):
        self.becomes("  double scale = 1;  // > 0\n  int a, b;  // `b` is the last\n", "  double scale = 1; ///< \\> 0\n  int a, b; ///< `b` is the last\n")
        self.becomes("  converged,  // the end\n", "  converged, ///< the end\n")
        self.becomes("// not behind a member\n", "// not behind a member\n")

    def test_formulas_have_lines_of_their_own(self):
        self.becomes("/// k(x, y) = x'y   [a2001]\n/// theta = none\nstruct A;\n", "/// k(x, y) = x'y   [a2001]\n///\n/// theta = none\nstruct A;\n")
        prose = "/// The first line of a sentence, with more than a hundred characters, which goes on in the line that follows as\n/// a = 3.\n"
        self.becomes(prose, prose)
        self.becomes("/// which is here\n/// k(0) = 1.\n", "/// which is here\n/// k(0) = 1.\n")

    def test_indented_lines_are_code(self):
        self.becomes("/// As follows:\n///   a = b\n///     c\n/// where\n", "/// As follows:\n///\n///     a = b\n///       c\n/// where\n")
        listed = "/// - one\n///   and more of it\n/// - two\n"
        self.becomes(listed, listed)

    def test_the_namespace_and_designated_initialisers_go(self):
        self.becomes("namespace bochner {\nconstexpr Kinds kinds{.finite = true, .network = true};\n}  // namespace bochner\n", "\nconstexpr Kinds kinds;\n\n")
        self.becomes("namespace bochner::detail {\n", "namespace bochner::detail {\n")


class Commands(unittest.TestCase):
    def test_options_of_every_command(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "bochner"
            (pathlib.Path(folder) / "all").write_text(HELP)
            (pathlib.Path(folder) / "fit").write_text(FIT_HELP)
            (pathlib.Path(folder) / "predict").write_text("bochner predict: Predict rows\n")
            program.write_text(f'#!/bin/sh\n[ "$1" = --help ] && exec cat "{folder}/all"\nexec cat "{folder}/$1"\n')
            program.chmod(0o755)
            page = build_site.command_page(program)
        self.assertIn("## fit\n\nEmbed tables; impute.\n", page)
        self.assertIn("Joins samples by id.", page)
        self.assertIn("\n**Input**\n", page)
        self.assertIn("```{option} --view NAME=TABLE\nTable of observations (required)\n```", page)
        self.assertIn("```{option} --resume\nResume the run\n```", page)
        self.assertIn("\n    bochner fit --view rna=rna.csv\n", page)
        self.assertIn("## predict\n\nPredict rows.\n", page)


class Folders(unittest.TestCase):
    def test_purposes_come_from_the_table_and_every_folder_needs_one(self):
        rows = [f"| `{p.relative_to(build_site.INCLUDE)}` | what {p.name} holds |" for p in build_site.INCLUDE.rglob("*") if list(p.glob("*.hpp"))]
        found = build_site.folders("\n".join([*rows, "| `cli/frame` | commands |"]))
        self.assertEqual(found["models/gp"], "what gp holds")
        self.assertNotIn("cli/frame", found)
        with self.assertRaisesRegex(SystemExit, "lacks"):
            build_site.folders("\n".join(rows[1:]))


if __name__ == "__main__":
    unittest.main()
