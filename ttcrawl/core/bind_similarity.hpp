// The functions of similarity, for Python: native.pyi says what each does.
#pragma once

#include <cstddef>
#include <stdexcept>

#include "python.hpp"
#include "similarity.hpp"

namespace ttcrawl {

inline PyObject *estimated_similarity(PyObject *, PyObject *arguments) {
  return guarded([&] {
    PyObject *one = nullptr;
    PyObject *other = nullptr;
    if (!PyArg_ParseTuple(arguments, "OO:estimated_similarity", &one, &other)) throw PythonError();
    return checked(PyFloat_FromDouble(share_of_equal(Hashes(view_of_bytes(one)), Hashes(view_of_bytes(other)))));
  });
}

inline PyObject *sketch_similarity(PyObject *, PyObject *arguments) {
  return guarded([&] {
    PyObject *one = nullptr;
    PyObject *other = nullptr;
    Py_ssize_t size = 0;
    if (!PyArg_ParseTuple(arguments, "OOn:sketch_similarity", &one, &other, &size)) throw PythonError();
    if (size < 1) throw std::invalid_argument("a sketch has a hash or more");
    const Hashes hashes(view_of_bytes(one));
    return checked(PyFloat_FromDouble(jaccard(hashes, Hashes(view_of_bytes(other)), static_cast<std::size_t>(size))));
  });
}

inline PyMethodDef similarity_functions[] = {
    {"estimated_similarity", estimated_similarity, METH_VARARGS, nullptr},
    {"sketch_similarity", sketch_similarity, METH_VARARGS, nullptr},
    {},
};

}  // namespace ttcrawl
