// The references of a page without queries, as ttcrawl.web.traps.shells compares them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "text.hpp"
#include "text_list.hpp"

namespace ttcrawl {

/// The texts, each up to its first "?" and once, a line each.
inline std::string without_queries(const TextList &texts, std::uint64_t secret) {
  std::unordered_set<std::string_view, SecretHash, std::equal_to<>> known(texts.size(), SecretHash{secret});
  std::string lines;
  for (std::size_t index = 0; index < texts.size(); ++index) {
    const std::string_view text = texts[index].substr(0, texts[index].find('?'));
    if (!known.insert(text).second) continue;
    if (known.size() > 1) lines.push_back('\n');
    lines.append(text);
  }
  return lines;
}

}  // namespace ttcrawl
