// The main text: a page without its menus, headers, footers, cookie banners and the like: ttcrawl.read.main.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "block.hpp"
#include "left_out.hpp"
#include "prose.hpp"
#include "python_unicode.hpp"
#include "spans.hpp"
#include "text.hpp"
#include "text_lines.hpp"

namespace ttcrawl {

/// Consecutive lines of links that form a menu: within the text, and at its start or end.
inline constexpr std::size_t RUN = 6;
inline constexpr std::size_t RUN_AT_END = 2;

struct MainText {
  Indexes lines;
  std::size_t prose;  // characters of all lines of prose outside landmarks that are not links
};

/// What the marked elements say about each line.
inline void mark_lines(TextLines &lines, const Blocks &blocks) {
  static constexpr BlockKinds ASIDES{BlockKind::ASIDE, BlockKind::BOX, BlockKind::ASIDE_ELEMENT};
  for (const Block &block : blocks) {
    for (std::size_t index = block.start; index < block.end; ++index) {
      TextLine &line = lines[index];
      if (ASIDES.has(block.kind)) {
        line.is_aside = true;
      } else if (block.kind == BlockKind::HEADING) {  // a table of contents contains the same words as a link
        line.is_link = false;
        line.is_heading = true;
      } else if (block.kind == BlockKind::TITLE) {  // also by its name, but no link, which may be the name of the site
        line.is_heading = !line.is_link;
      }
    }
  }
}

inline Indexes lines_in(const std::vector<Span> &spans, const Flags &out) {
  Indexes indexes;
  for (const Span &span : spans) {
    for (std::size_t index = span.start; index < span.end; ++index) {
      if (out[index] == 0) indexes.push_back(index);
    }
  }
  return indexes;
}

/// Whether the page is a list of links: most of it is links outside of asides, and no menu is before its heading.
inline bool is_index(const Indexes &indexes, const TextLines &lines) {
  constexpr std::size_t INDEX = 2;  // characters of links for each of text
  std::size_t links_before = 0;
  for (std::size_t index : indexes) {
    if (lines[index].is_heading) {
      std::size_t linked = 0;
      for (std::size_t each : indexes) {
        if (lines[each].is_link && !lines[each].is_aside) linked += lines[each].length;
      }
      return linked > INDEX * (length_of(indexes, lines) - linked);
    }
    links_before += lines[index].is_link;
    if (links_before >= RUN_AT_END) return false;
  }
  return false;
}

/// Without the lines before the first heading if most of their text is links.
inline Indexes from_heading(const Indexes &indexes, const TextLines &lines) {
  std::size_t linked = 0;
  std::size_t others = 0;
  for (auto index = indexes.begin(); index != indexes.end(); ++index) {
    const TextLine &line = lines[*index];
    if (line.is_heading) return linked > others ? Indexes(index, indexes.end()) : indexes;
    (line.is_link ? linked : others) += line.length;
  }
  return indexes;
}

/// Whether a line is only a sign between links.
inline bool is_sign(const TextLine &line) {
  constexpr std::size_t LONGEST = 3;  // characters
  if (line.length > LONGEST) return false;
  for (std::size_t at = 0; at < line.text.size();) {
    const CodePoint code = decode(&line.text[at]);
    if (is_word_character(code.value)) return false;
    at += code.size;
  }
  return true;
}

/// The end of the last title of the page; the end of the page if it has none.
inline std::size_t end_of_title(const Blocks &blocks, std::size_t page_end) {
  std::size_t end = 0;
  for (const Block &block : blocks) {
    if (block.kind == BlockKind::TITLE) end = std::max(end, block.end);
  }
  return end > 0 ? end : page_end;
}

/// Without runs of lines of links, but with lists under a heading after the title.
inline Indexes without_menus(const Indexes &indexes, const TextLines &lines, std::size_t title_end) {
  Indexes remaining;
  Indexes run;
  std::size_t links = 0;
  const auto end_run = [&](std::size_t fewest, bool is_list) {
    if (is_list || links < fewest) remaining.insert(remaining.end(), run.begin(), run.end());
    run.clear();
    links = 0;
  };
  for (std::size_t index : indexes) {
    if (lines[index].is_link) {
      run.push_back(index);
      ++links;
    } else if (!run.empty() && is_sign(lines[index])) {
      run.push_back(index);
    } else {
      if (!run.empty()) {
        const bool is_list = !remaining.empty() && remaining.back() >= title_end && lines[remaining.back()].is_heading;
        end_run(remaining.empty() ? RUN_AT_END : RUN, is_list);
      }
      remaining.push_back(index);
    }
  }
  end_run(RUN_AT_END, false);
  return remaining;
}

/// The main text of a page; its lines know which are links.
inline MainText main_text(TextLines &lines, const Blocks &blocks) {
  mark_lines(lines, blocks);
  const Flags never = landmarks(blocks, lines);
  const Sums candidates(lines, [&](std::size_t index) { return never[index] == 0 && !lines[index].is_link; });
  const Sums prose(lines, [&](std::size_t index) {
    return never[index] == 0 && !lines[index].is_link && is_prose(lines[index]);
  });
  const bool has_text = candidates.total() > 0;
  Flags out = never;
  if (has_text && Asides::any(blocks)) Asides(blocks, lines, never, candidates).leave_out(out);
  const Sums text(lines, [&](std::size_t index) { return out[index] == 0 && !(has_text && lines[index].is_link); });
  const Sums shown(lines, [&](std::size_t index) { return out[index] == 0; });
  const auto [by, spans] = SpanFinder(blocks, text, shown, lines.size()).find();
  const std::vector<Span> everything{{0, lines.size()}};
  Indexes indexes = lines_in(spans.empty() ? everything : spans, out);
  if (by != BlockKind::MAIN && !is_index(indexes, lines)) {  // links may be the subject of the page
    // documentation in an element with a name has lists of links with short descriptions
    if (by != BlockKind::NONE || spans.empty()) indexes = run_of_prose(indexes, lines);
    indexes = from_heading(indexes, lines);
    const std::size_t title_end = spans.empty() ? lines.size() : end_of_title(blocks, lines.size());
    Indexes shorter = without_menus(indexes, lines, title_end);
    if (is_more(length_of(shorter, lines), LEAST, length_of(indexes, lines))) indexes = std::move(shorter);
  }
  if (spans.empty()) {
    Indexes all = lines_in(everything, never);
    if (!is_more(length_of(indexes, lines), LEAST * LEAST, length_of(all, lines))) indexes = std::move(all);
  }
  if (indexes.empty()) {
    indexes.resize(lines.size());
    std::iota(indexes.begin(), indexes.end(), std::size_t{0});
  }
  return {std::move(indexes), prose.total()};
}

/// Whether pages can be compared by their main text: it has half as many characters as the prose outside landmarks and
/// links, or more. Short lines do not count as lost: between the links of a menu are headings and notes.
inline bool is_most_of_page(const MainText &main, const TextLines &lines) {
  constexpr double HALF = 0.5;
  const auto length = static_cast<double>(length_of(main.lines, lines));
  return length >= HALF * static_cast<double>(main.prose);
}

}  // namespace ttcrawl
