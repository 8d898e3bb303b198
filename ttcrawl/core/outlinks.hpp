// What is stored of the links of a page to other URLs: table outlinks.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "json.hpp"
#include "text_list.hpp"

namespace ttcrawl {

/// All links of a page: a character for each link in each column. `landmarks` and `anchors` may be missing.
struct PageLinks {
  const TextList &hrefs;
  std::string_view kinds;
  std::string_view letters;
  std::string_view landmarks;
  const TextList &anchors;

  /// Throws if the columns are not of this size.
  void check(std::size_t size) const {
    const bool has_columns = hrefs.size() == size && kinds.size() == size && letters.size() == size;
    if (!has_columns || (!landmarks.empty() && landmarks.size() != size) || (has_anchors() && anchors.size() != size)) {
      throw std::invalid_argument("columns of different sizes");
    }
  }

  bool has_anchors() const { return anchors.size() > 0; }
};

class Outlinks {
 public:
  explicit Outlinks(const PageLinks &page) : page_(page) {}

  /// Add the link with this index, which leads to another URL. `key`: of that.
  void add(std::size_t index, std::int64_t key) {
    char digits[24];
    keys_.push_back(keys_.empty() ? '[' : ',');
    keys_.append(digits, std::to_chars(digits, digits + sizeof(digits), key).ptr);
    kinds.push_back(page_.kinds[index]);
    letters.push_back(page_.letters[index]);
    if (!page_.landmarks.empty()) landmarks.push_back(page_.landmarks[index]);
    if (!page_.has_anchors()) return;
    anchors_.push_back(anchors_.empty() ? '[' : ',');
    append_json_string(anchors_, page_.anchors[index]);
  }

  /// Add the link with this index, which leads to the page itself.
  void add_own(std::size_t index) {
    const std::string_view href = page_.hrefs[index];
    own_letters.push_back(page_.letters[index]);
    names_itself |= !href.empty() && !href.starts_with('#');
  }

  /// JSON.
  std::string keys() const { return keys_.empty() ? "[]" : keys_ + "]"; }

  /// JSON, or nothing.
  std::string anchors() const {
    if (!page_.has_anchors()) return "";
    return anchors_.empty() ? "[]" : anchors_ + "]";
  }

  std::string kinds;
  std::string letters;
  std::string landmarks;
  std::string own_letters;    // of links to the page itself
  bool names_itself = false;  // by an href that is more than a fragment

 private:
  const PageLinks page_;
  std::string keys_;
  std::string anchors_;
};

}  // namespace ttcrawl
