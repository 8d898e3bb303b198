// The names of characters, from the running Python.
#pragma once

#include "character_references.hpp"
#include "python.hpp"

namespace ttcrawl {

inline NamedReferences references_of_python() {
  const Owned module = checked(PyImport_ImportModule("html.entities"));
  const Owned html5 = checked(PyObject_GetAttrString(module.get(), "html5"));
  NamedReferences references;
  PyObject *name = nullptr;
  PyObject *text = nullptr;
  for (Py_ssize_t at = 0; PyDict_Next(html5.get(), &at, &name, &text);) {
    references.add(Utf8(name, "strict").view(), Utf8(text, "strict").view());
  }
  return references;
}

}  // namespace ttcrawl
