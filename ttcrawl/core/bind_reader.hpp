// The class Reader, for Python: native.pyi says what it does.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ascii.hpp"
#include "boxed.hpp"
#include "construction.hpp"
#include "left.hpp"
#include "page.hpp"
#include "python.hpp"
#include "rules.hpp"
#include "state.hpp"

namespace ttcrawl {

/// A list of what `make` returns for each item.
template <class Items, class Make>
Owned list(const Items &items, Make make) {
  Owned made = checked(PyList_New(static_cast<Py_ssize_t>(items.size())));
  Py_ssize_t index = 0;
  for (const auto &each : items) PyList_SET_ITEM(made.get(), index++, make(each).release());
  return made;
}

inline Owned bool_of(bool value) { return Owned(PyBool_FromLong(value)); }

inline Owned anchors_of(const std::vector<LinkReader::Link> &links) {
  const Owned texts = list(links, [](const LinkReader::Link &each) { return str(each.anchor); });
  return checked(PyList_AsTuple(texts.get()));
}

inline Owned links_of(const LinkReader &reader) {
  std::string kinds;
  std::string landmarks;
  std::string nofollow;
  for (const LinkReader::Link &each : reader.links) {
    kinds.push_back(each.kind);
    landmarks.push_back(each.landmark);
    nofollow.push_back(static_cast<char>(each.is_nofollow));
  }
  Owned hrefs = list(reader.links, [](const LinkReader::Link &each) {
    return each.made ? Owned(Py_NewRef(each.made.get())) : str(each.href);
  });
  Owned metas = list(reader.metas, [](const LinkReader::Meta &each) {
    return checked(Py_BuildValue("NN", str(each.name).release(), str(each.content).release()));
  });
  Owned base = reader.has_base ? str(reader.base) : Owned(Py_NewRef(Py_None));
  return checked(Py_BuildValue("NNNNNNNN", hrefs.release(), bytes(kinds).release(), bytes(landmarks).release(),
                               bytes(nofollow).release(), anchors_of(reader.links).release(), base.release(),
                               metas.release(), str(reader.title).release()));
}

inline Owned declarations_of(const DeclarationReader &reader) {
  const auto declaration = [](const DeclarationReader::Declaration &each) {
    return checked(Py_BuildValue("NN", Py_NewRef(each.attributes.get()), bool_of(each.is_of_other).release()));
  };
  const auto same = [](const Owned &each) { return Owned(Py_NewRef(each.get())); };
  Owned html = reader.html ? same(reader.html) : checked(PyDict_New());
  return checked(Py_BuildValue("NNNNN", list(reader.metas, declaration).release(),
                               list(reader.times, declaration).release(), list(reader.links, same).release(),
                               list(reader.scripts, str).release(), html.release()));
}

inline Owned lines_of(const LineReader &reader) {
  std::vector<std::size_t> preformatted;
  for (std::size_t index = 0; index < reader.lines.size(); ++index) {
    if (reader.lines[index].is_preformatted) preformatted.push_back(index);
  }
  Owned headings = list(reader.headings, [](const LineReader::Heading &each) {
    return checked(Py_BuildValue("iN", each.level, str(each.text).release()));
  });
  Owned lines = list(reader.lines, [&](const LineReader::Line &each) { return str(reader.of(each)); });
  Owned blocks = list(reader.blocks, [](const LineReader::Block &each) {
    const char kind[] = {each.kind, '\0'};
    return checked(Py_BuildValue("snnn", kind, static_cast<Py_ssize_t>(each.start), static_cast<Py_ssize_t>(each.end),
                                 static_cast<Py_ssize_t>(each.first)));
  });
  Owned indexes = list(preformatted, [](std::size_t index) { return checked(PyLong_FromSize_t(index)); });
  return checked(
      Py_BuildValue("NNNN", headings.release(), lines.release(), blocks.release(), indexes.release()));
}

/// Whether the source has a frame anywhere: the Python reader marks them all, also within scripts.
inline bool has_frame(std::string_view html) {
  for (std::size_t at = html.find('<'); at < html.size(); at = html.find('<', at + 1)) {
    if (starts_ignoring_case(html.substr(at), "<frame")) return true;
  }
  return false;
}

inline Owned read(Rules &rules, const ModuleState &state, std::string_view html) {
  if (html.find("data-ttcrawl-content") < html.size()) throw Left{"marks of content regions"};
  if (has_frame(html)) throw Left{"frame"};
  Page page(rules, state.unicode, html);
  Construction construction(html, state.references, page);  // the texts of the page live as long
  construction.run();
  Owned links = links_of(page.links);
  if (!rules.wants_text) return checked(Py_BuildValue("NOO", links.release(), Py_None, Py_None));
  return checked(Py_BuildValue("NNN", links.release(), declarations_of(page.declarations).release(),
                               lines_of(page.lines).release()));
}

inline PyObject *read_page(PyObject *self, PyObject *html) {
  return guarded([&] {
    try {
      return read(unboxed<Rules>(self), state_of_object(self), view_of_bytes(html));
    } catch (const Left &left) {
      return checked(PyUnicode_FromString(left.why));
    }
  });
}

inline PyObject *new_reader(PyTypeObject *type, PyObject *arguments, PyObject *) {
  return guarded([&] {
    PyObject *rules = nullptr;
    if (!PyArg_ParseTuple(arguments, "O:Reader", &rules)) throw PythonError();
    return boxed(type, std::make_unique<Rules>(rules));
  });
}

inline PyMethodDef reader_methods[] = {
    {"read", read_page, METH_O, nullptr},
    {},
};

inline PyType_Slot reader_slots[] = {
    {Py_tp_new, reinterpret_cast<void *>(new_reader)},
    {Py_tp_dealloc, reinterpret_cast<void *>(free_boxed<Rules>)},
    {Py_tp_methods, reader_methods},
    {},
};

inline PyType_Spec reader_spec = {
    "ttcrawl.core.native.Reader", sizeof(Boxed<Rules>), 0, Py_TPFLAGS_DEFAULT, reader_slots,
};

}  // namespace ttcrawl
