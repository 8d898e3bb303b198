// A set of 64-bit keys that are random already, with one bit for each: a key is surely absent, or perhaps present.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace ttcrawl {

class Bits {
 public:
  /// `size`: bits, a power of two.
  explicit Bits(std::uint64_t size) : mask_(size - 1) {
    if (!std::has_single_bit(size)) throw std::invalid_argument("the size is a power of two");
    bytes_.resize((size + 7) >> 3);
  }

  void add(std::int64_t key) { bytes_[byte(key)] |= bit(key); }
  bool perhaps(std::int64_t key) const { return (bytes_[byte(key)] & bit(key)) != 0; }

 private:
  std::size_t byte(std::int64_t key) const { return (static_cast<std::uint64_t>(key) & mask_) >> 3; }
  static unsigned char bit(std::int64_t key) { return static_cast<unsigned char>(1 << (key & 7)); }

  std::vector<unsigned char> bytes_;
  std::uint64_t mask_;
};

}  // namespace ttcrawl
