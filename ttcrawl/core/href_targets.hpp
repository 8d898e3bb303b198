// The targets of hrefs on the pages of one directory, as ttcrawl.parse.links.resolver remembers them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "answers.hpp"
#include "plain_base.hpp"
#include "python.hpp"

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
  HrefTargets(std::uint64_t secret, std::string directory) : base(std::move(directory)), targets_(secret) {}

  /// `resolve` makes the target of an href without fragment that is new. Only these are remembered: the links of a page
  /// have many fragments.
  template <class Resolve>
  Owned target(std::string_view href, Resolve resolve) {
    const std::string_view bare = without_fragment(href);
    if (const Owned *known = targets_.find(bare)) return Owned(Py_NewRef(known->get()));
    Owned made = resolve(bare);
    size_ += 1 + bare.size() / SHORT;
    targets_.add(bare, Owned(Py_NewRef(made.get())));
    return made;
  }

  const PlainBase base;

  /// The number of hrefs that were remembered; more if they are long.
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t SHORT = 400;  // bytes of an href that take the memory of one more short one

  Answers<Owned> targets_;
  std::size_t size_ = 0;
};

}  // namespace ttcrawl
