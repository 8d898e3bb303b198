// The classes Bits and BucketMemory, for Python: native.pyi says what they do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "boxed.hpp"
#include "buckets.hpp"
#include "python.hpp"

namespace ttcrawl {

/// Numbers as a list of ints.
inline Owned ints(std::span<const std::int64_t> numbers) {
  return list(numbers, [](std::int64_t number) { return checked(PyLong_FromLongLong(number)); });
}

// -- Bits -------------------------------------------------------------------------------------------------------------

inline PyObject *new_bits(PyTypeObject *type, PyObject *arguments, PyObject *) {
  return guarded([&] {
    unsigned long long size = 0;
    if (!PyArg_ParseTuple(arguments, "K:Bits", &size)) throw PythonError();
    return boxed(type, std::make_unique<Bits>(size));
  });
}

inline PyObject *add_bits(PyObject *self, PyObject *keys) {
  return guarded([&] {
    for (const std::int64_t key : numbers_of(keys)) unboxed<Bits>(self).add(key);
    return none();
  });
}

inline PyObject *perhaps_in_bits(PyObject *self, PyObject *keys) {
  return guarded([&] {
    std::vector<std::int64_t> numbers = numbers_of(keys);
    std::erase_if(numbers, [self](std::int64_t key) { return !unboxed<Bits>(self).perhaps(key); });
    return ints(numbers);
  });
}

inline PyMethodDef bits_methods[] = {
    {"add", add_bits, METH_O, nullptr},
    {"perhaps", perhaps_in_bits, METH_O, nullptr},
    {},
};

inline PyType_Slot bits_slots[] = {
    {Py_tp_new, reinterpret_cast<void *>(new_bits)},
    {Py_tp_dealloc, reinterpret_cast<void *>(free_boxed<Bits>)},
    {Py_tp_methods, bits_methods},
    {},
};

inline PyType_Spec bits_spec = {"ttcrawl.core.native.Bits", sizeof(Boxed<Bits>), 0, Py_TPFLAGS_DEFAULT, bits_slots};

// -- BucketMemory -----------------------------------------------------------------------------------------------------

inline PyObject *new_bucket_memory(PyTypeObject *type, PyObject *arguments, PyObject *) {
  return guarded([&] {
    if (!PyArg_ParseTuple(arguments, ":BucketMemory")) throw PythonError();
    return boxed(type, std::make_unique<BucketMemory>());
  });
}

inline PyObject *add_buckets(PyObject *self, PyObject *arguments) {
  return guarded([&] {
    PyObject *keys = nullptr;
    unsigned int page = 0;
    if (!PyArg_ParseTuple(arguments, "OI:add", &keys, &page)) throw PythonError();
    for (const std::int64_t key : numbers_of(keys)) unboxed<BucketMemory>(self).add(key, page);
    return none();
  });
}

inline PyObject *pages_of_buckets(PyObject *self, PyObject *keys) {
  return guarded([&] {
    Owned pages = checked(PyDict_New());
    for (const std::int64_t key : numbers_of(keys)) {
      const std::uint32_t *page = unboxed<BucketMemory>(self).page(key);
      if (page == nullptr) continue;
      const Owned number = checked(PyLong_FromLongLong(key));
      const Owned of_key = checked(PyLong_FromUnsignedLong(*page));
      if (PyDict_SetItem(pages.get(), number.get(), of_key.get()) < 0) throw PythonError();
    }
    return pages;
  });
}

inline PyObject *replace_buckets(PyObject *self, PyObject *arguments) {
  return guarded([&] {
    PyObject *keys = nullptr;
    unsigned int page = 0;
    if (!PyArg_ParseTuple(arguments, "OI:replace", &keys, &page)) throw PythonError();
    std::vector<std::int64_t> numbers = numbers_of(keys);
    std::erase_if(numbers, [&](std::int64_t key) {
      std::uint32_t *of_key = unboxed<BucketMemory>(self).page(key);
      if (of_key != nullptr) *of_key = page;
      return of_key != nullptr;
    });
    return ints(numbers);
  });
}

inline PyObject *remove_buckets(PyObject *self, PyObject *keys) {
  return guarded([&] {
    std::vector<std::int64_t> numbers = numbers_of(keys);
    std::erase_if(numbers, [self](std::int64_t key) { return unboxed<BucketMemory>(self).remove(key); });
    return ints(numbers);
  });
}

inline PyObject *keys_of_part(PyObject *self, PyObject *part) {
  return guarded([&] {
    const std::size_t number = PyLong_AsSize_t(part);
    if (PyErr_Occurred() != nullptr) throw PythonError();
    return ints(unboxed<BucketMemory>(self).keys(number));
  });
}

inline PyObject *take_buckets(PyObject *self, PyObject *arguments) {
  return guarded([&] {
    Py_ssize_t first = 0;
    Py_ssize_t end = 0;
    if (!PyArg_ParseTuple(arguments, "nn:take", &first, &end)) throw PythonError();
    const auto rows = unboxed<BucketMemory>(self).take(static_cast<std::size_t>(first), static_cast<std::size_t>(end));
    return list(rows, [](const BucketMemory::Row &row) {
      return checked(Py_BuildValue("(LI)", static_cast<long long>(row.first), row.second));
    });
  });
}

inline PyMethodDef bucket_memory_methods[] = {
    {"add", add_buckets, METH_VARARGS, nullptr},         {"pages", pages_of_buckets, METH_O, nullptr},
    {"replace", replace_buckets, METH_VARARGS, nullptr}, {"remove", remove_buckets, METH_O, nullptr},
    {"keys", keys_of_part, METH_O, nullptr},             {"take", take_buckets, METH_VARARGS, nullptr},
    {},
};

inline PyType_Slot bucket_memory_slots[] = {
    {Py_tp_new, reinterpret_cast<void *>(new_bucket_memory)},
    {Py_tp_dealloc, reinterpret_cast<void *>(free_boxed<BucketMemory>)},
    {Py_tp_methods, bucket_memory_methods},
    {},
};

inline PyType_Spec bucket_memory_spec = {
    "ttcrawl.core.native.BucketMemory", sizeof(Boxed<BucketMemory>), 0, Py_TPFLAGS_DEFAULT, bucket_memory_slots,
};

}  // namespace ttcrawl
