// Whether a page may be too much for a parser that makes a tree, before its tags are looked at one by one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "ascii.hpp"

namespace ttcrawl {

/// How often a character is in a text: in blocks, which compilers count by vector instructions.
inline std::size_t count_of(std::string_view text, char character) {
  constexpr std::size_t BLOCK = 128;
  std::size_t count = 0;
  for (; text.size() >= BLOCK; text.remove_prefix(BLOCK)) {
    unsigned char of_block = 0;
    for (std::size_t index = 0; index < BLOCK; ++index) of_block += text[index] == character;
    count += of_block;
  }
  return count + static_cast<std::size_t>(std::count(text.begin(), text.end(), character));
}

/// Whether ">" is in the value of an attribute in quotes. Linear: no quotation of either kind is read twice.
inline bool has_quoted_end(std::string_view page) {
  for (std::size_t at = page.find('='); at != page.npos; at = page.find('=', at + 1)) {
    std::size_t end = at + 1;
    while (end < page.size() && is_html_space(page[end])) ++end;
    if (end == page.size()) return false;
    const char quote = page[end];
    if (quote != '"' && quote != '\'') continue;
    const std::string_view value = page.substr(end + 1, page.find(quote, end + 1) - (end + 1));
    if (value.find('>') != value.npos) return true;
  }
  return false;
}

/// Whether a tag may have `size` bytes or more: ttcrawl.parse.links.weight.
inline bool may_have_long_tag(std::string_view page, std::size_t size) {
  for (std::size_t at = 0; at + size <= page.size();) {
    const std::size_t last = page.substr(at, size).rfind('>');
    std::size_t end = at + last;
    if (last == page.npos) {
      end = std::min(page.find('>', at + size), page.size());
      const std::size_t tag = page.substr(at, end - at).find('<');
      if (tag != page.npos && at + tag + size <= end) return true;
    }
    at = end + 1;
  }
  return has_quoted_end(page);
}

}  // namespace ttcrawl
