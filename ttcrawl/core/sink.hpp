// Who hears what a page consists of: elements, texts and comments in the order of its tree.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tags.hpp"

namespace ttcrawl {

enum class Namespace : std::uint8_t { HTML, SVG, MATHML };

struct Attribute {
  std::string_view name;  // in lower case, also where the tree has viewBox
  std::string_view value;
  std::uint64_t number;  // of the name: see names.hpp
};
using Attributes = std::vector<Attribute>;

struct Element {
  Namespace space;
  Tag tag;                // by the name, in any namespace
  std::string_view name;  // in lower case, also where the tree has foreignObject
  const Attributes &attributes;
};

/// Texts are what Attribute and Element have too: they last as long as the page is read.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void open(const Element &element) = 0;
  /// The end of the innermost open element; void elements have one too.
  virtual void close() = 0;
  /// A piece of a text: the next piece may belong to the same text.
  virtual void text(std::string_view piece) = 0;
  virtual void comment() = 0;
  virtual void processing_instruction() = 0;
};

}  // namespace ttcrawl
