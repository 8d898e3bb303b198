// The tokens of a page (HTML standard 13.2.5).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "ascii.hpp"
#include "character_references.hpp"
#include "left.hpp"
#include "script_data.hpp"
#include "sink.hpp"
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

/// Tokens are told one after the other. Texts that are not pieces of the page are kept as long as the tokenizer.
class Tokenizer {
 public:
  /// Maximum attributes of an element: each is compared with those before it.
  static constexpr std::size_t MOST_ATTRIBUTES = 60;

  Tokenizer(std::string_view html, const NamedReferences &names) : html_(html), names_(names) {
    if (!is_valid_utf8(html)) {
      throw Left{"not UTF-8"};
    }
    if (html.find('\0') < html.size()) {
      throw Left{"U+0000"};
    }
    if (html.find('\r') < html.size()) {
      normalize_newlines();
    }
  }

  /// `cdata`: whether the current node is not HTML, so that there are CDATA sections.
  void next(Token &token, bool cdata) {
    token.attributes.clear();
    if (at_ == html_.size()) {
      token.kind = Token::Kind::END;
    } else if (html_[at_] != '<') {
      characters(token, take_until('<'));
    } else if (is_alpha(peek(1))) {
      tag(token, Token::Kind::START_TAG, 1);
    } else if (peek(1) == '/') {
      end_tag_open(token, cdata);
    } else if (peek(1) == '!') {
      markup_declaration(token, cdata);
    } else if (peek(1) == '?') {
      processing_instruction(token);
    } else {
      token.kind = Token::Kind::CHARACTERS;
      token.text = take(1);
    }
  }

  /// The raw text of an element whose start tag was the last token, up to behind its end tag.
  std::string_view raw_text(Tag tag, Token &scratch) {
    const std::string_view name = name_of(tag);
    const std::size_t end = tag == Tag::SCRIPT ? end_of_script(html_, at_) : end_of_raw_text(html_, at_, name);
    std::string_view text = take(end - at_);
    if (tag == Tag::TITLE || tag == Tag::TEXTAREA) {
      text = decoded(text, Within::TEXT);
    }
    if (at_ < html_.size()) {
      this->tag(scratch, Token::Kind::END_TAG, 2);
    }
    return text;
  }

 private:
  char peek(std::size_t ahead) const { return at_ + ahead < html_.size() ? html_[at_ + ahead] : '\0'; }

  std::string_view rest() const { return html_.substr(at_); }

  std::string_view take(std::size_t size) {
    const std::string_view taken = html_.substr(at_, size);
    at_ += taken.size();
    return taken;
  }

  /// All before a character, or all that remains.
  std::string_view take_until(char stop) { return take(std::min(html_.find(stop, at_), html_.size()) - at_); }

  void skip_space() {
    while (at_ < html_.size() && is_html_space(html_[at_])) {
      ++at_;
    }
  }

  /// 13.2.3.5: CR LF and CR become LF.
  void normalize_newlines() {
    std::string &normal = made_.emplace_back();
    normal.reserve(html_.size());
    for (std::size_t index = 0; index < html_.size(); ++index) {
      if (html_[index] != '\r') {
        normal.push_back(html_[index]);
      } else if (index + 1 == html_.size() || html_[index + 1] != '\n') {
        normal.push_back('\n');
      }
    }
    html_ = normal;
  }

  std::string_view lower(std::string_view text) {
    if (std::none_of(text.begin(), text.end(), [](char letter) { return is_upper(letter); })) {
      return text;
    }
    std::string &made = made_.emplace_back(text);
    std::transform(made.begin(), made.end(), made.begin(), to_lower);
    return made;
  }

  std::string_view decoded(std::string_view text, Within within) {
    if (text.find('&') == std::string_view::npos) {
      return text;
    }
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
    at_ = html_.size();
    token.kind = Token::Kind::END;
  }

  /// 13.2.5.8, and the attributes; `open` is the size of "<" or "</".
  void tag(Token &token, Token::Kind kind, std::size_t open) {
    token.attributes.clear();
    at_ += open;
    const std::size_t from = at_;
    while (at_ < html_.size() && !ends_name(html_[at_])) {
      ++at_;
    }
    token.kind = kind;
    token.text = lower(html_.substr(from, at_ - from));
    token.tag = tag_of(token.text);
    if (!attributes(token)) {
      cut_off(token);
    }
  }

  static bool ends_name(char letter) { return is_html_space(letter) || letter == '/' || letter == '>'; }

  /// 13.2.5.32 to 13.2.5.40, up to behind ">". False: the page ends before.
  bool attributes(Token &token) {
    for (;;) {
      const std::size_t from = at_;
      while (at_ < html_.size() && (is_html_space(html_[at_]) || html_[at_] == '/')) {
        ++at_;
      }
      if (at_ == html_.size()) {
        return false;
      }
      if (html_[at_] == '>') {
        token.self_closing = at_ > from && html_[at_ - 1] == '/';
        ++at_;
        return true;
      }
      if (!attribute(token.attributes)) {
        return false;
      }
    }
  }

  bool attribute(Attributes &all) {
    const std::size_t from = at_++;  // "=" may be the first character of a name
    while (at_ < html_.size() && !ends_name(html_[at_]) && html_[at_] != '=') {
      ++at_;
    }
    Attribute attribute{lower(html_.substr(from, at_ - from)), ""};
    skip_space();
    if (peek(0) == '=') {
      ++at_;
      skip_space();
      if (at_ == html_.size() || !value(attribute.value)) {
        return false;
      }
    }
    if (std::none_of(all.begin(), all.end(), [&](const Attribute &each) { return each.name == attribute.name; })) {
      all.push_back(attribute);
    }
    if (all.size() > MOST_ATTRIBUTES) {
      throw Left{"many attributes"};
    }
    return true;
  }

  bool value(std::string_view &value) {
    const char quote = html_[at_];
    if (quote == '"' || quote == '\'') {
      ++at_;
      value = take_until(quote);
      if (at_ == html_.size()) {
        return false;
      }
      ++at_;
    } else {
      const std::size_t from = at_;
      while (at_ < html_.size() && !is_html_space(html_[at_]) && html_[at_] != '>') {
        ++at_;
      }
      value = html_.substr(from, at_ - from);
    }
    value = decoded(value, Within::ATTRIBUTE);
    return true;
  }

  /// 13.2.5.7
  void end_tag_open(Token &token, bool cdata) {
    if (is_alpha(peek(2))) {
      tag(token, Token::Kind::END_TAG, 2);
    } else if (peek(2) == '>') {
      at_ += 3;  // "</>" is no token
      next(token, cdata);
    } else if (at_ + 2 == html_.size()) {
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
      at_ = std::min(at_ + 1, html_.size());
    } else if (cdata && rest().starts_with("<![CDATA[")) {
      at_ += 9;
      token.kind = Token::Kind::CHARACTERS;
      token.text = take(std::min(rest().find("]]>"), rest().size()));
      at_ = std::min(at_ + 3, html_.size());
    } else {
      bogus_comment(token);
    }
  }

  void bogus_comment(Token &token) {
    take_until('>');
    at_ = std::min(at_ + 1, html_.size());
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
      const std::size_t dashes = html_.find("--", at_);
      if (dashes == std::string_view::npos) {
        at_ = html_.size();
        return;
      }
      at_ = std::min(html_.find_first_not_of('-', dashes), html_.size());
      for (std::string_view end : {">", "!>"}) {
        if (rest().starts_with(end)) {
          at_ += end.size();
          return;
        }
      }
    }
  }

  /// An instruction has a target that is a name, and not "xml"; all others are comments.
  void processing_instruction(Token &token) {
    std::size_t size = 2;
    while (is_alphanumeric(peek(size)) || peek(size) == '-' || peek(size) == '_') {
      ++size;
    }
    const std::string_view target = html_.substr(at_ + 2, size - 2);
    const char next = peek(size);
    const bool is_name = !target.empty() && is_alpha(target[0]) && (is_html_space(next) || next == '?' || next == '>');
    bogus_comment(token);
    if (is_name && target != "xml") {
      token.kind = Token::Kind::PROCESSING_INSTRUCTION;
    }
  }

  std::string_view html_;
  const NamedReferences &names_;
  std::size_t at_ = 0;
  std::deque<std::string> made_;  // texts that are no pieces of the page; a deque does not move them
};

}  // namespace ttcrawl
