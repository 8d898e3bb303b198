// Which keys may have been seen before, by the filters of pybloom-live: it sizes and stores them; bits are set here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ttcrawl {

/// A Bloom filter whose bits belong to Python. Bit n is bit n % 8 of byte n / 8.
struct BloomFilter {
  std::span<unsigned char> bytes;
  std::int64_t size;    // bits
  std::int64_t slices;  // bits of a key

  bool contains(std::int64_t key) const;
  void add(std::int64_t key) const;
};

/// The bits of a key, one after the other: an arithmetic progression from two halves of this hash is as good as several
/// hashes (A. Kirsch and M. Mitzenmacher, Less hashing, same performance, Random Structures & Algorithms 33(2), 2008).
class BitsOfKey {
 public:
  BitsOfKey(const BloomFilter &filter, std::int64_t key)
      : size_(filter.size), step_(modulo(key >> 32 | 1)), position_(modulo(key)) {}

  std::size_t byte() const { return static_cast<std::size_t>(position_ >> 3); }
  unsigned char mask() const { return static_cast<unsigned char>(1 << (position_ & 7)); }

  void advance() {
    position_ -= size_ - step_;  // the sum could be too large
    if (position_ < 0) position_ += size_;
  }

 private:
  /// The remainder as Python has it, from 0.
  std::int64_t modulo(std::int64_t number) const {
    const std::int64_t rest = number % size_;
    return rest < 0 ? rest + size_ : rest;
  }

  std::int64_t size_;
  std::int64_t step_;
  std::int64_t position_;
};

inline bool BloomFilter::contains(std::int64_t key) const {
  BitsOfKey bit(*this, key);
  for (std::int64_t slice = 0; slice < slices; ++slice, bit.advance()) {
    if ((bytes[bit.byte()] & bit.mask()) == 0) return false;
  }
  return true;
}

inline void BloomFilter::add(std::int64_t key) const {
  BitsOfKey bit(*this, key);
  for (std::int64_t slice = 0; slice < slices; ++slice, bit.advance()) bytes[bit.byte()] |= bit.mask();
}

/// 1 for each key that may be in one of the filters, else 0, and it is added to the last one: `room` of them at most.
/// The key after that is the first without an answer.
inline std::string maybe_seen(std::span<const BloomFilter> filters, std::span<const std::int64_t> keys,
                              std::size_t room) {
  std::string answers;
  for (const std::int64_t key : keys) {
    if (room == 0) break;
    const bool maybe = std::ranges::any_of(filters, [key](const BloomFilter &each) { return each.contains(key); });
    if (!maybe) {
      filters.back().add(key);
      --room;
    }
    answers.push_back(maybe ? 1 : 0);
  }
  return answers;
}

}  // namespace ttcrawl
