// Texts of a page, each once: a hash table with linear probing.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "text.hpp"

namespace ttcrawl {

/// The texts must live as long as the set.
class TextSet {
 public:
  /// `most`: how many there are at most.
  TextSet(std::uint64_t secret, std::size_t most) : hash_{secret}, slots_(std::bit_ceil(2 * most + 1)) {}

  /// False: it has the text already.
  bool add(std::string_view text) {
    if (text.empty()) return !std::exchange(has_empty_, true);
    std::string_view &slot = slots_[slot_of(text)];
    if (!slot.empty()) return false;
    slot = text;
    longest_ = std::max(longest_, text.size());
    return true;
  }

  bool has(std::string_view text) const {
    if (text.empty()) return has_empty_;
    return text.size() <= longest_ && !slots_[slot_of(text)].empty();
  }

 private:
  /// The slot that has the text, or is free for it.
  std::size_t slot_of(std::string_view text) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t index = hash_(text) & mask;
    while (!slots_[index].empty() && slots_[index] != text) index = (index + 1) & mask;
    return index;
  }

  SecretHash hash_;
  std::vector<std::string_view> slots_;  // twice as many as texts, or more; empty: free
  bool has_empty_ = false;
  std::size_t longest_ = 0;
};

}  // namespace ttcrawl
