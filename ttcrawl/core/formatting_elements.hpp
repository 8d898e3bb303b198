// The list of active formatting elements (HTML standard 13.2.4.3): those that the next block opens again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sink.hpp"
#include "tags.hpp"

namespace ttcrawl {

class FormattingElements {
 public:
  struct Entry {
    Tag tag;  // OTHER: a marker
    std::size_t depth;     // of the element among the open elements
    std::uint32_t number;  // of the element among all elements
    Attributes attributes;

    bool is_marker() const { return tag == Tag::OTHER; }
  };

  std::size_t size() const { return entries_.size(); }
  Entry &operator[](std::size_t index) { return entries_[index]; }
  const Entry &operator[](std::size_t index) const { return entries_[index]; }

  void push_marker() { entries_.push_back({Tag::OTHER, 0, 0, {}}); }

  /// "Noah's Ark": of equal elements the list has three.
  void push(Tag tag, std::size_t depth, std::uint32_t number, const Attributes &attributes) {
    std::size_t equal = 0;
    std::size_t earliest = 0;
    for (std::size_t index = entries_.size(); index > 0 && !entries_[index - 1].is_marker(); index--) {
      const Entry &entry = entries_[index - 1];
      if (entry.tag == tag && are_equal(entry.attributes, attributes)) {
        ++equal;
        earliest = index - 1;
      }
    }
    if (equal >= 3) {
      remove(earliest);
    }
    entries_.push_back({tag, depth, number, attributes});
  }

  void remove(std::size_t index) { entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(index)); }

  void clear_to_marker() {
    while (!entries_.empty()) {
      const bool was_marker = entries_.back().is_marker();
      entries_.pop_back();
      if (was_marker) {
        return;
      }
    }
  }

  /// The last entry of an element after the last marker; size(): there is none.
  std::size_t find(Tag tag) const {
    for (std::size_t index = entries_.size(); index > 0 && !entries_[index - 1].is_marker(); index--) {
      if (entries_[index - 1].tag == tag) {
        return index - 1;
      }
    }
    return entries_.size();
  }

  /// Whether an entry after the last marker is of the element with this number.
  bool has(std::uint32_t number) const { return find_number(number) < entries_.size(); }

  std::size_t find_number(std::uint32_t number) const {
    for (std::size_t index = entries_.size(); index > 0 && !entries_[index - 1].is_marker(); index--) {
      if (entries_[index - 1].number == number) {
        return index - 1;
      }
    }
    return entries_.size();
  }

 private:
  /// Their order does not matter.
  static bool are_equal(const Attributes &some, const Attributes &others) {
    return some.size() == others.size() && std::all_of(some.begin(), some.end(), [&](const Attribute &each) {
             return std::any_of(others.begin(), others.end(), [&](const Attribute &other) {
               return each.name == other.name && each.value == other.value;
             });
           });
  }

  std::vector<Entry> entries_;
};

}  // namespace ttcrawl
