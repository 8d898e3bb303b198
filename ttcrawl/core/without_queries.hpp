// The references of a page without queries, as ttcrawl.web.traps.shells compares them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "text_list.hpp"
#include "text_set.hpp"

namespace ttcrawl {

/// The texts, each up to its first "?" and once, a line each.
inline std::string without_queries(const TextList &texts, std::uint64_t secret) {
  TextSet known(secret, texts.size());
  std::string lines;
  for (std::size_t index = 0; index < texts.size(); ++index) {
    const std::string_view text = texts[index].substr(0, texts[index].find('?'));
    if (!known.add(text)) continue;
    lines.append(text).push_back('\n');
  }
  if (!lines.empty()) lines.pop_back();
  return lines;
}

}  // namespace ttcrawl
