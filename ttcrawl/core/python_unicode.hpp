// The tables of Unicode, from the running Python.
#pragma once

#include <array>
#include <string>

#include "python.hpp"
#include "unicode.hpp"

namespace ttcrawl {

/// `unspaced`: the first and the last code point of each range, as ttcrawl.web.unspaced.UNSPACED.
inline void set_kinds(Unicode &unicode, PyObject *unspaced) {
  for (char32_t code = 0; code < Unicode::CASED; ++code) {
    if (Py_UNICODE_ISSPACE(code)) {
      unicode.set_kind(code, Py_UNICODE_ISLINEBREAK(code) ? Kind::NEWLINE : Kind::SPACE);
    } else if (Py_UNICODE_ISALPHA(code)) {
      unicode.set_kind(code, Kind::LETTER);
    }
  }
  const Owned ranges = checked(PySequence_Fast(unspaced, "ranges of code points"));
  for (Py_ssize_t index = 0; index < PySequence_Fast_GET_SIZE(ranges.get()); ++index) {
    unsigned int first = 0;
    unsigned int last = 0;
    if (!PyArg_ParseTuple(PySequence_Fast_GET_ITEM(ranges.get(), index), "II", &first, &last)) throw PythonError();
    for (char32_t code = first; code <= last && code < Unicode::KINDS; ++code) unicode.set_kind(code, Kind::IDEOGRAPH);
  }
}

/// str.casefold of `size` code points.
inline Owned casefolded(const Py_UCS4 *codes, Py_ssize_t size) {
  const Owned text = checked(PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, codes, size));
  return checked(PyObject_CallMethod(text.get(), "casefold", nullptr));
}

inline bool is_changed(const Owned &folded, const Py_UCS4 *codes, Py_ssize_t size) {
  const Owned text = checked(PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, codes, size));
  return PyUnicode_Compare(text.get(), folded.get()) != 0;
}

/// Most blocks have no case, and are asked once. ASCII is folded without a table.
inline void set_foldings(Unicode &unicode) {
  std::array<Py_UCS4, 128> block{};
  for (char32_t first = block.size(); first < Unicode::CASED; first += block.size()) {
    for (char32_t index = 0; index < block.size(); ++index) block[index] = first + index;
    if (!is_changed(casefolded(block.data(), block.size()), block.data(), block.size())) continue;
    for (const Py_UCS4 &code : block) {
      const Owned folded = casefolded(&code, 1);
      if (is_changed(folded, &code, 1)) unicode.set_folding(code, std::string(Utf8(folded.get(), "strict").view()));
    }
  }
}

inline Unicode unicode_of_python() {
  const Owned module = checked(PyImport_ImportModule("ttcrawl.web.unspaced"));
  const Owned unspaced = checked(PyObject_GetAttrString(module.get(), "UNSPACED"));
  Unicode unicode;
  set_kinds(unicode, unspaced.get());
  set_foldings(unicode);
  return unicode;
}

}  // namespace ttcrawl
