#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace roar {

// A stream of random numbers that is a function of (seed, purpose, index, index2) and nothing else, so a result does
// not depend on batching, order or machine. The state is derived by SHA-256; the generator is SplitMix64. Two streams
// with any different part are independent. Integers and uniforms are exact on every machine; Normal() goes through log
// and cos of the C library.
class RandomStream {
 public:
  RandomStream(std::int64_t seed, std::string_view purpose, std::int64_t index = 0, std::int64_t index2 = 0);

  std::uint64_t Next();
  // In [0, 1), a multiple of 2^-53.
  double Uniform();
  // In [0, bound), without bias; bound > 0.
  std::uint64_t Below(std::uint64_t bound);
  // Standard normal (Box-Muller).
  double Normal();

  // A permutation of 0..size-1 (Fisher-Yates), each equally likely.
  std::vector<std::int64_t> Permutation(std::int64_t size);

 private:
  std::uint64_t state_;
};

}  // namespace roar
