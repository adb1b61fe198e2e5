"""Hostile command lines and configurations."""

import os
import random
import re
import subprocess
from pathlib import Path

from arena import Arena, comparable, differing, finish, left_in
from attack import Attack
from base import QUIET, STOPPED
from commands import QUICK_BAYES, QUICK_FIT, QUICK_REGRESS
from kills import link_tables
from limits import WRITERS
from signals import is_running
from verdict import Kind, Verdict, judge, lost, wrong

COMMANDS = ["fit", "apply", "regress", "classify", "predict", "kpca", "forecast", "evaluate", "demo"]
GOOD = {**WRITERS, "fit": ["fit", "--view", "a=a.csv", *QUICK_FIT],
        "bayes": ["fit", "--view", "a=a.csv", *QUICK_BAYES]}

# Of these large values are legitimate: they ask for work, and get it.
WORK = {"steps", "draws", "warmup", "thin", "chains", "epochs", "samples", "restarts", "traverse", "backtest", "frequencies",
        "forecast", "patience", "components", "mixtures", "columns", "inducing", "batch", "tune", "features", "known"}
NUMBERS = ["0", "-1", "-0", "1e308", "-1e308", "1e309", "nan", "inf", "-inf", "NaN", "1e-320", "9223372036854775807",
           "9223372036854775808", "-9223372036854775808", "99999999999999999999999", "18446744073709551615", "2147483648",
           "0x10", "1_000", "1,5", "0.1.2", "1e", "+", "-", "--", "+5", " 5", "5 ", "5.0", "5.5", "\u0665", "1e2"]
TEXTS = ["", " ", "=", "a=", "=a", "a=b=c", ":", "::", "%s%n", "{}", "{:999999999}", "\x1b[2J", "\u202ecba", "\n", "\t",
         "\x7f", "x" * 100000, "../..", "/", ".", "-", "--", "--help", "--out", "-x", "\\", "'", '"', "$(touch owned)",
         "`touch owned`", ";", "*", "auto", "none", "true", "false", "null", os.fsdecode(b"\xff\xfe"), "a,b", "a,b,c",
         "rotate:a,b:4", "negate:pca:999999999", "negate:axes:-1", "translate:c0:0", "flip:0x0:lr", "flip:99999x99999:ud",
         "shift:2x2:9999999999,1", "longitude:0", "permute:", "permute:c0", "permute:c0,c0", "rotate:c0,c0:4",
         "nystrom:0", "nystrom:-5", "nystrom:99999999999", "orthogonal:", "orthogonal:0", "network:0", "network:-1",
         "network:99999999", "finite", "exact", "primal-stiefel", "poly2", "poly99999999", "poly-1", "arccos99", "sm", "bsm",
         "ngsm", "periodic", "gibbs", "linear", "rbf+", "+rbf", "rbf*", "rbf++rbf", "rbf^2", "2*rbf", "-rbf", "((rbf))",
         "rbf+linear*periodic", "c0:0", "c0:-24", "c0:nan", "c0:inf", "c0:1e-320", "c0,c1", "c0,c0", "1,2", "0,0", "9,9"]


def kernels() -> dict[str, str]:
    return {
        "30,000 terms": "+".join(["rbf"] * 30000), "30,000 factors": "*".join(["rbf"] * 30000),
        "60,000 brackets": "(" * 60000 + "rbf" + ")" * 60000, "open brackets": "(" * 120000,
        "closed brackets": ")" * 120000, "200 terms": "+".join(["rbf"] * 200), "40 factors": "*".join(["rbf"] * 40),
        "sums of products": "+".join(["rbf*linear*matern32"] * 300), "poly of a huge degree": "poly" + "9" * 30,
        "scaled": "1e308*rbf", "long name": "r" * 120000, "nested": "rbf*(" * 5000 + "rbf" + ")" * 5000,
        "pluses": "+" * 50000, "spaces": " " * 100000 + "rbf",
    }


def options_of(program: str, command: str) -> list[tuple[str, bool]]:
    """The options that --help lists, and whether they take a value."""
    text = subprocess.run([program, command, "--help"], capture_output=True, text=True, timeout=60).stdout
    found = re.findall(r"^ +--([a-z-]+)( [A-Z\[][^ ]*)?", text, re.M)
    return sorted({(name, bool(value)) for name, value in found})


def plain(family: str, name: str, words, check=None, **how) -> Attack:
    def run(arena: Arena) -> Verdict:
        link_tables(arena)
        outcome = arena.run(words, **how)
        if arena.path("owned").exists():
            return wrong("a command in a text was run")
        verdict = judge(outcome, out=arena.path("out"))
        return check(arena, outcome, verdict) if check else verdict

    return Attack(family, name, run)


def random_lines(program: str, seed: int, count: int) -> list[Attack]:
    out = []
    listed = {command: options_of(program, command) for command in COMMANDS}
    for number in range(count):
        rng = random.Random(f"{seed} line {number}")
        name = rng.choice(list(GOOD))
        words = list(GOOD[name])
        command = words[0]
        for _ in range(rng.randint(1, 3)):
            option, takes = rng.choice(listed[command])
            if option in ("out", "config", "resume", "help", "version", "quiet"):
                continue
            words.append(f"--{option}")
            if takes and rng.random() < 0.97:
                pool = NUMBERS if rng.random() < 0.5 else TEXTS
                value = rng.choice(pool)
                if option in WORK and re.fullmatch(r" *\+?[0-9.e+]{5,} *|[0-9]+|[0-9]{3,}", value) and "-" not in value:
                    value = rng.choice(["0", "-1", "5", "nan", "1e309", "99999999999999999999999"])
                words.append(value)
        if rng.random() < 0.15:
            words.insert(rng.randrange(len(words) + 1), rng.choice(TEXTS))
        if rng.random() < 0.1:
            del words[rng.randrange(len(words))]
        words = [w.replace("\0", "") for w in words]
        out.append(plain("command lines", f"random {number}", [*words, "--threads", "1", "--out", "out"]))
    return out


def every_option(program: str) -> list[Attack]:
    """Each option of each command with values at and beyond the ends of its range, as a plan only."""
    out = []
    for name, words in GOOD.items():
        for option, takes in options_of(program, words[0]):
            if option in ("out", "config", "resume", "help", "version"):
                continue
            values = ["0", "-1", "1e308", "99999999999999999999999", "nan", "\x1b[2J", ""] if takes else [None]
            for value in values:
                extra = [f"--{option}"] + ([value] if value is not None else [])
                out.append(plain("command lines", f"{name} --{option} {ascii(value)}",
                                 [*words, *extra, "--dry-run", "--threads", "1", "--out", "out"], nothing_written))
            if takes:
                out.append(plain("command lines", f"{name} --{option} without a value", [*words, f"--{option}"]))
    return out


def nothing_written(arena: Arena, outcome, verdict: Verdict) -> Verdict:
    if verdict.kind in (Kind.ACCEPTED, Kind.REFUSED) and arena.path("out").exists():
        return wrong("--dry-run wrote something")
    return verdict


CONFIGS: dict[str, bytes] = {
    "empty": b"", "NUL": b"\0" * 100, "not UTF-8": b"verb = \"\xff\"\n", "UTF-16": 'verb = "fit"\n'.encode("utf-16"),
    "rubbish": b"]]]][[[[====", "no value": b"steps =\n", "no key": b"= 3\n", "a key twice": b"steps = 3\nsteps = 4\n",
    "huge number": b"steps = 999999999999999999999999999\n", "huge float": b"holdout = 1e999\n", "nan": b"holdout = nan\n",
    "negative": b"steps = -5\n", "text for a number": b'steps = "many"\n', "number for a text": b"kernel = 7\n",
    "list for a number": b"steps = [1, 2]\n", "nested lists": b"view = " + b"[" * 50000 + b"]" * 50000 + b"\n",
    "open list": b'view = ["a=a.csv",\n', "open text": b'view = "a=a.csv\n', "table": b"[fit]\nsteps = 3\n",
    "dotted key": b"a.b.c = 1\n", "inline table": b"view = {a = 1}\n", "date": b"steps = 1979-05-27T07:32:00Z\n",
    "hexadecimal": b"steps = 0x3\n", "underscores": b"steps = 1_0\n", "multi-line": b'kernel = """\nrbf"""\n',
    "escapes": b'kernel = "\\u001b[2J\\u202e"\n', "bad escape": b'kernel = "\\q"\n', "surrogate": b'kernel = "\\ud800"\n',
    "unknown key": b"\x1b = 3\n", "hostile key": b'"\\u001b[2J" = 3\n', "itself": b'config = "c.toml"\n',
    "another command": b'command = "regress"\n', "hostile command": b'command = "\\u001b[2J\\u202e"\n',
    "command is a number": b"command = 3\n", "two commands": b'command = "demo"\nverb = "fit"\n',
    "another verb": b'verb = "regress"\n', "verb is a number": b"verb = 3\n",
    "out elsewhere": b'out = "/proc/x"\n', "resume": b"resume = true\n", "a line of 50 MB": b"# " + b"x" * 50_000_000,
    "a million keys": b"".join(b"k%d = 1\n" % n for n in range(1_000_000)), "a million lines": b"\n" * 1_000_000,
    "CR": b"steps = 3\rdims = 1\r", "CRLF": b"steps = 3\r\ndims = 1\r\n", "comment only": b"# nothing",
    "spaces": b" " * 1_000_000, "seed overflows": b"seed = 9223372036854775808\n", "seed negative": b"seed = -1\n",
    "threads": b"threads = 100000\n", "no threads": b"threads = 0\n", "a million views":
        b"view = [" + b", ".join([b'"a=a.csv"'] * 1000000) + b"]\n",
}


def config(name: str, content: bytes) -> Attack:
    def run(arena: Arena) -> Verdict:
        link_tables(arena)
        arena.path("c.toml").write_bytes(content)
        words = ["fit", "--config", "c.toml", "--view", "a=a.csv", "--dims", "1", "--kernel", "rbf", "--restarts", "1",
                 "--threads", "1", "--out", "out"]
        return judge(arena.run(words if b"steps" in content else [*words, "--steps", "3"]))

    return Attack("configurations", f"--config, {name}", run)


def resumed_config(name: str, content: bytes) -> Attack:
    """The same in the folder of a stopped run. Whatever it says, the checkpoint must not be lost."""

    def run(arena: Arena) -> Verdict:
        link_tables(arena)
        out = arena.path("out")
        out.mkdir()
        checkpoint = (arena.base / "stopped/fit/checkpoint.bochner").read_bytes()
        (out / "checkpoint.bochner").write_bytes(checkpoint)
        (out / "config.toml").write_bytes(content)
        outcome = arena.run(["fit", "--resume", *QUIET, "--out", "out"])
        verdict = judge(outcome)
        if verdict.kind is Kind.REFUSED and not (out / "checkpoint.bochner").exists():
            return lost("the checkpoint is gone")
        return verdict

    return Attack("configurations", f"--resume, {name}", run)


def mutated_configs(base: Path, seed: int, count: int) -> list[Attack]:
    out = []
    good = (base / "stopped/fit/config.toml").read_bytes()
    for number in range(count):
        rng = random.Random(f"{seed} config {number}")
        content = bytearray(good)
        for _ in range(rng.randint(1, 5)):
            at = rng.randrange(len(content))
            match rng.randrange(4):
                case 0:
                    content[at] = rng.randrange(256)
                case 1:
                    del content[at:at + rng.randint(1, 20)]
                case 2:
                    content[at:at] = rng.choice([b'"', b"[", b"]", b"=", b"\n", b"#", b"\\", b"-", b"e", b"\0", b"\xff"])
                case _:
                    content[at:at] = content[at:at + 40]
        # More work than the run had is no hang.
        text = re.sub(rb"(steps|patience|restarts|components) *= *\d{3,}", rb"\1 = 120", bytes(content))
        out.append(resumed_config(f"mutation {number}", text))
    return out


def own_input(name: str, words, watched: str, prepare=None) -> Attack:
    """The input lies in the run folder, or is what the run would write: it must be refused or survive."""

    def run(arena: Arena) -> Verdict:
        link_tables(arena)
        if prepare:
            prepare(arena)
        path = arena.folder / watched
        before = path.read_bytes()
        outcome = arena.run([*words, *QUIET])
        if not path.exists() or path.read_bytes() != before:
            return lost(f"{watched}, an input, is gone or overwritten (exit code {outcome.code})")
        return judge(outcome)

    return Attack("command lines", name, run)


def first_run(words, out="run"):
    def prepare(arena: Arena) -> None:
        arena.run([*words, *QUIET, "--out", out])

    return prepare


def copied(name: str, where: str):
    def prepare(arena: Arena) -> None:
        (arena.folder / where).parent.mkdir(parents=True, exist_ok=True)
        (arena.folder / where).write_bytes((arena.base / name).read_bytes())

    return prepare


def own_inputs() -> list[Attack]:
    fit, kpca, regress = GOOD["fit"], GOOD["kpca"], GOOD["regress"]
    return [
        own_input("fit: a table of an earlier run of the folder",
                  ["fit", "--view", "a=run/latent.csv", *QUICK_FIT, "--out", "run"], "run/latent.csv", first_run(fit)),
        own_input("fit: an imputed table of the folder",
                  ["fit", "--view", "a=run/imputed/a.csv", *QUICK_FIT, "--out", "run"], "run/imputed/a.csv",
                  first_run(fit)),
        own_input("fit: --meta from the folder",
                  ["fit", "--view", "a=a.csv", "--meta", "run/latent.csv", *QUICK_FIT, "--out", "run"], "run/latent.csv",
                  first_run(fit)),
        own_input("fit: a table alone in the folder", ["fit", "--view", "a=run/t.csv", *QUICK_FIT, "--out", "run"],
                  "run/t.csv", copied("a.csv", "run/t.csv")),
        own_input("fit: a hidden table in the folder", ["fit", "--view", "a=run/.latent.csv", *QUICK_FIT, "--out", "run"],
                  "run/.latent.csv", copied("a.csv", "run/.latent.csv")),
        own_input("fit: through a link", ["fit", "--view", "a=alias/latent.csv", *QUICK_FIT, "--out", "run"],
                  "run/latent.csv", lambda a: (first_run(fit)(a), os.symlink("run", a.path("alias")))),
        own_input("bayes: --warm-start from the folder",
                  ["fit", "--view", "a=a.csv", "--inference", "mcmc", "--dims", "1", "--frequencies", "3", "--chains", "1",
                   "--warmup", "2", "--draws", "3", "--warm-start", "run/model.bochner", "--out", "run"],
                  "run/model.bochner", first_run(fit)),
        own_input("kpca: a predicted table of the folder", ["kpca", "--view", "a=run/predicted/a.csv", "--dims", "2",
                                                            "--out", "run"], "run/predicted/a.csv", first_run(kpca)),
        own_input("kpca: latents of the folder", ["kpca", "--view", "a=run/latent.csv", "--dims", "2", "--out", "run"],
                  "run/latent.csv", first_run(kpca)),
        own_input("regress: predictions of the folder",
                  ["regress", "--x", "run/predictions.csv", "--y", "y.csv", *QUICK_REGRESS, "--out", "run"],
                  "run/predictions.csv", first_run(regress)),
        own_input("predict: predictions of the folder",
                  ["predict", "models/regress/model.bochner", "--x", "new/predictions.csv", "--out", "new"],
                  "new/predictions.csv", first_run(GOOD["predict"], "new")),
        own_input("apply: the model lies in the folder", ["apply", "run/model.bochner", "--view", "a=new.csv", "--out", "run"],
                  "run/model.bochner", first_run(fit)),
        own_input("apply: latents of the folder", ["apply", "models/fit/model.bochner", "--view", "a=new/predicted/a.csv",
                                                   "--out", "new"], "new/predicted/a.csv", first_run(GOOD["apply"], "new")),
        own_input("forecast: a forecast of the folder",
                  ["forecast", "--series", "run/forecast.csv", "--lags", "1", "--steps", "1", "--out", "run"],
                  "run/forecast.csv", first_run(GOOD["forecast"])),
        own_input("evaluate: --out is the input", ["evaluate", "--latent", "t.json", "--truth", "x.csv", "--out", "t.json"],
                  "t.json", copied("x.csv", "t.json")),
        own_input("fit: --config from the folder", ["fit", "--config", "run/config.toml", "--out", "run"],
                  "run/config.toml", first_run(fit)),
    ]


def together(kind: str, number: int) -> Attack:
    """Two runs in one folder at the same time: one is refused, the other ends as if it had been alone."""

    def run(arena: Arena) -> Verdict:
        link_tables(arena)
        first = arena.start([*STOPPED[kind], *QUIET, "--checkpoint-seconds", "0", "--out", "out"],
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if number and not is_running(arena, first, "out"):
            return Verdict(Kind.CRASHED, "the first run did not start")
        second = arena.run([*STOPPED[kind], *QUIET, "--seed", "2", "--out", "out"])
        ended = finish(first, [], 90)
        ended.err = first.stderr.read()
        codes = sorted([ended.code, second.code], key=str)
        if codes == [0, 0]:
            return wrong("both runs ended with exit code 0")
        if 0 not in codes:
            return lost(f"neither run ended well: {ended.message} / {second.message}"[:300])
        refused = second if ended.code == 0 else ended
        verdict = judge(refused, codes=(1, 3))
        if verdict.kind is Kind.REFUSED and ended.code == 0:
            reference = comparable(left_in(arena.base / "reference" / kind))
            if differ := differing(comparable(left_in(arena.path("out"))), reference):
                return wrong(f"the run that was there first ended with other bytes: {', '.join(differ)}")
        return verdict

    return Attack("command lines", f"two runs in one folder, {kind} {number}", run)


def odd_lines() -> list[Attack]:
    lines = {
        "nothing": [], "help": ["help"], "--help": ["--help"], "-h": ["-h"], "--version": ["--version"],
        "two commands": ["fit", "regress"], "a misspelt command": ["fti"], "a hostile command": ["\x1b[2J\u202e"],
        "a command of a megabyte": ["f" * 100000], "100,000 words": ["fit"] + ["x"] * 100000,
        "1,000 views": ["fit"] + ["--view", "a=a.csv"] * 1000, "an option before the command": ["--dims", "2", "fit"],
        "--": ["--", "fit"], "-- in the middle": ["fit", "--", "--view", "a=a.csv"], "only dashes": ["-", "--", "---"],
        "an option with =": ["fit", "--view=a=a.csv", "--dims=1", "--steps=3", "--out=out"],
        "--out twice": ["fit", "--view", "a=a.csv", "--out", "out", "--out", "out2"],
        "an empty word": ["fit", ""], "1,024 threads": [*GOOD["fit"], "--threads", "1024", "--out", "out"],
        "a million threads": [*GOOD["fit"], "--threads", "1000000"], "--resume and --config":
            ["fit", "--resume", "--config", "c.toml", "--out", "out"],
        "--resume alone": ["fit", "--resume"], "--config is a folder": ["fit", "--config", "models", "--out", "out"],
        "--config is endless": ["fit", "--config", "/dev/zero", "--out", "out"],
        "--config is missing": ["fit", "--config", "nowhere", "--out", "out"],
        "--resume=\x1b": ["fit", "--resume=\x1b[2J", "--out", "out"],
        "the model is a table": ["apply", "a.csv", "--view", "a=new.csv", "--out", "out"],
        "the model is endless": ["apply", "/dev/zero", "--view", "a=new.csv", "--out", "out"],
        "the model is random": ["predict", "/dev/urandom", "--x", "new.csv", "--out", "out"],
        "the model is a folder": ["predict", "models", "--x", "new.csv", "--out", "out"],
        "the wrong model": ["predict", "models/fit/model.bochner", "--x", "new.csv", "--out", "out"],
        "the other wrong model": ["apply", "models/regress/model.bochner", "--view", "a=new.csv", "--out", "out"],
        "a view with a slash": ["fit", "--view", "../a=a.csv", *QUICK_FIT, "--out", "out"],
        "a view with a line end": ["fit", "--view", "a\nb=a.csv", *QUICK_FIT, "--out", "out"],
        "a hostile view": ["fit", "--view", "\u202ecba=a.csv", *QUICK_FIT, "--out", "out"],
        "a view of 150 characters": ["fit", "--view", "v" * 150 + "=a.csv", *QUICK_FIT, "--out", "out"],
        "a view of 199 characters": ["fit", "--view", "v" * 199 + "=a.csv", *QUICK_FIT, "--out", "out"],
        "a view of 199 wide characters": ["fit", "--view", "\u00e4" * 99 + "=a.csv", *QUICK_FIT, "--out", "out"],
        "a view in two cases": ["fit", "--view", "A=a.csv", "--view", "a=b.csv", *QUICK_FIT, "--out", "out"],
        "a view called latent": ["kpca", "--view", "latent=x.csv", "--dims", "2", "--out", "out"],
        "a view called labels": ["kpca", "--view", "labels=x.csv", "--labels", "labels.csv:type", "--dims", "2", "--out",
                                 "out"],
        "views that write the same file": ["fit", "--view", "a=a.csv", "--view", "a_lo=b.csv", *QUICK_FIT, "--out", "out"],
        "bayes views that write the same file": ["fit", "--view", "k=labels.csv:categorical", "--view",
                                                 "k_probability=a.csv", *QUICK_BAYES, "--out", "out"],
    }
    return [plain("command lines", name, words) for name, words in lines.items()]


def library_in_folder(arena: Arena) -> Verdict:
    """Libraries must not be taken from the folder that the program happens to run in."""
    listed = subprocess.run(["ldd", arena.program], capture_output=True, text=True).stdout
    names = re.findall(r"^\s*(\S+\.so[^ ]*) =>", listed, re.M)
    for name in names:
        arena.path(name).write_bytes(b"")
    outcome = arena.run(["--version"])
    if outcome.code != 0:
        return wrong(f"a library was looked for in the current folder: {outcome.message}")
    return Verdict(Kind.ACCEPTED)


def attacks(seed: int, base: Path, program: str) -> list[Attack]:
    out = [Attack("command lines", "libraries in the current folder", library_in_folder)]
    out += odd_lines() + own_inputs()
    out += [together(kind, number) for kind in STOPPED for number in range(3)]
    for label, kernel in kernels().items():
        for name in ("fit", "regress", "kpca", "classify"):
            words = [w for w in GOOD[name]]
            if "--kernel" in words:
                at = words.index("--kernel")
                del words[at:at + 2]
            out.append(plain("command lines", f"{name} --kernel, {label}",
                             [*words, "--kernel", kernel, "--threads", "1", "--out", "out"]))
    out += every_option(program) + random_lines(program, seed, 400)
    out += [config(name, content) for name, content in CONFIGS.items()]
    out += [resumed_config(name, content) for name, content in CONFIGS.items()]
    out += mutated_configs(base, seed, 80)
    return out
