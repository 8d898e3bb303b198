// What a page consists of as lines of text, to compare with a tree: tests/core/events.py makes the same of a tree.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sink.hpp"

namespace ttcrawl {

/// "<name", "@name=value", "Ttext", "/", "!" for a comment, "?" for a processing instruction.
class Events {
 public:
  void open(const Element &element) {
    end_text();
    add("<", element.name);
    for (const Attribute &each : element.attributes) {
      add("@", each.name);
      lines.back().append("=").append(each.value);
    }
  }

  void close() {
    end_text();
    add("/", "");
  }

  void text(std::string_view piece) { text_.append(piece); }

  void comment() {
    end_text();
    add("!", "");
  }

  void processing_instruction() {
    end_text();
    add("?", "");
  }

  std::vector<std::string> lines;

 private:
  void add(std::string_view kind, std::string_view text) { lines.emplace_back(kind).append(text); }

  void end_text() {
    if (!text_.empty()) {
      add("T", text_);
      text_.clear();
    }
  }

  std::string text_;
};

}  // namespace ttcrawl
