// The attributes of an element, searched for words, and as Python's dict.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "ascii.hpp"
#include "attribute_list.hpp"
#include "python.hpp"

namespace ttcrawl {

/// Whether `text` has `lower`, which is in lower case, in any ASCII case.
inline bool contains_ignoring_case(std::string_view text, std::string_view lower) {
  return std::search(text.begin(), text.end(), lower.begin(), lower.end(),
                     [](char one, char other) { return to_lower(one) == other; }) != text.end();
}

inline Owned dict(const Attributes &attributes) {
  Owned made = checked(PyDict_New());
  for (const Attribute &each : attributes) {
    const Owned name = str(each.name);
    const Owned value = str(each.value);
    if (PyDict_SetItem(made.get(), name.get(), value.get()) < 0) throw PythonError();
  }
  return made;
}

/// Append a text to a key so that different sequences of texts are different keys.
inline void append_to_key(std::string &key, std::string_view text) {
  const auto size = static_cast<std::uint32_t>(text.size());
  key.append(reinterpret_cast<const char *>(&size), sizeof(size)).append(text);
}

}  // namespace ttcrawl
