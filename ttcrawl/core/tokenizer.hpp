// The tokens of a page (HTML standard 13.2.5).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>

#include "ascii.hpp"
#include "attribute_list.hpp"
#include "character_references.hpp"
#include "left.hpp"
#include "names.hpp"
#include "script_data.hpp"
#include "tags.hpp"
#include "utf8.hpp"

namespace ttcrawl {

struct Token {
  enum class Kind : std::uint8_t { CHARACTERS, START_TAG, END_TAG, COMMENT, PROCESSING_INSTRUCTION, DOCTYPE, END };
  Kind kind = Kind::END;
  Tag tag = Tag::OTHER;
  bool self_closing = false;
  std::string_view text;  // of characters, and of a doctype between "<!" and ">"; the name of a tag, in lower case
  Attributes attributes;
};

/// Tokens are told one after the other. Markup that means nothing, "</>", is characters without any. Texts that are not
/// pieces of the page are kept as long as the tokenizer.
class Tokenizer {
 public:
  /// Maximum attributes of an element: each is compared with those before it.
  static constexpr std::size_t MOST_ATTRIBUTES = 60;

  /// `html` is followed by U+0000, as Python's bytes and std::string are. It is nowhere in the page, so that it ends
  /// each loop over bytes.
  Tokenizer(std::string_view html, const NamedReferences &names) : names_(names) {
    if (!is_valid_utf8(html)) {
      throw Left{"not UTF-8"};
    }
    if (html.find('\0') < html.size()) {
      throw Left{"U+0000"};
    }
    if (html.find('\r') < html.size()) {
      html = with_normal_newlines(html);
    }
    at_ = html.data();
    end_ = html.data() + html.size();
  }

  /// `cdata`: whether the current node is not HTML, so that there are CDATA sections.
  void next(Token &token, bool cdata) {
    if (*at_ != '<') {
      if (at_ == end_) {
        token.kind = Token::Kind::END;
      } else {
        characters(token, take_up_to(next_less(at_)));
      }
    } else if (is_alpha(at_[1])) {
      start_tag(token);
    } else if (at_[1] == '/' && is_alpha(at_[2])) {
      tag(token, Token::Kind::END_TAG, 2);
    } else {
      other_markup(token, cdata);
    }
  }

  /// The raw text of an element whose start tag was the last token, up to behind its end tag.
  std::string_view raw_text(Tag tag, Token &scratch) {
    const std::size_t size =
        tag == Tag::SCRIPT ? end_of_script(rest(), 0) : end_of_raw_text(rest(), 0, name_of(tag));
    std::string_view text = take(size);
    check_frames(text.data());
    if (tag == Tag::TITLE || tag == Tag::TEXTAREA) {
      text = decoded(text, Within::TEXT);
    }
    if (at_ < end_) {
      this->tag(scratch, Token::Kind::END_TAG, 2);
    }
    return text;
  }

 private:
  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

  /// At most `size` bytes.
  std::string_view take(std::size_t size) {
    const std::string_view taken = rest().substr(0, size);
    at_ += taken.size();
    return taken;
  }

  /// All from `from` up to the current byte.
  std::string_view since(const char *from) const { return {from, static_cast<std::size_t>(at_ - from)}; }

  std::string_view take_up_to(const char *stop) {
    const char *const from = at_;
    at_ = stop;
    return since(from);
  }

  /// All before a character, or all that remains.
  std::string_view take_until(char stop) { return take_up_to(find(at_, stop)); }

  /// The first such character from here on, or the end of the page.
  const char *find(const char *from, char letter) const {
    const void *const found = std::memchr(from, letter, static_cast<std::size_t>(end_ - from));
    return found == nullptr ? end_ : static_cast<const char *>(found);
  }

  void skip_space() {
    while (is_html_space(*at_)) {
      ++at_;
    }
  }

  /// 13.2.3.5: CR LF and CR become LF.
  std::string_view with_normal_newlines(std::string_view html) {
    std::string &normal = made_.emplace_back();
    normal.reserve(html.size());
    for (std::size_t index = 0; index < html.size(); ++index) {
      if (html[index] != '\r') {
        normal.push_back(html[index]);
      } else if (index + 1 == html.size() || html[index + 1] != '\n') {
        normal.push_back('\n');
      }
    }
    return normal;
  }

  /// `text` is the part of the page before the current byte.
  std::string_view decoded(std::string_view text, Within within) {
    return next_ampersand(text.data()) < text.data() + text.size() ? replaced(text, within) : text;
  }

  /// The next "&" at or behind a part of the page that is not before the last one, or the end.
  const char *next_ampersand(const char *from) {
    if (ampersand_ < from) {
      ampersand_ = find(from, '&');
    }
    return ampersand_;
  }

  /// The same for "<".
  const char *next_less(const char *from) {
    if (less_ < from) {
      less_ = find(from, '<');
    }
    return less_;
  }

  /// A page with "<frame" anywhere is left: the Python reader marks these also where they are no tags. `from`: behind
  /// the start of what was taken last.
  void check_frames(const char *from) {
    if (next_less(from) < at_) {  // rarely
      look_for_frames();
    }
  }

  void look_for_frames() const {
    for (const char *less = less_; less < at_; less = find(less + 1, '<')) {
      if (starts_ignoring_case({less, static_cast<std::size_t>(end_ - less)}, "<frame")) {
        throw Left{"frame"};
      }
    }
  }

  std::string_view replaced(std::string_view text, Within within) {
    std::string &made = made_.emplace_back();
    decode_references(text, names_, within, made);
    return made;
  }

  void characters(Token &token, std::string_view text) {
    token.kind = Token::Kind::CHARACTERS;
    token.text = decoded(text, Within::TEXT);
  }

  /// A token that the end of the page cuts is none (eof-in-tag).
  void cut_off(Token &token) {
    at_ = end_;
    token.kind = Token::Kind::END;
  }

  /// The number of a name that ends before a byte of the kind `end` or higher; its first byte is in it in any case.
  /// `text`: where it is to be, in lower case. No pair of both: processors wait for memory that is read in other pieces
  /// than it was just written in.
  std::uint64_t name(std::uint8_t end, std::string_view &text) {
    const char *const from = at_;
    const char *at = from;
    NameNumber number;
    std::uint8_t seen = 0;
    std::uint8_t kind = name_byte::kind(*at);
    do {
      number.add(kind);
      seen |= kind;
      kind = name_byte::kind(*++at);
    } while (kind < end);
    at_ = at;
    const auto size = static_cast<std::size_t>(at - from);
    text = {from, size};
    if ((seen & name_byte::RARE) != 0) {
      text = rare_name(text);
    }
    return number.value(size);
  }

  /// In lower case.
  std::string_view rare_name(std::string_view text) {
    check_frames(text.data());
    std::string &made = made_.emplace_back(text);
    std::transform(made.begin(), made.end(), made.begin(), to_lower);
    return made;
  }

  void start_tag(Token &token) {
    tag(token, Token::Kind::START_TAG, 1);
    constexpr std::string_view FRAME = "frame";
    if (token.text.starts_with(FRAME)) {
      throw Left{"frame"};
    }
  }

  /// 13.2.5.8, and the attributes; `open` is the size of "<" or "</".
  void tag(Token &token, Token::Kind kind, std::size_t open) {
    at_ += open;
    token.attributes.clear();
    token.kind = kind;
    token.tag = TAG_TABLE.find(name(name_byte::END, token.text));
    if (*at_ == '>') {
      token.self_closing = false;
      ++at_;
    } else if (!attributes(token)) {
      cut_off(token);
    }
  }

  /// 13.2.5.32 to 13.2.5.40, up to behind ">". False: the page ends before.
  bool attributes(Token &token) {
    static constexpr AsciiSet BETWEEN = HTML_SPACE | AsciiSet("/");
    const char *const start = at_;
    for (;;) {
      const char *const from = at_;
      while (BETWEEN.has(*at_)) {
        ++at_;
      }
      if (*at_ == '>') {
        token.self_closing = at_ > from && at_[-1] == '/';
        ++at_;
        check_frames(start);
        return true;
      }
      if (at_ == end_ || !attribute(token.attributes)) {
        check_frames(start);
        return false;
      }
    }
  }

  bool attribute(Attributes &all) {
    Attribute &attribute = all.add();
    attribute.number = name(name_byte::EQUALS, attribute.name);  // "=" may be the first character
    skip_space();
    if (*at_ == '=') {
      ++at_;
      skip_space();
      if (at_ == end_ || !value(attribute.value)) {
        return false;
      }
    }
    all.end_last();
    if (all.size() > MOST_ATTRIBUTES) {
      throw Left{"many attributes"};
    }
    return true;
  }

  bool value(std::string_view &value) {
    const char quote = *at_;
    if (quote == '"' || quote == '\'') {
      ++at_;
      value = take_until(quote);
      if (at_ == end_) {
        return false;
      }
      ++at_;
    } else {
      const char *const from = at_;
      while (!is_html_space(*at_) && *at_ != '>' && at_ != end_) {
        ++at_;
      }
      value = since(from);
    }
    value = decoded(value, Within::ATTRIBUTE);
    return true;
  }

  /// What begins with "<" and is no tag.
  void other_markup(Token &token, bool cdata) {
    const char *const from = at_ + 1;
    if (*from == '/') {
      no_end_tag(token);
    } else if (*from == '!') {
      markup_declaration(token, cdata);
    } else if (*from == '?') {
      processing_instruction(token);
    } else {
      token.kind = Token::Kind::CHARACTERS;
      token.text = take(1);
    }
    check_frames(from);
  }

  /// 13.2.5.7, without a name
  void no_end_tag(Token &token) {
    if (at_[2] == '>') {
      at_ += 3;
      token.kind = Token::Kind::CHARACTERS;
      token.text = {};
    } else if (at_ + 2 == end_) {
      token.kind = Token::Kind::CHARACTERS;
      token.text = take(2);
    } else {
      bogus_comment(token);
    }
  }

  /// 13.2.5.42
  void markup_declaration(Token &token, bool cdata) {
    if (rest().starts_with("<!--")) {
      comment(token);
    } else if (starts_ignoring_case(rest(), "<!doctype")) {
      token.kind = Token::Kind::DOCTYPE;
      token.text = take_until('>').substr(2);
      take(1);
    } else if (cdata && rest().starts_with("<![CDATA[")) {
      at_ += 9;
      token.kind = Token::Kind::CHARACTERS;
      token.text = take(rest().find("]]>"));
      take(3);
    } else {
      bogus_comment(token);
    }
  }

  void bogus_comment(Token &token) {
    take_until('>');
    take(1);
    token.kind = Token::Kind::COMMENT;
  }

  /// 13.2.5.43 to 13.2.5.52
  void comment(Token &token) {
    token.kind = Token::Kind::COMMENT;
    at_ += 4;
    for (std::string_view abrupt : {">", "->"}) {
      if (rest().starts_with(abrupt)) {
        at_ += abrupt.size();
        return;
      }
    }
    for (;;) {
      take(rest().find("--"));
      if (at_ == end_) {
        return;
      }
      take(rest().find_first_not_of('-'));
      for (std::string_view end : {">", "!>"}) {
        if (rest().starts_with(end)) {
          at_ += end.size();
          return;
        }
      }
    }
  }

  /// An instruction has a target that is a name, and not "xml"; all others are comments. The end of the page cuts it
  /// off, but for comments.
  void processing_instruction(Token &token) {
    const char *behind = at_ + 2;
    while (is_alphanumeric(*behind) || *behind == '-' || *behind == '_') {
      ++behind;
    }
    const std::string_view target(at_ + 2, static_cast<std::size_t>(behind - at_) - 2);
    const bool is_name = !target.empty() && (is_alpha(target[0]) || target[0] == '_');
    const bool is_ended = is_html_space(*behind) || *behind == '?' || *behind == '>';
    const bool is_instruction = is_name && is_ended && !equals_ignoring_case(target, "xml");
    const bool may_continue = behind == end_ && (is_name || target.empty());
    bogus_comment(token);
    if (may_continue || (is_instruction && at_[-1] != '>')) {
      cut_off(token);
    } else if (is_instruction) {
      token.kind = Token::Kind::PROCESSING_INSTRUCTION;
    }
  }

  const NamedReferences &names_;
  const char *at_;
  const char *end_;
  const char *ampersand_ = nullptr;
  const char *less_ = nullptr;
  std::deque<std::string> made_;  // texts that are no pieces of the page; a deque does not move them
};

}  // namespace ttcrawl
