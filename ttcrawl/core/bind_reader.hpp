// The class Reader, for Python: native.pyi says what it does.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "bind_page_texts.hpp"
#include "boxed.hpp"
#include "construction.hpp"
#include "left.hpp"
#include "page.hpp"
#include "python.hpp"
#include "rules.hpp"
#include "state.hpp"
#include "text_list.hpp"

namespace ttcrawl {

/// `reader` is the object that read them.
inline Owned links_of(const LinkReader &found, PyObject *reader) {
  std::string kinds;
  std::string landmarks;
  std::string nofollow;
  auto hrefs = std::make_unique<TextList>();
  auto anchors = std::make_unique<TextList>();
  for (const Link &each : found.links) {
    kinds.push_back(each.kind);
    landmarks.push_back(each.landmark);
    nofollow.push_back(static_cast<char>(each.is_nofollow));
    hrefs->add(each.made ? Utf8(each.made.get(), "surrogatepass").view() : each.href);
    anchors->add(each.anchor);
  }
  Owned metas = list(found.metas, [](const LinkReader::Meta &each) {
    return checked(Py_BuildValue("NN", str(each.name).release(), str(each.content).release()));
  });
  Owned base = found.has_base ? str(found.base) : none();
  return checked(Py_BuildValue(
      "NNNNNNNN", boxed_beside(reader, "TextList", std::move(hrefs)).release(), bytes(kinds).release(),
      bytes(landmarks).release(), bytes(nofollow).release(),
      boxed_beside(reader, "TextList", std::move(anchors)).release(), base.release(), metas.release(),
      str(found.title).release()));
}

inline Owned declarations_of(const DeclarationReader &reader, const LineReader &lines) {
  const auto declaration = [](const DeclarationReader::Declaration &each) {
    return checked(Py_BuildValue("NN", Py_NewRef(each.attributes.get()), PyBool_FromLong(each.is_of_other)));
  };
  const auto same = [](const Owned &each) { return Owned(Py_NewRef(each.get())); };
  Owned html = reader.html ? same(reader.html) : checked(PyDict_New());
  Owned headings = list(lines.headings, [](const LineReader::Heading &each) {
    return checked(Py_BuildValue("iN", each.level, str(each.text).release()));
  });
  return checked(Py_BuildValue("NNNNNN", list(reader.metas, declaration).release(),
                               list(reader.times, declaration).release(), list(reader.links, same).release(),
                               list(reader.scripts, str).release(), html.release(), headings.release()));
}

/// The result of `use` for a page that the core reads; else why it is left to Python.
template <class Use>
PyObject *read_with(PyObject *self, PyObject *page_bytes, Use use) {
  return guarded([&] {
    const std::string_view html = view_of_bytes(page_bytes);
    const ModuleState &state = state_of_object(self);
    try {
      Page page(unboxed<Rules>(self), state.unicode, html);
      Construction construction(html, state.references, page);  // the texts of the page live as long
      construction.run();
      page.check();
      return use(page);
    } catch (const Left &left) {
      return checked(PyUnicode_FromString(left.why));
    }
  });
}

inline PyObject *read_page(PyObject *self, PyObject *arguments) {
  PyObject *html = nullptr;
  PyObject *anchors = nullptr;
  if (!PyArg_ParseTuple(arguments, "OO!:read", &html, &PyTuple_Type, &anchors)) return nullptr;
  return read_with(self, html, [&](const Page &page) {
    const Rules &rules = unboxed<Rules>(self);
    Owned links = links_of(page.links, self);
    Owned declared = rules.wants_page ? declarations_of(page.declarations, page.lines) : none();
    Owned texts = rules.wants_text ? texts_of(page, rules, state_of_object(self), anchors) : none();
    return checked(Py_BuildValue("NNN", links.release(), declared.release(), texts.release()));
  });
}

inline PyObject *lines_of_page(PyObject *self, PyObject *html) {
  return read_with(self, html, [](const Page &page) { return lines_of(page.lines); });
}

inline PyObject *new_reader(PyTypeObject *type, PyObject *arguments, PyObject *) {
  return guarded([&] {
    PyObject *rules = nullptr;
    if (!PyArg_ParseTuple(arguments, "O:Reader", &rules)) throw PythonError();
    return boxed(type, std::make_unique<Rules>(rules, state_of_type(type).secret));
  });
}

inline PyMethodDef reader_methods[] = {
    {"read", read_page, METH_VARARGS, nullptr},
    {"lines", lines_of_page, METH_O, nullptr},
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
