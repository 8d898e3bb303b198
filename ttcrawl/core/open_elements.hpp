// The stack of open elements (HTML standard 13.2.4.2).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "categories.hpp"
#include "left.hpp"
#include "sink.hpp"
#include "tags.hpp"

namespace ttcrawl {

/// Foreign elements in which HTML, or SVG, begins again (13.2.6).
enum class Integration : std::uint8_t { NONE, HTML, MATHML_TEXT, ANNOTATION };

struct OpenElement {
  Tag tag;  // OTHER for SVG and MathML, so that no rule for HTML takes them for HTML
  Namespace space;
  Integration integration;
  std::uint32_t number;  // among all elements of the page
  std::string_view name;

  /// Whether an end tag has its name.
  bool is(Tag other_tag, std::string_view other_name) const {
    return space == Namespace::HTML && tag == other_tag && (tag != Tag::OTHER || name == other_name);
  }

  /// Of an element that the standard takes out of the stack: it stays, for the sink, until what is inside is closed.
  bool is_removed() const { return number == 0; }

  /// Of the category "special".
  bool is_special() const { return space == Namespace::HTML ? SPECIAL.has(tag) : integration != Integration::NONE; }
};

class OpenElements {
 public:
  /// Limits below those of the Python reader (ttcrawl.read.tree): real pages are some 30 deep, and unclosed formatting
  /// elements are opened again in each block, so that a few bytes can mean any number of elements.
  static constexpr std::size_t DEEPEST = 380;
  static constexpr std::uint32_t MOST = 300'000;

  bool empty() const { return stack_.empty(); }
  std::size_t size() const { return stack_.size(); }
  const OpenElement &current() const { return stack_.back(); }
  const OpenElement &operator[](std::size_t depth) const { return stack_[depth]; }

  void push(Tag tag, Namespace space, Integration integration, std::string_view name) {
    if (stack_.size() == DEEPEST) {
      throw Left{"deeply nested"};
    }
    if (++count_ > MOST) {
      throw Left{"many elements"};
    }
    stack_.push_back({tag, space, integration, count_, name});
    ++open_[index(tag)];
  }

  void pop() {
    --open_[index(stack_.back().tag)];
    stack_.pop_back();
  }

  /// Take an element out from between others.
  void remove(std::uint32_t number) {
    for (OpenElement &each : stack_) {
      if (each.number == number) {
        --open_[index(each.tag)];
        ++open_[index(Tag::OTHER)];
        each = {Tag::OTHER, Namespace::HTML, Integration::NONE, 0, ""};
      }
    }
  }

  /// Whether the element with this number is open at this depth.
  bool is_open(std::size_t depth, std::uint32_t number) const {
    return depth < stack_.size() && stack_[depth].number == number;
  }

  bool has(Tag tag) const { return open_[index(tag)] > 0; }

  bool in_scope(Tag tag, const Scope &scope = ELEMENT_SCOPE) const {
    return has(tag) && has_in_scope([&](const OpenElement &each) { return each.tag == tag; }, scope);
  }

  bool any_in_scope(const TagSet &tags, const Scope &scope = ELEMENT_SCOPE) const {
    return has_in_scope([&](const OpenElement &each) { return tags.has(each.tag); }, scope);
  }

  bool in_scope(std::uint32_t number) const {
    return has_in_scope([&](const OpenElement &each) { return each.number == number; }, ELEMENT_SCOPE);
  }

 private:
  static std::size_t index(Tag tag) { return static_cast<std::size_t>(tag); }

  template <class Matches>
  bool has_in_scope(Matches matches, const Scope &scope) const {
    for (auto each = stack_.rbegin(); each != stack_.rend(); ++each) {
      if (matches(*each)) {
        return true;
      }
      if (scope.ends.has(each->tag) || (scope.at_integration_points && each->integration != Integration::NONE)) {
        return false;
      }
    }
    return false;
  }

  std::vector<OpenElement> stack_;
  std::array<std::uint16_t, TAGS> open_{};  // how many elements of each tag are in the stack
  std::uint32_t count_ = 0;
};

}  // namespace ttcrawl
