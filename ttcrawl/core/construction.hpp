// Tree construction without a tree (HTML standard 13.2.6): the tokens of a page become its elements and texts, in the
// order of the tree. Nothing that was told is moved afterwards. So a page in which the standard would move something
// is left to the Python reader: text and elements that tables put before themselves (13.2.6.1, foster parenting),
// formatting elements that are closed around a block (the adoption agency), frames and templates.
//
// The rules of the insertion modes are in before_body.hpp, in_body.hpp, end_in_body.hpp, in_table.hpp and foreign.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "categories.hpp"
#include "doctype.hpp"
#include "formatting_elements.hpp"
#include "left.hpp"
#include "open_elements.hpp"
#include "sink.hpp"
#include "tags.hpp"
#include "tokenizer.hpp"

namespace ttcrawl {

template <Sink Hearer>
class Construction {
 public:
  Construction(std::string_view html, const NamedReferences &names, Hearer &sink)
      : tokenizer_(html, names), sink_(sink) {}

  /// Tell the sink the whole page.
  void run() {
    do {
      tokenizer_.next(token_, !open_.empty() && open_.current().space != Namespace::HTML);
      dispatch();
    } while (token_.kind != Token::Kind::END);
    while (open_.size() > 1) {
      pop();
    }
    for (Kind kind : after_body_) {
      token_.kind = kind;
      is_no_content();
    }
    pop();
  }

 private:
  using Kind = Token::Kind;

  /// 13.2.4.1. Modes of templates and framesets are missing; raw text is read with its start tag.
  enum class Mode : std::uint8_t {
    INITIAL, BEFORE_HTML, BEFORE_HEAD, IN_HEAD, IN_HEAD_NOSCRIPT, AFTER_HEAD, IN_BODY, IN_TABLE, IN_CAPTION,
    IN_COLUMN_GROUP, IN_TABLE_BODY, IN_ROW, IN_CELL, AFTER_BODY, AFTER_AFTER_BODY
  };

  // ---- dispatch ----

  void dispatch() {
    if (is_used_up()) {  // "</>", or an empty CDATA section
      return;
    }
    if (ignore_newline_) {
      ignore_newline_ = false;
      if (token_.kind == Kind::CHARACTERS && token_.text.starts_with('\n')) {
        token_.text.remove_prefix(1);
        if (is_used_up()) {
          return;
        }
      }
    }
    if (is_foreign()) {
      in_foreign_content();
    } else {
      in_mode();
    }
  }

  /// Process the token by the rules of the insertion mode, also again in another mode.
  void in_mode() {
    switch (mode_) {
      case Mode::INITIAL: return initial();
      case Mode::BEFORE_HTML: return before_html();
      case Mode::BEFORE_HEAD: return before_head();
      case Mode::IN_HEAD: return in_head();
      case Mode::IN_HEAD_NOSCRIPT: return in_head_noscript();
      case Mode::AFTER_HEAD: return after_head();
      case Mode::IN_BODY: return in_body();
      case Mode::IN_TABLE: return in_table();
      case Mode::IN_CAPTION: return in_caption();
      case Mode::IN_COLUMN_GROUP: return in_column_group();
      case Mode::IN_TABLE_BODY: return in_table_body();
      case Mode::IN_ROW: return in_row();
      case Mode::IN_CELL: return in_cell();
      case Mode::AFTER_BODY: return after_body();
      case Mode::AFTER_AFTER_BODY: return after_after_body();
    }
  }

  void reprocess_in(Mode mode) {
    mode_ = mode;
    in_mode();
  }

  bool is_start(Tag tag) const { return token_.kind == Kind::START_TAG && token_.tag == tag; }
  bool is_start(const TagSet &tags) const { return token_.kind == Kind::START_TAG && tags.has(token_.tag); }
  bool is_end(Tag tag) const { return token_.kind == Kind::END_TAG && token_.tag == tag; }
  bool is_end(const TagSet &tags) const { return token_.kind == Kind::END_TAG && tags.has(token_.tag); }

  /// Take white space from the start of the token; "" if there is none.
  std::string_view take_space() {
    if (token_.kind != Kind::CHARACTERS) {
      return {};
    }
    const std::string_view space = token_.text.substr(0, leading_space(token_.text));
    token_.text.remove_prefix(space.size());
    return space;
  }

  /// Whether nothing of the token remains.
  bool is_used_up() const { return token_.kind == Kind::CHARACTERS && token_.text.empty(); }

  // ---- what all modes do alike ----

  /// Tell comments and instructions; true if the token was one, or a doctype, which is ignored after the start.
  bool is_no_content() {
    switch (token_.kind) {
      case Kind::COMMENT: sink_.comment(); return true;
      case Kind::PROCESSING_INSTRUCTION: sink_.processing_instruction(); return true;
      case Kind::DOCTYPE: return true;
      default: return false;
    }
  }

  void insert_text(std::string_view text) {
    if (!text.empty()) {
      check_place();
      sink_.text(text);
    }
  }

  /// 13.2.6.1
  void check_place() const {
    if (is_fostering_ && TABLE_STRUCTURE.has(open_.current().tag)) {
      throw Left{"content put before its table"};
    }
  }

  /// Insert an HTML element; it is open until `pop`.
  void insert(Tag tag, std::string_view name, const Attributes &attributes) {
    check_place();
    open_.push(tag, Namespace::HTML, Integration::NONE, name);
    sink_.open({Namespace::HTML, tag, name, attributes});
  }

  /// Insert the element of the start tag.
  void insert() { insert(token_.tag, token_.text, token_.attributes); }

  /// Insert an element that has no tag in the page.
  void insert_implied(Tag tag) {
    insert(tag, name_of(tag), no_attributes_);
  }

  void insert_void() {
    insert();
    pop();
  }

  /// An element without markup inside (13.2.6.2).
  void insert_raw_text() {
    const Tag tag = token_.tag;
    insert();
    std::string_view text = tokenizer_.raw_text(tag, end_tag_);
    if (tag == Tag::TEXTAREA) {
      text.remove_prefix(text.starts_with('\n') ? 1 : 0);
      if (first_closed_formatting() < formatting_.size()) {
        throw Left{"unclosed formatting before a text area"};  // lexbor opens it again, inside
      }
    }
    if (!text.empty()) {
      sink_.text(text);
    }
    pop();
  }

  void pop() {
    do {
      open_.pop();
      sink_.close();
    } while (!open_.empty() && open_.current().is_removed());
  }

  void pop_until(Tag tag) {
    while (open_.current().tag != tag) {
      pop();
    }
    pop();
  }

  void pop_until(const TagSet &tags) {
    while (!tags.has(open_.current().tag)) {
      pop();
    }
    pop();
  }

  /// 13.2.6.3
  void generate_implied_end_tags(Tag except = Tag::OTHER) {
    while (IMPLIED_END.has(open_.current().tag) && open_.current().tag != except) {
      pop();
    }
    if (open_.current().space != Namespace::HTML && IMPLIED_END.has(tag_of(open_.current().name))) {
      throw Left{"SVG element whose end is implied in HTML"};  // lexbor ends it, the standard does not
    }
  }

  /// The index of the first formatting element to open again, size(): there is none.
  std::size_t first_closed_formatting() const {
    std::size_t index = formatting_.size();
    while (index > 0 && !formatting_[index - 1].is_marker() &&
           !open_.is_open(formatting_[index - 1].depth, formatting_[index - 1].number)) {
      --index;
    }
    return index;
  }

  /// 13.2.4.3
  void reconstruct_formatting() {
    for (std::size_t index = first_closed_formatting(); index < formatting_.size(); ++index) {
      FormattingElements::Entry &entry = formatting_[index];
      insert(entry.tag, name_of(entry.tag), entry.attributes);
      entry.depth = open_.size() - 1;
      entry.number = open_.current().number;
    }
  }

  // ---- before_body.hpp ----
  void initial();
  void before_html();
  void before_head();
  void in_head();
  void in_head_noscript();
  void after_head();
  void after_body();
  void after_after_body();
  bool is_head_content();

  // ---- in_body.hpp ----
  void in_body();
  void start_in_body();
  void start_other();
  void start_phrasing();
  void start_heading();
  void start_form();
  void start_list_item();
  void start_button();
  void start_formatting();
  void end_open_link();
  void start_table();
  void start_input();
  void start_select();
  void start_option();
  void start_rule();
  void start_ruby_text();
  void close_paragraph();

  // ---- end_in_body.hpp ----
  void end_in_body();
  void end_body();
  void end_block();
  void end_form();
  void end_paragraph();
  void end_list_item();
  void end_heading();
  void end_with_marker();
  void end_formatting();
  void end_other();

  // ---- in_table.hpp ----
  void in_table();
  void start_in_table();
  bool is_hidden_input() const;
  void in_table_with_foster_parent();
  void in_caption();
  void in_column_group();
  void in_table_body();
  void in_row();
  void in_cell();
  void close_cell();
  void clear_to(const TagSet &context);
  void reset_mode();

  // ---- foreign.hpp ----
  bool is_foreign() const;
  void in_foreign_content();
  static bool is_point(Integration integration);
  bool breaks_out() const;
  Integration integration_of(Namespace space) const;
  void insert_foreign(Namespace space);
  void end_foreign();

  Tokenizer tokenizer_;
  Hearer &sink_;
  Token token_;
  Token end_tag_;  // of raw text
  const Attributes no_attributes_;
  OpenElements open_;
  FormattingElements formatting_;
  Mode mode_ = Mode::INITIAL;
  bool is_quirky_ = true;
  std::uint32_t form_ = 0;  // the form element pointer: the number of the element, 0: none
  bool is_fostering_ = false;
  bool ignore_newline_ = false;
  std::vector<Kind> after_body_;  // comments and instructions behind the body, whose end is not yet sure
};

}  // namespace ttcrawl

#include "before_body.hpp"
#include "end_in_body.hpp"
#include "foreign.hpp"
#include "in_body.hpp"
#include "in_table.hpp"
