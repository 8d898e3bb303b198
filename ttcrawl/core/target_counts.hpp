// How often each URL is linked to, inside the content regions of pages and elsewhere.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace ttcrawl {

/// A hash table with open addressing: a crawl has millions of keys, and most of them are linked to many times.
class TargetCounts {
 public:
  /// Where a link stands. Others do not count.
  static constexpr char CONTENT = 1;
  static constexpr char ELSEWHERE = 2;

  struct Entry {
    std::int64_t key = 0;
    std::uint32_t content = 0;
    std::uint32_t elsewhere = 0;

    bool empty() const { return content == 0 && elsewhere == 0; }
  };

  struct Distinct {
    std::size_t content = 0;
    std::size_t elsewhere = 0;
    std::size_t all = 0;
  };

  /// `secret`: odd and random, so that no site can choose URLs that collide (Dietzfelbinger et al. 1997).
  explicit TargetCounts(std::uint64_t secret) : secret_(secret), entries_(std::size_t{1} << bits_) {}

  /// Count the links of a page. `targets`: their keys as a JSON array without white space; `positions`: where each
  /// stands. False: they are not as many keys as positions, and none is counted.
  bool add(std::string_view targets, std::string_view positions) {
    if (!read(targets) || keys_.size() != positions.size()) return false;
    for (std::size_t index = 0; index < positions.size(); ++index) {
      if (positions[index] == CONTENT) ++entry(keys_[index]).content;
      if (positions[index] == ELSEWHERE) ++entry(keys_[index]).elsewhere;
    }
    return true;
  }

  Distinct distinct() const {
    Distinct numbers;
    for (const Entry &each : entries_) {
      numbers.content += each.content > 0 ? 1 : 0;
      numbers.elsewhere += each.elsewhere > 0 ? 1 : 0;
    }
    numbers.all = used_;
    return numbers;
  }

  const Entry &of(std::int64_t key) const { return entries_[index_of(key)]; }

 private:
  /// Whether these are keys, which are then in `keys_`. The least integer of 64 bits is none: it has no absolute value.
  bool read(std::string_view targets) {
    keys_.clear();
    if (targets == "[]") return true;
    const char *next = targets.data();
    const char *const end = next + targets.size();
    for (char before = '['; next != end && *next == before; before = ',') {
      std::int64_t key = 0;
      const auto [after, error] = std::from_chars(next + 1, end, key);
      if (error != std::errc() || key == std::numeric_limits<std::int64_t>::min()) return false;
      keys_.push_back(key);
      next = after;
    }
    return !keys_.empty() && end - next == 1 && *next == ']';
  }

  /// The entry of a key, which the caller counts.
  Entry &entry(std::int64_t key) {
    if (2 * used_ >= entries_.size()) grow();
    Entry &found = entries_[index_of(key)];
    if (found.empty()) {
      found.key = key;
      ++used_;
    }
    return found;
  }

  /// Where a key is, or would be.
  std::size_t index_of(std::int64_t key) const {
    std::size_t index = static_cast<std::uint64_t>(key) * secret_ >> (64 - bits_);
    while (!entries_[index].empty() && entries_[index].key != key) index = (index + 1) & (entries_.size() - 1);
    return index;
  }

  void grow() {
    const std::vector<Entry> old = std::exchange(entries_, std::vector<Entry>(2 * entries_.size()));
    ++bits_;
    for (const Entry &each : old) {
      if (!each.empty()) entries_[index_of(each.key)] = each;
    }
  }

  std::uint64_t secret_;
  unsigned bits_ = 12;
  std::size_t used_ = 0;
  std::vector<Entry> entries_;
  std::vector<std::int64_t> keys_;  // of the page that is counted
};

}  // namespace ttcrawl
