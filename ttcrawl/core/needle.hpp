// A text that whole pages are searched for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ttcrawl {

/// Horspool, Practical fast searching in strings, 1980. std::string_view::find stops at each first letter: in pages,
/// that of " hidden" is every seventh character.
class Needle {
 public:
  consteval explicit Needle(std::string_view text) : text_(text) {
    steps_.fill(static_cast<std::uint8_t>(text.size()));
    for (std::size_t index = 0; index + 1 < text.size(); ++index) {
      steps_[static_cast<unsigned char>(text[index])] = static_cast<std::uint8_t>(text.size() - 1 - index);
    }
  }

  /// Where it is first at or behind `from`; npos: nowhere.
  std::size_t find(std::string_view page, std::size_t from = 0) const {
    const std::size_t last = text_.size() - 1;
    for (std::size_t at = from + last; at < page.size(); at += steps_[static_cast<unsigned char>(page[at])]) {
      if (page[at] == text_[last] && page.substr(at - last, text_.size()) == text_) return at - last;
    }
    return std::string_view::npos;
  }

  bool is_in(std::string_view page) const { return find(page) != std::string_view::npos; }

  std::size_t size() const { return text_.size(); }

 private:
  std::string_view text_;
  std::array<std::uint8_t, 256> steps_{};
};

}  // namespace ttcrawl
