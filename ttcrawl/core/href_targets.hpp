// The targets of hrefs on the pages of one directory, as ttcrawl.parse.links.resolver remembers them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "plain_base.hpp"
#include "python.hpp"
#include "text.hpp"

namespace ttcrawl {

/// An href without its fragment. After a blank the # stays: a URL parser strips blanks only at the ends
/// (ttcrawl.web.url.without_fragment).
inline std::string_view without_fragment(std::string_view href) {
  const std::size_t mark = href.find('#');
  if (mark == href.npos) return href;
  const bool is_after_blank = mark > 0 && static_cast<unsigned char>(href[mark - 1]) <= ' ';
  return href.substr(0, mark + (is_after_blank ? 1 : 0));
}

class HrefTargets {
 public:
  HrefTargets(std::uint64_t secret, std::string directory)
      : base(std::move(directory)), targets_(0, SecretHash{secret}) {}

  /// `resolve` makes the target of an href without fragment that is new.
  template <class Resolve>
  PyObject *target(std::string_view href, Resolve resolve) {
    if (const auto known = targets_.find(href); known != targets_.end()) return known->second.get();
    const std::string_view bare = without_fragment(href);
    Owned made = bare == href ? resolve(href) : Owned(Py_NewRef(target(bare, resolve)));
    size_ += 1 + href.size() / SHORT;
    return targets_.insert_or_assign(std::string(href), std::move(made)).first->second.get();
  }

  const PlainBase base;

  /// The number of remembered hrefs; more if they are long.
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t SHORT = 400;  // bytes of an href that take the memory of one more short one

  std::unordered_map<std::string, Owned, SecretHash, std::equal_to<>> targets_;
  std::size_t size_ = 0;
};

}  // namespace ttcrawl
