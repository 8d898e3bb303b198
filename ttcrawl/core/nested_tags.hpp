// The tags of a long page, and how deep they nest: ttcrawl.parse.links.weight.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ascii.hpp"
#include "nesting.hpp"
#include "tag_bytes.hpp"

namespace ttcrawl {

class NestedTags {
 public:
  /// `secret`: for hash tables of what the page contains.
  NestedTags(std::string_view html, std::size_t deepest, std::uint64_t secret)
      : page_(html), at_(page_.begin()), nesting_(deepest, secret) {}

  /// The number of attributes of all <html> tags or of all <body> tags, whichever is greater. Throws TooDeep.
  std::size_t walk() {
    while (next()) continue;
    return std::max(of_html_, of_body_);
  }

 private:
  /// The next token. False: there is none.
  bool next() {
    if (!nesting_.is_foreign()) at_ = behind_leaves(at_);
    at_ = page_.find(at_, '<');
    while (at_ != page_.end() && !begins_token(at_ + 1)) at_ = page_.find(at_ + 1, '<');
    if (at_ == page_.end()) return false;
    if (at_ > token_end_) nesting_.text();
    ++at_;
    if (page_.is_letter(at_)) return start_tag();
    if (*at_ == '/' && page_.is_letter(at_ + 1)) {
      end_tag();
    } else {
      at_ = token_end_ = page_.behind_comment(at_);
    }
    return true;
  }

  bool begins_token(const char *at) const {
    return at != page_.end() && (is_alpha(*at) || *at == '!' || *at == '?' || *at == '/');
  }

  /// False: its raw text has no end.
  bool start_tag() {
    const std::size_t name = take_name();
    const char *const from = at_;
    const std::size_t count = skip_attributes();
    const std::string_view attributes(from, static_cast<std::size_t>(at_ - from));
    const bool is_closed = take_end();
    const bool is_raw = !nesting_.is_foreign() && nesting_.is(name, nesting_kind::RAW);
    if (!is_raw) nesting_.start(name, attributes, is_closed);
    if (name == html_) of_html_ += count;
    if (name == body_) of_body_ += count;
    return !is_raw || skip_raw_text();
  }

  void end_tag() {
    ++at_;
    const std::size_t name = take_name();
    skip_attributes();
    take_end();
    nesting_.end(name);
  }

  std::size_t take_name() {
    const char *const from = at_;
    at_ = page_.up_to(at_, TagBytes::NAME_END);
    name_.assign(from, at_);
    std::transform(name_.begin(), name_.end(), name_.begin(), to_lower);
    return nesting_.number(name_);
  }

  /// Returns how many there are.
  std::size_t skip_attributes() {
    std::size_t count = 0;
    for (const char *next = page_.behind_attribute(at_); next != nullptr; next = page_.behind_attribute(at_)) {
      at_ = next;
      ++count;
    }
    return count;
  }

  /// The end of a tag, or of the page. Returns whether a slash is before it.
  bool take_end() {
    const char *const from = at_;
    at_ = page_.behind(at_, TagBytes::BETWEEN);
    const bool is_closed = at_ > from && at_[-1] == '/';
    if (at_ != page_.end()) ++at_;
    token_end_ = at_;
    return is_closed;
  }

  /// Up to the end tag of the element whose name was taken last.
  bool skip_raw_text() {
    for (at_ = page_.find(at_, '<'); at_ != page_.end(); at_ = page_.find(at_ + 1, '<')) {
      const std::string_view tag = page_.rest(at_ + 1);
      if (tag.size() > name_.size() + 1 && tag[0] == '/' && starts_ignoring_case(tag.substr(1), name_) &&
          TagBytes::NAME_END.has(tag[name_.size() + 1])) {
        return true;
      }
    }
    return false;
  }

  /// Text, and elements without effect on those after them: the most frequent ones in long pages.
  const char *behind_leaves(const char *at) const {
    for (at = page_.find(at, '<'); at != page_.end(); at = page_.find(at, '<')) {
      const char *const next = behind_leaf(at + 1);
      if (next == nullptr) return at;
      at = next;
    }
    return at;
  }

  /// Null: it is no such element.
  const char *behind_leaf(const char *at) const {
    const char *const from = at;
    while (at != page_.end() && *at >= 'a' && *at <= 'z') ++at;
    const std::string_view name(from, static_cast<std::size_t>(at - from));
    if (at == page_.end() || !TagBytes::NAME_END.has(*at)) return nullptr;
    const auto is_one_of = [name](auto... names) { return ((name == names) || ...); };
    if (is_one_of("br", "img", "wbr")) return page_.behind_short_tag(at);
    if (!is_one_of("span", "a", "code", "i", "b", "em")) return nullptr;
    at = page_.behind_short_tag(at);
    if (at == nullptr) return nullptr;
    at = page_.find(at, '<');
    const std::string_view tag = page_.rest(at);
    const bool is_end = tag.size() > name.size() + 2 && tag.starts_with("</") && tag.substr(2).starts_with(name) &&
                        tag[name.size() + 2] == '>';
    return is_end ? at + name.size() + 3 : nullptr;
  }

  const TagBytes page_;
  const char *at_;
  const char *token_end_ = at_;
  std::string name_;  // of the last tag, in lower case
  Nesting nesting_;
  const std::size_t html_ = nesting_.number("html");
  const std::size_t body_ = nesting_.number("body");
  std::size_t of_html_ = 0;
  std::size_t of_body_ = 0;
};

}  // namespace ttcrawl
