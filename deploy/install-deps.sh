#!/usr/bin/env bash
# Installs everything that building, testing and running Roar needs, from Debian 12's packages. Idempotent; root or sudo.
set -euo pipefail

packages=(
  # build
  cmake ninja-build g++ ccache pkg-config git ca-certificates
  # the service
  libgrpc++-dev libgrpc-dev protobuf-compiler protobuf-compiler-grpc libprotobuf-dev libabsl-dev
  libsqlite3-dev libsqlitecpp-dev prometheus-cpp-dev libcpp-httplib-dev libssl-dev libzstd-dev zlib1g-dev
  libspdlog-dev nlohmann-json3-dev libcli11-dev libyaml-cpp-dev libboost-dev libboost-math-dev
  # training; without OpenBLAS beside it, LibTorch's matrix products are forty times slower
  libtorch-dev libopenblas-pthread-dev
  # the quickstart's check of its results
  jq
  # tests and benchmarks; groff checks man pages, valijson JSON
  libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev groff-base libvalijson-dev
)

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "install-deps: all ${#packages[@]} packages are installed"
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "install-deps: run this as root, or install sudo: packages are missing: ${missing[*]}" >&2; exit 9; }
  as_root=(sudo)
fi
echo "install-deps: installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
echo "install-deps: done"
