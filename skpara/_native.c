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
#define AHEAD 16 /* rows; fewer come too late for words that are added four at a time */

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

/* Return whether a regular expression of `normalize` may match: one for HTML entities, clitics,
   quotes or brackets. It may find more than these do. */
static int needs_repair(const uint32_t *points, Py_ssize_t length)
{
    const uint32_t *table = entries.buf;
    for (Py_ssize_t i = 0; i < length; i++) {
        uint32_t c = LOWER(table[points[i]]);
        if (c == '&' || c == '`')
            return 1;
        if (i == 0)
            continue;
        uint32_t before = table[points[i - 1]];
        if (c == '\'' && (KIND(before) == SPACE || LOWER(before) == '\'' ||
                          (LOWER(before) == 'n' && i > 1 && KIND(table[points[i - 2]]) == SPACE)))
            return 1;
        if (c == '-' && LOWER(before) == 'b')
            return 1;
    }
    return 0;
}

#define BLOCK 16 /* code points at a time, with zeros behind the last: compilers make vector code */

/* Combine the bits of all code points; look for the marks that `needs_repair` starts from. */
static inline uint32_t survey(const uint32_t *points, size_t length, uint32_t *has_mark)
{
    uint32_t bits[BLOCK] = {0}, marks[BLOCK] = {0}, every_bit = 0;
    for (size_t i = 0; i < length; i += BLOCK) {
        for (size_t k = 0; k < BLOCK; k++) {
            uint32_t c = points[i + k];
            bits[k] |= c;
            marks[k] |= ((c | 1) == '\'') | (c == '-') | (c == '`'); /* ' is & and 1 */
        }
    }
    for (size_t k = 0; k < BLOCK; k++) {
        every_bit |= bits[k];
        *has_mark |= marks[k];
    }
    return every_bit;
}

/* Append the code points of a string, of its normalized text if it needs that. */
static int append(Buffer *points, size_t *n_points, PyObject *string, int is_normalized)
{
    Py_ssize_t length = PyUnicode_GetLength(string);
    if (length < 0)
        return -1;
    /* Positions of bytes, up to four a character, are 32-bit integers. */
    if (*n_points + (size_t)length > 1 << 29 ||
        !reserve(points, *n_points + (size_t)length + BLOCK, sizeof(uint32_t))) {
        PyErr_SetString(PyExc_MemoryError, "A text is too long for the memory, or for 2**29.");
        return -1;
    }
    uint32_t *start = (uint32_t *)points->data + *n_points;
    if (PyUnicode_AsUCS4(string, start, length + 1, 1) == NULL)
        return -1;
    memset(start + length, 0, BLOCK * sizeof *start);
    uint32_t has_mark = 0, every_bit = survey(start, (size_t)length, &has_mark), special = 0;
    if (every_bit >= 0x80) {
        for (Py_ssize_t i = 0; i < length; i++) {
            if (ENTRY(start[i]) == 0) {
                PyObject *none = PyObject_CallFunction(fill_entries, "I", start[i]);
                if (none == NULL)
                    return -1;
                Py_DECREF(none);
            }
            special |= NEEDS_NORMALIZE(ENTRY(start[i]));
            has_mark |= LOWER(ENTRY(start[i])) == '\'';
        }
    }
    if (!is_normalized && (special || (has_mark && needs_repair(start, length)))) {
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
    /* No branch for more than 8 bytes, which no processor could predict. */
    Key key = {load8(word, length), load8(word + 8, length > 8 ? length - 8 : 0), 0,
               (uint32_t)length};
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

/* Bytes of distinct words, with SPARE more, and where each word ends. */
static PyObject *make_index(PyObject *self, PyObject *arguments)
{
    Py_buffer b[2];
    if (!PyArg_ParseTuple(arguments, "y*y*", b, b + 1))
        return NULL;
    const int64_t *ends = b[1].buf;
    int64_t start = 0, n_words = b[1].len / 8;
    Index *index = calloc(1, sizeof *index);
    int valid = index != NULL;
    for (int64_t i = 0; valid && i < n_words; i++) {
        valid = start <= ends[i] && ends[i] <= b[0].len - SPARE;
        if (valid) {
            const uint8_t *word = (uint8_t *)b[0].buf + start;
            Key key = key_of(word, (size_t)(ends[i] - start));
            valid = number_of(index, &key, word) == i + 1;
            start = ends[i];
        }
    }
    PyObject *capsule = valid ? PyCapsule_New(index, "skpara.index", free_index) : NULL;
    if (capsule == NULL && index != NULL) {
        clear_index(index);
        free(index);
    }
    if (capsule == NULL && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "A word occurs twice, or there is too little memory.");
    PyBuffer_Release(b);
    PyBuffer_Release(b + 1);
    return capsule;
}

/* ---- Sentences to ids. */
#define CHUNK 32768  /* characters at a time, so that their buffers stay in the processor's cache */
#define LOOK_AHEAD 8 /* words whose slots are on their way from memory; a power of 2 */

typedef struct {
    Buffer points, bytes, tokens, ids, offsets;
    Index unknown;
    size_t n_sentences, n_ids;
} Tokens;

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

/* Look up words; return 0 if memory is short. */
static int look_up(const Index *known, Index *unknown, const uint8_t *bytes, const Token *tokens,
                   size_t n_tokens, int32_t *ids)
{
    Key keys[LOOK_AHEAD];
    for (size_t i = 0; i < n_tokens + LOOK_AHEAD; i++) {
        Key *key = &keys[i % LOOK_AHEAD];
        if (i >= LOOK_AHEAD) {
            size_t k = i - LOOK_AHEAD;
            const uint8_t *word = bytes + tokens[k].start;
            int32_t number = known->n_slots ? find(known, key, word)->number : 0;
            ids[k] = number - 1;
            if (number == 0) {
                number = number_of(unknown, key, word);
                if (number == 0 || number > INT32_MAX - (int32_t)known->n_words)
                    return 0;
                ids[k] = (int32_t)known->n_words + number - 1;
            }
        }
        if (i < n_tokens) {
            *key = key_of(bytes + tokens[i].start, tokens[i + 1].last_end - tokens[i].start);
            if (known->n_slots)
                PREFETCH(known->slots + (key->hash & (known->n_slots - 1)));
        }
    }
    return 1;
}

/* Append the ids of a chunk of sentences; return the number of the next one, -1 for an error. */
static Py_ssize_t read_chunk(Tokens *all, const Index *known, PyObject *sentences,
                             Py_ssize_t first, Py_ssize_t stop)
{
    size_t n_points = 0, n_tokens = 0, start = 0;
    Py_ssize_t next = first;
    int complete = reserve(&all->offsets, all->n_sentences + 1, sizeof(int64_t));
    for (; complete && next < stop && n_points < CHUNK; next++) {
        size_t n = all->n_sentences + (size_t)(next - first) + 1;
        /* Strings are anywhere in memory, and most have two lines of the cache. */
        const char *ahead = (char *)PyTuple_GetItem(sentences, next + 8 < stop ? next + 8 : next);
        PREFETCH(ahead);
        PREFETCH(ahead + 64);
        if (append(&all->points, &n_points, PyTuple_GetItem(sentences, next), 0) < 0)
            return -1;
        complete = reserve(&all->offsets, n + 1, sizeof(int64_t));
        if (complete) /* replaced below by the number of tokens */
            ((int64_t *)all->offsets.data)[n] = (int64_t)n_points;
    }
    /* There are at most as many tokens as characters. */
    if (!complete || !reserve(&all->bytes, 4 * n_points + SPARE, 1) ||
        !reserve(&all->tokens, n_points + 1, sizeof(Token)) ||
        !reserve(&all->ids, all->n_ids + n_points, sizeof(int32_t))) {
        PyErr_NoMemory();
        return -1;
    }
    Py_BEGIN_ALLOW_THREADS
    uint8_t *end = all->bytes.data;
    Token *tokens = all->tokens.data;
    int64_t *ends = (int64_t *)all->offsets.data + all->n_sentences;
    tokens->last_end = 0;
    ends[0] = (int64_t)all->n_ids;
    for (Py_ssize_t i = 1; i <= next - first; i++) {
        size_t stop_point = (size_t)ends[i];
        n_tokens += split((uint32_t *)all->points.data + start, stop_point - start,
                          all->bytes.data, &end, tokens + n_tokens);
        ends[i] = (int64_t)(all->n_ids + n_tokens);
        start = stop_point;
    }
    complete = look_up(known, &all->unknown, all->bytes.data, tokens, n_tokens,
                       (int32_t *)all->ids.data + all->n_ids);
    Py_END_ALLOW_THREADS
    if (!complete) {
        PyErr_NoMemory();
        return -1;
    }
    all->n_sentences += (size_t)(next - first);
    all->n_ids += n_tokens;
    return next;
}

static void free_tokens(Tokens *all)
{
    clear_index(&all->unknown);
    free(all->points.data);
    free(all->bytes.data);
    free(all->tokens.data);
    free(all->ids.data);
    free(all->offsets.data);
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
    PyObject *capsule, *sentences, *result = NULL;
    Tokens all = {0};
    if (!PyArg_ParseTuple(arguments, "OO!", &capsule, &PyTuple_Type, &sentences))
        return NULL;
    const Index *known = PyCapsule_GetPointer(capsule, "skpara.index");
    Py_ssize_t next = 0, n_sentences = PyTuple_Size(sentences);
    if (known == NULL)
        return NULL;
    do
        next = read_chunk(&all, known, sentences, next, n_sentences);
    while (next >= 0 && next < n_sentences);
    if (next >= 0) {
        size_t ids_size = all.n_ids * sizeof(int32_t);
        size_t offsets_size = (all.n_sentences + 1) * sizeof(int64_t);
        PyObject *ids = PyByteArray_FromStringAndSize(all.ids.data, (Py_ssize_t)ids_size);
        PyObject *offsets =
            PyByteArray_FromStringAndSize(all.offsets.data, (Py_ssize_t)offsets_size);
        PyObject *words = words_of(&all.unknown);
        if (ids && offsets && words)
            result = PyTuple_Pack(3, ids, offsets, words);
        Py_XDECREF(ids);
        Py_XDECREF(offsets);
        Py_XDECREF(words);
    }
    free_tokens(&all);
    return result;
}

/* ---- Sums of rows, which are in one of three tables. */
enum { SUMS, TABLE, SCALES, MOVED, PLACES, N_LAYERS };

typedef struct {
    /* What the caller of `row_sums` or `means` passes. */
    float *sums;
    const void *table;              /* float32; with scales, int8 */
    const float *scales, *moved;
    const int32_t *places;          /* position in `moved`, or -1 for a row of `table` */
    size_t n_dims, n_sums, n_table, n_moved, n_places;
    /* What each block has: `step` numbers lead to the next id and weight. */
    const int32_t *ids;
    const float *weights, *extra;
    const int64_t *offsets;
    size_t n_ids, n_extra, step;
    void *memory; /* for two sums */
} Rows;

/* Return whether the buffers are whole, aligned rows of sizes that match. */
static int fill_rows(Rows *rows, const Py_buffer *layers, Py_ssize_t n_dims)
{
    if (n_dims <= 0 || n_dims >= 1 << 24)
        return 0;
    size_t row = (size_t)n_dims * sizeof(float), n[N_LAYERS];
    size_t sizes[N_LAYERS] = {row, layers[SCALES].buf ? row / 4 : row, 4, row, 4};
    for (int i = 0; i < N_LAYERS; i++) {
        int aligned = (uintptr_t)layers[i].buf % 4 == 0 || (i == TABLE && layers[SCALES].buf);
        n[i] = (size_t)layers[i].len / sizes[i];
        if (!aligned || n[i] * sizes[i] != (size_t)layers[i].len)
            return 0;
    }
    *rows = (Rows){layers[SUMS].buf, layers[TABLE].buf,  layers[SCALES].buf, layers[MOVED].buf,
                   layers[PLACES].buf, (size_t)n_dims,   n[SUMS],            n[TABLE],
                   n[MOVED],         n[PLACES]};
    return !rows->scales || n[SCALES] == n[TABLE];
}

/* Return a row, of 8-bit codes if it has a scale; NULL if the id is out of range. */
static inline const void *row_of(const Rows *rows, size_t i, const float **scale)
{
    const size_t n_words = rows->places ? rows->n_places : rows->n_table, n_dims = rows->n_dims;
    size_t id = (size_t)(int64_t)rows->ids[i * rows->step]; /* a negative one is too large */
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

/* Add some rows at a time, in order: fewer loads and stores of the sum. */
EACH_PROCESSOR static void add_floats(float *restrict sum, const void **rows, const float *w,
                                      size_t n)
{
    const float *restrict a = rows[0], *restrict b = rows[1];
    const float wa = w[0], wb = w[1];
    for (size_t d = 0; d < n; d++)
        sum[d] = (sum[d] + wa * a[d]) + wb * b[d];
}

/* Compilers make poor code to extend 8 bits to 32, but good code for shifts of four codes in 32
   bits. So code 4 d + k is added at k n / 4 + d, and `sum_rows` puts the sums in order. */
#define CODE(four, k) (float)((int32_t)(four << (24 - 8 * k)) >> 24)
#define ADD_CODES(s, k)                                                                          \
    s[d] = (((s[d] + CODE(a, k) * fa) + CODE(b, k) * fb) + CODE(c, k) * fc) + CODE(e, k) * fe
EACH_PROCESSOR static void add_codes(float *restrict sum, const void **rows, const float *f,
                                     size_t n)
{
    const char *restrict ra = rows[0], *restrict rb = rows[1];
    const char *restrict rc = rows[2], *restrict re = rows[3];
    float *restrict s0 = sum, *restrict s1 = sum + n / 4;
    float *restrict s2 = sum + n / 4 * 2, *restrict s3 = sum + n / 4 * 3;
    const float fa = f[0], fb = f[1], fc = f[2], fe = f[3];
    for (size_t d = 0; d < n / 4; d++) {
        uint32_t a, b, c, e;
        memcpy(&a, ra + 4 * d, 4);
        memcpy(&b, rb + 4 * d, 4);
        memcpy(&c, rc + 4 * d, 4);
        memcpy(&e, re + 4 * d, 4);
        ADD_CODES(s0, 0);
        ADD_CODES(s1, 1);
        ADD_CODES(s2, 2);
        ADD_CODES(s3, 3);
    }
    for (size_t d = n / 4 * 4; d < n; d++) {
        for (size_t i = 0; i < 4; i++)
            sum[d] += (float)((const int8_t *)rows[i])[d] * f[i];
    }
}

EACH_PROCESSOR static void join(float *restrict out, const float *restrict float_sum,
                                const float *restrict code_sum, size_t n)
{
    for (size_t d = 0; d < n / 4; d++)
        for (size_t k = 0; k < 4; k++)
            out[4 * d + k] = float_sum[4 * d + k] + code_sum[k * (n / 4) + d];
    for (size_t d = n / 4 * 4; d < n; d++)
        out[d] = float_sum[d] + code_sum[d];
}

/* Compute the sums; return 0 if an offset or an id is out of range. */
static int sum_rows(const Rows *rows)
{
    const size_t n_dims = rows->n_dims, size = n_dims * (rows->scales ? 1 : sizeof(float));
    /* Aligned, unlike the rows of the result: half of the accesses to the cache. */
    float *float_sum = (float *)(((uintptr_t)rows->memory + 63) & ~(uintptr_t)63);
    float *code_sum = float_sum + (n_dims + 15) / 16 * 16;
    for (size_t s = 0; s < rows->n_sums; s++) {
        float *out = rows->sums + s * n_dims;
        const int64_t start = rows->offsets[s], stop = rows->offsets[s + 1];
        if (start < 0 || stop < start || (uint64_t)stop > rows->n_ids)
            return 0;
        const void *codes[4] = {NULL}, *floats[2] = {NULL};
        float factors[4], weights[2], weight = (float)(1.0 / (double)(stop - start));
        size_t n_codes = 0, n_floats = 0;
        memset(float_sum, 0, n_dims * sizeof(float));
        memset(code_sum, 0, n_dims * sizeof(float));
        for (size_t i = (size_t)start; i < (size_t)stop; i++) {
            const float *scale;
            const char *ahead = i + AHEAD < rows->n_ids ? row_of(rows, i + AHEAD, &scale) : NULL;
            for (size_t k = 0; ahead && k < size; k += 64)
                PREFETCH(ahead + k);
            const void *row = row_of(rows, i, &scale);
            if (row == NULL)
                return 0;
            if (rows->weights)
                weight = rows->weights[i * rows->step];
            if (scale) {
                codes[n_codes % 4] = row;
                factors[n_codes++ % 4] = weight * *scale;
                if (n_codes % 4 == 0)
                    add_codes(code_sum, codes, factors, n_dims);
            } else {
                floats[n_floats % 2] = row;
                weights[n_floats++ % 2] = weight;
                if (n_floats % 2 == 0)
                    add_floats(float_sum, floats, weights, n_dims);
            }
        }
        /* A row with weight 0 in the place of one that is missing. */
        if (n_floats % 2) {
            floats[1] = floats[0];
            weights[1] = 0;
            add_floats(float_sum, floats, weights, n_dims);
        }
        if (n_codes % 4) {
            for (size_t k = n_codes % 4; k < 4; k++) {
                codes[k] = codes[0];
                factors[k] = 0;
            }
            add_codes(code_sum, codes, factors, n_dims);
        }
        if (n_codes)
            join(out, float_sum, code_sum, n_dims);
        else
            memcpy(out, float_sum, n_dims * sizeof(float));
    }
    return 1;
}

static PyObject *finish(int valid, Py_buffer *buffers, int n_buffers)
{
    for (int i = 0; i < n_buffers; i++)
        PyBuffer_Release(buffers + i);
    if (valid)
        Py_RETURN_NONE;
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, OUT_OF_RANGE);
    return NULL;
}

/* Pairs of an id and a weight, as `nearest` gives them. */
static PyObject *row_sums(PyObject *self, PyObject *arguments)
{
    Py_buffer b[N_LAYERS + 2], *pairs = b + N_LAYERS, *offsets = pairs + 1;
    Py_ssize_t n_dims;
    Rows rows;
    if (!PyArg_ParseTuple(arguments, "y*y*w*y*z*y*z*n", pairs, offsets, b + SUMS, b + TABLE,
                          b + SCALES, b + MOVED, b + PLACES, &n_dims))
        return NULL;
    int valid = fill_rows(&rows, b, n_dims) && offsets->len == ((Py_ssize_t)rows.n_sums + 1) * 8 &&
                pairs->len % 8 == 0 && (uintptr_t)pairs->buf % 4 == 0 &&
                (uintptr_t)offsets->buf % 8 == 0;
    if (valid) {
        rows.ids = pairs->buf;
        rows.weights = (float *)pairs->buf + 1;
        rows.step = 2;
        rows.offsets = offsets->buf;
        rows.n_ids = (size_t)pairs->len / 8;
        rows.memory = malloc((2 * (size_t)n_dims + 64) * sizeof(float));
        if (rows.memory == NULL)
            PyErr_NoMemory();
        Py_BEGIN_ALLOW_THREADS
        valid = rows.memory && sum_rows(&rows);
        free(rows.memory);
        Py_END_ALLOW_THREADS
    }
    return finish(valid, b, N_LAYERS + 2);
}

/* Keep the first of equal ids in each sentence, in the order of their first occurrence. `slots` has
   room for at least twice the ids of the longest sentence, up to a power of 2. */
static void keep_distinct(Tokens *all, uint32_t *slots)
{
    int32_t *ids = all->ids.data;
    int64_t *offsets = all->offsets.data, start = 0, n = 0;
    for (size_t s = 0; s < all->n_sentences; s++) {
        int64_t stop = offsets[s + 1];
        size_t n_slots = 16;
        while (n_slots < 2 * (size_t)(stop - start))
            n_slots *= 2;
        memset(slots, 0, n_slots * sizeof *slots);
        for (; start < stop; start++) {
            uint32_t key = (uint32_t)ids[start] + 1; /* 0 is an empty slot */
            size_t place = (size_t)(key * 0x9E3779B97F4A7C15 >> 32) & (n_slots - 1);
            while (slots[place] && slots[place] != key)
                place = (place + 1) & (n_slots - 1);
            ids[n] = ids[start];
            n += slots[place] == 0;
            slots[place] = key;
        }
        offsets[s + 1] = n;
    }
    all->n_ids = (size_t)n;
}

/* Sum the rows of a chunk. For its unknown words, a function returns a table with more rows, and
   the row of each word there, or ~id if the word has an id. */
static int sum_chunk(Rows *rows, Tokens *all, size_t n_known, PyObject *find_unknown,
                     int distinct_words)
{
    Py_buffer extra = {0}, places = {0};
    PyObject *words = NULL, *found = NULL;
    int32_t *ids = all->ids.data;
    const size_t row = rows->n_dims * sizeof(float), n_unknown = all->unknown.n_words;
    const size_t n_words = rows->places ? rows->n_places : rows->n_table;
    int valid = 1;
    if (n_unknown) {
        words = words_of(&all->unknown);
        found = words ? PyObject_CallFunctionObjArgs(find_unknown, words, NULL) : NULL;
        valid = found && PyArg_ParseTuple(found, "y*y*", &extra, &places) &&
                (size_t)extra.len % row == 0 && (size_t)places.len == n_unknown * 4;
    }
    /* The code points are not needed any more. */
    if (valid && !reserve(&all->points, 4 * all->n_ids + 16, sizeof(uint32_t))) {
        PyErr_NoMemory();
        valid = 0;
    }
    if (valid) {
        const int32_t *place = places.buf;
        rows->ids = ids;
        rows->offsets = all->offsets.data;
        rows->extra = extra.buf;
        rows->n_extra = (size_t)extra.len / row;
        rows->n_sums = all->n_sentences;
        Py_BEGIN_ALLOW_THREADS
        for (size_t i = 0; n_unknown && i < all->n_ids; i++) {
            if ((size_t)ids[i] >= n_known) {
                int64_t k = place[(size_t)ids[i] - n_known];
                k = k < 0 ? ~k : k + (int64_t)n_words;
                ids[i] = k <= INT32_MAX ? (int32_t)k : -1;
            }
        }
        if (distinct_words)
            keep_distinct(all, all->points.data);
        rows->n_ids = all->n_ids;
        valid = sum_rows(rows);
        Py_END_ALLOW_THREADS
        rows->sums += rows->n_sums * rows->n_dims;
    }
    PyBuffer_Release(&extra);
    PyBuffer_Release(&places);
    Py_XDECREF(words);
    Py_XDECREF(found);
    clear_index(&all->unknown);
    all->unknown = (Index){0};
    all->n_sentences = all->n_ids = 0;
    return valid;
}

static PyObject *means(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *sentences, *find_unknown;
    Py_buffer b[N_LAYERS];
    Py_ssize_t first, n_dims;
    int distinct_words;
    Tokens all = {0};
    Rows rows;
    if (!PyArg_ParseTuple(arguments, "OO!nOw*py*z*y*z*n", &capsule, &PyTuple_Type, &sentences,
                          &first, &find_unknown, b + SUMS, &distinct_words, b + TABLE, b + SCALES,
                          b + MOVED, b + PLACES, &n_dims))
        return NULL;
    const Index *known = PyCapsule_GetPointer(capsule, "skpara.index");
    int valid = known && fill_rows(&rows, b, n_dims) && first >= 0 &&
                first <= PyTuple_Size(sentences) - (Py_ssize_t)rows.n_sums;
    if (valid) {
        Py_ssize_t stop = first + (Py_ssize_t)rows.n_sums;
        rows.step = 1;
        rows.memory = malloc((2 * (size_t)n_dims + 64) * sizeof(float));
        valid = rows.memory != NULL;
        if (!valid)
            PyErr_NoMemory();
        while (valid && first < stop) {
            first = read_chunk(&all, known, sentences, first, stop);
            valid = first >= 0 && sum_chunk(&rows, &all, known->n_words, find_unknown,
                                             distinct_words);
        }
        free(rows.memory);
        free_tokens(&all);
    }
    return finish(valid, b, N_LAYERS);
}

/* ---- Known words that share most character n-grams with an unknown one. */
#define LONGEST 24     /* characters of a word that are used */
#define MOST_NGRAMS 69 /* 24 + 23 + 22 of <word> */
#define N_BITS 18      /* of the hash of an n-gram */

typedef struct {
    int32_t word;
    float value; /* of an n-gram, cosine, then share */
} Neighbor;

typedef struct {
    const float *weights;  /* of n-grams */
    const int32_t *starts; /* the words of n-gram i are words[starts[i]:starts[i + 1]] */
    const Neighbor *words;
    size_t n_values, n_known, n_neighbors;
    float *cosines; /* of all known words, zeros between two calls */
    Buffer touched; /* the words whose cosine is not zero */
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
static int64_t find_nearest(Ngrams *index, const uint32_t *word, size_t length, Neighbor *nearest)
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
        size_t start = (size_t)index->starts[ngrams[i].word];
        for (size_t k = 0; k < 64 && start + k < index->n_values; k += 8)
            PREFETCH(index->words + start + k);
    }
    float norm = (float)(sqrt(squares) > 1e-12 ? sqrt(squares) : 1e-12);
    for (size_t i = 0; i < n_ngrams; i++) {
        float value = ngrams[i].value / norm;
        int64_t start = index->starts[ngrams[i].word], stop = index->starts[ngrams[i].word + 1];
        if (start < 0 || stop < start || stop > (int64_t)index->n_values ||
            !reserve(&index->touched, n_touched + (size_t)(stop - start), sizeof(int32_t)))
            return -1;
        int32_t *touched = index->touched.data;
        for (const Neighbor *known = index->words + start; known < index->words + stop; known++) {
            if ((uint32_t)known->word >= index->n_known)
                return -1;
            float cosine = index->cosines[known->word];
            touched[n_touched] = known->word;
            n_touched += cosine == 0;
            index->cosines[known->word] = cosine + value * known->value;
        }
    }
    const int32_t *touched = index->touched.data;
    for (size_t i = 0; i < n_touched; i++) {
        Neighbor neighbor = {touched[i], index->cosines[touched[i]]};
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
    enum { SHARES, ENDS, POINTS, WEIGHTS, STARTS, WORDS, N_BUFFERS };
    Py_buffer b[N_BUFFERS];
    Py_ssize_t n_known, n_neighbors;
    if (!PyArg_ParseTuple(arguments, "w*w*y*y*y*y*nn", b + SHARES, b + ENDS, b + POINTS,
                          b + WEIGHTS, b + STARTS, b + WORDS, &n_known, &n_neighbors))
        return NULL;
    int64_t *ends = b[ENDS].buf, n_words = b[ENDS].len / 8 - 1;
    Neighbor *shares = b[SHARES].buf;
    int valid = b[WEIGHTS].len == 4 << N_BITS && b[STARTS].len == (4 << N_BITS) + 4 &&
                n_known >= 0 && n_known <= INT32_MAX && n_neighbors >= 1 &&
                n_neighbors <= MOST_NGRAMS && n_words >= 0 &&
                b[SHARES].len == n_words * n_neighbors * SIZE(Neighbor);
    if (valid) {
        Ngrams index = {b[WEIGHTS].buf, b[STARTS].buf, b[WORDS].buf, (size_t)b[WORDS].len / 8,
                        (size_t)n_known, (size_t)n_neighbors, NULL, {NULL, 0}};
        index.cosines = calloc((size_t)n_known + 1, sizeof(float));
        if (index.cosines == NULL)
            PyErr_NoMemory();
        Py_BEGIN_ALLOW_THREADS
        int64_t start = 0, n_shares = index.cosines ? 0 : -1;
        for (int64_t i = 0; i < n_words && n_shares >= 0; i++) {
            int64_t stop = ends[i + 1], n = -1;
            if (start <= stop && stop <= b[POINTS].len / 4)
                n = find_nearest(&index, (uint32_t *)b[POINTS].buf + start,
                                 (size_t)(stop - start), shares + n_shares);
            n_shares = n < 0 ? -1 : n_shares + n;
            ends[i + 1] = n_shares;
            start = stop;
        }
        valid = n_shares >= 0;
        free(index.cosines);
        free(index.touched.data);
        Py_END_ALLOW_THREADS
    }
    return finish(valid, b, N_BUFFERS);
}

static PyMethodDef methods[] = {
    {"set_tokenizer", set_tokenizer, METH_VARARGS, NULL},
    {"make_index", make_index, METH_VARARGS, NULL},
    {"token_ids", token_ids, METH_VARARGS, NULL},
    {"means", means, METH_VARARGS, NULL},
    {"row_sums", row_sums, METH_VARARGS, NULL},
    {"nearest", nearest, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "skpara._native", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__native(void)
{
    return PyModule_Create(&module);
}
