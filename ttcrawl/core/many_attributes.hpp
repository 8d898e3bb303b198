// Whether a tag of a page has more attributes than a parser may compare with each other: ttcrawl.parse.links.weight.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "ascii.hpp"
#include "tag_bytes.hpp"

namespace ttcrawl {

class ManyAttributes {
 public:
  ManyAttributes(std::string_view html, std::size_t most) : page_(html), most_(most) {}

  bool is_in_page() const {
    for (const char *at = page_.find(page_.begin(), '<'); at != page_.end(); at = page_.find(at, '<')) {
      at = behind_token(at + 1);
      if (at == nullptr) return true;
    }
    return false;
  }

 private:
  /// Null: a tag with more attributes. `at`: behind "<".
  const char *behind_token(const char *at) const {
    if (page_.is_letter(at)) {
      if (!begins_like_raw(page_.rest(at))) return behind_tag(at + 1);
      const std::string_view raw = raw_name(page_.rest(at));
      return raw.empty() ? behind_usual_tag(at + 1) : behind_raw_text(at + 1, raw);
    }
    if (at == page_.end() || (*at != '/' && *at != '!' && *at != '?')) return at;
    return *at == '/' && page_.is_letter(at + 1) ? behind_tag(at + 2) : page_.behind_comment(at);
  }

  /// `at`: behind the first letter of the name.
  const char *behind_tag(const char *at) const {
    const char *const short_tag = page_.behind_short_tag(at);
    return short_tag != nullptr ? short_tag : behind_usual_tag(at);
  }

  const char *behind_usual_tag(const char *at) const {
    at = page_.up_to(at, TagBytes::NAME_END);
    std::size_t count = 0;
    for (const char *next = page_.behind_attribute(at); next != nullptr; next = page_.behind_attribute(at)) {
      if (++count > most_) return nullptr;
      at = next;
    }
    at = page_.behind(at, TagBytes::BETWEEN);
    return at == page_.end() ? at : at + 1;
  }

  /// Up to the next end tag with this name, or a longer one.
  const char *behind_raw_text(const char *at, std::string_view name) const {
    at = behind_usual_tag(at);
    if (at == nullptr) return at;
    for (at = page_.find(at, '<'); at != page_.end(); at = page_.find(at + 1, '<')) {
      const std::string_view tag = page_.rest(at);
      if (tag.starts_with("</") && starts_ignoring_case(tag.substr(2), name)) return at;
    }
    return at;
  }

  /// By two letters of the name, which are enough for most tags.
  static bool begins_like_raw(std::string_view tag) {
    constexpr std::string_view BEGINNINGS[] = {"sc", "st", "te", "ti", "xm", "if", "no"};
    return std::any_of(std::begin(BEGINNINGS), std::end(BEGINNINGS),
                       [tag](std::string_view beginning) { return starts_ignoring_case(tag, beginning); });
  }

  /// The name of an element whose content is raw text, at the start of a tag; "": another one.
  static std::string_view raw_name(std::string_view tag) {
    for (const std::string_view name :
         {"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"}) {
      if (tag.size() > name.size() && TagBytes::NAME_END.has(tag[name.size()]) && starts_ignoring_case(tag, name)) {
        return name;
      }
    }
    return {};
  }

  const TagBytes page_;
  const std::size_t most_;
};

}  // namespace ttcrawl
