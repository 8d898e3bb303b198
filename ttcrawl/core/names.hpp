// The names of elements and attributes as numbers: one comparison for a name, in any letter case.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ascii.hpp"

namespace ttcrawl {

/// What a byte is in a name.
namespace name_byte {
inline constexpr std::uint8_t DIGIT = 0x3F;  // the bits of its digit in the number of a name, which is never 0
inline constexpr std::uint8_t RARE = 0x40;   // upper case, and "<"
inline constexpr std::uint8_t EQUALS = 0x80 | DIGIT;  // from here on it ends the name of an attribute,
inline constexpr std::uint8_t END = EQUALS + 1;       // from here on any name

inline constexpr std::array<std::uint8_t, 256> KINDS = [] {
  std::array<std::uint8_t, 256> kinds{};
  kinds.fill(DIGIT);  // of all characters that no name of the standard has
  std::uint8_t digit = 0;
  for (char letter : std::string_view("abcdefghijklmnopqrstuvwxyz0123456789-:")) {
    kinds[static_cast<unsigned char>(letter)] = ++digit;
  }
  for (char letter = 'A'; letter <= 'Z'; ++letter) {
    kinds[static_cast<unsigned char>(letter)] = kinds[static_cast<unsigned char>(to_lower(letter))] | RARE;
  }
  kinds['<'] |= RARE;
  kinds['='] = EQUALS;
  for (char end : std::string_view(" \t\n\f\r/>\0", 8)) {
    kinds[static_cast<unsigned char>(end)] = END;
  }
  return kinds;
}();

constexpr std::uint8_t kind(char byte) {
  return KINDS[static_cast<unsigned char>(byte)];
}
}  // namespace name_byte

/// The number of a name, while its bytes arrive: six bits for each. Different names that have a number are different
/// numbers if both consist of letters, digits, "-" and ":", as those of the standard do.
class NameNumber {
 public:
  static constexpr std::size_t LONGEST = 10;  // characters: blockquote, background, http-equiv

  constexpr void add(std::uint8_t kind) { number_ = number_ << 6 | (kind & name_byte::DIGIT); }

  /// 0: it is too long to have one.
  constexpr std::uint64_t value(std::size_t size) const { return size <= LONGEST ? number_ : 0; }

 private:
  std::uint64_t number_ = 0;
};

constexpr std::uint64_t number_of(std::string_view name) {
  NameNumber number;
  for (char byte : name) {
    number.add(name_byte::kind(byte));
  }
  return number.value(name.size());
}

}  // namespace ttcrawl
