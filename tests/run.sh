#!/usr/bin/env bash
# Installs what is missing, builds, and passes all tests. One line at the end says how it went.
set -euo pipefail
cd "$(dirname "$0")/.."

./deploy/install-deps.sh
cmake --preset release -DROAR_TESTS=ON -DROAR_BENCH=ON >/dev/null
cmake --build --preset release
ctest --preset release
