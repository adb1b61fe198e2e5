"""tools/check_version.py finds a version that is stated a second time, and a commit subject that is too long is refused."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(sys.argv.pop())
GOOD = {
    "CMakeLists.txt": 'project(bochner VERSION 1.2.3 LANGUAGES CXX)\n',
    "CITATION.cff": "version: 1.2.3\n",
    "CHANGELOG.md": "# Changelog\n\n## [Unreleased]\n",
    "pyproject.toml": '[project]\ndynamic = ["version"]\n',
    "python/bochner/__init__.py": "from ._core import __version__\n",
}


def check(changes):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**GOOD, **changes}.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        run = subprocess.run([sys.executable, CHECK, folder], capture_output=True, text=True, check=False)
        return run.returncode, run.stdout


class CheckVersion(unittest.TestCase):
    def test_one_version(self):
        self.assertEqual(check({}), (0, "version: good\n"))

    def test_released(self):
        self.assertEqual(check({"CHANGELOG.md": "## [1.2.3] - 2030-01-02\n"})[0], 0)

    def test_each_other_version_is_found(self):
        for name, text in [
            ("CITATION.cff", "version: 1.2.2\n"),
            ("CHANGELOG.md", "## [1.2.2] - 2030-01-02\n"),
            ("pyproject.toml", '[project]\nversion = "1.2.3"\n'),
            ("python/bochner/__init__.py", '__version__ = "1.2.3"\n'),
            ("CMakeLists.txt", "project(bochner)\n"),
        ]:
            with self.subTest(name):
                code, output = check({name: text})
                self.assertEqual(code, 1)
                self.assertIn(name, output)


class CheckCommitSubject(unittest.TestCase):
    def code(self, message):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(message)
            file.flush()
            hook = CHECK.with_name("check_commit_subject.sh")
            return subprocess.run([hook, file.name], capture_output=True, check=False).returncode

    def test_subjects(self):
        self.assertEqual(self.code("Add a kernel\n\nBecause.\n"), 0)
        self.assertEqual(self.code("# a comment of git\nAdd a kernel\n"), 0)
        self.assertEqual(self.code("Merge branch 'a' of " + 80 * "x"), 0)
        self.assertEqual(self.code("A" * 73), 1)
        self.assertEqual(self.code("add a kernel"), 1)
        self.assertEqual(self.code("Add a kernel."), 1)


if __name__ == "__main__":
    unittest.main()
