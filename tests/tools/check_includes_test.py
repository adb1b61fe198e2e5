"""tools/check_includes.py accepts a good folder and finds each kind of fault: check_includes_test.py PATH/check_includes.py"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(sys.argv.pop(1)).resolve()
GOOD = {
    "include/bochner/core/types.hpp": "#pragma once\n",
    "include/bochner/compute/lane_sum.hpp": '#pragma once\n#include "bochner/core/types.hpp"\n',
    "src/compute/cholesky.cpp": "Eigen::LLT<Matrix> llt(A);\nfor (Index lane = 1; lane < lanes; ++lane) sum += x[lane];\n",
    "src/models/gp/fit.cpp": '#include "bochner/compute/lane_sum.hpp"\n// no LLT and no rankUpdate here; for (each lane) there is LaneSum\n',
}


def check(files):
    """Exit code and output of the checker for a project with these files and the good ones."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**GOOD, **files}.items():
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run([sys.executable, str(CHECKER), folder], capture_output=True, text=True)
        return done.returncode, done.stdout


class CheckIncludes(unittest.TestCase):
    def refuse(self, files, *parts):
        code, output = check(files)
        self.assertEqual(code, 1, output)
        for part in parts:
            self.assertIn(part, output)

    def test_a_good_project_passes(self):
        self.assertEqual(check({}), (0, "include order: good\n"))

    def test_a_folder_that_reaches_to_its_right(self):
        self.refuse({"src/core/a.cpp": '#include "bochner/compute/lane_sum.hpp"\n'}, "src/core/a.cpp: 'core' includes 'compute'")

    def test_factorisations_by_hand_in_models(self):
        for code in ("const Eigen::LLT<Matrix> llt(A);", "Eigen::LDLT<Matrix> ldlt(A);", "return A.llt().solve(b);"):
            for name in ("src/models/gp/a.cpp", "include/bochner/models/gp/a.hpp"):
                self.refuse({name: "#pragma once\n" + code + "\n"}, name + ":2: ", "compute/cholesky.hpp")

    def test_products_by_hand_in_models(self):
        self.refuse({"src/models/bayes/a.cpp": "\n\nC.selfadjointView<Eigen::Lower>().rankUpdate(X);\n"}, "src/models/bayes/a.cpp:3: ",
                    "compute/products.hpp")

    def test_loops_over_lanes_in_models(self):
        for loop in ("for (Index lane = 1; lane < plan.lanes; ++lane) a += sums[lane];", "for (const Matrix& lane : sums) a += lane;",
                     "for (auto& one : lanes_) a += one;", "for (std::size_t i = 1; i < lanes.size(); ++i) a += lanes[i];"):
            self.refuse({"src/models/gplvm/a.cpp": loop + "\n"}, "src/models/gplvm/a.cpp:1: ", "compute/lane_sum.hpp")

    def test_an_empty_folder_is_the_wrong_one(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, str(CHECKER), folder], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()
