#!/usr/bin/env bash
# Debian packages in dist/, of the program (bochner) and of the library (libbochner-dev): packaging/deb.sh
# BOCHNER_ARCH=x86-64 builds for every processor (default x86-64-v3, packaging/debian/rules).
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/^project(bochner VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
tree=build-deb/bochner-$version
# The files of the project and nothing that lies beside them; those that did not change keep their date, and are not recompiled.
mkdir -p "$tree" dist
list=$(mktemp)
trap 'rm -f "$list"' EXIT
git ls-files --cached --others --exclude-standard | grep -v '^packaging/debian/' > "$list"
find "$tree" -mindepth 1 -maxdepth 1 ! -name build-package -exec rm -rf {} +
tar -c --files-from "$list" | tar -x -C "$tree"
cp -r packaging/debian "$tree/debian"
cat > "$tree/debian/changelog" <<EOF
bochner ($version-1) unstable; urgency=medium

  * See /usr/share/doc/bochner/changelog.gz.

 -- The bochner authors <authors@bochner.invalid>  $(git log -1 --format=%cD)
EOF
if command -v ccache > /dev/null; then  # debhelper gives the build a home of its own
  CCACHE_DIR=$(ccache -k cache_dir) CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=$(ccache -k sloppiness | tr -d ' ')
  export CCACHE_DIR CCACHE_BASEDIR CCACHE_NOHASHDIR CCACHE_SLOPPINESS
fi
log=build-deb/log
(cd "$tree" && dpkg-buildpackage --build=binary --unsigned-changes --jobs="${JOBS:-$(nproc)}") > "$log" 2>&1 || { tail -40 "$log" >&2; exit 1; }
rm -f dist/*.deb
mv build-deb/*.deb dist/
lintian --fail-on error dist/bochner_"$version"-1_*.deb dist/libbochner-dev_"$version"-1_*.deb
