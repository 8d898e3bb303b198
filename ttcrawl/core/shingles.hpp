// The shingles of a text: its runs of words, as hashes (Broder 1997), as ttcrawl.read.fingerprints.shingles has them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "radix_sort.hpp"
#include "words.hpp"

namespace ttcrawl {

/// How often each number came before: a hash table with linear probing.
class Occurrences {
 public:
  /// `secret`: odd and random, so that no page can choose numbers that collide (Dietzfelbinger et al. 1997).
  Occurrences(std::size_t numbers, std::uint64_t secret)
      : slots_(std::bit_ceil(std::max<std::size_t>(2 * numbers, 2))),
        shift_(64 - std::countr_zero(slots_.size())),
        secret_(secret) {}

  std::uint32_t count_before(std::uint64_t number) {
    std::size_t index = number * secret_ >> shift_;
    while (slots_[index].times != 0 && slots_[index].number != number) index = (index + 1) & (slots_.size() - 1);
    slots_[index].number = number;
    return slots_[index].times++;
  }

 private:
  struct Slot {
    std::uint64_t number = 0;
    std::uint32_t times = 0;  // 0: free
  };

  std::vector<Slot> slots_;  // twice as many as numbers, or more; a power of two
  int shift_;
  std::uint64_t secret_;
};

/// The runs of `size` words of each line as distinct hashes in ascending order. A line with fewer words is one shingle,
/// and each repetition of a shingle is a different one.
inline std::vector<std::uint32_t> shingles(const Words &words, std::size_t size, std::uint64_t secret) {
  constexpr std::uint64_t BASE = 0xD1342543DE82EF95;
  constexpr std::uint64_t STEP = 0xDA942042E4DD58B5;
  const auto &[numbers, lines] = words;
  std::vector<std::uint32_t> hashes;
  hashes.reserve(numbers.size());
  Occurrences occurrences(numbers.size(), secret);
  for (std::size_t line = 0; line < lines.size(); ++line) {
    const std::size_t end = line + 1 < lines.size() ? lines[line + 1] : numbers.size();
    const std::size_t length = std::min(size, end - lines[line]);
    for (std::size_t start = lines[line]; start + length <= end; ++start) {
      std::uint64_t sum = 0;
      for (std::size_t index = start + length; index > start; --index) sum = sum * BASE + numbers[index - 1];
      hashes.push_back(static_cast<std::uint32_t>(mixed(sum + occurrences.count_before(sum) * STEP) >> 32));
    }
  }
  radix_sort(hashes);
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return hashes;
}

}  // namespace ttcrawl
