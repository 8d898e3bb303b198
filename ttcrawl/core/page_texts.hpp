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
#include "text_set.hpp"
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

class TextMaker {
 public:
  TextMaker(const Rules &rules, const Unicode &unicode, std::uint64_t secret, const LineReader &page)
      : rules_(rules), unicode_(unicode), secret_(secret), splitter_(unicode), page_(page) {
    for (const LineReader::Line &line : page.lines) {
      const std::string_view text = page.of(line);
      size_ += text.size() + 1;
      lines_.push_back({.text = text, .length = characters(text)});
    }
  }

  PageTexts make(const TextSet &anchors) {
    PageTexts texts;
    texts.text.reserve(size_);
    texts.folded.reserve(rules_.wants_folded ? size_ : 0);
    for (std::size_t index = 0; index < lines_.size(); ++index) {
      add_line(texts.text, lines_[index].text, '\n');
      add_words(index, texts.folded);
    }
    texts.words = splitter_.words();
    if (!rules_.wants_main) return texts;
    LinkLines(unicode_, anchors).mark(lines_, texts.text);
    const MainText main = main_text(lines_, page_.blocks);
    texts.is_all_main = main.lines.size() == lines_.size();
    Words words;
    for (std::size_t index : main.lines) {
      splitter_.append(words, index == 0 ? 0 : ends_[index - 1], ends_[index]);
      if (!texts.is_all_main) add_line(texts.main, lines_[index].text, '\n');
    }
    texts.main_words = words.numbers.size();
    if (rules_.wants_shingles && is_most_of_page(main, lines_)) {
      const std::string_view all = texts.is_all_main ? texts.text : texts.main;
      const std::string_view compared = first_characters(all, rules_.longest);
      if (compared.size() < all.size()) words = split(unicode_, folded(unicode_, compared));
      if (words.numbers.size() >= rules_.fewest_words) texts.shingles = shingles(words, rules_.shingle, secret_);
    }
    return texts;
  }

 private:
  static void add_line(std::string &to, std::string_view line, char separator) {
    if (!to.empty()) to.push_back(separator);
    to.append(line);
  }

  /// Fold a line, and split it; if it is wanted, add it with its white space collapsed to single spaces. A character
  /// and its folding are part of a word, or neither is.
  void add_words(std::size_t index, std::string &folded_page) {
    std::string_view line = lines_[index].text;
    if (rules_.wants_folded || rules_.wants_shingles) {
      folded_.clear();
      append_folded(folded_, unicode_, line);
      line = folded_;
    }
    splitter_.add(line);
    splitter_.end_line();
    ends_.push_back(splitter_.lines());
    if (!rules_.wants_folded) return;
    if (page_.lines[index].is_preformatted) {
      add_line(folded_page, collapsed(unicode_, line), ' ');
    } else {
      add_line(folded_page, line, ' ');
    }
  }

  const Rules &rules_;
  const Unicode &unicode_;
  const std::uint64_t secret_;
  WordSplitter splitter_;
  const LineReader &page_;
  TextLines lines_;
  std::vector<std::size_t> ends_;  // of each line: behind its last line in `splitter_`, which has those in it, too
  std::string folded_;
  std::size_t size_ = 0;  // of all lines
};

}  // namespace ttcrawl
