// The list of active formatting elements (HTML standard 13.2.4.3): those that the next block opens again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "attribute_list.hpp"
#include "tags.hpp"
#include "text.hpp"

namespace ttcrawl {

class FormattingElements {
 public:
  struct Entry {
    Tag tag;  // OTHER: a marker
    std::size_t depth;     // of the element among the open elements
    std::uint32_t number;  // of the element among all elements
    Attributes attributes;
    std::uint64_t digest = 0;  // of the attributes; 0: it was not needed

    bool is_marker() const { return tag == Tag::OTHER; }
  };

  std::size_t size() const { return size_; }
  Entry &operator[](std::size_t index) { return entries_[index]; }
  const Entry &operator[](std::size_t index) const { return entries_[index]; }

  void push_marker() { add() = {Tag::OTHER, 0, 0, {}, 0}; }

  /// "Noah's Ark": of equal elements the list has three.
  void push(Tag tag, std::size_t depth, std::uint32_t number, const Attributes &attributes) {
    if (const std::size_t earliest = earliest_of_three(tag, attributes); earliest < size_) {
      remove(earliest);
    }
    Entry &entry = add();
    entry.tag = tag;
    entry.depth = depth;
    entry.number = number;
    entry.attributes = attributes;
    entry.digest = 0;
  }

  void remove(std::size_t index) {
    const auto at = [&](std::size_t each) { return entries_.begin() + static_cast<std::ptrdiff_t>(each); };
    std::rotate(at(index), at(index + 1), at(size_));
    --size_;
  }

  void clear_to_marker() {
    while (size_ > 0) {
      --size_;
      if (entries_[size_].is_marker()) {
        return;
      }
    }
  }

  /// The last entry of an element after the last marker; size(): there is none.
  std::size_t find(Tag tag) const {
    for (std::size_t index = size_; index > 0 && !entries_[index - 1].is_marker(); index--) {
      if (entries_[index - 1].tag == tag) {
        return index - 1;
      }
    }
    return size_;
  }

  /// Whether an entry after the last marker is of the element with this number.
  bool has(std::uint32_t number) const { return find_number(number) < size_; }

  std::size_t find_number(std::uint32_t number) const {
    for (std::size_t index = size_; index > 0 && !entries_[index - 1].is_marker(); index--) {
      if (entries_[index - 1].number == number) {
        return index - 1;
      }
    }
    return size_;
  }

 private:
  static constexpr std::size_t MOST_EQUAL = 3;

  /// Of elements after the last marker that are equal to a new one; size(): there are fewer. A page may have hundreds
  /// of one tag with many attributes: those with other digests are not compared.
  std::size_t earliest_of_three(Tag tag, const Attributes &attributes) {
    if (count_of(tag) < MOST_EQUAL) {
      return size_;  // nearly always
    }
    const std::uint64_t digest = digest_of(attributes);
    std::size_t equal = 0;
    std::size_t earliest = size_;
    for (std::size_t index = size_; index > 0 && !entries_[index - 1].is_marker(); index--) {
      Entry &entry = entries_[index - 1];
      if (entry.tag != tag) {
        continue;
      }
      if (entry.digest == 0) {
        entry.digest = digest_of(entry.attributes);
      }
      if (entry.digest == digest && are_equal(entry.attributes, attributes)) {
        ++equal;
        earliest = index - 1;
      }
    }
    return equal < MOST_EQUAL ? size_ : earliest;
  }

  /// Elements of a tag after the last marker.
  std::size_t count_of(Tag tag) const {
    std::size_t count = 0;
    for (std::size_t index = size_; index > 0 && !entries_[index - 1].is_marker(); index--) {
      count += entries_[index - 1].tag == tag;
    }
    return count;
  }

  /// The same for the same attributes in any order. Products, because pages can exchange values.
  static std::uint64_t digest_of(const Attributes &attributes) {
    std::uint64_t digest = 1;
    for (const Attribute &each : attributes) {
      digest += (TextHash{}(each.name) | 1) * (TextHash{}(each.value) | 1);
    }
    return digest;
  }

  /// Their order does not matter.
  static bool are_equal(const Attributes &some, const Attributes &others) {
    return some.size() == others.size() && std::all_of(some.begin(), some.end(), [&](const Attribute &each) {
             return std::any_of(others.begin(), others.end(), [&](const Attribute &other) {
               return each.name == other.name && each.value == other.value;
             });
           });
  }

  /// One more at the end, of unknown contents.
  Entry &add() {
    if (size_ == entries_.size()) {
      entries_.emplace_back();
    }
    return entries_[size_++];
  }

  std::vector<Entry> entries_;  // more than there are: the memory of removed ones is used again
  std::size_t size_ = 0;
};

}  // namespace ttcrawl
