/* Sentences to token ids, unknown words to known words that are spelled alike, and sums of rows of
   tables. The NumPy code beside each caller computes the same, and the tests compare the two.

   The limited API has no access to the memory of strings, so their code points are copied.
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
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define EACH_PROCESSOR __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define EACH_PROCESSOR
#endif

#if defined(__GNUC__)
#define PREFETCH __builtin_prefetch
#else
#define PREFETCH(address) ((void)(address))
#endif
#define AHEAD 5 /* rows; fewer come too late, more gain nothing */

#define OUT_OF_RANGE "Sizes do not match, or an id or an offset is out of range."

#define SIZE(type) ((Py_ssize_t)sizeof(type))

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

static Py_buffer entries; /* of all characters; beyond ASCII 0 until `fill_entries` is called */
static PyObject *fill_entries, *normalize;
#define ENTRY(character) (((const uint32_t *)entries.buf)[character])

static PyObject *set_tokenizer(PyObject *self, PyObject *arguments)
{
    if (!PyArg_ParseTuple(arguments, "y*OO", &entries, &fill_entries, &normalize))
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
    int n_more = 1 + (c >= 0x800) + (c >= 0x10000);
    *out++ = (uint8_t)(0x1F80 >> n_more | c >> 6 * n_more);
    while (n_more--)
        *out++ = (uint8_t)(0x80 | (c >> 6 * n_more & 63));
    return out;
}

/* Append the code points of a string, of its normalized text if it needs that. */
static int append(Buffer *points, size_t *n_points, PyObject *string, int is_normalized)
{
    Py_ssize_t length = PyUnicode_GetLength(string);
    if (length < 0)
        return -1;
    /* Positions of bytes, up to four a character, are 32-bit integers. */
    if (*n_points + (size_t)length > 1 << 29 ||
        !reserve(points, *n_points + (size_t)length + 1, sizeof(uint32_t))) {
        PyErr_SetString(PyExc_MemoryError, "A text is too long for the memory, or for 2**29.");
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
        size_t length = key->length;
        if (length <= 16 || !memcmp(text + ends[slot->number - 1] - length, word, length))
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
    uint32_t start, last_end; /* of the token before, so that one store serves both */
} Token;

/* Whether an apostrophe, comma or full stop behind a word character is part of the word. */
static inline int joins(const uint32_t *table, uint32_t joiner, const uint32_t *point)
{
    if (LOWER(joiner) == '\'')
        return KIND(table[point[1]]) == WORD;
    return point[-1] - '0' < 10 && point[1] - '0' < 10;
}

/* Split text, with a character behind it, as `tokenize` does; append the lower-cased characters to
   `bytes`. There are no branches for the borders of words, which no processor could predict. */
static size_t split(const uint32_t *restrict points, size_t length, const uint8_t *bytes,
                    uint8_t **restrict end, Token *restrict tokens)
{
    const uint32_t *restrict table = entries.buf;
    uint8_t *out = *end;
    size_t n_tokens = 0;
    uint32_t last_end = tokens[0].last_end;
    int in_word = 0;
    for (size_t i = 0; i < length; i++) {
        uint32_t entry = table[points[i]], kind = KIND(entry);
        if (kind == JOINER)
            kind = in_word && i + 1 < length && joins(table, entry, points + i) ? WORD : MARK;
        tokens[n_tokens].start = (uint32_t)(out - bytes);
        n_tokens += (kind == MARK) | ((kind == WORD) & !in_word);
        in_word = kind == WORD;
        out = put_utf8(out, LOWER(entry));
        last_end = kind == SPACE ? last_end : (uint32_t)(out - bytes);
        tokens[n_tokens].last_end = last_end;
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
        Key key = key_of(word, tokens[i + 1].last_end - tokens[i].start);
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
        Py_ssize_t size = (Py_ssize_t)(end - start);
        PyObject *word = PyUnicode_DecodeUTF8(text + start, size, "surrogatepass");
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
    offsets = PyByteArray_FromStringAndSize(NULL, (n_sentences + 1) * SIZE(int64_t));
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
        if (!reserve(&bytes, 4 * n_points + SPARE, 1) ||
            !reserve(&tokens, n_points + 1, sizeof(Token)))
            goto memory;
        int32_t *chunk_ids = (int32_t *)PyByteArray_AsString(ids) + n_ids;
        ((Token *)tokens.data)->last_end = 0;
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

/* ---- Known words that share most character n-grams with an unknown one. */
#define LONGEST 24     /* characters of a word that are used */
#define MOST_NGRAMS 69 /* 24 + 23 + 22 of <word> */
#define N_BITS 18      /* of the hash of an n-gram */

typedef struct {
    int32_t word;
    float value; /* cosine, then share */
} Neighbor;

typedef struct {
    const float *weights, *values; /* of n-grams, and of each n-gram's words */
    const int32_t *starts, *words; /* the words of n-gram i are words[starts[i]:starts[i + 1]] */
    size_t n_values, n_known, n_neighbors;
    float *cosines;   /* of all known words, zeros between two calls */
    int32_t *touched; /* the words whose cosine is not zero */
} Ngrams;

static int is_nearer(Neighbor a, Neighbor b)
{
    return a.value > b.value || (a.value == b.value && a.word < b.word);
}

static int is_lower(Neighbor a, Neighbor b)
{
    return a.word < b.word;
}

typedef int (*Order)(Neighbor, Neighbor);

/* Insert an item into a sorted array that has room for it. */
static inline void insert(Neighbor *items, size_t n, Neighbor item, Order before)
{
    for (; n > 0 && before(item, items[n - 1]); n--)
        items[n] = items[n - 1];
    items[n] = item;
}

/* Count the n-grams of <word> by their hash, in ascending order; return how many there are. */
static size_t count_ngrams(const uint32_t *word, size_t length, Neighbor *counts)
{
    uint32_t framed[LONGEST + 2];
    size_t n = 0, n_different = 0;
    length = length < LONGEST ? length : LONGEST;
    framed[0] = '<';
    memcpy(framed + 1, word, length * sizeof *word);
    framed[length + 1] = '>';
    for (size_t order = 3; order <= 5; order++) {
        for (size_t i = 0; i + order <= length + 2; i++) {
            uint64_t hash = order;
            for (size_t k = 0; k < order; k++) {
                hash = (hash ^ framed[i + k]) * 0x9E3779B97F4A7C15;
                hash ^= hash >> 31;
            }
            hash = hash * 0xC2B2AE3D27D4EB4F >> (64 - N_BITS);
            insert(counts, n++, (Neighbor){(int32_t)hash, 1}, is_lower);
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (n_different > 0 && counts[n_different - 1].word == counts[i].word)
            counts[n_different - 1].value++;
        else
            counts[n_different++] = counts[i];
    }
    return n_different;
}

/* Find the nearest words, in ascending order, and their shares; return how many, -1 if an index is
   out of range. The order of all sums is that of SubwordIndex, so that the bits are the same. */
static int64_t find_nearest(const Ngrams *index, const uint32_t *word, size_t length,
                            Neighbor *nearest)
{
    Neighbor ngrams[MOST_NGRAMS], best[MOST_NGRAMS];
    size_t n_ngrams = count_ngrams(word, length, ngrams), n_touched = 0, n = 0, n_shares = 0;
    double squares = 0, total = 0;
    /* The lists of n-grams are far apart in memory: load their ends while others are read. */
    for (size_t i = 0; i < n_ngrams; i++)
        PREFETCH(index->starts + ngrams[i].word);
    for (size_t i = 0; i < n_ngrams; i++) {
        ngrams[i].value *= index->weights[ngrams[i].word];
        squares += ngrams[i].value * ngrams[i].value;
    }
    for (size_t i = 0; i < n_ngrams; i++) {
        size_t start = (size_t)index->starts[ngrams[i].word];
        if (start < index->n_values) {
            PREFETCH(index->words + start);
            PREFETCH(index->values + start);
        }
    }
    float norm = (float)(sqrt(squares) > 1e-12 ? sqrt(squares) : 1e-12);
    for (size_t i = 0; i < n_ngrams; i++) {
        float value = ngrams[i].value / norm;
        int64_t start = index->starts[ngrams[i].word], stop = index->starts[ngrams[i].word + 1];
        if (start < 0 || stop > (int64_t)index->n_values)
            return -1;
        for (int64_t k = start; k < stop; k++) {
            int32_t known = index->words[k];
            float product = value * index->values[k];
            if ((uint32_t)known >= index->n_known)
                return -1;
            if (!(product > 0)) /* so that no word is touched twice */
                continue;
            index->touched[n_touched] = known;
            n_touched += index->cosines[known] == 0;
            index->cosines[known] += product;
        }
    }
    for (size_t i = 0; i < n_touched; i++) {
        Neighbor neighbor = {index->touched[i], index->cosines[index->touched[i]]};
        index->cosines[neighbor.word] = 0;
        if (n < index->n_neighbors)
            insert(best, n++, neighbor, is_nearer);
        else if (is_nearer(neighbor, best[n - 1]))
            insert(best, n - 1, neighbor, is_nearer);
    }
    for (size_t i = 0; i < n; i++) {
        best[i].value *= best[i].value;
        insert(nearest, i, best[i], is_lower);
    }
    for (size_t i = 0; i < n; i++)
        total += nearest[i].value;
    for (size_t i = 0; i < n; i++) {
        nearest[i].value = (float)(nearest[i].value / (total > 1e-30 ? total : 1e-30));
        if (nearest[i].value > 0)
            nearest[n_shares++] = nearest[i];
    }
    return (int64_t)n_shares;
}

static PyObject *nearest(PyObject *self, PyObject *arguments)
{
    Py_buffer weights, starts, words, values;
    PyObject *unknown, *shares = NULL, *offsets = NULL, *result = NULL;
    Buffer points = {NULL, 0};
    Py_ssize_t n_known, n_neighbors;
    if (!PyArg_ParseTuple(arguments, "O!y*y*y*y*nn", &PyTuple_Type, &unknown, &weights, &starts,
                          &words, &values, &n_known, &n_neighbors))
        return NULL;
    Ngrams index = {weights.buf, values.buf, starts.buf, words.buf, (size_t)values.len / 4,
                    (size_t)n_known, (size_t)n_neighbors, NULL, NULL};
    int64_t n_shares = weights.len == 4 << N_BITS && starts.len == (4 << N_BITS) + 4 &&
                               words.len == values.len && n_known >= 0 && n_known <= INT32_MAX &&
                               n_neighbors >= 1 && n_neighbors <= MOST_NGRAMS
                           ? 0
                           : -1;
    if (n_shares < 0)
        goto done;
    Py_ssize_t n_words = PyTuple_Size(unknown);
    shares = PyByteArray_FromStringAndSize(NULL, n_words * n_neighbors * SIZE(Neighbor));
    offsets = PyByteArray_FromStringAndSize(NULL, (n_words + 1) * SIZE(int64_t));
    index.cosines = calloc((size_t)n_known + 1, sizeof(float));
    index.touched = malloc(((size_t)n_known + 1) * sizeof(int32_t));
    if (shares == NULL || offsets == NULL || index.cosines == NULL || index.touched == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    int64_t *ends = (int64_t *)PyByteArray_AsString(offsets);
    Neighbor *found = (Neighbor *)PyByteArray_AsString(shares);
    size_t n_points = 0, start = 0;
    ends[0] = 0;
    for (Py_ssize_t i = 0; i < n_words; i++) {
        if (append(&points, &n_points, PyTuple_GetItem(unknown, i), 1) < 0)
            goto done;
        ends[i + 1] = (int64_t)n_points; /* replaced below by the number of shares */
    }
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < n_words && n_shares >= 0; i++) {
        const uint32_t *word = (uint32_t *)points.data + start;
        int64_t n = find_nearest(&index, word, (size_t)ends[i + 1] - start, found + n_shares);
        start = (size_t)ends[i + 1];
        n_shares = n < 0 ? -1 : n_shares + n;
        ends[i + 1] = n_shares;
    }
    Py_END_ALLOW_THREADS
    if (n_shares >= 0 && PyByteArray_Resize(shares, n_shares * SIZE(Neighbor)) == 0)
        result = PyTuple_Pack(2, shares, offsets);
done:
    if (n_shares < 0)
        PyErr_SetString(PyExc_ValueError, OUT_OF_RANGE);
    free(points.data);
    free(index.cosines);
    free(index.touched);
    Py_XDECREF(shares);
    Py_XDECREF(offsets);
    PyBuffer_Release(&weights);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&words);
    PyBuffer_Release(&values);
    return result;
}

/* ---- Sums of rows, which are in one of three tables. */
enum { SUMS, IDS, OFFSETS, WEIGHTS, TABLE, SCALES, MOVED, PLACES, EXTRA, N_BUFFERS };

typedef struct {
    float *sums;
    const int32_t *ids, *places;    /* places: position in `moved`, or -1 for a row of `table` */
    const int64_t *offsets;
    const void *table;              /* float32; with scales, int8 */
    const float *weights, *scales, *moved, *extra;
    size_t n_dims, n_sums, n_ids, n_table, n_moved, n_places, n_extra;
} Rows;

/* Return a row, of 8-bit codes if it has a scale; NULL if the id is out of range. */
static inline const void *row_of(const Rows *rows, int32_t signed_id, const float **scale)
{
    const size_t n_words = rows->places ? rows->n_places : rows->n_table, n_dims = rows->n_dims;
    size_t id = (size_t)(int64_t)signed_id; /* a negative one is too large */
    *scale = NULL;
    if (id >= n_words)
        return id - n_words < rows->n_extra ? rows->extra + (id - n_words) * n_dims : NULL;
    if (rows->places && rows->places[id] >= 0) {
        id = (size_t)rows->places[id];
        return id < rows->n_moved ? rows->moved + id * n_dims : NULL;
    }
    if (id >= rows->n_table)
        return NULL;
    if (rows->scales == NULL)
        return (const float *)rows->table + id * n_dims;
    *scale = rows->scales + id;
    return (const int8_t *)rows->table + id * n_dims;
}

static inline void prefetch_row(const Rows *rows, int64_t i, size_t size)
{
    const float *scale;
    const char *row = i < (int64_t)rows->n_ids ? row_of(rows, rows->ids[i], &scale) : NULL;
    for (size_t k = 0; row && k < size; k += 64)
        PREFETCH(row + k);
}

/* Compute the sums; return 0 if an offset or an id is out of range. */
EACH_PROCESSOR static int sum_rows(const Rows *rows)
{
    const size_t n_dims = rows->n_dims, size = n_dims * (rows->scales ? 1 : sizeof(float));
    for (size_t s = 0; s < rows->n_sums; s++) {
        float *restrict sum = rows->sums + s * n_dims;
        const int64_t start = rows->offsets[s], stop = rows->offsets[s + 1];
        if (start < 0 || stop < start || (uint64_t)stop > rows->n_ids)
            return 0;
        memset(sum, 0, n_dims * sizeof *sum);
        const float equal = (float)(1.0 / (double)(stop - start));
        for (int64_t i = start; i < stop; i++) {
            const float *scale, weight = rows->weights ? rows->weights[i] : equal;
            const void *row = row_of(rows, rows->ids[i], &scale);
            prefetch_row(rows, i + AHEAD, size);
            if (row == NULL)
                return 0;
            if (scale) {
                const int8_t *restrict codes = row;
                const float factor = *scale;
                for (size_t d = 0; d < n_dims; d++)
                    sum[d] += weight * ((float)codes[d] * factor);
            } else if (i + 1 < stop && rows->scales == NULL) {
                /* Two rows at a time, in order: half of the loads and stores of the sum. */
                const float *restrict values = row;
                const float *restrict next = row_of(rows, rows->ids[++i], &scale);
                const float next_weight = rows->weights ? rows->weights[i] : equal;
                prefetch_row(rows, i + AHEAD, size);
                if (next == NULL)
                    return 0;
                for (size_t d = 0; d < n_dims; d++)
                    sum[d] = (sum[d] + weight * values[d]) + next_weight * next[d];
            } else {
                const float *restrict values = row;
                for (size_t d = 0; d < n_dims; d++)
                    sum[d] += weight * values[d];
            }
        }
    }
    return 1;
}

static PyObject *row_sums(PyObject *self, PyObject *arguments)
{
    Py_buffer b[N_BUFFERS];
    Py_ssize_t n_dims;
    if (!PyArg_ParseTuple(arguments, "w*y*y*z*y*z*y*z*y*n", b + SUMS, b + IDS, b + OFFSETS,
                          b + WEIGHTS, b + TABLE, b + SCALES, b + MOVED, b + PLACES, b + EXTRA,
                          &n_dims))
        return NULL;
    /* Bytes of an item, and whether all buffers are whole rows of these. */
    int valid = n_dims > 0 && n_dims < 1 << 24;
    size_t row = valid ? (size_t)n_dims * sizeof(float) : sizeof(float);
    size_t table_row = b[SCALES].buf ? row / 4 : row, n[N_BUFFERS];
    size_t sizes[N_BUFFERS] = {row, 4, 8, 4, table_row, 4, row, 4, row};
    for (int i = 0; i < N_BUFFERS; i++) {
        n[i] = (size_t)b[i].len / sizes[i];
        size_t alignment = i == TABLE && b[SCALES].buf ? 1 : i == OFFSETS ? 8 : 4;
        valid &= n[i] * sizes[i] == (size_t)b[i].len && (uintptr_t)b[i].buf % alignment == 0;
    }
    valid &= n[OFFSETS] == n[SUMS] + 1 && (!b[WEIGHTS].buf || n[WEIGHTS] == n[IDS]) &&
             (!b[SCALES].buf || n[SCALES] == n[TABLE]);
    if (valid) {
        Rows rows = {b[SUMS].buf,   b[IDS].buf,   b[PLACES].buf, b[OFFSETS].buf, b[TABLE].buf,
                     b[WEIGHTS].buf, b[SCALES].buf, b[MOVED].buf, b[EXTRA].buf,   (size_t)n_dims,
                     n[SUMS],       n[IDS],       n[TABLE],      n[MOVED],       n[PLACES],
                     n[EXTRA]};
        Py_BEGIN_ALLOW_THREADS
        valid = sum_rows(&rows);
        Py_END_ALLOW_THREADS
    }
    for (int i = 0; i < N_BUFFERS; i++)
        PyBuffer_Release(b + i);
    if (!valid) {
        PyErr_SetString(PyExc_ValueError, OUT_OF_RANGE);
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"set_tokenizer", set_tokenizer, METH_VARARGS, "set_tokenizer(characters, fill, normalize)"},
    {"make_index", make_index, METH_O, "make_index(words) -> index"},
    {"token_ids", token_ids, METH_VARARGS, "token_ids(index, sentences) -> ids, offsets, unknown"},
    {"nearest", nearest, METH_VARARGS,
     "nearest(unknown, weights, starts, words, values, n_known, n_neighbors) -> shares, offsets"},
    {"row_sums", row_sums, METH_VARARGS,
     "row_sums(sums, ids, offsets, weights, table, scales, moved, places, extra, n_dims)"},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "skpara._native", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__native(void)
{
    return PyModule_Create(&module);
}
