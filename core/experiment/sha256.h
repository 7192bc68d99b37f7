#pragma once

#include <string>
#include <string_view>

namespace roar {

// SHA-256 of the bytes, as 64 lower-case hexadecimal digits.
std::string Sha256Hex(std::string_view bytes);

// Whether the text is 64 lower-case hexadecimal digits, the only form in which hashes travel.
bool IsSha256Hex(std::string_view text);

}  // namespace roar
