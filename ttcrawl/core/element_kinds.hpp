// What an element is for the main text, by its name and attributes: ttcrawl.read.landmarks.block_kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "answers.hpp"
#include "attributes.hpp"
#include "block.hpp"
#include "block_names.hpp"
#include "python.hpp"
#include "sink.hpp"

namespace ttcrawl {

/// Elements that may be outside of the main text, or contain all of it: by their names, or if they have a name.
inline constexpr TagSet LANDMARKS{
    "nav footer aside dialog menu button select noscript main article header form"};
inline constexpr TagSet NAMED{"div ul ol table section"};

/// It remembers its answers. Ids are others on each page, so Python is asked only about more than a class and an id.
class ElementKinds {
 public:
  ElementKinds(PyObject *rules, std::uint64_t secret)
      : block_kind_(checked(PyObject_GetAttrString(rules, "block_kind"))), known_(secret) {
    const Owned names = checked(PyObject_GetAttrString(rules, "names"));
    PyObject *name = nullptr;
    PyObject *sets = nullptr;
    for (Py_ssize_t at = 0; PyDict_Next(names.get(), &at, &name, &sets) != 0;) {
      names_.add(view_of_str(name), view_of_str(sets));
    }
  }

  BlockKind of(const Element &element) {
    Names names{value_of(element.attributes, "class"), value_of(element.attributes, "id"),
                value_of(element.attributes, "role"), value_of(element.attributes, "itemprop")};
    const bool has_names = !names.name.empty() || !names.identity.empty();
    const bool has_more = !names.role.empty() || !names.itemprop.empty();
    if (!LANDMARKS.has(element.tag) && !((has_names || has_more) && NAMED.has(element.tag))) return BlockKind::NONE;
    if (!has_more && LANDMARKS.has(element.tag) && element.tag != Tag::ARTICLE) names = {};  // they change nothing
    key_.clear();
    for (const std::string_view each : {element.name, names.name, names.identity, names.role, names.itemprop}) {
      append_to_key(key_, each);
    }
    if (const BlockKind *known = known_.find(key_)) return *known;
    std::optional<BlockKind> kind;
    if (!has_more && NAMED.has(element.tag)) kind = by_names(element.tag, names);
    if (!kind) kind = asked(element, names);
    known_.add(key_, *kind);
    return *kind;
  }

 private:
  struct Names {
    std::string_view name;
    std::string_view identity;
    std::string_view role;
    std::string_view itemprop;
  };

  std::optional<BlockKind> by_names(Tag tag, const Names &names) {
    both_.assign(names.name).append(" ").append(names.identity);
    const std::optional<BlockKind> kind = names_.kind(both_);
    const bool is_beside = kind == BlockKind::ASIDE || kind == BlockKind::BOX || kind == BlockKind::COMMENT;
    // the id of a section is made from its heading, which may be "Cookies" or "Search"
    const bool is_section = tag == Tag::SECTION || BlockNames::has(names.name, "section");
    return is_beside && is_section ? names_.kind(names.name) : kind;
  }

  BlockKind asked(const Element &element, const Names &names) const {
    const Owned arguments = checked(Py_BuildValue(
        "NNNNN", str(element.name).release(), str(names.name).release(), str(names.identity).release(),
        str(names.role).release(), str(names.itemprop).release()));
    const Owned kind = checked(PyObject_CallObject(block_kind_.get(), arguments.get()));
    const std::string_view letter = view_of_str(kind.get());
    return letter.empty() ? BlockKind::NONE : static_cast<BlockKind>(letter[0]);
  }

  const Owned block_kind_;  // ttcrawl.read.landmarks.block_kind
  BlockNames names_;
  Answers<BlockKind> known_;
  std::string key_;
  std::string both_;  // class and id
};

}  // namespace ttcrawl
