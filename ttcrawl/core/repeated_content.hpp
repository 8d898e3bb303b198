// What pages of an endless space have in common: their source without hrefs, and without the numbers of their URLs, as
// ttcrawl.parse.repeated_content has them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "ascii.hpp"

namespace ttcrawl {

/// White space of a pattern of bytes.
inline constexpr std::string_view SPACES = " \t\n\r\f\v";

/// The end of an attribute's value that starts at `at`; npos: there is none.
inline std::size_t end_of_value(std::string_view html, std::size_t at) {
  constexpr std::string_view ENDS = " \t\n\r\f\v>\"'";
  if (at >= html.size()) return std::string_view::npos;
  if (html[at] == '"' || html[at] == '\'') {
    const std::size_t quote = html.find(html[at], at + 1);
    return quote == std::string_view::npos ? quote : quote + 1;
  }
  const std::size_t end = std::min(html.find_first_of(ENDS, at), html.size());
  return end == at ? std::string_view::npos : end;
}

/// A page without its hrefs, in any letter case. Each has a sign of equality, of which there are fewest.
inline std::string without_hrefs(std::string_view html) {
  constexpr std::string_view NAME = "href";
  std::string rest;
  rest.reserve(html.size());
  std::size_t start = 0;  // of what is not in `rest`
  for (std::size_t sign = html.find('='); sign != std::string_view::npos;) {
    const std::string_view before = html.substr(start, sign - start);
    const std::size_t name_end = before.find_last_not_of(SPACES) + 1;  // 0: nothing is before
    const std::string_view name = before.substr(name_end < NAME.size() ? 0 : name_end - NAME.size(), NAME.size());
    std::size_t next = sign + 1;
    if (name_end >= NAME.size() && equals_ignoring_case(name, NAME)) {
      const std::size_t value = std::min(html.find_first_not_of(SPACES, sign + 1), html.size());
      if (const std::size_t end = end_of_value(html, value); end != std::string_view::npos) {
        rest.append(before, 0, name_end - NAME.size());
        start = next = end;
      }
    }
    sign = html.find('=', next);
  }
  return rest.append(html, start);
}

/// A page without some numbers outside of its tags. A tag ends before the next one, so that this takes linear time.
inline std::string without_numbers(std::string_view html, const std::set<std::string_view> &numbers) {
  std::string rest;
  rest.reserve(html.size());
  for (std::size_t at = 0; at < html.size();) {
    std::size_t end = at + 1;
    if (html[at] == '<') {
      while (end < html.size() && html[end] != '<' && html[end] != '>') ++end;
      end += end < html.size() && html[end] == '>';
    } else {
      const bool in_number = is_digit(html[at]);
      while (end < html.size() && html[end] != '<' && is_digit(html[end]) == in_number) ++end;
      const std::string_view number = html.substr(at, end - at);
      if (in_number && numbers.contains(number)) {
        at = end;
        continue;
      }
    }
    rest.append(html, at, end - at);
    at = end;
  }
  return rest;
}

}  // namespace ttcrawl
