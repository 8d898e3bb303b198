// The functions of repeated content, for Python: native.pyi says what each does.
#pragma once

#include <set>
#include <string_view>

#include "python.hpp"
#include "repeated_content.hpp"

namespace ttcrawl {

inline PyObject *page_without_hrefs(PyObject *, PyObject *html) {
  return guarded([&] { return bytes(without_hrefs(view_of_bytes(html))); });
}

inline PyObject *page_without_numbers(PyObject *, PyObject *arguments) {
  return guarded([&] {
    PyObject *html = nullptr;
    PyObject *numbers = nullptr;
    if (!PyArg_ParseTuple(arguments, "O!O!:without_numbers", &PyBytes_Type, &html, &PyTuple_Type, &numbers)) {
      throw PythonError();
    }
    std::set<std::string_view> views;
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(numbers); ++index) {
      views.insert(view_of_bytes(PyTuple_GET_ITEM(numbers, index)));
    }
    return bytes(without_numbers(view_of_bytes(html), views));
  });
}

inline PyMethodDef repeated_content_functions[] = {
    {"without_hrefs", page_without_hrefs, METH_O, nullptr},
    {"without_numbers", page_without_numbers, METH_VARARGS, nullptr},
    {},
};

}  // namespace ttcrawl
