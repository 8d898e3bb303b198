// What Python decides about elements: it is asked once for all that are equal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "python.hpp"
#include "text.hpp"

namespace ttcrawl {

/// A function of Python, and its answers by the bytes of what was asked.
class Question {
 public:
  Question(PyObject *rules, const char *name, std::uint64_t secret)
      : function_(checked(PyObject_GetAttrString(rules, name))), answers_(0, SecretHash{secret}) {}

  /// `arguments` makes the tuple of arguments, if the answer is not known.
  template <class Arguments>
  Owned ask(std::string_view key, Arguments arguments) {
    if (const auto known = answers_.find(key); known != answers_.end()) return Owned(Py_NewRef(known->second.get()));
    Owned answer = checked(PyObject_CallObject(function_.get(), arguments().get()));
    size_ += key.size() + OVERHEAD;
    if (size_ > MOST) {
      answers_.clear();
      size_ = 0;
    }
    answers_.emplace(key, Owned(Py_NewRef(answer.get())));
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
  std::unordered_map<std::string, Owned, SecretHash, std::equal_to<>> answers_;
  std::size_t size_ = 0;
};

}  // namespace ttcrawl
