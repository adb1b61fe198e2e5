"""The judge must be able to convict: programs that crash, hang, lie and mumble are found out."""

import os
import tempfile
import unittest
from pathlib import Path

from arena import Arena, comparable
from model_files import sealed
from verdict import Kind, judge


class Verdicts(unittest.TestCase):
    def outcome(self, script: str, **how):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program"
            program.write_text(f"#!/bin/sh\n{script}\n")
            program.chmod(0o755)
            arena = Arena(os.fspath(program), Path(folder), Path(folder))
            return judge(arena.run(["x"], **how), out=arena.path("out")).kind

    def test_kinds(self):
        refuse = "echo 'bochner: no' >&2; exit 1"
        for expected, script in (
            (Kind.ACCEPTED, "exit 0"),
            (Kind.REFUSED, refuse),
            (Kind.REFUSED, "echo 'note: so' >&2; " + refuse),
            (Kind.CRASHED, "kill -SEGV $$"),
            (Kind.CRASHED, "exit 139"),
            (Kind.CRASHED, "echo AddressSanitizer >&2; exit 1"),
            (Kind.WRONG, "exit 1"),
            (Kind.WRONG, "echo 'something else' >&2; exit 1"),
            (Kind.WRONG, "echo 'bochner: one' >&2; echo 'bochner: two' >&2; exit 1"),
            (Kind.WRONG, "echo 'bochner: basic_string::substr' >&2; exit 2"),
            (Kind.WRONG, "printf 'bochner: \\033[2J\\n' >&2; exit 1"),
            (Kind.WRONG, "printf 'bochner: \\342\\200\\256\\n' >&2; exit 1"),
            (Kind.WRONG, "printf 'bochner: \\377\\n' >&2; exit 1"),
            (Kind.WRONG, "mkdir out; touch out/.latent.csv.1-0.part"),
            (Kind.WRONG, "mkdir out; printf 'id,z1\\na,nan\\n' > out/latent.csv"),
            (Kind.WRONG, "mkdir out; printf 'id,z1\\na,\\n' > out/latent.csv"),
            (Kind.WRONG, "mkdir out; printf 'id,z1\\na,1,2\\n' > out/imputed.csv"),
            (Kind.ACCEPTED, "mkdir out; printf 'id,z1\\na,1\\n' > out/latent.csv"),
        ):
            with self.subTest(script=script):
                self.assertIs(self.outcome(script), expected)

    def test_hangs_are_ended(self):
        self.assertIs(self.outcome("sleep 60", timeout=0.3), Kind.HUNG)

    def test_times_do_not_count_but_numbers_do(self):
        def metrics(seconds, rmse):
            return comparable({"metrics.json": b'{"seconds": %s, "rmse": %s}' % (seconds, rmse), "log.jsonl": seconds})

        self.assertEqual(metrics(b"0.5", b"1"), metrics(b"1e-3", b"1"))
        self.assertNotEqual(metrics(b"0.5", b"1"), metrics(b"0.5", b"2"))

    def test_a_sealed_file_has_its_own_sum(self):
        import hashlib

        header = b"bochner model file\nformat 1\nwritten-by x\nbytes 7\nsha256 " + b"f" * 64 + b"\n"
        whole = sealed(header.ljust(511) + b"\n" + b"content")
        self.assertIn(b"\nbytes 519\n", whole[:512])
        digest = whole[whole.index(b"sha256 ") + 7:][:64]
        self.assertEqual(hashlib.sha256(whole.replace(digest, b"0" * 64)).hexdigest().encode(), digest)
        self.assertEqual(len(whole), 519)


if __name__ == "__main__":
    unittest.main()
