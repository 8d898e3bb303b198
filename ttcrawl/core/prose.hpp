// The main text of a page without markup for it: the run of lines with the most prose and fewest links
// (Pasternack and Roth 2009), as ttcrawl.read.prose finds it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "text_lines.hpp"

namespace ttcrawl {

/// A line of prose counts its characters; the score of any other line is negative.
inline std::int64_t score_of(const TextLine &line) {
  constexpr std::size_t PROSE = 80;   // characters of a line of prose; fewer
  constexpr std::size_t WIDE = 30;    // for scripts in which a character is a syllable or a word,
  constexpr double WIDE_BYTES = 2.4;  // which have more bytes a character
  constexpr std::size_t MOST = 300;
  constexpr std::int64_t SHORT = -15;
  if (line.length >= PROSE) return static_cast<std::int64_t>(std::min(line.length, MOST));
  if (line.length >= WIDE && is_more(line.text.size(), WIDE_BYTES, line.length)) {
    return static_cast<std::int64_t>(line.length * PROSE / WIDE);
  }
  return SHORT;
}

/// Whether the line is long enough for a sentence of an article.
inline bool is_prose(const TextLine &line) { return score_of(line) > 0; }

/// The run of numbers with the greatest sum: its start, its end, and the sum.
struct GreatestRun {
  explicit GreatestRun(const std::vector<std::int64_t> &numbers) {
    std::int64_t current = 0;
    std::size_t begin = 0;
    for (std::size_t index = 0; index < numbers.size(); ++index) {
      if (current <= 0) {
        current = 0;
        begin = index;
      }
      current += numbers[index];
      if (current > sum) {
        sum = current;
        start = begin;
        end = index + 1;
      }
    }
  }

  std::size_t start = 0;
  std::size_t end = 0;
  std::int64_t sum = 0;
};

/// Whether so few of some lines are links that they are no menu.
inline bool has_few_links(const Indexes &indexes, std::size_t start, std::size_t end, const TextLines &lines) {
  constexpr double LINKED = 0.2;
  std::size_t links = 0;
  for (std::size_t position = start; position < end; ++position) links += lines[indexes[position]].is_link;
  return static_cast<double>(links) < LINKED * static_cast<double>(end - start);
}

/// The first heading between the last link and `start`, which is the start of the run; else `start`.
inline std::size_t with_headings(const Indexes &indexes, std::size_t start, const TextLines &lines) {
  for (std::size_t first = start; first > 0 && !lines[indexes[first - 1]].is_link;) {
    --first;
    if (lines[indexes[first]].is_heading) start = first;
  }
  return start;
}

/// The lines of the main text: all, if the page does not resemble an article.
inline Indexes run_of_prose(const Indexes &indexes, const TextLines &lines) {
  constexpr std::int64_t LINK = -80;
  constexpr double ENOUGH = 400;  // less prose may be the introduction to a list
  constexpr double SHARE = 0.5;   // of the page's prose, in the run
  constexpr double DENSE = 0.8;   // of the run's characters, in lines of prose
  std::vector<std::int64_t> scores;
  scores.reserve(indexes.size());
  std::int64_t total = 0;
  for (std::size_t index : indexes) {
    scores.push_back(lines[index].is_link ? LINK : score_of(lines[index]));
    total += std::max<std::int64_t>(scores.back(), 0);
  }
  const GreatestRun run(scores);
  std::size_t long_lines = 0;
  std::size_t all_lines = 0;
  for (std::size_t position = run.start; position < run.end; ++position) {
    const std::size_t length = lines[indexes[position]].length;
    all_lines += length;
    if (scores[position] > 0) long_lines += length;
  }
  if (static_cast<double>(run.sum) <= std::max(ENOUGH, SHARE * static_cast<double>(total))) return indexes;
  if (static_cast<double>(long_lines) < DENSE * static_cast<double>(all_lines)) return indexes;
  std::size_t start = with_headings(indexes, run.start, lines);
  std::size_t end = run.end;
  if (has_few_links(indexes, 0, start, lines)) start = 0;
  if (has_few_links(indexes, end, indexes.size(), lines)) end = indexes.size();
  return {indexes.begin() + static_cast<std::ptrdiff_t>(start), indexes.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace ttcrawl
