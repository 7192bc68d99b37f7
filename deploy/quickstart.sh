#!/usr/bin/env bash
# From a fresh Debian 12 to a RACU table: installs, builds, and runs Recursive ROAR on generated bAbI-1 with coordinator,
# worker and runners on this machine. Ends with a check of the result. Run it again: what is done is not done again.
set -euo pipefail
cd "$(dirname "$0")/.."

./deploy/install-deps.sh
cmake --preset release -DROAR_TESTS=OFF -DROAR_BENCH=OFF >/dev/null
cmake --build --preset release
echo
echo "quickstart: running examples/quickstart.yaml"
started=$SECONDS
build/release/bin/roar run examples/quickstart.yaml
echo "quickstart: ran $((SECONDS - started)) s"

# The sweep means something only if the unmasked model has learned the task and both measures beat random masking.
results=$(build/release/bin/roar results last --json)
jq -e '[.curves[].points[] | select(.ratio_percent == 0).mean] | min >= 0.95' <<<"$results" >/dev/null ||
  { echo "quickstart: the unmasked accuracy is below 95 %: $(jq -c '[.curves[].points[0].mean]' <<<"$results")" >&2; exit 1; }
jq -e '.racu | length == 2 and all(.mean > 0)' <<<"$results" >/dev/null ||
  { echo "quickstart: not every RACU is positive: $(jq -c '[.racu[] | {measure, mean}]' <<<"$results")" >&2; exit 1; }
echo "quickstart: unmasked accuracy is at least 95 %, RACU is positive for both measures"
