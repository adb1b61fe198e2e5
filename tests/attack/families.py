"""Every attack of the suite, in the order in which the table lists the families."""

import random
from pathlib import Path

import command_lines
import kills
import limits
import model_files
import oracles
import serving
import signals
import table_arrays
import table_files
import table_hdf5
import table_text
import tables
from attack import Attack
from commands import ROLES
from hostile import SAME, Hostile, attack, good_table

# These get every hostile table, the others every third: what differs between roles is mostly what comes after reading.
FULL = ("fit", "bayes", "regress x", "kpca")


def part(role: str, hostile: list[Hostile]) -> list[Hostile]:
    return hostile if role in FULL else hostile[list(ROLES).index(role) % 3::3]


def table_attacks(seed: int) -> list[Attack]:
    text, arrays, hdf5, files = [], [], [], []
    kinds = {kind: hostile_tables(kind) for kind in ("a", "counts")}
    for role, (_, kind) in ROLES.items():
        rng = random.Random(f"{seed} {role}")
        table, names, ids = good_table(kind)
        crafted = kinds[kind]
        clean = {"csv": Hostile("clean", tables.csv_text(table, names, ids), "csv", SAME),
                 "npy": Hostile("clean", tables.npy_bytes(table), "npy", SAME),
                 "h5": Hostile("clean", table_hdf5.plain_bytes(table), "h5", SAME)}
        text += [attack("text tables", h, role, clean["csv"])
                 for h in part(role, crafted["text"]) + table_text.mutated(table, names, ids, rng, 12)]
        arrays += [attack("arrays", h, role, clean["npy"])
                   for h in part(role, crafted["arrays"]) + table_arrays.mutated(table, rng, 8)]
        hdf5 += [attack("HDF5 tables", h, role, clean["h5"])
                 for h in part(role, crafted["hdf5"]) + table_hdf5.mutated(table, names, ids, rng, 12)]
        files += [attack("files and devices", h, role) for h in part(role, crafted["files"])]
    bombs = kinds["a"]["bombs"]
    text += [attack("text tables", h, role) for role in ("fit", "evaluate labels") for h in bombs]
    return text + arrays + hdf5 + files


def hostile_tables(kind: str) -> dict[str, list[Hostile]]:
    table, names, ids = good_table(kind)
    return {"text": table_text.crafted(table, names, ids), "arrays": table_arrays.crafted(table),
            "hdf5": table_hdf5.crafted(table, names, ids), "files": table_files.devices() + table_files.pipes(table, names, ids),
            "bombs": table_text.bombs(table, names, ids)}


def all_attacks(seed: int, base: Path, program: str) -> list[Attack]:
    return (table_attacks(seed) + model_files.attacks(seed, base) + kills.attacks(seed) + signals.attacks(seed)
            + limits.attacks(seed) + serving.attacks(seed) + command_lines.attacks(seed, base, program) + oracles.attacks())
