// Default case folding (Unicode 3.13.3), as str.casefold.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "ascii.hpp"
#include "text.hpp"
#include "unicode.hpp"

namespace ttcrawl {

inline void append_folded(std::string &result, const Unicode &unicode, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    while (at < text.size() && is_ascii(text[at])) ++at;
    const std::string_view letters = text.substr(start, at - start);
    result.resize(result.size() + letters.size());
    std::transform(letters.begin(), letters.end(), result.end() - static_cast<std::ptrdiff_t>(letters.size()), to_lower);
    if (at == text.size()) break;
    const CodePoint code = decode(&text[at]);
    const std::string_view folding = unicode.folded(code.value);
    result.append(folding.empty() ? text.substr(at, code.size) : folding);
    at += code.size;
  }
}

inline std::string folded(const Unicode &unicode, std::string_view text) {
  std::string result;
  result.reserve(text.size());
  append_folded(result, unicode, text);
  return result;
}

}  // namespace ttcrawl
