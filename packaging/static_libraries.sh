#!/usr/bin/env bash
# HDF5 and libzip for the wheels, as static libraries: packaging/static_libraries.sh <prefix>
#
# The sources are those of Debian's own packages (apt checks their signatures), configured without what bochner never calls:
# Debian's HDF5 reads files from the network and its libzip decrypts archives, and they bring libcurl, libcrypto, libldap and
# thirty others with them. A wheel with these inside would need a release for every security fix of theirs. Debian's libhdf5.a
# cannot be linked into a shared module (it is not compiled with -fPIC), and there is no libzip.a.
set -euo pipefail

prefix=${1:?usage: packaging/static_libraries.sh <prefix>}
mkdir -p "$prefix/lib/pkgconfig"
prefix=$(cd "$prefix" && pwd)
jobs=${JOBS:-$(nproc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Sets apt to a command that knows the sources of this release, without a change to the system's own lists.
use_sources() {
  [ -n "${apt:-}" ] && return
  mkdir -p "$work"/lists/partial
  local mirror
  . /etc/os-release
  mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' "Codename: $VERSION_CODENAME" | head -1)
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $VERSION_CODENAME main" > "$work/sources.list"
  apt=(apt-get -qq -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=- -o "Dir::State::Lists=$work/lists"
       -o "Dir::Cache::srcpkgcache=" -o "Dir::Cache::pkgcache=" -o APT::Sandbox::User=root)
  "${apt[@]}" update
}

# build <library> <Debian source package>: runs build_<library> <source folder> <flags> unless its pkg-config file is there.
build() {
  [ -f "$prefix/lib/pkgconfig/$1.pc" ] && return
  echo "bochner: building a static $1 from the source of Debian's package"
  use_sources
  mkdir "$work/$1"
  (cd "$work/$1" && "${apt[@]}" source "$2" > /dev/null)
  local source log=$work/$1.log
  source=$(find "$work/$1" -mindepth 1 -maxdepth 1 -type d)
  "build_$1" "$source" "-O2 -fvisibility=hidden -fstack-protector-strong -D_FORTIFY_SOURCE=2 -ffile-prefix-map=$source=" > "$log" 2>&1 ||
    { tail -30 "$log" >&2; exit 1; }
  # Theirs name what a shared library needs; ours say what to link.
  cat > "$prefix/lib/pkgconfig/$1.pc" <<EOF
prefix=$prefix
Name: $1
Description: $1, static
Version: $(basename "$source" | sed 's/^[a-z0-9]*-\([0-9.]*\).*/\1/')
Cflags: -I\${prefix}/include
Libs: -L\${prefix}/lib -l${1#lib} -lz -ldl -lm -pthread
EOF
}

build_hdf5() {
  cd "$1" &&
    ./configure --prefix="$prefix" --libdir="$prefix/lib" --disable-shared --enable-static --with-pic --disable-dependency-tracking \
      --enable-threadsafe --disable-hl --disable-tests --disable-parallel --disable-map-api --with-zlib --without-szlib \
      --enable-build-mode=production --disable-embedded-libinfo CFLAGS="$2" &&
    make -C src -j "$jobs" install  # all that is linked
}

# arc4random came with glibc 2.36, and only encryption would call it.
build_libzip() {
  cmake -S "$1" -B "$1/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="$2" -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD_SHARED_LIBS=OFF -DENABLE_COMMONCRYPTO=OFF \
    -DHAVE_ARC4RANDOM=OFF -DENABLE_GNUTLS=OFF -DENABLE_MBEDTLS=OFF -DENABLE_OPENSSL=OFF -DENABLE_BZIP2=OFF -DENABLE_LZMA=OFF -DENABLE_ZSTD=OFF \
    -DBUILD_TOOLS=OFF -DBUILD_REGRESS=OFF -DBUILD_EXAMPLES=OFF -DBUILD_DOC=OFF &&
    cmake --build "$1/build" --parallel "$jobs" && cmake --install "$1/build" && rm -f "$prefix/lib/pkgconfig/libzip.pc"
}

(build hdf5 hdf5)
(build libzip libzip)
