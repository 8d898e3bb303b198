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
  const std::string_view *hidden = element.attributes.find("hidden");
  if (hidden != nullptr && *hidden != "until-found") return true;
  const std::string_view style = value_of(element.attributes, "style");
  static constexpr Needle CLOSE("display:none");
  static constexpr Needle SPACED("display: none");
  return CLOSE.is_in(style) || SPACED.is_in(style);
}

inline bool hides_by_attribute(std::string_view html) {
  constexpr std::string_view NAME = " hidden";
  for (std::size_t at = html.find(NAME); at < html.size(); at = html.find(NAME, at + NAME.size())) {
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
  constexpr std::string_view NAME = "display:";
  constexpr std::size_t BEFORE = 200;
  for (std::size_t at = html.find(NAME); at < html.size(); at = html.find(NAME, at + NAME.size())) {
    const std::size_t from = at < BEFORE ? 0 : at - BEFORE;
    if (without_leading_space(html.substr(at + NAME.size(), 5)).starts_with("none") &&
        html.substr(from, at - from).find("style=") != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

inline bool may_hide(std::string_view html) { return hides_by_attribute(html) || hides_by_style(html); }

/// Whether a comment is inside a word: then no comment ends one. A sign of exclamation is rare.
inline bool has_comment_in_word(std::string_view html) {
  for (std::size_t at = html.find('!'); at < html.size(); at = html.find('!', at + 1)) {
    if (at < 2 || html[at - 1] != '<' || html.substr(at + 1, 2) != "--") continue;
    if (std::string_view(" \n\t>").find(html[at - 2]) == std::string_view::npos) return true;
  }
  return false;
}

}  // namespace ttcrawl
