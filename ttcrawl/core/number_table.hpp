// A table of numbers by keys: what a crawl remembers of hundreds of thousands of URLs or pages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace ttcrawl {

/// A hash table with open addressing, 12 bytes an entry; a dict takes 60.
class NumberTable {
 public:
  using Number = std::uint32_t;

  /// The number of a key that is not here: larger than all others.
  static constexpr Number ABSENT = std::numeric_limits<Number>::max() - 1;

  /// `secret`: odd and random, so that no site can choose keys that collide (Dietzfelbinger et al. 1997).
  explicit NumberTable(std::uint64_t secret) : NumberTable(secret, FEWEST_BITS) {}

  std::size_t size() const { return used_ - removed_; }

  Number get(std::int64_t key) const {
    const Number found = numbers_[index_of(key)];
    return found == EMPTY ? ABSENT : found;
  }

  void set(std::int64_t key, Number number) {
    if (4 * (used_ + 1) > 3 * keys_.size()) make_room();
    const std::size_t index = index_of(key);
    if (numbers_[index] == EMPTY) ++used_;
    if (numbers_[index] == ABSENT) --removed_;
    keys_[index] = key;
    numbers_[index] = number;
  }

  void remove(std::int64_t key) {
    Number &number = numbers_[index_of(key)];
    if (number == EMPTY || number == ABSENT) return;
    number = ABSENT;  // the entry stays: others may have been put behind it
    ++removed_;
  }

  /// Remove all; the memory stays for the next ones.
  void clear() {
    std::ranges::fill(numbers_, EMPTY);
    used_ = removed_ = 0;
  }

 private:
  static constexpr Number EMPTY = std::numeric_limits<Number>::max();
  static constexpr unsigned FEWEST_BITS = 2;  // a table may have few entries

  NumberTable(std::uint64_t secret, unsigned bits)
      : secret_(secret), bits_(bits), keys_(std::size_t{1} << bits), numbers_(std::size_t{1} << bits, EMPTY) {}

  /// Where a key is, or would be.
  std::size_t index_of(std::int64_t key) const {
    std::size_t index = static_cast<std::uint64_t>(key) * secret_ >> (64 - bits_);
    while (numbers_[index] != EMPTY && keys_[index] != key) index = (index + 1) & (keys_.size() - 1);
    return index;
  }

  void make_room() {
    const bool is_full = 2 * size() >= keys_.size();  // else it is enough to leave out those that were removed
    NumberTable larger(secret_, bits_ + is_full);
    for (std::size_t index = 0; index < keys_.size(); ++index) {
      if (numbers_[index] < ABSENT) larger.set(keys_[index], numbers_[index]);
    }
    *this = std::move(larger);
  }

  std::uint64_t secret_;
  unsigned bits_;            // of the room
  std::size_t used_ = 0;     // entries, with those that were removed
  std::size_t removed_ = 0;  // of these
  std::vector<std::int64_t> keys_;
  std::vector<Number> numbers_;
};

}  // namespace ttcrawl
