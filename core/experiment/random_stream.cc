#include "core/experiment/random_stream.h"

#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>

#include "core/experiment/sha256.h"

namespace roar {

RandomStream::RandomStream(std::int64_t seed, std::string_view purpose, std::int64_t index, std::int64_t index2) {
  std::string name =
      std::to_string(seed) + "/" + std::string(purpose) + "/" + std::to_string(index) + "/" + std::to_string(index2);
  state_ = std::stoull(Sha256Hex(name).substr(0, 16), nullptr, 16);
}

std::uint64_t RandomStream::Next() {
  state_ += 0x9e3779b97f4a7c15;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

double RandomStream::Uniform() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

std::uint64_t RandomStream::Below(std::uint64_t bound) {
  // Values under the threshold would make the low residues likelier; they are drawn again.
  const std::uint64_t threshold = -bound % bound;
  for (;;) {
    const std::uint64_t value = Next();
    if (value >= threshold) return value % bound;
  }
}

double RandomStream::Normal() {
  const double radius = std::sqrt(-2.0 * std::log1p(-Uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * Uniform());
}

std::vector<std::int64_t> RandomStream::Permutation(std::int64_t size) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[Below(i)]);
  return order;
}

}  // namespace roar
