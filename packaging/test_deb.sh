#!/usr/bin/env bash
# Installs the Debian packages in an empty system and uses them: packaging/test_deb.sh [suite]. As root.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/empty_system.sh

system=$(mktemp -d)
trap 'rm -rf "$system"' EXIT
chmod 755 "$system"
empty_system "$system" "${1:-bookworm}" ca-certificates
mkdir "$system/packages"
cp dist/*.deb "$system/packages/"
in_system "$system" bash -euc '
  export DEBIAN_FRONTEND=noninteractive
  cd /root
  apt-get -qq update
  apt-get -qq install --no-install-recommends /packages/bochner_*.deb > /dev/null
  echo "program with its dependencies: $(dpkg-query -W -f "\${Installed-Size}\n" | awk "{s += \$1} END {print int(s / 1024)}") MB installed in all"
  bochner --version
  bochner demo --out run
  test -s run/latent.csv
  bash -ic "source /usr/share/bash-completion/completions/bochner && complete -p bochner" > /dev/null 2>&1
  test -s /usr/share/zsh/vendor-completions/_bochner
  test -s /usr/share/man/man1/bochner.1.gz -o ! -d /usr/share/man  # an empty system may leave out manual pages
  apt-get -qq install --no-install-recommends /packages/libbochner-dev_*.deb cmake make g++ > /dev/null
  cmake -S /usr/share/doc/libbochner-dev/examples/consumer -B consumer > /dev/null
  cmake --build consumer > /dev/null
  consumer/consumer
  apt-get -qq purge bochner libbochner-dev > /dev/null
  test ! -e /usr/bin/bochner -a ! -e /usr/include/bochner
  echo "Debian packages: good"'
