// What the running Python knows of each code point: both readers know the same Unicode.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ttcrawl {

/// As ttcrawl.read.fingerprints.words has them; the order counts.
enum class Kind : std::uint8_t { SPACE, NEWLINE, SIGN, LETTER, IDEOGRAPH };

class Unicode {
 public:
  static constexpr char32_t KINDS = 0x40000;  // code points from here on are signs
  static constexpr char32_t CASED = 0x20000;  // ideographs, tags and private code points from here on have no case

  Unicode() : kinds_(KINDS + 1, Kind::SIGN), fold_(CASED) {}

  Kind kind(char32_t code) const { return kinds_[std::min(code, KINDS)]; }
  Kind kind_of_ascii(char byte) const { return kinds_[static_cast<unsigned char>(byte)]; }
  bool is_space(char32_t code) const { return kind(code) <= Kind::NEWLINE; }

  /// The case folding of a code point; empty: it stands for itself.
  std::string_view folded(char32_t code) const {
    return code < CASED ? std::string_view(foldings_[fold_[code]]) : std::string_view();
  }

  void set_kind(char32_t code, Kind kind) { kinds_[code] = kind; }
  void set_folding(char32_t code, std::string folding) {
    fold_[code] = static_cast<std::uint16_t>(foldings_.size());
    foldings_.push_back(std::move(folding));
  }

 private:
  std::vector<Kind> kinds_;
  std::vector<std::uint16_t> fold_;  // indexes of foldings_
  std::vector<std::string> foldings_{""};
};

}  // namespace ttcrawl
