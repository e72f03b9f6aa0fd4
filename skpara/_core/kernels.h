/* Arguments that are arrays, errors, and hash tables, for all modules in C. */
#ifndef SKPARA_KERNELS_H
#define SKPARA_KERNELS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "skpara needs a little-endian processor: bytes of words are read as integers."
#endif

/* The number of skpara/_core/__init__.py, which takes no module that has another one. */
#define ABI 15

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The compiler makes one version of a function for each kind of processor, chosen when loading.
   Sanitizers do not work with the mechanism, and only glibc has it. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define EACH_PROCESSOR __attribute__((target_clones("default", "avx2", "avx512f")))
#define HAS_CLONES
#include <immintrin.h>
#else
#define EACH_PROCESSOR
#endif

#if !defined(__GNUC__)
#define __builtin_prefetch(address) ((void)(address))
#endif

typedef struct {
    Py_buffer views[14]; /* as many as any function has */
    void *memory[24];    /* for the time of the call */
    int n, n_memory;
} Arrays;

static inline void release(Arrays *arrays)
{
    while (arrays->n > 0)
        PyBuffer_Release(&arrays->views[--arrays->n]);
    while (arrays->n_memory > 0)
        free(arrays->memory[--arrays->n_memory]);
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

/* Return memory for the time of the call, filled with zeros; NULL if there is none, or if an error
   was set before. */
static inline void *scratch(Arrays *arrays, size_t n, size_t size)
{
    void *memory = PyErr_Occurred() ? NULL : calloc(n + 1, size);
    if (memory)
        arrays->memory[arrays->n_memory++] = memory;
    return memory;
}

/* Release the arrays of a call and return None; without `success`, an error is set, which is that
   of missing memory if there is no other. */
static inline PyObject *finish(Arrays *arrays, int success)
{
    release(arrays);
    if (!success)
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    Py_RETURN_NONE;
}

/* Hashes are products with this number: it is odd, so that each step can be undone, and its bits
   look random. */
#define FACTOR 0x9E3779B97F4A7C15u

/* A hash table of numbers, by open addressing: -1 where a slot is free. The caller keeps the keys
   of the numbers, and at least half of the slots free. */
typedef struct {
    int32_t *slots;
    size_t mask; /* a power of 2, minus 1 */
} Table;

typedef int (*IsEqual)(const void *keys, int32_t number, const void *key);

static inline size_t mask_for(size_t n_keys)
{
    size_t mask = 15;
    while (mask < 2 * n_keys)
        mask = 2 * mask + 1;
    return mask;
}

/* Return a table with room for this mask, all slots free; its slots are NULL without memory. */
static inline Table new_table(Arrays *arrays, size_t mask)
{
    Table table = {scratch(arrays, mask, sizeof *table.slots), mask};
    if (table.slots)
        memset(table.slots, -1, (mask + 1) * sizeof *table.slots);
    return table;
}

/* Return the slot of a key, or the free one where it belongs; NULL if there is none. */
static inline int32_t *slot_of(const Table *table, uint64_t hash, IsEqual is_equal,
                               const void *keys, const void *key)
{
    for (size_t step = 0; step <= table->mask; step++) {
        int32_t *slot = &table->slots[(hash + step) & table->mask];
        if (*slot < 0 || is_equal(keys, *slot, key))
            return slot;
    }
    return NULL;
}

/* A module that says which code it was built from. */
static inline PyObject *create_module(PyModuleDef *definition)
{
    PyObject *module = PyModule_Create(definition);
    if (module && PyModule_AddIntConstant(module, "ABI", ABI))
        Py_CLEAR(module);
    return module;
}

#endif
