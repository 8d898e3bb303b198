// UTF-8 that is checked and made (RFC 3629).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace ttcrawl {

/// The size of the sequence at the start of `text`; 0: it is none (overlong, a surrogate, cut off).
inline std::size_t utf8_sequence(std::string_view text) {
  const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
  const unsigned lead = byte(0);
  const std::size_t size = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (size > text.size()) return 0;
  for (std::size_t index = 1; index < size; ++index) {
    if ((byte(index) & 0xC0) != 0x80) return 0;
  }
  const bool is_overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool is_surrogate = lead == 0xED && byte(1) > 0x9F;
  const bool is_too_large = lead == 0xF4 && byte(1) > 0x8F;
  return is_overlong || is_surrogate || is_too_large ? 0 : size;
}

/// How many bytes at the start of `text` are ASCII: looked at in blocks, while there are whole ones.
inline std::size_t ascii_size(std::string_view text) {
  constexpr std::uint64_t HIGH_BITS = 0x8080808080808080;
  std::size_t size = 0;
  for (std::array<std::uint64_t, 4> block; size + sizeof(block) <= text.size(); size += sizeof(block)) {
    std::memcpy(block.data(), text.data() + size, sizeof(block));
    if (((block[0] | block[1] | block[2] | block[3]) & HIGH_BITS) != 0) break;
  }
  for (std::uint64_t octet = 0; size + sizeof(octet) <= text.size(); size += sizeof(octet)) {
    std::memcpy(&octet, text.data() + size, sizeof(octet));
    if ((octet & HIGH_BITS) != 0) break;
  }
  while (size < text.size() && static_cast<unsigned char>(text[size]) < 0x80) ++size;
  return size;
}

/// Whether a text has a byte that is less than `limit`, which is at most 128 (Anderson, Bit Twiddling Hacks, hasless).
inline bool has_byte_below(std::string_view text, unsigned char limit) {
  constexpr std::uint64_t LOW_BITS = 0x0101010101010101;
  constexpr std::uint64_t HIGH_BITS = 0x8080808080808080;
  for (; text.size() >= sizeof(std::uint64_t); text.remove_prefix(sizeof(std::uint64_t))) {
    std::uint64_t octet = 0;
    std::memcpy(&octet, text.data(), sizeof(octet));
    if (((octet - LOW_BITS * limit) & ~octet & HIGH_BITS) != 0) return true;
  }
  for (char byte : text) {
    if (static_cast<unsigned char>(byte) < limit) return true;
  }
  return false;
}

/// The number of characters of a text that is UTF-8: its bytes but those that continue one.
inline std::size_t characters(std::string_view text) {
  constexpr std::uint64_t LOW_BITS = 0x0101010101010101;
  std::size_t count = text.size();
  for (; text.size() >= sizeof(std::uint64_t); text.remove_prefix(sizeof(std::uint64_t))) {
    std::uint64_t octet = 0;
    std::memcpy(&octet, text.data(), sizeof(octet));
    const std::uint64_t continues = octet >> 7 & ~octet >> 6 & LOW_BITS;  // 1 in each byte 10xxxxxx
    count -= continues * LOW_BITS >> 56;                                  // their sum
  }
  for (char byte : text) count -= (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
  return count;
}

inline bool is_valid_utf8(std::string_view text) {
  for (;;) {
    text.remove_prefix(ascii_size(text));
    if (text.empty()) return true;
    const std::size_t size = utf8_sequence(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
}

/// `code` is no surrogate.
inline void append_utf8(std::string &to, char32_t code) {
  const auto append = [&](char32_t byte) { to.push_back(static_cast<char>(byte)); };
  const auto append_tail = [&](int shift) { append(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) {
    append(code);
  } else if (code < 0x800) {
    append(0xC0 | code >> 6);
    append_tail(0);
  } else if (code < 0x10000) {
    append(0xE0 | code >> 12);
    append_tail(6);
    append_tail(0);
  } else {
    append(0xF0 | code >> 18);
    append_tail(12);
    append_tail(6);
    append_tail(0);
  }
}

}  // namespace ttcrawl
