// What Python decides about elements: it is asked once for all that are equal.
#pragma once

#include <cstddef>
#include <string_view>

#include "python.hpp"

namespace ttcrawl {

/// A function of Python, and its answers by the bytes of what was asked. Python's dict keeps them: its hash is secret.
class Question {
 public:
  Question(PyObject *rules, const char *name)
      : function_(checked(PyObject_GetAttrString(rules, name))), answers_(checked(PyDict_New())) {}

  /// `arguments` makes the tuple of arguments, if the answer is not known.
  template <class Arguments>
  Owned ask(std::string_view key, Arguments arguments) {
    const Owned name = bytes(key);
    if (PyObject *known = PyDict_GetItemWithError(answers_.get(), name.get())) return Owned(Py_NewRef(known));
    if (PyErr_Occurred()) throw PythonError();
    Owned answer = checked(PyObject_CallObject(function_.get(), arguments().get()));
    size_ += key.size() + OVERHEAD;
    if (size_ > MOST) {
      PyDict_Clear(answers_.get());
      size_ = 0;
    }
    if (PyDict_SetItem(answers_.get(), name.get(), answer.get()) < 0) throw PythonError();
    return answer;
  }

  /// About a text alone.
  Owned ask(std::string_view text) {
    return ask(text, [&] { return checked(Py_BuildValue("(s#)", text.data(), static_cast<Py_ssize_t>(text.size()))); });
  }

  bool is_true(std::string_view text) { return is_true(ask(text)); }

  static bool is_true(const Owned &answer) {
    const int truth = PyObject_IsTrue(answer.get());
    if (truth < 0) throw PythonError();
    return truth == 1;
  }

 private:
  static constexpr std::size_t MOST = 8 << 20;    // bytes, then all are forgotten
  static constexpr std::size_t OVERHEAD = 200;  // bytes of an answer and its place

  Owned function_;
  Owned answers_;
  std::size_t size_ = 0;
};

}  // namespace ttcrawl
