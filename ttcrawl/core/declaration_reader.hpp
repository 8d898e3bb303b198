// What a page declares about itself: the elements that ttcrawl.read.metadata reads.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attributes.hpp"
#include "left.hpp"
#include "rules.hpp"
#include "sink.hpp"

namespace ttcrawl {

class DeclarationReader {
 public:
  struct Declaration {
    Owned attributes;
    bool is_of_other;  // it describes an item other than the page
  };

  /// `has_items`: whether the page may have microdata.
  DeclarationReader(Rules &rules, bool has_items) : rules_(rules), has_items_(has_items) {}

  void open(const Element &element, bool is_hidden) {
    const bool is_of_other = !inside_other_.empty() && inside_other_.back();
    const Attributes &attributes = element.attributes;
    if (element.tag == Tag::TIME) times.push_back({dict(attributes), is_of_other});
    if (!is_hidden) read(element, is_of_other);
    inside_other_.push_back(is_of_other || (has_items_ && has(attributes, "itemscope") && is_other_item(element)));
  }

  void text(std::string_view piece) {
    if (in_script_) scripts.back().append(piece);
  }

  void close() {
    inside_other_.pop_back();
    in_script_ = false;
  }

  std::vector<Declaration> metas;
  std::vector<Declaration> times;
  std::vector<Owned> links;
  std::vector<std::string> scripts;  // JSON-LD
  Owned html;                        // the attributes of the root element

 private:
  void read(const Element &element, bool is_of_other) {
    switch (element.tag) {
      case Tag::META: metas.push_back({dict(element.attributes), is_of_other}); break;
      case Tag::LINK: links.push_back(dict(element.attributes)); break;
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
    key_.clear();
    for (std::string_view name : {"itemprop", "itemtype"}) {
      append_to_key(key_, value_of(element.attributes, name));
    }
    return Question::is_true(rules_.is_other_item.ask(key_, [&] {
      return checked(Py_BuildValue("NN", str(value_of(element.attributes, "itemprop")).release(),
                                   str(value_of(element.attributes, "itemtype")).release()));
    }));
  }

  Rules &rules_;
  const bool has_items_;
  std::vector<bool> inside_other_;
  std::string key_;
  bool in_script_ = false;
};

}  // namespace ttcrawl
