// What an element is for the main text by its class and id: ttcrawl.read.landmarks, which has the names.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ascii.hpp"
#include "block.hpp"
#include "text.hpp"

namespace ttcrawl {

class BlockNames {
 public:
  static constexpr std::size_t LONGEST = 200;  // characters of class and id that are read

  /// `sets`: the letters of the sets that a name is in, of ttcrawl.read.landmarks.NAMES.
  void add(std::string_view name, std::string_view sets) {
    for (const char letter : sets) names_[std::string(name)].add(letter);
  }

  /// The kind by names with spaces between. None: Python is needed for some of their characters, or for the number.
  std::optional<BlockKind> kind(std::string_view names) {
    if (names.size() > LONGEST || !std::all_of(names.begin(), names.end(), is_plain)) return std::nullopt;
    for (std::string_view token = take(names); !token.empty(); token = take(names)) {
      if (const BlockKind kind = kind_of(token); kind != BlockKind::NONE) return kind;
    }
    return BlockKind::NONE;
  }

  /// Whether a list of names has this one.
  static bool has(std::string_view names, std::string_view name) {
    for (std::string_view token = take(names); !token.empty(); token = take(names)) {
      if (token == name) return true;
    }
    return false;
  }

 private:
  static constexpr std::string_view SPACE = " \t\n\v\f\r";
  static constexpr std::string_view AT_END = "comment";  // no name of an aside alone

  static bool is_plain(char letter) {
    return is_ascii(letter) && (letter >= ' ' || SPACE.find(letter) != SPACE.npos);
  }

  /// The first name; "": there is none.
  static std::string_view take(std::string_view &names) {
    names.remove_prefix(std::min(names.find_first_not_of(SPACE), names.size()));
    const std::string_view token = names.substr(0, names.find_first_of(SPACE));
    names.remove_prefix(token.size());
    return token;
  }

  class Sets {
   public:
    void add(char letter) { bits_ |= bit(letter); }
    void add(Sets others) { bits_ |= others.bits_; }
    bool has(char letter) const { return (bits_ & bit(letter)) != 0; }

   private:
    static std::uint64_t bit(char letter) { return std::uint64_t{1} << (letter - 'A'); }
    std::uint64_t bits_ = 0;
  };

  Sets sets_of(std::string_view name) const {
    const auto known = names_.find(name);
    return known == names_.end() ? Sets() : known->second;
  }

  BlockKind kind_of(std::string_view token) {
    split(token);
    const std::string_view name = joined_;
    const Sets sets = sets_of(name);
    for (const auto &[letter, kind] : {std::pair{'A', BlockKind::ASIDE}, {'E', BlockKind::HEADER_BY_NAME},
                                      {'T', BlockKind::TITLE}}) {
      if (sets.has(letter)) return kind;
    }
    const bool is_body = sets.has('b');
    const bool is_main = sets.has('n');
    if (name != AT_END) {
      if (const BlockKind kind = aside(token); kind != BlockKind::NONE) return kind;
    }
    return is_body ? BlockKind::BODY : is_main ? BlockKind::BY_NAME : BlockKind::NONE;
  }

  /// Its words are in `joined_`.
  BlockKind aside(std::string_view token) {
    for (std::size_t index = 0; index < ends_.size(); ++index) {
      if (sets_of(words(index, index + 1)).has('w')) return BlockKind::NONE;
    }
    Sets candidates;
    if (token.find("--") != token.npos || token.find("__") != token.npos) {
      const std::string_view name = token.substr(0, token.find("--"));
      split(name);
      add_candidates(candidates);
      split(name.substr(0, name.find("__")));
    }
    add_candidates(candidates);
    for (const BlockKind kind : {BlockKind::COMMENT, BlockKind::ASIDE, BlockKind::BOX}) {
      if (candidates.has(static_cast<char>(kind))) return kind;
    }
    return BlockKind::NONE;
  }

  /// What may be the name of an aside among the words.
  void add_candidates(Sets &candidates) const {
    const std::size_t count = ends_.size();
    std::size_t end = count;
    while (end > 1 && (is_digit(words(end - 1, end)[0]) || sets_of(words(end - 1, end)).has('p'))) --end;
    if (end == 0) return;
    const std::string_view last = words(end - 1, end);
    candidates.add(sets_of(words(0, count)));
    candidates.add(sets_of(words(0, end)));
    candidates.add(sets_of(words(end < 2 ? 0 : end - 2, end)));
    candidates.add(sets_of(last));
    if (last.ends_with("footer")) candidates.add(sets_of("footer"));
  }

  /// The words of a name in lower case: "siteHeader-2" has three.
  void split(std::string_view name) {
    joined_.clear();
    ends_.clear();
    const auto is_lower = [](char letter) { return letter >= 'a' && letter <= 'z'; };
    for (std::size_t at = 0; at < name.size();) {
      const std::size_t start = at;
      if (!is_alphanumeric(name[at])) {
        ++at;
        continue;
      }
      if (is_digit(name[at])) {
        while (at < name.size() && is_digit(name[at])) ++at;
      } else {
        ++at;
        while (at < name.size() && is_lower(name[at])) ++at;
      }
      for (const char letter : name.substr(start, at - start)) joined_.push_back(to_lower(letter));
      ends_.push_back(joined_.size());
    }
  }

  /// The words from one index to another, without anything between.
  std::string_view words(std::size_t first, std::size_t last) const {
    const std::size_t start = first == 0 ? 0 : ends_[first - 1];
    return std::string_view(joined_).substr(start, ends_[last - 1] - start);
  }

  std::unordered_map<std::string, Sets, TextHash, std::equal_to<>> names_;
  std::string joined_;  // the words that were split last
  std::vector<std::size_t> ends_;
};

}  // namespace ttcrawl
