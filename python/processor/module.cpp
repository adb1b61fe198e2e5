// bochner._processor, in the C API alone: see src/processor/processor.hpp for what it must not use.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "processor.hpp"

namespace {

PyObject* unsupported(PyObject*, PyObject*) {
  char message[1024] = "";
  bochner::processor::unsupported("module", "pip install . -Ccmake.define.", message, sizeof message);
  return PyUnicode_FromString(message);
}

PyMethodDef functions[] = {{"unsupported", unsupported, METH_NOARGS,
                            "Error message if this processor cannot run bochner._core, else ''."},
                           {nullptr, nullptr, 0, nullptr}};

PyModuleDef module = {PyModuleDef_HEAD_INIT,
                      "_processor",
                      "Whether this processor can run bochner._core.",
                      0,
                      functions,
                      nullptr,
                      nullptr,
                      nullptr,
                      nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__processor() { return PyModule_Create(&module); }
