// Short texts that long ones are searched for.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ascii.hpp"

namespace ttcrawl {

/// Horspool, Practical fast searching in strings, 1980, in any ASCII case, by pairs of bytes: text and pages are
/// written in the same few letters, but hardly any pair of a page is in the text.
class Needle {
 public:
  /// `text` is in lower case.
  consteval explicit Needle(std::string_view text) : text_(text) {
    steps_.fill(static_cast<std::uint8_t>(text.size() - 1));
    for (std::size_t index = 1; index < text.size(); ++index) {
      steps_[pair(text[index - 1], text[index])] = static_cast<std::uint8_t>(text.size() - 1 - index);
    }
  }

  bool is_in(std::string_view page) const {
    for (std::size_t last = text_.size() - 1; last < page.size();) {
      const std::size_t step = steps_[pair(page[last - 1], page[last])];
      if (step == 0 && equals_ignoring_case(page.substr(last + 1 - text_.size(), text_.size()), text_)) return true;
      last += std::max<std::size_t>(step, 1);
    }
    return false;
  }

 private:
  static constexpr std::size_t BITS = 5;  // of a byte, which are those of a letter in any case

  static constexpr std::size_t pair(char first, char second) {
    constexpr unsigned MASK = (1 << BITS) - 1;
    return (static_cast<unsigned char>(first) & MASK) << BITS | (static_cast<unsigned char>(second) & MASK);
  }

  std::string_view text_;
  std::array<std::uint8_t, std::size_t{1} << 2 * BITS> steps_{};  // how far the end of the text may be behind a pair
};

}  // namespace ttcrawl
