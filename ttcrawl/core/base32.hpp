// Base 32 (RFC 4648 section 6): the digests in records of the archive, without padding.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ttcrawl {

/// `data` has a multiple of 5 bytes, as every SHA-1 has: then its 8 letters for each 5 bytes need no padding.
inline std::string base32(std::string_view data) {
  constexpr std::string_view LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  constexpr int LETTER_BITS = 5;
  std::string text;
  text.reserve(data.size() / 5 * 8);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char byte : data) {
    bits = bits << 8 | static_cast<unsigned char>(byte);
    for (count += 8; count >= LETTER_BITS; count -= LETTER_BITS) {
      text.push_back(LETTERS[bits >> (count - LETTER_BITS) & 31]);
    }
  }
  return text;
}

}  // namespace ttcrawl
