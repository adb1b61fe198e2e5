#!/usr/bin/env bash
# From an empty system to the first embedding: packaging/test_wheel.sh <suite> <wheel>, say bookworm dist/bochner-*-cp311-*.whl.
# Says how long each step took, and fails above 30 seconds in all. As root.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/empty_system.sh

suite=${1:?usage: packaging/test_wheel.sh <suite> <wheel>} wheel=${2:?usage: packaging/test_wheel.sh <suite> <wheel>}
system=$(mktemp -d)
trap 'rm -rf "$system"' EXIT
chmod 755 "$system"
empty_system "$system" "$suite" python3,python3-venv,ca-certificates
cp "$wheel" packaging/first_embedding.py "$system/root/"
in_system "$system" bash -euc '
  cd
  now() { date +%s.%N; }
  python3 -m venv env
  start=$(now)
  env/bin/pip install --quiet --disable-pip-version-check bochner-*.whl
  installed=$(now)
  env/bin/python -c "import bochner; bochner.show_versions()"
  imported=$(now)
  env/bin/python first_embedding.py
  done=$(now)
  if command -v gcc cmake; then echo "this system is not empty" >&2; exit 1; fi
  echo "$start $installed $imported $done" | awk "{
    printf \"pip install %.1f s, import %.1f s, first embedding %.1f s\n\", \$2 - \$1, \$3 - \$2, \$4 - \$3
    exit (\$4 - \$1 > 30) }"'
