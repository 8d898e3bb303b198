// Answers by the bytes of what was asked: a hash table with linear probing, which forgets all when it is full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text.hpp"

namespace ttcrawl {

template <class Value>
class Answers {
 public:
  /// `secret`: see SecretHash.
  explicit Answers(std::uint64_t secret) : hash_{secret}, slots_(FEWEST) {}

  /// Until the next is added; null: it is not known.
  const Value *find(std::string_view key) const {
    const Slot &slot = slots_[index_of(key, hash(key))];
    return slot.hash == 0 ? nullptr : &slot.value;
  }

  /// `key`: is not in it.
  void add(std::string_view key, Value value) {
    if (keys_.size() + key.size() + count_ * sizeof(Slot) * 2 > MOST) forget();
    if (2 * ++count_ > slots_.size()) grow();
    const std::uint64_t hash_of_key = hash(key);
    slots_[index_of(key, hash_of_key)] = {hash_of_key, keys_.size(), key.size(), std::move(value)};
    keys_.append(key);
  }

 private:
  static constexpr std::size_t MOST = 8 << 20;  // bytes
  static constexpr std::size_t FEWEST = 8;
  struct Slot {
    std::uint64_t hash = 0;  // 0: free
    std::size_t start = 0;   // of the key in `keys_`
    std::size_t size = 0;
    Value value{};
  };

  std::uint64_t hash(std::string_view key) const { return hash_(key) | 1; }

  /// Where a key is, or the free slot where it belongs.
  std::size_t index_of(std::string_view key, std::uint64_t hash_of_key) const {
    for (std::size_t index = hash_of_key >> 1;; ++index) {
      const Slot &slot = slots_[index & (slots_.size() - 1)];
      const bool is_key = slot.hash == hash_of_key && std::string_view(keys_).substr(slot.start, slot.size) == key;
      if (slot.hash == 0 || is_key) return index & (slots_.size() - 1);
    }
  }

  void forget() {
    slots_ = std::vector<Slot>(FEWEST);
    keys_ = std::string();
    count_ = 0;
  }

  void grow() {
    std::vector<Slot> before(2 * slots_.size());
    before.swap(slots_);
    for (Slot &slot : before) {
      if (slot.hash == 0) continue;
      std::size_t index = slot.hash >> 1;
      while (slots_[index & (slots_.size() - 1)].hash != 0) ++index;
      slots_[index & (slots_.size() - 1)] = std::move(slot);
    }
  }

  SecretHash hash_;
  std::vector<Slot> slots_;  // twice as many as keys, or more; a power of two
  std::string keys_;         // one behind the other
  std::size_t count_ = 0;
};

}  // namespace ttcrawl
