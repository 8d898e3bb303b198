// The links of elements other than <a>, by their attributes, as ttcrawl.parse.links.element finds them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attributes.hpp"
#include "python.hpp"
#include "rules.hpp"
#include "sink.hpp"
#include "unicode.hpp"
#include "white_space.hpp"

namespace ttcrawl {

struct Link {
  std::string_view href;  // or
  Owned made;             // the href that Python made
  char kind;
  char landmark;
  bool is_nofollow;
  std::string anchor;
};

/// Elements that refer by the attribute `background` alone.
inline constexpr TagSet BACKGROUNDS{"body table thead tbody tfoot tr td th"};

/// The text of a link as it is stored.
inline std::string shortened(std::string anchor) {
  constexpr std::size_t LONGEST = 200;  // characters
  anchor.resize(first_characters(anchor, LONGEST).size());
  return anchor;
}

/// Adds links to those of a page. `landmark`: the letter of the one that an element is in.
class ElementLinks {
 public:
  ElementLinks(Rules &rules, const Unicode &unicode, std::vector<Link> &links)
      : rules_(rules), unicode_(unicode), links_(links) {}

  /// Of an HTML element with attributes.
  void add(const Element &element, char landmark, Tag parent) {
    if (may_refer(element) && !add_usual(element, landmark)) add_asked(element, landmark, parent);
  }

  /// Of an element that loads what its href names, as ttcrawl.parse.links.element.of_svg.
  void add_svg(const Element &element, char landmark) {
    const bool is_image = element.name == "image" || element.name == "use" || element.name == "feimage";
    const char kind = is_image ? 'g' : element.name == "script" ? 'S' : '\0';
    if (kind == '\0' || !rules_.wants(kind)) return;
    const std::string_view *href = element.attributes.find("href");
    if (href == nullptr) href = element.attributes.find("xlink:href");
    if (href == nullptr || href->empty() || href->starts_with('#')) return;
    links_.push_back({*href, Owned(), kind, landmark, false, ""});
  }

  /// Hrefs that Python found in a text.
  void add_list(char kind, const Owned &hrefs, char landmark) {
    for (Py_ssize_t index = 0; index < PyList_Size(hrefs.get()); ++index) {
      links_.push_back({"", Owned(Py_NewRef(PyList_GetItem(hrefs.get(), index))), kind, landmark, false, ""});
    }
  }

 private:
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
  bool add_usual(const Element &element, char landmark) {
    static constexpr AttributeNames MORE{"srcset", "lowsrc", "dynsrc", "longdesc"};
    const Attributes &attributes = element.attributes;
    const bool is_link = element.tag == Tag::LINK;
    if (!is_link && element.tag != Tag::IMG) return false;
    if (attributes.may_have_any(MORE) || std::any_of(attributes.begin(), attributes.end(), [](const Attribute &each) {
          return each.name == "imagesrcset" || each.name.starts_with("data-");
        })) {
      return false;
    }
    const std::string_view label = value_of(attributes, is_link ? AttributeName("title") : AttributeName("alt"));
    if (label.find('<') != label.npos) return false;  // it may have marks of content regions
    const std::string_view href = value_of(attributes, is_link ? AttributeName("href") : AttributeName("src"));
    if (href.empty()) return true;
    const char kind = is_link ? kind_of_link(attributes) : 'g';
    if (kind == '\0' || !rules_.wants(kind)) return true;
    std::string anchor = rules_.wants_anchors ? shortened(collapsed(unicode_, label)) : "";
    links_.push_back({href, Owned(), kind, landmark, false, std::move(anchor)});
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

  /// The links that Python finds in all attributes.
  void add_asked(const Element &element, char landmark, Tag parent) {
    key_.assign(element.name).push_back('\0');
    if (element.tag == Tag::SOURCE) key_.append(name_of(parent));
    for (const Attribute &each : element.attributes) {
      append_to_key(key_, each.name);
      append_to_key(key_, each.value);
    }
    const Owned found = rules_.links.ask(key_, [&] {
      return checked(Py_BuildValue("NNN", str(element.name).release(), dict(element.attributes).release(),
                                   str(name_of(parent)).release()));
    });
    for (Py_ssize_t index = 0; index < PyTuple_Size(found.get()); ++index) {
      PyObject *href = nullptr;
      PyObject *anchor = nullptr;
      int kind = 0;
      int is_nofollow = 0;
      if (!PyArg_ParseTuple(PyTuple_GetItem(found.get(), index), "iUUp", &kind, &href, &anchor, &is_nofollow)) {
        throw PythonError();
      }
      links_.push_back({"", Owned(Py_NewRef(href)), static_cast<char>(kind), landmark, is_nofollow != 0,
                        std::string(Utf8(anchor, "strict").view())});
    }
  }

  Rules &rules_;
  const Unicode &unicode_;
  std::vector<Link> &links_;
  std::string key_;
};

}  // namespace ttcrawl
