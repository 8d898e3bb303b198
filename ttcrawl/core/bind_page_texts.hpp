// The texts and the lines of a page, as objects of Python.
#pragma once

#include <cstddef>
#include <vector>

#include "boxed.hpp"
#include "page.hpp"
#include "page_texts.hpp"
#include "python.hpp"
#include "rules.hpp"
#include "state.hpp"
#include "text_set.hpp"

namespace ttcrawl {

/// `more`: a tuple of the texts of links that are not in the page.
inline Owned texts_of(const Page &page, const Rules &rules, const ModuleState &state, PyObject *more) {
  const auto others = static_cast<std::size_t>(PyTuple_GET_SIZE(more));
  TextSet anchors(state.secret, page.links.links.size() + others);
  for (const Link &link : page.links.links) anchors.add(link.anchor);
  std::vector<Utf8> texts_of_more;
  for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(more); ++index) {
    texts_of_more.emplace_back(PyTuple_GET_ITEM(more, index), "surrogatepass");
    anchors.add(texts_of_more.back().view());
  }
  const PageTexts texts = TextMaker(rules, state.unicode, state.secret, page.lines).make(anchors);
  Owned text = bytes(texts.text);
  Owned main = texts.is_all_main ? Owned(Py_NewRef(text.get())) : bytes(texts.main);
  return checked(Py_BuildValue("NNnnNN", text.release(), main.release(), static_cast<Py_ssize_t>(texts.words),
                               static_cast<Py_ssize_t>(texts.main_words), bytes(texts.folded).release(),
                               bytes_of(texts.shingles).release()));
}

/// Lines, blocks and the indexes of preformatted lines.
inline Owned lines_of(const LineReader &reader) {
  std::vector<std::size_t> preformatted;
  for (std::size_t index = 0; index < reader.lines.size(); ++index) {
    if (reader.lines[index].is_preformatted) preformatted.push_back(index);
  }
  Owned lines = list(reader.lines, [&](const LineReader::Line &each) { return str(reader.of(each)); });
  Owned blocks = list(reader.blocks, [](const Block &each) {
    const char kind[] = {static_cast<char>(each.kind), '\0'};
    return checked(Py_BuildValue("snnn", kind, static_cast<Py_ssize_t>(each.start), static_cast<Py_ssize_t>(each.end),
                                 static_cast<Py_ssize_t>(each.first)));
  });
  Owned indexes = list(preformatted, [](std::size_t index) { return checked(PyLong_FromSize_t(index)); });
  return checked(Py_BuildValue("NNN", lines.release(), blocks.release(), indexes.release()));
}

}  // namespace ttcrawl
