// How similar two texts are, as ttcrawl.read.fingerprints.similarity counts it: by signatures, and by sketches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ttcrawl {

/// 32-bit numbers in bytes.
class Hashes {
 public:
  explicit Hashes(std::string_view bytes) : bytes_(bytes) {}

  std::size_t size() const { return bytes_.size() / sizeof(std::uint32_t); }

  std::uint32_t operator[](std::size_t index) const {
    std::uint32_t hash = 0;
    std::memcpy(&hash, &bytes_[index * sizeof(hash)], sizeof(hash));
    return hash;
  }

 private:
  std::string_view bytes_;
};

/// The fraction of numbers that are equal, of two signatures of one length; 0 if they are empty or of two lengths.
inline double share_of_equal(const Hashes &one, const Hashes &other) {
  if (one.size() == 0 || one.size() != other.size()) return 0;
  std::size_t equal = 0;
  for (std::size_t index = 0; index < one.size(); ++index) equal += one[index] == other[index];
  return static_cast<double>(equal) / static_cast<double>(one.size());
}

/// The Jaccard similarity of two sets in ascending order; 0 if one is empty. A set of `sketch_size` hashes may be
/// truncated: then it is the fraction of common hashes among as many of the smallest of the union.
inline double jaccard(const Hashes &one, const Hashes &other, std::size_t sketch_size) {
  if (one.size() == 0 || other.size() == 0) return 0;
  const bool is_complete = std::max(one.size(), other.size()) < sketch_size;
  const std::size_t most = is_complete ? one.size() + other.size() : sketch_size;
  std::size_t common = 0;
  std::size_t united = 0;
  std::size_t left = 0;
  std::size_t right = 0;
  while (left < one.size() && right < other.size() && united < most) {
    const std::uint32_t a = one[left];
    const std::uint32_t b = other[right];
    left += a <= b;
    right += b <= a;
    common += a == b;
    ++united;
  }
  united = std::min(most, united + (one.size() - left) + (other.size() - right));
  return static_cast<double>(common) / static_cast<double>(united);
}

}  // namespace ttcrawl
