// The names of elements and their kinds, as ttcrawl.parse.links.nesting tells them apart.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text.hpp"

namespace ttcrawl {

/// Sets of names, a bit each.
namespace nesting_kind {
inline constexpr std::uint32_t VOID = 1U << 0, FORMATTING = 1U << 1, HEADING = 1U << 2, ENDS_P = 1U << 3,
                               PART = 1U << 4, ITEM = 1U << 5, OPTION = 1U << 6, SCOPE = 1U << 7, BUTTON = 1U << 8,
                               TABLE_SCOPE = 1U << 9, OF_TABLES = 1U << 10, MARKER = 1U << 11, BLOCK = 1U << 12,
                               RUBY = 1U << 13, IMPLIED = 1U << 14, SPECIAL = 1U << 15, NOT_FOR_ITEMS = 1U << 16,
                               FOREIGN = 1U << 17, HTML_INSIDE = 1U << 18, BREAKOUT = 1U << 19, RAW = 1U << 20;

inline constexpr struct {
  std::uint32_t kind;
  std::string_view names;
} NAMES[] = {
    {VOID, "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr image"
           " html head body"},
    {FORMATTING, "a b big code em font i nobr s small strike strong tt u"},
    {HEADING, "h1 h2 h3 h4 h5 h6"},
    {ENDS_P | BLOCK | SPECIAL | NOT_FOR_ITEMS,
     "h1 h2 h3 h4 h5 h6 article aside blockquote center details dir dl fieldset figcaption figure footer header hgroup"
     " main menu nav ol search section summary ul pre listing form li dd dt plaintext"},
    {ENDS_P | BLOCK | SPECIAL, "address div p"},
    {ENDS_P | BLOCK, "dialog"},
    {ENDS_P | SPECIAL | NOT_FOR_ITEMS, "hr xmp"},
    {PART, "td th tr tbody thead tfoot"},
    {ITEM, "li dd dt"},
    {OPTION, "option optgroup"},
    {SCOPE | SPECIAL | NOT_FOR_ITEMS, "applet caption table td th marquee object template select frameset"
                                      " foreignobject title mi mo mn ms mtext annotation-xml"},
    {SCOPE, "desc"},
    {BUTTON, "button"},
    {TABLE_SCOPE, "table template frameset"},
    {OF_TABLES | BLOCK | SPECIAL | NOT_FOR_ITEMS, "table td th tr tbody thead tfoot caption"},
    {SPECIAL | NOT_FOR_ITEMS, "button frameset iframe noscript colgroup"},
    {MARKER, "applet caption marquee object td th template"},
    {RUBY, "rb rt rp rtc"},
    {IMPLIED, "rb rt rp rtc dd dt li option optgroup p"},
    {FOREIGN, "svg math"},
    {HTML_INSIDE, "foreignobject desc title mi mo mn ms mtext annotation-xml"},
    {BREAKOUT, "h1 h2 h3 h4 h5 h6 b big blockquote body br center code dd div dl dt em embed head hr i img li listing"
               " menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var font"},
    {RAW, "script style textarea title xmp iframe noembed noframes"},
};
}  // namespace nesting_kind

/// The name of an element in a page.
struct NestingName {
  std::uint32_t kinds = 0;
  std::size_t open = 0;  // elements in the stack
};

/// Names by their numbers, which they get as they are found.
class NestingNames {
 public:
  explicit NestingNames(std::uint64_t secret) : numbers_(512, SecretHash{secret}) {
    for (const auto &[kinds, names] : nesting_kind::NAMES) {
      for (std::string_view rest = names; !rest.empty();) {
        const std::string_view name = rest.substr(0, rest.find(' '));
        names_[number(name)].kinds |= kinds;
        rest.remove_prefix(std::min(name.size() + 1, rest.size()));
      }
    }
  }

  /// `name`: in lower case.
  std::size_t number(std::string_view name) {
    if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
    names_.emplace_back();
    numbers_.emplace(name, names_.size() - 1);
    return names_.size() - 1;
  }

  NestingName &operator[](std::size_t number) { return names_[number]; }
  bool is(std::size_t number, std::uint32_t kinds) const { return (names_[number].kinds & kinds) != 0; }

 private:
  std::vector<NestingName> names_;
  std::unordered_map<std::string, std::size_t, SecretHash, std::equal_to<>> numbers_;
};

}  // namespace ttcrawl
