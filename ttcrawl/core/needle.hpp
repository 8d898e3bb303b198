// Texts that whole pages are searched for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ascii.hpp"

namespace ttcrawl {

/// Horspool, Practical fast searching in strings, 1980, in any ASCII case. std::string_view::find would stop at each
/// first letter.
class Needle {
 public:
  /// `text` is in lower case.
  consteval explicit Needle(std::string_view text) : text_(text) {
    steps_.fill(static_cast<std::uint8_t>(text.size()));
    for (std::size_t index = 0; index + 1 < text.size(); ++index) {
      const auto step = static_cast<std::uint8_t>(text.size() - 1 - index);
      steps_[static_cast<unsigned char>(text[index])] = step;
      if (is_alpha(text[index])) steps_[static_cast<unsigned char>(text[index] - 'a' + 'A')] = step;
    }
  }

  bool is_in(std::string_view page) const {
    const std::size_t last = text_.size() - 1;
    for (std::size_t at = last; at < page.size(); at += steps_[static_cast<unsigned char>(page[at])]) {
      if (to_lower(page[at]) == text_[last] && equals_ignoring_case(page.substr(at - last, text_.size()), text_)) {
        return true;
      }
    }
    return false;
  }

 private:
  std::string_view text_;
  std::array<std::uint8_t, 256> steps_{};
};

/// The index of the first "<f" in any case at or behind `from`; npos: nowhere. Blocks, because compilers compare these
/// by vector instructions: of 32 KB, this takes a third of the time in which std::string_view::find passes all tags.
inline std::size_t find_f_tag(std::string_view page, std::size_t from = 0) {
  constexpr std::size_t BLOCK = 64;
  const auto is_at = [](const char *at) {
    return static_cast<unsigned char>((at[0] == '<') & (static_cast<char>(at[1] | 0x20) == 'f'));
  };
  std::size_t at = from;
  for (unsigned char any = 0; at + BLOCK < page.size(); at += BLOCK) {
    for (std::size_t index = 0; index < BLOCK; ++index) any |= is_at(&page[at + index]);
    if (any != 0) break;
  }
  for (; at + 1 < page.size(); ++at) {
    if (is_at(&page[at]) != 0) return at;
  }
  return std::string_view::npos;
}

}  // namespace ttcrawl
