// UTF-8: code points, and the hashes of a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>

namespace ttcrawl {

struct CodePoint {
  char32_t value;
  std::size_t size;  // bytes
};

/// The code point that begins at `at`. The text is UTF-8 (RFC 3629 section 3), in which surrogates may stand too.
inline CodePoint decode(const char *at) {
  const auto byte = [at](int index) { return static_cast<char32_t>(static_cast<unsigned char>(at[index])); };
  const auto continuation = [byte](int index) { return byte(index) & 0x3F; };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xE0) return {(lead & 0x1F) << 6 | continuation(1), 2};
  if (lead < 0xF0) return {(lead & 0x0F) << 12 | continuation(1) << 6 | continuation(2), 3};
  return {(lead & 0x07) << 18 | continuation(1) << 12 | continuation(2) << 6 | continuation(3), 4};
}

inline bool is_ascii(char byte) { return static_cast<unsigned char>(byte) < 0x80; }

/// For tables of texts, in which a part of another text is looked up without a copy.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

/// The same for texts that a page may choose. `secret`: odd and random, so that it cannot choose texts that collide. A
/// table may take any bits of the hash.
struct SecretHash {
  using is_transparent = void;
  std::uint64_t secret;

  std::size_t operator()(std::string_view text) const {
    std::uint64_t hash = secret ^ text.size();
    std::uint64_t octet = 0;
    for (; text.size() >= sizeof(octet); text.remove_prefix(sizeof(octet))) {
      std::memcpy(&octet, text.data(), sizeof(octet));  // of a constant size: one instruction
      hash = mixed_with(hash, octet);
    }
    if (!text.empty()) {
      octet = 0;
      std::memcpy(&octet, text.data(), text.size());
      hash = mixed_with(hash, octet);
    }
    return hash ^ hash >> 32;
  }

 private:
  /// It multiplies twice, so that all bits of an octet change others, in a way that only the secret tells.
  std::uint64_t mixed_with(std::uint64_t hash, std::uint64_t octet) const {
    hash = (hash ^ octet) * secret;
    return (hash ^ hash >> 32) * secret;
  }
};

}  // namespace ttcrawl
