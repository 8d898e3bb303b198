// One page: what it has, heard by the readers of links, lines and declarations.
#pragma once

#include <optional>
#include <string_view>

#include "declaration_reader.hpp"
#include "hidden.hpp"
#include "left.hpp"
#include "line_reader.hpp"
#include "link_reader.hpp"
#include "rules.hpp"
#include "sink.hpp"
#include "unicode.hpp"

namespace ttcrawl {

class Page {
 public:
  Page(Rules &rules, const Unicode &unicode, std::string_view html)
      : links(rules, unicode),
        lines(rules, unicode, rules.wants_page && !has_comment_in_word(html)),
        declarations(rules, html),
        is_read_(rules.wants_page),
        html_(html) {}

  void open(const Element &element) {
    links.open(element);
    if (!is_read_) return;
    const bool hidden = is_hidden(element) && may_hide();
    declarations.open(element, hidden);
    lines.open(element, hidden);
  }

  void close() {
    links.close();
    if (!is_read_) return;
    declarations.close();
    lines.close();
  }

  void text(std::string_view piece) {
    links.text(piece);
    if (!is_read_) return;
    declarations.text(piece);
    lines.text(piece);
  }

  void comment() {
    if (is_read_) lines.comment();
  }

  void processing_instruction() {
    if (is_read_) lines.processing_instruction();
  }

  /// After the end of the page.
  void check() const {
    if (lines.has_region_mark() || declarations.has_region_mark()) throw Left{"marks of content regions"};
  }

  LinkReader links;
  LineReader lines;
  DeclarationReader declarations;

 private:
  /// The whole page is searched at its first element that is hidden: most have none.
  bool may_hide() {
    if (!may_hide_) may_hide_ = ttcrawl::may_hide(html_);
    return *may_hide_;
  }

  const bool is_read_;
  const std::string_view html_;
  std::optional<bool> may_hide_;
};

}  // namespace ttcrawl
