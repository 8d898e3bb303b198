// The module: how Python makes it. Its functions are in bind_*.hpp.
#include <memory>

#include "bind_buckets.hpp"
#include "bind_language.hpp"
#include "bind_links.hpp"
#include "bind_number_table.hpp"
#include "bind_pages.hpp"
#include "bind_reader.hpp"
#include "bind_repeated_content.hpp"
#include "bind_seen.hpp"
#include "bind_similarity.hpp"
#include "bind_target_counts.hpp"
#include "bind_texts.hpp"
#include "bind_warc.hpp"
#include "boxed.hpp"
#include "python.hpp"
#include "state.hpp"

#ifndef TTCRAWL_VERSION  // setup.py says from which version and sources this is compiled
#error "build this with setup.py"
#endif

namespace {

int execute(PyObject *module) {
  const auto work = [module] {
    ttcrawl::state_pointer(module) = std::make_unique<const ttcrawl::ModuleState>();
    if (PyModule_AddStringConstant(module, "VERSION", TTCRAWL_VERSION) < 0) throw ttcrawl::PythonError();
    if (PyModule_AddFunctions(module, ttcrawl::text_functions) < 0) throw ttcrawl::PythonError();
    if (PyModule_AddFunctions(module, ttcrawl::language_functions) < 0) throw ttcrawl::PythonError();
    if (PyModule_AddFunctions(module, ttcrawl::page_functions) < 0) throw ttcrawl::PythonError();
    if (PyModule_AddFunctions(module, ttcrawl::link_functions) < 0) throw ttcrawl::PythonError();
    if (PyModule_AddFunctions(module, ttcrawl::repeated_content_functions) < 0) throw ttcrawl::PythonError();
    if (PyModule_AddFunctions(module, ttcrawl::seen_functions) < 0) throw ttcrawl::PythonError();
    if (PyModule_AddFunctions(module, ttcrawl::similarity_functions) < 0) throw ttcrawl::PythonError();
    if (PyModule_AddFunctions(module, ttcrawl::warc_functions) < 0) throw ttcrawl::PythonError();
    ttcrawl::add_type(module, ttcrawl::bits_spec);
    ttcrawl::add_type(module, ttcrawl::bucket_memory_spec);
    ttcrawl::add_type(module, ttcrawl::number_table_spec);
    ttcrawl::add_type(module, ttcrawl::function_words_spec);
    ttcrawl::add_type(module, ttcrawl::href_targets_spec);
    ttcrawl::add_type(module, ttcrawl::reader_spec);
    ttcrawl::add_type(module, ttcrawl::target_counts_spec);
    ttcrawl::add_type(module, ttcrawl::text_list_spec);
    return ttcrawl::none();
  };
  const ttcrawl::Owned done(ttcrawl::guarded(work));
  return done ? 0 : -1;
}

void free_state(void *module) { ttcrawl::state_pointer(static_cast<PyObject *>(module)).reset(); }

PyModuleDef_Slot slots[] = {{Py_mod_exec, reinterpret_cast<void *>(execute)}, {}};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "native", "The compiled reader of pages.", sizeof(ttcrawl::StatePointer), nullptr, slots,
    nullptr,               nullptr,  free_state,
};

}  // namespace

PyMODINIT_FUNC PyInit_native() { return PyModuleDef_Init(&definition); }
