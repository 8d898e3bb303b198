// The insertion modes of tables (HTML standard 13.2.6.4.9 to 13.2.6.4.15).
#pragma once

#include "construction.hpp"

namespace ttcrawl {

template <Sink Hearer>
void Construction<Hearer>::in_table() {
  static constexpr TagSet IGNORED{"body caption col colgroup html tbody td tfoot th thead tr template"};
  if (token_.kind == Kind::CHARACTERS && is_html_space(token_.text)) {
    return insert_text(token_.text);
  }
  if (is_no_content() || is_end(IGNORED)) {
    return;
  }
  if (token_.kind == Kind::START_TAG) {
    return start_in_table();
  }
  if (!is_end(Tag::TABLE)) {
    return in_table_with_foster_parent();
  }
  if (open_.in_scope(Tag::TABLE, TABLE_SCOPE)) {
    pop_until(Tag::TABLE);
    reset_mode();
  }
}

template <Sink Hearer>
void Construction<Hearer>::start_in_table() {
  static constexpr TagSet TABLE{"html table template"};
  switch (token_.tag) {
    case Tag::CAPTION:
      clear_to(TABLE);
      formatting_.push_marker();
      insert();
      mode_ = Mode::IN_CAPTION;
      return;
    case Tag::COLGROUP:
      clear_to(TABLE);
      insert();
      mode_ = Mode::IN_COLUMN_GROUP;
      return;
    case Tag::COL:
      clear_to(TABLE);
      insert_implied(Tag::COLGROUP);
      return reprocess_in(Mode::IN_COLUMN_GROUP);
    case Tag::TBODY:
    case Tag::TFOOT:
    case Tag::THEAD:
      clear_to(TABLE);
      insert();
      mode_ = Mode::IN_TABLE_BODY;
      return;
    case Tag::TD:
    case Tag::TH:
    case Tag::TR:
      clear_to(TABLE);
      insert_implied(Tag::TBODY);
      return reprocess_in(Mode::IN_TABLE_BODY);
    case Tag::TABLE:
      if (open_.in_scope(Tag::TABLE, TABLE_SCOPE)) {
        pop_until(Tag::TABLE);
        reset_mode();
        in_mode();
      }
      return;
    case Tag::STYLE:
    case Tag::SCRIPT:
    case Tag::TEMPLATE: is_head_content(); return;
    case Tag::INPUT: return is_hidden_input() ? insert_void() : in_table_with_foster_parent();
    case Tag::FORM:
      if (form_ == 0) {
        insert();
        form_ = open_.current().number;
        pop();
      }
      return;
    default: in_table_with_foster_parent();
  }
}

template <Sink Hearer>
bool Construction<Hearer>::is_hidden_input() const {
  return equals_ignoring_case(value_of(token_.attributes, "type"), "hidden");
}

/// What belongs before the table, where it would be inserted into the table.
template <Sink Hearer>
void Construction<Hearer>::in_table_with_foster_parent() {
  is_fostering_ = true;
  in_body();
  is_fostering_ = false;
}

template <Sink Hearer>
void Construction<Hearer>::in_caption() {
  static constexpr TagSet IGNORED{"body col colgroup html tbody td tfoot th thead tr"};
  const bool is_end_of_caption = is_end(Tag::CAPTION);
  if (is_end(IGNORED)) {
    return;
  }
  if (!is_end_of_caption && !is_start(TABLE_PARTS) && !is_end(Tag::TABLE)) {
    return in_body();
  }
  if (!open_.in_scope(Tag::CAPTION, TABLE_SCOPE)) {
    return;
  }
  generate_implied_end_tags();
  pop_until(Tag::CAPTION);
  formatting_.clear_to_marker();
  mode_ = Mode::IN_TABLE;
  if (!is_end_of_caption) {
    in_mode();
  }
}

template <Sink Hearer>
void Construction<Hearer>::in_column_group() {
  insert_text(take_space());
  if (is_used_up() || is_no_content() || is_end(Tag::COL)) {
    return;
  }
  if (is_start(Tag::HTML) || token_.kind == Kind::END) {
    in_body();
  } else if (is_start(Tag::COL)) {
    insert_void();
  } else if (is_start(Tag::TEMPLATE) || is_end(Tag::TEMPLATE)) {
    is_head_content();
  } else if (open_.current().tag == Tag::COLGROUP) {
    pop();
    mode_ = Mode::IN_TABLE;
    if (!is_end(Tag::COLGROUP)) {
      in_mode();
    }
  }
}

template <Sink Hearer>
void Construction<Hearer>::in_table_body() {
  static constexpr TagSet TABLE_BODY{"tbody tfoot thead html template"};
  static constexpr TagSet IGNORED{"body caption col colgroup html td th tr"};
  static constexpr TagSet ENDING{"caption col colgroup tbody tfoot thead"};
  if (is_start(Tag::TR)) {
    clear_to(TABLE_BODY);
    insert();
    mode_ = Mode::IN_ROW;
  } else if (is_start(CELLS)) {
    clear_to(TABLE_BODY);
    insert_implied(Tag::TR);
    reprocess_in(Mode::IN_ROW);
  } else if (is_end(TABLE_SECTIONS)) {
    if (open_.in_scope(token_.tag, TABLE_SCOPE)) {
      clear_to(TABLE_BODY);
      pop();
      mode_ = Mode::IN_TABLE;
    }
  } else if (is_start(ENDING) || is_end(Tag::TABLE)) {
    if (open_.any_in_scope(TABLE_SECTIONS, TABLE_SCOPE)) {
      clear_to(TABLE_BODY);
      pop();
      reprocess_in(Mode::IN_TABLE);
    }
  } else if (!is_end(IGNORED)) {
    in_table();
  }
}

template <Sink Hearer>
void Construction<Hearer>::in_row() {
  static constexpr TagSet ROW{"tr html template"};
  static constexpr TagSet IGNORED{"body caption col colgroup html td th"};
  static constexpr TagSet ENDING{"caption col colgroup tbody tfoot thead tr"};
  if (is_start(CELLS)) {
    clear_to(ROW);
    insert();
    mode_ = Mode::IN_CELL;
    formatting_.push_marker();
    return;
  }
  if (is_end(IGNORED)) {
    return;
  }
  if (!is_end(Tag::TR) && !is_start(ENDING) && !is_end(Tag::TABLE) && !is_end(TABLE_SECTIONS)) {
    return in_table();
  }
  if (is_end(TABLE_SECTIONS) && !open_.in_scope(token_.tag, TABLE_SCOPE)) {
    return;
  }
  if (!open_.in_scope(Tag::TR, TABLE_SCOPE)) {
    return;
  }
  clear_to(ROW);
  pop();
  mode_ = Mode::IN_TABLE_BODY;
  if (!is_end(Tag::TR)) {
    in_mode();
  }
}

template <Sink Hearer>
void Construction<Hearer>::in_cell() {
  static constexpr TagSet IGNORED{"body caption col colgroup html"};
  static constexpr TagSet ENDING{"table tbody tfoot thead tr"};
  if (is_end(CELLS)) {
    if (open_.in_scope(token_.tag, TABLE_SCOPE)) {
      generate_implied_end_tags();
      pop_until(token_.tag);
      formatting_.clear_to_marker();
      mode_ = Mode::IN_ROW;
    }
  } else if (is_start(TABLE_PARTS)) {
    close_cell();
    in_mode();
  } else if (is_end(ENDING)) {
    if (open_.in_scope(token_.tag, TABLE_SCOPE)) {
      close_cell();
      in_mode();
    }
  } else if (!is_end(IGNORED)) {
    in_body();
  }
}

template <Sink Hearer>
void Construction<Hearer>::close_cell() {
  generate_implied_end_tags();
  pop_until(CELLS);
  formatting_.clear_to_marker();
  mode_ = Mode::IN_ROW;
}

/// "Clear the stack back to a context."
template <Sink Hearer>
void Construction<Hearer>::clear_to(const TagSet &context) {
  while (!context.has(open_.current().tag)) {
    pop();
  }
}

/// 13.2.4.1
template <Sink Hearer>
void Construction<Hearer>::reset_mode() {
  for (std::size_t depth = open_.size(); depth > 0; depth--) {
    const Tag tag = open_[depth - 1].tag;
    if (CELLS.has(tag)) {
      mode_ = Mode::IN_CELL;
    } else if (tag == Tag::TR) {
      mode_ = Mode::IN_ROW;
    } else if (TABLE_SECTIONS.has(tag)) {
      mode_ = Mode::IN_TABLE_BODY;
    } else if (tag == Tag::CAPTION) {
      mode_ = Mode::IN_CAPTION;
    } else if (tag == Tag::COLGROUP) {
      mode_ = Mode::IN_COLUMN_GROUP;
    } else if (tag == Tag::TABLE) {
      mode_ = Mode::IN_TABLE;
    } else if (tag == Tag::BODY) {
      mode_ = Mode::IN_BODY;
    } else {
      continue;
    }
    return;
  }
}

}  // namespace ttcrawl
