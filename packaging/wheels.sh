#!/usr/bin/env bash
# Wheels in dist/, for other machines than this one: packaging/wheels.sh [python ...]
#
# One for each Python before 3.12, one for all later ones (stable ABI). By default those of 3.10, 3.11 and the first from 3.12 on
# that are on PATH; what they run on is at least as new as the C library of this machine. On x86-64 a wheel holds two builds of
# the core, and import chooses (docs/install.md).
set -euo pipefail
cd "$(dirname "$0")/.."

runs() { "$1" -c 'import sys, venv; sys.exit(sys.version_info < (3, 10))' 2> /dev/null; }
pythons=("$@")
if [ ${#pythons[@]} -eq 0 ]; then
  for candidates in "python3.10" "python3.11" "python3.12 python3.13 python3.14"; do
    for python in $candidates; do
      if runs "$python"; then pythons+=("$python"); break; fi
    done
  done
fi
extra=""
if [ "$(uname -m)" = x86_64 ]; then extra=x86-64-v4; fi

packaging/static_libraries.sh build-static
export PKG_CONFIG_PATH=$PWD/build-static/lib/pkgconfig CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)} CXX=${CXX:-c++}
mkdir -p dist
for python in "${pythons[@]}"; do
  tag=$("$python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
  folder=build-wheel-$tag  # a build folder stays, so that the next wheel compiles only what has changed
  echo "bochner: building the wheel for $("$python" -V)"
  rm -rf "$folder/raw" "$folder/repaired"
  # The tools in a folder that stays, and not in one of pip's with a new name each time, for which everything is compiled anew.
  "$python" -m venv "$folder/venv"
  sed -n 's/^requires = \[\(.*\)\]/\1/p' pyproject.toml | tr -d '" ' | tr ',' '\n' | sed ':a;N;$!ba;s/\n</,</g' > "$folder/requires.txt"
  "$folder/venv/bin/pip" install --quiet -r "$folder/requires.txt"
  "$folder/venv/bin/pip" wheel --quiet --no-deps --no-build-isolation --wheel-dir "$folder/raw" \
    --config-settings=build-dir="$folder" --config-settings=cmake.define.BOCHNER_EXTRA_ARCHS="$extra" .
  # Libraries that not every system has go into the wheel; the tag becomes the oldest C library that it runs with.
  PATH=$PWD/.venv-packages/bin:$PATH auditwheel repair --wheel-dir "$folder/repaired" "$folder"/raw/bochner-*.whl \
    > "$folder/auditwheel.log" 2>&1 || { cat "$folder/auditwheel.log" >&2; exit 1; }
  python3 tools/check_wheel.py ${extra:+--builds "$extra"} "$folder"/repaired/bochner-*.whl
  mv "$folder"/repaired/bochner-*.whl dist/
done
