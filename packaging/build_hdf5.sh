#!/usr/bin/env bash
# A static libhdf5 for the wheels: packaging/build_hdf5.sh <prefix>
#
# The source is that of Debian's own package (apt checks its signature), configured without what bochner never calls: Debian's
# library reads files from the network too, and brings libcurl, libcrypto, libldap and twenty others with it. A wheel with
# these inside would need a release for every security fix of theirs. libhdf5.a of Debian cannot be linked into a shared
# module (it is not compiled with -fPIC).
set -euo pipefail

prefix=${1:?usage: packaging/build_hdf5.sh <prefix>}
mkdir -p "$prefix"
prefix=$(cd "$prefix" && pwd)
[ -f "$prefix/lib/pkgconfig/hdf5.pc" ] && exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{lists/partial,source}
. /etc/os-release
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' "Codename: $VERSION_CODENAME" | head -1)
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $VERSION_CODENAME main" > "$work/sources.list"
apt=(apt-get -qq -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=- -o "Dir::State::Lists=$work/lists"
     -o "Dir::Cache::srcpkgcache=" -o "Dir::Cache::pkgcache=" -o APT::Sandbox::User=root)
echo "bochner: building a static HDF5 from the source of Debian's package"
"${apt[@]}" update
(cd "$work/source" && "${apt[@]}" source hdf5 > /dev/null)
source=$(echo "$work"/source/hdf5-*/)

log=$work/log
(
  cd "$source"
  # The test of symbol versions and the wrappers of the compiler are not built: src/ is all that is linked.
  ./configure --prefix="$prefix" --libdir="$prefix/lib" --disable-shared --enable-static --with-pic --disable-dependency-tracking \
    --enable-threadsafe --disable-hl --disable-tests --disable-parallel --disable-map-api --with-zlib --without-szlib \
    --enable-build-mode=production \
    CFLAGS="-O2 -fvisibility=hidden -fstack-protector-strong -D_FORTIFY_SOURCE=2 -ffile-prefix-map=$source="
  make -C src -j "${JOBS:-$(nproc)}" install
) > "$log" 2>&1 || { tail -30 "$log" >&2; exit 1; }
# Its pkg-config file names libraries of its own configuration; ours needs one that says what to link, and nothing else.
mkdir -p "$prefix/lib/pkgconfig"
cat > "$prefix/lib/pkgconfig/hdf5.pc" <<EOF
prefix=$prefix
Name: HDF5
Description: HDF5, static, without network drivers
Version: $(sed -n 's/^#define H5_VERS_INFO *"HDF5 library version: \(.*\)"/\1/p' "$prefix/include/H5public.h")
Cflags: -I\${prefix}/include
Libs: -L\${prefix}/lib -lhdf5 -lz -ldl -lm -pthread
EOF
