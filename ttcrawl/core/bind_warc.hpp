// The records of the archive, for Python: native.pyi says what each function does.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "base32.hpp"
#include "python.hpp"
#include "state.hpp"
#include "warc_record.hpp"

namespace ttcrawl {

inline PyObject *base32_of_bytes(PyObject *, PyObject *argument) {
  return guarded([&] {
    const std::string_view data = view_of_bytes(argument);
    if (data.size() % 5 != 0) throw std::invalid_argument("base 32 without padding is for multiples of 5 bytes");
    return str(base32(data));
  });
}

inline PyObject *has_fast_sha1(PyObject *module, PyObject *) {
  return guarded([&] { return checked(PyBool_FromLong(state_of(module).has_sha1)); });
}

inline PyObject *warc_record(PyObject *module, PyObject *arguments) {
  return guarded([&] {
    PyObject *fields = nullptr;
    PyObject *content_type = nullptr;
    PyObject *head = nullptr;
    PyObject *body = nullptr;
    int has_payload = 0;
    if (!PyArg_ParseTuple(arguments, "O!USSp:warc_record", &PyTuple_Type, &fields, &content_type, &head, &body,
                          &has_payload)) {
      throw PythonError();
    }
    if (!state_of(module).has_sha1) throw std::invalid_argument("this processor has no instructions for SHA-1");
    WarcRecord record(view_of_bytes(head), view_of_bytes(body));
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(fields); ++index) {
      PyObject *const field = PyTuple_GET_ITEM(fields, index);
      if (!PyTuple_Check(field) || PyTuple_GET_SIZE(field) != 2) {
        throw std::invalid_argument("a field is a name and a value");
      }
      record.add(view_of_str(PyTuple_GET_ITEM(field, 0)), view_of_str(PyTuple_GET_ITEM(field, 1)));
    }
    if (has_payload != 0) record.add_payload_digest();
    record.add_block_digest();
    if (const std::string_view type = view_of_str(content_type); !type.empty()) record.add("Content-Type", type);
    record.add("Content-Length", std::to_string(view_of_bytes(head).size() + view_of_bytes(body).size()));
    Owned written = checked(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(record.size())));
    record.write(PyBytes_AS_STRING(written.get()));
    return written;
  });
}

inline PyMethodDef warc_functions[] = {
    {"base32", base32_of_bytes, METH_O, nullptr},
    {"has_fast_sha1", has_fast_sha1, METH_NOARGS, nullptr},
    {"warc_record", warc_record, METH_VARARGS, nullptr},
    {},
};

}  // namespace ttcrawl
