// Marks of content regions (ttcrawl.read.regions), which the Python reader takes out of all texts.
#pragma once

#include <string_view>

#include "needle.hpp"

namespace ttcrawl {

/// Whether a text of a page has the name of the mark, in any letter case and with anything around.
inline bool has_region_mark(std::string_view text) {
  static constexpr Needle MARK("data-ttcrawl-content");
  return MARK.is_in(text);
}

}  // namespace ttcrawl
