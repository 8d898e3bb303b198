// The lines that consist of links, by the texts of the links of the page, as ttcrawl.read.main finds them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "text.hpp"
#include "text_lines.hpp"
#include "text_set.hpp"
#include "unicode.hpp"
#include "white_space.hpp"

namespace ttcrawl {

class LinkLines {
 public:
  LinkLines(const Unicode &unicode, const TextSet &anchors) : unicode_(unicode), anchors_(anchors) {}

  /// `text` has all lines.
  void mark(TextLines &lines, std::string_view text) const {
    const std::vector<std::string_view> signs = signs_of(text);
    for (TextLine &line : lines) {
      line.is_link = anchors_.has(line.text) || (has_one(line.text, signs) && consists_of_links(line));
    }
  }

 private:
  /// A line of links has one of these.
  static constexpr std::string_view SIGNS[] = {"|", "·", "•", "»", "›", "][", "] ["};
  static constexpr std::u32string_view BETWEEN_LINKS = U"]|·•»›[«‹→←>/,:-";
  static constexpr std::size_t LONGEST_MENU = 500;  // characters of a line

  /// The signs that a page has: few, so that its lines are searched for few.
  static std::vector<std::string_view> signs_of(std::string_view text) {
    std::vector<std::string_view> signs;
    for (std::string_view sign : SIGNS) {
      if (text.find(sign) != std::string_view::npos) signs.push_back(sign);
    }
    return signs;
  }

  static bool has_one(std::string_view text, const std::vector<std::string_view> &signs) {
    return std::any_of(signs.begin(), signs.end(),
                       [&](std::string_view sign) { return text.find(sign) != std::string_view::npos; });
  }

  /// Whether a line consists of several links with signs between.
  bool consists_of_links(const TextLine &line) const {
    if (line.length > LONGEST_MENU) return false;
    std::size_t links = 0;
    std::size_t start = 0;  // of the piece between two signs
    for (std::size_t at = 0; at < line.text.size();) {
      const CodePoint code = decode(&line.text[at]);
      if (BETWEEN_LINKS.find(code.value) != std::u32string_view::npos) {
        const std::string_view piece = stripped_at_end(unicode_, piece_from(line.text, start, at));
        if (!piece.empty() && !anchors_.has(piece)) return false;
        links += !piece.empty();
        start = at + code.size;
      }
      at += code.size;
    }
    const std::string_view last = piece_from(line.text, start, line.text.size());
    if (!last.empty() && !anchors_.has(last)) return false;
    return links + !last.empty() > 1;
  }

  /// Without the white space behind a sign.
  std::string_view piece_from(std::string_view line, std::size_t start, std::size_t end) const {
    const std::string_view piece = line.substr(start, end - start);
    return start == 0 ? piece : stripped_at_start(unicode_, piece);
  }

  const Unicode &unicode_;
  const TextSet &anchors_;
};

}  // namespace ttcrawl
