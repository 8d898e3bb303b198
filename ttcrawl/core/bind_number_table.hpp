// The class NumberTable, for Python: native.pyi says what it does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "boxed.hpp"
#include "number_table.hpp"
#include "python.hpp"
#include "state.hpp"

namespace ttcrawl {

inline PyObject *new_number_table(PyTypeObject *type, PyObject *arguments, PyObject *) {
  return guarded([&] {
    if (!PyArg_ParseTuple(arguments, ":NumberTable")) throw PythonError();
    return boxed(type, std::make_unique<NumberTable>(state_of_type(type).secret));
  });
}

inline PyObject *get_number(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
  return guarded([&] {
    if (count != 2) throw std::invalid_argument("a key and a number are expected");
    const NumberTable::Number number = unboxed<NumberTable>(self).get(number_of(arguments[0]));
    if (number == NumberTable::ABSENT) return Owned(Py_NewRef(arguments[1]));
    return checked(PyLong_FromUnsignedLong(number));
  });
}

inline int set_number(PyObject *self, PyObject *key, PyObject *value) {
  const Owned done(guarded([&] {
    if (value == nullptr) throw std::invalid_argument("pop removes a key");
    const std::int64_t number = number_of(value);
    if (number < 0 || number >= NumberTable::ABSENT) throw std::invalid_argument("the number has more than 32 bits");
    unboxed<NumberTable>(self).set(number_of(key), static_cast<NumberTable::Number>(number));
    return none();
  }));
  return done ? 0 : -1;
}

inline PyObject *pop_number(PyObject *self, PyObject *arguments) {
  return guarded([&] {
    PyObject *key = nullptr;
    PyObject *otherwise = nullptr;
    if (!PyArg_ParseTuple(arguments, "OO:pop", &key, &otherwise)) throw PythonError();
    NumberTable &table = unboxed<NumberTable>(self);
    const std::int64_t which = number_of(key);
    const NumberTable::Number number = table.get(which);
    table.remove(which);
    if (number == NumberTable::ABSENT) return Owned(Py_NewRef(otherwise));
    return checked(PyLong_FromUnsignedLong(number));
  });
}

/// Whether a key is there, as `in` asks.
inline int has_key(PyObject *self, PyObject *key) {
  bool here = false;
  const Owned done(guarded([&] {
    here = unboxed<NumberTable>(self).get(number_of(key)) != NumberTable::ABSENT;
    return none();
  }));
  return done ? here : -1;
}

inline PyObject *clear_numbers(PyObject *self, PyObject *) {
  return guarded([&] {
    unboxed<NumberTable>(self).clear();
    return none();
  });
}

inline Py_ssize_t size_of_number_table(PyObject *self) {
  return static_cast<Py_ssize_t>(unboxed<NumberTable>(self).size());
}

inline PyMethodDef number_table_methods[] = {
    {"get", reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(get_number)), METH_FASTCALL, nullptr},
    {"pop", pop_number, METH_VARARGS, nullptr},
    {"clear", clear_numbers, METH_NOARGS, nullptr},
    {},
};

inline PyType_Slot number_table_slots[] = {
    {Py_tp_new, reinterpret_cast<void *>(new_number_table)},
    {Py_tp_dealloc, reinterpret_cast<void *>(free_boxed<NumberTable>)},
    {Py_tp_methods, number_table_methods},
    {Py_mp_length, reinterpret_cast<void *>(size_of_number_table)},
    {Py_sq_contains, reinterpret_cast<void *>(has_key)},
    {Py_mp_ass_subscript, reinterpret_cast<void *>(set_number)},
    {},
};

inline PyType_Spec number_table_spec = {
    "ttcrawl.core.native.NumberTable", sizeof(Boxed<NumberTable>), 0, Py_TPFLAGS_DEFAULT, number_table_slots,
};

}  // namespace ttcrawl
