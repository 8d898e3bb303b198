// The words of a text as numbers, as ttcrawl.read.fingerprints.words has them.
#pragma once

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
  bool is_empty() const { return length_ == 0; }
  std::uint64_t value() const { return mixed(sum_); }

  void add(char32_t code) {
    if (length_ < POWERS.size()) {  // nearly always: then no multiplication waits for the one before
      sum_ += code * POWERS[length_];
    } else if (length_ < LONGEST) {
      power_ *= BASE;
      sum_ += code * power_;
    }
    ++length_;
  }

 private:
  static constexpr std::uint64_t BASE = 0x9E3779B97F4A7C15;
  static constexpr std::size_t LONGEST = (1 << 14) - 1;  // code points; the rest of a longer word is ignored
  static constexpr std::array<std::uint64_t, 24> POWERS = [] {
    std::array<std::uint64_t, 24> powers{1};
    for (std::size_t index = 1; index < powers.size(); ++index) powers[index] = powers[index - 1] * BASE;
    return powers;
  }();

  std::uint64_t sum_ = 0;
  std::uint64_t power_ = POWERS.back();  // of the last code point of a longer word
  std::size_t length_ = 0;
};

/// White space separates words, and each ideograph is one. A line without a letter continues the previous one.
class WordSplitter {
 public:
  void add(char32_t code, Kind kind) {
    if (kind == Kind::SIGN || kind == Kind::LETTER) {
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

  Words end() {
    end_word();
    end_line();
    auto &[numbers, lines] = words_;
    if (!numbers.empty() && (lines.empty() || lines.front() != 0)) lines.insert(lines.begin(), 0);
    return std::move(words_);
  }

 private:
  void end_word() {
    if (word_.is_empty()) return;
    words_.numbers.push_back(word_.value());
    word_ = WordNumber();
  }

  void end_line() {
    if (has_letters_) words_.lines.push_back(first_);
    first_ = static_cast<std::uint32_t>(words_.numbers.size());
    has_letters_ = false;
  }

  Words words_;
  WordNumber word_;
  std::uint32_t first_ = 0;  // the index of the line's first word
  bool has_letters_ = false;
};

inline Words split(const Unicode &unicode, std::string_view text) {
  WordSplitter splitter;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint code = decode(&text[at]);
    splitter.add(code.value, unicode.kind(code.value));
    at += code.size;
  }
  return splitter.end();
}

}  // namespace ttcrawl
