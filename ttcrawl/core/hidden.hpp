// Elements that a page hides, and comments, by a look at its source (ttcrawl.read.tree).
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "ascii.hpp"
#include "attributes.hpp"
#include "needle.hpp"
#include "sink.hpp"

namespace ttcrawl {

/// Whether an element is hidden where a page hides any. A page that hides all of itself is shown by a script.
inline bool is_hidden(const Element &element) {
  if (element.attributes.empty() || element.tag == Tag::HTML || element.tag == Tag::BODY) return false;
  const std::string_view *hidden = find(element.attributes, "hidden");
  if (hidden != nullptr && *hidden != "until-found") return true;
  const std::string_view style = value_of(element.attributes, "style");
  return contains_ignoring_case(style, "display:none") || contains_ignoring_case(style, "display: none");
}

inline bool hides_by_attribute(std::string_view html) {
  static constexpr Needle NAME(" hidden");
  for (std::size_t at = NAME.find(html); at < html.size(); at = NAME.find(html, at + NAME.size())) {
    const std::string_view next = html.substr(at + NAME.size(), 1);
    if (!next.empty() && std::string_view(" >=\n/").find(next) != std::string_view::npos) return true;
  }
  return false;
}

/// White space of bytes.strip.
inline std::string_view without_leading_space(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n\r\v\f"), text.size()));
  return text;
}

inline bool hides_by_style(std::string_view html) {
  static constexpr Needle NAME("display:");
  constexpr std::size_t BEFORE = 200;
  for (std::size_t at = NAME.find(html); at < html.size(); at = NAME.find(html, at + NAME.size())) {
    const std::size_t from = at < BEFORE ? 0 : at - BEFORE;
    if (without_leading_space(html.substr(at + NAME.size(), 5)).starts_with("none") &&
        html.substr(from, at - from).find("style=") != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

inline bool may_hide(std::string_view html) { return hides_by_attribute(html) || hides_by_style(html); }

/// Whether a comment is inside a word: then no comment ends one.
inline bool has_comment_in_word(std::string_view html) {
  static constexpr Needle OPEN("<!--");
  for (std::size_t at = OPEN.find(html); at < html.size() && at > 0; at = OPEN.find(html, at + OPEN.size())) {
    if (std::string_view(" \n\t>").find(html[at - 1]) == std::string_view::npos) return true;
  }
  return false;
}

}  // namespace ttcrawl
