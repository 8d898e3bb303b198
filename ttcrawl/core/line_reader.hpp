// The text of a page as lines, its marked elements and headings: ttcrawl.read.tree, .blocks and .landmarks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attributes.hpp"
#include "block.hpp"
#include "categories.hpp"
#include "left.hpp"
#include "region_mark.hpp"
#include "rules.hpp"
#include "sink.hpp"
#include "unicode.hpp"
#include "utf8.hpp"
#include "white_space.hpp"

namespace ttcrawl {

/// Elements that do not end a word (ttcrawl.read.tree.INLINE).
inline constexpr TagSet INLINE{
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label map mark meter nobr output picture"
    " progress q ruby s samp slot small span strike strong sub sup time tt u var wbr img source track input"};
inline constexpr TagSet DROPPED{
    "script style template title svg iframe noembed noframes canvas audio video datalist rp rt"};
inline constexpr TagSet PREFORMATTED{"pre textarea xmp listing plaintext"};

class LineReader {
 public:
  struct Line {
    std::size_t start;  // in `text`
    std::size_t size;
    bool is_preformatted;
  };
  struct Heading {
    int level;
    std::string text;
  };

  /// `keeps_comments`: a comment ends a line, because none of the page is inside a word.
  LineReader(Rules &rules, const Unicode &unicode, bool keeps_comments)
      : rules_(rules), unicode_(unicode), keeps_comments_(keeps_comments), collapser_(unicode, true) {}

  void open(const Element &element, bool is_hidden) {
    if (is_heading_opened_) {
      is_heading_opened_ = false;
      frames_.back().is_linked = element.tag == Tag::A && leads_away(value_of(element.attributes, "href"));
    }
    Frame &frame = frames_.emplace_back();
    frame.tag = element.tag;
    if (is_hidden) {
      frame.is_hidden = true;
      ++hidden_;
    } else if (DROPPED.has(element.tag)) {
      frame.is_dropped = true;
      ++dropped_;
    } else if (!INLINE.has(element.tag) && !is_left_out()) {
      frame.is_block = true;
      end_line();
    }
    if (hidden_ == 0) read(element, frame);
    in_body_ = in_body_ || element.tag == Tag::BODY;
  }

  void text(std::string_view piece) {
    is_heading_opened_ = false;
    if (!is_shown()) return;
    if (begins_preformatted_) {
      begins_preformatted_ = false;
      in_preformatted_ = true;
    }
    if (headings_open_ > 0) heading_text_.append(piece);
    check_controls(piece);
    if (in_preformatted_) {
      append_without_soft_hyphens(piece);
    } else {
      collapser_.add(text_, line_start_, piece);
    }
  }

  void comment() {
    is_heading_opened_ = false;
    if (keeps_comments_ && !is_left_out()) end_line();
  }

  void processing_instruction() {
    is_heading_opened_ = false;
    if (!is_left_out()) end_line();
  }

  void close() {
    const Frame &frame = frames_.back();
    is_heading_opened_ = false;
    if (frame.is_block) end_line();
    if (frame.heading != NONE) end_heading(frame);
    if (frame.kind != BlockKind::NONE) blocks.push_back({frame.kind, frame.start, lines.size(), frame.first});
    hidden_ -= frame.is_hidden;
    dropped_ -= frame.is_dropped;
    if (frame.tag == Tag::BODY) in_body_ = false;
    frames_.pop_back();
  }

  bool has_region_mark() const {
    return ttcrawl::has_region_mark(text_) || std::any_of(headings.begin(), headings.end(), [](const Heading &each) {
             return ttcrawl::has_region_mark(each.text);
           });
  }

  std::string_view of(const Line &line) const { return std::string_view(text_).substr(line.start, line.size); }

  std::vector<Line> lines;
  Blocks blocks;
  std::vector<Heading> headings;

 private:
  static constexpr std::size_t NONE = static_cast<std::size_t>(-1);
  static constexpr std::string_view PILCROW = "\xC2\xB6";
  static constexpr int DEEPEST_HEADING = 8;  // headings around a text: each has all of it
  struct Frame {
    Tag tag = Tag::OTHER;
    bool is_hidden = false;
    bool is_dropped = false;
    bool is_block = false;
    bool is_linked = false;  // a heading that begins with a link to another page
    BlockKind kind = BlockKind::NONE;
    std::size_t start = 0;   // its first line and inner block
    std::size_t first = 0;
    std::size_t heading = NONE;  // index
    std::size_t heading_start = 0;
  };

  bool is_left_out() const { return hidden_ > 0 || dropped_ > 0; }
  bool is_shown() const { return in_body_ && !is_left_out(); }

  /// Whether a link goes to another page: headings link to themselves, or to the top of theirs.
  static bool leads_away(std::string_view href) { return !href.empty() && !href.starts_with('#'); }

  void read(const Element &element, Frame &frame) {
    frame.start = lines.size();
    frame.first = blocks.size();
    if (HEADINGS.has(element.tag)) {
      if (dropped_ > 0) throw Left{"heading in what is dropped"};
      if (headings_open_ == DEEPEST_HEADING) throw Left{"headings in headings"};
      frame.heading = headings.size();
      frame.heading_start = heading_text_.size();
      headings.push_back({element.name[1] - '0', ""});
      ++headings_open_;
      is_heading_opened_ = true;
    }
    if (!is_shown()) return;
    if (PREFORMATTED.has(element.tag)) begins_preformatted_ = true;
    if (rules_.wants_main) frame.kind = rules_.element_kinds.of(element);
  }

  /// The first control characters have a meaning for the Python reader.
  static void check_controls(std::string_view piece) {
    if (has_byte_below(piece, 4)) throw Left{"control character"};
  }

  void append_without_soft_hyphens(std::string_view piece) {
    for (;;) {
      const std::size_t size = std::min(piece.find(SOFT_HYPHEN), piece.size());
      text_.append(piece, 0, size);
      if (size == piece.size()) return;
      piece.remove_prefix(size + SOFT_HYPHEN.size());
    }
  }

  void end_heading(const Frame &frame) {
    --headings_open_;
    std::string text = collapsed(unicode_, std::string_view(heading_text_).substr(frame.heading_start));
    if (text.ends_with(PILCROW)) {
      text.resize(text.size() - PILCROW.size());
      text.resize(stripped_at_end(unicode_, text).size());
    }
    headings[frame.heading].text = std::move(text);
    if (headings_open_ == 0) heading_text_.clear();
    if (!rules_.wants_main) return;
    if (!frame.is_linked) blocks.push_back({BlockKind::HEADING, frame.start, lines.size(), frame.first});
    if (frame.tag == Tag::H1) blocks.push_back({BlockKind::TITLE, frame.start, lines.size(), frame.first});
  }

  void end_line() {
    if (headings_open_ > 0) heading_text_.push_back(' ');
    if (text_.size() > line_start_) {
      const std::string_view text = trimmed(std::string_view(text_).substr(line_start_));
      if (!text.empty()) {
        const auto start = static_cast<std::size_t>(text.data() - text_.data());
        lines.push_back({start, text.size(), in_preformatted_});
        line_start_ = start + text.size();
      }
      text_.resize(line_start_);
    }
    collapser_.clear();
    in_preformatted_ = begins_preformatted_ = false;
  }

  /// Without a self-link at the end, and without line ends around preformatted text.
  std::string_view trimmed(std::string_view text) const {
    if (text.ends_with(PILCROW) && !collapser_.is_pending()) text.remove_suffix(PILCROW.size());
    if (in_preformatted_) text.remove_prefix(std::min(text.find_first_not_of('\n'), text.size()));
    return stripped_at_end(unicode_, text);
  }

  Rules &rules_;
  const Unicode &unicode_;
  const bool keeps_comments_;
  std::vector<Frame> frames_;
  std::string text_;
  std::size_t line_start_ = 0;
  Collapser collapser_;
  std::string heading_text_;  // of the headings around
  int hidden_ = 0;
  int dropped_ = 0;
  int headings_open_ = 0;
  bool in_body_ = false;
  bool in_preformatted_ = false;
  bool begins_preformatted_ = false;  // with the next text
  bool is_heading_opened_ = false;    // and nothing is in it
};

}  // namespace ttcrawl
