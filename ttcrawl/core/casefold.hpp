// Default case folding (Unicode 3.13.3), as str.casefold.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "ascii.hpp"
#include "text.hpp"
#include "unicode.hpp"
#include "utf8.hpp"

namespace ttcrawl {

/// Letters of ASCII in lower case. Blocks, because compilers turn these into vector instructions.
inline void lower_in_place(char *letters, std::size_t size) {
  constexpr std::size_t BLOCK = 16;
  std::size_t at = 0;
  for (; at + BLOCK <= size; at += BLOCK) {
    for (std::size_t index = 0; index < BLOCK; ++index) letters[at + index] = to_lower(letters[at + index]);
  }
  for (; at < size; ++at) letters[at] = to_lower(letters[at]);
}

inline void append_folded(std::string &result, const Unicode &unicode, std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = ascii_size(text);
    result.append(text, 0, size);
    lower_in_place(result.data() + result.size() - size, size);
    text.remove_prefix(size);
    if (text.empty()) break;
    const CodePoint code = decode(text.data());
    const std::string_view folding = unicode.folded(code.value);
    result.append(folding.empty() ? text.substr(0, code.size) : folding);
    text.remove_prefix(code.size);
  }
}

inline std::string folded(const Unicode &unicode, std::string_view text) {
  std::string result;
  result.reserve(text.size());
  append_folded(result, unicode, text);
  return result;
}

}  // namespace ttcrawl
