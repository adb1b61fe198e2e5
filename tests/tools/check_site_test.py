"""tools/check_site.py accepts a good site and finds each kind of fault: check_site_test.py PATH/check_site.py"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(sys.argv.pop(1)).resolve()
GOOD = {
    "index.html": '<link href="style.css?v=1"><a href="docs/fit.html#new-samples">New</a> <a href="#">up</a> <img src="a%20b.png">'
    '<a href="https://example.org/gone">elsewhere</a> <a href="mailto:a@b.c">mail</a> <img src="data:image/png;base64,AA=="><p id="x">',
    "docs/fit.html": '<h2 id="new-samples">New</h2><a name="old" href="../index.html#x">Home</a><a href="#old">Old</a>',
    "style.css": "",
    "a b.png": "",
}


def check(files):
    """Exit code and output of the checker for a site with these files and the good ones."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**GOOD, **files}.items():
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run([sys.executable, str(CHECKER), folder], capture_output=True, text=True)
        return done.returncode, done.stdout


class CheckSite(unittest.TestCase):
    def refuse(self, page, complaint):
        self.assertEqual(check({"docs/new.html": page}), (1, complaint + "\n"))

    def test_a_good_site_passes(self):
        self.assertEqual(check({}), (0, "site: good (2 pages)\n"))

    def test_a_link_to_a_file_that_is_not_there(self):
        self.refuse('<p>\n<a href="gone.html">', "docs/new.html:2: links to gone.html: no such file")
        self.refuse('<img src="../gone.png">', "docs/new.html:1: links to ../gone.png: no such file")
        self.refuse('<a href="../docs/">', "docs/new.html:1: links to ../docs/: no such file")  # a browser lists the folder

    def test_a_link_that_leaves_the_site(self):
        self.refuse('<a href="../../etc/passwd">', "docs/new.html:1: links to ../../etc/passwd: no such file")

    def test_a_link_to_an_anchor_that_is_not_there(self):
        self.refuse('<a href="#gone">', "docs/new.html:1: links to #gone: no such anchor")
        self.refuse('<a href="fit.html#gone">', "docs/new.html:1: links to fit.html#gone: no such anchor")

    def test_anything_loaded_from_elsewhere(self):
        self.refuse('<script src="https://cdn.example.org/a.js"></script>', "docs/new.html:1: loads https://cdn.example.org/a.js")
        self.refuse('<link href="//fonts.example.org/a.css">', "docs/new.html:1: loads //fonts.example.org/a.css")
        self.refuse('<img src="http://example.org/a.png">', "docs/new.html:1: loads http://example.org/a.png")

    def test_a_style_sheet_that_loads_from_elsewhere_or_from_nowhere(self):
        for rule in ('@import url("https://fonts.example.org/a.css");', "@import 'https://fonts.example.org/a.css';"):
            self.assertEqual(check({"style.css": rule}), (1, "style.css: loads https://fonts.example.org/a.css\n"))
        self.assertEqual(check({"style.css": "p { src: url(a.woff2) }"}), (1, "style.css: loads a.woff2: no such file\n"))
        self.assertEqual(check({"style.css": "p { mask: url('#x'); src: url('a%20b.png'); background: url(data:image/png;base64,AA) }"})[0], 0)

    def test_an_empty_folder_is_the_wrong_one(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, str(CHECKER), folder], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()
