// The links of a page, its title, base and named metas, as ttcrawl.parse.links.by_lexbor finds them in a tree.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attributes.hpp"
#include "element_links.hpp"
#include "left.hpp"
#include "link_context.hpp"
#include "region_mark.hpp"
#include "rules.hpp"
#include "sink.hpp"
#include "unicode.hpp"
#include "white_space.hpp"

namespace ttcrawl {

class LinkReader {
 public:
  struct Meta {
    std::string_view name;
    std::string_view content;
  };

  LinkReader(Rules &rules, const Unicode &unicode)
      : rules_(rules), unicode_(unicode), element_links_(rules, unicode, links) {}

  void open(const Element &element) {
    if (raw_text_ != nullptr) throw Left{"element in a style"};
    const LinkContext context = frames_.empty() ? LinkContext() : frames_.back().inside;
    if (is_plain(element, context)) {
      ++elements_;
      frames_.emplace_back(context, element.tag);
      return;
    }
    Frame frame(context, element.tag);
    if (element.tag == Tag::A) {
      read_link(element, context, frame);
    } else {
      read_other(element, context, frame);
    }
    frame.inside = context.inside(element, role_of(element));
    ++elements_;
    frames_.push_back(frame);
  }

  void text(std::string_view piece) {
    const Tag tag = frames_.back().tag;
    const bool is_fallback = tag == Tag::IFRAME || tag == Tag::NOEMBED || tag == Tag::NOFRAMES;
    if (is_fallback && piece.find('<') < piece.size()) throw Left{"markup without an element"};
    if (in_title_) title.append(piece);
    if (raw_text_ != nullptr) raw_text_->append(piece);
    if (!linked_.empty()) text_.append(piece);
  }

  void close() {
    const Frame frame = frames_.back();
    frames_.pop_back();
    switch (frame.kind) {
      case FrameKind::OTHER: break;
      case FrameKind::LINK: end_link(); break;
      case FrameKind::FORM:
        if (!frame.is_filled_in) throw Left{"form that may be a link"};
        break;
      case FrameKind::TITLE: in_title_ = false; break;
      case FrameKind::STYLE:
      case FrameKind::JSON_LD: end_raw_text(frame); break;
    }
  }

  std::vector<Link> links;
  std::vector<Meta> metas;
  std::string title;
  bool has_base = false;
  std::string_view base;

 private:
  enum class FrameKind : std::uint8_t { OTHER, LINK, FORM, TITLE, STYLE, JSON_LD };
  struct Frame {
    Frame(const LinkContext &around, Tag own_tag) : inside(around), tag(own_tag) {}

    LinkContext inside;
    Tag tag;
    FrameKind kind = FrameKind::OTHER;
    bool is_filled_in = false;  // the form
  };
  struct OpenLink {
    std::size_t index;
    std::size_t text_start;
    std::size_t alt_start;
    std::size_t elements_before;
  };
  static constexpr std::size_t LONGEST_ALT = 2000;   // bytes, above which ttcrawl.parse.links.element_text cuts it
  static constexpr std::size_t MOST_ELEMENTS = 256;  // in a link without text
  static constexpr int MOST_FORMS = 50;

  /// Most elements: neither they nor their attributes mean anything for links.
  bool is_plain(const Element &element, const LinkContext &context) const {
    static constexpr TagSet TELLING{
        "a article aside base fieldset footer form header iframe img input main math meta nav script section select"
        " style svg textarea title"};
    static constexpr AttributeNames ATTRIBUTES{"background", "onclick", "role", "style"};
    if (context.space != Namespace::HTML || TELLING.has(element.tag)) return false;
    if (element.attributes.empty()) return true;
    const bool may_be_link = rules_.tags.has(element.tag) && !BACKGROUNDS.has(element.tag);
    return !may_be_link && !element.attributes.may_have_any(ATTRIBUTES);
  }

  std::uint8_t role_of(const Element &element) {
    if (element.attributes.empty() || !rules_.wants_landmarks || element.tag == Tag::A) return 0;
    const std::string_view role = value_of(element.attributes, "role");
    if (role.empty()) return 0;
    const long landmark = PyLong_AsLong(rules_.landmark.ask(role).get());
    if (landmark < 0) throw PythonError();
    return static_cast<std::uint8_t>(landmark);
  }

  // ---- <a> ----

  void read_link(const Element &element, const LinkContext &context, Frame &frame) {
    const Attributes &attributes = element.attributes;
    if (context.links > 2) throw Left{"links in links"};
    const std::string_view *href = attributes.find("href");
    if (href == nullptr && has(attributes, "xlink:href")) throw Left{"xlink:href of a link"};
    if (href != nullptr && rules_.wants('a')) {
      const std::string_view rel = value_of(attributes, "rel");
      frame.kind = FrameKind::LINK;
      linked_.push_back({links.size(), text_.size(), alts_.size(), elements_});
      links.push_back({*href, Owned(), 'a', context.letter(), !rel.empty() && rules_.is_nofollow.is_true(rel), ""});
    }
    check_handlers(attributes, href == nullptr ? std::string_view() : *href);
    read_style_attribute(attributes, context);
  }

  void end_link() {
    const OpenLink link = linked_.back();
    linked_.pop_back();
    if (rules_.wants_anchors) {
      std::string &anchor = links[link.index].anchor;
      anchor = collapsed(unicode_, std::string_view(text_).substr(link.text_start));
      if (anchor.empty() && alts_.size() > link.alt_start) {
        if (elements_ - link.elements_before - 1 > MOST_ELEMENTS) throw Left{"large link without text"};
        anchor = collapsed(unicode_, std::string_view(alts_).substr(link.alt_start));
        if (has_region_mark(anchor)) throw Left{"marks of content regions"};
      }
      anchor = shortened(std::move(anchor));
    }
    if (!linked_.empty()) return;  // the texts are those of a link around, too
    text_.clear();
    alts_.clear();
  }

  // ---- other elements ----

  void read_other(const Element &element, const LinkContext &context, Frame &frame) {
    const Attributes &attributes = element.attributes;
    const bool is_html = context.space == Namespace::HTML;
    if (is_html) {
      read_html(element, context, frame);
    } else if (context.space == Namespace::SVG && !attributes.empty()) {
      element_links_.add_svg(element, context.letter());
    }
    if (element.tag == Tag::STYLE || element.tag == Tag::SCRIPT) read_silent(element, context, frame);
    if (element.tag == Tag::IMG && !linked_.empty()) {
      const std::string_view alt = value_of(attributes, "alt");
      if (alt.size() > LONGEST_ALT) throw Left{"long alt in a link"};
      alts_.append(alt).push_back(' ');
    }
    if (attributes.empty()) return;
    read_style_attribute(attributes, context);
    check_handlers(attributes, is_html && element.tag == Tag::AREA ? value_of(attributes, "href") : "");
  }

  void read_html(const Element &element, const LinkContext &context, Frame &frame) {
    const Attributes &attributes = element.attributes;
    switch (element.tag) {
      case Tag::TITLE:
        if (has_title_) break;
        has_title_ = in_title_ = true;
        frame.kind = FrameKind::TITLE;
        break;
      case Tag::BASE:
        if (const std::string_view *href = attributes.find("href"); href != nullptr && !has_base) {
          has_base = true;
          base = *href;
        }
        break;
      case Tag::META:
        if (const std::string_view *name = attributes.find("name")) {
          metas.push_back({*name, value_of(attributes, "content")});
        }
        break;
      case Tag::FORM:
        if (rules_.wants('G') && ++forms_ <= MOST_FORMS) frame.kind = FrameKind::FORM;
        break;
      case Tag::IFRAME:
        if (contains_ignoring_case(value_of(attributes, "srcdoc"), "<")) throw Left{"document in an iframe"};
        break;
      case Tag::INPUT:
      case Tag::SELECT:
      case Tag::TEXTAREA:
      case Tag::FIELDSET: fill_in(element); break;
      default: break;
    }
    if (attributes.empty()) return;
    element_links_.add(element, context.letter(), frames_.empty() ? Tag::OTHER : frames_.back().tag);
  }

  // ---- scripts and styles ----

  /// Elements whose text is no text of a link around them.
  void read_silent(const Element &element, const LinkContext &context, Frame &frame) {
    if (rules_.wants_anchors && !linked_.empty()) throw Left{"script or style in a link"};
    const std::string_view type = value_of(element.attributes, "type");
    if (element.tag == Tag::STYLE && rules_.wants('u') && context.space != Namespace::MATHML) {
      const std::string media_type = collapsed(unicode_, type);
      if (media_type.empty() || equals_ignoring_case(media_type, "text/css")) begin_raw_text(frame, FrameKind::STYLE);
    }
    if (element.tag == Tag::SCRIPT && contains_ignoring_case(type, "ld+json")) {
      if (context.space != Namespace::HTML) throw Left{"JSON-LD in SVG"};
      if (rules_.wants('j')) begin_raw_text(frame, FrameKind::JSON_LD);
      json_ld_type_ = type;
    }
  }

  void begin_raw_text(Frame &frame, FrameKind kind) {
    frame.kind = kind;
    raw_.clear();
    raw_text_ = &raw_;
  }

  void end_raw_text(const Frame &frame) {
    raw_text_ = nullptr;
    const LinkContext context = frames_.empty() ? LinkContext() : frames_.back().inside;
    if (frame.kind == FrameKind::STYLE) {
      if (may_have_url(raw_)) element_links_.add_list('u', rules_.style.ask(raw_), context.letter());
      return;
    }
    key_.clear();
    append_to_key(key_, json_ld_type_);
    key_.append(raw_);
    const Owned found = rules_.json_ld.ask(
        key_, [&] { return checked(Py_BuildValue("NN", str(json_ld_type_).release(), str(raw_).release())); });
    element_links_.add_list('j', found, context.letter());
  }

  void read_style_attribute(const Attributes &attributes, const LinkContext &context) {
    if (!rules_.wants('u')) return;
    const std::string_view style = value_of(attributes, "style");
    if (may_have_url(style)) element_links_.add_list('u', rules_.style.ask(style), context.letter());
  }

  static bool may_have_url(std::string_view css) {
    return css.find('(') != std::string_view::npos || css.find('@') != std::string_view::npos;
  }

  /// Handlers that go to another page are rare: the text of their element is their anchor.
  void check_handlers(const Attributes &attributes, std::string_view href) {
    if (!rules_.wants('J')) return;
    const std::string_view handler = value_of(attributes, "onclick");
    if (!handler.empty() && rules_.goes.is_true(handler)) throw Left{"onclick that goes to a page"};
    if (!href.empty() && (to_lower(href[0]) == 'j' || static_cast<unsigned char>(href[0]) <= ' ') &&
        rules_.goes_by_href.is_true(href)) {
      throw Left{"javascript: URL that goes to a page"};
    }
  }

  // ---- forms ----

  /// A form with a control that the user fills in is no link (ttcrawl.parse.links.forms.is_filled_in).
  void fill_in(const Element &element) {
    const Attributes &attributes = element.attributes;
    const std::string_view onchange = value_of(attributes, "onchange");
    if (element.tag == Tag::SELECT && rules_.wants('J') && !onchange.empty() && rules_.jumps.is_true(onchange)) {
      throw Left{"menu that goes to a page"};
    }
    if (forms_ == 0 || has(attributes, "form") || !is_filled_in(element)) return;
    for (Frame &frame : frames_) frame.is_filled_in = true;
  }

  static bool is_filled_in(const Element &element) {
    const bool is_disabled = has(element.attributes, "disabled");
    if (element.tag == Tag::FIELDSET) return is_disabled;
    if (is_disabled) return false;
    if (element.tag != Tag::INPUT) return true;
    const std::string_view type = value_of(element.attributes, "type");
    for (std::string_view name : {"hidden", "submit", "image", "reset", "button"}) {
      if (equals_ignoring_case(type, name)) return false;
    }
    return true;
  }

  Rules &rules_;
  const Unicode &unicode_;
  std::vector<Frame> frames_;
  ElementLinks element_links_;
  std::vector<OpenLink> linked_;  // links around with an href
  std::string text_;  // of the links around
  std::string alts_;  // of their images
  std::string raw_;
  std::string *raw_text_ = nullptr;  // of a style or JSON-LD
  std::string json_ld_type_;
  std::string key_;
  std::size_t elements_ = 0;
  int forms_ = 0;
  bool has_title_ = false;
  bool in_title_ = false;
};

}  // namespace ttcrawl
