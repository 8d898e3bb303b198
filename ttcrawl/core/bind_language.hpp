// The class FunctionWords, for Python: native.pyi says what it does.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "boxed.hpp"
#include "casefold.hpp"
#include "language.hpp"
#include "python.hpp"
#include "state.hpp"

namespace ttcrawl {

/// The UTF-8 of strs in a tuple, for as long as that lives.
inline std::vector<std::string_view> views_of_tuple(PyObject *tuple) {
  std::vector<std::string_view> views;
  for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(tuple); ++index) {
    views.push_back(view_of_str(PyTuple_GET_ITEM(tuple, index)));
  }
  return views;
}

inline PyObject *long_lines_of_text(PyObject *, PyObject *arguments) {
  return guarded([&] {
    PyObject *argument = nullptr;
    Py_ssize_t spaces = 0;
    Py_ssize_t most = 0;
    Py_ssize_t fewest = 0;
    if (!PyArg_ParseTuple(arguments, "Unnn:long_lines", &argument, &spaces, &most, &fewest)) throw PythonError();
    if (spaces < 1 || most < 0 || fewest < 0) throw std::invalid_argument("a sentence has a space or more");
    const Utf8 text(argument, "surrogatepass");
    return any_str(long_lines(text.view(), static_cast<std::size_t>(spaces), static_cast<std::size_t>(most),
                              static_cast<std::size_t>(fewest)));
  });
}

inline PyMethodDef language_functions[] = {
    {"long_lines", long_lines_of_text, METH_VARARGS, nullptr},
    {},
};

inline PyObject *new_function_words(PyTypeObject *type, PyObject *arguments, PyObject *) {
  return guarded([&] {
    PyObject *languages_of = nullptr;
    if (!PyArg_ParseTuple(arguments, "O!:FunctionWords", &PyDict_Type, &languages_of)) throw PythonError();
    auto function_words = std::make_unique<FunctionWords>();
    PyObject *word = nullptr;
    PyObject *languages = nullptr;
    for (Py_ssize_t position = 0; PyDict_Next(languages_of, &position, &word, &languages);) {
      if (!PyTuple_Check(languages)) throw std::invalid_argument("the languages of a word are a tuple");
      for (const std::string_view language : views_of_tuple(languages)) {
        function_words->add(view_of_str(word), language);
      }
    }
    return boxed(type, std::move(function_words));
  });
}

inline PyObject *most_function_words(PyObject *self, PyObject *arguments) {
  return guarded([&] {
    PyObject *argument = nullptr;
    PyObject *languages = nullptr;
    PyObject *nearest = nullptr;
    if (!PyArg_ParseTuple(arguments, "UO!U:most", &argument, &PyTuple_Type, &languages, &nearest)) throw PythonError();
    const Unicode &unicode = state_of_object(self).unicode;
    const Utf8 text(argument, "surrogatepass");
    const Most most = unboxed<FunctionWords>(self).most(unicode, folded(unicode, text.view()),
                                                        views_of_tuple(languages), view_of_str(nearest));
    const auto size = static_cast<Py_ssize_t>(most.language.size());
    return checked(Py_BuildValue("s#nnnn", most.language.data(), size, most.count, most.second, most.distinct,
                                 most.words));
  });
}

inline PyMethodDef function_words_methods[] = {
    {"most", most_function_words, METH_VARARGS, nullptr},
    {},
};

inline PyType_Slot function_words_slots[] = {
    {Py_tp_new, reinterpret_cast<void *>(new_function_words)},
    {Py_tp_dealloc, reinterpret_cast<void *>(free_boxed<FunctionWords>)},
    {Py_tp_methods, function_words_methods},
    {},
};

inline PyType_Spec function_words_spec = {
    "ttcrawl.core.native.FunctionWords", sizeof(Boxed<FunctionWords>), 0, Py_TPFLAGS_DEFAULT, function_words_slots,
};

}  // namespace ttcrawl
