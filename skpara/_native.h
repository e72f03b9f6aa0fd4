/* What all modules in C share: arguments that are arrays, and errors. */
#ifndef SKPARA_NATIVE_H
#define SKPARA_NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The compiler makes one version of a function for each kind of processor, chosen when loading.
   Sanitizers do not work with the mechanism, and only glibc has it. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define EACH_PROCESSOR __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define EACH_PROCESSOR
#endif

#if !defined(__GNUC__)
#define __builtin_prefetch(address) ((void)(address))
#endif

typedef struct {
    Py_buffer views[14]; /* as many as any function has */
    int n;
} Arrays;

static inline void release(Arrays *arrays)
{
    while (arrays->n > 0)
        PyBuffer_Release(&arrays->views[--arrays->n]);
}

/* Set an error if there is none yet; return NULL. */
static inline void *fail(const char *message)
{
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, message);
    return NULL;
}

/* Return the data of argument `position`, with `size` bytes an item, and the number of its items;
   NULL if it is no such array, or if an error was set before. None has no items. */
static inline void *array(Arrays *arrays, PyObject *arguments, Py_ssize_t position,
                          Py_ssize_t size, int writable, Py_ssize_t *n)
{
    PyObject *object = PyTuple_GetItem(arguments, position);
    Py_buffer *view = &arrays->views[arrays->n];
    *n = 0;
    if (object == Py_None)
        return view;
    if (!object || PyErr_Occurred() ||
        PyObject_GetBuffer(object, view, writable ? PyBUF_WRITABLE : PyBUF_SIMPLE))
        return NULL;
    arrays->n++;
    *n = view->len / size;
    if (*n * size != view->len)
        return fail("An array has items of another size than expected.");
    return view->buf;
}

/* Release the arrays of a call and return None; without `success`, an error is set, that of missing
   memory if there is no other. */
static inline PyObject *finish(Arrays *arrays, int success)
{
    release(arrays);
    if (!success)
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    Py_RETURN_NONE;
}

#endif

/* A module that says which code it was built from: skpara/_compiled.py compares the number. */
static inline PyObject *create_module(PyModuleDef *definition)
{
    PyObject *module = PyModule_Create(definition);
    if (module && PyModule_AddIntConstant(module, "ABI", SKPARA_ABI))
        Py_CLEAR(module);
    return module;
}
