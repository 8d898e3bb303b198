// Objects of Python that own a value of C++.
#pragma once

#include <memory>
#include <utility>

#include "python.hpp"
#include "state.hpp"

namespace ttcrawl {

template <class Value>
struct Boxed {
  PyObject_HEAD
  std::unique_ptr<Value> value;
};

template <class Value>
Value &unboxed(PyObject *object) {
  return *reinterpret_cast<Boxed<Value> *>(object)->value;
}

/// The state of the module of this class, which has no subclasses.
inline const ModuleState &state_of_type(PyTypeObject *type) {
  return **static_cast<StatePointer *>(PyType_GetModuleState(type));
}

inline const ModuleState &state_of_object(PyObject *object) { return state_of_type(Py_TYPE(object)); }

/// A new object of a class; the memory is Python's.
template <class Value>
Owned boxed(PyTypeObject *type, std::unique_ptr<Value> value) {
  Owned object = checked(type->tp_alloc(type, 0));
  std::construct_at(&reinterpret_cast<Boxed<Value> *>(object.get())->value, std::move(value));
  return object;
}

/// The destructor of such objects.
template <class Value>
void free_boxed(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  std::destroy_at(&reinterpret_cast<Boxed<Value> *>(object)->value);
  type->tp_free(object);
  Py_DECREF(type);
}

/// The value of an argument, which must be such an object.
template <class Value>
Value &unboxed_argument(PyObject *object) {
  if (Py_TYPE(object)->tp_dealloc != free_boxed<Value>) {
    PyErr_Format(PyExc_TypeError, "%s is not expected here", Py_TYPE(object)->tp_name);
    throw PythonError();
  }
  return unboxed<Value>(object);
}

/// A new object of the class of this name, for one of another class of the same module.
template <class Value>
Owned boxed_beside(PyObject *object, const char *name, std::unique_ptr<Value> value) {
  const Owned type = checked(PyObject_GetAttrString(PyType_GetModule(Py_TYPE(object)), name));
  return boxed(reinterpret_cast<PyTypeObject *>(type.get()), std::move(value));
}

/// Add a class to the module.
inline void add_type(PyObject *module, PyType_Spec &spec) {
  const Owned type = checked(PyType_FromModuleAndSpec(module, &spec, nullptr));
  if (PyModule_AddType(module, reinterpret_cast<PyTypeObject *>(type.get())) < 0) throw PythonError();
}

}  // namespace ttcrawl
