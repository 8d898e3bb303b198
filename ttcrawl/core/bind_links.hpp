// The classes TextList and HrefTargets, and the functions of links, for Python: native.pyi says what they do.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "boxed.hpp"
#include "href_targets.hpp"
#include "number_table.hpp"
#include "outlinks.hpp"
#include "plain_base.hpp"
#include "python.hpp"
#include "state.hpp"
#include "text_list.hpp"
#include "without_queries.hpp"

namespace ttcrawl {

// -- TextList ---------------------------------------------------------------------------------------------------------

inline PyObject *new_text_list(PyTypeObject *type, PyObject *arguments, PyObject *) {
  return guarded([&] {
    PyObject *argument = nullptr;
    if (!PyArg_ParseTuple(arguments, "O:TextList", &argument)) throw PythonError();
    const Owned texts = checked(PySequence_Fast(argument, "a sequence of strs is expected"));
    auto made = std::make_unique<TextList>();
    for (Py_ssize_t index = 0; index < PySequence_Fast_GET_SIZE(texts.get()); ++index) {
      made->add(Utf8(PySequence_Fast_GET_ITEM(texts.get(), index), "surrogatepass").view());
    }
    return boxed(type, std::move(made));
  });
}

inline Py_ssize_t size_of_text_list(PyObject *self) {
  return static_cast<Py_ssize_t>(unboxed<TextList>(self).size());
}

inline PyObject *item_of_text_list(PyObject *self, Py_ssize_t index) {
  return guarded([&] {
    if (index < 0 || index >= size_of_text_list(self)) {
      PyErr_SetString(PyExc_IndexError, "index out of range");
      throw PythonError();
    }
    return any_str(unboxed<TextList>(self)[static_cast<std::size_t>(index)]);
  });
}

inline PyObject *texts_without_queries(PyObject *self, PyObject *) {
  return guarded([&] { return bytes(without_queries(unboxed<TextList>(self), state_of_object(self).secret)); });
}

inline PyMethodDef text_list_methods[] = {
    {"without_queries", texts_without_queries, METH_NOARGS, nullptr},
    {},
};

inline PyType_Slot text_list_slots[] = {
    {Py_tp_new, reinterpret_cast<void *>(new_text_list)},
    {Py_tp_dealloc, reinterpret_cast<void *>(free_boxed<TextList>)},
    {Py_tp_methods, text_list_methods},
    {Py_sq_length, reinterpret_cast<void *>(size_of_text_list)},
    {Py_sq_item, reinterpret_cast<void *>(item_of_text_list)},
    {},
};

inline PyType_Spec text_list_spec = {
    "ttcrawl.core.native.TextList", sizeof(Boxed<TextList>), 0, Py_TPFLAGS_DEFAULT, text_list_slots,
};

// -- HrefTargets ------------------------------------------------------------------------------------------------------

inline PyObject *new_href_targets(PyTypeObject *type, PyObject *arguments, PyObject *) {
  return guarded([&] {
    PyObject *directory = nullptr;
    if (!PyArg_ParseTuple(arguments, "U:HrefTargets", &directory)) throw PythonError();
    return boxed(type, std::make_unique<HrefTargets>(state_of_type(type).secret, std::string(view_of_str(directory))));
  });
}

/// What Python is asked about hrefs that are new.
struct Resolvers {
  PyObject *urls;     // the targets of absolute URLs
  PyObject *url;      // makes one of these
  PyObject *href;     // makes the target of an href that is not plain
  PyObject *of_page;  // which it returns if that depends on the page
  PyObject *page;     // the targets of these

  Owned target(const PlainBase &base, std::string_view href_without_fragment) const {
    const std::string joined = base.joined(href_without_fragment);
    if (joined.empty()) return checked(PyObject_CallOneArg(href, any_str(href_without_fragment).get()));
    const Owned spelling = any_str(joined);
    if (PyObject *known = PyDict_GetItemWithError(urls, spelling.get())) return Owned(Py_NewRef(known));
    if (PyErr_Occurred()) throw PythonError();
    return checked(PyObject_CallOneArg(url, spelling.get()));
  }

  Owned target_of_page(std::string_view any_href) const {
    return checked(PyObject_GetItem(page, any_str(without_fragment(any_href)).get()));
  }
};

inline Owned targets_of(HrefTargets &known, const TextList &hrefs, const Resolvers &python) {
  const auto make = [&](std::string_view href) { return python.target(known.base, href); };
  Owned itself;  // the target of all links that are only a fragment
  Owned targets = checked(PyList_New(static_cast<Py_ssize_t>(hrefs.size())));
  for (std::size_t index = 0; index < hrefs.size(); ++index) {
    const std::string_view href = hrefs[index];
    Owned target;
    if (href.starts_with('#')) {
      if (!itself) itself = python.target_of_page(href);
      target = Owned(Py_NewRef(itself.get()));
    } else {
      target = known.target(href, make);
      if (target.get() == python.of_page) target = python.target_of_page(href);
    }
    PyList_SET_ITEM(targets.get(), static_cast<Py_ssize_t>(index), target.release());
  }
  return targets;
}

inline PyObject *targets_of_hrefs(PyObject *self, PyObject *arguments) {
  return guarded([&] {
    PyObject *hrefs = nullptr;
    Resolvers python{};
    if (!PyArg_ParseTuple(arguments, "OO!OOOO:targets", &hrefs, &PyDict_Type, &python.urls, &python.url, &python.href,
                          &python.of_page, &python.page)) {
      throw PythonError();
    }
    return targets_of(unboxed<HrefTargets>(self), unboxed_argument<TextList>(hrefs), python);
  });
}

inline PyObject *join_plain(PyObject *, PyObject *arguments) {
  return guarded([&] {
    PyObject *directory = nullptr;
    PyObject *reference = nullptr;
    if (!PyArg_ParseTuple(arguments, "UU:join_plain", &directory, &reference)) throw PythonError();
    const PlainBase base{std::string(view_of_str(directory))};
    return any_str(base.joined(Utf8(reference, "surrogatepass").view()));
  });
}

inline Py_ssize_t size_of_href_targets(PyObject *self) {
  return static_cast<Py_ssize_t>(unboxed<HrefTargets>(self).size());
}

inline PyMethodDef href_targets_methods[] = {
    {"targets", targets_of_hrefs, METH_VARARGS, nullptr},
    {},
};

inline PyType_Slot href_targets_slots[] = {
    {Py_tp_new, reinterpret_cast<void *>(new_href_targets)},
    {Py_tp_dealloc, reinterpret_cast<void *>(free_boxed<HrefTargets>)},
    {Py_tp_methods, href_targets_methods},
    {Py_sq_length, reinterpret_cast<void *>(size_of_href_targets)},
    {},
};

inline PyType_Spec href_targets_spec = {
    "ttcrawl.core.native.HrefTargets", sizeof(Boxed<HrefTargets>), 0, Py_TPFLAGS_DEFAULT, href_targets_slots,
};

// -- links to other URLs ----------------------------------------------------------------------------------------------

/// The distance of a link by its letter: 256 numbers.
class DistanceByLetter {
 public:
  explicit DistanceByLetter(std::string_view packed) {
    if (packed.size() != sizeof(distances_)) throw std::invalid_argument("a distance for each letter is expected");
    std::memcpy(distances_.data(), packed.data(), sizeof(distances_));
  }
  NumberTable::Number operator[](char letter) const { return distances_[static_cast<unsigned char>(letter)]; }

 private:
  std::array<NumberTable::Number, 256> distances_;
};

inline void append(const Owned &list, const Owned &item) {
  if (PyList_Append(list.get(), item.get()) < 0) throw PythonError();
}

inline PyObject *outlinks_of_page(PyObject *, PyObject *arguments) {
  return guarded([&] {
    PyObject *targets = nullptr;
    PyObject *hrefs = nullptr;
    PyObject *kinds = nullptr;
    PyObject *letters = nullptr;
    PyObject *landmarks = nullptr;
    PyObject *anchors = nullptr;
    PyObject *sent = nullptr;
    long long own = 0;
    PyObject *packed_distances = nullptr;
    if (!PyArg_ParseTuple(arguments, "O!LOO!O!O!OOO!:outlinks", &PyList_Type, &targets, &own, &hrefs, &PyBytes_Type,
                          &kinds, &PyBytes_Type, &letters, &PyBytes_Type, &landmarks, &anchors, &sent, &PyBytes_Type,
                          &packed_distances)) {
      throw PythonError();
    }
    const DistanceByLetter by_letter(view_of_bytes(packed_distances));
    const PageLinks page{unboxed_argument<TextList>(hrefs), view_of_bytes(kinds), view_of_bytes(letters),
                         view_of_bytes(landmarks), unboxed_argument<TextList>(anchors)};
    page.check(static_cast<std::size_t>(PyList_GET_SIZE(targets)));
    const NumberTable &distances = unboxed_argument<NumberTable>(sent);
    Outlinks outlinks(page);
    const Owned name = checked(PyUnicode_InternFromString("key"));
    const Owned others = checked(PyList_New(0));
    const Owned unsent = checked(PyList_New(0));
    const Owned elsewhere = checked(PyList_New(0));
    for (std::size_t index = 0; index < page.hrefs.size(); ++index) {
      const Owned target(Py_NewRef(PyList_GET_ITEM(targets, static_cast<Py_ssize_t>(index))));
      if (target.get() == Py_None) {
        append(elsewhere, any_str(page.hrefs[index]));
        continue;
      }
      const Owned key = checked(PyObject_GetAttr(target.get(), name.get()));
      const std::int64_t number = number_of(key.get());
      if (number == own) {
        outlinks.add_own(index);
        continue;
      }
      outlinks.add(index, number);
      append(others, target);
      if (distances.get(number) <= by_letter[page.letters[index]]) continue;
      append(unsent, checked(Py_BuildValue("nO", static_cast<Py_ssize_t>(index), target.get())));
    }
    return checked(Py_BuildValue("OOONNNNNNN", others.get(), unsent.get(), elsewhere.get(),
                                 PyBool_FromLong(outlinks.names_itself),
                                 bytes(outlinks.own_letters).release(), any_str(outlinks.keys()).release(),
                                 bytes(outlinks.kinds).release(), bytes(outlinks.letters).release(),
                                 bytes(outlinks.landmarks).release(), any_str(outlinks.anchors()).release()));
  });
}

inline PyMethodDef link_functions[] = {
    {"join_plain", join_plain, METH_VARARGS, nullptr},
    {"outlinks", outlinks_of_page, METH_VARARGS, nullptr},
    {},
};

}  // namespace ttcrawl
