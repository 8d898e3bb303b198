// SHA-1 (FIPS 180-4 section 6.1) by the instructions that processors have for it, of two texts at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#define TTCRAWL_SHA1 1
#define TTCRAWL_SHA1_TARGET __attribute__((target("sha,sse4.1")))
#endif

namespace ttcrawl {

using Sha1 = std::array<char, 20>;

#ifdef TTCRAWL_SHA1

/// Whether this processor has the instructions; without them, hashlib is faster than anything here.
inline bool has_sha1() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (b & 1U << 29) == 0) return false;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & 1U << 19) != 0;
}

/// The hash of a text, block by block.
class Sha1Stream {
 public:
  static constexpr std::size_t BLOCK = 64;

  TTCRAWL_SHA1_TARGET explicit Sha1Stream(std::string_view text)
      : rest_(text), bits_(8 * text.size()),
        abcd_(_mm_setr_epi32(0x10325476, static_cast<int>(0x98BADCFE), static_cast<int>(0xEFCDAB89), 0x67452301)),
        e_(_mm_setr_epi32(0, 0, 0, static_cast<int>(0xC3D2E1F0))) {}

  std::size_t blocks() const { return rest_.size() / BLOCK; }

  TTCRAWL_SHA1_TARGET void add_block() {
    add(rest_.data());
    rest_.remove_prefix(BLOCK);
  }

  /// What is left is less than a block. The padding has a bit, zeros, and the length (section 5.1.1).
  TTCRAWL_SHA1_TARGET Sha1 end() {
    std::array<char, 2 * BLOCK> last{};
    std::memcpy(last.data(), rest_.data(), rest_.size());
    last[rest_.size()] = '\x80';
    const std::size_t size = rest_.size() + 1 + sizeof(bits_) <= BLOCK ? BLOCK : 2 * BLOCK;
    for (std::size_t byte = 0; byte < sizeof(bits_); ++byte) {
      last[size - 1 - byte] = static_cast<char>(bits_ >> 8 * byte & 0xFF);
    }
    for (std::size_t at = 0; at < size; at += BLOCK) add(&last[at]);
    return digest();
  }

 private:
  /// The 80 rounds of section 6.1.2, four at a time. The instructions have the first of four words in the highest lane,
  /// and compute e from the a of four rounds before.
  TTCRAWL_SHA1_TARGET void add(const char *block) {
    const __m128i big_endian = _mm_set_epi64x(0x0001020304050607, 0x08090A0B0C0D0E0F);
    __m128i words[4];  // the last 16 of the message schedule
#pragma GCC unroll 4
    for (int index = 0; index < 4; ++index) {
      const auto *data = reinterpret_cast<const __m128i *>(block + 16 * index);
      words[index] = _mm_shuffle_epi8(_mm_loadu_si128(data), big_endian);
    }
    __m128i abcd = abcd_;
    __m128i before = abcd_;  // of the four rounds before
#pragma GCC unroll 20
    for (int step = 0; step < 20; ++step) {
      __m128i &word = words[step % 4];
      if (step >= 4) {
        word = _mm_xor_si128(_mm_sha1msg1_epu32(word, words[(step + 1) % 4]), words[(step + 2) % 4]);
        word = _mm_sha1msg2_epu32(word, words[(step + 3) % 4]);
      }
      const __m128i e = step == 0 ? _mm_add_epi32(e_, word) : _mm_sha1nexte_epu32(before, word);
      before = abcd;
      switch (step / 5) {  // the function and the constant of these rounds, which must be literals
        case 0: abcd = _mm_sha1rnds4_epu32(abcd, e, 0); break;
        case 1: abcd = _mm_sha1rnds4_epu32(abcd, e, 1); break;
        case 2: abcd = _mm_sha1rnds4_epu32(abcd, e, 2); break;
        default: abcd = _mm_sha1rnds4_epu32(abcd, e, 3);
      }
    }
    e_ = _mm_sha1nexte_epu32(before, e_);
    abcd_ = _mm_add_epi32(abcd, abcd_);
  }

  TTCRAWL_SHA1_TARGET Sha1 digest() const {
    const __m128i big_endian = _mm_set_epi64x(0x0001020304050607, 0x08090A0B0C0D0E0F);
    std::array<char, 32> words;
    _mm_storeu_si128(reinterpret_cast<__m128i *>(&words[0]), _mm_shuffle_epi8(abcd_, big_endian));
    _mm_storeu_si128(reinterpret_cast<__m128i *>(&words[16]), _mm_shuffle_epi8(e_, big_endian));
    Sha1 digest;
    std::memcpy(digest.data(), words.data(), digest.size());
    return digest;
  }

  std::string_view rest_;
  std::uint64_t bits_;
  __m128i abcd_;
  __m128i e_;
};

/// The hashes of two texts in little more time than that of one: each instruction waits for the one before it in its
/// text, so the processor works on one block of each.
TTCRAWL_SHA1_TARGET inline std::pair<Sha1, Sha1> sha1_of_both(std::string_view one, std::string_view other) {
  Sha1Stream first(one);
  Sha1Stream second(other);
  while (first.blocks() > 0 && second.blocks() > 0) {
    first.add_block();
    second.add_block();
  }
  while (first.blocks() > 0) first.add_block();
  while (second.blocks() > 0) second.add_block();
  return {first.end(), second.end()};
}

#else

inline bool has_sha1() { return false; }

inline std::pair<Sha1, Sha1> sha1_of_both(std::string_view, std::string_view) { return {}; }

#endif

}  // namespace ttcrawl
