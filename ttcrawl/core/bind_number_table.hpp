// The class Distances, for Python: native.pyi says what it does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "boxed.hpp"
#include "distances.hpp"
#include "python.hpp"
#include "state.hpp"

namespace ttcrawl {

inline PyObject *new_distances(PyTypeObject *type, PyObject *arguments, PyObject *) {
  return guarded([&] {
    if (!PyArg_ParseTuple(arguments, ":Distances")) throw PythonError();
    return boxed(type, std::make_unique<Distances>(state_of_type(type).secret));
  });
}

inline PyObject *get_distance(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
  return guarded([&] {
    if (count != 2) throw std::invalid_argument("a key and a distance are expected");
    const Distances::Distance distance = unboxed<Distances>(self).get(number_of(arguments[0]));
    if (distance == Distances::UNSENT) return Owned(Py_NewRef(arguments[1]));
    return checked(PyLong_FromUnsignedLong(distance));
  });
}

inline int set_distance(PyObject *self, PyObject *key, PyObject *value) {
  const Owned done(guarded([&] {
    if (value == nullptr) throw std::invalid_argument("pop removes a key");
    const std::int64_t distance = number_of(value);
    if (distance < 0 || distance >= Distances::UNSENT) throw std::invalid_argument("a distance has 31 bits");
    unboxed<Distances>(self).set(number_of(key), static_cast<Distances::Distance>(distance));
    return none();
  }));
  return done ? 0 : -1;
}

inline PyObject *pop_distance(PyObject *self, PyObject *arguments) {
  return guarded([&] {
    PyObject *key = nullptr;
    PyObject *otherwise = nullptr;
    if (!PyArg_ParseTuple(arguments, "OO:pop", &key, &otherwise)) throw PythonError();
    Distances &distances = unboxed<Distances>(self);
    const std::int64_t number = number_of(key);
    const Distances::Distance distance = distances.get(number);
    distances.remove(number);
    if (distance == Distances::UNSENT) return Owned(Py_NewRef(otherwise));
    return checked(PyLong_FromUnsignedLong(distance));
  });
}

inline PyObject *clear_distances(PyObject *self, PyObject *) {
  return guarded([&] {
    unboxed<Distances>(self).clear();
    return none();
  });
}

inline Py_ssize_t size_of_distances(PyObject *self) {
  return static_cast<Py_ssize_t>(unboxed<Distances>(self).size());
}

inline PyMethodDef distances_methods[] = {
    {"get", reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(get_distance)), METH_FASTCALL, nullptr},
    {"pop", pop_distance, METH_VARARGS, nullptr},
    {"clear", clear_distances, METH_NOARGS, nullptr},
    {},
};

inline PyType_Slot distances_slots[] = {
    {Py_tp_new, reinterpret_cast<void *>(new_distances)},
    {Py_tp_dealloc, reinterpret_cast<void *>(free_boxed<Distances>)},
    {Py_tp_methods, distances_methods},
    {Py_mp_length, reinterpret_cast<void *>(size_of_distances)},
    {Py_mp_ass_subscript, reinterpret_cast<void *>(set_distance)},
    {},
};

inline PyType_Spec distances_spec = {
    "ttcrawl.core.native.Distances", sizeof(Boxed<Distances>), 0, Py_TPFLAGS_DEFAULT, distances_slots,
};

}  // namespace ttcrawl
