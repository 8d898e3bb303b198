// Where the text of a raw text element ends (HTML standard 13.2.5.8 to 13.2.5.31).
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "ascii.hpp"

namespace ttcrawl {

/// Whether `html` has "<name" or "</name" (`open` is "<" or "</") at `at`, with a character behind it that ends a name.
inline bool is_tag_at(std::string_view html, std::size_t at, std::string_view open, std::string_view name) {
  const std::size_t behind = at + open.size() + name.size();
  if (behind >= html.size() || !html.substr(at).starts_with(open)) {
    return false;
  }
  const char next = html[behind];
  return (is_html_space(next) || next == '/' || next == '>') &&
         equals_ignoring_case(html.substr(at + open.size(), name.size()), name);
}

/// The index of the end tag of an element with raw text that begins at `from`; the size of the page if there is none.
inline std::size_t end_of_raw_text(std::string_view html, std::size_t from, std::string_view name) {
  for (std::size_t at = html.find('<', from); at < html.size(); at = html.find('<', at + 1)) {
    if (is_tag_at(html, at, "</", name)) {
      return at;
    }
  }
  return html.size();
}

/// The same for a script. Within "<!--" (escaped) a "<script" makes its end tag part of the script (double escaped).
inline std::size_t end_of_script(std::string_view html, std::size_t from) {
  enum class Script { DATA, ESCAPED, DOUBLE_ESCAPED } state = Script::DATA;
  const auto next = [&](std::size_t at) {
    return state == Script::DATA ? html.find('<', at) : html.find_first_of("<-", at);
  };
  for (std::size_t at = next(from); at < html.size(); at = next(at + 1)) {
    const std::string_view rest = html.substr(at);
    if (state != Script::DATA && rest.starts_with("-->")) {
      state = Script::DATA;
    } else if (state == Script::DATA && rest.starts_with("<!--")) {
      state = Script::ESCAPED;  // its own dashes may end it: "<!-->"
    } else if (state == Script::DOUBLE_ESCAPED && is_tag_at(html, at, "</", "script")) {
      state = Script::ESCAPED;
    } else if (state == Script::ESCAPED && is_tag_at(html, at, "<", "script")) {
      state = Script::DOUBLE_ESCAPED;
    } else if (state != Script::DOUBLE_ESCAPED && is_tag_at(html, at, "</", "script")) {
      return at;
    }
  }
  return html.size();
}

}  // namespace ttcrawl
