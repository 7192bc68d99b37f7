#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// What stands before a message or record wherever several follow each other: its length in 4 bytes, little endian.

namespace roar {

inline constexpr std::size_t kLengthBytes = 4;

// Of what is read as it arrives, from a peer or a file of somebody else's, longer frames are neither written nor read:
// a damaged length must not become an allocation.
inline constexpr std::size_t kFrameBytesMost = 4 << 20;

// `length` is under 4 GiB.
inline std::string EncodeLength(std::size_t length) {
  std::string bytes;
  for (std::size_t i = 0; i < kLengthBytes; ++i) bytes.push_back(static_cast<char>(length >> (8 * i) & 0xff));
  return bytes;
}

// Of the first kLengthBytes bytes, which must be there.
inline std::size_t DecodeLength(std::string_view bytes) {
  std::size_t length = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[i]);
  return length;
}

}  // namespace roar
