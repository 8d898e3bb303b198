// One page: what it has, heard by the readers of links, lines and declarations.
#pragma once

#include <string_view>

#include "declaration_reader.hpp"
#include "hidden.hpp"
#include "line_reader.hpp"
#include "link_reader.hpp"
#include "needle.hpp"
#include "rules.hpp"
#include "sink.hpp"
#include "unicode.hpp"

namespace ttcrawl {

inline constexpr Needle ITEMSCOPE("itemscope");

class Page final : public Sink {
 public:
  Page(Rules &rules, const Unicode &unicode, std::string_view html)
      : links(rules, unicode),
        lines(rules, unicode, !has_comment_in_word(html)),
        declarations(rules, rules.wants_page && ITEMSCOPE.is_in(html)),
        is_read_(rules.wants_page),
        may_hide_(rules.wants_page && may_hide(html)) {}

  void open(const Element &element) override {
    links.open(element);
    if (!is_read_) return;
    const bool hidden = may_hide_ && is_hidden(element);
    declarations.open(element, hidden);
    lines.open(element, hidden);
  }

  void close() override {
    links.close();
    if (!is_read_) return;
    declarations.close();
    lines.close();
  }

  void text(std::string_view piece) override {
    links.text(piece);
    if (!is_read_) return;
    declarations.text(piece);
    lines.text(piece);
  }

  void comment() override {
    if (is_read_) lines.comment();
  }

  void processing_instruction() override {
    if (is_read_) lines.processing_instruction();
  }

  LinkReader links;
  LineReader lines;
  DeclarationReader declarations;

 private:
  const bool is_read_;
  const bool may_hide_;
};

}  // namespace ttcrawl
