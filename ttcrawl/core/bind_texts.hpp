// The functions of texts, for Python: native.pyi says what each does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "casefold.hpp"
#include "python.hpp"
#include "shingles.hpp"
#include "state.hpp"
#include "words.hpp"

namespace ttcrawl {

inline PyObject *casefolded_text(PyObject *module, PyObject *argument) {
  return guarded([&] {
    const Utf8 text(argument, "replace");
    return bytes(folded(state_of(module).unicode, text.view()));
  });
}

inline PyObject *shingles_of_text(PyObject *module, PyObject *arguments) {
  return guarded([&] {
    PyObject *argument = nullptr;
    Py_ssize_t size = 0;
    Py_ssize_t fewest = 0;
    if (!PyArg_ParseTuple(arguments, "Unn:shingles", &argument, &size, &fewest)) throw PythonError();
    if (size < 1) throw std::invalid_argument("a shingle has a word or more");
    const ModuleState &state = state_of(module);
    const Utf8 text(argument, "surrogatepass");
    const Words words = split(state.unicode, folded(state.unicode, text.view()));
    if (static_cast<Py_ssize_t>(words.numbers.size()) < fewest) return bytes("");
    return bytes_of(shingles(words, static_cast<std::size_t>(size), state.secret));
  });
}

inline PyObject *widened_numbers(PyObject *, PyObject *argument) {
  return guarded([&] {
    const std::string_view hashes = view_of_bytes(argument);
    std::vector<std::uint64_t> wide(hashes.size() / sizeof(std::uint32_t));
    for (std::size_t index = 0; index < wide.size(); ++index) {
      std::uint32_t hash = 0;
      std::memcpy(&hash, &hashes[index * sizeof(hash)], sizeof(hash));
      wide[index] = hash;
    }
    return bytes_of(wide);
  });
}

inline PyMethodDef text_functions[] = {
    {"casefolded", casefolded_text, METH_O, nullptr},
    {"shingles", shingles_of_text, METH_VARARGS, nullptr},
    {"widened", widened_numbers, METH_O, nullptr},
    {},
};

}  // namespace ttcrawl
