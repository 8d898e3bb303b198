// What a page declares about itself: the elements that ttcrawl.read.metadata reads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attributes.hpp"
#include "left.hpp"
#include "region_mark.hpp"
#include "rules.hpp"
#include "sink.hpp"

namespace ttcrawl {

class DeclarationReader {
 public:
  struct Declaration {
    Owned attributes;
    bool is_of_other;  // it describes an item other than the page
  };

  DeclarationReader(Rules &rules, std::string_view page) : rules_(rules), html_(page) {}

  void open(const Element &element, bool is_hidden) {
    const bool is_of_other = other_ > 0;
    const Attributes &attributes = element.attributes;
    if (element.tag == Tag::TIME) times.push_back({dict(attributes), is_of_other});
    if (!is_hidden) read(element, is_of_other);
    ++depth_;
    if (!is_of_other && has(attributes, "itemscope") && is_other_item(element)) other_ = depth_;
  }

  void text(std::string_view piece) {
    if (in_script_) scripts.back().append(piece);
  }

  void close() {
    if (depth_ == other_) other_ = 0;
    --depth_;
    in_script_ = false;
  }

  bool has_region_mark() const { return std::any_of(scripts.begin(), scripts.end(), ttcrawl::has_region_mark); }

  std::vector<Declaration> metas;
  std::vector<Declaration> times;
  std::vector<Owned> links;          // of <link> with "canonical" in its rel
  std::vector<std::string> scripts;  // JSON-LD
  Owned html;                        // the attributes of the root element

 private:
  void read(const Element &element, bool is_of_other) {
    switch (element.tag) {
      case Tag::META: metas.push_back({dict(element.attributes), is_of_other}); break;
      case Tag::LINK:
        if (!contains_ignoring_case(value_of(element.attributes, "rel"), "canonical")) break;
        links.push_back(dict(element.attributes));
        break;
      case Tag::HTML:
        if (!html) html = dict(element.attributes);
        break;
      case Tag::SCRIPT:
        if (value_of(element.attributes, "type").find("ld+json") == std::string_view::npos) break;
        if (element.space != Namespace::HTML) throw Left{"JSON-LD in SVG"};
        scripts.emplace_back();
        in_script_ = true;
        break;
      default: break;
    }
  }

  bool is_other_item(const Element &element) {
    if (html_.find("itemscope") == std::string_view::npos) return false;  // the Python reader looks for lower case
    key_.clear();
    for (AttributeName name : {AttributeName("itemprop"), AttributeName("itemtype")}) {
      append_to_key(key_, value_of(element.attributes, name));
    }
    return Question::is_true(rules_.is_other_item.ask(key_, [&] {
      return checked(Py_BuildValue("NN", str(value_of(element.attributes, "itemprop")).release(),
                                   str(value_of(element.attributes, "itemtype")).release()));
    }));
  }

  Rules &rules_;
  const std::string_view html_;
  std::size_t depth_ = 0;
  std::size_t other_ = 0;  // the depth of the outermost element that is an item other than the page; 0: in none
  std::string key_;
  bool in_script_ = false;
};

}  // namespace ttcrawl
