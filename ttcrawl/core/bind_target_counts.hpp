// The class TargetCounts, for Python: native.pyi says what it does.
#pragma once

#include <memory>

#include "boxed.hpp"
#include "python.hpp"
#include "state.hpp"
#include "target_counts.hpp"

namespace ttcrawl {

inline PyObject *new_target_counts(PyTypeObject *type, PyObject *arguments, PyObject *) {
  return guarded([&] {
    if (!PyArg_ParseTuple(arguments, ":TargetCounts")) throw PythonError();
    return boxed(type, std::make_unique<TargetCounts>(state_of_type(type).secret));
  });
}

inline PyObject *add_targets(PyObject *self, PyObject *arguments) {
  return guarded([&] {
    PyObject *targets = nullptr;
    PyObject *positions = nullptr;
    if (!PyArg_ParseTuple(arguments, "UO!:add", &targets, &PyBytes_Type, &positions)) throw PythonError();
    const Utf8 text(targets, "surrogatepass");
    return checked(PyBool_FromLong(unboxed<TargetCounts>(self).add(text.view(), view_of_bytes(positions)) ? 1 : 0));
  });
}

inline PyObject *distinct_targets(PyObject *self, PyObject *) {
  return guarded([&] {
    const TargetCounts::Distinct numbers = unboxed<TargetCounts>(self).distinct();
    return checked(Py_BuildValue("(nnn)", static_cast<Py_ssize_t>(numbers.content),
                                 static_cast<Py_ssize_t>(numbers.elsewhere), static_cast<Py_ssize_t>(numbers.all)));
  });
}

inline PyObject *counts_of_target(PyObject *self, PyObject *key) {
  return guarded([&] {
    const TargetCounts::Entry &entry = unboxed<TargetCounts>(self).of(number_of(key));
    return checked(Py_BuildValue("(II)", entry.content, entry.elsewhere));
  });
}

inline PyMethodDef target_counts_methods[] = {
    {"add", add_targets, METH_VARARGS, nullptr},
    {"distinct", distinct_targets, METH_NOARGS, nullptr},
    {"of", counts_of_target, METH_O, nullptr},
    {},
};

inline PyType_Slot target_counts_slots[] = {
    {Py_tp_new, reinterpret_cast<void *>(new_target_counts)},
    {Py_tp_dealloc, reinterpret_cast<void *>(free_boxed<TargetCounts>)},
    {Py_tp_methods, target_counts_methods},
    {},
};

inline PyType_Spec target_counts_spec = {
    "ttcrawl.core.native.TargetCounts", sizeof(Boxed<TargetCounts>), 0, Py_TPFLAGS_DEFAULT, target_counts_slots,
};

}  // namespace ttcrawl
