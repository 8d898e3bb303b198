// The insertion modes before and after the body (HTML standard 13.2.6.4.1 to 13.2.6.4.6, .19 and .22).
#pragma once

#include "construction.hpp"

namespace ttcrawl {

template <Sink Hearer>
void Construction<Hearer>::initial() {
  take_space();
  if (is_used_up() || token_.kind == Kind::COMMENT || token_.kind == Kind::PROCESSING_INSTRUCTION) {
    return;  // comments are outside of the root element
  }
  if (token_.kind == Kind::DOCTYPE) {
    is_quirky_ = is_quirky(token_.text);
    mode_ = Mode::BEFORE_HTML;
    return;
  }
  reprocess_in(Mode::BEFORE_HTML);
}

template <Sink Hearer>
void Construction<Hearer>::before_html() {
  static constexpr TagSet IMPLYING{"head body html br"};
  take_space();
  if (is_used_up() || token_.kind == Kind::COMMENT || token_.kind == Kind::PROCESSING_INSTRUCTION ||
      token_.kind == Kind::DOCTYPE || (token_.kind == Kind::END_TAG && !IMPLYING.has(token_.tag))) {
    return;
  }
  if (is_start(Tag::HTML)) {
    insert();
    mode_ = Mode::BEFORE_HEAD;
    return;
  }
  insert_implied(Tag::HTML);
  reprocess_in(Mode::BEFORE_HEAD);
}

template <Sink Hearer>
void Construction<Hearer>::before_head() {
  static constexpr TagSet IMPLYING{"head body html br"};
  take_space();
  if (is_used_up() || is_no_content() || (token_.kind == Kind::END_TAG && !IMPLYING.has(token_.tag))) {
    return;
  }
  if (is_start(Tag::HTML)) {
    in_body();
  } else if (is_start(Tag::HEAD)) {
    insert();
    mode_ = Mode::IN_HEAD;
  } else {
    insert_implied(Tag::HEAD);
    reprocess_in(Mode::IN_HEAD);
  }
}

/// Insert an element that belongs into the head, wherever it is; false: the token is none.
template <Sink Hearer>
bool Construction<Hearer>::is_head_content() {
  static constexpr TagSet METADATA{"base basefont bgsound link meta"};
  static constexpr TagSet RAW{"title noframes style script"};
  if (is_start(METADATA)) {
    insert_void();
  } else if (is_start(RAW)) {
    insert_raw_text();
  } else if (is_start(Tag::TEMPLATE)) {
    throw Left{"template"};
  } else {
    return is_end(Tag::TEMPLATE);  // ignored: no template is open
  }
  return true;
}

template <Sink Hearer>
void Construction<Hearer>::in_head() {
  static constexpr TagSet IMPLYING{"body html br"};
  insert_text(take_space());
  if (is_used_up() || is_no_content() || is_head_content() || is_start(Tag::HEAD)) {
    return;
  }
  if (is_start(Tag::HTML)) {
    in_body();
  } else if (is_start(Tag::NOSCRIPT)) {
    insert();
    mode_ = Mode::IN_HEAD_NOSCRIPT;
  } else if (is_end(Tag::HEAD)) {
    pop();
    mode_ = Mode::AFTER_HEAD;
  } else if (token_.kind != Kind::END_TAG || IMPLYING.has(token_.tag)) {
    pop();
    reprocess_in(Mode::AFTER_HEAD);
  }
}

template <Sink Hearer>
void Construction<Hearer>::in_head_noscript() {
  static constexpr TagSet ALLOWED{"basefont bgsound link meta noframes style"};
  static constexpr TagSet IGNORED{"head noscript"};
  insert_text(take_space());
  if (is_used_up() || is_no_content() || is_start(IGNORED)) {
    return;
  }
  if (is_start(Tag::HTML)) {
    in_body();
  } else if (is_end(Tag::NOSCRIPT)) {
    pop();
    mode_ = Mode::IN_HEAD;
  } else if (is_start(ALLOWED)) {
    in_head();
  } else if (token_.kind != Kind::END_TAG || token_.tag == Tag::BR) {
    pop();
    reprocess_in(Mode::IN_HEAD);
  }
}

template <Sink Hearer>
void Construction<Hearer>::after_head() {
  static constexpr TagSet OF_HEAD{"base basefont bgsound link meta noframes script style template title"};
  static constexpr TagSet IMPLYING{"body html br"};
  insert_text(take_space());
  if (is_used_up() || is_no_content() || is_start(Tag::HEAD)) {
    return;
  }
  if (is_start(OF_HEAD)) {
    throw Left{"content of the head behind it"};
  }
  if (is_start(Tag::HTML)) {
    in_body();
  } else if (is_start(Tag::BODY)) {
    insert();
    mode_ = Mode::IN_BODY;
  } else if (token_.kind != Kind::END_TAG || IMPLYING.has(token_.tag)) {
    insert_implied(Tag::BODY);
    reprocess_in(Mode::IN_BODY);
  }
}

template <Sink Hearer>
void Construction<Hearer>::after_body() {
  const bool is_space = token_.kind == Kind::CHARACTERS && is_html_space(token_.text);
  if (token_.kind == Kind::COMMENT || token_.kind == Kind::PROCESSING_INSTRUCTION) {
    after_body_.push_back(token_.kind);
  } else if (is_end(Tag::HTML)) {
    mode_ = Mode::AFTER_AFTER_BODY;
  } else if (is_space || is_start(Tag::HTML) || token_.kind == Kind::DOCTYPE || token_.kind == Kind::END) {
    in_body();
  } else {
    reprocess_in(Mode::IN_BODY);
  }
}

template <Sink Hearer>
void Construction<Hearer>::after_after_body() {
  if (token_.kind == Kind::COMMENT || token_.kind == Kind::PROCESSING_INSTRUCTION) {
    return;  // outside of the root element
  }
  const bool is_space = token_.kind == Kind::CHARACTERS && is_html_space(token_.text);
  if (is_space || is_start(Tag::HTML) || token_.kind == Kind::DOCTYPE || token_.kind == Kind::END) {
    in_body();
  } else {
    reprocess_in(Mode::IN_BODY);
  }
}

}  // namespace ttcrawl
