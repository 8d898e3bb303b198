// The functions of pages, for Python: native.pyi says what each does.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include "construction.hpp"
#include "events.hpp"
#include "left.hpp"
#include "many_attributes.hpp"
#include "nested_tags.hpp"
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
    return list(events.lines, str);
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

inline PyObject *has_many_attributes_in_page(PyObject *, PyObject *arguments) {
  return guarded([&] {
    PyObject *html = nullptr;
    Py_ssize_t most = 0;
    if (!PyArg_ParseTuple(arguments, "O!n:has_many_attributes", &PyBytes_Type, &html, &most)) throw PythonError();
    if (most < 0) throw std::invalid_argument("the number of attributes is 0 or more");
    const ManyAttributes tags(view_of_bytes(html), static_cast<std::size_t>(most));
    return checked(PyBool_FromLong(tags.is_in_page()));
  });
}

inline PyObject *nesting_of_page(PyObject *module, PyObject *arguments) {
  return guarded([&] {
    PyObject *html = nullptr;
    Py_ssize_t deepest = 0;
    if (!PyArg_ParseTuple(arguments, "O!n:nesting", &PyBytes_Type, &html, &deepest)) throw PythonError();
    if (deepest < 1) throw std::invalid_argument("the depth is 1 or more");
    std::string why;
    std::size_t count = 0;
    try {
      count = NestedTags(view_of_bytes(html), static_cast<std::size_t>(deepest), state_of(module).secret).walk();
    } catch (const TooDeep &error) {
      why = error.why;
    }
    return checked(Py_BuildValue("(s#n)", why.data(), static_cast<Py_ssize_t>(why.size()),
                                 static_cast<Py_ssize_t>(count)));
  });
}

inline PyMethodDef page_functions[] = {
    {"has_tags", has_tags_in_page, METH_VARARGS, nullptr},
    {"may_have_long_tag", may_have_long_tag_in_page, METH_VARARGS, nullptr},
    {"has_many_attributes", has_many_attributes_in_page, METH_VARARGS, nullptr},
    {"nesting", nesting_of_page, METH_VARARGS, nullptr},
    {"events", events_of_page, METH_O, nullptr},
    {},
};

}  // namespace ttcrawl
