// New keys of buckets and the first page of each, until they are written into the database in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ttcrawl {

/// Keys are divided by their leading bits into parts, and searched one by one in their part, which has a hundred of
/// them: a filter has answered before whether a key is likely to be there. Keys are random.
class BucketMemory {
 public:
  using Row = std::pair<std::int64_t, std::uint32_t>;  // key and page

  static constexpr int PART_BITS = 14;
  static constexpr std::size_t PARTS = std::size_t{1} << PART_BITS;

  void add(std::int64_t key, std::uint32_t page) {
    Part &part = part_of(key);
    part.keys.push_back(key);
    part.pages.push_back(page);
  }

  /// The page of a key, which may be changed; null: the key is not here.
  std::uint32_t *page(std::int64_t key) {
    Part &part = part_of(key);
    const auto found = std::ranges::find(part.keys, key);
    return found == part.keys.end() ? nullptr : &part.pages[index(part, found)];
  }

  /// Whether the key was here.
  bool remove(std::int64_t key) {
    Part &part = part_of(key);
    const auto found = std::ranges::find(part.keys, key);
    if (found == part.keys.end()) return false;
    part.pages.erase(part.pages.begin() + (found - part.keys.begin()));
    part.keys.erase(found);
    return true;
  }

  std::span<const std::int64_t> keys(std::size_t part) const { return parts_.at(part).keys; }

  /// The rows of the parts from `first` to before `end`, in the order of keys within a part; they are no longer here.
  std::vector<Row> take(std::size_t first, std::size_t end) {
    std::vector<Row> rows;
    for (std::size_t number = first; number < end; ++number) {
      const Part part = std::exchange(parts_.at(number), Part());
      const auto start = static_cast<std::ptrdiff_t>(rows.size());
      for (std::size_t each = 0; each < part.keys.size(); ++each) rows.emplace_back(part.keys[each], part.pages[each]);
      std::sort(rows.begin() + start, rows.end());
    }
    return rows;
  }

 private:
  struct Part {
    std::vector<std::int64_t> keys;
    std::vector<std::uint32_t> pages;
  };

  Part &part_of(std::int64_t key) { return parts_[static_cast<std::uint64_t>(key) >> (64 - PART_BITS)]; }

  static std::size_t index(const Part &part, std::vector<std::int64_t>::iterator found) {
    return static_cast<std::size_t>(found - part.keys.cbegin());
  }

  std::vector<Part> parts_ = std::vector<Part>(PARTS);
};

}  // namespace ttcrawl
