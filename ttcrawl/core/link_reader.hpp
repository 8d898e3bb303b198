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
  struct Link {
    std::string_view href;  // or
    Owned made;             // the href that Python made
    char kind;
    char landmark;
    bool is_nofollow;
    std::string anchor;
  };
  struct Meta {
    std::string_view name;
    std::string_view content;
  };

  LinkReader(Rules &rules, const Unicode &unicode) : rules_(rules), unicode_(unicode) {}

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
  static constexpr std::size_t ANCHOR_LENGTH = 200;  // characters
  static constexpr std::size_t LONGEST_ALT = 2000;   // bytes, above which ttcrawl.parse.links.element_text cuts it
  static constexpr std::size_t MOST_ELEMENTS = 256;  // in a link without text
  static constexpr int MOST_FORMS = 50;
  static constexpr TagSet BACKGROUNDS{"body table thead tbody tfoot tr td th"};  // they refer by this attribute alone

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
      anchor.resize(first_characters(anchor, ANCHOR_LENGTH).size());
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
      read_svg(element, context);
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
    if (!attributes.empty() && may_refer(element) && !add_reference(element, context)) add_references(element, context);
  }

  /// Whether Python is asked for the links of the element.
  bool may_refer(const Element &element) const {
    if (!rules_.tags.has(element.tag) && element.tag != Tag::META) return false;
    if (BACKGROUNDS.has(element.tag)) return has(element.attributes, "background");
    switch (element.tag) {
      case Tag::META: return has(element.attributes, "http-equiv");
      case Tag::INPUT:
      case Tag::SCRIPT: return has(element.attributes, "src");
      case Tag::STYLE:
      case Tag::FORM: return false;
      default: return true;
    }
  }

  /// The link of an element that has one, or none: of most <link> and <img>. Their hrefs and titles are others on each
  /// page, so Python is asked what a rel means, and not about each element. False: the element may have more.
  bool add_reference(const Element &element, const LinkContext &context) {
    static constexpr AttributeNames MORE{"srcset", "lowsrc", "dynsrc", "longdesc"};
    const Attributes &attributes = element.attributes;
    const bool is_link = element.tag == Tag::LINK;
    if (!is_link && element.tag != Tag::IMG) return false;
    if (attributes.may_have_any(MORE) || std::any_of(attributes.begin(), attributes.end(), [](const Attribute &each) {
          return each.name == "imagesrcset" || each.name.starts_with("data-");
        })) {
      return false;
    }
    const std::string_view label = is_link ? value_of(attributes, "title") : value_of(attributes, "alt");
    if (label.find('<') != label.npos) return false;  // it may have marks of content regions
    const std::string_view href = is_link ? value_of(attributes, "href") : value_of(attributes, "src");
    if (href.empty()) return true;
    const char kind = is_link ? kind_of_link(attributes) : 'g';
    if (kind == '\0' || !rules_.wants(kind)) return true;
    std::string anchor;
    if (rules_.wants_anchors) {
      anchor = collapsed(unicode_, label);
      anchor.resize(first_characters(anchor, ANCHOR_LENGTH).size());
    }
    links.push_back({href, Owned(), kind, context.letter(), false, std::move(anchor)});
    return true;
  }

  /// U+0000: it leads to no page.
  char kind_of_link(const Attributes &attributes) {
    const std::string_view rel = value_of(attributes, "rel");
    const std::string_view type = value_of(attributes, "type");
    key_.clear();
    append_to_key(key_, rel);
    append_to_key(key_, type);
    const Owned kind = rules_.kind_of_link.ask(
        key_, [&] { return checked(Py_BuildValue("NN", str(rel).release(), str(type).release())); });
    const long letter = PyLong_AsLong(kind.get());
    if (letter < 0) throw PythonError();
    return static_cast<char>(letter);
  }

  void add_references(const Element &element, const LinkContext &context) {
    const std::string_view parent = frames_.empty() ? std::string_view() : name_of(frames_.back().tag);
    key_.assign(element.name).push_back('\0');
    if (element.tag == Tag::SOURCE) key_.append(parent);
    for (const Attribute &each : element.attributes) {
      append_to_key(key_, each.name);
      append_to_key(key_, each.value);
    }
    const Owned found = rules_.links.ask(key_, [&] {
      return checked(Py_BuildValue("NNN", str(element.name).release(), dict(element.attributes).release(),
                                   str(parent).release()));
    });
    for (Py_ssize_t index = 0; index < PyTuple_Size(found.get()); ++index) {
      PyObject *href = nullptr;
      PyObject *anchor = nullptr;
      int kind = 0;
      int is_nofollow = 0;
      if (!PyArg_ParseTuple(PyTuple_GetItem(found.get(), index), "iUUp", &kind, &href, &anchor, &is_nofollow)) {
        throw PythonError();
      }
      add(kind, href, context, std::string(Utf8(anchor, "strict").view()), is_nofollow != 0);
    }
  }

  void add(int kind, PyObject *href, const LinkContext &context, std::string anchor, bool is_nofollow) {
    Owned made(Py_NewRef(href));
    links.push_back({"", std::move(made), static_cast<char>(kind), context.letter(), is_nofollow, std::move(anchor)});
  }

  /// Elements that load what their href names, as ttcrawl.parse.links.element.of_svg.
  void read_svg(const Element &element, const LinkContext &context) {
    const bool is_image = element.name == "image" || element.name == "use" || element.name == "feimage";
    const char kind = is_image ? 'g' : element.name == "script" ? 'S' : '\0';
    if (kind == '\0' || !rules_.wants(kind)) return;
    const std::string_view *href = element.attributes.find("href");
    if (href == nullptr) href = element.attributes.find("xlink:href");
    if (href == nullptr || href->empty() || href->starts_with('#')) return;
    links.push_back({*href, Owned(), kind, context.letter(), false, ""});
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
      if (may_have_url(raw_)) add_list('u', rules_.style.ask(raw_), context);
      return;
    }
    key_.clear();
    append_to_key(key_, json_ld_type_);
    key_.append(raw_);
    const Owned found = rules_.json_ld.ask(
        key_, [&] { return checked(Py_BuildValue("NN", str(json_ld_type_).release(), str(raw_).release())); });
    add_list('j', found, context);
  }

  void read_style_attribute(const Attributes &attributes, const LinkContext &context) {
    if (!rules_.wants('u')) return;
    const std::string_view style = value_of(attributes, "style");
    if (may_have_url(style)) add_list('u', rules_.style.ask(style), context);
  }

  static bool may_have_url(std::string_view css) {
    return css.find('(') != std::string_view::npos || css.find('@') != std::string_view::npos;
  }

  void add_list(char kind, const Owned &hrefs, const LinkContext &context) {
    for (Py_ssize_t index = 0; index < PyList_Size(hrefs.get()); ++index) {
      add(kind, PyList_GetItem(hrefs.get(), index), context, "", false);
    }
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
