// Default case folding (Unicode 3.13.3), as str.casefold.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text.hpp"
#include "unicode.hpp"

namespace ttcrawl {

inline char lower(char byte) { return 'A' <= byte && byte <= 'Z' ? static_cast<char>(byte | 0x20) : byte; }

inline std::string folded(const Unicode &unicode, std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    while (at < text.size() && is_ascii(text[at])) ++at;
    const std::size_t copied = result.size();
    result.append(text, start, at - start);
    for (std::size_t index = copied; index < result.size(); ++index) result[index] = lower(result[index]);
    if (at == text.size()) break;
    const CodePoint code = decode(&text[at]);
    const std::string_view folding = unicode.folded(code.value);
    result.append(folding.empty() ? text.substr(at, code.size) : folding);
    at += code.size;
  }
  return result;
}

}  // namespace ttcrawl
