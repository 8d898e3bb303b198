// The texts of a page, and what is compared of them, as ttcrawl.read.texts makes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "casefold.hpp"
#include "line_reader.hpp"
#include "link_lines.hpp"
#include "main_text.hpp"
#include "rules.hpp"
#include "shingles.hpp"
#include "text_lines.hpp"
#include "unicode.hpp"
#include "utf8.hpp"
#include "white_space.hpp"
#include "words.hpp"

namespace ttcrawl {

struct PageTexts {
  std::string text;  // one line for each block
  std::string main;
  bool is_all_main = false;  // then `main` is empty
  std::size_t words = 0;
  std::size_t main_words = 0;
  std::string folded;  // the text without upper case, in one line
  std::vector<std::uint32_t> shingles;
};

/// The number of words: white space separates them, and each ideograph is one.
inline std::size_t word_count(const Unicode &unicode, std::string_view text) {
  std::size_t words = 0;
  bool in_word = false;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint code = decode(&text[at]);
    const Kind kind = unicode.kind(code.value);
    const bool is_letter = kind == Kind::SIGN || kind == Kind::LETTER;
    words += kind == Kind::IDEOGRAPH || (is_letter && !in_word);
    in_word = is_letter;
    at += code.size;
  }
  return words;
}

class TextMaker {
 public:
  TextMaker(const Rules &rules, const Unicode &unicode, std::uint64_t secret, const LineReader &page)
      : rules_(rules), unicode_(unicode), secret_(secret), page_(page) {
    for (const LineReader::Line &line : page.lines) {
      const std::string_view text = page.of(line);
      lines_.push_back({.text = text, .length = characters(text)});
    }
  }

  PageTexts make(const AnchorTexts &anchors) {
    PageTexts texts;
    std::vector<std::size_t> words;
    for (const TextLine &line : lines_) {
      words.push_back(word_count(unicode_, line.text));
      texts.words += words.back();
      add_line(texts.text, line.text);
    }
    if (rules_.wants_folded) texts.folded = folded_in_one_line(texts.text.size());
    if (!rules_.wants_main) return texts;
    LinkLines(unicode_, anchors).mark(lines_, texts.text);
    const MainText main = main_text(lines_, page_.blocks);
    texts.is_all_main = main.lines.size() == lines_.size();
    for (std::size_t index : main.lines) {
      texts.main_words += words[index];
      if (!texts.is_all_main) add_line(texts.main, lines_[index].text);
    }
    if (rules_.wants_shingles && is_most_of_page(main, lines_)) {
      texts.shingles = shingles_of(texts.is_all_main ? texts.text : texts.main);
    }
    return texts;
  }

 private:
  static void add_line(std::string &to, std::string_view line) {
    if (!to.empty()) to.push_back('\n');
    to.append(line);
  }

  /// All lines without upper case, with white space collapsed to single spaces.
  std::string folded_in_one_line(std::size_t size) const {
    std::string text;
    text.reserve(size);
    for (const LineReader::Line &line : page_.lines) {
      if (!text.empty()) text.push_back(' ');
      if (line.is_preformatted) {
        append_folded(text, unicode_, collapsed(unicode_, page_.of(line)));
      } else {
        append_folded(text, unicode_, page_.of(line));
      }
    }
    return text;
  }

  std::vector<std::uint32_t> shingles_of(std::string_view main) const {
    const Words words = split(unicode_, folded(unicode_, first_characters(main, rules_.longest)));
    if (words.numbers.size() < rules_.fewest_words) return {};
    return shingles(words, rules_.shingle, secret_);
  }

  const Rules &rules_;
  const Unicode &unicode_;
  const std::uint64_t secret_;
  const LineReader &page_;
  TextLines lines_;
};

}  // namespace ttcrawl
