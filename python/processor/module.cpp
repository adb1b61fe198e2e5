// bochner._processor, in the C API alone: see src/processor/processor.hpp for what it must not use.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>

#include "builds.hpp"  // generated: python/extra_archs.cmake
#include "processor.hpp"

namespace {

using bochner::processor::Build;

PyObject* builds(PyObject*, PyObject*) {
  PyObject* names = PyList_New(0);
  for (const Build& build : bochner::processor::builds) {
    PyObject* name = names ? PyUnicode_FromString(build.arch) : nullptr;
    if (!name || PyList_Append(names, name) < 0) Py_CLEAR(names);
    Py_XDECREF(name);
  }
  return names;
}

PyObject* unsupported(PyObject*, PyObject* argument) {
  PyObject* name = PyUnicode_AsUTF8String(argument);
  if (!name) return nullptr;
  const char* arch = PyBytes_AsString(name);
  char message[1024] = "";
  bool known = false;
  for (const Build& build : bochner::processor::builds) {
    if (!arch || strcmp(arch, build.arch) != 0) continue;
    known = true;
    bochner::processor::lacks(bochner::processor::this_processor(), build.required, "module", build.arch,
                              "pip install . --config-settings=cmake.define.", message, sizeof message);
  }
  Py_DECREF(name);
  if (!known) return PyErr_Format(PyExc_ValueError, "no build of bochner._core is for %R", argument);
  return PyUnicode_FromString(message);
}

PyMethodDef functions[] = {
    {"builds", builds, METH_NOARGS, "Processors that this package has a bochner._core for, the best first."},
    {"unsupported", unsupported, METH_O, "Error message if this processor cannot run that build, else ''."},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef module = {PyModuleDef_HEAD_INIT,
                      "_processor",
                      "Which build of bochner._core this processor can run.",
                      0,
                      functions,
                      nullptr,
                      nullptr,
                      nullptr,
                      nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__processor() { return PyModule_Create(&module); }
