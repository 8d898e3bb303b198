// White space as str.split has it, collapsed while a text arrives in pieces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "text.hpp"
#include "unicode.hpp"

namespace ttcrawl {

inline constexpr std::string_view SOFT_HYPHEN = "\xC2\xAD";

/// What the first byte of a character says about it.
enum class ByteKind : std::uint8_t { PLAIN, SPACE, LEAD };

inline constexpr std::array<ByteKind, 256> BYTE_KINDS = [] {
  std::array<ByteKind, 256> kinds{};
  for (unsigned byte : {0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0x1F, 0x20}) kinds[byte] = ByteKind::SPACE;
  for (unsigned byte : {0xC2, 0xE1, 0xE2, 0xE3}) kinds[byte] = ByteKind::LEAD;  // of all other white space
  return kinds;
}();

inline ByteKind byte_kind(char byte) { return BYTE_KINDS[static_cast<unsigned char>(byte)]; }

/// The size of the white space character at the start of a text that is not empty, 0: it is none.
inline std::size_t space_size(const Unicode &unicode, std::string_view text) {
  const ByteKind kind = byte_kind(text[0]);
  if (kind != ByteKind::LEAD) return kind == ByteKind::SPACE ? 1 : 0;
  const CodePoint code = decode(text.data());
  return unicode.is_space(code.value) ? code.size : 0;
}

inline std::string_view stripped_at_start(const Unicode &unicode, std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = space_size(unicode, text);
    if (size == 0) break;
    text.remove_prefix(size);
  }
  return text;
}

/// The text without white space at its end.
inline std::string_view stripped_at_end(const Unicode &unicode, std::string_view text) {
  while (!text.empty()) {
    std::size_t last = text.size() - 1;
    while (last > 0 && (static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;
    if (space_size(unicode, text.substr(last)) == 0) break;
    text = text.substr(0, last);
  }
  return text;
}

/// Appends pieces of a text, with one space for each run of white space between two words.
class Collapser {
 public:
  explicit Collapser(const Unicode &unicode, bool drops_soft_hyphens = false)
      : unicode_(unicode), drops_soft_hyphens_(drops_soft_hyphens) {}

  /// `start`: where the text begins in `to`.
  void add(std::string &to, std::size_t start, std::string_view piece) {
    while (!piece.empty()) {
      if (const std::size_t size = space_size(unicode_, piece); size > 0) {
        is_pending_ = true;
        piece.remove_prefix(size);
      } else if (drops_soft_hyphens_ && piece.starts_with(SOFT_HYPHEN)) {
        piece.remove_prefix(SOFT_HYPHEN.size());
      } else {
        if (is_pending_ && to.size() > start) to.push_back(' ');
        is_pending_ = false;
        const std::size_t plain = plain_size(piece);
        to.append(piece, 0, plain);
        piece.remove_prefix(plain);
      }
    }
  }

  /// Whether white space is behind the last word.
  bool is_pending() const { return is_pending_; }
  void clear() { is_pending_ = false; }

 private:
  /// The size of the character at the start, and of all plain ones behind it, with single spaces between.
  static std::size_t plain_size(std::string_view piece) {
    std::size_t size = byte_kind(piece[0]) == ByteKind::LEAD ? decode(piece.data()).size : 1;
    while (size + sizeof(std::uint64_t) < piece.size() && are_plain(&piece[size])) size += sizeof(std::uint64_t);
    for (; size < piece.size(); ++size) {
      if (byte_kind(piece[size]) == ByteKind::PLAIN) continue;
      if (piece[size] != ' ' || size + 1 == piece.size() || byte_kind(piece[size + 1]) != ByteKind::PLAIN) break;
    }
    return size;
  }

  /// Whether nine bytes are ASCII without control characters, and have single spaces only: most of a text has.
  static bool are_plain(const char *at) {
    constexpr std::uint64_t LOW_BITS = 0x0101010101010101;
    constexpr std::uint64_t HIGH_BITS = LOW_BITS << 7;
    std::uint64_t octet = 0;
    std::uint64_t next = 0;
    std::memcpy(&octet, at, sizeof(octet));
    std::memcpy(&next, at + 1, sizeof(next));
    const auto is_special = [](std::uint64_t bytes) { return bytes | (bytes - LOW_BITS * ' '); };  // its high bits
    const std::uint64_t spaces = (octet ^ LOW_BITS * ' ') | (next ^ LOW_BITS * ' ');  // 0 in a byte: two spaces
    return ((is_special(octet) | is_special(next) | (spaces - LOW_BITS)) & HIGH_BITS) == 0;
  }

  const Unicode &unicode_;
  bool drops_soft_hyphens_;
  bool is_pending_ = false;
};

inline std::string collapsed(const Unicode &unicode, std::string_view text) {
  std::string result;
  Collapser(unicode).add(result, 0, text);
  return result;
}

/// At most `most` code points.
inline std::string_view first_characters(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_start = (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
    if (is_start && count++ == most) return text.substr(0, at);
  }
  return text;
}

}  // namespace ttcrawl
