#!/usr/bin/env bash
# Everything in dist/ (make wheel, sdist, deb), installed in empty systems and used. As root.
set -euo pipefail
cd "$(dirname "$0")/.."

builds=""
if [ "$(uname -m)" = x86_64 ]; then builds=x86-64-v4; fi
python3 tools/check_wheel.py ${builds:+--builds "$builds"} dist/bochner-*.whl
python3 packaging/test_builds.py dist/bochner-*.whl
packaging/test_wheel.sh bookworm dist/bochner-*-cp311-*.whl
for wheel in dist/bochner-*-abi3-*.whl; do
  if [ -e "$wheel" ]; then packaging/test_wheel.sh trixie "$wheel"; fi
done
packaging/test_deb.sh bookworm
packaging/test_sdist.sh bookworm dist/bochner-*.tar.gz
