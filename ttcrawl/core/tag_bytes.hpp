// The bytes of tags and comments in a long page: each function is one of the regular expressions of
// ttcrawl.parse.links.weight. It takes where to begin, and returns what is behind; null: there is no such thing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <string_view>

#include "ascii.hpp"

namespace ttcrawl {

class TagBytes {
 public:
  static constexpr AsciiSet BETWEEN = HTML_SPACE | AsciiSet("/");
  static constexpr AsciiSet NAME_END = BETWEEN | AsciiSet(">");

  explicit TagBytes(std::string_view html) : begin_(html.data()), end_(html.data() + html.size()) {}

  const char *begin() const { return begin_; }
  const char *end() const { return end_; }
  std::string_view rest(const char *at) const { return {at, static_cast<std::size_t>(end_ - at)}; }
  bool is_letter(const char *at) const { return at != end_ && is_alpha(*at); }

  /// The next such character, or the end of the page.
  const char *find(const char *from, char letter) const {
    const void *const found = std::memchr(from, letter, static_cast<std::size_t>(end_ - from));
    return found == nullptr ? end_ : static_cast<const char *>(found);
  }

  const char *behind(const char *at, AsciiSet characters) const {
    while (at != end_ && characters.has(*at)) ++at;
    return at;
  }

  const char *up_to(const char *at, AsciiSet characters) const {
    while (at != end_ && !characters.has(*at)) ++at;
    return at;
  }

  /// An attribute as the tokenizer reads it (13.2.5.32 to 13.2.5.39).
  const char *behind_attribute(const char *at) const {
    at = behind(at, BETWEEN);
    if (at == end_ || *at == '>') return nullptr;
    at = up_to(at + 1, NAME_END | AsciiSet("="));
    const char *const equals = behind(at, HTML_SPACE);
    if (equals == end_ || *equals != '=') return at;
    const char *const value = behind(equals + 1, HTML_SPACE);
    if (value != end_ && (*value == '"' || *value == '\'')) {
      if (const char *const quote = find(value + 1, *value); quote != end_) return quote + 1;
    }
    return up_to(value, HTML_SPACE | AsciiSet(">"));
  }

  /// Comments, and what is read as such (13.2.5.41 to 13.2.5.52); `at`: behind "<".
  const char *behind_comment(const char *at) const {
    if (!rest(at).starts_with("!--")) {
      at = find(at + 1, '>');
      return at == end_ ? at : at + 1;
    }
    at += 3;
    if (const char *const abrupt = behind_one_of(at, {">", "->"}); abrupt != nullptr) return abrupt;
    for (at = find(at, '-'); at != end_; at = find(at + 1, '-')) {
      if (const char *const end = behind_one_of(at, {"-->", "--!>"}); end != nullptr) return end;
    }
    return at;
  }

  /// With few attributes, in double quotes; `at`: in the name.
  const char *behind_short_tag(const char *at) const {
    at = behind_short_text(at);
    for (int count = 0; count < FEW && rest(at).starts_with("=\""); ++count) {
      const char *const quote = find(at + 2, '"');
      if (quote == end_) break;
      at = behind_short_text(quote + 1);
    }
    return at != end_ && *at == '>' ? at + 1 : nullptr;
  }

 private:
  static constexpr std::size_t SHORT = 200;  // bytes between the quoted values of a short tag, of which it has
  static constexpr int FEW = 9;              // at most so many

  const char *behind_one_of(const char *at, std::initializer_list<std::string_view> texts) const {
    for (const std::string_view text : texts) {
      if (rest(at).starts_with(text)) return at + text.size();
    }
    return nullptr;
  }

  const char *behind_short_text(const char *at) const {
    const char *const last = at + std::min(SHORT, static_cast<std::size_t>(end_ - at));
    while (at != last && *at != '>' && *at != '"' && *at != '\'' && *at != '=') ++at;
    return at;
  }

  const char *const begin_;
  const char *const end_;
};

}  // namespace ttcrawl
