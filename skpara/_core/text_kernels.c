/* Sentences to token ids, unknown words to known words that are spelled alike, sums of rows of
   tables, products of rows, pairs of words, and look-ups of sorted words. The tests compare each
   with a few lines of Python.

   The limited API has no access to the memory of strings, so their code points are copied.
   Everything after that runs without the GIL. */
#include "kernels.h"

#define OUT_OF_RANGE "Sizes do not match, or an id or an offset is out of range."

/* ---- Words: an index from their bytes, loaded as little-endian integers, to numbers. */
#define SPARE 8 /* bytes that must be readable behind a word, as eight are loaded at a time */

/* Not a Table of kernels.h: a lookup reads one line of the cache, as a slot holds the hash, too. */
typedef struct {
    uint64_t hash;
    uint32_t start, length; /* of the bytes of the word in `text` */
    int32_t number;         /* 1 for the first word; 0 is an empty slot */
} Slot;

typedef struct {
    Slot *slots;
    const uint8_t *text;
    Py_ssize_t n_slots, n_bytes; /* n_slots is a power of 2 */
} Index;

/* Words of at most eight bytes have different hashes if they have the same length: each step can be
   undone. The factor is odd, and its bits look random. */
static inline uint64_t hash_of(const uint8_t *word, size_t length)
{
    uint64_t hash = length, bytes;
    for (size_t i = 0; i < length; i += 8) {
        memcpy(&bytes, word + i, 8);
        if (length - i < 8)
            bytes &= ((uint64_t)1 << 8 * (length - i)) - 1;
        hash = (hash ^ bytes) * FACTOR;
        hash ^= hash >> 32;
    }
    return hash;
}

/* Return the slot of a word, or the empty one where it belongs. */
static inline Slot *find(const Index *index, uint64_t hash, const uint8_t *word, size_t length)
{
    for (size_t i = hash, end = hash + (size_t)index->n_slots;; i++) {
        Slot *slot = &index->slots[i & ((size_t)index->n_slots - 1)];
        if (slot->number == 0 || i == end ||
            (slot->hash == hash && slot->length == length &&
             (length <= 8 || (slot->start + length <= (size_t)index->n_bytes &&
                              !memcmp(index->text + slot->start, word, length)))))
            return slot;
    }
}

/* Read an index from the first two arguments, slots and the bytes of words. */
static Index read_index(Arrays *arrays, PyObject *args)
{
    Index index;
    index.slots = array(arrays, args, 0, sizeof(Slot), 1, &index.n_slots);
    index.text = array(arrays, args, 1, 1, 0, &index.n_bytes);
    if (index.n_slots < 1 || (index.n_slots & (index.n_slots - 1)) || index.n_bytes > UINT32_MAX)
        fail(OUT_OF_RANGE);
    return index;
}

/* (slots to fill, bytes of distinct words and SPARE more, where each word ends) -> None */
static PyObject *fill_index(PyObject *self, PyObject *args)
{
    Arrays arrays = {.n = 0};
    Py_ssize_t n_words;
    Index index = read_index(&arrays, args);
    const int64_t *ends = array(&arrays, args, 2, 8, 0, &n_words);
    int valid = !PyErr_Occurred() && n_words < index.n_slots;
    for (int64_t i = 0, start = 0; valid && i < n_words; start = ends[i++]) {
        valid = start <= ends[i] && ends[i] <= index.n_bytes - SPARE;
        size_t length = valid ? (size_t)(ends[i] - start) : 0;
        uint64_t hash = hash_of(index.text + start, length);
        Slot *slot = find(&index, hash, index.text + start, length);
        valid = valid && slot->number == 0;
        *slot = (Slot){hash, (uint32_t)start, (uint32_t)length, (int32_t)(i + 1)};
    }
    return finish(&arrays, valid || fail("A word occurs twice, or is not within the text."));
}

/* ---- Sentences to ids. What must be known of a character is a number: its lower case (21 bits),
   its kind (2 bits), and if its sentence may need `normalize` (1 bit); 0 if it is not known. */
enum { SPACE, WORD, MARK, JOINER };
#define LOWER(entry) ((entry)&0x1FFFFF)
#define KIND(entry) ((entry) >> 21 & 3)
#define IS_ODD(entry) ((entry)-1 >= (1 << 23) - 1) /* or not known */

/* Characters at a time: few enough that their buffers stay in the processor's cache, and so many
   that threads hardly wait for the GIL, which is needed to read strings. */
#define CHUNK (1 << 16)
#define PIECE 256 /* characters to normalize at a time; "n't" stays with the word before it */
#define AHEAD 16  /* words, and below rows, that are on their way from memory */

typedef struct {
    uint32_t start, end;
    uint64_t hash;
} Token; /* a part of the bytes */

enum { POINTS, BYTES, TOKENS }; /* code points, words in lower case as UTF-8, Token */

typedef struct {
    const uint32_t *entries; /* of all characters */
    void *data[3];
    size_t n_room, n_bytes, n_tokens; /* n_room characters fit, and n_bytes or fewer were read */
} Text;

/* Make room for `n` characters in all; return 0 if memory is short. */
static int reserve(Text *text, size_t n)
{
    const size_t sizes[] = {4, 4, sizeof(Token)};
    for (int i = 0; n > text->n_room && i < 3; i++) { /* positions of bytes are 32-bit integers */
        void *data = n < UINT32_MAX / 8 ? realloc(text->data[i], (2 * n + SPARE) * sizes[i]) : NULL;
        if (data == NULL)
            return 0;
        text->data[i] = data;
    }
    text->n_room = n > text->n_room ? 2 * n : text->n_room;
    return 1;
}

/* Return whether `normalize` may change an odd character for what is around it: HTML entities, and
   the clitics, quotes and brackets of tokenized text. It may find a little more than these. */
static int needs_normalize(const uint32_t *entries, const uint32_t *point)
{
    uint32_t lower = LOWER(entries[*point]), last = entries[point[-1]];
    if (lower != '\'' || LOWER(last) == '\'')
        return lower != '-' || LOWER(last) == 'b';
    /* Of apostrophes, those behind " " or " n", and before one or two letters that end a word. */
    return (KIND(last) == SPACE || (LOWER(last) == 'n' && KIND(entries[point[-2]]) == SPACE)) &&
           KIND(entries[point[1]]) == WORD &&
           (KIND(entries[point[2]]) != WORD || KIND(entries[point[3]]) != WORD);
}

/* Split text as `tokenize` does and append its tokens, for which there is room. Return 0 if it must
   be normalized before. */
static int split(Text *text, const uint32_t *points, size_t n, int is_normalized)
{
    const uint32_t *entries = text->entries;
    uint8_t *const bytes = text->data[BYTES], *out = bytes + text->n_bytes;
    Token *const tokens = text->data[TOKENS], *start = tokens + text->n_tokens, *end = start;
    for (uint32_t i = 0, kind, last = SPACE; i <= n; i++, last = kind) { /* and what is behind */
        uint32_t entry = entries[points[i]], lower = LOWER(entry);
        kind = KIND(entry);
        if (IS_ODD(entry) && !is_normalized && needs_normalize(entries, points + i))
            return 0;
        if (kind == JOINER) { /* apostrophes join words, others join digits */
            int is_digit = last == WORD && points[i - 1] - '0' < 10 && points[i + 1] - '0' < 10;
            int joins = lower == '\'' ? KIND(entries[points[i + 1]]) == WORD : is_digit;
            kind = last == WORD && joins ? WORD : MARK;
        }
        /* No branches where tokens begin and end, which no processor could predict: they are where
           WORD, 1, or MARK, 2, does not meet WORD. */
        start->start = end->end = (uint32_t)(out - bytes);
        start += (kind & ~(last & WORD)) != 0;
        end += (last & ~(kind & WORD)) != 0;
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
    text->n_tokens = (size_t)(end - tokens);
    return 1;
}

/* Split a piece, which is released, after `normalize`, which may make it longer; return 0, perhaps
   with an error, if that fails. `n_more` characters are still to be read. */
static int split_normalized(Text *text, PyObject *piece, PyObject *normalize, size_t n_more)
{
    PyObject *normal = PyObject_CallFunction(normalize, "N", piece); /* NULL for NULL */
    Py_ssize_t n = normal ? PyUnicode_GetLength(normal) : -1; /* an error if it is no string */
    uint32_t *points = n >= 0 ? PyUnicode_AsUCS4Copy(normal) : NULL; /* with a zero behind */
    int valid = points && reserve(text, text->n_bytes + (size_t)n + 1 + n_more) &&
                split(text, points, (size_t)n, 1);
    PyMem_Free(points);
    Py_XDECREF(normal);
    return valid;
}

/* Return the ids of all tokens, -1 for unknown words, in place of the code points. */
static int32_t *look_up(Text *text, const Index *known, size_t *n_unknown)
{
    const uint8_t *bytes = text->data[BYTES];
    Token *tokens = text->data[TOKENS];
    int32_t *ids = text->data[POINTS];
    for (size_t k = 0; k < text->n_tokens; k++)
        tokens[k].hash = hash_of(bytes + tokens[k].start, tokens[k].end - tokens[k].start);
    for (size_t k = 0; k < text->n_tokens; k++) {
        Token token = tokens[k], *later = &tokens[k + AHEAD < text->n_tokens ? k + AHEAD : k];
        __builtin_prefetch(&known->slots[later->hash & ((size_t)known->n_slots - 1)]);
        ids[k] = find(known, token.hash, bytes + token.start, token.end - token.start)->number - 1;
        *n_unknown += ids[k] < 0;
    }
    return ids;
}

/* (slots, bytes of known words, entries of characters, offsets to write, list of strings,
   normalize, mapping from unknown words to ids) -> (ids, number of strings that were read) */
static PyObject *token_ids(PyObject *self, PyObject *args)
{
    Arrays arrays = {.n = 0};
    Text text = {.n_room = 0};
    Py_ssize_t n_entries, n_offsets, n = 0;
    Index known = read_index(&arrays, args);
    text.entries = array(&arrays, args, 2, 4, 0, &n_entries);
    int64_t *offsets = array(&arrays, args, 3, 8, 1, &n_offsets);
    PyObject *strings = PyTuple_GetItem(args, 4), *normalize = PyTuple_GetItem(args, 5);
    PyObject *unknown = PyTuple_GetItem(args, 6), *result = NULL;
    Py_ssize_t n_strings = strings ? PyList_Size(strings) : -1;
    if (n_entries != 0x110000 || n_strings >= n_offsets)
        fail(OUT_OF_RANGE);
    size_t n_points = 1; /* a zero before the first sentence, where `needs_normalize` may look */
    int valid = !PyErr_Occurred() && reserve(&text, n_strings > 1 ? CHUNK : 1);
    while (valid && n < n_strings && n_points < CHUNK) {
        PyObject *string = PyList_GetItem(strings, n);
        /* Strings are anywhere in memory. Python's list has read their first line of the cache. */
        __builtin_prefetch((char *)PyList_GetItem(strings, n + 8 < n_strings ? n + 8 : n) + 64);
        Py_ssize_t length = PyUnicode_GetLength(string);
        offsets[n++] = (int64_t)n_points;
        valid = length >= 0 && reserve(&text, n_points + (size_t)length + 1);
        uint32_t *points = text.data[POINTS];
        valid = valid && PyUnicode_AsUCS4(string, points + n_points, length + 1, 1);
        n_points += (size_t)length + 1; /* and a zero, which is a MARK, at the end */
        points[0] = 0;
    }
    if (!valid)
        goto end;
    offsets[n] = (int64_t)n_points;
    PyThreadState *state = PyEval_SaveThread();
    for (Py_ssize_t s = 0; s < n; s++) {
        size_t first = (size_t)offsets[s], last = (size_t)offsets[s + 1] - 1, end;
        offsets[s] = (int64_t)text.n_tokens;
        for (size_t start = first; valid && start <= last; start = end + 1) {
            const uint32_t *points = text.data[POINTS], *entries = text.entries;
            end = last - start > PIECE ? start + PIECE : last;
            while (end < last && (points[end] != ' ' || KIND(entries[points[end + 1]]) != WORD ||
                                  LOWER(entries[points[end + 1]]) == 'n'))
                end++;
            if (split(&text, points + start, end - start, 0))
                continue;
            PyEval_RestoreThread(state);
            PyObject *string = PyList_GetItem(strings, s);
            string = PyUnicode_Substring(string, start - first, end - first);
            valid = split_normalized(&text, string, normalize, n_points - end - 1);
            state = PyEval_SaveThread();
        }
    }
    offsets[n] = (int64_t)text.n_tokens;
    size_t n_unknown = 0;
    int32_t *ids = look_up(&text, &known, &n_unknown);
    PyEval_RestoreThread(state);
    /* Each unknown word is looked up in the mapping once. */
    const uint8_t *bytes = text.data[BYTES];
    const size_t mask = mask_for(n_unknown);
    Index met = {scratch(&arrays, mask, sizeof(Slot)), bytes, (Py_ssize_t)mask + 1,
                 (Py_ssize_t)text.n_bytes};
    valid = valid && met.slots;
    for (size_t k = 0; valid && k < text.n_tokens; k++) {
        if (ids[k] >= 0)
            continue;
        const Token token = ((Token *)text.data[TOKENS])[k];
        const size_t length = token.end - token.start;
        Slot *slot = find(&met, token.hash, bytes + token.start, length);
        if (slot->number == 0) {
            PyObject *word = PyUnicode_DecodeUTF8((char *)bytes + token.start, (Py_ssize_t)length,
                                                  "surrogatepass");
            PyObject *id = word ? PyObject_GetItem(unknown, word) : NULL;
            const long number = id ? PyLong_AsLong(id) : -1;
            Py_XDECREF(word);
            Py_XDECREF(id);
            valid = number >= 0 && number < INT32_MAX;
            *slot = (Slot){token.hash, token.start, (uint32_t)length, (int32_t)number + 1};
        }
        ids[k] = slot->number - 1;
    }
    if (valid)
        result = Py_BuildValue(
            "Nn", PyByteArray_FromStringAndSize((char *)ids, (Py_ssize_t)(4 * text.n_tokens)), n);
end:
    for (int i = 0; i < 3; i++)
        free(text.data[i]);
    Py_XDECREF(finish(&arrays, result != NULL));
    return result;
}

/* ---- Sums of rows, which are in one of three tables. */
#define LANES 64 /* sums that stay in registers */
#define QUARTER (LANES / 4)
#define DOT_LANES 16 /* sums of a dot product */

typedef struct {
    float *sums;
    const int32_t *ids;
    const int64_t *offsets; /* the ids of sum s are ids[offsets[s]:offsets[s + 1]] */
    const float *weights;   /* of ids; without them, sums are means of distinct ids */
    const void *rows[3];    /* of tables; ids go on from one to the next */
    const float *scales;    /* of the first table, which is int8 then; the others are float32 */
    float *lengths[2]; /* of the rows of the first two tables, without scales, and of the third;
                          0 if unknown */
    float redundancy;       /* how much less a row counts that is like the others of its sum */
    Py_ssize_t n_dims, n_sums, n_ids, n_offsets, n_weights, n_rows[3], n_scales, n_lengths[2];
} Layers;

typedef struct {
    const void *row; /* NULL if the id is out of range */
    float weight;
    int is_code;    /* 8 bits a number */
    float *own_length; /* where its length is kept, or NULL */
    float length, factor; /* what the row is multiplied by */
    int32_t whole;        /* the same as a whole number, for a row of codes */
} Part;

static inline Part part_of(const Layers *layers, Py_ssize_t id, float weight)
{
    const Py_ssize_t *n_rows = layers->n_rows, n_dims = layers->n_dims;
    const Py_ssize_t n_kept = layers->n_lengths[0], last = id - n_rows[0] - n_rows[1];
    float *length = id < n_kept ? layers->lengths[0] + id : NULL;
    if (last >= 0 && last < layers->n_lengths[1])
        length = layers->lengths[1] + last;
    if (layers->n_scales && id >= 0 && id < n_rows[0])
        return (Part){(int8_t *)layers->rows[0] + id * n_dims, weight * layers->scales[id], 1,
                      length, 0, 0, 0};
    for (int k = 0; id >= 0 && k < 3; id -= n_rows[k++])
        if (id < n_rows[k])
            return (Part){(float *)layers->rows[k] + id * n_dims, weight, 0, length, 0, 0, 0};
    return (Part){NULL, weight, 0, NULL, 0, 0, 0};
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
            } else
                for (size_t k = 0; k < LANES; k++)
                    floats[k] += weight * row[d + k];
        }
        for (size_t j = 0; j < QUARTER; j++)
            for (size_t k = 0; k < 4; k++)
                out[d + 4 * j + k] = floats[4 * j + k] + codes[k * QUARTER + j];
    }
    for (; d < n_dims; d++) {
        float sums[2] = {0};
        for (size_t i = 0; i < n; i++)
            sums[parts[i].is_code] +=
                parts[i].weight * (parts[i].is_code ? (float)((const int8_t *)parts[i].row)[d]
                                                    : ((const float *)parts[i].row)[d]);
        out[d] = sums[0] + sums[1];
    }
}

/* ---- Pooling that counts a row less the more the other rows of its sum are like it. What is added
   up over rows are whole numbers, so the order of the words changes no bit. */

#define MOST_CODE 127
#define MOST_BITS 15 /* of each of the two parts of a whole number */
#define SUM_BITS 24  /* so large is the sum of numbers whose products with codes fit into 32 bits */
#define MOST_SUM 2e9f /* of rounded floats: 7 % below 2^31 */
#define CODES 32       /* of a row that are read at a time */
#define SHORTEST 1e-20f /* shorter rows are rows of zeros */

/* Memory for any sum of a call. */
typedef struct {
    float *sums;           /* U */
    int16_t *highs, *lows; /* U in two parts */
    int32_t *whole;        /* a sum of rows of floats */
    int32_t *pairs;        /* low and high parts of the factors of two rows each */
} Scratch;

/* Write the sums of rows of codes from one dimension on. A row is multiplied by its whole number,
   in two parts of so many bits, and their sums by the units of these. */
EACH_PROCESSOR static void add_codes(const Part *parts, size_t n, size_t d, size_t n_dims, int bits,
                                     const float *units, float *out)
{
    for (size_t n_more; d < n_dims; d += n_more) {
        int32_t lows[LANES] = {0}, highs[LANES] = {0};
        n_more = n_dims - d < LANES ? n_dims - d : LANES;
        for (size_t i = 0; i < n; i++) {
            const int8_t *row = (const int8_t *)parts[i].row + d;
            const int32_t high = parts[i].whole >> bits, low = parts[i].whole - (high << bits);
            for (size_t k = 0; k < n_more; k++) {
                lows[k] += low * row[k];
                highs[k] += high * row[k];
            }
        }
        for (size_t k = 0; k < n_more; k++)
            out[d + k] = (float)lows[k] * units[0] + (float)highs[k] * units[1];
    }
}

/* Multiply codes by numbers in two parts of MOST_BITS. */
static int64_t dot_codes(const int8_t *codes, const int16_t *highs, const int16_t *lows,
                         size_t n_dims)
{
    int64_t high = 0, low = 0;
    for (size_t d = 0; d < n_dims; d++) {
        high += codes[d] * highs[d];
        low += codes[d] * lows[d];
    }
    return high * (1 << MOST_BITS) + low;
}

#ifdef HAS_CLONES
/* The same by instructions that compilers do not find: they multiply pairs of 16-bit numbers and
   add the two products. */
#define AVX2 __attribute__((target("avx2"))) static

AVX2 size_t add_codes_avx2(const Part *parts, size_t n, size_t n_dims, int bits,
                           const float *units, int32_t *pairs, float *out)
{
    size_t d = 0;
    for (size_t i = 0; i < n; i += 2) {
        const int32_t one = parts[i].whole, two = i + 1 < n ? parts[i + 1].whole : 0;
        const int32_t high = one >> bits, other = two >> bits;
        pairs[i] = (one - (high << bits)) | (two - (other << bits)) << 16;
        pairs[i + 1] = (high & UINT16_MAX) | (int32_t)((uint32_t)other << 16);
    }
    for (; d + CODES <= n_dims; d += CODES) {
        __m256i lows[4] = {0}, highs[4] = {0};
        for (size_t i = 0; i < n; i += 2) {
            const size_t next = i + 1 < n ? i + 1 : i; /* times 0 */
            const __m128i *one = (const __m128i *)((const int8_t *)parts[i].row + d);
            const __m128i *two = (const __m128i *)((const int8_t *)parts[next].row + d);
            const __m256i low = _mm256_set1_epi32(pairs[i]), high = _mm256_set1_epi32(pairs[i + 1]);
            for (int k = 0; k < 2; k++) {
                const __m256i a = _mm256_cvtepi8_epi16(_mm_loadu_si128(one + k));
                const __m256i b = _mm256_cvtepi8_epi16(_mm_loadu_si128(two + k));
                const __m256i halves[2] = {_mm256_unpacklo_epi16(a, b),
                                           _mm256_unpackhi_epi16(a, b)};
                for (int h = 2 * k; h < 2 * k + 2; h++) {
                    lows[h] = _mm256_add_epi32(lows[h], _mm256_madd_epi16(halves[h & 1], low));
                    highs[h] = _mm256_add_epi32(highs[h], _mm256_madd_epi16(halves[h & 1], high));
                }
            }
        }
        for (int h = 0; h < 4; h += 2) {
            __m256 sums[2];
            for (int k = 0; k < 2; k++)
                sums[k] = _mm256_add_ps(
                    _mm256_mul_ps(_mm256_cvtepi32_ps(lows[h + k]), _mm256_set1_ps(units[0])),
                    _mm256_mul_ps(_mm256_cvtepi32_ps(highs[h + k]), _mm256_set1_ps(units[1])));
            _mm256_storeu_ps(out + d + 8 * h, _mm256_permute2f128_ps(sums[0], sums[1], 0x20));
            _mm256_storeu_ps(out + d + 8 * h + 8, _mm256_permute2f128_ps(sums[0], sums[1], 0x31));
        }
    }
    return d;
}

#define MOST_DIMS 2048 /* eight sums of products of codes and 16 bits fit into 32 bits */

AVX2 int64_t dot_codes_avx2(const int8_t *codes, const int16_t *highs, const int16_t *lows,
                            size_t n_dims)
{
    int32_t sums[2][8];
    int64_t high = 0, low = 0;
    __m256i both[2] = {0};
    size_t d = 0;
    for (; d + 16 <= n_dims; d += 16) {
        const __m256i row = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(codes + d)));
        const __m256i others[2] = {_mm256_loadu_si256((const __m256i *)(highs + d)),
                                   _mm256_loadu_si256((const __m256i *)(lows + d))};
        for (int k = 0; k < 2; k++)
            both[k] = _mm256_add_epi32(both[k], _mm256_madd_epi16(row, others[k]));
    }
    _mm256_storeu_si256((__m256i *)sums[0], both[0]);
    _mm256_storeu_si256((__m256i *)sums[1], both[1]);
    for (int k = 0; k < 8; k++) {
        high += sums[0][k];
        low += sums[1][k];
    }
    return high * (1 << MOST_BITS) + low + dot_codes(codes + d, highs + d, lows + d, n_dims - d);
}
#endif

/* Write sums of rows of floats, each times its factor. */
EACH_PROCESSOR static void add_floats(const Part *parts, size_t n, size_t n_dims,
                                      int32_t *restrict sums)
{
    memset(sums, 0, n_dims * sizeof *sums);
    for (size_t i = 0; i < n; i += 2) { /* two at a time, as sums must be read and written */
        const float *restrict row = parts[i].row, factor = parts[i].factor;
        const size_t next = i + 1 < n ? i + 1 : i;
        const float *restrict other = parts[next].row, more = next > i ? parts[next].factor : 0;
        for (size_t d = 0; d < n_dims; d++)
            sums[d] += (int32_t)(factor * row[d]) + (int32_t)(more * other[d]);
    }
}

EACH_PROCESSOR static float dot(const float *a, const float *b, size_t n)
{
    float sums[DOT_LANES] = {0};
    size_t d = 0;
    for (; d + DOT_LANES <= n; d += DOT_LANES)
        for (size_t k = 0; k < DOT_LANES; k++)
            sums[k] += a[d + k] * b[d + k];
    for (size_t k = 0; d < n; k++, d++)
        sums[k] += a[d] * b[d];
    for (size_t k = DOT_LANES / 2; k > 0; k /= 2)
        for (size_t j = 0; j < k; j++)
            sums[j] += sums[j + k];
    return sums[0];
}

/* Return the length of a row, or 0 for a row of zeros. */
static float length_of(const Part *part, size_t n_dims)
{
    const float *row = part->row;
    double square = 0;
    if (part->is_code)
        for (size_t d = 0; d < n_dims; d++)
            square += ((const int8_t *)part->row)[d] * ((const int8_t *)part->row)[d];
    else if (!((square = dot(row, row, n_dims)) > SHORTEST && square < 1 / SHORTEST)) {
        square = 0; /* what does not fit into a float */
        for (size_t d = 0; d < n_dims; d++)
            square += (double)row[d] * row[d];
    }
    return sqrt(square) > SHORTEST ? (float)sqrt(square) : 0;
}

/* Sum rows, each times its factor; the first n_codes are rows of codes. */
EACH_PROCESSOR static void add_exactly(Part *parts, size_t n_codes, size_t n, size_t n_dims,
                                       const Scratch *scratch, float *out)
{
    float most[2] = {0}; /* factor of codes, and number of another row times its factor */
    size_t n_done = 0;
    int bits = MOST_BITS;
    for (size_t i = 0; i < n; i++) {
        const int is_float = i >= n_codes;
        const float size = fabsf(parts[i].factor) * (is_float ? parts[i].length : 1);
        most[is_float] = size > most[is_float] ? size : most[is_float];
    }
    while (bits > 1 && n_codes >> (SUM_BITS - bits))
        bits--;
    const float unit = most[0] > 0 ? 0.999f * (float)(1 << 2 * bits) / most[0] : 0;
    for (size_t i = 0; i < n_codes; i++)
        parts[i].whole = (int32_t)(parts[i].factor * unit);
    const float low = unit > 0 ? 1 / unit : 0, units[] = {low, low * (float)(1 << bits)};
#ifdef HAS_CLONES
    if (__builtin_cpu_supports("avx2"))
        n_done = add_codes_avx2(parts, n_codes, n_dims, bits, units, scratch->pairs, out);
#endif
    add_codes(parts, n_codes, n_done, n_dims, bits, units, out);
    if (most[1] > 0) {
        const float scale = MOST_SUM / ((float)(n - n_codes) * most[1]), back = 1 / scale;
        for (size_t i = n_codes; i < n; i++)
            parts[i].factor *= scale;
        add_floats(parts + n_codes, n - n_codes, n_dims, scratch->whole);
        for (size_t d = 0; d < n_dims; d++)
            out[d] += (float)scratch->whole[d] * back;
    }
}

/* Compute a sum whose weights add up to 1: with u the rows divided by their lengths and U the sum
   of these, each has the share 1 / (1 + redundancy * max(0, u . U - 1)) of the total. */
EACH_PROCESSOR static void add_weighted(Part *parts, size_t n, size_t n_dims, float redundancy,
                                        const Scratch *scratch, float *out)
{
    size_t n_codes = 0;
    float height = 0; /* of U, at most */
    for (size_t i = 0; i < n; i++) {
        Part part = parts[i];
        part.length = part.own_length ? *part.own_length : 0;
        part.length = part.length > 0 ? part.length : length_of(&part, n_dims);
        if (part.own_length) /* another thread may write it, too: the same number */
            *part.own_length = part.length;
        part.factor = part.length > 0 ? 1 / part.length : 0;
        parts[i] = parts[n_codes];
        parts[part.is_code ? n_codes++ : i] = part;
        const float most = part.is_code ? MOST_CODE * part.factor : 1;
        height = most > height ? most : height;
    }
    add_exactly(parts, n_codes, n, n_dims, scratch, scratch->sums);
    const float unit = height > 0 ? (float)(1 << (2 * MOST_BITS - 1)) / (height * (float)n) : 0;
    for (size_t d = 0; n_codes && d < n_dims; d++) {
        const int32_t whole = (int32_t)(scratch->sums[d] * unit), high = whole >> MOST_BITS;
        scratch->highs[d] = (int16_t)high;
        scratch->lows[d] = (int16_t)(whole - (high << MOST_BITS));
    }
    double total = 0; /* of numbers from 0 to 1 with 24 bits: no order changes it */
    for (size_t i = 0; i < n; i++) {
        Part *const part = &parts[i];
        float others = 0;
        if (!part->is_code)
            others = dot(part->row, scratch->sums, n_dims);
#ifdef HAS_CLONES
        else if (n_dims <= MOST_DIMS && __builtin_cpu_supports("avx2"))
            others = (float)dot_codes_avx2(part->row, scratch->highs, scratch->lows, n_dims) / unit;
#endif
        else
            others = (float)dot_codes(part->row, scratch->highs, scratch->lows, n_dims) / unit;
        others = part->length > 0 ? others / part->length - 1 : 0;
        part->factor = 1 / (1 + redundancy * (others > 0 ? others : 0));
        total += part->factor;
        part->factor *= part->weight;
    }
    add_exactly(parts, n_codes, n, n_dims, scratch, out);
    const float share = n ? (float)(1 / total) : 0;
    for (size_t d = 0; d < n_dims; d++)
        out[d] *= share;
}

/* Compute the sums; return 0 if an id or an offset is out of range. */
static int sum_rows(const Layers *layers, Part *parts, uint64_t *slots, const Scratch *scratch)
{
    const int64_t *offsets = layers->offsets;
    const float *weights = layers->n_weights ? layers->weights : NULL;
    const size_t row_size = (size_t)layers->n_dims * (layers->n_scales ? 1 : 4);
    for (Py_ssize_t s = 0; s < layers->n_sums; s++) {
        size_t n = 0, mask = 255; /* of as many slots as give few collisions */
        if (offsets[s] < 0 || offsets[s + 1] < offsets[s] || offsets[s + 1] > layers->n_ids)
            return 0;
        while (mask < 2 * (size_t)(offsets[s + 1] - offsets[s]))
            mask = 2 * mask + 1;
        for (int64_t i = offsets[s]; i < offsets[s + 1]; i++) {
            uint32_t id = (uint32_t)layers->ids[i];
            int64_t later = i + AHEAD < layers->n_ids ? i + AHEAD : i;
            const char *ahead = part_of(layers, layers->ids[later], 0).row;
            for (size_t k = 0; ahead && k < row_size; k += 64)
                __builtin_prefetch(ahead + k);
            parts[n] = part_of(layers, layers->ids[i], weights ? weights[i] : 1);
            if (parts[n].row == NULL)
                return 0;
            /* The slots of other sentences are empty ones: clearing them takes longer. */
            uint64_t key = (uint64_t)(s + 1) << 32 | id;
            size_t place = (size_t)(id * FACTOR >> 32) & mask;
            while (slots[place] >> 32 == key >> 32 && slots[place] != key)
                place = (place + 1) & mask;
            n += weights || slots[place] != key;
            slots[place] = key;
        }
        if (layers->redundancy > 0) {
            add_weighted(parts, n, (size_t)layers->n_dims, layers->redundancy, scratch,
                         layers->sums + s * layers->n_dims);
            continue;
        }
        for (size_t i = 0; !weights && i < n; i++)
            parts[i].weight *= (float)(1.0 / (double)n);
        add_parts(parts, n, (size_t)layers->n_dims, layers->sums + s * layers->n_dims);
    }
    return 1;
}

/* (sums, n_dims, ids, offsets, weights, table, scales, moved, extra, redundancy, lengths of the
   rows of the table and of moved ones, and of extra ones) -> None */
static PyObject *row_sums(PyObject *self, PyObject *args)
{
    Arrays arrays = {.n = 0};
    Layers layers = {.n_dims = PyLong_AsSsize_t(PyTuple_GetItem(args, 1))};
    Py_ssize_t n_dims = layers.n_dims > 0 && layers.n_dims < 1 << 24 ? layers.n_dims : 1;
    layers.sums = array(&arrays, args, 0, 4 * n_dims, 1, &layers.n_sums);
    layers.ids = array(&arrays, args, 2, 4, 0, &layers.n_ids);
    layers.offsets = array(&arrays, args, 3, 8, 0, &layers.n_offsets);
    layers.weights = array(&arrays, args, 4, 4, 0, &layers.n_weights);
    layers.scales = array(&arrays, args, 6, 4, 0, &layers.n_scales);
    Py_ssize_t row_size = layers.n_scales ? n_dims : 4 * n_dims;
    layers.rows[0] = array(&arrays, args, 5, row_size, 0, &layers.n_rows[0]);
    layers.rows[1] = array(&arrays, args, 7, 4 * n_dims, 0, &layers.n_rows[1]);
    layers.rows[2] = array(&arrays, args, 8, 4 * n_dims, 0, &layers.n_rows[2]);
    int valid = !PyErr_Occurred() && n_dims == layers.n_dims &&
                layers.n_offsets == layers.n_sums + 1 &&
                (layers.n_weights == 0 || layers.n_weights == layers.n_ids) &&
                (layers.n_scales == 0 || layers.n_scales == layers.n_rows[0]);
    layers.lengths[0] = array(&arrays, args, 10, 4, 1, &layers.n_lengths[0]);
    layers.lengths[1] = array(&arrays, args, 11, 4, 1, &layers.n_lengths[1]);
    double redundancy = PyFloat_AsDouble(PyTuple_GetItem(args, 9));
    layers.redundancy = (float)redundancy;
    valid = valid && redundancy >= 0 &&
            (layers.n_lengths[0] == 0 ||
             layers.n_lengths[0] == layers.n_rows[0] + layers.n_rows[1]);
    /* More than any sentence needs; untouched pages cost nothing. */
    Part *parts = scratch(&arrays, (size_t)layers.n_ids, sizeof *parts);
    uint64_t *slots = scratch(&arrays, 4 * (size_t)layers.n_ids + 256, sizeof *slots);
    const size_t n_room = redundancy > 0 ? (size_t)n_dims : 0;
    Scratch memory = {scratch(&arrays, n_room, sizeof *memory.sums),
                      scratch(&arrays, n_room, sizeof *memory.highs),
                      scratch(&arrays, n_room, sizeof *memory.lows),
                      scratch(&arrays, n_room, sizeof *memory.whole),
                      scratch(&arrays, (size_t)layers.n_ids + 1, sizeof *memory.pairs)};
    int has_memory = parts && slots && memory.sums && memory.highs && memory.lows &&
                     memory.whole && memory.pairs;
    Py_BEGIN_ALLOW_THREADS
    valid = valid && has_memory && sum_rows(&layers, parts, slots, &memory);
    Py_END_ALLOW_THREADS
    return finish(&arrays, valid || (has_memory && fail(OUT_OF_RANGE)));
}

/* ---- Known words that share most character n-grams with an unknown one. */
#define LONGEST 24     /* characters of a word that are used */
#define MOST_NGRAMS 69 /* 24 + 23 + 22 of <word> */
#define N_BITS 18      /* of the hash of an n-gram */
#define N_NEIGHBORS 20

typedef struct {
    uint32_t number;
    float weight;
} Share;

/* Insert a key into a sorted array of n that has room for it. */
static inline void insert(uint64_t *keys, size_t n, uint64_t key)
{
    for (; n > 0 && keys[n - 1] > key; n--)
        keys[n] = keys[n - 1];
    keys[n] = key;
}

/* Hash the n-grams of <word>, in ascending order; return how many there are. */
static size_t hash_ngrams(PyObject *word, uint64_t *ngrams)
{
    uint32_t framed[LONGEST + 2] = {'<'};
    size_t n = 0, end = 1, length = (size_t)(PyUnicode_GetLength(word) + 1);
    for (; end < length && end <= LONGEST; end++)
        framed[end] = PyUnicode_ReadChar(word, (Py_ssize_t)end - 1);
    framed[end] = '>';
    for (size_t order = 3; order <= 5; order++)
        for (size_t i = 0; i + order <= end + 1; i++) {
            uint64_t hash = order;
            for (size_t k = 0; k < order; k++, hash ^= hash >> 31)
                hash = (hash ^ framed[i + k]) * FACTOR;
            insert(ngrams, n++, hash * 0xC2B2AE3D27D4EB4F >> (64 - N_BITS));
        }
    return n;
}

/* (shares to write, n-grams, words of n-grams, cosines of all known words, list of words) -> None.
   Find the nearest words of each, in ascending order, and their squared cosines divided by their
   sum. The words of n-gram i, with their weights, begin at words[ngrams[i].number]. Cosines are
   zeros between two calls. */
static PyObject *nearest_words(PyObject *self, PyObject *args)
{
    Arrays arrays = {.n = 0};
    Py_ssize_t n_shares, n_ngrams, n_words, n_cosines;
    Share *shares = array(&arrays, args, 0, sizeof(Share), 1, &n_shares);
    const Share *ngrams = array(&arrays, args, 1, sizeof(Share), 0, &n_ngrams);
    const Share *words = array(&arrays, args, 2, sizeof(Share), 0, &n_words);
    float *cosines = array(&arrays, args, 3, 4, 1, &n_cosines), values[MOST_NGRAMS], cosine;
    const Share *starts[MOST_NGRAMS], *ends[MOST_NGRAMS];
    uint64_t best[N_NEIGHBORS], hashes[MOST_NGRAMS];
    PyObject *strings = PyTuple_GetItem(args, 4);
    Py_ssize_t n_strings = strings ? PyList_Size(strings) : -1;
    int valid = n_shares == N_NEIGHBORS * n_strings && n_ngrams == (1 << N_BITS) + 1;
    for (Py_ssize_t s = 0; valid && !PyErr_Occurred() && s < n_strings; s++) {
        size_t n_hashes = hash_ngrams(PyList_GetItem(strings, s), hashes), n = 0;
        double squares = 0, total = 0;
        uint32_t bits;
        Py_BEGIN_ALLOW_THREADS
        for (size_t i = 0, next; i < n_hashes; i = next, n++) {
            for (next = i + 1; next < n_hashes && hashes[next] == hashes[i];)
                next++;
            starts[n] = words + ngrams[hashes[i]].number;
            ends[n] = words + ngrams[hashes[i] + 1].number;
            valid = valid && ends[n] <= words + n_words;
            __builtin_prefetch(starts[n]);
            values[n] = (float)(next - i) * ngrams[hashes[i]].weight;
            squares += values[n] * values[n];
        }
        float norm = (float)fmax(sqrt(squares), 1e-12);
        for (size_t i = 0; valid && i < n; i++) {
            const Share *known = starts[i];
            float value = values[i] / norm;
            for (; known < ends[i] && known->number < n_cosines; known++)
                cosines[known->number] += value * known->weight;
            valid = known >= ends[i];
        }
        /* A key has the inverted bits of a cosine, and a word: the bits of floats that are not
           negative are in the order of these. A cosine of 0 fills up. */
        for (size_t k = 0; k < N_NEIGHBORS; k++)
            best[k] = (uint64_t)UINT32_MAX << 32;
        for (size_t i = 0; valid && i < n; i++)
            for (const Share *known = starts[i]; known < ends[i]; known++) {
                memcpy(&bits, &cosines[known->number], sizeof bits);
                cosines[known->number] = 0; /* also of a word that is in several lists */
                uint64_t key = (uint64_t)~bits << 32 | known->number;
                if (key < best[N_NEIGHBORS - 1])
                    insert(best, N_NEIGHBORS - 1, key);
            }
        for (size_t k = 0; k < N_NEIGHBORS; k++)
            insert(best, k, best[k] << 32 | best[k] >> 32); /* by words */
        for (size_t k = 0; k < N_NEIGHBORS; k++) {
            bits = ~(uint32_t)best[k];
            memcpy(&cosine, &bits, sizeof bits);
            shares[k] = (Share){(uint32_t)(best[k] >> 32), cosine * cosine};
            total += shares[k].weight;
        }
        for (size_t k = 0; k < N_NEIGHBORS; k++, shares++)
            shares->weight = (float)(shares->weight / fmax(total, 1e-30));
        Py_END_ALLOW_THREADS
    }
    return finish(&arrays, !PyErr_Occurred() && (valid || fail(OUT_OF_RANGE)));
}

/* ---- The most probable tags of sentences, by a hidden Markov model of the second order. */
#define TAG_BEAM 5 /* paths go on that are at most 1 below the path behind so many */
#define MOST_TAGS 256

typedef struct {
    double value;
    int64_t state; /* tag before the last one * (number of tags + 1) + last tag */
    Py_ssize_t from;
} TagPath;

/* Write the tags that words can have, with the logarithms of p(word | tag), and where those of each
   word begin. Values of NaN become 0: such a word can be anything. Of guessed words, which are
   behind the listed ones, tags are dropped that are much less probable than the best one. */
static void rate_tags(const double *items, const int64_t *starts, const int64_t *cases,
                      Py_ssize_t n_words, Py_ssize_t n_listed, const double *of_case,
                      const double *priors, Py_ssize_t n_tags, double cutoff, double *rated,
                      int64_t *rated_starts)
{
    int64_t n = 0;
    for (Py_ssize_t w = 0; w < n_words; w++) {
        int64_t first = n;
        double least = -INFINITY;
        rated_starts[w] = n;
        for (int64_t k = starts[w]; k < starts[w + 1]; k++, n++) {
            Py_ssize_t tag = (Py_ssize_t)items[2 * k];
            double value = items[2 * k + 1] + of_case[cases[w] * n_tags + tag] - priors[tag];
            rated[2 * n] = items[2 * k];
            rated[2 * n + 1] = isnan(value) ? 0.0 : value;
            least = rated[2 * n + 1] - cutoff > least ? rated[2 * n + 1] - cutoff : least;
        }
        int64_t end = n;
        for (n = w < n_listed ? end : first; first < end && w >= n_listed; first++)
            if (rated[2 * first + 1] >= least) {
                memmove(rated + 2 * n, rated + 2 * first, 2 * sizeof *rated);
                n++;
            }
    }
    rated_starts[n_words] = n;
}

/* (transitions, n_tags, end, words, offsets of sentences, offsets of the tags of words, tags and
   their values, cases of words, how many words are listed, logarithms of p(case | tag) and p(tag),
   how much less probable tags are dropped, tags to write) -> None. The numbers are added in HanTa's
   order. */
static PyObject *best_tags(PyObject *self, PyObject *args)
{
    Arrays arrays = {.n = 0};
    Py_ssize_t n_transitions, n_words, n_offsets, n_starts, n_items, n_cases, n_of_case, n_priors;
    Py_ssize_t n_found, group[MOST_TAGS];
    Py_ssize_t n_tags = PyLong_AsSsize_t(PyTuple_GetItem(args, 1)), base = n_tags + 1, room = 4096;
    const double *transitions = array(&arrays, args, 0, 8, 0, &n_transitions);
    Py_ssize_t last_tag = PyLong_AsSsize_t(PyTuple_GetItem(args, 2));
    const int64_t *words = array(&arrays, args, 3, 8, 0, &n_words);
    const int64_t *offsets = array(&arrays, args, 4, 8, 0, &n_offsets);
    const int64_t *starts = array(&arrays, args, 5, 8, 0, &n_starts);
    const double *items = array(&arrays, args, 6, 16, 0, &n_items);
    const int64_t *cases = array(&arrays, args, 7, 8, 0, &n_cases);
    Py_ssize_t n_listed = PyLong_AsSsize_t(PyTuple_GetItem(args, 8));
    const double *of_case = array(&arrays, args, 9, 8, 0, &n_of_case);
    const double *priors = array(&arrays, args, 10, 8, 0, &n_priors);
    double cutoff = PyFloat_AsDouble(PyTuple_GetItem(args, 11));
    int64_t *found = array(&arrays, args, 12, 8, 1, &n_found);
    int valid = !PyErr_Occurred() && last_tag >= 0 && last_tag < n_tags && n_tags < MOST_TAGS &&
                n_transitions == base * base * n_tags && n_found == n_words && n_starts > 0 &&
                n_cases == n_starts - 1 && n_of_case % n_tags == 0 && n_priors == n_tags;
    for (Py_ssize_t w = 0; valid && w < n_cases; w++)
        valid = cases[w] >= 0 && cases[w] < n_of_case / n_tags && starts[w] >= 0 &&
                starts[w] <= starts[w + 1] && starts[w + 1] <= n_items;
    for (Py_ssize_t i = 0; valid && i < n_items; i++)
        valid = items[2 * i] >= 0 && items[2 * i] < (double)n_tags;
    for (Py_ssize_t i = 0; valid && i < n_words; i++)
        valid = words[i] >= 0 && words[i] < n_cases && starts[words[i]] < starts[words[i] + 1];
    double *rated = scratch(&arrays, 2 * (size_t)n_items, sizeof *rated);
    int64_t *rated_starts = scratch(&arrays, (size_t)n_starts, sizeof *rated_starts);
    if (valid && rated && rated_starts)
        rate_tags(items, starts, cases, n_cases, n_listed, of_case, priors, n_tags, cutoff, rated,
                  rated_starts);
    valid = valid && rated && rated_starts;
    TagPath *paths = malloc((size_t)room * sizeof *paths), *more = paths;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t s = 1; more && valid && s < n_offsets; s++) {
        Py_ssize_t start = 0, end = 1, next, best;
        paths[0] = (TagPath){0, base * base - 1, -1};
        valid = offsets[s - 1] >= 0 && offsets[s - 1] <= offsets[s] && offsets[s] <= n_words;
        for (Py_ssize_t w = offsets[s - 1]; more && valid && w < offsets[s]; w++) {
            const double *own = rated + 2 * rated_starts[words[w]];
            Py_ssize_t n_own = rated_starts[words[w] + 1] - rated_starts[words[w]];
            double highest[TAG_BEAM + 2]; /* in descending order, with room for one more */
            for (int k = 0; k <= TAG_BEAM; k++)
                highest[k] = -INFINITY;
            for (Py_ssize_t i = start, k; i < end; highest[k] = paths[i++].value)
                for (k = TAG_BEAM + 1; k > 0 && highest[k - 1] < paths[i].value; k--)
                    highest[k] = highest[k - 1];
            next = end + (end - start) * n_own; /* or less */
            if (next > room && (more = realloc(paths, 2 * (size_t)next * sizeof *paths)))
                paths = more, room = 2 * next;
            memset(group, 0, sizeof group); /* the first path of those with the same last tag */
            next = end;
            for (Py_ssize_t i = start; more && i < end; i++) {
                int64_t state = paths[i].state, last = state % base;
                if (paths[i].value < highest[TAG_BEAM] - 1)
                    continue;
                TagPath *path = paths + (group[last] ? group[last] : (group[last] = next));
                for (Py_ssize_t k = 0; k < n_own; k++, path++) {
                    int64_t tag = (int64_t)own[2 * k];
                    double step = transitions[state * n_tags + tag];
                    double value = paths[i].value + step + own[2 * k + 1];
                    if (path == paths + next || value > path->value)
                        *path = (TagPath){value, last * base + tag, i};
                    next += path == paths + next;
                }
            }
            start = end, end = next;
        }
        if (!more || !valid)
            break;
        for (Py_ssize_t i = best = start; i < end; i++) {
            paths[i].value += transitions[paths[i].state * n_tags + last_tag];
            best = paths[i].value > paths[best].value ? i : best;
        }
        for (Py_ssize_t w = offsets[s]; w-- > offsets[s - 1]; best = paths[best].from)
            found[w] = paths[best].state % base;
    }
    Py_END_ALLOW_THREADS
    free(paths);
    return finish(&arrays, more && (valid || fail(OUT_OF_RANGE)));
}

/* ---- Products of pairs of rows of two sparse matrices. */

/* (indptr, indices and values of one matrix, those of the other, number of columns, numbers of
   rows of the one, which should be in order, and of the other, products to write) -> None */
static PyObject *row_products(PyObject *self, PyObject *args)
{
    Arrays arrays = {.n = 0};
    Py_ssize_t n_starts[2], n_indices[2], n_values[2], n_pairs[2], n_products;
    const int32_t *starts[2], *indices[2];
    const float *values[2];
    const int64_t *rows[2];
    for (int side = 0; side < 2; side++) {
        starts[side] = array(&arrays, args, 3 * side, 4, 0, &n_starts[side]);
        indices[side] = array(&arrays, args, 3 * side + 1, 4, 0, &n_indices[side]);
        values[side] = array(&arrays, args, 3 * side + 2, 4, 0, &n_values[side]);
        rows[side] = array(&arrays, args, 7 + side, 8, 0, &n_pairs[side]);
    }
    Py_ssize_t n_columns = PyLong_AsSsize_t(PyTuple_GetItem(args, 6));
    double *products = array(&arrays, args, 9, 8, 1, &n_products);
    int valid = !PyErr_Occurred() && n_columns >= 0 && n_pairs[0] == n_pairs[1] &&
                n_products == n_pairs[0];
    for (int side = 0; valid && side < 2; side++) {
        valid = n_starts[side] > 0 && n_indices[side] == n_values[side] && starts[side][0] >= 0 &&
                starts[side][n_starts[side] - 1] <= n_indices[side];
        for (Py_ssize_t i = 1; valid && i < n_starts[side]; i++)
            valid = starts[side][i - 1] <= starts[side][i];
        for (Py_ssize_t i = 0; valid && i < n_indices[side]; i++)
            valid = indices[side][i] >= 0 && indices[side][i] < n_columns;
        for (Py_ssize_t i = 0; valid && i < n_pairs[side]; i++)
            valid = rows[side][i] >= 0 && rows[side][i] < n_starts[side] - 1;
    }
    float *row = valid ? scratch(&arrays, (size_t)n_columns, sizeof *row) : NULL;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; row && i < n_pairs[0]; i++) {
        int64_t first = rows[0][i], second = rows[1][i], last = rows[0][i ? i - 1 : i];
        if (i == 0 || first != last) { /* spread the row of the one matrix out in `row` */
            for (int32_t k = starts[0][last]; k < starts[0][last + 1]; k++)
                row[indices[0][k]] = 0;
            for (int32_t k = starts[0][first]; k < starts[0][first + 1]; k++)
                row[indices[0][k]] = values[0][k];
        }
        double sum = 0;
        for (int32_t k = starts[1][second]; k < starts[1][second + 1]; k++)
            sum += (double)row[indices[1][k]] * values[1][k];
        products[i] = sum;
    }
    Py_END_ALLOW_THREADS
    return finish(&arrays, row || fail(OUT_OF_RANGE));
}

/* ---- The largest products of rows of two sparse matrices. */

#define SUMS_AT_ONCE 64 /* compared by vector instructions */
#define GROUPS 1024 /* of sums, whose largest ones tell which can be among the k largest of all */

typedef struct {
    float value;
    int32_t place;
} Product;

/* Whether a product goes before another one: the larger one, of equal ones that of the row that
   comes first. */
static int is_larger(Product a, Product b)
{
    return a.value > b.value || (a.value == b.value && a.place < b.place);
}

/* Put the k largest of `n` products first, the k-th one in its place. */
static void select_largest(Product *products, Py_ssize_t n, Py_ssize_t k)
{
    Py_ssize_t first = 0, last = n - 1;
    while (first < last) {
        Product middle = products[first + (last - first) / 2];
        Py_ssize_t i = first, j = last;
        while (i <= j) {
            while (is_larger(products[i], middle))
                i++;
            while (is_larger(middle, products[j]))
                j--;
            if (i <= j) {
                Product other = products[i];
                products[i++] = products[j];
                products[j--] = other;
            }
        }
        if (k > i)
            first = i;
        else if (k <= j + 1)
            last = j;
        else
            break;
    }
}

/* Write the largest sum of each group: those so many places apart. */
EACH_PROCESSOR static void largest_of_groups(const float *restrict sums, int32_t n,
                                             float *restrict largest)
{
    memset(largest, 0, GROUPS * sizeof *largest);
    int32_t i = 0;
    for (; i + GROUPS <= n; i += GROUPS)
        for (int j = 0; j < GROUPS; j++)
            largest[j] = (sums + i)[j] > largest[j] ? (sums + i)[j] : largest[j];
    for (int j = 0; i + j < n; j++)
        largest[j] = (sums + i)[j] > largest[j] ? (sums + i)[j] : largest[j];
}

/* Return where the first sum from `i` on is that is more than a number. */
EACH_PROCESSOR static int32_t next_above(const float *sums, float least, int32_t i, int32_t n)
{
    for (; i + SUMS_AT_ONCE <= n; i += SUMS_AT_ONCE) {
        int32_t is_any = 0;
        for (int j = 0; j < SUMS_AT_ONCE; j++)
            is_any |= (sums + i)[j] > least;
        if (is_any)
            break;
    }
    while (i < n && !(sums[i] > least))
        i++;
    return i;
}

/* (indptr, indices and values of rows, those of the columns of another matrix, its number of rows,
   how many are wanted, for each row the numbers of those with the largest products to write)
   -> None; they are in no order, and -1 where fewer are positive */
static PyObject *best_products(PyObject *self, PyObject *args)
{
    Arrays arrays = {.n = 0};
    Py_ssize_t n_starts[2], n_indices[2], n_values[2], n_best;
    const int32_t *starts[2], *indices[2];
    const float *values[2];
    for (int side = 0; side < 2; side++) {
        starts[side] = array(&arrays, args, 3 * side, 4, 0, &n_starts[side]);
        indices[side] = array(&arrays, args, 3 * side + 1, 4, 0, &n_indices[side]);
        values[side] = array(&arrays, args, 3 * side + 2, 4, 0, &n_values[side]);
    }
    Py_ssize_t n = PyLong_AsSsize_t(PyTuple_GetItem(args, 6));
    Py_ssize_t k = PyLong_AsSsize_t(PyTuple_GetItem(args, 7));
    int64_t *best = array(&arrays, args, 8, 8, 1, &n_best);
    int valid = !PyErr_Occurred() && n >= 0 && n < INT32_MAX && k > 0 && n_starts[0] > 0 &&
                n_best % k == 0 && n_best / k == n_starts[0] - 1;
    for (int side = 0; valid && side < 2; side++) {
        valid = n_starts[side] > 0 && n_indices[side] == n_values[side] && starts[side][0] >= 0 &&
                starts[side][n_starts[side] - 1] <= n_indices[side];
        for (Py_ssize_t i = 1; valid && i < n_starts[side]; i++)
            valid = starts[side][i - 1] <= starts[side][i];
        Py_ssize_t end = side ? n : n_starts[1] - 1;
        for (Py_ssize_t i = 0; valid && i < n_indices[side]; i++)
            valid = indices[side][i] >= 0 && indices[side][i] < end;
    }
    float *sums = valid ? scratch(&arrays, (size_t)n, sizeof *sums) : NULL;
    float *largest = sums ? scratch(&arrays, GROUPS, sizeof *largest) : NULL;
    Product *found = largest ? scratch(&arrays, (size_t)n + GROUPS, sizeof *found) : NULL;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t row = 0; found && row < n_starts[0] - 1; row++) {
        memset(sums, 0, (size_t)n * sizeof *sums);
        for (int32_t i = starts[0][row]; i < starts[0][row + 1]; i++) {
            float weight = values[0][i];
            int32_t end = starts[1][indices[0][i] + 1];
            for (int32_t j = starts[1][indices[0][i]]; j < end; j++)
                sums[indices[1][j]] += weight * values[1][j];
        }
        /* The k-th largest sum is no less than the k-th largest one of groups. */
        float least = 0;
        if (k <= GROUPS) {
            largest_of_groups(sums, (int32_t)n, largest);
            for (int32_t i = 0; i < GROUPS; i++)
                found[i] = (Product){largest[i], i};
            select_largest(found, GROUPS, k);
            least = found[k - 1].value > 0 ? nextafterf(found[k - 1].value, 0) : 0;
        }
        Py_ssize_t n_found = 0;
        for (int32_t i = 0; (i = next_above(sums, least, i, (int32_t)n)) < n; i++)
            found[n_found++] = (Product){sums[i], i};
        select_largest(found, n_found, k);
        for (Py_ssize_t i = 0; i < k; i++)
            best[row * k + i] = i < n_found ? found[i].place : -1;
    }
    Py_END_ALLOW_THREADS
    return finish(&arrays, found || fail(OUT_OF_RANGE));
}

/* ---- Products of pairs of rows of a dense matrix. */

#define DENSE_LANES 16 /* sums side by side, which the compiler keeps in vector registers */

EACH_PROCESSOR static float dense_product(const float *first, const float *second, Py_ssize_t n)
{
    float sums[DENSE_LANES] = {0}, sum = 0;
    Py_ssize_t i = 0;
    for (; i + DENSE_LANES <= n; i += DENSE_LANES)
        for (int lane = 0; lane < DENSE_LANES; lane++)
            sums[lane] += first[i + lane] * second[i + lane];
    for (; i < n; i++)
        sum += first[i] * second[i];
    for (int lane = 0; lane < DENSE_LANES; lane++)
        sum += sums[lane];
    return sum;
}

/* (a matrix, its number of columns, numbers of rows, of other rows, products to write) -> None */
static PyObject *dense_products(PyObject *self, PyObject *args)
{
    Arrays arrays = {.n = 0};
    Py_ssize_t n_values, n_pairs[2], n_products;
    const float *values = array(&arrays, args, 0, 4, 0, &n_values);
    Py_ssize_t n_columns = PyLong_AsSsize_t(PyTuple_GetItem(args, 1));
    const int64_t *rows[2];
    for (int side = 0; side < 2; side++)
        rows[side] = array(&arrays, args, 2 + side, 8, 0, &n_pairs[side]);
    float *products = array(&arrays, args, 4, 4, 1, &n_products);
    int valid = !PyErr_Occurred() && n_columns > 0 && n_values % n_columns == 0 &&
                n_pairs[0] == n_pairs[1] && n_products == n_pairs[0];
    for (int side = 0; valid && side < 2; side++)
        for (Py_ssize_t i = 0; valid && i < n_pairs[side]; i++)
            valid = rows[side][i] >= 0 && rows[side][i] < n_values / n_columns;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; valid && i < n_products; i++)
        products[i] = dense_product(values + rows[0][i] * n_columns,
                                    values + rows[1][i] * n_columns, n_columns);
    Py_END_ALLOW_THREADS
    return finish(&arrays, valid || fail(OUT_OF_RANGE));
}

/* ---- Words of pairs of texts: which are the same, and which may be similar. */

typedef struct {
    uint64_t letters; /* which classes of letters occur, and which twice */
    int32_t more;     /* letters that are not in these bits */
    int32_t length;   /* -1 for a word with digits: it is like no other */
} Spelling;

static inline int32_t count_bits(uint64_t bits)
{
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F;
    return (int32_t)(bits * 0x0101010101010101 >> 56);
}

/* Write the numbers of the words of the other text that may be similar to `word`, and return how
   many there are: those with which it shares more than half of the letters of both, or all letters
   of the shorter one. Where one is the same, set `same` to 1 there. */
EACH_PROCESSOR
static int32_t similar_words(int64_t word, const int64_t *others, int64_t n,
                             const Spelling *spellings, int32_t *places, double *same)
{
    Spelling mine = spellings[word];
    int32_t n_found = 0;
    for (int32_t i = 0; i < n; i++) {
        Spelling other = spellings[others[i]];
        int32_t more = mine.more < other.more ? mine.more : other.more;
        int32_t shorter = mine.length < other.length ? mine.length : other.length;
        int32_t shared = more + count_bits(mine.letters & other.letters);
        places[n_found] = i;
        n_found += word != others[i] && shorter >= 0 &&
                   (4 * shared > mine.length + other.length || shared >= shorter);
        if (word == others[i])
            same[i] = 1;
    }
    return n_found;
}

/* (words of the first texts, how many each has, those of the second texts, spellings of all words,
   similarities to set to 1 where a word of the first texts is also in the second one, and the
   reverse, pairs to write: places of a word of the first and of the second texts) -> number of
   pairs that may be similar, of which as many were written as there is room for */
static PyObject *word_pairs(PyObject *self, PyObject *args)
{
    Arrays arrays = {.n = 0};
    Py_ssize_t n_words[2], n_texts[2], n_spellings, n_same[2], n_places[2], n_found = 0;
    const int64_t *words[2], *sizes[2];
    double *same[2];
    int64_t *places[2], total[2] = {0, 0}, longest = 0;
    for (int side = 0; side < 2; side++) {
        words[side] = array(&arrays, args, 2 * side, 8, 0, &n_words[side]);
        sizes[side] = array(&arrays, args, 2 * side + 1, 8, 0, &n_texts[side]);
        same[side] = array(&arrays, args, 5 + side, 8, 1, &n_same[side]);
        places[side] = array(&arrays, args, 7 + side, 8, 1, &n_places[side]);
    }
    const Spelling *spellings = array(&arrays, args, 4, sizeof *spellings, 0, &n_spellings);
    int valid = !PyErr_Occurred() && n_texts[0] == n_texts[1] && n_places[0] == n_places[1];
    for (int side = 0; valid && side < 2; side++) {
        valid = n_same[side] == n_words[side];
        for (Py_ssize_t i = 0; valid && i < n_words[side]; i++)
            valid = words[side][i] >= 0 && words[side][i] < n_spellings;
        for (Py_ssize_t i = 0; valid && i < n_texts[side]; i++) {
            valid = sizes[side][i] >= 0 && sizes[side][i] <= n_words[side] - total[side];
            total[side] += valid ? sizes[side][i] : 0;
            longest = sizes[side][i] > longest ? sizes[side][i] : longest;
        }
    }
    int32_t *found = valid ? scratch(&arrays, (size_t)longest, sizeof *found) : NULL;
    Py_BEGIN_ALLOW_THREADS
    int64_t start[2] = {0, 0};
    for (Py_ssize_t t = 0; found && t < n_texts[0]; t++) {
        for (int64_t i = start[0]; i < start[0] + sizes[0][t]; i++) {
            int64_t word = words[0][i];
            int32_t n = similar_words(word, words[1] + start[1], sizes[1][t], spellings, found,
                                      same[1] + start[1]);
            for (int64_t j = start[1]; j < start[1] + sizes[1][t]; j++)
                if (words[1][j] == word)
                    same[0][i] = 1;
            for (int32_t k = 0; k < n && n_found + k < n_places[0]; k++) {
                places[0][n_found + k] = i;
                places[1][n_found + k] = start[1] + found[k];
            }
            n_found += n;
        }
        start[0] += sizes[0][t];
        start[1] += sizes[1][t];
    }
    Py_END_ALLOW_THREADS
    PyObject *done = finish(&arrays, found || fail(OUT_OF_RANGE));
    Py_XDECREF(done);
    return done ? PyLong_FromSsize_t(n_found) : NULL;
}

/* ---- Sorted words, packed as skpara/resources/_word_table.py describes. */
#define BEGINS(byte) ((byte) < 32) /* an entry */
#define WORDS_PER_BLOCK 16

typedef struct {
    const uint8_t *packed;
    const int64_t *starts; /* of blocks, and the end */
    const uint64_t *keys;  /* the first eight bytes of each block's first word, then zeros */
    Py_ssize_t n_packed, n_starts, n_keys;
} Sorted;

/* Read a table from the first three arguments. */
static Sorted read_sorted(Arrays *arrays, PyObject *args)
{
    Sorted table;
    table.packed = array(arrays, args, 0, 1, 0, &table.n_packed);
    table.starts = array(arrays, args, 1, 8, 0, &table.n_starts);
    table.keys = array(arrays, args, 2, 8, 0, &table.n_keys);
    if (table.n_starts != table.n_keys + 1 || table.starts[table.n_starts - 1] != table.n_packed)
        fail(OUT_OF_RANGE);
    return table;
}

/* Compare bytes as words are sorted: a word is before those that it begins. */
static int compare_words(const uint8_t *first, size_t n, const uint8_t *second, size_t m)
{
    int order = memcmp(first, second, n < m ? n : m);
    return order ? order : (n > m) - (n < m);
}

/* Return the position of a word, -1 if there is no such word, or if an error is set. */
static int64_t find_row(const Sorted *table, const uint8_t *word, size_t n)
{
    const uint8_t *packed = table->packed;
    Py_ssize_t low = 0;
    uint64_t key = 0;
    for (size_t i = 0; i < 8; i++)
        key = key << 8 | (i < n ? word[i] : 0);
    for (Py_ssize_t high = table->n_keys; low < high;) { /* it is before block `high` */
        Py_ssize_t middle = (low + high) / 2, length = 0;
        if (key != table->keys[middle]) {
            if (key < table->keys[middle])
                high = middle;
            else
                low = middle + 1;
            continue;
        }
        int64_t start = table->starts[middle], end = table->starts[middle + 1];
        if (start < 0 || start >= end || end > table->n_packed) {
            fail(OUT_OF_RANGE);
            return -1;
        }
        const uint8_t *first = packed + start + 1;
        while (start + 1 + length < end && !BEGINS(first[length]))
            length++;
        if (compare_words(word, n, first, (size_t)length) < 0)
            high = middle;
        else
            low = middle + 1;
    }
    if (low == 0)
        return -1;
    if (table->starts[low - 1] < 0 || table->starts[low] > table->n_packed) {
        fail(OUT_OF_RANGE);
        return -1;
    }
    const uint8_t *entry = packed + table->starts[low - 1], *end = packed + table->starts[low];
    size_t same = 0, length = 0; /* bytes that the entry has as the word, and all of them */
    for (int64_t row = WORDS_PER_BLOCK * (low - 1); entry < end; row++) {
        size_t shared = *entry++;
        const uint8_t *rest = entry;
        if (shared > length) {
            fail(OUT_OF_RANGE);
            return -1;
        }
        while (entry < end && !BEGINS(*entry))
            entry++;
        length = shared + (size_t)(entry - rest);
        if (shared > same) /* it differs from the word where the one before does */
            continue;
        for (same = shared; same < n && same < length && rest[same - shared] == word[same];)
            same++;
        if (same == n && same == length)
            return row;
        if (same < length && (same == n || rest[same - shared] > word[same]))
            return -1;
    }
    return -1;
}

/* Return the UTF-8 of a string; `owner` is to be released. */
static const uint8_t *bytes_of(PyObject *string, Py_ssize_t *n, PyObject **owner)
{
    const char *text = PyUnicode_AsUTF8AndSize(string, n);
    *owner = NULL;
    if (!text && PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) { /* a lone surrogate */
        PyErr_Clear();
        *owner = PyUnicode_AsEncodedString(string, "utf-8", "surrogatepass");
        text = *owner ? PyBytes_AsString(*owner) : NULL;
        *n = *owner ? PyBytes_Size(*owner) : 0;
    }
    return (const uint8_t *)text;
}

/* (packed words, where each block of them begins, and the end, keys of blocks, list of words,
   positions to write) -> None. A word that is not there has the position -1. */
static PyObject *find_words(PyObject *self, PyObject *args)
{
    Arrays arrays = {.n = 0};
    Sorted table = read_sorted(&arrays, args);
    Py_ssize_t n_rows, n;
    PyObject *words = PyTuple_GetItem(args, 3), *owner;
    int64_t *rows = array(&arrays, args, 4, 8, 1, &n_rows);
    if (rows && PyList_Size(words) != n_rows)
        fail(OUT_OF_RANGE);
    for (Py_ssize_t i = 0; !PyErr_Occurred() && i < n_rows; i++) {
        const uint8_t *word = bytes_of(PyList_GetItem(words, i), &n, &owner);
        rows[i] = word ? find_row(&table, word, (size_t)n) : -1;
        Py_XDECREF(owner);
    }
    return finish(&arrays, !PyErr_Occurred());
}

/* ---- The base forms of words and their senses. */
#define N_POS 4

/* Replacements of the ending of a word that may give its base form, by part of speech. */
static const struct {
    char pos;
    const char *ending, *instead;
} ENDINGS[] = {
    {'n', "s", ""},     {'n', "ses", "s"},   {'n', "ves", "f"},   {'n', "xes", "x"},
    {'n', "zes", "z"},  {'n', "ches", "ch"}, {'n', "shes", "sh"}, {'n', "men", "man"},
    {'n', "ies", "y"},  {'v', "s", ""},      {'v', "ies", "y"},   {'v', "es", "e"},
    {'v', "es", ""},    {'v', "ed", "e"},    {'v', "ed", ""},     {'v', "ing", "e"},
    {'v', "ing", ""},   {'a', "er", ""},     {'a', "er", "e"},    {'a', "est", ""},
    {'a', "est", "e"},
};

typedef struct {
    Sorted words;
    const uint8_t *kinds;                 /* bits of the parts of speech of each word */
    const int64_t *entries, *sense_starts; /* of words, one for each bit, and of entries */
    const int32_t *senses;
    Py_ssize_t n_kinds, n_entries, n_starts, n_senses;
} Senses;

/* Add a form to a list, and its senses to a set, if it has a part of speech and is new. */
static int add_form(const Senses *table, int64_t row, const uint8_t *form, size_t n, int pos,
                    PyObject *forms, PyObject *senses)
{
    if (PyErr_Occurred() || row >= table->n_kinds)
        return 0;
    if (row < 0 || !(table->kinds[row] >> pos & 1))
        return 1;
    int64_t entry = table->entries[row];
    for (int bit = 0; bit < pos; bit++)
        entry += table->kinds[row] >> bit & 1;
    if (entry < 0 || entry + 1 >= table->n_starts)
        return 0;
    int64_t k = table->sense_starts[entry], end = table->sense_starts[entry + 1];
    PyObject *string = PyUnicode_DecodeUTF8((const char *)form, (Py_ssize_t)n, "surrogatepass");
    int known = string ? PySequence_Contains(forms, string) : -1;
    int valid = k >= 0 && end <= table->n_senses && known >= 0 &&
                (known || !PyList_Append(forms, string));
    Py_XDECREF(string);
    for (; valid && k < end; k++) {
        PyObject *sense = PyLong_FromLong(table->senses[k]);
        valid = sense && !PySet_Add(senses, sense);
        Py_XDECREF(sense);
    }
    return valid;
}

/* (packed words, where blocks begin, their keys, the parts of speech of each word, its first entry,
   where the senses of each entry begin, senses, forms of irregular words by word and part of speech,
   a word) -> its base forms by part of speech, and the senses of all of them */
static PyObject *base_forms(PyObject *self, PyObject *args)
{
    Arrays arrays = {.n = 0};
    Senses table = {.words = read_sorted(&arrays, args)};
    table.kinds = array(&arrays, args, 3, 1, 0, &table.n_kinds);
    table.entries = array(&arrays, args, 4, 8, 0, &table.n_entries);
    table.sense_starts = array(&arrays, args, 5, 8, 0, &table.n_starts);
    table.senses = array(&arrays, args, 6, 4, 0, &table.n_senses);
    PyObject *irregular = PyTuple_GetItem(args, 7), *string = PyTuple_GetItem(args, 8), *owner = NULL;
    PyObject *found = PyDict_New(), *senses = PySet_New(NULL);
    Py_ssize_t n = 0, n_form;
    const uint8_t *word = PyErr_Occurred() ? NULL : bytes_of(string, &n, &owner);
    uint8_t *form = word ? scratch(&arrays, (size_t)n + 1, 1) : NULL;
    int valid = form && senses && found && table.n_kinds < table.n_entries;
    int64_t row = valid ? find_row(&table.words, word, (size_t)n) : -1;
    irregular = valid ? PyDict_GetItemWithError(irregular, string) : NULL;
    for (int pos = 0; valid && pos < N_POS; pos++) {
        char name[] = {"nvar"[pos], 0};
        PyObject *forms = PyList_New(0), *other_owner;
        valid = forms && !PyDict_SetItemString(found, name, forms) &&
                add_form(&table, row, word, (size_t)n, pos, forms, senses);
        PyObject *others = valid && irregular ? PyDict_GetItemString(irregular, name) : NULL;
        for (Py_ssize_t i = 0; valid && others && i < PyList_Size(others); i++) {
            const uint8_t *other = bytes_of(PyList_GetItem(others, i), &n_form, &other_owner);
            int64_t other_row = other ? find_row(&table.words, other, (size_t)n_form) : -1;
            valid = other && add_form(&table, other_row, other, (size_t)n_form, pos, forms, senses);
            Py_XDECREF(other_owner);
        }
        for (size_t i = 0; valid && !others && i < sizeof ENDINGS / sizeof *ENDINGS; i++) {
            size_t n_ending = strlen(ENDINGS[i].ending), n_instead = strlen(ENDINGS[i].instead);
            size_t n_kept = (size_t)n - n_ending;
            if (ENDINGS[i].pos != *name || (size_t)n < n_ending ||
                memcmp(word + n_kept, ENDINGS[i].ending, n_ending))
                continue;
            memcpy(form, word, n_kept);
            memcpy(form + n_kept, ENDINGS[i].instead, n_instead);
            int64_t form_row = find_row(&table.words, form, n_kept + n_instead);
            valid = add_form(&table, form_row, form, n_kept + n_instead, pos, forms, senses);
        }
        valid = valid && !PyErr_Occurred();
        Py_XDECREF(forms);
    }
    Py_XDECREF(owner);
    PyObject *result = valid ? Py_BuildValue("NN", found, PyFrozenSet_New(senses)) : NULL;
    if (!valid)
        Py_XDECREF(found);
    Py_XDECREF(senses);
    release(&arrays);
    return result ? result : fail(OUT_OF_RANGE);
}

/* ---- The tags that a word can have, by a hidden Markov model of the second order of morphemes. */
#define MOST_CHARACTERS 128
#define MORPHEME_BEAM 3    /* paths go on that are at most 1 below the path behind so many */
#define LEAST_VALUE (-1e6) /* paths of lower values are impossible */
#define LONGEST_ENDING 4   /* characters of the ending of an unknown morpheme that count */
#define SHORTEST_UNKNOWN 3 /* characters of an unknown morpheme, but for words shorter than */
#define SHORT_WORD 4       /* so many */
#define WHOLE_WORD 4.6     /* how much less probable a word is that is one unknown morpheme */

typedef struct {
    double tag, value;
} Item;

typedef struct {
    int64_t last, tag; /* the tags of the last two morphemes */
    double value;
} Path;

typedef struct {
    Arrays arrays; /* which are kept as long as the model */
    Index morphemes, endings;
    const int64_t *own_starts, *step_starts, *end_starts;
    const Item *own, *steps, *ends; /* of morphemes, and of states: last * n_tags + tag */
    const double *guesses; /* of each tag of unknown morphemes: itself, its value, and by lengths */
    const double *ending_values; /* of each ending, by these tags */
    Py_ssize_t n_tags, n_guesses, n_lengths;
    int64_t first_last, first_tag; /* of the state before a word */
    /* For the time of a call: */
    double *values;  /* log p(morpheme | tag) */
    uint8_t *has;    /* whether there is one */
    int32_t *places; /* in a row, of each state, from 1 */
    Path *paths;
} Morphology;

static void free_morphology(PyObject *capsule)
{
    Morphology *model = PyCapsule_GetPointer(capsule, "skpara.morphology");
    release(&model->arrays);
    free(model);
}

/* Return whether items are of tags, and their offsets are in order. */
static int are_items(const int64_t *starts, Py_ssize_t n_starts, const Item *items,
                     Py_ssize_t n_items, Py_ssize_t n_tags)
{
    int valid = n_starts > 0 && starts[0] == 0 && starts[n_starts - 1] == n_items;
    for (Py_ssize_t i = 1; valid && i < n_starts; i++)
        valid = starts[i - 1] <= starts[i];
    for (Py_ssize_t i = 0; valid && i < n_items; i++)
        valid = items[i].tag >= 0 && items[i].tag < (double)n_tags;
    return valid;
}

/* Return whether the numbers of an index are of so many words. */
static int are_words(const Index *index, Py_ssize_t n_words)
{
    int valid = 1;
    for (Py_ssize_t i = 0; valid && i < index->n_slots; i++)
        valid = index->slots[i].number >= 0 && index->slots[i].number <= n_words;
    return valid;
}

/* (slots and bytes of morphemes, offsets and items of their tags; offsets and items of steps from
   each state, and of ends in it; slots and bytes of endings, their values, what is guessed; number
   of tags, last tag and tag of the first state) -> the model, for word_tags */
static PyObject *morphology(PyObject *self, PyObject *args)
{
    Py_ssize_t n_own_starts, n_own, n_step_starts, n_steps, n_end_starts, n_ends, n_values, n_guesses;
    Morphology *model = calloc(1, sizeof *model);
    if (!model)
        return PyErr_NoMemory();
    Arrays *arrays = &model->arrays;
    PyObject *of_morphemes = PyTuple_GetSlice(args, 0, 2), *of_endings = PyTuple_GetSlice(args, 8, 10);
    model->morphemes = read_index(arrays, of_morphemes);
    model->endings = read_index(arrays, of_endings);
    Py_XDECREF(of_morphemes);
    Py_XDECREF(of_endings);
    model->own_starts = array(arrays, args, 2, 8, 0, &n_own_starts);
    model->own = array(arrays, args, 3, sizeof(Item), 0, &n_own);
    model->step_starts = array(arrays, args, 4, 8, 0, &n_step_starts);
    model->steps = array(arrays, args, 5, sizeof(Item), 0, &n_steps);
    model->end_starts = array(arrays, args, 6, 8, 0, &n_end_starts);
    model->ends = array(arrays, args, 7, sizeof(Item), 0, &n_ends);
    model->ending_values = array(arrays, args, 10, 8, 0, &n_values);
    model->n_tags = PyLong_AsSsize_t(PyTuple_GetItem(args, 12));
    model->first_last = PyLong_AsSsize_t(PyTuple_GetItem(args, 13));
    model->first_tag = PyLong_AsSsize_t(PyTuple_GetItem(args, 14));
    Py_ssize_t n_tags = model->n_tags, n_states = n_tags * n_tags;
    model->n_guesses = PyErr_Occurred() ? 0 : PyObject_Length(PyTuple_GetItem(args, 11));
    model->guesses = array(arrays, args, 11, 8, 0, &n_guesses);
    int valid = !PyErr_Occurred() && n_tags > 0 && n_tags < MOST_TAGS && model->n_guesses > 0 &&
                n_guesses % model->n_guesses == 0 && n_values % model->n_guesses == 0;
    model->n_lengths = valid ? n_guesses / model->n_guesses - 2 : 0;
    valid = valid && model->n_lengths > 0 && n_step_starts == n_states + 1 &&
            n_end_starts == n_states + 1 && model->first_last >= 0 && model->first_last < n_tags &&
            model->first_tag >= 0 && model->first_tag < n_tags &&
            are_items(model->own_starts, n_own_starts, model->own, n_own, n_tags) &&
            are_items(model->step_starts, n_step_starts, model->steps, n_steps, n_tags) &&
            are_items(model->end_starts, n_end_starts, model->ends, n_ends, n_tags) &&
            are_words(&model->morphemes, n_own_starts - 1) &&
            are_words(&model->endings, n_values / model->n_guesses);
    for (Py_ssize_t k = 0; valid && k < model->n_guesses; k++) {
        double tag = model->guesses[k * (2 + model->n_lengths)];
        valid = tag >= 0 && tag < (double)n_tags;
    }
    if (valid) {
        model->values = scratch(arrays, (size_t)n_tags, sizeof *model->values);
        model->has = scratch(arrays, (size_t)n_tags, sizeof *model->has);
        model->places = scratch(arrays, (size_t)n_states, sizeof *model->places);
        model->paths = scratch(arrays, (MOST_CHARACTERS + 1) * (size_t)(n_steps + n_ends + 1),
                               sizeof *model->paths);
        if (model->values && model->has && model->places && model->paths)
            return PyCapsule_New(model, "skpara.morphology", free_morphology);
        PyErr_NoMemory();
    }
    release(arrays);
    free(model);
    return fail(OUT_OF_RANGE);
}

/* Find log p(part | tag) of the tags that a part of a word can have; return 0 if there are none. */
static int find_values(const Morphology *model, const uint8_t *word, const int32_t *starts,
                        int32_t i, int32_t end, int may_guess, double less)
{
    const uint8_t *part = word + starts[i];
    size_t n_bytes = (size_t)(starts[end] - starts[i]);
    int32_t size = end - i, number = 0;
    int found = 0;
    memset(model->has, 0, (size_t)model->n_tags);
    if (may_guess) {
        int32_t begin = i + (size - LONGEST_ENDING > 1 ? size - LONGEST_ENDING : 1);
        for (; begin <= end && !number; begin++) {
            size_t length = (size_t)(starts[end] - starts[begin]);
            const uint8_t *ending = word + starts[begin];
            number = find(&model->endings, hash_of(ending, length), ending, length)->number;
        }
        Py_ssize_t place = size < model->n_lengths ? size : model->n_lengths - 1;
        for (Py_ssize_t k = 0; number && k < model->n_guesses; k++) {
            const double *guess = model->guesses + k * (2 + model->n_lengths);
            double of_ending = model->ending_values[(number - 1) * model->n_guesses + k];
            int64_t tag = (int64_t)guess[0];
            model->values[tag] = guess[1] + guess[2 + place] + of_ending - less;
            model->has[tag] = 1;
        }
        found = number != 0;
    }
    number = find(&model->morphemes, hash_of(part, n_bytes), part, n_bytes)->number;
    if (number)
        for (int64_t k = model->own_starts[number - 1]; k < model->own_starts[number]; k++) {
            int64_t tag = (int64_t)model->own[k].tag;
            model->values[tag] = model->own[k].value;
            model->has[tag] = 1;
        }
    return found || number;
}

/* Keep the paths that are probable enough and go on; return how many. */
static int64_t keep_best(const Morphology *model, Path *paths, int64_t n)
{
    double highest[MORPHEME_BEAM + 2]; /* in descending order, with room for one more */
    int64_t n_kept = 0;
    for (int k = 0; k <= MORPHEME_BEAM; k++)
        highest[k] = -INFINITY;
    for (int64_t i = 0, k; i < n; highest[k] = paths[i++].value)
        for (k = MORPHEME_BEAM + 1; k > 0 && highest[k - 1] < paths[i].value; k--)
            highest[k] = highest[k - 1];
    for (int64_t i = 0; i < n; i++) {
        int64_t state = paths[i].last * model->n_tags + paths[i].tag;
        if ((n <= MORPHEME_BEAM || paths[i].value >= highest[MORPHEME_BEAM] - 1) &&
            model->step_starts[state] < model->step_starts[state + 1])
            paths[n_kept++] = paths[i];
    }
    return n_kept;
}

/* Add a path to a row, or make the one with the same state more probable; return the new size. */
static int64_t add_path(const Morphology *model, Path *row, int64_t n, Path path)
{
    int32_t *place = &model->places[path.last * model->n_tags + path.tag];
    if (*place == 0) {
        row[n] = path;
        *place = (int32_t)(n + 1);
        return n + 1;
    }
    if (path.value > row[*place - 1].value)
        row[*place - 1].value = path.value;
    return n;
}

static void clear_places(const Morphology *model, const Path *row, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        model->places[row[i].last * model->n_tags + row[i].tag] = 0;
}

/* (model, UTF-8 of a word and SPARE more bytes) -> list of the tags of the word, and the logarithms
   of p(word | tag). The numbers are those of HanTa's analyze_forward, in the same order. */
static PyObject *word_tags(PyObject *self, PyObject *args)
{
    Arrays arrays = {.n = 0};
    Morphology *model = PyCapsule_GetPointer(PyTuple_GetItem(args, 0), "skpara.morphology");
    Py_ssize_t n_bytes;
    const uint8_t *word = array(&arrays, args, 1, 1, 0, &n_bytes);
    int32_t starts[MOST_CHARACTERS + 2], n = 0;
    int64_t ends[MOST_CHARACTERS + 2] = {0}; /* of the paths of each beginning of the word */
    int valid = !PyErr_Occurred() && n_bytes >= SPARE;
    for (int32_t i = 0; valid && i < n_bytes - SPARE; i++)
        if ((word[i] & 0xC0) != 0x80) {
            if (!(valid = n < MOST_CHARACTERS))
                break;
            starts[n++] = i;
        }
    if (!valid) {
        release(&arrays);
        return fail(OUT_OF_RANGE);
    }
    starts[n] = (int32_t)(n_bytes - SPARE);
    Path *paths = model->paths, *row = paths;
    int64_t n_row = 1;
    row[0] = (Path){model->first_last, model->first_tag, 0};
    for (int32_t end = 0;; end++) {
        if (end > 0) {
            row = paths + ends[end - 1];
            n_row = 0;
        }
        for (int32_t i = 0; i < end; i++) {
            int64_t k = i ? ends[i - 1] : 0;
            if (k == ends[i])
                continue;
            int may_guess = end - i >= SHORTEST_UNKNOWN || n < SHORT_WORD;
            if (!find_values(model, word, starts, i, end, may_guess, end - i == n ? WHOLE_WORD : 0))
                continue;
            for (; k < ends[i]; k++) {
                int64_t state = paths[k].last * model->n_tags + paths[k].tag;
                for (int64_t s = model->step_starts[state]; s < model->step_starts[state + 1]; s++) {
                    int64_t tag = (int64_t)model->steps[s].tag;
                    double value = paths[k].value + model->steps[s].value + model->values[tag];
                    if (model->has[tag] && value > LEAST_VALUE)
                        n_row = add_path(model, row, n_row, (Path){paths[k].tag, tag, value});
                }
            }
        }
        clear_places(model, row, end > 0 ? n_row : 0);
        if (end == n)
            break;
        ends[end] = (end ? ends[end - 1] : 0) + keep_best(model, row, n_row);
    }
    /* Paths that end in the same way count once, and those with the same tag of the word together. */
    Path *last = row + n_row;
    int64_t n_last = 0;
    for (int64_t i = 0; n > 0 && i < n_row; i++) {
        int64_t state = row[i].last * model->n_tags + row[i].tag;
        for (int64_t e = model->end_starts[state]; e < model->end_starts[state + 1]; e++) {
            double value = row[i].value + model->ends[e].value;
            Path path = {row[i].tag, (int64_t)model->ends[e].tag, value};
            n_last = add_path(model, last, n_last, path);
        }
    }
    clear_places(model, last, n_last);
    memset(model->has, 0, (size_t)model->n_tags);
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; i < n_last; i++) {
        int64_t tag = last[i].tag;
        double sum = model->values[tag], value = last[i].value;
        if (!model->has[tag])
            model->values[tag] = value;
        else if (sum == value) /* as numpy.logaddexp */
            model->values[tag] = sum + 0.693147180559945309417232121458176568;
        else if (sum > value)
            model->values[tag] = sum + log1p(exp(value - sum));
        else
            model->values[tag] = value + log1p(exp(sum - value));
        model->has[tag] = 1;
    }
    for (int64_t i = 0; list && i < n_last; i++) {
        int64_t tag = last[i].tag;
        if (!model->has[tag])
            continue;
        model->has[tag] = 0;
        PyObject *item = Py_BuildValue("nd", (Py_ssize_t)tag, model->values[tag]);
        if (!item || PyList_Append(list, item))
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    release(&arrays);
    return list;
}

static PyMethodDef methods[] = {
    {"best_tags", best_tags, METH_VARARGS, NULL},
    {"fill_index", fill_index, METH_VARARGS, NULL},
    {"base_forms", base_forms, METH_VARARGS, NULL},
    {"find_words", find_words, METH_VARARGS, NULL},
    {"token_ids", token_ids, METH_VARARGS, NULL},
    {"best_products", best_products, METH_VARARGS, NULL},
    {"row_products", row_products, METH_VARARGS, NULL},
    {"dense_products", dense_products, METH_VARARGS, NULL},
    {"row_sums", row_sums, METH_VARARGS, NULL},
    {"nearest_words", nearest_words, METH_VARARGS, NULL},
    {"morphology", morphology, METH_VARARGS, NULL},
    {"word_pairs", word_pairs, METH_VARARGS, NULL},
    {"word_tags", word_tags, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "skpara._core.text_kernels", NULL, -1, methods};

PyMODINIT_FUNC PyInit_text_kernels(void)
{
    return create_module(&module);
}
