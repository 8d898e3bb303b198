// The function words of a text by language, as ttcrawl.read.language counts them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text.hpp"
#include "unicode.hpp"

namespace ttcrawl {

/// Call `use` for each run of characters without white space, as str.split.
template <class Use>
void for_each_word(const Unicode &unicode, std::string_view text, Use use) {
  std::size_t start = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint code = decode(&text[at]);
    if (unicode.is_space(code.value)) {
      if (at > start) use(text.substr(start, at - start));
      start = at + code.size;
    }
    at += code.size;
  }
  if (start < text.size()) use(text.substr(start));
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
    auto &listed = numbers_.try_emplace(std::string(word), words_.size()).first->second;
    if (listed == words_.size()) words_.emplace_back();
    words_[listed].push_back(language_number(language));
  }

  /// `folded`: a text without upper case; `languages`: two or more, which are compared; `nearest`: the one that is taken
  /// from those with the same number of words, else it is the last by its name.
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
    std::vector<std::size_t> occurrences(words_.size());
    for_each_word(unicode, folded, [&](std::string_view word) {
      ++counts.words;
      const auto known = numbers_.find(word);
      if (known != numbers_.end()) ++occurrences[known->second];
    });
    counts.occurrences.resize(languages_.size());
    counts.distinct.resize(languages_.size());
    for (std::size_t word = 0; word < words_.size(); ++word) {
      if (occurrences[word] == 0) continue;
      const std::vector<std::size_t> &listed = words_[word];
      for (std::size_t index = 0; index < listed.size(); ++index) {
        counts.occurrences[listed[index]] += occurrences[word];
        const auto before = listed.begin() + static_cast<std::ptrdiff_t>(index);
        if (std::find(listed.begin(), before, listed[index]) == before) ++counts.distinct[listed[index]];
      }
    }
    return counts;
  }

  Numbers numbers_;                             // word -> index of words_
  std::vector<std::vector<std::size_t>> words_;  // the languages of each word
  Numbers languages_;                           // name -> number
};

}  // namespace ttcrawl
