// The functions of pages, for Python: native.pyi says what each does.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include "construction.hpp"
#include "events.hpp"
#include "left.hpp"
#include "python.hpp"
#include "state.hpp"
#include "tag_sizes.hpp"

namespace ttcrawl {

inline PyObject *events_of_page(PyObject *module, PyObject *argument) {
  return guarded([&] {
    Events events;
    try {
      Construction(view_of_bytes(argument), state_of(module).references, events).run();
    } catch (const Left &left) {
      return checked(PyUnicode_FromString(left.why));
    }
    Owned list = checked(PyList_New(static_cast<Py_ssize_t>(events.lines.size())));
    Py_ssize_t index = 0;
    for (const std::string &line : events.lines) {
      const auto size = static_cast<Py_ssize_t>(line.size());
      PyList_SET_ITEM(list.get(), index++, checked(PyUnicode_DecodeUTF8(line.data(), size, "strict")).release());
    }
    return list;
  });
}

inline PyObject *has_tags_in_page(PyObject *, PyObject *arguments) {
  return guarded([&] {
    PyObject *html = nullptr;
    Py_ssize_t count = 0;
    if (!PyArg_ParseTuple(arguments, "O!n:has_tags", &PyBytes_Type, &html, &count)) throw PythonError();
    const auto found = static_cast<Py_ssize_t>(count_of(view_of_bytes(html), '<'));
    return checked(PyBool_FromLong(found >= count));
  });
}

inline PyObject *may_have_long_tag_in_page(PyObject *, PyObject *arguments) {
  return guarded([&] {
    PyObject *html = nullptr;
    Py_ssize_t size = 0;
    if (!PyArg_ParseTuple(arguments, "O!n:may_have_long_tag", &PyBytes_Type, &html, &size)) throw PythonError();
    if (size < 1) throw std::invalid_argument("a tag has a byte or more");
    return checked(PyBool_FromLong(may_have_long_tag(view_of_bytes(html), static_cast<std::size_t>(size))));
  });
}

inline PyMethodDef page_functions[] = {
    {"has_tags", has_tags_in_page, METH_VARARGS, nullptr},
    {"may_have_long_tag", may_have_long_tag_in_page, METH_VARARGS, nullptr},
    {"events", events_of_page, METH_O, nullptr},
    {},
};

}  // namespace ttcrawl
