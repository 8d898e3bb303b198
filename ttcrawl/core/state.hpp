// What the functions of the module share: one for each interpreter, and not changed once it is made.
#pragma once

#include <cstdint>
#include <memory>
#include <random>

#include "character_references.hpp"
#include "python.hpp"
#include "python_references.hpp"
#include "python_unicode.hpp"
#include "sha1.hpp"
#include "unicode.hpp"

namespace ttcrawl {

inline std::uint64_t random_odd_number() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device() | 1;
}

struct ModuleState {
  Unicode unicode = unicode_of_python();
  NamedReferences references = references_of_python();
  bool has_sha1 = ttcrawl::has_sha1();  // asked once: a virtual machine stops for this question
  std::uint64_t secret = random_odd_number();  // for hash tables of what pages contain
};

/// Python gives each module zeroed memory: a null pointer until the module is executed.
using StatePointer = std::unique_ptr<const ModuleState>;

inline StatePointer &state_pointer(PyObject *module) {
  return *static_cast<StatePointer *>(PyModule_GetState(module));
}

inline const ModuleState &state_of(PyObject *module) { return *state_pointer(module); }

}  // namespace ttcrawl
