// The function words of a text by language, as ttcrawl.read.language counts them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text.hpp"
#include "unicode.hpp"
#include "white_space.hpp"

namespace ttcrawl {

/// Call `use` for each run of characters without white space, as str.split.
template <class Use>
void for_each_word(const Unicode &unicode, std::string_view text, Use use) {
  std::size_t start = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (byte_kind(text[at]) == ByteKind::PLAIN) {
      ++at;
      continue;
    }
    const std::size_t space = space_size(unicode, text.substr(at));
    if (space > 0) {
      if (at > start) use(text.substr(start, at - start));
      start = at + space;
    }
    at += std::max<std::size_t>(space, 1);
  }
  if (start < text.size()) use(text.substr(start));
}

/// Words by numbers in the order in which they came: a hash table with linear probing, small enough for the processor's
/// cache. Most words of a text are not in it, and found missing by the hash in one slot.
class WordTable {
 public:
  static constexpr std::uint32_t NONE = 0xFFFFFFFF;

  std::uint32_t add(std::string_view word) {
    const std::uint32_t known = find(word);
    if (known != NONE) return known;
    words_.emplace_back(word);
    if (2 * words_.size() > slots_.size()) grow();
    const auto number = static_cast<std::uint32_t>(words_.size() - 1);
    insert(number);
    return number;
  }

  /// NONE: it is not one of them.
  std::uint32_t find(std::string_view word) const {
    if (slots_.empty()) return NONE;
    const std::uint64_t hash = TextHash{}(word);
    for (std::size_t index = hash & (slots_.size() - 1);; index = (index + 1) & (slots_.size() - 1)) {
      const Slot &slot = slots_[index];
      if (slot.number == NONE || (slot.hash == hash >> 32 && words_[slot.number] == word)) return slot.number;
    }
  }

  std::size_t size() const { return words_.size(); }

 private:
  struct Slot {
    std::uint32_t hash = 0;  // its upper half
    std::uint32_t number = NONE;
  };

  void grow() {
    slots_.assign(std::bit_ceil(4 * words_.size()), Slot());
    for (std::uint32_t number = 0; number + 1 < words_.size(); ++number) insert(number);
  }

  void insert(std::uint32_t number) {
    const std::uint64_t hash = TextHash{}(words_[number]);
    std::size_t index = hash & (slots_.size() - 1);
    while (slots_[index].number != NONE) index = (index + 1) & (slots_.size() - 1);
    slots_[index] = {static_cast<std::uint32_t>(hash >> 32), number};
  }

  std::vector<Slot> slots_;  // twice as many as words, or more; a power of two
  std::vector<std::string> words_;
};

/// The lines with `spaces` or more, joined by a space, at most `most` characters; empty if these are not more than
/// `fewest`.
inline std::string long_lines(std::string_view text, std::size_t spaces, std::size_t most, std::size_t fewest) {
  constexpr std::size_t LARGEST = 4;  // bytes of a character
  std::string lines;
  while (!text.empty() && lines.size() < LARGEST * most) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (static_cast<std::size_t>(std::count(line.begin(), line.end(), ' ')) < spaces) continue;
    if (!lines.empty()) lines.push_back(' ');
    lines.append(line);
  }
  const std::string_view cut = first_characters(lines, most);
  return std::string(first_characters(cut, fewest).size() == cut.size() ? std::string_view() : cut);
}

/// The language with the most function words, their number, the number for the next language, the number of distinct
/// words, and the number of all words of the text.
struct Most {
  std::string language;
  std::size_t count = 0;
  std::size_t second = 0;
  std::size_t distinct = 0;
  std::size_t words = 0;
};

class FunctionWords {
 public:
  /// A word that is listed twice for a language counts twice.
  void add(std::string_view word, std::string_view language) {
    const std::uint32_t number = words_.add(word);
    languages_of_.resize(words_.size());
    languages_of_[number].push_back(language_number(language));
  }

  /// `folded`: a text without upper case; `languages`: two or more, which are compared; `nearest`: the one that is
  /// taken from those with the same number of words, else it is the last by its name.
  Most most(const Unicode &unicode, std::string_view folded, const std::vector<std::string_view> &languages,
            std::string_view nearest) const {
    const Counts counts = counted(unicode, folded);
    Most most;
    most.words = counts.words;
    for (const std::string_view language : languages) {
      const auto known = languages_.find(language);
      const std::size_t count = known == languages_.end() ? 0 : counts.occurrences[known->second];
      most.second = std::max(most.second, std::min(most.count, count));
      const bool first = count > most.count;
      const bool tied = count == most.count && most.language != nearest;
      if (count > 0 && (first || (tied && (language == nearest || language > most.language)))) most.language = language;
      most.count = std::max(most.count, count);
    }
    if (most.count > 0) most.distinct = counts.distinct[languages_.find(most.language)->second];
    return most;
  }

 private:
  using Numbers = std::unordered_map<std::string, std::size_t, TextHash, std::equal_to<>>;

  struct Counts {
    std::size_t words = 0;
    std::vector<std::size_t> occurrences;  // by language
    std::vector<std::size_t> distinct;
  };

  std::size_t language_number(std::string_view language) {
    return languages_.try_emplace(std::string(language), languages_.size()).first->second;
  }

  Counts counted(const Unicode &unicode, std::string_view folded) const {
    Counts counts;
    std::vector<std::uint32_t> listed_words;  // few of all words of a text
    for_each_word(unicode, folded, [&](std::string_view word) {
      ++counts.words;
      const std::uint32_t number = words_.find(word);
      if (number != WordTable::NONE) listed_words.push_back(number);
    });
    std::sort(listed_words.begin(), listed_words.end());
    counts.occurrences.resize(languages_.size());
    counts.distinct.resize(languages_.size());
    for (auto word = listed_words.begin(); word != listed_words.end();) {
      const auto next = std::upper_bound(word, listed_words.end(), *word);
      const std::vector<std::size_t> &listed = languages_of_[*word];
      for (std::size_t index = 0; index < listed.size(); ++index) {
        counts.occurrences[listed[index]] += static_cast<std::size_t>(next - word);
        const auto before = listed.begin() + static_cast<std::ptrdiff_t>(index);
        if (std::find(listed.begin(), before, listed[index]) == before) ++counts.distinct[listed[index]];
      }
      word = next;
    }
    return counts;
  }

  WordTable words_;
  std::vector<std::vector<std::size_t>> languages_of_;  // each word
  Numbers languages_;                                  // name -> number
};

}  // namespace ttcrawl
