// The function of the seen set, for Python: native.pyi says what it does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "python.hpp"
#include "seen.hpp"

namespace ttcrawl {

/// Memory of a Python object that stays where it is, and may be written, until the end of the scope.
class Buffer {
 public:
  explicit Buffer(PyObject *object) {
    if (PyObject_GetBuffer(object, &view_, PyBUF_WRITABLE) < 0) throw PythonError();
  }
  Buffer(Buffer &&other) noexcept : view_(std::exchange(other.view_, {})) {}
  Buffer &operator=(Buffer &&) = delete;
  ~Buffer() { PyBuffer_Release(&view_); }

  std::span<unsigned char> bytes() const {
    return {static_cast<unsigned char *>(view_.buf), static_cast<std::size_t>(view_.len)};
  }

 private:
  Py_buffer view_{};
};

inline PyObject *maybe_seen_keys(PyObject *, PyObject *arguments) {
  return guarded([&] {
    PyObject *filters = nullptr;
    PyObject *keys = nullptr;
    Py_ssize_t room = 0;
    if (!PyArg_ParseTuple(arguments, "O!On:maybe_seen", &PyTuple_Type, &filters, &keys, &room)) throw PythonError();
    std::vector<Buffer> buffers;
    std::vector<BloomFilter> blooms;
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(filters); ++index) {
      PyObject *filter = PyTuple_GET_ITEM(filters, index);
      if (!PyTuple_Check(filter)) throw std::invalid_argument("a filter is a tuple");
      PyObject *bits = nullptr;
      long long size = 0;
      long long slices = 0;
      if (!PyArg_ParseTuple(filter, "OLL:filter", &bits, &size, &slices)) throw PythonError();
      const auto bytes = buffers.emplace_back(bits).bytes();
      if (size < 1 || static_cast<std::size_t>(size - 1) / 8 >= bytes.size()) {
        throw std::invalid_argument("a filter has another number of bits");
      }
      blooms.push_back({bytes, size, slices});
    }
    if (blooms.empty() || room < 0) throw std::invalid_argument("there is a filter, with room for more keys");
    return bytes(maybe_seen(blooms, numbers_of(keys), static_cast<std::size_t>(room)));
  });
}

inline PyMethodDef seen_functions[] = {
    {"maybe_seen", maybe_seen_keys, METH_VARARGS, nullptr},
    {},
};

}  // namespace ttcrawl
