// Characters as the HTML standard tells them apart (Infra 4.6).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ttcrawl {

constexpr bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

constexpr bool is_upper(char letter) {
  return letter >= 'A' && letter <= 'Z';
}

constexpr char to_lower(char letter) {
  return is_upper(letter) ? static_cast<char>(letter + ('a' - 'A')) : letter;
}

constexpr bool is_alpha(char letter) {
  return to_lower(letter) >= 'a' && to_lower(letter) <= 'z';
}

constexpr bool is_alphanumeric(char letter) {
  return is_alpha(letter) || is_digit(letter);
}

/// Some of the characters below "@": one comparison with all of them.
class AsciiSet {
 public:
  consteval explicit AsciiSet(std::string_view characters) {
    for (char each : characters) {
      if (each < 0 || each >= '@') throw "only characters below @";
      bits_ |= std::uint64_t{1} << each;
    }
  }

  constexpr bool has(char letter) const {
    const auto index = static_cast<unsigned char>(letter);
    return index < 64 && (bits_ >> index & 1) != 0;
  }

  constexpr AsciiSet operator|(AsciiSet other) const {
    other.bits_ |= bits_;
    return other;
  }

 private:
  std::uint64_t bits_ = 0;
};

/// ASCII white space. Carriage returns are normalized before (13.2.3.5): one that is left is a reference, &#13;
inline constexpr AsciiSet HTML_SPACE(" \n\t\f\r");

constexpr bool is_html_space(char letter) {
  return HTML_SPACE.has(letter);
}

constexpr bool is_html_space(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char letter) { return is_html_space(letter); });
}

/// How many characters of white space are at the start of a text.
constexpr std::size_t leading_space(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() && is_html_space(text[size])) {
    ++size;
  }
  return size;
}

/// Whether two texts are the same but for ASCII case; `lower` is in lower case.
constexpr bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && std::equal(text.begin(), text.end(), lower.begin(),
                                                    [](char one, char other) { return to_lower(one) == other; });
}

constexpr bool starts_ignoring_case(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() && equals_ignoring_case(text.substr(0, lower.size()), lower);
}

}  // namespace ttcrawl
