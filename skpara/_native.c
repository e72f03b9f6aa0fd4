/* Sentences to token ids, unknown words to known words that are spelled alike, and sums of rows of
   tables. The NumPy code beside each caller computes the same, and the tests compare the two.

   The limited API has no access to the memory of strings: their code points are copied to a buffer.
   Everything after that runs without the GIL. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if PY_BIG_ENDIAN
#error "Keys of words are loaded as little-endian integers; the NumPy code is used instead."
#endif

/* The compiler makes one version of a function for each kind of processor, chosen when loading.
   Sanitizers do not work with the mechanism, and only glibc has it. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define EACH_PROCESSOR __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define EACH_PROCESSOR
#endif

typedef struct {
    void *data;
    size_t size;
} Buffer;

/* Make room for `count` items; return 0, with the buffer as it was, if memory is short. */
static int reserve(Buffer *buffer, size_t count, size_t item_size)
{
    if (count > SIZE_MAX / 2 / item_size)
        return 0;
    if (count * item_size <= buffer->size)
        return 1;
    size_t size = count * item_size + count * item_size / 2 + 64;
    void *data = realloc(buffer->data, size);
    if (data == NULL)
        return 0;
    buffer->data = data;
    buffer->size = size;
    return 1;
}

/* ---- Characters. What a tokenizer must know of one is a number: its lower case (21 bits), its
   kind (2 bits), and whether a sentence with it needs `normalize` (1 bit). */
enum { SPACE, WORD, MARK, JOINER };
#define LOWER(entry) ((entry)&0x1FFFFF)
#define KIND(entry) ((entry) >> 21 & 3)
#define NEEDS_NORMALIZE(entry) ((entry) >> 23 & 1)

static Py_buffer entries; /* of all characters; 0 until `fill_entries` is called for one */
static PyObject *fill_entries, *normalize;
#define ENTRY(character) (((const uint32_t *)entries.buf)[character])

static PyObject *set_tokenizer(PyObject *self, PyObject *arguments)
{
    if (entries.buf != NULL || !PyArg_ParseTuple(arguments, "y*OO", &entries, &fill_entries, &normalize))
        return NULL;
    Py_INCREF(fill_entries);
    Py_INCREF(normalize);
    Py_RETURN_NONE;
}

static inline uint8_t *put_utf8(uint8_t *out, uint32_t c)
{
    if (c < 0x80) {
        *out++ = (uint8_t)c;
        return out;
    }
    if (c < 0x800) {
        *out++ = (uint8_t)(0xC0 | c >> 6);
    } else {
        if (c < 0x10000) {
            *out++ = (uint8_t)(0xE0 | c >> 12);
        } else {
            *out++ = (uint8_t)(0xF0 | c >> 18);
            *out++ = (uint8_t)(0x80 | (c >> 12 & 63));
        }
        *out++ = (uint8_t)(0x80 | (c >> 6 & 63));
    }
    *out++ = (uint8_t)(0x80 | (c & 63));
    return out;
}

/* Append the code points of a string, of its normalized text if it needs that. */
static int append(Buffer *points, size_t *n_points, PyObject *string, int is_normalized)
{
    Py_ssize_t length = PyUnicode_GetLength(string);
    if (length < 0)
        return -1;
    /* Positions of bytes, up to four a character, are 32-bit integers. */
    if (*n_points + (size_t)length > 1 << 29) {
        PyErr_SetString(PyExc_OverflowError, "A sentence has more than 2**29 characters.");
        return -1;
    }
    if (!reserve(points, *n_points + (size_t)length + 1, sizeof(uint32_t))) {
        PyErr_NoMemory();
        return -1;
    }
    uint32_t *start = (uint32_t *)points->data + *n_points, every_bit = 0, special = 0;
    if (PyUnicode_AsUCS4(string, start, length + 1, 1) == NULL)
        return -1;
    for (Py_ssize_t i = 0; i < length; i++)
        every_bit |= start[i];
    if (every_bit >= 0x80) {
        for (Py_ssize_t i = 0; i < length; i++) {
            if (ENTRY(start[i]) == 0) {
                PyObject *none = PyObject_CallFunction(fill_entries, "I", start[i]);
                if (none == NULL)
                    return -1;
                Py_DECREF(none);
            }
            special |= NEEDS_NORMALIZE(ENTRY(start[i]));
        }
    }
    if (special && !is_normalized) {
        PyObject *text = PyObject_CallFunctionObjArgs(normalize, string, NULL);
        int result = text == NULL ? -1 : append(points, n_points, text, 1);
        Py_XDECREF(text);
        return result;
    }
    *n_points += (size_t)length;
    return 0;
}

/* ---- Words: an index from their bytes to numbers, by open addressing. */
#define SPARE 16 /* bytes that must be readable behind a word, as its key is loaded in two parts */

typedef struct {
    uint64_t low, high, hash;
    uint32_t length;
} Key;

typedef struct {
    uint64_t low, high;
    uint32_t length;
    int32_t number; /* 1 for the first word; 0 is an empty slot */
} Slot;

typedef struct {
    Slot *slots;
    size_t n_slots, n_words;
    Buffer text, ends; /* bytes of all words, and where each ends */
} Index;

static inline uint64_t mix(uint64_t low, uint64_t high)
{
    /* Odd constants whose bits look random; the upper bits depend on all bits of the key. */
    uint64_t mixed = low * 0x9E3779B97F4A7C15 ^ high * 0xC2B2AE3D27D4EB4F;
    mixed = (mixed ^ mixed >> 29) * 0xC2B2AE3D27D4EB4F;
    return mixed ^ mixed >> 32;
}

static inline uint64_t load8(const uint8_t *bytes, size_t length)
{
    uint64_t value;
    memcpy(&value, bytes, 8);
    return length >= 8 ? value : value & (((uint64_t)1 << 8 * length) - 1);
}

/* Up to 16 bytes the key is the word; of longer words the bytes are compared as well. */
static inline Key key_of(const uint8_t *word, size_t length)
{
    Key key = {load8(word, length), 0, 0, (uint32_t)length};
    if (length > 8)
        key.high = load8(word + 8, length - 8);
    for (size_t i = 16; i < length; i += 8)
        key.high = mix(load8(word + i, length - i), key.high);
    key.hash = mix(key.low, key.high);
    return key;
}

/* Return the slot of a word, or the empty one where it belongs. */
static inline Slot *find(const Index *index, const Key *key, const uint8_t *word)
{
    const size_t *ends = index->ends.data;
    for (size_t i = key->hash;; i++) {
        Slot *slot = &index->slots[i & (index->n_slots - 1)];
        if (slot->number == 0)
            return slot;
        if (slot->low != key->low || slot->high != key->high || slot->length != key->length)
            continue;
        const uint8_t *text = index->text.data;
        if (key->length <= 16 || !memcmp(text + ends[slot->number - 1] - key->length, word, key->length))
            return slot;
    }
}

/* Return the number of a word, which is added if it is new; 0 if memory is short. */
static int32_t number_of(Index *index, const Key *key, const uint8_t *word)
{
    if (2 * (index->n_words + 1) > index->n_slots) {
        size_t n_slots = index->n_slots ? 2 * index->n_slots : 64;
        Slot *slots = calloc(n_slots, sizeof *slots);
        if (slots == NULL)
            return 0;
        for (size_t i = 0; i < index->n_slots; i++) {
            if (index->slots[i].number == 0)
                continue;
            size_t place = mix(index->slots[i].low, index->slots[i].high);
            while (slots[place & (n_slots - 1)].number)
                place++;
            slots[place & (n_slots - 1)] = index->slots[i];
        }
        free(index->slots);
        index->slots = slots;
        index->n_slots = n_slots;
    }
    Slot *slot = find(index, key, word);
    if (slot->number)
        return slot->number;
    size_t start = index->n_words ? ((size_t *)index->ends.data)[index->n_words - 1] : 0;
    if (index->n_words >= INT32_MAX || !reserve(&index->text, start + key->length + 1, 1) ||
        !reserve(&index->ends, index->n_words + 1, sizeof(size_t)))
        return 0;
    memcpy((uint8_t *)index->text.data + start, word, key->length);
    ((size_t *)index->ends.data)[index->n_words] = start + key->length;
    index->n_words++;
    *slot = (Slot){key->low, key->high, key->length, (int32_t)index->n_words};
    return slot->number;
}

static void clear_index(Index *index)
{
    free(index->slots);
    free(index->text.data);
    free(index->ends.data);
}

static void free_index(PyObject *capsule)
{
    Index *index = PyCapsule_GetPointer(capsule, "skpara.index");
    clear_index(index);
    free(index);
}

static PyObject *make_index(PyObject *self, PyObject *words)
{
    Buffer points = {NULL, 0}, bytes = {NULL, 0};
    PyObject *capsule = NULL, *all = PySequence_Tuple(words);
    Index *index = calloc(1, sizeof *index);
    if (all == NULL || index == NULL)
        goto error;
    for (Py_ssize_t i = 0; i < PyTuple_Size(all); i++) {
        size_t length = 0;
        if (append(&points, &length, PyTuple_GetItem(all, i), 1) < 0)
            goto error;
        if (!reserve(&bytes, 4 * length + SPARE, 1))
            goto error;
        uint8_t *end = bytes.data;
        for (size_t k = 0; k < length; k++)
            end = put_utf8(end, ((uint32_t *)points.data)[k]);
        Key key = key_of(bytes.data, (size_t)(end - (uint8_t *)bytes.data));
        if (number_of(index, &key, bytes.data) != i + 1)
            goto error; /* memory is short, as the words are distinct */
    }
    capsule = PyCapsule_New(index, "skpara.index", free_index);
error:
    if (capsule == NULL && index != NULL) {
        clear_index(index);
        free(index);
    }
    if (capsule == NULL && !PyErr_Occurred())
        PyErr_NoMemory();
    free(points.data);
    free(bytes.data);
    Py_XDECREF(all);
    return capsule;
}

/* ---- Sentences to ids. */
#define CHUNK 32768 /* characters at a time, so that their buffers stay in the processor's cache */

typedef struct {
    uint32_t start, end;
} Token;

/* Whether an apostrophe, comma or full stop between two characters is part of a word. */
static inline int joins(uint32_t before, uint32_t joiner, uint32_t after)
{
    if (LOWER(joiner) == '\'')
        return KIND(ENTRY(after)) == WORD;
    return before - '0' < 10 && after - '0' < 10;
}

/* Split text as `tokenize` does; the lower-cased characters are appended to `bytes`. */
static size_t split(const uint32_t *points, size_t length, uint8_t *bytes, uint8_t **end, Token *tokens)
{
    size_t n_tokens = 0, i = 0;
    uint8_t *out = *end;
    while (i < length) {
        uint32_t entry = ENTRY(points[i++]);
        if (KIND(entry) == SPACE)
            continue;
        tokens[n_tokens].start = (uint32_t)(out - bytes);
        out = put_utf8(out, LOWER(entry));
        if (KIND(entry) == WORD) {
            for (; i < length; i++) {
                entry = ENTRY(points[i]);
                if (KIND(entry) != WORD && (KIND(entry) != JOINER || i + 1 == length ||
                                            !joins(points[i - 1], entry, points[i + 1])))
                    break;
                out = put_utf8(out, LOWER(entry));
            }
        }
        tokens[n_tokens++].end = (uint32_t)(out - bytes);
    }
    *end = out;
    return n_tokens;
}

/* Look up the words of a chunk; return 0 if memory is short. */
static int look_up(const Index *known, Index *unknown, const uint8_t *bytes, const Token *tokens,
                   size_t n_tokens, int32_t *ids)
{
    for (size_t i = 0; i < n_tokens; i++) {
        const uint8_t *word = bytes + tokens[i].start;
        Key key = key_of(word, tokens[i].end - tokens[i].start);
        int32_t number = known->n_slots ? find(known, &key, word)->number : 0;
        ids[i] = number - 1;
        if (number == 0) {
            number = number_of(unknown, &key, word);
            if (number == 0 || number > INT32_MAX - (int32_t)known->n_words)
                return 0;
            ids[i] = (int32_t)known->n_words + number - 1;
        }
    }
    return 1;
}

static PyObject *words_of(const Index *index)
{
    PyObject *words = PyList_New((Py_ssize_t)index->n_words);
    const char *text = index->text.data;
    size_t start = 0;
    for (size_t i = 0; words != NULL && i < index->n_words; i++) {
        size_t end = ((size_t *)index->ends.data)[i];
        PyObject *word = PyUnicode_DecodeUTF8(text + start, (Py_ssize_t)(end - start), "surrogatepass");
        start = end;
        if (word == NULL || PyList_SetItem(words, (Py_ssize_t)i, word) < 0)
            Py_CLEAR(words);
    }
    return words;
}

static PyObject *token_ids(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *sentences, *ids = NULL, *offsets = NULL, *words = NULL, *result = NULL;
    Buffer points = {NULL, 0}, bytes = {NULL, 0}, tokens = {NULL, 0};
    Index unknown = {NULL, 0, 0, {NULL, 0}, {NULL, 0}};
    if (!PyArg_ParseTuple(arguments, "OO", &capsule, &sentences))
        return NULL;
    const Index *known = PyCapsule_GetPointer(capsule, "skpara.index");
    if (known == NULL || (sentences = PySequence_Tuple(sentences)) == NULL)
        return NULL;
    Py_ssize_t n_sentences = PyTuple_Size(sentences);
    ids = PyByteArray_FromStringAndSize(NULL, 0);
    offsets = PyByteArray_FromStringAndSize(NULL, (n_sentences + 1) * (Py_ssize_t)sizeof(int64_t));
    if (ids == NULL || offsets == NULL)
        goto done;
    int64_t *ends = (int64_t *)PyByteArray_AsString(offsets);
    size_t n_ids = 0;
    ends[0] = 0;
    for (Py_ssize_t first = 0, next; first < n_sentences; first = next) {
        size_t n_points = 0, n_tokens = 0, start = 0;
        for (next = first; next < n_sentences && n_points < CHUNK; next++) {
            if (append(&points, &n_points, PyTuple_GetItem(sentences, next), 0) < 0)
                goto done;
            ends[next + 1] = (int64_t)n_points; /* replaced below by the number of tokens */
        }
        /* There are at most as many tokens as characters. */
        if (PyByteArray_Resize(ids, (Py_ssize_t)((n_ids + n_points) * sizeof(int32_t))) < 0)
            goto done;
        if (!reserve(&bytes, 4 * n_points + SPARE, 1) || !reserve(&tokens, n_points, sizeof(Token)))
            goto memory;
        int32_t *chunk_ids = (int32_t *)PyByteArray_AsString(ids) + n_ids;
        int complete;
        Py_BEGIN_ALLOW_THREADS
        uint8_t *end = bytes.data;
        for (Py_ssize_t i = first; i < next; i++) {
            size_t stop = (size_t)ends[i + 1];
            n_tokens += split((uint32_t *)points.data + start, stop - start, bytes.data, &end,
                              (Token *)tokens.data + n_tokens);
            ends[i + 1] = (int64_t)(n_ids + n_tokens);
            start = stop;
        }
        complete = look_up(known, &unknown, bytes.data, tokens.data, n_tokens, chunk_ids);
        Py_END_ALLOW_THREADS
        if (!complete)
            goto memory;
        n_ids += n_tokens;
    }
    if (PyByteArray_Resize(ids, (Py_ssize_t)(n_ids * sizeof(int32_t))) == 0 &&
        (words = words_of(&unknown)) != NULL)
        result = PyTuple_Pack(3, ids, offsets, words);
    goto done;
memory:
    PyErr_NoMemory();
done:
    clear_index(&unknown);
    free(points.data);
    free(bytes.data);
    free(tokens.data);
    Py_XDECREF(ids);
    Py_XDECREF(offsets);
    Py_XDECREF(words);
    Py_DECREF(sentences);
    return result;
}

/* ---- Sums of rows. */
#define MOST_TABLES 4

typedef struct {
    Py_buffer rows, scales; /* float32; with scales, int8 */
    size_t n_rows;
} Table;

/* Return 0 if an offset or an id is out of range. */
EACH_PROCESSOR static int sum_rows(float *sums, size_t n_dims, const int32_t *ids, size_t n_ids,
                                   const int64_t *offsets, size_t n_sums, const float *weights,
                                   const Table *tables, size_t n_tables)
{
    for (size_t s = 0; s < n_sums; s++) {
        float *restrict sum = sums + s * n_dims;
        int64_t start = offsets[s], stop = offsets[s + 1];
        if (start < 0 || stop < start || (uint64_t)stop > n_ids)
            return 0;
        memset(sum, 0, n_dims * sizeof *sum);
        float weight = (float)(1.0 / (double)(stop - start));
        for (int64_t i = start; i < stop; i++) {
            const Table *table = tables;
            if (ids[i] < 0)
                return 0;
            size_t row = (size_t)ids[i];
            while (table < tables + n_tables && row >= table->n_rows)
                row -= table++->n_rows;
            if (table == tables + n_tables)
                return 0;
            if (weights != NULL)
                weight = weights[i];
            if (table->scales.buf == NULL) {
                const float *restrict values = (const float *)table->rows.buf + row * n_dims;
                for (size_t d = 0; d < n_dims; d++)
                    sum[d] += weight * values[d];
            } else {
                const int8_t *restrict codes = (const int8_t *)table->rows.buf + row * n_dims;
                float scale = ((const float *)table->scales.buf)[row];
                for (size_t d = 0; d < n_dims; d++)
                    sum[d] += weight * ((float)codes[d] * scale);
            }
        }
    }
    return 1;
}

static int is_multiple(const Py_buffer *buffer, size_t item_size)
{
    return (size_t)buffer->len % item_size == 0 && (uintptr_t)buffer->buf % sizeof(float) == 0;
}

static PyObject *row_sums(PyObject *self, PyObject *arguments)
{
    Py_buffer sums, ids, offsets, weights;
    Table tables[MOST_TABLES];
    PyObject *table_list;
    Py_ssize_t n_dims, n_tables = 0;
    if (!PyArg_ParseTuple(arguments, "w*ny*y*z*O!", &sums, &n_dims, &ids, &offsets, &weights,
                          &PyTuple_Type, &table_list))
        return NULL;
    int valid = n_dims > 0 && n_dims < 1 << 24 && PyTuple_Size(table_list) <= MOST_TABLES;
    size_t row_size = valid ? (size_t)n_dims * sizeof(float) : 1;
    size_t n_sums = offsets.len < 8 ? 0 : (size_t)offsets.len / 8 - 1;
    valid = valid && is_multiple(&ids, 4) && is_multiple(&offsets, 8) && offsets.len >= 8 &&
            is_multiple(&sums, row_size) && (size_t)sums.len / row_size == n_sums &&
            (weights.buf == NULL || (is_multiple(&weights, 4) && weights.len == ids.len));
    for (Py_ssize_t i = 0; valid && i < PyTuple_Size(table_list); i++) {
        Table *table = &tables[i];
        PyObject *pair = PyTuple_GetItem(table_list, i);
        if (!PyArg_ParseTuple(pair, "y*z*", &table->rows, &table->scales))
            goto done;
        n_tables++;
        size_t size = table->scales.buf == NULL ? row_size : (size_t)n_dims;
        table->n_rows = (size_t)table->rows.len / size;
        valid = (size_t)table->rows.len % size == 0;
        if (table->scales.buf == NULL)
            valid = valid && is_multiple(&table->rows, 4);
        else
            valid = valid && is_multiple(&table->scales, 4) &&
                    (size_t)table->scales.len / 4 == table->n_rows;
    }
    if (valid) {
        Py_BEGIN_ALLOW_THREADS
        valid = sum_rows(sums.buf, (size_t)n_dims, ids.buf, (size_t)ids.len / 4, offsets.buf, n_sums,
                         weights.buf, tables, (size_t)n_tables);
        Py_END_ALLOW_THREADS
    }
    if (!valid)
        PyErr_SetString(PyExc_ValueError, "Sizes do not match, or an id or offset is out of range.");
done:
    for (Py_ssize_t i = 0; i < n_tables; i++) {
        PyBuffer_Release(&tables[i].rows);
        PyBuffer_Release(&tables[i].scales);
    }
    PyBuffer_Release(&sums);
    PyBuffer_Release(&ids);
    PyBuffer_Release(&offsets);
    PyBuffer_Release(&weights);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"set_tokenizer", set_tokenizer, METH_VARARGS, "set_tokenizer(make_page, normalize)"},
    {"make_index", make_index, METH_O, "make_index(words) -> index"},
    {"token_ids", token_ids, METH_VARARGS, "token_ids(index, sentences) -> ids, offsets, unknown"},
    {"row_sums", row_sums, METH_VARARGS, "row_sums(sums, n_dims, ids, offsets, weights, tables)"},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "skpara._native", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__native(void)
{
    return PyModule_Create(&module);
}
