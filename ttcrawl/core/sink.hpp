// Who hears what a page consists of: elements, texts and comments in the order of its tree.
#pragma once

#include <cstdint>
#include <string_view>

#include "attribute_list.hpp"
#include "tags.hpp"

namespace ttcrawl {

enum class Namespace : std::uint8_t { HTML, SVG, MATHML };

struct Element {
  Namespace space;
  Tag tag;                // by the name, in any namespace
  std::string_view name;  // in lower case, also where the tree has foreignObject
  const Attributes &attributes;
};

/// Texts are what Attribute and Element have too: they last as long as the page is read. A concept, not a base class:
/// what hears a page is called for each tag and each text.
template <class Type>
concept Sink = requires(Type sink, const Element &element, std::string_view piece) {
  sink.open(element);
  sink.close();      // the innermost open element ends; void elements have an end too
  sink.text(piece);  // the next piece may belong to the same text
  sink.comment();
  sink.processing_instruction();
};

}  // namespace ttcrawl
