// Where in a page an element stands, as ttcrawl.parse.links.around and .landmarks have it.
#pragma once

#include <cstdint>

#include "sink.hpp"
#include "tags.hpp"

namespace ttcrawl {

struct alignas(std::uint32_t) LinkContext {  // copied as one number
  std::uint8_t landmark = 0;  // index of "-nmhfa"
  bool is_sectioned = false;  // <header> and <footer> belong to a section, not to the page
  std::uint8_t links = 0;     // around the element
  Namespace space = Namespace::HTML;

  static constexpr std::uint8_t DEEPEST = 4;  // links around a link

  char letter() const { return "-nmhfa"[landmark]; }

  /// The context inside an element whose own context this is. `role`: its landmark by its attribute, 0: none.
  LinkContext inside(const Element &element, std::uint8_t role) const {
    static constexpr TagSet TURNING{"a article aside footer header main math nav section svg"};
    if (space == Namespace::HTML && role == 0 && !TURNING.has(element.tag)) return *this;
    LinkContext inner = *this;
    if (element.tag == Tag::SVG || element.tag == Tag::MATH) {
      if (space == Namespace::HTML) inner.space = element.tag == Tag::SVG ? Namespace::SVG : Namespace::MATHML;
    } else if (space == Namespace::HTML) {
      inner.turn(element.tag, role);
    } else if (has_html(element)) {
      inner.space = Namespace::HTML;
    } else if (element.tag == Tag::A) {
      inner.turn(Tag::A, 0);
    }
    return inner;
  }

 private:
  void turn(Tag tag, std::uint8_t role) {
    static constexpr TagSet SECTIONS{"article aside main nav section"};
    const bool of_section = is_sectioned && (tag == Tag::HEADER || tag == Tag::FOOTER);
    const std::uint8_t index = role != 0 || of_section ? role : landmark_of(tag);
    if (index != 0) landmark = index;
    if (SECTIONS.has(tag)) {
      is_sectioned = true;
    } else if (tag == Tag::A && links < DEEPEST) {
      ++links;
    }
  }

  static std::uint8_t landmark_of(Tag tag) {
    switch (tag) {
      case Tag::NAV: return 1;
      case Tag::MAIN:
      case Tag::ARTICLE: return 2;
      case Tag::HEADER: return 3;
      case Tag::FOOTER: return 4;
      case Tag::ASIDE: return 5;
      default: return 0;
    }
  }

  /// Foreign elements that may contain HTML.
  bool has_html(const Element &element) const {
    if (space == Namespace::SVG) {
      return element.name == "foreignobject" || element.name == "desc" || element.name == "title";
    }
    return element.name == "mi" || element.name == "mo" || element.name == "mn" || element.name == "ms" ||
           element.name == "mtext" || element.name == "annotation-xml";
  }
};

}  // namespace ttcrawl
