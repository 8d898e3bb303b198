// The words of a text as numbers, as ttcrawl.read.fingerprints.words has them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text.hpp"
#include "unicode.hpp"

namespace ttcrawl {

/// The words of a text in their order, and the indexes where its lines start.
struct Words {
  std::vector<std::uint64_t> numbers;
  std::vector<std::uint32_t> lines;  // ascending, and each line has at least one word
};

/// Make each bit depend on all others: the finalizer of MurmurHash3 (fmix64).
inline std::uint64_t mixed(std::uint64_t number) {
  number ^= number >> 33;
  number *= 0xFF51AFD7ED558CCD;
  number ^= number >> 33;
  number *= 0xC4CEB9FE1A85EC53;
  return number ^ number >> 33;
}

/// The number of a word: a polynomial in its code points modulo 2^64 (Karp and Rabin 1987), mixed.
class WordNumber {
 public:
  static constexpr std::size_t SHORT = 24;  // code points

  WordNumber() = default;
  /// Of up to SHORT code points: the sum of `term` of each.
  WordNumber(std::uint64_t sum, std::size_t length) : sum_(sum), length_(length) {}

  static std::uint64_t term(char32_t code, std::size_t index) { return code * POWERS[index]; }

  bool is_empty() const { return length_ == 0; }
  std::uint64_t value() const { return mixed(sum_); }

  void add(char32_t code) {
    if (length_ < SHORT) {  // nearly always: then no multiplication waits for the one before
      sum_ += term(code, length_);
    } else if (length_ < LONGEST) {
      power_ *= BASE;
      sum_ += code * power_;
    }
    ++length_;
  }

 private:
  static constexpr std::uint64_t BASE = 0x9E3779B97F4A7C15;
  static constexpr std::size_t LONGEST = (1 << 14) - 1;  // code points; the rest of a longer word is ignored
  static constexpr std::array<std::uint64_t, SHORT> POWERS = [] {
    std::array<std::uint64_t, SHORT> powers{1};
    for (std::size_t index = 1; index < powers.size(); ++index) powers[index] = powers[index - 1] * BASE;
    return powers;
  }();

  std::uint64_t sum_ = 0;
  std::uint64_t power_ = POWERS.back();  // of the last code point of a longer word
  std::size_t length_ = 0;
};

inline bool is_in_word(Kind kind) { return kind == Kind::SIGN || kind == Kind::LETTER; }

/// White space separates words, and each ideograph is one.
class WordSplitter {
 public:
  struct Line {
    std::uint32_t first;  // the index of its first word
    bool has_letters;
  };

  explicit WordSplitter(const Unicode &unicode) : unicode_(unicode) {}

  /// A text of one line or several.
  void add(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      if (word_.is_empty()) at = add_ascii_words(text, at);
      if (at == text.size()) break;
      const CodePoint code = decode(&text[at]);
      add(code.value, unicode_.kind(code.value));
      at += code.size;
    }
  }

  void end_line() {
    end_word();
    lines_.push_back({first_, has_letters_});
    first_ = static_cast<std::uint32_t>(numbers_.size());
    has_letters_ = false;
  }

  std::size_t words() const { return numbers_.size(); }
  std::size_t lines() const { return lines_.size(); }

  /// Append lines. One without a letter continues the previous one.
  void append(Words &to, std::size_t from_line, std::size_t to_line) const {
    for (std::size_t index = from_line; index < to_line; ++index) {
      const std::size_t first = lines_[index].first;
      const std::size_t end = index + 1 < lines_.size() ? lines_[index + 1].first : numbers_.size();
      if (first == end) continue;
      if (lines_[index].has_letters || to.lines.empty()) {
        to.lines.push_back(static_cast<std::uint32_t>(to.numbers.size()));
      }
      to.numbers.insert(to.numbers.end(), &numbers_[first], &numbers_[first] + (end - first));
    }
  }

 private:
  /// Short words of ASCII and the spaces between, in registers; `word_` gets the last one, which may continue.
  std::size_t add_ascii_words(std::string_view text, std::size_t at) {
    for (;;) {
      const std::size_t start = at;
      const std::size_t longest = std::min(text.size() - start, WordNumber::SHORT);
      std::uint64_t sum = 0;
      Kind kind = Kind::SIGN;
      Kind most = Kind::SIGN;
      for (std::size_t index = 0; index < longest && is_ascii(text[at]); ++index) {
        kind = unicode_.kind_of_ascii(text[at]);
        if (!is_in_word(kind)) break;
        sum += WordNumber::term(static_cast<char32_t>(text[at++]), index);
        most = std::max(most, kind);
      }
      has_letters_ |= most == Kind::LETTER;
      if (kind != Kind::SPACE) {
        word_ = WordNumber(sum, at - start);
        return at;
      }
      if (at > start) numbers_.push_back(mixed(sum));
      ++at;
    }
  }

  void add(char32_t code, Kind kind) {
    if (is_in_word(kind)) {
      word_.add(code);
    } else {
      end_word();
    }
    if (kind == Kind::IDEOGRAPH) {
      word_.add(code);
      end_word();
    }
    has_letters_ |= kind >= Kind::LETTER;
    if (kind == Kind::NEWLINE) end_line();
  }

  void end_word() {
    if (word_.is_empty()) return;
    numbers_.push_back(word_.value());
    word_ = WordNumber();
  }

  const Unicode &unicode_;
  std::vector<std::uint64_t> numbers_;
  std::vector<Line> lines_;
  WordNumber word_;
  std::uint32_t first_ = 0;  // the index of the line's first word
  bool has_letters_ = false;
};

inline Words split(const Unicode &unicode, std::string_view text) {
  WordSplitter splitter(unicode);
  splitter.add(text);
  splitter.end_line();
  Words words;
  splitter.append(words, 0, splitter.lines());
  return words;
}

}  // namespace ttcrawl
