// The attributes of an element, found by their names.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "names.hpp"

namespace ttcrawl {

struct Attribute {
  std::string_view name;  // in lower case, also where the tree has viewBox
  std::string_view value;
  std::uint64_t number;  // of the name: see names.hpp
};

/// Names as a set of 64 bits: names that it does not have are not among the attributes (Bloom 1970). Nearly all
/// elements have two attributes or fewer, and are asked for a dozen that they do not have.
class AttributeNames {
 public:
  constexpr AttributeNames() = default;
  consteval AttributeNames(std::initializer_list<std::string_view> names) {
    for (std::string_view name : names) add(number_of(name));
  }

  constexpr void add(std::uint64_t number) { bits_ |= std::uint64_t{1} << (number * 0x9E3779B97F4A7C15 >> 58); }
  constexpr void clear() { bits_ = 0; }
  constexpr bool may_have_any(AttributeNames others) const { return (bits_ & others.bits_) != 0; }

 private:
  std::uint64_t bits_ = 0;
};

/// The name of an attribute, which is a number when this is compiled.
class AttributeName {
 public:
  consteval AttributeName(const char *name) : number_(number_of(name)) {
    if (number_ == 0) throw "the name is too long";
    bit_.add(number_);
  }

  constexpr bool is_of(const Attribute &attribute) const { return attribute.number == number_; }
  constexpr AttributeNames bit() const { return bit_; }

 private:
  std::uint64_t number_;
  AttributeNames bit_;
};

class Attributes {
 public:
  /// One more; `end_last` follows when its name is known.
  Attribute &add() { return all_.emplace_back(); }

  /// The first of several attributes with one name counts.
  void end_last() {
    const Attribute &last = all_.back();
    AttributeNames name;
    name.add(last.number);
    if (names_.may_have_any(name) && is_repeated(last)) {
      all_.pop_back();
    } else {
      names_.add(last.number);
    }
  }

  void clear() {
    all_.clear();
    names_.clear();
  }

  bool empty() const { return all_.empty(); }
  std::size_t size() const { return all_.size(); }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  bool may_have_any(AttributeNames names) const { return names_.may_have_any(names); }

  /// nullptr: the element does not have it.
  const std::string_view *find(AttributeName name) const {
    if (!names_.may_have_any(name.bit())) return nullptr;
    for (const Attribute &each : all_) {
      if (name.is_of(each)) return &each.value;
    }
    return nullptr;
  }

 private:
  bool is_repeated(const Attribute &last) const {
    return std::any_of(all_.begin(), all_.end() - 1, [&](const Attribute &each) {
      return each.number == last.number && each.name == last.name;
    });
  }

  std::vector<Attribute> all_;
  AttributeNames names_;
};

inline bool has(const Attributes &attributes, AttributeName name) { return attributes.find(name) != nullptr; }

/// "" if the element does not have it.
inline std::string_view value_of(const Attributes &attributes, AttributeName name) {
  const std::string_view *value = attributes.find(name);
  return value == nullptr ? std::string_view() : *value;
}

}  // namespace ttcrawl
