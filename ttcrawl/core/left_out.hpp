// The lines that are not main text by the markup of their elements, as ttcrawl.read.spans leaves them out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "block.hpp"
#include "prose.hpp"
#include "text_lines.hpp"

namespace ttcrawl {

/// Leave out a site's header but for its titles, and for an introduction: all from the title to the last prose.
inline void leave_out_header(Flags &out, const Blocks &blocks, const Block &header, std::size_t index,
                             const TextLines &lines) {
  const auto at = [](auto &flags, std::size_t line) { return flags.begin() + static_cast<std::ptrdiff_t>(line); };
  const Flags before(at(out, header.start), at(out, header.end));
  set_flags(out, header);
  const auto keep = [&](std::size_t start, std::size_t end) {
    std::copy(at(before, start - header.start), at(before, end - header.start), at(out, start));
  };
  std::optional<std::size_t> title;
  for (std::size_t inner = header.first; inner < index; ++inner) {
    const Block &block = blocks[inner];
    if (block.kind != BlockKind::TITLE || block.is_empty()) continue;
    if (!title) title = block.start;
    keep(block.start, block.end);
  }
  for (std::size_t end = header.end; title && end > *title; --end) {
    if (before[end - 1 - header.start] != 0 || !is_prose(lines[end - 1])) continue;
    keep(*title, end);
    break;
  }
}

/// 1 for each line that is not main text according to HTML or ARIA.
inline Flags landmarks(const Blocks &blocks, const TextLines &lines) {
  static constexpr BlockKinds CONTENT{BlockKind::MAIN, BlockKind::ARTICLE, BlockKind::BODY};
  const InnerBlocks mains(blocks, {BlockKind::MAIN});
  const InnerBlocks contents(blocks, CONTENT);
  const InnerBlocks titles(blocks, {BlockKind::TITLE});
  Flags inside(blocks.size());  // for each block, whether it is inside of CONTENT
  for (std::size_t index : outermost(blocks, CONTENT)) {
    std::fill(inside.begin() + static_cast<std::ptrdiff_t>(blocks[index].first),
              inside.begin() + static_cast<std::ptrdiff_t>(index), std::uint8_t{1});
  }
  Flags out(lines.size());
  for (std::size_t index = 0; index < blocks.size(); ++index) {
    const Block &block = blocks[index];
    const bool is_landmark = block.kind == BlockKind::LANDMARK ||
                             (block.kind == BlockKind::ASIDE_ELEMENT && inside[index] == 0);
    if (is_landmark && !mains.any(blocks, index)) {
      set_flags(out, block);
    } else if (block.kind == BlockKind::HEADER && !contents.any(blocks, index)) {
      if (!titles.any(blocks, index)) {
        set_flags(out, block);
      } else if (inside[index] == 0) {
        leave_out_header(out, blocks, block, index, lines);
      }
    }
  }
  return out;
}

/// Asides by their class or id, and the element inside a main element or an article.
class Asides {
 public:
  /// `never`: the landmarks; `text`: the text that is neither in them nor a link.
  Asides(const Blocks &blocks, const TextLines &lines, const Flags &never, const Sums &text)
      : blocks_(blocks),
        text_(text),
        prose_(lines, [&](std::size_t index) {
          return never[index] == 0 && !lines[index].is_link && is_prose(lines[index]);
        }),
        links_(lines, [&](std::size_t index) { return never[index] == 0 && lines[index].is_link; }),
        standard_(blocks, {BlockKind::MAIN, BlockKind::BODY, BlockKind::TITLE}),
        contents_(blocks, {BlockKind::MAIN, BlockKind::BODY, BlockKind::TITLE, BlockKind::ARTICLE}),
        headings_(blocks, {BlockKind::MAIN, BlockKind::BODY, BlockKind::TITLE, BlockKind::ARTICLE,
                           BlockKind::HEADING}) {}

  static bool any(const Blocks &blocks) {
    return std::any_of(blocks.begin(), blocks.end(), [](const Block &block) { return KINDS.has(block.kind); });
  }

  void leave_out(Flags &out) const {
    static constexpr BlockKinds CONTAINERS{BlockKind::MAIN, BlockKind::ARTICLE, BlockKind::BODY};
    std::vector<std::size_t> around;  // innermost last
    for (std::size_t index = blocks_.size(); index-- > 0;) {
      while (!around.empty() && index < blocks_[around.back()].first) around.pop_back();
      const Block *container = around.empty() ? nullptr : &blocks_[around.back()];
      if (!blocks_[index].is_empty() && is_aside(index, container)) set_flags(out, blocks_[index]);
      if (CONTAINERS.has(blocks_[index].kind)) around.push_back(index);
    }
  }

 private:
  static constexpr BlockKinds KINDS{BlockKind::ASIDE, BlockKind::BOX, BlockKind::ASIDE_ELEMENT, BlockKind::COMMENT,
                                    BlockKind::HEADER_BY_NAME};

  /// `container`: the innermost main element, article or body around, if any.
  bool is_aside(std::size_t index, const Block *container) const {
    constexpr double MOST = 0.5;            // of the text around: with more, it is no aside
    constexpr double MOST_COMMENTS = 0.85;  // they can be longer than the article
    const Block &block = blocks_[index];
    if (!KINDS.has(block.kind) || has_content(index) || is_box_of_prose(block)) return false;
    const double most = block.kind == BlockKind::COMMENT ? MOST_COMMENTS : MOST;
    const std::size_t text_around = container != nullptr ? text_.of(*container) : text_.total();
    return !is_more(text_.of(block), most, text_around) || (container == nullptr && !wraps(index));
  }

  bool has_content(std::size_t index) const {
    switch (blocks_[index].kind) {
      case BlockKind::COMMENT:
      case BlockKind::ASIDE_ELEMENT: return standard_.any(blocks_, index);
      case BlockKind::HEADER_BY_NAME: return headings_.any(blocks_, index);
      default: return contents_.any(blocks_, index);
    }
  }

  /// A box with much prose and few links is main text.
  bool is_box_of_prose(const Block &block) const {
    constexpr double BOXED = 0.6;
    constexpr double LINKED = 0.1;
    if (block.kind != BlockKind::BOX && block.kind != BlockKind::ASIDE_ELEMENT) return false;
    const std::size_t size = text_.of(block);
    return is_more(prose_.of(block), BOXED, size) && !is_more(links_.of(block), LINKED, size);
  }

  /// Whether no element named as main text is outside an aside that has most of the text.
  bool wraps(std::size_t index) const {
    const Block &block = blocks_[index];
    for (std::size_t inner = block.first; inner < index; ++inner) {
      if (blocks_[inner].kind == BlockKind::BY_NAME && !blocks_[inner].is_empty()) return true;
    }
    const std::vector<std::size_t> named = outermost(blocks_, {BlockKind::BY_NAME});
    return std::all_of(named.begin(), named.end(), [&](std::size_t each) {
      const Block &around = blocks_[each];
      return text_.of(around) == (around.contains(block.start, block.end) ? text_.of(block) : 0);
    });
  }

  const Blocks &blocks_;
  const Sums &text_;
  const Sums prose_;
  const Sums links_;
  const InnerBlocks standard_;
  const InnerBlocks contents_;
  const InnerBlocks headings_;
};

}  // namespace ttcrawl
