// SVG and MathML (HTML standard 13.2.6, the tree construction dispatcher, and 13.2.6.5).
#pragma once

#include "construction.hpp"

namespace ttcrawl {

/// Whether the token is processed by the rules for foreign content.
template <Sink Hearer>
bool Construction<Hearer>::is_foreign() const {
  if (open_.empty() || open_.current().space == Namespace::HTML || token_.kind == Kind::END) {
    return false;
  }
  const bool is_start_tag = token_.kind == Kind::START_TAG;
  const bool is_text = token_.kind == Kind::CHARACTERS;
  switch (open_.current().integration) {
    case Integration::HTML: return !is_start_tag && !is_text;
    case Integration::MATHML_TEXT:
      return !is_text && !(is_start_tag && token_.text != "mglyph" && token_.text != "malignmark");
    case Integration::ANNOTATION: return !is_start(Tag::SVG);
    case Integration::NONE: return true;
  }
  return true;
}

template <Sink Hearer>
void Construction<Hearer>::in_foreign_content() {
  if (is_no_content()) {
    return;
  }
  if (token_.kind == Kind::CHARACTERS) {
    return insert_text(token_.text);
  }
  if (breaks_out()) {
    while (open_.current().space != Namespace::HTML && !is_point(open_.current().integration)) {
      pop();
    }
    return in_mode();
  }
  if (token_.kind == Kind::START_TAG) {
    return insert_foreign(open_.current().space);
  }
  end_foreign();
}

/// HTML or MathML text: where HTML may be inside.
template <Sink Hearer>
bool Construction<Hearer>::is_point(Integration integration) {
  return integration == Integration::HTML || integration == Integration::MATHML_TEXT;
}

/// Whether a tag shows that the foreign content was not closed.
template <Sink Hearer>
bool Construction<Hearer>::breaks_out() const {
  static constexpr TagSet START{
      "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta"
      " nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"};
  static constexpr TagSet END{"br p"};
  if (is_start(Tag::FONT)) {
    return has(token_.attributes, "color") || has(token_.attributes, "face") || has(token_.attributes, "size");
  }
  return is_start(START) || is_end(END);
}

template <Sink Hearer>
Integration Construction<Hearer>::integration_of(Namespace space) const {
  if (space == Namespace::SVG) {
    const bool is_html = token_.text == "foreignobject" || token_.text == "desc" || token_.text == "title";
    return is_html ? Integration::HTML : Integration::NONE;
  }
  for (std::string_view name : {"mi", "mo", "mn", "ms", "mtext"}) {
    if (token_.text == name) {
      return Integration::MATHML_TEXT;
    }
  }
  if (token_.text != "annotation-xml") {
    return Integration::NONE;
  }
  const std::string_view encoding = value_of(token_.attributes, "encoding");
  const bool is_html =
      equals_ignoring_case(encoding, "text/html") || equals_ignoring_case(encoding, "application/xhtml+xml");
  return is_html ? Integration::HTML : Integration::ANNOTATION;
}

template <Sink Hearer>
void Construction<Hearer>::insert_foreign(Namespace space) {
  check_place();
  open_.push(Tag::OTHER, space, integration_of(space), token_.text);
  sink_.open({space, token_.tag, token_.text, token_.attributes});
  if (token_.self_closing) {
    pop();
  }
}

template <Sink Hearer>
void Construction<Hearer>::end_foreign() {
  for (std::size_t depth = open_.size(); depth > 1; depth--) {
    const OpenElement &each = open_[depth - 1];
    if (each.space == Namespace::HTML) {
      return in_mode();
    }
    if (each.name == token_.text) {
      while (open_.size() >= depth) {
        pop();
      }
      return;
    }
  }
}

}  // namespace ttcrawl
