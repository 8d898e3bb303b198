// The insertion mode of the body: text and start tags (HTML standard 13.2.6.4.7).
#pragma once

#include "construction.hpp"

namespace ttcrawl {

template <Sink Hearer>
void Construction<Hearer>::in_body() {
  switch (token_.kind) {
    case Kind::CHARACTERS:
      reconstruct_formatting();
      insert_text(token_.text);
      return;
    case Kind::START_TAG: return start_in_body();
    case Kind::END_TAG: return end_in_body();
    default: is_no_content();
  }
}

template <Sink Hearer>
void Construction<Hearer>::start_in_body() {
  static constexpr TagSet BLOCKS{
      "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header"
      " hgroup main menu nav ol p search section summary ul"};
  static constexpr TagSet IGNORED = TABLE_PARTS | TagSet{"head"};
  const Tag tag = token_.tag;
  if (BLOCKS.has(tag)) {
    close_paragraph();
    return insert();
  }
  if (FORMATTING.has(tag)) {
    return start_formatting();
  }
  if (HEADINGS.has(tag)) {
    return start_heading();
  }
  if (tag == Tag::PLAINTEXT) {
    throw Left{"plaintext"};
  }
  if (IGNORED.has(tag) || is_head_content()) {
    return;
  }
  start_other();
}

/// Elements with rules of their own.
template <Sink Hearer>
void Construction<Hearer>::start_other() {
  switch (token_.tag) {
    case Tag::HTML:
    case Tag::BODY:
      if (!token_.attributes.empty()) {
        throw Left{"attributes added to html or body"};
      }
      return;
    case Tag::PRE:
    case Tag::LISTING:
      close_paragraph();
      insert();
      ignore_newline_ = true;
      return;
    case Tag::FORM: return start_form();
    case Tag::LI:
    case Tag::DD:
    case Tag::DT: return start_list_item();
    case Tag::BUTTON: return start_button();
    case Tag::APPLET:
    case Tag::MARQUEE:
    case Tag::OBJECT:
      reconstruct_formatting();
      insert();
      return formatting_.push_marker();
    case Tag::TABLE: return start_table();
    case Tag::INPUT: return start_input();
    case Tag::PARAM:
    case Tag::SOURCE:
    case Tag::TRACK: return insert_void();
    case Tag::HR: return start_rule();
    case Tag::XMP:
      close_paragraph();
      reconstruct_formatting();
      return insert_raw_text();
    case Tag::TEXTAREA:
    case Tag::IFRAME:
    case Tag::NOEMBED: return insert_raw_text();
    case Tag::SELECT: return start_select();
    case Tag::OPTION:
    case Tag::OPTGROUP: return start_option();
    case Tag::RB:
    case Tag::RTC:
    case Tag::RP:
    case Tag::RT: return start_ruby_text();
    case Tag::MATH:
      reconstruct_formatting();
      return insert_foreign(Namespace::MATHML);
    case Tag::SVG:
      reconstruct_formatting();
      return insert_foreign(Namespace::SVG);
    default: return start_phrasing();
  }
}

/// Elements in a line of text, and elements that the standard does not know.
template <Sink Hearer>
void Construction<Hearer>::start_phrasing() {
  reconstruct_formatting();
  if (token_.tag == Tag::IMAGE) {  // "Don't ask."
    token_.tag = Tag::IMG;
    token_.text = name_of(Tag::IMG);
  }
  if (VOID.has(token_.tag)) {
    insert_void();
  } else {
    insert();
  }
}

template <Sink Hearer>
void Construction<Hearer>::close_paragraph() {
  if (open_.in_scope(Tag::P, BUTTON_SCOPE)) {
    generate_implied_end_tags(Tag::P);
    pop_until(Tag::P);
  }
}

template <Sink Hearer>
void Construction<Hearer>::start_heading() {
  close_paragraph();
  if (HEADINGS.has(open_.current().tag)) {
    pop();
  }
  insert();
}

template <Sink Hearer>
void Construction<Hearer>::start_form() {
  if (form_ != 0) {
    return;
  }
  close_paragraph();
  insert();
  form_ = open_.current().number;
}

/// An <li> ends the one before it, a <dd> or <dt> either of them.
template <Sink Hearer>
void Construction<Hearer>::start_list_item() {
  static constexpr TagSet DESCRIPTIONS{"dd dt"};
  static constexpr TagSet PASSED{"address div p"};
  const bool is_description = DESCRIPTIONS.has(token_.tag);
  for (std::size_t depth = open_.size(); depth > 0; depth--) {
    const OpenElement &each = open_[depth - 1];
    if (is_description ? DESCRIPTIONS.has(each.tag) : each.tag == Tag::LI) {
      const Tag tag = each.tag;
      generate_implied_end_tags(tag);
      pop_until(tag);
      break;
    }
    if (each.is_special() && !PASSED.has(each.tag)) {
      break;
    }
  }
  close_paragraph();
  insert();
}

template <Sink Hearer>
void Construction<Hearer>::start_button() {
  if (open_.in_scope(Tag::BUTTON)) {
    generate_implied_end_tags();
    pop_until(Tag::BUTTON);
  }
  reconstruct_formatting();
  insert();
}

template <Sink Hearer>
void Construction<Hearer>::start_formatting() {
  if (token_.tag == Tag::A) {
    end_open_link();
  }
  reconstruct_formatting();
  if (token_.tag == Tag::NOBR && open_.in_scope(Tag::NOBR)) {
    end_formatting();
    reconstruct_formatting();
  }
  insert();
  formatting_.push(token_.tag, open_.size() - 1, open_.current().number, token_.attributes);
}

/// An <a> ends the one before it.
template <Sink Hearer>
void Construction<Hearer>::end_open_link() {
  const std::size_t entry = formatting_.find(Tag::A);
  if (entry == formatting_.size()) {
    return;
  }
  const std::uint32_t number = formatting_[entry].number;
  end_formatting();
  if (const std::size_t remaining = formatting_.find_number(number); remaining < formatting_.size()) {
    formatting_.remove(remaining);
    open_.remove(number);
  }
}

template <Sink Hearer>
void Construction<Hearer>::start_table() {
  if (!is_quirky_) {
    close_paragraph();
  }
  insert();
  mode_ = Mode::IN_TABLE;
}

template <Sink Hearer>
void Construction<Hearer>::start_input() {
  if (open_.in_scope(Tag::SELECT)) {
    pop_until(Tag::SELECT);
  }
  reconstruct_formatting();
  insert_void();
}

template <Sink Hearer>
void Construction<Hearer>::start_select() {
  if (open_.in_scope(Tag::SELECT)) {
    pop_until(Tag::SELECT);
    return;
  }
  reconstruct_formatting();
  insert();
}

template <Sink Hearer>
void Construction<Hearer>::start_option() {
  if (open_.in_scope(Tag::SELECT)) {
    generate_implied_end_tags(token_.tag == Tag::OPTION ? Tag::OPTGROUP : Tag::OTHER);
  } else if (open_.current().tag == Tag::OPTION) {
    pop();
  }
  reconstruct_formatting();
  insert();
}

template <Sink Hearer>
void Construction<Hearer>::start_rule() {
  close_paragraph();
  if (open_.in_scope(Tag::SELECT)) {
    generate_implied_end_tags();
  }
  insert_void();
}

template <Sink Hearer>
void Construction<Hearer>::start_ruby_text() {
  static constexpr TagSet IN_CONTAINER{"rp rt"};
  if (open_.in_scope(Tag::RUBY)) {
    generate_implied_end_tags(IN_CONTAINER.has(token_.tag) ? Tag::RTC : Tag::OTHER);
  }
  insert();
}

}  // namespace ttcrawl
