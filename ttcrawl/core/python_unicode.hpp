// The tables of Unicode, from the running Python.
#pragma once

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

/// ASCII is folded without a table; what has no case stands for itself.
inline void set_foldings(Unicode &unicode) {
  for (char32_t code = 0x80; code < Unicode::CASED; ++code) {
    if (!Py_UNICODE_ISLOWER(code) && !Py_UNICODE_ISUPPER(code) && !Py_UNICODE_ISTITLE(code)) continue;
    const Owned character = checked(PyUnicode_FromOrdinal(static_cast<int>(code)));
    const Owned folded = checked(PyObject_CallMethod(character.get(), "casefold", nullptr));
    if (PyUnicode_Compare(character.get(), folded.get()) != 0) {
      unicode.set_folding(code, std::string(view_of_str(folded.get())));
    }
  }
}

/// What \w matches in a pattern. Without a table: few characters are asked for.
inline bool is_word_character(char32_t code) { return code == U'_' || Py_UNICODE_ISALNUM(code); }

inline Unicode unicode_of_python() {
  const Owned module = checked(PyImport_ImportModule("ttcrawl.web.unspaced"));
  const Owned unspaced = checked(PyObject_GetAttrString(module.get(), "UNSPACED"));
  Unicode unicode;
  set_kinds(unicode, unspaced.get());
  set_foldings(unicode);
  return unicode;
}

}  // namespace ttcrawl
