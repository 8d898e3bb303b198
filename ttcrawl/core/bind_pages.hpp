// The functions of pages, for Python: native.pyi says what each does.
#pragma once

#include "construction.hpp"
#include "events.hpp"
#include "left.hpp"
#include "python.hpp"
#include "state.hpp"

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

inline PyMethodDef page_functions[] = {
    {"events", events_of_page, METH_O, nullptr},
    {},
};

}  // namespace ttcrawl
