// The lines of a page while its main text is chosen: what each is, and the sums of their characters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "block.hpp"

namespace ttcrawl {

struct TextLine {
  std::string_view text;
  std::size_t length;       // characters
  bool is_link = false;     // it consists of links
  bool is_heading = false;
  bool is_aside = false;    // it is inside an element that may be beside the main text
};

using TextLines = std::vector<TextLine>;
using Indexes = std::vector<std::size_t>;   // of lines
using Flags = std::vector<std::uint8_t>;    // 0 or 1 for each line

inline void set_flags(Flags &flags, const Block &block) {
  std::fill(flags.begin() + static_cast<std::ptrdiff_t>(block.start),
            flags.begin() + static_cast<std::ptrdiff_t>(block.end), std::uint8_t{1});
}

/// The characters of some lines, for each block in constant time.
class Sums {
 public:
  /// `counts`: whether a line counts, by its index.
  template <class Counts>
  Sums(const TextLines &lines, Counts counts) : before_{0} {
    before_.reserve(lines.size() + 1);
    for (std::size_t index = 0; index < lines.size(); ++index) {
      before_.push_back(before_.back() + (counts(index) ? lines[index].length : 0));
    }
  }

  std::size_t between(std::size_t start, std::size_t end) const { return before_[end] - before_[start]; }
  std::size_t of(const Block &block) const { return between(block.start, block.end); }
  std::size_t total() const { return before_.back(); }

 private:
  std::vector<std::size_t> before_;  // each line
};

/// Whether one number of characters is more than a fraction of another.
inline bool is_more(std::size_t size, double fraction, std::size_t of) {
  return static_cast<double>(size) > fraction * static_cast<double>(of);
}

inline std::size_t length_of(const Indexes &indexes, const TextLines &lines) {
  std::size_t length = 0;
  for (std::size_t index : indexes) length += lines[index].length;
  return length;
}

}  // namespace ttcrawl
