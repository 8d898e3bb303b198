// The marked elements of a page, as ttcrawl.read.blocks and .landmarks have them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace ttcrawl {

/// What an element is for the main text: the letters of ttcrawl.read.landmarks, which decides.
enum class BlockKind : char {
  NONE = '\0',
  // by a standard
  LANDMARK = 'l',
  HEADER = 'h',
  MAIN = 'm',
  ARTICLE = 'r',
  BODY = 'b',
  // by a class or id
  ASIDE = 'a',
  BY_NAME = 'n',
  BOX = 'x',
  COMMENT = 'c',
  HEADER_BY_NAME = 'e',
  // by the element
  ASIDE_ELEMENT = 's',
  TITLE = 't',
  HEADING = 'g',
};

class BlockKinds {
 public:
  constexpr BlockKinds(std::initializer_list<BlockKind> kinds) {
    for (BlockKind kind : kinds) bits_ |= bit(kind);
  }

  constexpr bool has(BlockKind kind) const { return (bits_ & bit(kind)) != 0; }

 private:
  static constexpr std::uint32_t bit(BlockKind kind) {
    return kind == BlockKind::NONE ? 0 : std::uint32_t{1} << (static_cast<char>(kind) - 'a');
  }

  std::uint32_t bits_ = 0;
};

/// Lines from `start` up to `end` inside a marked element; the blocks from index `first` up to this one are inside it.
struct Block {
  BlockKind kind;
  std::size_t start;
  std::size_t end;
  std::size_t first;

  bool is_empty() const { return start == end; }
  bool contains(std::size_t from, std::size_t to) const { return start <= from && to <= end; }
};

using Blocks = std::vector<Block>;  // inner ones first

/// The indexes of blocks of some kinds that are not empty and inside no other of these kinds, in document order.
inline std::vector<std::size_t> outermost(const Blocks &blocks, BlockKinds kinds) {
  std::vector<std::size_t> found;
  for (std::size_t index = blocks.size(); index-- > 0;) {
    const Block &block = blocks[index];
    if (!kinds.has(block.kind) || block.is_empty()) continue;
    found.push_back(index);
    index = block.first;
  }
  std::reverse(found.begin(), found.end());
  return found;
}

/// How many blocks of some kinds are inside others; empty ones do not count.
class InnerBlocks {
 public:
  InnerBlocks(const Blocks &blocks, BlockKinds kinds) : before_{0} {
    before_.reserve(blocks.size() + 1);
    for (const Block &block : blocks) {
      before_.push_back(before_.back() + (kinds.has(block.kind) && !block.is_empty()));
    }
  }

  /// Whether the block with this index has one inside.
  bool any(const Blocks &blocks, std::size_t index) const {
    return before_[index] != before_[blocks[index].first];
  }

 private:
  std::vector<std::size_t> before_;  // each block
};

}  // namespace ttcrawl
