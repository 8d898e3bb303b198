// Python's objects with an owner, and C++'s exceptions as Python's.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace ttcrawl {

/// Python has set an exception.
struct PythonError {};

/// A reference that is given back at the end of its scope.
class Owned {
 public:
  explicit Owned(PyObject *object = nullptr) : object_(object) {}
  Owned(Owned &&other) noexcept : object_(other.release()) {}
  Owned &operator=(Owned &&other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Owned() { Py_XDECREF(object_); }

  PyObject *get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  PyObject *release() { return std::exchange(object_, nullptr); }

 private:
  PyObject *object_;
};

/// The result of a function of Python, which is null after an error.
inline Owned checked(PyObject *object) {
  if (object == nullptr) throw PythonError();
  return Owned(object);
}

inline Owned none() { return Owned(Py_NewRef(Py_None)); }

inline Owned bytes(std::string_view data) {
  return checked(PyBytes_FromStringAndSize(data.data(), static_cast<Py_ssize_t>(data.size())));
}

inline Owned str(std::string_view utf8) {
  return checked(PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "strict"));
}

/// The same for UTF-8 with surrogates, as hrefs may have by escapes in scripts.
inline Owned any_str(std::string_view utf8) {
  return checked(PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "surrogatepass"));
}

/// The contents of a bytes object, for as long as that lives.
inline std::string_view view_of_bytes(PyObject *object) {
  char *data = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(object, &data, &size) < 0) throw PythonError();
  return {data, static_cast<std::size_t>(size)};
}

/// The UTF-8 of a str without surrogates, for as long as that lives.
inline std::string_view view_of_str(PyObject *text) {
  Py_ssize_t size = 0;
  const char *data = PyUnicode_AsUTF8AndSize(text, &size);
  if (data == nullptr) throw PythonError();
  return {data, static_cast<std::size_t>(size)};
}

template <class Number>
Owned bytes_of(const std::vector<Number> &numbers) {
  return bytes({reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(Number)});
}

/// A list of what `make` returns for each item.
template <class Items, class Make>
Owned list(const Items &items, Make make) {
  Owned made = checked(PyList_New(static_cast<Py_ssize_t>(items.size())));
  Py_ssize_t index = 0;
  for (const auto &each : items) PyList_SET_ITEM(made.get(), index++, make(each).release());
  return made;
}

/// An int of 64 bits.
inline std::int64_t number_of(PyObject *object) {
  const long long number = PyLong_AsLongLong(object);
  if (number == -1 && PyErr_Occurred() != nullptr) throw PythonError();
  return number;
}

/// Ints of 64 bits in a list or a tuple.
inline std::vector<std::int64_t> numbers_of(PyObject *ints) {
  const Owned sequence = checked(PySequence_Fast(ints, "a sequence of ints is expected"));
  std::vector<std::int64_t> numbers;
  numbers.reserve(static_cast<std::size_t>(PySequence_Fast_GET_SIZE(sequence.get())));
  for (Py_ssize_t index = 0; index < PySequence_Fast_GET_SIZE(sequence.get()); ++index) {
    numbers.push_back(number_of(PySequence_Fast_GET_ITEM(sequence.get(), index)));
  }
  return numbers;
}

/// The UTF-8 of a str. Surrogates have none: `errors` says what stands for them.
class Utf8 {
 public:
  Utf8(PyObject *text, const char *errors) {
    try {
      view_ = view_of_str(text);
    } catch (const PythonError &) {
      if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) throw;
      PyErr_Clear();
      encoded_ = checked(PyUnicode_AsEncodedString(text, "utf-8", errors));
      view_ = view_of_bytes(encoded_.get());
    }
  }

  std::string_view view() const { return view_; }

 private:
  Owned encoded_;  // else the bytes are the str's own
  std::string_view view_;
};

/// Run `work`, which returns an Owned, as the body of a function of Python.
template <class Work>
PyObject *guarded(Work work) {
  try {
    return work().release();
  } catch (const PythonError &) {
    return nullptr;
  } catch (const std::bad_alloc &) {
    return PyErr_NoMemory();
  } catch (const std::invalid_argument &error) {
    PyErr_SetString(PyExc_ValueError, error.what());
    return nullptr;
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
    return nullptr;
  }
}

}  // namespace ttcrawl
