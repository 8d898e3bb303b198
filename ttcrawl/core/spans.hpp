// The spans of lines that have the main text, by the elements that contain it, as ttcrawl.read.spans finds them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "block.hpp"
#include "text_lines.hpp"

namespace ttcrawl {

/// Of the text outside links: an element with less is not the main text.
inline constexpr double LEAST = 0.15;

struct Span {
  std::size_t start;
  std::size_t end;
};

/// `by`: MAIN, ARTICLE or BODY if HTML, ARIA or schema.org names the element. No spans: nothing names any.
struct MainSpans {
  BlockKind by = BlockKind::NONE;
  std::vector<Span> spans;
};

class SpanFinder {
 public:
  /// `text`: the text that is neither excluded nor a link; `shown`: all that is not excluded.
  SpanFinder(const Blocks &blocks, const Sums &text, const Sums &shown, std::size_t lines)
      : blocks_(blocks), text_(text), shown_(shown), lines_(lines) {}

  MainSpans find() {
    least_ = LEAST * static_cast<double>(text_.total());
    find_main();
    find_articles();
    find_body();
    if (found_.spans.empty()) find_named();
    return found_;
  }

 private:
  static constexpr double DOMINANT = 0.5;  // of the text of the main element or of all articles, in one article

  void find_main() {
    constexpr std::size_t PLACEHOLDER = 40;  // characters of a line that a script replaces
    const Block *main = nullptr;
    for (const Block &block : blocks_) {
      if (block.kind != BlockKind::MAIN || block.is_empty()) continue;
      if (main == nullptr || has_more(block, *main)) main = &block;
    }
    if (main == nullptr) return;
    const std::size_t visible = shown_.of(*main);
    const bool is_placeholder = visible <= PLACEHOLDER && main->end - main->start == 1;
    if (visible == 0 || (static_cast<double>(text_.of(*main)) <= least_ && is_placeholder)) return;
    take(BlockKind::MAIN, {main});
  }

  bool has_more(const Block &one, const Block &other) const {
    if (text_.of(one) != text_.of(other)) return text_.of(one) > text_.of(other);
    return shown_.of(one) > shown_.of(other);
  }

  void find_articles() {
    const std::vector<const Block *> all = candidates(BlockKind::ARTICLE);
    if (!have_enough(all)) return;
    const Block *largest = dominant(all);
    const std::vector<const Block *> articles = largest != nullptr ? std::vector{largest} : all;
    if (found_.by != BlockKind::MAIN && are_part(articles)) return;
    take(BlockKind::ARTICLE, articles);
  }

  void find_body() {
    if (found_.spans.size() > 1) return;
    const std::vector<const Block *> all = candidates(BlockKind::BODY);
    if (!have_enough(all)) return;
    if (const Block *largest = dominant(all)) take(BlockKind::BODY, {largest});
  }

  /// The elements inside what is found so far.
  std::vector<const Block *> candidates(BlockKind kind) const {
    const Span around = found_.spans.empty() ? Span{0, lines_} : found_.spans.front();
    std::vector<const Block *> inside;
    for (std::size_t index : outermost(blocks_, {kind})) {
      const Block &block = blocks_[index];
      if (around.start <= block.start && block.end <= around.end) inside.push_back(&block);
    }
    return inside;
  }

  bool have_enough(const std::vector<const Block *> &blocks) const {
    return static_cast<double>(size_of(blocks)) > least_;
  }

  std::size_t size_of(const std::vector<const Block *> &blocks) const {
    std::size_t size = 0;
    for (const Block *block : blocks) size += text_.of(*block);
    return size;
  }

  /// The one with most of the text: the others are comments, or teasers of other pages. nullptr: it has a peer, as in a
  /// thread of posts, or they are equals.
  const Block *dominant(const std::vector<const Block *> &blocks) const {
    constexpr double PEER = 0.33;  // of the largest
    const auto has_less = [&](const Block *one, const Block *other) { return text_.of(*one) < text_.of(*other); };
    const Block *largest = *std::max_element(blocks.begin(), blocks.end(), has_less);
    const std::size_t most = text_.of(*largest);
    const auto peers = std::count_if(blocks.begin(), blocks.end(), [&](const Block *block) {
      return static_cast<double>(text_.of(*block)) >= PEER * static_cast<double>(most);
    });
    return peers <= 1 && is_more(most, DOMINANT, size_of(blocks)) ? largest : nullptr;
  }

  /// Whether the element named as main text around the articles has much other text.
  bool are_part(const std::vector<const Block *> &articles) const {
    constexpr double PART = 0.7;
    constexpr double PART_SEVERAL = 0.9;
    const Block *smallest = nullptr;
    for (const Block &block : blocks_) {
      if (block.kind != BlockKind::BY_NAME) continue;
      if (!block.contains(articles.front()->start, articles.back()->end)) continue;
      if (smallest == nullptr || text_.of(block) < text_.of(*smallest)) smallest = &block;
    }
    if (smallest == nullptr) return false;
    const double part = articles.size() == 1 ? PART : PART_SEVERAL;
    return static_cast<double>(size_of(articles)) < part * static_cast<double>(text_.of(*smallest));
  }

  void take(BlockKind by, const std::vector<const Block *> &blocks) {
    found_.by = by;
    found_.spans.clear();
    for (const Block *block : blocks) found_.spans.push_back({block->start, block->end});
    least_ = DOMINANT * static_cast<double>(size_of(blocks));
  }

  /// The largest element with a class or id for it, with the title just before it, unless it has too little text.
  void find_named() {
    constexpr std::size_t NOWHERE = static_cast<std::size_t>(-1);
    std::vector<std::size_t> title_before(lines_ + 1, NOWHERE);  // each line
    for (const Block &block : blocks_) {
      if (block.kind == BlockKind::TITLE && !block.is_empty()) title_before[block.end] = block.start;
    }
    Span largest{0, 0};
    bool any = false;
    for (const Block &block : blocks_) {
      if (block.kind != BlockKind::BY_NAME) continue;
      const std::size_t title = title_before[block.start];
      const Span span{title == NOWHERE ? block.start : title, block.end};
      if (!any || size_of(span) > size_of(largest)) largest = span;
      any = true;
    }
    if (is_more(size_of(largest), LEAST, text_.total())) found_.spans.push_back(largest);
  }

  std::size_t size_of(const Span &span) const { return text_.between(span.start, span.end); }

  const Blocks &blocks_;
  const Sums &text_;
  const Sums &shown_;
  const std::size_t lines_;
  MainSpans found_;
  double least_ = 0;  // characters that the next elements must have more than
};

}  // namespace ttcrawl
