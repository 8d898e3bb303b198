// The distance with which each link was sent: a parse process remembers hundreds of thousands.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace ttcrawl {

/// A hash table with open addressing, 12 bytes an entry; a dict takes 60.
class Distances {
 public:
  using Distance = std::uint32_t;

  /// The distance of a link that was not sent: larger than all others.
  static constexpr Distance UNSENT = std::numeric_limits<Distance>::max() - 1;

  /// `secret`: odd and random, so that no site can choose URLs that collide (Dietzfelbinger et al. 1997).
  explicit Distances(std::uint64_t secret) : secret_(secret) { resize(); }

  std::size_t size() const { return used_ - removed_; }

  Distance get(std::int64_t key) const {
    const Distance found = distances_[index_of(key)];
    return found == EMPTY ? UNSENT : found;
  }

  void set(std::int64_t key, Distance distance) {
    if (4 * (used_ + 1) > 3 * keys_.size()) make_room();
    const std::size_t index = index_of(key);
    if (distances_[index] == EMPTY) ++used_;
    if (distances_[index] == UNSENT) --removed_;
    keys_[index] = key;
    distances_[index] = distance;
  }

  void remove(std::int64_t key) {
    Distance &distance = distances_[index_of(key)];
    if (distance == EMPTY || distance == UNSENT) return;
    distance = UNSENT;  // the entry stays: others may have been put behind it
    ++removed_;
  }

  /// Remove all; the memory stays for the next ones.
  void clear() {
    std::ranges::fill(distances_, EMPTY);
    used_ = removed_ = 0;
  }

 private:
  static constexpr Distance EMPTY = std::numeric_limits<Distance>::max();

  /// Where a key is, or would be.
  std::size_t index_of(std::int64_t key) const {
    std::size_t index = static_cast<std::uint64_t>(key) * secret_ >> (64 - bits_);
    while (distances_[index] != EMPTY && keys_[index] != key) index = (index + 1) & (keys_.size() - 1);
    return index;
  }

  void resize() {
    keys_.assign(std::size_t{1} << bits_, 0);
    distances_.assign(std::size_t{1} << bits_, EMPTY);
  }

  void make_room() {
    if (2 * size() >= keys_.size()) ++bits_;  // else it is enough to leave out those that were removed
    const std::vector<std::int64_t> keys = std::move(keys_);
    const std::vector<Distance> distances = std::move(distances_);
    resize();
    used_ = removed_ = 0;
    for (std::size_t index = 0; index < keys.size(); ++index) {
      if (distances[index] < UNSENT) set(keys[index], distances[index]);
    }
  }

  std::uint64_t secret_;
  unsigned bits_ = 8;
  std::size_t used_ = 0;     // entries, with those that were removed
  std::size_t removed_ = 0;  // of these
  std::vector<std::int64_t> keys_;
  std::vector<Distance> distances_;
};

}  // namespace ttcrawl
