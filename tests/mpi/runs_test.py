"""Runs of several processes against runs of one: runs_test.py PROGRAM PLUGIN MPIEXEC"""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM, PLUGIN, MPIEXEC = (sys.argv.pop(1) for _ in range(3))
PROGRAM, PLUGIN = os.path.abspath(PROGRAM), os.path.abspath(PLUGIN)
ENVIRONMENT = dict(
    os.environ, BOCHNER_MPI=PLUGIN, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
    OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
    OMPI_MCA_btl_vader_single_copy_mechanism="none", OMPI_MCA_hwloc_base_binding_policy="none")
RANKS = (1, 2, 3, 4)


def table(rows, columns, seed, missing=0.0):
    """A smooth function of two hidden coordinates, with noise."""
    draw = random.Random(seed)
    weights = [(draw.gauss(0, 1), draw.gauss(0, 1)) for _ in range(columns)]
    lines = ["id," + ",".join(f"c{j}" for j in range(columns))]
    hidden = random.Random(7)
    for n in range(rows):
        u, v = hidden.gauss(0, 1), hidden.gauss(0, 1)
        cells = [f"{a * u + b * v + a * u * v + 0.1 * draw.gauss(0, 1):.6g}" for a, b in weights]
        lines.append(f"s{n}," + ",".join("" if draw.random() < missing else cell for cell in cells))
    return "\n".join(lines) + "\n"


def without_times(value):
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if "seconds" not in k}
    return [without_times(v) for v in value] if isinstance(value, list) else value


def contents(folder):
    """The files of a run: without its log and report, which tell the time and the number of threads."""
    out = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not path.is_file() or name in ("log.jsonl", "report.html"):
            continue
        out[name] = without_times(json.loads(path.read_text())) if name == "metrics.json" else path.read_bytes()
    return out


class Runs(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def start(self, ranks, arguments, **options):
        launcher = [MPIEXEC, "-n", str(ranks)] if ranks else []
        return subprocess.Popen(launcher + [PROGRAM, *arguments], cwd=self.folder, env=ENVIRONMENT, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def run_(self, ranks, *arguments, code=0):
        process = self.start(ranks, arguments)
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, code, f"{ranks} ranks: {out}{err}")
        return out, err

    def expect_same(self, *arguments, ranks=RANKS):
        """The folder of one process without a launcher, and those of several."""
        self.run_(0, *arguments, "--out", "one", "--threads", "2")
        want = contents(self.folder / "one")
        self.assertGreater(len(want), 2)
        for P in ranks:
            out, _ = self.run_(P, *arguments, "--out", f"by{P}", "--threads", "1")
            self.assertEqual(out.count("Wrote "), 1, out)  # printed once
            found = contents(self.folder / f"by{P}")
            self.assertEqual(sorted(found), sorted(want))
            for name, content in want.items():
                self.assertEqual(found[name], content, f"{name} of {P} ranks")

    def test_fit_with_random_features(self):
        self.write("a.csv", table(700, 6, 1, missing=0.05))
        self.write("b.csv", table(700, 4, 2))
        self.expect_same("fit", "a.csv", "b.csv", "--features", "60", "--steps", "60", "--dims", "2", "--seed", "3")

    def test_fit_by_chains(self):
        self.write("a.csv", table(120, 4, 1, missing=0.05))
        self.expect_same("fit", "a.csv", "--inference", "mcmc", "--dims", "2", "--warmup", "20", "--draws", "20",
                         "--chains", "3")

    def test_kpca(self):
        self.write("a.csv", table(1300, 5, 1))
        self.expect_same("kpca", "a.csv", "--kernel", "rbf", "--dims", "3", "--seed", "2")
        self.expect_same("kpca", "a.csv", "--features", "300", "--dims", "3", "--seed", "2", ranks=(3,))

    def test_apply(self):
        self.write("a.csv", table(150, 4, 1))
        self.write("new.csv", table(9000, 4, 1, missing=0.02))  # several blocks of rows
        self.run_(0, "fit", "a.csv", "--features", "40", "--steps", "40", "--dims", "2", "--out", "run")
        self.expect_same("apply", "run/model.bochner", "new.csv")
        self.run_(0, "kpca", "a.csv", "--dims", "2", "--out", "components")
        self.expect_same("apply", "components/model.bochner", "new.csv", ranks=(3,))

    def test_predict(self):
        self.write("xy.csv", table(400, 4, 1))
        self.write("new.csv", table(17000, 4, 1))
        self.run_(0, "regress", "--x", "xy.csv", "--y", "xy.csv:c3", "--inducing", "30", "--steps", "50", "--out", "run")
        self.expect_same("predict", "run/model.bochner", "new.csv", "--y", "new.csv:c3", "--parts")

    def test_commands_that_share_nothing_run_once(self):
        self.write("xy.csv", table(200, 4, 1))
        arguments = ("regress", "--x", "xy.csv", "--y", "xy.csv:c3", "--inducing", "20", "--steps", "30", "--seed", "4")
        self.expect_same(*arguments, ranks=(3,))
        out, err = self.run_(3, *arguments, "--out", "again")
        self.assertEqual(err.count("is not shared: one process of 3 does it"), 1, err)

    def test_messages_come_once(self):
        out, _ = self.run_(3, "--version")
        self.assertEqual(out.count("bochner 0"), 1, out)
        out, err = self.run_(3, "fit", "absent.csv", "--out", "run", code=1)
        self.assertEqual(err.count("absent.csv"), 1, err)
        self.assertNotIn("rank 0:", err)
        self.write("a.csv", table(100, 3, 1))
        out, _ = self.run_(3, "fit", "a.csv", "--out", "run", "--dry-run")
        self.assertEqual(out.count("bochner fit would"), 1, out)
        self.assertFalse((self.folder / "run").exists())

    def test_a_rank_without_the_file_is_named(self):
        self.write("a.csv", table(100, 3, 1))
        (self.folder / "elsewhere").mkdir()
        process = subprocess.run(
            [MPIEXEC, "-n", "2", PROGRAM, "fit", "a.csv", "--out", "run", ":",
             "-n", "1", "--wdir", str(self.folder / "elsewhere"), PROGRAM, "fit", "a.csv", "--out", "run"],
            cwd=self.folder, env=ENVIRONMENT, text=True, capture_output=True, timeout=120)
        self.assertEqual(process.returncode, 1, process.stderr)
        self.assertEqual(process.stderr.count("bochner: rank 2: "), 1, process.stderr)
        self.assertFalse((self.folder / "run").exists())

    def test_ranks_with_other_tables_are_refused(self):
        self.write("a.csv", table(100, 3, 1))
        (self.folder / "elsewhere").mkdir()
        (self.folder / "elsewhere" / "a.csv").write_text(table(100, 3, 2))
        process = subprocess.run(
            [MPIEXEC, "-n", "1", PROGRAM, "fit", "a.csv", "--out", "run", ":",
             "-n", "1", "--wdir", str(self.folder / "elsewhere"), PROGRAM, "fit", "a.csv", "--out", "run"],
            cwd=self.folder, env=ENVIRONMENT, text=True, capture_output=True, timeout=120)
        self.assertEqual(process.returncode, 1, process.stderr)
        self.assertIn("ranks 0 and 1 have read different tables or options", process.stderr)

    def own_processes(self, process):
        """The ranks under a launcher that this test has started."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rsplit(")", 1)[1].split()
                exe = os.readlink(path.parent / "exe")
            except OSError:
                continue
            if int(fields[1]) == process.pid and os.path.realpath(exe) == os.path.realpath(PROGRAM):
                found.append(int(path.parent.name))
        return sorted(found)

    def wait_for_checkpoint(self, process):
        for _ in range(600):
            if (self.folder / "run" / "checkpoint.bochner").exists():
                return
            self.assertIsNone(process.poll(), "ended before its first checkpoint")
            time.sleep(0.1)
        self.fail("no checkpoint")

    LONG = ("fit", "a.csv", "--features", "60", "--steps", "400", "--dims", "2", "--restarts", "1")

    def start_long_run(self, ranks):
        self.write("a.csv", table(700, 5, 1, missing=0.05))
        process = self.start(ranks, self.LONG + ("--out", "run", "--checkpoint-seconds", "0", "--threads", "1"))
        self.wait_for_checkpoint(process)
        return process

    def expect_resumed_like_one(self, ranks):
        self.run_(ranks, "fit", "--resume", "--out", "run", "--threads", "1")
        self.run_(0, *self.LONG, "--out", "one")
        want, found = contents(self.folder / "one"), contents(self.folder / "run")
        self.assertEqual(sorted(found), sorted(want))
        for name, content in want.items():
            self.assertEqual(found[name], content, name)

    def test_a_rank_that_dies_ends_the_job_which_goes_on_with_other_ranks(self):
        process = self.start_long_run(3)
        ranks = self.own_processes(process)
        self.assertEqual(len(ranks), 3)
        os.kill(ranks[1], signal.SIGKILL)
        process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.expect_resumed_like_one(2)

    def test_a_signal_to_any_rank_stops_all(self):
        process = self.start_long_run(3)
        os.kill(self.own_processes(process)[2], signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM, out + err)
        self.assertEqual(out.count("Resume with"), 1, out)
        self.expect_resumed_like_one(4)


if __name__ == "__main__":
    unittest.main(verbosity=2)
