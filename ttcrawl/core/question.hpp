// What Python decides about elements: it is asked once for all that are equal.
#pragma once

#include <cstdint>
#include <string_view>

#include "answers.hpp"
#include "python.hpp"

namespace ttcrawl {

/// A function of Python, and its answers by the bytes of what was asked.
class Question {
 public:
  Question(PyObject *rules, const char *name, std::uint64_t secret)
      : function_(checked(PyObject_GetAttrString(rules, name))), answers_(secret) {}

  /// `arguments` makes the tuple of arguments, if the answer is not known.
  template <class Arguments>
  Owned ask(std::string_view key, Arguments arguments) {
    if (const Owned *known = answers_.find(key)) return Owned(Py_NewRef(known->get()));
    Owned answer = checked(PyObject_CallObject(function_.get(), arguments().get()));
    answers_.add(key, Owned(Py_NewRef(answer.get())));
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
  Owned function_;
  Answers<Owned> answers_;
};

}  // namespace ttcrawl
