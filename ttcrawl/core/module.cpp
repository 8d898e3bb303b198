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

PyMethodDef *const FUNCTIONS[] = {
    ttcrawl::text_functions, ttcrawl::language_functions, ttcrawl::page_functions, ttcrawl::link_functions,
    ttcrawl::repeated_content_functions, ttcrawl::seen_functions, ttcrawl::similarity_functions,
    ttcrawl::warc_functions,
};

PyType_Spec *const CLASSES[] = {
    &ttcrawl::bits_spec, &ttcrawl::bucket_memory_spec, &ttcrawl::number_table_spec, &ttcrawl::function_words_spec,
    &ttcrawl::href_targets_spec, &ttcrawl::reader_spec, &ttcrawl::target_counts_spec, &ttcrawl::text_list_spec,
};

int execute(PyObject *module) {
  const auto work = [module] {
    ttcrawl::state_pointer(module) = std::make_unique<const ttcrawl::ModuleState>();
    if (PyModule_AddStringConstant(module, "VERSION", TTCRAWL_VERSION) < 0) throw ttcrawl::PythonError();
    for (PyMethodDef *functions : FUNCTIONS) {
      if (PyModule_AddFunctions(module, functions) < 0) throw ttcrawl::PythonError();
    }
    for (PyType_Spec *spec : CLASSES) ttcrawl::add_type(module, *spec);
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
