/* Sentences to token ids, unknown words to known words that are spelled alike, and sums of rows of
   tables. The NumPy code beside each caller computes the same, and the tests compare the two.

   The limited API has no access to the memory of strings, so their code points are copied.
   Everything after that runs without the GIL. */
#include "_native.h"

#if PY_BIG_ENDIAN
#error "Bytes of words are loaded as little-endian integers; the NumPy code is used instead."
#endif

#define OUT_OF_RANGE "Sizes do not match, or an id or an offset is out of range."

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

/* ---- Words: an index from their bytes to numbers, by open addressing. */
#define SPARE 8 /* bytes that must be readable behind a word, as eight are loaded at a time */

typedef struct {
    uint64_t hash;
    uint32_t start, length; /* of the bytes of the word in `text` */
    int32_t number;         /* 1 for the first word; 0 is an empty slot */
} Slot;

typedef struct {
    Slot *slots;
    size_t n_slots, n_words, n_bytes;
    Buffer text;
} Index;

/* Words of at most eight bytes have different hashes if they have the same length: each step can be
   undone. */
static inline uint64_t hash_of(const uint8_t *word, size_t length)
{
    uint64_t hash = length, bytes;
    for (size_t i = 0; i < length; i += 8) {
        memcpy(&bytes, word + i, 8);
        if (length - i < 8)
            bytes &= ((uint64_t)1 << 8 * (length - i)) - 1;
        /* An odd constant whose bits look random; upper bits depend on all bits of a factor. */
        hash = (hash ^ bytes) * 0x9E3779B97F4A7C15;
        hash ^= hash >> 32;
    }
    return hash;
}

/* Return the slot of a word, or the empty one where it belongs. */
static inline Slot *find(const Index *index, uint64_t hash, const uint8_t *word, size_t length)
{
    for (size_t i = hash;; i++) {
        Slot *slot = &index->slots[i & (index->n_slots - 1)];
        if (slot->number == 0)
            return slot;
        if (slot->hash == hash && slot->length == length &&
            (length <= 8 || !memcmp((uint8_t *)index->text.data + slot->start, word, length)))
            return slot;
    }
}

/* Return the number of a word, which is added if it is new; 0 if memory is short. */
static int32_t number_of(Index *index, uint64_t hash, const uint8_t *word, size_t length)
{
    if (2 * (index->n_words + 1) > index->n_slots) {
        size_t n_slots = index->n_slots ? 2 * index->n_slots : 64;
        Slot *slots = calloc(n_slots, sizeof *slots);
        if (slots == NULL)
            return 0;
        for (size_t i = 0; i < index->n_slots; i++) {
            size_t place = index->slots[i].hash;
            while (slots[place & (n_slots - 1)].number)
                place++;
            if (index->slots[i].number)
                slots[place & (n_slots - 1)] = index->slots[i];
        }
        free(index->slots);
        index->slots = slots;
        index->n_slots = n_slots;
    }
    Slot *slot = find(index, hash, word, length);
    if (slot->number)
        return slot->number;
    size_t start = index->n_bytes;
    if (index->n_words >= INT32_MAX || start + length > UINT32_MAX ||
        !reserve(&index->text, start + length + 1, 1))
        return 0;
    memcpy((uint8_t *)index->text.data + start, word, length);
    index->n_bytes += length;
    *slot = (Slot){hash, (uint32_t)start, (uint32_t)length, (int32_t)++index->n_words};
    return slot->number;
}

static void clear_index(Index *index)
{
    free(index->slots);
    free(index->text.data);
}

static void free_index(PyObject *capsule)
{
    Index *index = PyCapsule_GetPointer(capsule, "skpara.index");
    clear_index(index);
    free(index);
}

/* (bytes of distinct words and SPARE more, where each word ends) -> index */
static PyObject *make_index(PyObject *self, PyObject *arguments)
{
    Arrays arrays = {.n = 0};
    Py_ssize_t n_bytes, n_words = 0;
    const uint8_t *text = array(&arrays, arguments, 0, 1, 0, &n_bytes);
    const int64_t *ends = text ? array(&arrays, arguments, 1, 8, 0, &n_words) : NULL;
    Index *index = calloc(1, sizeof *index);
    int valid = ends && index;
    for (int64_t i = 0, start = 0; valid && i < n_words; start = ends[i++]) {
        valid = start <= ends[i] && ends[i] <= n_bytes - SPARE;
        size_t length = valid ? (size_t)(ends[i] - start) : 0;
        valid = valid &&
                number_of(index, hash_of(text + start, length), text + start, length) == i + 1;
    }
    release(&arrays);
    PyObject *capsule = valid ? PyCapsule_New(index, "skpara.index", free_index) : NULL;
    if (capsule == NULL && index != NULL) {
        clear_index(index);
        free(index);
    }
    return capsule ? capsule : fail("A word occurs twice, or there is too little memory.");
}

static PyObject *words_of(const Index *index)
{
    PyObject *words = PyList_New((Py_ssize_t)index->n_words);
    for (size_t i = 0; words != NULL && i < index->n_slots; i++) {
        const Slot *slot = &index->slots[i];
        if (slot->number == 0)
            continue;
        PyObject *word = PyUnicode_DecodeUTF8((char *)index->text.data + slot->start,
                                              (Py_ssize_t)slot->length, "surrogatepass");
        if (word == NULL || PyList_SetItem(words, slot->number - 1, word) < 0)
            Py_CLEAR(words);
    }
    return words;
}

/* ---- Sentences to ids. What must be known of a character is a number: its lower case (21 bits),
   its kind (2 bits), and whether its sentence may need `normalize` (1 bit); 0 if it is not known. */
enum { SPACE, WORD, MARK, JOINER };
#define LOWER(entry) ((entry)&0x1FFFFF)
#define KIND(entry) ((entry) >> 21 & 3)
#define IS_ODD(entry) ((entry)-1 >= (1 << 23) - 1) /* or not known */

static Py_buffer entries;
static PyObject *fill, *normalize; /* functions: make the entry of a character; of a string */
#define ENTRY(character) (((const uint32_t *)entries.buf)[character])

/* Characters at a time: few enough that their buffers stay in the processor's cache, and so many that
   threads hardly wait for the GIL, which is needed to read strings. */
#define CHUNK (1 << 16)
#define LOOK_AHEAD 8 /* words whose slots are on their way from memory */

typedef struct {
    uint32_t start, end;
    uint64_t hash;
} Token; /* a part of the bytes */

typedef struct {
    Buffer points, starts, bytes, tokens; /* of a chunk: code points, sentences, lower-case UTF-8 */
    Buffer ids, offsets;
    Index unknown;
    size_t n_points, n_bytes, n_tokens, n_sentences, n_ids;
} Text;

static PyObject *set_tokenizer(PyObject *self, PyObject *arguments)
{
    if (!PyArg_ParseTuple(arguments, "y*OO", &entries, &fill, &normalize))
        return NULL;
    Py_INCREF(fill);
    Py_INCREF(normalize);
    Py_RETURN_NONE;
}

/* Append the code points of a string, and a space; return 0 with an error if that fails. */
static int append(Text *text, PyObject *string)
{
    Py_ssize_t length = string ? PyUnicode_GetLength(string) : -1;
    size_t n = text->n_points + (size_t)length + 1;
    if (length < 0)
        return 0;
    /* Positions of bytes, up to four a character, are 32-bit integers. */
    if (n > 1 << 29 || !reserve(&text->points, n, sizeof(uint32_t))) {
        PyErr_SetString(PyExc_MemoryError, "A text is too long for the memory, or for 2**29.");
        return 0;
    }
    uint32_t *points = (uint32_t *)text->points.data + text->n_points;
    if (PyUnicode_AsUCS4(string, points, length, 0) == NULL)
        return 0;
    points[length] = ' ';
    text->n_points = n;
    return 1;
}

/* Fill the entries of some points that are not known; return 0 with an error if that fails. */
static int fill_entries(const uint32_t *points, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        PyObject *done = ENTRY(points[i]) ? NULL : PyObject_CallFunction(fill, "I", points[i]);
        Py_XDECREF(done);
        if (done == NULL && PyErr_Occurred())
            return 0;
    }
    return 1;
}

/* Return whether `normalize` may change an odd character for what is around it: HTML entities, and
   the clitics, quotes and brackets of tokenized text. It may find a little more than these. */
static int needs_normalize(const uint32_t *point)
{
    uint32_t last = ENTRY(point[-1]), next = ENTRY(point[1]);
    switch (LOWER(ENTRY(*point))) {
    case '-':
        return LOWER(last) == 'b';
    case '\'': /* behind " " or " n", and before one or two letters that end a word */
        if (LOWER(last) == '\'')
            return 1;
        return (KIND(last) == SPACE || (LOWER(last) == 'n' && KIND(ENTRY(point[-2])) == SPACE)) &&
               KIND(next) == WORD &&
               (KIND(ENTRY(point[2])) != WORD || KIND(ENTRY(point[3])) != WORD);
    default:
        return 1;
    }
}

/* Return whether an apostrophe, comma or full stop behind a word character is part of the word. */
static int joins(const uint32_t *point)
{
    if (LOWER(ENTRY(*point)) == '\'')
        return KIND(ENTRY(point[1])) == WORD;
    return point[-1] - '0' < 10 && point[1] - '0' < 10;
}

/* Split a sentence as `tokenize` does and append its tokens. Return 1, or 0 if memory is short, -1
   if it must be normalized before. */
static int split(Text *text, size_t start, size_t end, int is_normalized)
{
    size_t n = end - start, n_starts = text->n_tokens, n_ends = text->n_tokens;
    if (!reserve(&text->bytes, text->n_bytes + 4 * n + 4 + SPARE, 1) ||
        !reserve(&text->tokens, text->n_tokens + n + 2, sizeof(Token)))
        return 0;
    const uint32_t *points = (uint32_t *)text->points.data + start, *table = entries.buf;
    uint8_t *const bytes = text->bytes.data, *out = bytes + text->n_bytes;
    Token *tokens = text->tokens.data;
    for (uint32_t i = 0, kind, last = SPACE; i <= n; i++, last = kind) { /* with the space behind */
        uint32_t entry = table[points[i]], lower = LOWER(entry);
        kind = KIND(entry);
        if (IS_ODD(entry) && !is_normalized && needs_normalize(points + i))
            return -1;
        if (kind == JOINER)
            kind = last == WORD && joins(points + i) ? WORD : MARK;
        /* No branches where tokens begin and end, which no processor could predict: they are where
           WORD, 1, or MARK, 2, does not meet WORD. */
        tokens[n_starts].start = tokens[n_ends].end = (uint32_t)(out - bytes);
        n_starts += (kind & ~(last & WORD)) != 0;
        n_ends += (last & ~(kind & WORD)) != 0;
        if (lower < 0x80) {
            *out++ = (uint8_t)lower;
            continue;
        }
        int n_more = 1 + (lower >= 0x800) + (lower >= 0x10000);
        *out++ = (uint8_t)(0x1F80 >> n_more | lower >> 6 * n_more);
        while (n_more--)
            *out++ = (uint8_t)(0x80 | (lower >> 6 * n_more & 63));
    }
    text->n_bytes = (size_t)(out - bytes);
    text->n_tokens = n_ends;
    return 1;
}

/* Split a sentence with `normalize` applied to the words that have an odd character, and to the word
   before each, which a clitic is joined to. What it does reaches no further. Return 0, perhaps with
   an error, if that fails. */
static int split_odd(Text *text, PyObject *string, size_t start, size_t end)
{
    const size_t n_points = text->n_points;
    size_t done = start, window = end; /* normalize from the window on; there is none at the end */
    if (!fill_entries((uint32_t *)text->points.data + start, end - start))
        return 0;
    /* A word and the white space behind it, from i to next, at a time. */
    for (size_t last = start, i = start, next = start; i < end; last = i, i = next) {
        const uint32_t *points = text->points.data; /* which `append` may move */
        int is_odd = 0;
        do
            is_odd |= IS_ODD(ENTRY(points[next])) && needs_normalize(points + next);
        while (++next < end && (KIND(ENTRY(points[next])) == SPACE ||
                                KIND(ENTRY(points[next - 1])) != SPACE));
        if (is_odd && window == end)
            window = last;
        if (window == end || (is_odd && next < end))
            continue;
        size_t stop = is_odd ? end : i;
        PyObject *part = PyUnicode_Substring(string, (Py_ssize_t)(window - start),
                                             (Py_ssize_t)(stop - start));
        PyObject *normal = part ? PyObject_CallFunctionObjArgs(normalize, part, NULL) : NULL;
        int valid = (done == window || split(text, done, window - 1, 1)) &&
                    append(text, normal) &&
                    fill_entries((uint32_t *)text->points.data + n_points,
                                 text->n_points - n_points) &&
                    split(text, n_points, text->n_points - 1, 1);
        Py_XDECREF(part);
        Py_XDECREF(normal);
        if (!valid)
            return 0;
        text->n_points = n_points;
        done = stop;
        window = end;
    }
    return done == end || split(text, done, end, 1);
}

/* Append the ids of all tokens of a chunk; return 0 if memory is short. */
static int look_up(Text *text, const Index *known)
{
    Token *tokens = text->tokens.data;
    const uint8_t *bytes = text->bytes.data;
    size_t n = text->n_tokens;
    if (!reserve(&text->ids, text->n_ids + n, sizeof(int32_t)))
        return 0;
    int32_t *ids = (int32_t *)text->ids.data + text->n_ids;
    for (size_t k = 0; k < n; k++)
        tokens[k].hash = hash_of(bytes + tokens[k].start, tokens[k].end - tokens[k].start);
    for (size_t k = 0; k < n; k++) {
        Token token = tokens[k], *later = &tokens[k + LOOK_AHEAD < n ? k + LOOK_AHEAD : k];
        size_t length = token.end - token.start;
        int64_t number = 0;
        if (known->n_slots) {
            PREFETCH(&known->slots[later->hash & (known->n_slots - 1)]);
            number = find(known, token.hash, bytes + token.start, length)->number;
        }
        if (number == 0) {
            number = number_of(&text->unknown, token.hash, bytes + token.start, length);
            if (number == 0 || (number += (int64_t)known->n_words) > INT32_MAX)
                return 0;
        }
        ids[k] = (int32_t)number - 1;
    }
    text->n_ids += n;
    return 1;
}

/* Append the ids of a chunk of strings; return the number of the next one, -1 for an error. */
static Py_ssize_t read_chunk(Text *text, const Index *known, PyObject *strings, Py_ssize_t first)
{
    Py_ssize_t next = first, n_strings = PyList_Size(strings);
    int valid = reserve(&text->points, 2, sizeof(uint32_t)) &&
                reserve(&text->starts, 1, sizeof(size_t));
    text->n_points = 2; /* before the first sentence, where `needs_normalize` may look */
    text->n_bytes = text->n_tokens = 0;
    if (valid)
        memcpy(text->points.data, (uint32_t[]){' ', ' '}, 2 * sizeof(uint32_t));
    for (; valid && next < n_strings && text->n_points < CHUNK; next++) {
        /* Strings are anywhere in memory, and most have two lines of the cache. */
        const char *ahead =
            (char *)PyList_GetItem(strings, next + 8 < n_strings ? next + 8 : next);
        PREFETCH(ahead);
        PREFETCH(ahead + 64);
        valid = reserve(&text->starts, (size_t)(next - first) + 2, sizeof(size_t));
        if (valid)
            ((size_t *)text->starts.data)[next - first] = text->n_points;
        valid = valid && append(text, PyList_GetItem(strings, next));
    }
    size_t n = (size_t)(next - first);
    valid = valid && reserve(&text->offsets, text->n_sentences + n + 1, sizeof(int64_t));
    if (!valid)
        goto end;
    size_t *starts = text->starts.data;
    int64_t *offsets = (int64_t *)text->offsets.data + text->n_sentences;
    starts[n] = text->n_points;
    PyThreadState *state = PyEval_SaveThread();
    offsets[0] = (int64_t)text->n_ids;
    for (size_t s = 0; valid && s < n; s++) {
        valid = split(text, starts[s], starts[s + 1] - 1, 0);
        if (valid < 0) {
            PyEval_RestoreThread(state);
            PyObject *string = PyList_GetItem(strings, first + (Py_ssize_t)s);
            valid = split_odd(text, string, starts[s], starts[s + 1] - 1);
            state = PyEval_SaveThread();
        }
        offsets[s + 1] = (int64_t)(text->n_ids + text->n_tokens);
    }
    valid = valid && look_up(text, known);
    PyEval_RestoreThread(state);
    text->n_sentences += n;
end:
    if (!valid && !PyErr_Occurred())
        PyErr_NoMemory();
    return valid ? next : -1;
}

/* (index, list of strings) -> (ids, offsets, unknown words) */
static PyObject *token_ids(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *strings, *result = NULL;
    Text text = {0};
    Py_ssize_t next = 0;
    if (!PyArg_ParseTuple(arguments, "OO!", &capsule, &PyList_Type, &strings))
        return NULL;
    const Index *known = PyCapsule_GetPointer(capsule, "skpara.index");
    if (known == NULL)
        return NULL;
    do
        next = read_chunk(&text, known, strings, next);
    while (next >= 0 && next < PyList_Size(strings));
    if (next >= 0) {
        PyObject *parts[] = {
            PyByteArray_FromStringAndSize(text.ids.data, (Py_ssize_t)(4 * text.n_ids)),
            PyByteArray_FromStringAndSize(text.offsets.data,
                                          (Py_ssize_t)(8 * text.n_sentences + 8)),
            words_of(&text.unknown)};
        if (parts[0] && parts[1] && parts[2])
            result = PyTuple_Pack(3, parts[0], parts[1], parts[2]);
        for (int i = 0; i < 3; i++)
            Py_XDECREF(parts[i]);
    }
    clear_index(&text.unknown);
    Buffer all[] = {text.points, text.starts, text.bytes, text.tokens, text.ids, text.offsets};
    for (int i = 0; i < 6; i++)
        free(all[i].data);
    return result;
}

/* ---- Sums of rows, which are in one of three tables. */
#define LANES 64 /* numbers whose sums stay in registers */
#define QUARTER (LANES / 4)
#define AHEAD 16 /* rows that are on their way from memory */

typedef struct {
    const void *table;          /* float32; with scales, int8 */
    const float *scales, *moved, *extra;
    const int32_t *places;      /* position in `moved`, or -1 for a row of `table` */
    Py_ssize_t n_table, n_scales, n_moved, n_places, n_extra, n_dims;
} Layers;

typedef struct {
    const void *row; /* NULL if the id is out of range */
    float weight;
    int is_code; /* 8 bits a number */
} Part;

static inline Part part_of(const Layers *layers, Py_ssize_t id, float weight)
{
    Py_ssize_t n_words = layers->n_places ? layers->n_places : layers->n_table;
    Py_ssize_t n_rows = layers->n_table, n_dims = layers->n_dims;
    const float *rows = layers->table;
    if (id >= n_words) {
        rows = layers->extra;
        n_rows = layers->n_extra;
        id -= n_words;
    } else if (id >= 0 && layers->n_places && layers->places[id] >= 0) {
        rows = layers->moved;
        n_rows = layers->n_moved;
        id = layers->places[id];
    } else if (id >= 0 && id < n_rows && layers->n_scales) {
        return (Part){(int8_t *)layers->table + id * n_dims, weight * layers->scales[id], 1};
    }
    return (Part){id >= 0 && id < n_rows ? rows + id * n_dims : NULL, weight, 0};
}

/* Compilers make poor code to extend 8 bits to 32, but good code for shifts of four codes in 32
   bits. So the sum of code 4 j + k is at k QUARTER + j. Only with constant numbers of turns, and
   indexes as simple as these, does gcc keep the sums in registers, which is ten times as fast. */
EACH_PROCESSOR static void add_parts(const Part *parts, size_t n, size_t n_dims, float *out)
{
    size_t d = 0;
    for (; d + LANES <= n_dims; d += LANES) {
        float floats[LANES] = {0}, codes[LANES] = {0};
        for (size_t i = 0; i < n; i++) {
            const float weight = parts[i].weight, *row = parts[i].row;
            if (parts[i].is_code) {
                uint32_t fours[QUARTER];
                memcpy(fours, (const char *)parts[i].row + d, LANES);
                for (size_t k = 0; k < 4; k++)
                    for (size_t j = 0; j < QUARTER; j++)
                        codes[k * QUARTER + j] +=
                            weight * (float)((int32_t)(fours[j] << (24 - 8 * k)) >> 24);
            } else {
                for (size_t k = 0; k < LANES; k++)
                    floats[k] += weight * row[d + k];
            }
        }
        for (size_t j = 0; j < QUARTER; j++)
            for (size_t k = 0; k < 4; k++)
                out[d + 4 * j + k] = floats[4 * j + k] + codes[k * QUARTER + j];
    }
    for (; d < n_dims; d++) {
        float floats = 0, codes = 0;
        for (size_t i = 0; i < n; i++) {
            if (parts[i].is_code)
                codes += parts[i].weight * (float)((const int8_t *)parts[i].row)[d];
            else
                floats += parts[i].weight * ((const float *)parts[i].row)[d];
        }
        out[d] = floats + codes;
    }
}

/* Compute the sums; return 0 if an id is out of range. Without weights they are means, and with
   slots of distinct ids, a power of 2, the first of equal ids of a sentence counts. */
static int sum_rows(const Layers *layers, float *sums, const int32_t *ids, const float *weights,
                    const int64_t *offsets, Py_ssize_t n_sums, Part *parts, uint64_t *slots,
                    size_t n_slots)
{
    size_t row_size = (size_t)layers->n_dims * (layers->n_scales ? 1 : sizeof(float));
    for (Py_ssize_t s = 0; s < n_sums; s++) {
        size_t n = 0;
        for (int64_t i = offsets[s]; i < offsets[s + 1]; i++) {
            int64_t later = i + AHEAD < offsets[n_sums] ? i + AHEAD : i;
            const char *ahead = part_of(layers, ids[later], 0).row;
            for (size_t k = 0; ahead && k < row_size; k += 64)
                PREFETCH(ahead + k);
            parts[n] = part_of(layers, ids[i], weights ? weights[i] : 1);
            if (parts[n].row == NULL)
                return 0;
            /* The slots of other sentences are empty ones: clearing them takes longer. */
            uint64_t key = (uint64_t)(s + 1) << 32 | (uint32_t)ids[i];
            size_t place = (size_t)((uint32_t)ids[i] * 0x9E3779B97F4A7C15 >> 32) & (n_slots - 1);
            while (n_slots && slots[place] >> 32 == key >> 32 && slots[place] != key)
                place = (place + 1) & (n_slots - 1);
            n += !n_slots || slots[place] != key;
            if (n_slots)
                slots[place] = key;
        }
        for (size_t i = 0; !weights && i < n; i++)
            parts[i].weight *= (float)(1.0 / (double)n);
        add_parts(parts, n, (size_t)layers->n_dims, sums + s * layers->n_dims);
    }
    return 1;
}

/* (sums, n_dims, ids, weights, offsets, is_distinct, extra, table, scales, moved, places) -> None */
static PyObject *row_sums(PyObject *self, PyObject *arguments)
{
    Arrays arrays = {.n = 0};
    Layers layers;
    Py_ssize_t n_sums, n_ids, n_weights, n_offsets;
    Py_ssize_t n_dims = PyLong_AsSsize_t(PyTuple_GetItem(arguments, 1));
    int is_distinct = PyLong_AsLong(PyTuple_GetItem(arguments, 5)) == 1, valid = 0;
    float *sums;
    const int32_t *ids;
    const float *weights;
    const int64_t *offsets;
    if (n_dims <= 0 || n_dims >= 1 << 24 ||
        !(sums = array(&arrays, arguments, 0, 4 * n_dims, 1, &n_sums)) ||
        !(ids = array(&arrays, arguments, 2, 4, 0, &n_ids)) ||
        !(weights = array(&arrays, arguments, 3, 4, 0, &n_weights)) ||
        !(offsets = array(&arrays, arguments, 4, 8, 0, &n_offsets)) ||
        !(layers.extra = array(&arrays, arguments, 6, 4 * n_dims, 0, &layers.n_extra)) ||
        !(layers.scales = array(&arrays, arguments, 8, 4, 0, &layers.n_scales)) ||
        !(layers.table = array(&arrays, arguments, 7, layers.n_scales ? n_dims : 4 * n_dims, 0,
                               &layers.n_table)) ||
        !(layers.moved = array(&arrays, arguments, 9, 4 * n_dims, 0, &layers.n_moved)) ||
        !(layers.places = array(&arrays, arguments, 10, 4, 0, &layers.n_places)))
        goto end;
    layers.n_dims = n_dims;
    int64_t longest = 0;
    valid = n_offsets == n_sums + 1 && offsets[0] >= 0 && offsets[n_sums] <= n_ids &&
            (n_weights == 0 || n_weights == n_ids) &&
            (layers.n_scales == 0 || layers.n_scales == layers.n_table);
    for (Py_ssize_t s = 0; valid && s < n_sums; s++) {
        int64_t length = offsets[s + 1] - offsets[s];
        valid = length >= 0;
        longest = length > longest ? length : longest;
    }
    size_t n_slots = is_distinct ? 256 : 0; /* few collisions in short sentences */
    while (n_slots && n_slots < 2 * (size_t)longest)
        n_slots *= 2;
    Part *parts = malloc(((size_t)longest + 1) * sizeof *parts);
    uint64_t *slots = calloc(n_slots + 1, sizeof *slots);
    if (parts == NULL || slots == NULL)
        PyErr_NoMemory();
    else if (valid) {
        Py_BEGIN_ALLOW_THREADS
        valid = sum_rows(&layers, sums, ids, n_weights ? weights : NULL, offsets, n_sums, parts,
                         slots, n_slots);
        Py_END_ALLOW_THREADS
    }
    free(parts);
    free(slots);
end:
    if (!valid)
        fail(OUT_OF_RANGE);
    return finish(&arrays, valid);
}

/* ---- Known words that share most character n-grams with an unknown one. */
#define LONGEST 24     /* characters of a word that are used */
#define MOST_NGRAMS 69 /* 24 + 23 + 22 of <word> */
#define N_BITS 18      /* of the hash of an n-gram */

typedef struct {
    uint32_t word;
    float weight;
} Share;

typedef struct {
    const float *weights;  /* of n-grams */
    const int32_t *starts; /* the words of n-gram i are words[starts[i]:starts[i + 1]] */
    const Share *words;
    float *cosines; /* of all known words, zeros between two calls */
    Py_ssize_t n_weights, n_starts, n_words, n_cosines, n_neighbors;
} Ngrams;

/* Insert a key into a sorted array of n that has room for it. */
static inline void insert(uint64_t *keys, size_t n, uint64_t key)
{
    for (; n > 0 && keys[n - 1] > key; n--)
        keys[n] = keys[n - 1];
    keys[n] = key;
}

/* Hash the n-grams of <word>, in ascending order; return how many there are. */
static size_t hash_ngrams(const Ngrams *index, const uint32_t *word, size_t length, uint64_t *ngrams)
{
    uint32_t framed[LONGEST + 2] = {'<'};
    size_t n = 0;
    length = length < LONGEST ? length : LONGEST;
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
            /* Lists are far apart in memory: load where they are while others are read. */
            PREFETCH(index->starts + hash);
            insert(ngrams, n++, hash);
        }
    }
    return n;
}

/* Find the nearest words of a word. A key has the inverted bits of a cosine, and a word: the bits of
   floats that are not negative are in the order of these. Return 0 if an index is out of range. The
   order of all sums is that of SubwordIndex, so that the bits are the same. */
static int find_nearest(const Ngrams *index, const uint32_t *word, size_t length, uint64_t *keys)
{
    uint64_t ngrams[MOST_NGRAMS];
    float values[MOST_NGRAMS];
    size_t n_hashes = hash_ngrams(index, word, length, ngrams), n = 0;
    double squares = 0;
    for (size_t i = 0; i < n_hashes; i++) {
        if (n && ngrams[n - 1] == ngrams[i]) {
            values[n - 1]++;
            continue;
        }
        ngrams[n] = ngrams[i];
        values[n++] = 1;
        for (Py_ssize_t k = 0, start = index->starts[ngrams[i]]; k < 64; k += 8)
            PREFETCH(index->words + start + k);
    }
    for (size_t i = 0; i < n; i++) {
        values[i] *= index->weights[ngrams[i]];
        squares += values[i] * values[i];
    }
    float norm = (float)fmax(sqrt(squares), 1e-12);
    for (size_t i = 0; i < n; i++) {
        const int32_t *list = index->starts + ngrams[i];
        if (list[0] < 0 || list[1] < list[0] || list[1] > index->n_words)
            return 0;
        float value = values[i] / norm;
        for (const Share *known = index->words + list[0]; known < index->words + list[1]; known++) {
            if (known->word >= (size_t)index->n_cosines)
                return 0;
            index->cosines[known->word] += value * known->weight;
        }
    }
    for (Py_ssize_t i = 0; i < index->n_neighbors; i++)
        keys[i] = (uint64_t)UINT32_MAX << 32; /* a cosine of 0 */
    for (size_t i = 0; i < n; i++) {
        const int32_t *list = index->starts + ngrams[i];
        for (const Share *known = index->words + list[0]; known < index->words + list[1]; known++) {
            uint32_t bits;
            memcpy(&bits, &index->cosines[known->word], sizeof bits);
            index->cosines[known->word] = 0; /* also of a word that is in several lists */
            uint64_t key = (uint64_t)~bits << 32 | known->word;
            if (key < keys[index->n_neighbors - 1])
                insert(keys, (size_t)index->n_neighbors - 1, key);
        }
    }
    return 1;
}

/* (keys, n_neighbors, points, ends, weights, starts, words, cosines) -> None */
static PyObject *nearest(PyObject *self, PyObject *arguments)
{
    Arrays arrays = {.n = 0};
    Ngrams index = {.n_neighbors = PyLong_AsSsize_t(PyTuple_GetItem(arguments, 1))};
    Py_ssize_t n_keys, n_points, n_ends;
    uint64_t *keys = array(&arrays, arguments, 0, 8, 1, &n_keys);
    const uint32_t *points = keys ? array(&arrays, arguments, 2, 4, 0, &n_points) : NULL;
    const int64_t *ends = points ? array(&arrays, arguments, 3, 8, 0, &n_ends) : NULL;
    int valid = ends && (index.weights = array(&arrays, arguments, 4, 4, 0, &index.n_weights)) &&
                (index.starts = array(&arrays, arguments, 5, 4, 0, &index.n_starts)) &&
                (index.words = array(&arrays, arguments, 6, 8, 0, &index.n_words)) &&
                (index.cosines = array(&arrays, arguments, 7, 4, 1, &index.n_cosines)) &&
                index.n_weights == 1 << N_BITS && index.n_starts == index.n_weights + 1 &&
                index.n_neighbors > 0 && n_keys == n_ends * index.n_neighbors;
    Py_BEGIN_ALLOW_THREADS
    for (int64_t i = 0, start = 0; valid && i < n_ends; start = ends[i++])
        valid = start <= ends[i] && ends[i] <= n_points &&
                find_nearest(&index, points + start, (size_t)(ends[i] - start),
                             keys + i * index.n_neighbors);
    Py_END_ALLOW_THREADS
    if (!valid)
        fail(OUT_OF_RANGE);
    return finish(&arrays, valid);
}

static PyMethodDef methods[] = {
    {"set_tokenizer", set_tokenizer, METH_VARARGS, NULL},
    {"make_index", make_index, METH_VARARGS, NULL},
    {"token_ids", token_ids, METH_VARARGS, NULL},
    {"row_sums", row_sums, METH_VARARGS, NULL},
    {"nearest", nearest, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "skpara._native", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__native(void)
{
    return PyModule_Create(&module);
}
