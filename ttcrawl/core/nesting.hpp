// The nesting depth of elements by their tags alone: ttcrawl.parse.links.nesting, which says what each rule is for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nesting_names.hpp"
#include "text.hpp"

namespace ttcrawl {

namespace kind = nesting_kind;

/// The page must not be parsed.
struct TooDeep {
  std::string why;
};

class Nesting {
  using Names = std::initializer_list<std::size_t>;

 public:
  Nesting(std::size_t deepest, std::uint64_t secret)
      : deepest_(deepest), names_(secret), formats_(0, SecretHash{secret}) {}

  /// `name`: in lower case.
  std::size_t number(std::string_view name) { return names_.number(name); }
  bool is(std::size_t name, std::uint32_t kinds) const { return names_.is(name, kinds); }

  bool is_foreign() const { return !stack_.empty() && stack_.back().is_foreign; }

  /// Text: formatting elements that lost their places are opened again, at most three that are equal.
  void text() {
    if (lost_.empty()) return;
    std::vector<Element> again;
    for (const Element &each : lost_) {
      if (++alike_[each.format] <= ALIKE) again.push_back(each);
    }
    for (const Element &each : lost_) alike_[each.format] = 0;
    lost_.clear();
    copies_ += again.size();
    if (copies_ > COPIES) throw TooDeep{"too many formatting elements that no end tag ends"};
    for (auto each = again.rbegin(); each != again.rend(); ++each) push(each->name, each->format, false);
  }

  /// `is_closed`: the tag ends with "/>".
  void start(std::size_t name, std::string_view attributes, bool is_closed) {
    if (is_foreign()) {
      if (!is(name, kind::BREAKOUT)) {
        if (!is_closed) push(name, format(name, {}), !is(name, kind::HTML_INSIDE));
        return;
      }
      while (is_foreign()) pop();
    }
    if (is(name, kind::PART) && !is_open(table_) && !is_open(template_)) return;
    make_room(name);
    if (!lost_.empty() && !is(name, kind::BLOCK)) text();
    if (!is(name, kind::VOID)) push(name, format(name, attributes), is(name, kind::FOREIGN));
  }

  void end(std::size_t name) {
    if (!is_open(name) && (lost_.empty() || !is(name, kind::FORMATTING))) return;
    if (is_last(name) && lost_.empty() && !has_forms_in_forms_) {
      pop();
    } else if (is(name, kind::FORMATTING)) {
      end_formatting(name);
    } else if (name == form_) {
      return;
    } else if (is(name, kind::OF_TABLES)) {
      close({name}, kind::TABLE_SCOPE);
    } else if (is(name, kind::HEADING)) {
      close({h1_, h2_, h3_, h4_, h5_, h6_}, kind::SCOPE);
    } else if (is(name, kind::SPECIAL)) {
      close({name}, name == p_ ? IN_BUTTON : kind::SCOPE);
    } else {
      close({name}, kind::SPECIAL);
    }
  }

 private:
  struct Element {
    std::size_t name;
    std::size_t format;  // of formatting elements: the number of its name and attributes
    bool is_foreign;     // its content is SVG or MathML
  };
  static constexpr std::size_t NONE = static_cast<std::size_t>(-1);
  static constexpr std::size_t COPIES = 500'000;
  static constexpr std::size_t LOOKS = 3'000'000;
  static constexpr std::uint32_t ALIKE = 3;
  static constexpr std::uint32_t IN_BUTTON = kind::SCOPE | kind::BUTTON;

  /// End the elements that the start tag of an HTML element ends.
  void make_room(std::size_t name) {
    if (is(name, kind::ENDS_P)) {
      if (is_open(p_)) close({p_}, IN_BUTTON);
      if (is(name, kind::ITEM)) {
        close_item(name);
      } else if (is(name, kind::HEADING)) {
        if (!stack_.empty() && is(stack_.back().name, kind::HEADING)) pop();
      } else if (name == form_) {
        has_forms_in_forms_ = has_forms_in_forms_ || is_open(form_);
      }
    } else if (is(name, kind::PART)) {
      while (close_part(name)) continue;
    } else if (name == table_) {
      if (is_open(p_)) doubt(find({p_}, IN_BUTTON));
    } else if (is(name, kind::OPTION)) {
      if (is_last(option_)) pop();
      if (name == optgroup_ && is_open(select_) && is_last(name)) pop();
    } else if (name == a_ || name == nobr_) {
      end_formatting(name);
    } else if (name == button_) {
      close({button_}, kind::SCOPE);
    } else if (is(name, kind::RUBY) && find({ruby_}, kind::SCOPE) != NONE) {
      while (is(stack_.back().name, kind::IMPLIED)) pop();
    }
  }

  void close_item(std::size_t name) {
    if (name == li_) {
      close({li_}, kind::NOT_FOR_ITEMS);
    } else {
      close({dd_, dt_}, kind::NOT_FOR_ITEMS);
    }
  }

  /// Of a table, that the start tag of a part ends.
  bool close_part(std::size_t name) {
    if (name == td_ || name == th_) return close({td_, th_}, kind::TABLE_SCOPE);
    if (name == tr_) return close({td_, th_, tr_}, kind::TABLE_SCOPE);
    return close({td_, th_, tr_, tbody_, thead_, tfoot_}, kind::TABLE_SCOPE);
  }

  bool is_open(std::size_t name) { return names_[name].open > 0; }
  bool is_last(std::size_t name) const { return !stack_.empty() && stack_.back().name == name; }

  /// 0 for other elements.
  std::size_t format(std::size_t name, std::string_view attributes) {
    if (!is(name, kind::FORMATTING)) return 0;
    std::string key = std::to_string(name);
    key.append(" ").append(attributes);
    const std::size_t number = formats_.try_emplace(std::move(key), alike_.size()).first->second;
    if (number == alike_.size()) alike_.push_back(0);
    return number;
  }

  void push(std::size_t name, std::size_t format, bool is_foreign) {
    stack_.push_back({name, format, is_foreign});
    ++names_[name].open;
    if (stack_.size() > deepest_) {
      throw TooDeep{"elements are nested more than " + std::to_string(deepest_) + " deep"};
    }
  }

  Element pop() {
    const Element element = stack_.back();
    stack_.pop_back();
    if (element.name != doubtful_) --names_[element.name].open;
    return element;
  }

  /// An element that may be closed.
  void doubt(std::size_t index) {
    if (index == NONE) return;
    --names_[stack_[index].name].open;
    stack_[index].name = doubtful_;
  }

  /// End the innermost of these elements and its content, unless one of the kinds `stops` is in between.
  bool close(Names names, std::uint32_t stops) {
    const std::size_t index = find(names, stops);
    if (index == NONE) return false;
    const auto before = static_cast<std::ptrdiff_t>(lost_.size());
    while (stack_.size() > index) {
      const Element element = pop();
      if (is(element.name, kind::MARKER)) {
        lost_.erase(lost_.begin() + before, lost_.end());
      } else if (is(element.name, kind::FORMATTING)) {
        lost_.push_back(element);
      }
    }
    return true;
  }

  std::size_t find(Names names, std::uint32_t stops) {
    if (std::none_of(names.begin(), names.end(), [this](std::size_t name) { return is_open(name); })) return NONE;
    for (std::size_t index = stack_.size(); index-- > 0;) {
      const std::size_t name = stack_[index].name;
      const bool found = std::find(names.begin(), names.end(), name) != names.end();
      if (!found && !is(name, stops)) continue;
      look(stack_.size() - index);
      return found ? index : NONE;
    }
    look(stack_.size());
    return NONE;
  }

  void look(std::size_t looks) {
    looks_ += looks;
    if (looks_ > LOOKS) throw TooDeep{"too many tags in nested elements"};
  }

  /// The adoption agency (13.2.6.4.7): blocks inside the element stay open.
  void end_formatting(std::size_t name) {
    const auto lost =
        std::find_if(lost_.begin(), lost_.end(), [name](const Element &each) { return each.name == name; });
    look(static_cast<std::size_t>(lost - lost_.begin()));
    if (lost != lost_.end()) {
      lost_.erase(lost);
      return;
    }
    if (!is_open(name)) return;
    if (is_last(name)) {
      pop();
      return;
    }
    const std::size_t index = find({name}, kind::SCOPE);
    if (index == NONE) return;
    const auto element = stack_.begin() + static_cast<std::ptrdiff_t>(index);
    if (std::any_of(element + 1, stack_.end(), [this](const Element &each) { return is(each.name, kind::SPECIAL); })) {
      stack_.erase(element);
      --names_[name].open;
      return;
    }
    while (stack_.size() > index) {
      const Element inner = pop();
      if (stack_.size() > index && is(inner.name, kind::FORMATTING)) lost_.push_back(inner);
    }
  }

  const std::size_t deepest_;
  NestingNames names_;
  std::vector<Element> stack_;
  std::vector<Element> lost_;  // formatting elements to open again, the innermost first
  std::unordered_map<std::string, std::size_t, SecretHash> formats_;  // name and attributes -> number, from 1
  std::vector<std::uint32_t> alike_ = {0};                            // by this number: how often in `lost_`
  std::size_t copies_ = 0;
  std::size_t looks_ = 0;
  bool has_forms_in_forms_ = false;  // then it is unknown which form an end tag closes

  // the numbers of names
  const std::size_t doubtful_ = number("");  // of an element that may be closed
  const std::size_t a_ = number("a");
  const std::size_t button_ = number("button");
  const std::size_t dd_ = number("dd");
  const std::size_t dt_ = number("dt");
  const std::size_t form_ = number("form");
  const std::size_t h1_ = number("h1");
  const std::size_t h2_ = number("h2");
  const std::size_t h3_ = number("h3");
  const std::size_t h4_ = number("h4");
  const std::size_t h5_ = number("h5");
  const std::size_t h6_ = number("h6");
  const std::size_t li_ = number("li");
  const std::size_t nobr_ = number("nobr");
  const std::size_t optgroup_ = number("optgroup");
  const std::size_t option_ = number("option");
  const std::size_t p_ = number("p");
  const std::size_t ruby_ = number("ruby");
  const std::size_t select_ = number("select");
  const std::size_t table_ = number("table");
  const std::size_t tbody_ = number("tbody");
  const std::size_t td_ = number("td");
  const std::size_t template_ = number("template");
  const std::size_t tfoot_ = number("tfoot");
  const std::size_t th_ = number("th");
  const std::size_t thead_ = number("thead");
  const std::size_t tr_ = number("tr");
};

}  // namespace ttcrawl
