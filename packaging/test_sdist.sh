#!/usr/bin/env bash
# Builds a wheel from the source distribution in an empty system: packaging/test_sdist.sh <suite> <sdist>
# with the Debian packages of tools/setup.sh and nothing else. Takes as long as a build; with BOCHNER_CCACHE=<folder>, a cache of
# ccache that has the objects already, as long as linking. As root.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/empty_system.sh

suite=${1:?usage: packaging/test_sdist.sh <suite> <sdist>} sdist=${2:?usage: packaging/test_sdist.sh <suite> <sdist>}
system=$(mktemp -d)
trap 'rm -rf "$system"' EXIT
chmod 755 "$system"
empty_system "$system" "$suite" ca-certificates,g++
tar -x -C "$system/root" -f "$sdist"
cp "$sdist" packaging/first_embedding.py "$system/root/"
if [ -n "${BOCHNER_CCACHE:-}" ]; then cp -r "$BOCHNER_CCACHE" "$system/root/ccache"; fi
in_system "$system" env CCACHE_DIR=/root/ccache CCACHE_BASEDIR=/root CCACHE_NOHASHDIR=1 JOBS="${JOBS:-}" bash -euc '
  cd /root
  # The list is the one of the distribution itself; its packages for the tests of the project come along.
  packages=$(bash -c "source <(sed -n \"/^packages=(/,/^)/p\" bochner-*/tools/setup.sh); echo \${packages[*]}")
  apt-get -qq update
  DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends $packages python3-dev python3-venv > /dev/null
  python3 -m venv env
  start=$(date +%s)
  # Unpacked, with a build folder inside, as that of the repository: ccache takes objects for the same by their relative paths.
  folder=$(echo bochner-*/)
  CXX=c++ CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)} env/bin/pip install --quiet --config-settings=build-dir=build "./$folder"
  echo "pip install of the source distribution: $(($(date +%s) - start)) s"
  env/bin/python -c "import bochner; bochner.show_versions()"
  env/bin/python first_embedding.py'
