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
#define LOWEST_BIT __builtin_ctzll
#else
#define PREFETCH(address) ((void)(address))
static inline int LOWEST_BIT(uint64_t bits)
{
    int place = 0;
    for (; !(bits & 1); bits >>= 1)
        place++;
    return place;
}
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
#define BLOCK 64     /* characters whose kinds are the bits of integers */

typedef struct {
    uint32_t start, length;
    int is_wide; /* not all ASCII */
} Sentence; /* a part of the code points */

typedef struct {
    uint32_t start, end;
} Token; /* a part of the bytes */

typedef struct {
    /* Of a chunk: code points, their lower case if they are ASCII, followed by sentences that are
       not in UTF-8, and what each character is. */
    Buffer points, bytes, classes, positions, sentences, tokens;
    Buffer ids, offsets;
    Index unknown;
    size_t n_points, n_sentences, n_ids;
} Tokens;

enum { IS_WORD = 1, IS_SPACE = 2, IS_JOINER = 4, IS_ODD = 8, IS_WIDE = 16 };

/* Lower-case characters that are ASCII, and classify all; ones that `needs_normalize` must see are
   odd. No table, and 8 bits a character, so that compilers make vector code of it. */
static void classify(const uint32_t *restrict points, size_t n,
                                    uint8_t *restrict bytes, uint8_t *restrict classes)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)(points[i] < 0x80 ? points[i] : 0x80);
    for (size_t i = 0; i < n; i++) {
        uint8_t c = bytes[i], lower = (uint8_t)(c | ((uint8_t)(c - 'A') < 26 ? 32 : 0));
        uint8_t class = c & 0x80 ? IS_WIDE : 0;
        class |= ((uint8_t)(lower - 'a') < 26) | ((uint8_t)(c - '0') < 10) ? IS_WORD : 0;
        class |= ((uint8_t)(c - 9) < 5) | ((uint8_t)(c - 28) < 5) ? IS_SPACE : 0;
        class |= (c == '\'') | (c == ',') | (c == '.') ? IS_JOINER : 0;
        class |= ((c | 1) == '\'') | (c == '`') | (c == '-') ? IS_ODD : 0; /* ' is & | 1 */
        bytes[i] = lower;
        classes[i] = class;
    }
}

/* Append the code points of a string. */
static int append(Tokens *all, PyObject *string, Sentence *sentence)
{
    Py_ssize_t length = PyUnicode_GetLength(string);
    if (length < 0)
        return -1;
    size_t n = all->n_points + (size_t)length + 1;
    /* Positions of bytes, up to four a character, are 32-bit integers. */
    if (n > 1 << 29 || !reserve(&all->points, n, sizeof(uint32_t))) {
        PyErr_SetString(PyExc_MemoryError, "A text is too long for the memory, or for 2**29.");
        return -1;
    }
    uint32_t *points = (uint32_t *)all->points.data + all->n_points;
    if (PyUnicode_AsUCS4(string, points, length + 1, 1) == NULL)
        return -1;
    points[length] = ' '; /* behind the last word */
    *sentence = (Sentence){(uint32_t)all->n_points, (uint32_t)length, 0};
    all->n_points = n;
    return 0;
}

/* Classify code points from `start` on. */
static int classify_from(Tokens *all, size_t start)
{
    size_t n = all->n_points;
    if (!reserve(&all->bytes, n, 1) || !reserve(&all->classes, n + BLOCK, 1)) {
        PyErr_NoMemory();
        return -1;
    }
    classify((uint32_t *)all->points.data + start, n - start, (uint8_t *)all->bytes.data + start,
             (uint8_t *)all->classes.data + start);
    return 0;
}

/* Return one bit of each of 64 classes. */
static inline uint64_t bits_of(const uint8_t *classes, int bit)
{
    uint64_t bits = 0;
    for (int k = 0; k < BLOCK; k += 8) {
        uint64_t eight;
        memcpy(&eight, classes + k, 8);
        eight = (eight >> bit & 0x0101010101010101) * 0x0102040810204080 >> 56;
        bits |= eight << k;
    }
    return bits;
}

/* Classify characters that are not all ASCII; return whether one needs `normalize`, -1 for an error. */
static int classify_wide(const uint32_t *points, size_t length, uint8_t *classes)
{
    static const uint8_t CLASSES[] = {IS_SPACE, IS_WORD, 0, IS_JOINER};
    int needs = 0;
    for (size_t i = 0; i < length; i++) {
        if (ENTRY(points[i]) == 0) {
            PyObject *none = PyObject_CallFunction(fill_entries, "I", points[i]);
            if (none == NULL)
                return -1;
            Py_DECREF(none);
        }
        uint32_t entry = ENTRY(points[i]);
        needs |= NEEDS_NORMALIZE(entry);
        classes[i] = CLASSES[KIND(entry)] | (classes[i] & IS_ODD);
        if (LOWER(entry) == '\'')
            classes[i] |= IS_ODD;
    }
    return needs;
}

/* Whether one of d, m, s, t, ll, re and ve follows an apostrophe, and is not part of a longer word.
   There is a space behind the text. */
static int begins_clitic(const uint32_t *point)
{
    uint32_t first = LOWER(ENTRY(point[1]));
    if (first == ' ') /* there may be nothing behind it */
        return 0;
    uint32_t second = LOWER(ENTRY(point[2]));
    if (first == second ? first == 'l' : second == 'e' && (first == 'r' || first == 'v'))
        return KIND(ENTRY(point[3])) != WORD;
    return (first == 'd' || first == 'm' || first == 's' || first == 't') &&
           KIND(ENTRY(point[2])) != WORD;
}

/* Return whether a regular expression of `normalize` may match: for HTML entities, clitics, quotes or
   brackets. It may find a little more than these do. */
static int may_match(const uint32_t *points, size_t length, const uint8_t *classes)
{
    for (size_t i = 0; i < length; i += BLOCK) {
        for (uint64_t odd = bits_of(classes + i, 3); odd; odd &= odd - 1) {
            size_t k = i + LOWEST_BIT(odd), end = k + 1;
            if (k >= length) /* of another sentence */
                return 0;
            uint32_t c = LOWER(ENTRY(points[k])), before = k ? ENTRY(points[k - 1]) : 0;
            uint32_t last = LOWER(before);
            while (c == '&' && (KIND(ENTRY(points[end])) == WORD || points[end] == '#'))
                end++;
            if ((c == '&' && points[end] == ';') || (c == '`' && last == '`') ||
                (c == '-' && last == 'b' && k > 3 && points[k - 4] == '-'))
                return 1;
            int behind_space = KIND(before) == SPACE ||
                               (last == 'n' && k > 1 && KIND(ENTRY(points[k - 2])) == SPACE);
            if (c == '\'' && (last == '\'' || (behind_space && begins_clitic(points + k))))
                return 1;
        }
    }
    return 0;
}

/* Put the normalized text in the place of a sentence that needs it. */
static int normalize_odd(Tokens *all, PyObject *string, Sentence *sentence, int is_normalized)
{
    const uint32_t *points = (uint32_t *)all->points.data + sentence->start;
    uint8_t *classes = (uint8_t *)all->classes.data + sentence->start, any = 0;
    int needs = 0;
    for (size_t i = 0; i < sentence->length; i++)
        any |= classes[i];
    sentence->is_wide = any >= IS_WIDE;
    if (any >= IS_WIDE)
        needs = classify_wide(points, sentence->length, classes);
    if (any >= IS_ODD && needs == 0)
        needs = may_match(points, sentence->length, classes);
    if (needs <= 0 || is_normalized)
        return needs < 0 ? -1 : 0;
    PyObject *text = PyObject_CallFunctionObjArgs(normalize, string, NULL);
    int failed = text == NULL || append(all, text, sentence) < 0 ||
                 classify_from(all, sentence->start) < 0 ||
                 normalize_odd(all, text, sentence, 1) < 0;
    Py_XDECREF(text);
    return -failed;
}

/* Lower-case any text into UTF-8. */
static uint8_t *lower_case(const uint32_t *points, size_t length, const uint8_t *bytes,
                           uint8_t *end, uint32_t *positions)
{
    for (size_t i = 0; i < length; i++) {
        positions[i] = (uint32_t)(end - bytes);
        end = put_utf8(end, LOWER(ENTRY(points[i])));
    }
    positions[length] = (uint32_t)(end - bytes);
    return end;
}

/* Whether an apostrophe, comma or full stop behind a word character is part of the word. */
static inline int joins(const uint32_t *point)
{
    if (LOWER(ENTRY(point[0])) == '\'')
        return KIND(ENTRY(point[1])) == WORD;
    return point[-1] - '0' < 10 && point[1] - '0' < 10;
}

/* Split text, with a space behind it, as `tokenize` does. Borders of words are bits, as no processor
   could predict branches for them. Return the number of tokens. */
static size_t split(const uint32_t *points, size_t length, const uint8_t *classes, Token *tokens)
{
    size_t n_starts = 0, n_ends = 0;
    uint64_t in_word = 0, at_mark = 0; /* whether the character before is one */
    for (size_t i = 0; i <= length; i += BLOCK) {
        uint64_t inside = length - i < BLOCK ? ((uint64_t)1 << (length - i)) - 1 : ~(uint64_t)0;
        uint64_t word = bits_of(classes + i, 0) & inside;
        uint64_t mark = inside & ~(word | bits_of(classes + i, 1));
        uint64_t joiners = mark & bits_of(classes + i, 2) & (word << 1 | in_word);
        for (; joiners; joiners &= joiners - 1) {
            if (joins(points + i + LOWEST_BIT(joiners)))
                word |= joiners & -joiners;
        }
        mark &= ~word;
        uint64_t starts = mark | (word & ~(word << 1 | in_word));
        uint64_t ends = ((word << 1 | in_word) & ~word) | (mark << 1 | at_mark);
        for (; starts; starts &= starts - 1)
            tokens[n_starts++].start = (uint32_t)(i + LOWEST_BIT(starts));
        for (; ends; ends &= ends - 1)
            tokens[n_ends++].end = (uint32_t)(i + LOWEST_BIT(ends));
        in_word = word >> 63;
        at_mark = mark >> 63;
    }
    return n_starts;
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
            *key = key_of(bytes + tokens[i].start, tokens[i].end - tokens[i].start);
            if (known->n_slots)
                PREFETCH(known->slots + (key->hash & (known->n_slots - 1)));
        }
    }
    return 1;
}

/* Append the ids of a chunk of sentences; return the number of the next one, -1 for an error. */
static Py_ssize_t read_chunk(Tokens *all, const Index *known, PyObject *strings, Py_ssize_t first,
                             Py_ssize_t stop)
{
    Py_ssize_t next = first;
    size_t n_sentences = 0, n_tokens = 0;
    int complete = reserve(&all->offsets, all->n_sentences + 1, sizeof(int64_t));
    all->n_points = 0;
    for (; complete && next < stop && all->n_points < CHUNK; next++) {
        /* Strings are anywhere in memory, and most have two lines of the cache. */
        const char *ahead = (char *)PyTuple_GetItem(strings, next + 8 < stop ? next + 8 : next);
        PREFETCH(ahead);
        PREFETCH(ahead + 64);
        complete = reserve(&all->sentences, n_sentences + 1, sizeof(Sentence));
        Sentence *sentence = (Sentence *)all->sentences.data + n_sentences++;
        if (complete && append(all, PyTuple_GetItem(strings, next), sentence) < 0)
            return -1;
    }
    if (complete && classify_from(all, 0) < 0)
        return -1;
    for (size_t s = 0; complete && s < n_sentences; s++) {
        PyObject *string = PyTuple_GetItem(strings, first + (Py_ssize_t)s);
        if (normalize_odd(all, string, (Sentence *)all->sentences.data + s, 0) < 0)
            return -1;
    }
    /* There are at most as many tokens as characters. */
    if (!complete || !reserve(&all->bytes, 5 * all->n_points + SPARE, 1) ||
        !reserve(&all->positions, all->n_points + 1, sizeof(uint32_t)) ||
        !reserve(&all->tokens, all->n_points + 1, sizeof(Token)) ||
        !reserve(&all->offsets, all->n_sentences + n_sentences + 1, sizeof(int64_t)) ||
        !reserve(&all->ids, all->n_ids + all->n_points, sizeof(int32_t))) {
        PyErr_NoMemory();
        return -1;
    }
    Py_BEGIN_ALLOW_THREADS
    uint8_t *bytes = all->bytes.data, *end = bytes + all->n_points, *classes = all->classes.data;
    uint32_t *points = all->points.data, *positions = all->positions.data;
    int64_t *offsets = (int64_t *)all->offsets.data + all->n_sentences;
    offsets[0] = (int64_t)all->n_ids;
    for (size_t s = 0; s < n_sentences; s++) {
        Sentence sentence = ((Sentence *)all->sentences.data)[s];
        size_t start = sentence.start, length = sentence.length;
        Token *tokens = (Token *)all->tokens.data + n_tokens;
        if (sentence.is_wide)
            end = lower_case(points + start, length, bytes, end, positions);
        size_t n = split(points + start, length, classes + start, tokens);
        for (size_t k = 0; k < n; k++) {
            Token token = tokens[k];
            if (sentence.is_wide)
                tokens[k] = (Token){positions[token.start], positions[token.end]};
            else
                tokens[k] = (Token){token.start + sentence.start, token.end + sentence.start};
        }
        n_tokens += n;
        offsets[s + 1] = (int64_t)(all->n_ids + n_tokens);
    }
    complete = look_up(known, &all->unknown, bytes, all->tokens.data, n_tokens,
                       (int32_t *)all->ids.data + all->n_ids);
    Py_END_ALLOW_THREADS
    if (!complete) {
        PyErr_NoMemory();
        return -1;
    }
    all->n_sentences += n_sentences;
    all->n_ids += n_tokens;
    return next;
}

static void free_tokens(Tokens *all)
{
    clear_index(&all->unknown);
    free(all->points.data);
    free(all->bytes.data);
    free(all->classes.data);
    free(all->positions.data);
    free(all->sentences.data);
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

/* Keep the first of equal ids in each sentence; return 0 if memory is short. */
static int keep_distinct(Tokens *all)
{
    int32_t *ids = all->ids.data;
    int64_t *offsets = all->offsets.data, longest = 0, start = 0, n = 0;
    for (size_t s = 0; s < all->n_sentences; s++)
        longest = offsets[s + 1] - offsets[s] > longest ? offsets[s + 1] - offsets[s] : longest;
    size_t n_slots = 256; /* few collisions in short sentences */
    while (n_slots < 2 * (size_t)longest)
        n_slots *= 2;
    if (!reserve(&all->points, n_slots, sizeof(uint64_t))) /* the code points are not needed now */
        return 0;
    uint64_t *slots = all->points.data;
    memset(slots, 0, n_slots * sizeof *slots);
    for (size_t s = 0; s < all->n_sentences; s++) {
        for (int64_t stop = offsets[s + 1]; start < stop; start++) {
            uint32_t id = (uint32_t)ids[start];
            /* The slots of other sentences are empty ones: clearing them takes longer. */
            uint64_t key = (uint64_t)(s + 1) << 32 | id;
            size_t place = (size_t)(id * 0x9E3779B97F4A7C15 >> 32) & (n_slots - 1);
            while (slots[place] >> 32 == s + 1 && slots[place] != key)
                place = (place + 1) & (n_slots - 1);
            ids[n] = ids[start];
            n += slots[place] != key;
            slots[place] = key;
        }
        offsets[s + 1] = n;
    }
    all->n_ids = (size_t)n;
    return 1;
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
    int valid = 1, complete = 1;
    if (n_unknown) {
        words = words_of(&all->unknown);
        found = words ? PyObject_CallFunctionObjArgs(find_unknown, words, NULL) : NULL;
        valid = found && PyArg_ParseTuple(found, "y*y*", &extra, &places) &&
                (size_t)extra.len % row == 0 && (size_t)places.len == n_unknown * 4;
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
        complete = !distinct_words || keep_distinct(all);
        rows->n_ids = all->n_ids;
        valid = complete && sum_rows(rows);
        Py_END_ALLOW_THREADS
        if (!complete)
            PyErr_NoMemory();
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
