// What a crawl wants to know of its pages, and what Python decides: ttcrawl.parse.compiled.Rules has the functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ascii.hpp"
#include "element_kinds.hpp"
#include "python.hpp"
#include "question.hpp"
#include "tags.hpp"

namespace ttcrawl {

struct Rules {
  /// `secret`: see SecretHash.
  Rules(PyObject *rules, std::uint64_t secret)
      : links(rules, "links", secret), kind_of_link(rules, "kind_of_link", secret), style(rules, "style", secret),
        json_ld(rules, "json_ld", secret), landmark(rules, "landmark", secret),
        is_nofollow(rules, "is_nofollow", secret), goes(rules, "goes", secret),
        goes_by_href(rules, "goes_by_href", secret), jumps(rules, "jumps", secret),
        element_kinds(rules, secret), is_other_item(rules, "is_other_item", secret),
        wants_landmarks(flag(rules, "wants_landmarks")), wants_anchors(flag(rules, "wants_anchors")),
        wants_page(flag(rules, "wants_page")), wants_text(flag(rules, "wants_text")),
        wants_main(flag(rules, "wants_main")), wants_folded(flag(rules, "wants_folded")),
        wants_shingles(flag(rules, "wants_shingles")), shingle(number(rules, "shingle")),
        fewest_words(number(rules, "fewest_words")), longest(number(rules, "longest")) {
    for (char kind : text(rules, "kinds")) wants_kind[static_cast<unsigned char>(kind)] = true;
    const std::string all_names = text(rules, "tags");
    std::string_view names = all_names;
    while (!names.empty()) {
      const std::size_t size = std::min(names.find(' '), names.size());
      if (const Tag tag = tag_of(names.substr(0, size)); tag != Tag::OTHER) tags.insert(tag);
      names.remove_prefix(std::min(size + 1, names.size()));
    }
  }

  bool wants(char kind) const { return wants_kind[static_cast<unsigned char>(kind)]; }

  Question links;          // of an element other than <a>: its tag, attributes and the tag of its parent
  Question kind_of_link;   // of a rel and a type, as a number; 0: none
  Question style;          // the URLs in CSS
  Question json_ld;        // the URLs in JSON-LD
  Question landmark;       // of a role, as a number
  Question is_nofollow;    // of a rel
  Question goes;           // whether an event handler goes to a page
  Question goes_by_href;   // the same for a javascript: URL
  Question jumps;          // whether a handler goes to the chosen option
  ElementKinds element_kinds;  // what an element is for the main text
  Question is_other_item;  // whether the attributes make an item of microdata that is not the page
  bool wants_landmarks;
  bool wants_anchors;
  bool wants_page;  // its text or its metadata
  bool wants_text;
  bool wants_main;
  bool wants_folded;    // the text without upper case
  bool wants_shingles;  // of the main text
  std::size_t shingle;  // words in one
  std::size_t fewest_words;
  std::size_t longest;  // characters of main text that have shingles
  bool wants_kind[256] = {};
  TagSet tags{""};  // elements that `links` is asked about

 private:
  static std::size_t number(PyObject *rules, const char *name) {
    const Owned attribute = checked(PyObject_GetAttrString(rules, name));
    const std::size_t value = PyLong_AsSize_t(attribute.get());
    if (PyErr_Occurred()) throw PythonError();
    return value;
  }

  static bool flag(PyObject *rules, const char *name) {
    return Question::is_true(checked(PyObject_GetAttrString(rules, name)));
  }

  static std::string text(PyObject *rules, const char *name) {
    const Owned attribute = checked(PyObject_GetAttrString(rules, name));
    return std::string(Utf8(attribute.get(), "strict").view());
  }
};

}  // namespace ttcrawl
