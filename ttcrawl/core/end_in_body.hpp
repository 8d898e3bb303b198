// The insertion mode of the body: end tags (HTML standard 13.2.6.4.7).
#pragma once

#include "construction.hpp"

namespace ttcrawl {

template <Sink Hearer>
void Construction<Hearer>::end_in_body() {
  static constexpr TagSet BLOCKS{
      "address article aside blockquote button center details dialog dir div dl fieldset figcaption figure footer"
      " header hgroup listing main menu nav ol pre search section select summary ul"};
  static constexpr TagSet WITH_MARKER{"applet marquee object"};
  const Tag tag = token_.tag;
  if (BLOCKS.has(tag)) {
    return end_block();
  }
  if (FORMATTING.has(tag)) {
    return end_formatting();
  }
  if (HEADINGS.has(tag)) {
    return end_heading();
  }
  if (WITH_MARKER.has(tag)) {
    return end_with_marker();
  }
  switch (tag) {
    case Tag::BODY:
    case Tag::HTML: return end_body();
    case Tag::FORM: return end_form();
    case Tag::P: return end_paragraph();
    case Tag::LI:
    case Tag::DD:
    case Tag::DT: return end_list_item();
    case Tag::BR:
      reconstruct_formatting();
      insert_implied(Tag::BR);
      return pop();
    case Tag::TEMPLATE: return;
    default: return end_other();
  }
}

template <Sink Hearer>
void Construction<Hearer>::end_body() {
  if (!open_.in_scope(Tag::BODY)) {
    return;
  }
  if (open_.current().space != Namespace::HTML) {
    throw Left{"body that ends in SVG"};  // lexbor puts comments behind the body, the standard does not
  }
  mode_ = Mode::AFTER_BODY;
  if (token_.tag == Tag::HTML) {
    after_body();
  }
}

template <Sink Hearer>
void Construction<Hearer>::end_block() {
  if (open_.in_scope(token_.tag)) {
    generate_implied_end_tags();
    pop_until(token_.tag);
  }
}

template <Sink Hearer>
void Construction<Hearer>::end_form() {
  const std::uint32_t form = form_;
  form_ = 0;
  if (form == 0 || !open_.in_scope(form)) {
    return;
  }
  generate_implied_end_tags();
  if (open_.current().number == form) {
    pop();
  } else {
    open_.remove(form);
  }
}

template <Sink Hearer>
void Construction<Hearer>::end_paragraph() {
  if (!open_.in_scope(Tag::P, BUTTON_SCOPE)) {
    insert_implied(Tag::P);
  }
  close_paragraph();
}

template <Sink Hearer>
void Construction<Hearer>::end_list_item() {
  if (open_.in_scope(token_.tag, token_.tag == Tag::LI ? LIST_ITEM_SCOPE : ELEMENT_SCOPE)) {
    generate_implied_end_tags(token_.tag);
    pop_until(token_.tag);
  }
}

template <Sink Hearer>
void Construction<Hearer>::end_heading() {
  if (open_.any_in_scope(HEADINGS)) {
    generate_implied_end_tags();
    pop_until(HEADINGS);
  }
}

template <Sink Hearer>
void Construction<Hearer>::end_with_marker() {
  if (open_.in_scope(token_.tag)) {
    generate_implied_end_tags();
    pop_until(token_.tag);
    formatting_.clear_to_marker();
  }
}

/// The adoption agency (13.2.6.4.7), but for the elements that it moves: with a block inside the formatting element.
template <Sink Hearer>
void Construction<Hearer>::end_formatting() {
  const Tag tag = token_.tag;
  const std::size_t entry = formatting_.find(tag);
  if (entry == formatting_.size()) {
    return end_other();
  }
  const std::size_t depth = formatting_[entry].depth;
  const std::uint32_t number = formatting_[entry].number;
  if (open_.current().tag == tag && open_.current().number != number && !formatting_.has(open_.current().number)) {
    return pop();
  }
  if (!open_.is_open(depth, number)) {
    return formatting_.remove(entry);
  }
  if (!open_.in_scope(number)) {
    return;
  }
  for (std::size_t inside = depth + 1; inside < open_.size(); ++inside) {
    if (open_[inside].is_special()) {
      throw Left{"block inside of a formatting element that ends in it"};
    }
  }
  while (open_.size() > depth) {
    pop();
  }
  formatting_.remove(entry);
}

template <Sink Hearer>
void Construction<Hearer>::end_other() {
  for (std::size_t depth = open_.size(); depth > 0; depth--) {
    const OpenElement &each = open_[depth - 1];
    if (each.is(token_.tag, token_.text)) {
      generate_implied_end_tags(token_.tag);
      while (open_.size() >= depth) {
        pop();
      }
      return;
    }
    if (each.is_special()) {
      return;
    }
  }
}

}  // namespace ttcrawl
