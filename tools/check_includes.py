#!/usr/bin/env python3
"""Fails when a folder includes a folder it may not see, when a model does by hand what compute/ does, or when a message of
the library names an option of the command line: Python and C++ have other names for it (assess/warning.hpp: Remedy).
Prints the include graph with --graph.

The order (docs/architecture.md): a folder sees the folders listed beside it and nothing else, through public headers
("bochner/<folder>/x.hpp") and private ones ("src/<folder>/x.hpp") alike. A header of the own folder that is not public is
included by its bare name.
"""
import pathlib
import re
import sys

BELOW_MODELS = {
    "core": set(),
    "compute": {"core"},
    "random": {"core", "compute"},
    "linalg": {"core", "compute", "random"},
    "tables": {"core"},
    "store": {"core", "tables"},
    "data": {"core", "compute", "random", "linalg", "tables", "store"},
    "kernels": {"core", "compute", "random", "linalg", "store"},
    "symmetry": {"core", "compute", "random", "linalg", "store", "data", "kernels"},
    "likelihoods": {"core", "compute", "random", "linalg", "store"},
    "evidence": {"core", "compute", "random", "linalg"},
    "features": {"core", "compute", "random", "linalg", "store", "kernels", "evidence"},
    "backend": {"core", "compute", "random", "linalg", "store", "kernels", "evidence", "features"},
    "priors": {"core", "compute", "random", "linalg"},
    "infer": {"core", "compute", "random", "linalg"},
    "assess": {"core", "compute", "random", "linalg", "data", "infer"},
}
ROOT = pathlib.Path(next((a for a in sys.argv[1:] if not a.startswith("--")), ".")).resolve()
FAMILIES = sorted(p.name for p in (ROOT / "src/models").iterdir() if p.is_dir()) if (ROOT / "src/models").is_dir() else []
# A family does not see another one, except what latent variable models share and these two: forecasts are kernel PCA of
# lagged series, and chains start from a variational fit.
BETWEEN_FAMILIES = {("forecast", "kpca"), ("bayes", "gplvm")}

SEES = dict(BELOW_MODELS)
SEES["simulate"] = {"core", "compute", "random", "linalg", "data", "kernels"}
for family in FAMILIES:
    SEES["models/" + family] = set(BELOW_MODELS) | {
        "models/" + other for other in FAMILIES
        if other != family and ((family, other) in BETWEEN_FAMILIES or other == "latent" and family != "latent")}
SEES["run"] = set(BELOW_MODELS) | {"models"} | {"models/" + family for family in FAMILIES}
SEES["report"] = SEES["run"] | {"run"}
SEES["serve"] = SEES["report"] | {"report"}
SEES["processor"] = set()  # compiled with flags of its own: cmake/processor.cmake
SEES["cli/frame"] = set(SEES) - {"processor"}
SEES["cli/inputs"] = SEES["cli/frame"] | {"cli/frame"}
SEES["cli/commands"] = SEES["cli/inputs"] | {"cli/inputs"}
SEES["cli"] = SEES["cli/commands"] | {"cli/commands"}
SEES["python"] = set(SEES["cli/frame"])

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.MULTILINE)
# Heavy headers that live in one folder only.
CONFINED = {
    "CLI/CLI.hpp": ("cli/frame/",),
    "Spectra/": ("src/linalg/",),
    "LBFGS": ("src/infer/",),
    "hdf5.h": ("src/tables/hdf5/",),
    "sleef.h": ("src/compute/", "src/random/"),
    "Random123/": ("src/random/",),
    "cuda": ("src/backend/cuda/",),
    "cublas": ("src/backend/cuda/",),
    "cusolver": ("src/backend/cuda/",),
    "mpi.h": ("src/backend/mpi/",),
}
LARGEST_FOLDER = 40
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
FLAG = re.compile(r"--[a-z]")
# config.toml and the page of a run say how the program repeats the run and goes on from it; src/serve is the program's alone.
NAMES_FLAGS = {"src/run/run_folder.cpp", "src/report/provenance_panels.cpp", "src/report/verdict.cpp",
               "src/serve/http_server.cpp"}
# What models leave to compute/, where it runs on every device and in the same order of additions.
LEFT_TO_COMPUTE = [
    (re.compile(r"\bLD?LT\b|\.ld?lt\("), "a factorisation by hand; use cholesky (compute/cholesky.hpp) or SmallCholesky (compute/batched.hpp)"),
    (re.compile(r"\brankUpdate\b"), "a product by hand; use inner_gram or add_inner_gram (compute/products.hpp) or weighted_grams (compute/batched.hpp)"),
    (re.compile(r"\bfor\s*\(.*\b\w*lanes?_?\b"), "a loop over lanes; use LaneSum or sum_over_rows (compute/lane_sum.hpp)"),
]


def folder_of(name):
    """'include/bochner/models/gplvm/fit.hpp' -> 'models/gplvm'; None for what is not part of the order."""
    parts = name.split("/")
    if name.startswith("include/bochner/"):
        parts = parts[2:]
    elif parts[0] == "src":
        parts = parts[1:]
    elif parts[0] == "cli":
        return "/".join(parts[:2]) if len(parts) > 2 else "cli"
    elif parts[0] == "python":
        return "python" if parts[1] == "src" else None
    else:
        return None
    if parts[0] == "models" and len(parts) > 2:
        return "/".join(parts[:2])
    return parts[0]


def included_file(root, path, include):
    """The project's file behind an include, relative to the root, or None."""
    for candidate in (path.parent / include, root / "include" / include, root / include):
        if candidate.exists():
            return candidate.resolve().relative_to(root).as_posix()
    return None


def sources(root):
    return [p for top in ("include/bochner", "src", "cli", "python/src") for p in sorted((root / top).rglob("*")) if p.suffix in (".hpp", ".cpp")]


def edges(root):
    for path in sources(root):
        for include in INCLUDE.findall(path.read_text(encoding="utf-8")):
            found = included_file(root, path, include)
            if found:
                yield path, include, found


def done_by_hand(name, text):
    """Complaints about lines of a model that belong to compute/."""
    for number, line in enumerate(text.splitlines(), 1):
        code = line.split("//")[0]
        for pattern, advice in LEFT_TO_COMPUTE:
            if pattern.search(code):
                yield f"{name}:{number}: {advice}"


def of_eigen(root, path, name, seen=None):
    """Complaints about CUDA sources that include Eigen, by whatever way: nvcc takes four times as long with it."""
    seen = set() if seen is None else seen
    for include in INCLUDE.findall(path.read_text(encoding="utf-8")):
        if include.startswith("Eigen/"):
            yield f"{name}: includes Eigen, by way of {path.relative_to(root).as_posix()}"
        found = included_file(root, path, include)
        if found and found not in seen:
            seen.add(found)
            yield from of_eigen(root, root / found, name, seen)


def complaints(root):
    files = sources(root)
    if not files:
        yield "no source files found: wrong folder?"
    for path in files:
        name = path.relative_to(root).as_posix()
        folder = folder_of(name)
        text = path.read_text(encoding="utf-8")
        if folder not in SEES:
            yield f"{name}: folder '{folder}' has no place in the include order; add it to tools/check_includes.py"
            continue
        if path.suffix == ".hpp" and not text.startswith("#pragma once"):
            yield f"{name}: a header starts with #pragma once"
        own = root / "include/bochner" / path.relative_to(root / "src").with_suffix(".hpp") if name.startswith("src/") else None
        first = INCLUDE.search(text)
        if path.suffix == ".cpp" and own and own.exists() and first and root / "include" / first.group(1) != own:
            yield f"{name}: includes its own header first, which shows that the header compiles alone"
        if not text.isascii():
            yield f"{name}: sources are ASCII"
        if not name.startswith(("cli/", "python/")) and name not in NAMES_FLAGS:
            for text_in_code in STRING.findall(re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)):
                if FLAG.search(text_in_code):
                    yield f"{name}: {text_in_code} names an option of the command line; use Remedy (assess/warning.hpp)"
        if folder.startswith("models"):
            yield from done_by_hand(name, text)
        if name.startswith("src/backend/cuda/"):
            yield from of_eigen(root, path, name)
        for header, homes in CONFINED.items():
            if re.search(r'#\s*include\s*[<"]' + re.escape(header), text) and not name.startswith(homes):
                yield f"{name}: {header} belongs to {' or '.join(homes)}"
    for path in sorted((root / "src/backend/cuda").glob("*.cu")):
        yield from of_eigen(root, path, path.relative_to(root).as_posix())
    for path, include, found in edges(root):
        name, folder, seen = path.relative_to(root).as_posix(), folder_of(path.relative_to(root).as_posix()), folder_of(found)
        if seen is None:
            yield f"{name}: includes {found}, which is no part of the library or the program"
        elif seen != folder and seen not in SEES.get(folder, set()):
            yield f"{name}: '{folder}' includes '{seen}', which is not to its left"
        if ".." in include:
            yield f"{name}: '{include}' should be a path from the root of the project"
    for folder, count in folder_sizes(root).items():
        if count > LARGEST_FOLDER:
            yield f"{folder}: {count} files, more than {LARGEST_FOLDER}; split it"


def folder_sizes(root):
    sizes = {}
    for path in sources(root):
        key = path.parent.relative_to(root).as_posix()
        sizes[key] = sizes.get(key, 0) + 1
    return sizes


def print_graph(root):
    count = {}
    for path, _, found in edges(root):
        pair = folder_of(path.relative_to(root).as_posix()), folder_of(found)
        count[pair] = count.get(pair, 0) + 1
    print("folder: folders it includes (number of includes)")
    for folder in [f for f in SEES if any(a == f or b == f for a, b in count)]:
        seen = [(b, n) for (a, b), n in count.items() if a == folder and b != folder]
        order = list(SEES)
        print(f"{folder}: " + (", ".join(f"{b} {n}" for b, n in sorted(seen, key=lambda s: order.index(s[0]))) or "-"))
    print("\nfiles per folder")
    for folder, size in sorted(folder_sizes(root).items(), key=lambda s: -s[1]):
        print(f"{size:4} {folder}")


def main():
    arguments = [a for a in sys.argv[1:] if a != "--graph"]
    root = pathlib.Path(arguments[0] if arguments else ".").resolve()
    if "--graph" in sys.argv:
        print_graph(root)
    found = list(complaints(root))
    print("\n".join(found) if found else "include order: good")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
