// Many short texts one behind the other: the hrefs of a page, or the texts of its links.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ttcrawl {

class TextList {
 public:
  void add(std::string_view text) {
    texts_.append(text);
    ends_.push_back(texts_.size());
  }

  std::size_t size() const { return ends_.size(); }

  std::string_view operator[](std::size_t index) const {
    const std::size_t start = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(texts_).substr(start, ends_[index] - start);
  }

 private:
  std::string texts_;
  std::vector<std::size_t> ends_;
};

}  // namespace ttcrawl
