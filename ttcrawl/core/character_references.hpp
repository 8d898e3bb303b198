// Character references: &amp; &#38; &#x26; (HTML standard 13.2.5.72 to 13.2.5.80).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "ascii.hpp"
#include "text.hpp"
#include "utf8.hpp"

namespace ttcrawl {

/// The names of characters (13.5), with the semicolon where they need one: "amp" and "amp;" -> "&".
class NamedReferences {
 public:
  void add(std::string_view name, std::string_view text) {
    texts_.insert_or_assign(std::string(name), std::string(text));
    longest_ = std::max(longest_, name.size());
  }

  /// nullptr: there is no such name.
  const std::string *find(std::string_view name) const {
    const auto found = texts_.find(name);
    return found == texts_.end() ? nullptr : &found->second;
  }

  std::size_t longest() const { return longest_; }

 private:
  std::unordered_map<std::string, std::string, TextHash, std::equal_to<>> texts_;
  std::size_t longest_ = 0;
};

/// Where a reference stands: in an attribute a name without a semicolon is none before "=" or an alphanumeric.
enum class Within : std::uint8_t { TEXT, ATTRIBUTE };

namespace character_reference {

/// The character for a number (13.2.5.80): bytes of windows-1252 stand for its characters.
constexpr char32_t of_number(char32_t number) {
  constexpr std::array<char16_t, 32> WINDOWS_1252 = {
      0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
      0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
      0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};
  if (number == 0 || number > 0x10FFFF || (number >= 0xD800 && number < 0xE000)) {
    return 0xFFFD;
  }
  return number >= 0x80 && number < 0xA0 ? WINDOWS_1252[number - 0x80] : number;
}

/// The value of a digit; 16: it is none.
constexpr unsigned digit(char letter, bool hexadecimal) {
  if (is_digit(letter)) {
    return static_cast<unsigned>(letter - '0');
  }
  const char lower = to_lower(letter);
  return hexadecimal && lower >= 'a' && lower <= 'f' ? static_cast<unsigned>(lower - 'a') + 10 : 16;
}

/// Append the character of a reference that begins with "#"; return its size, 0: there are no digits.
inline std::size_t numeric(std::string_view text, std::string &to) {
  const bool hexadecimal = text.size() > 1 && to_lower(text[1]) == 'x';
  const std::size_t first = hexadecimal ? 2 : 1;
  std::size_t size = first;
  char32_t number = 0;
  for (unsigned value; size < text.size() && (value = digit(text[size], hexadecimal)) < 16; ++size) {
    number = std::min<char32_t>(number * (hexadecimal ? 16 : 10) + value, 0x110000);
  }
  if (size == first) {
    return 0;
  }
  append_utf8(to, of_number(number));
  return size < text.size() && text[size] == ';' ? size + 1 : size;
}

/// Append what the longest name at the start of `text` stands for; return its size, 0: there is no name.
inline std::size_t named(std::string_view text, const NamedReferences &names, Within within, std::string &to) {
  std::size_t size = 0;
  while (size < text.size() && size < names.longest() && is_alphanumeric(text[size])) {
    ++size;
  }
  size += size < text.size() && text[size] == ';';
  for (; size > 0; size--) {
    const std::string *meaning = names.find(text.substr(0, size));
    if (meaning == nullptr) {
      continue;
    }
    const char next = size < text.size() ? text[size] : ' ';
    if (within == Within::ATTRIBUTE && text[size - 1] != ';' && (next == '=' || is_alphanumeric(next))) {
      return 0;
    }
    to += *meaning;
    return size;
  }
  return 0;
}

}  // namespace character_reference

/// Append `text` with its references replaced by the characters.
inline void decode_references(std::string_view text, const NamedReferences &names, Within within, std::string &to) {
  for (;;) {
    const std::size_t size = std::min(text.find('&'), text.size());
    to.append(text.substr(0, size));
    if (size == text.size()) {
      return;
    }
    text.remove_prefix(size + 1);
    const std::size_t taken = text.starts_with('#') ? character_reference::numeric(text, to)
                                                    : character_reference::named(text, names, within, to);
    if (taken == 0) {
      to.push_back('&');
    }
    text.remove_prefix(taken);
  }
}

}  // namespace ttcrawl
