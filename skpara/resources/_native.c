/* Look-ups in indexes of strings, the searches of the Hanover Tagger's model (tags of a sentence,
   morphemes of a word), and path similarities of words.

   _cache.py, _hanta.py and _sense_graph.py describe them and have the same in Python, which takes their place where
   there is no compiler. Numbers are added in the same order, so the bits are the same. Positions in
   tables are checked: these come from files. */

#include "../_native.h"

#define INDEX "skpara.resources._native.Index"
#define MODEL "skpara.resources._native.Model"

/* --- indexes of strings ------------------------------------------------------------------------ */

typedef struct {
    Arrays arrays;
    const unsigned char *text;
    const uint32_t *ends, *starts, *members;
    Py_ssize_t n_text, n_texts, n_members;
    uint32_t mask;
} Index;

static const uint32_t FIRST_CRC = 0xFFFFFFFF;
static uint32_t crc_table[256];

/* The state of zlib's crc32, whose complement is its value, after more bytes. */
static uint32_t extend(uint32_t crc, const unsigned char *text, Py_ssize_t size)
{
    for (Py_ssize_t i = 0; i < size; i++)
        crc = crc_table[(crc ^ text[i]) & 255] ^ (crc >> 8);
    return crc;
}

/* The position of a string whose bytes give this state of the checksum, or -1. */
static int64_t lookup(const Index *index, uint32_t crc, const unsigned char *text, Py_ssize_t size)
{
    uint32_t bucket = ~crc & index->mask, last = index->starts[bucket + 1];
    for (uint32_t k = index->starts[bucket]; k < last && k < index->n_members; k++) {
        uint32_t i = index->members[k];
        if (i < index->n_texts && index->ends[i + 1] <= index->n_text
            && (int64_t)index->ends[i + 1] - index->ends[i] == size
            && !memcmp(index->text + index->ends[i], text, size))
            return i;
    }
    return -1;
}

static void free_index(Index *index)
{
    release(&index->arrays);
    free(index);
}

static void free_index_capsule(PyObject *capsule)
{
    free_index(PyCapsule_GetPointer(capsule, INDEX));
}

/* index(text, ends, starts, members): keep the arrays of a TextIndex for the functions below. */
static PyObject *new_index(PyObject *self, PyObject *args)
{
    Py_ssize_t n_ends, n_starts;
    Index *index = calloc(1, sizeof(Index));
    if (!index)
        return PyErr_NoMemory();
    Arrays *arrays = &index->arrays;
    if ((index->text = array(arrays, args, 0, 1, 0, &index->n_text)) &&
        (index->ends = array(arrays, args, 1, 4, 0, &n_ends)) &&
        (index->starts = array(arrays, args, 2, 4, 0, &n_starts)) &&
        (index->members = array(arrays, args, 3, 4, 0, &index->n_members)) && n_ends > 0 &&
        n_starts > 1 && !((n_starts - 1) & (n_starts - 2))) {
        index->n_texts = n_ends - 1;
        index->mask = (uint32_t)(n_starts - 2);
        PyObject *capsule = PyCapsule_New(index, INDEX, free_index_capsule);
        if (capsule)
            return capsule;
    }
    free_index(index);
    return fail("The arrays are no index of strings.");
}

/* The position of a Python string; -1 if it is missing, -2 after an error. */
static int64_t position(const Index *index, PyObject *text)
{
    char *bytes;
    Py_ssize_t size;
    int64_t result = -2;
    PyObject *encoded = PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass");
    if (encoded && !PyBytes_AsStringAndSize(encoded, &bytes, &size)) {
        const unsigned char *start = (const unsigned char *)bytes;
        result = lookup(index, extend(FIRST_CRC, start, size), start, size);
    }
    Py_XDECREF(encoded);
    return result;
}

/* find(index, text): the position of a string, or -1. */
static PyObject *find(PyObject *self, PyObject *args)
{
    PyObject *capsule, *text;
    if (!PyArg_ParseTuple(args, "OU", &capsule, &text))
        return NULL;
    Index *index = PyCapsule_GetPointer(capsule, INDEX);
    int64_t result = index ? position(index, text) : -2;
    return result < -1 ? NULL : PyLong_FromLongLong(result);
}

/* find_all(index, texts): the positions of a list of strings, as the bytes of 64-bit integers. */
static PyObject *find_all(PyObject *self, PyObject *args)
{
    PyObject *capsule, *texts;
    if (!PyArg_ParseTuple(args, "OO!", &capsule, &PyList_Type, &texts))
        return NULL;
    Index *index = PyCapsule_GetPointer(capsule, INDEX);
    if (!index)
        return NULL;
    Py_ssize_t n = PyList_Size(texts);
    PyObject *result = PyBytes_FromStringAndSize(NULL, n * (Py_ssize_t)sizeof(int64_t));
    if (!result)
        return NULL;
    int64_t *positions = (int64_t *)PyBytes_AsString(result);
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *text = PyList_GetItem(texts, i);
        positions[i] = text && PyUnicode_Check(text) ? position(index, text) : -2;
        if (positions[i] == -2) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_TypeError, "Only strings can be looked up.");
            Py_DECREF(result);
            return NULL;
        }
    }
    return result;
}

/* --- the tagger's model ------------------------------------------------------------------------ */

enum { LONGEST_ENDING = 4, LONGEST_LENGTH = 24, MORPHEME_BEAM = 3, TAG_BEAM = 5 };
static const double MARGIN = 1, WHOLE_WORD = 4.6, LEAST = -1e6;

/* The tables, in the order in which `model` gets them. */
enum {
    TRANSITIONS,                                /* double */
    FOLLOWER_STARTS, FOLLOWER_TAGS,             /* int32 */
    FOLLOWER_VALUES,                            /* double */
    FOLLOWER_STATES, FOLLOWER_GUESSES,          /* int32 */
    END_STARTS, END_STATES,                     /* int32 */
    END_VALUES,                                 /* double */
    ITEM_STARTS,                                /* uint32 */
    ITEM_TAGS,                                  /* int16 */
    ITEM_VALUES, SUFFIX_VALUES, LENGTH_VALUES,  /* double */
    N_TABLES
};
static const char SIZES[N_TABLES] = {8, 4, 4, 8, 4, 4, 4, 4, 8, 4, 2, 8, 8, 8};

typedef struct {
    Arrays arrays;
    const void *tables[N_TABLES];
    Py_ssize_t n[N_TABLES]; /* items */
    Py_ssize_t n_tags, n_states, n_ends, n_guesses;
    PyObject *indexes[2]; /* of the morphemes and of the suffixes */
    const Index *morphemes, *suffixes;
} Model;

#define TABLE(model, type, name) ((const type *)(model)->tables[name])

static void free_model(Model *model)
{
    Py_XDECREF(model->indexes[0]);
    Py_XDECREF(model->indexes[1]);
    release(&model->arrays);
    free(model);
}

static void free_capsule(PyObject *capsule)
{
    free_model(PyCapsule_GetPointer(capsule, MODEL));
}

/* Whether offsets begin at 0 or above, do not fall, and end at n at most. */
static int are_offsets(const uint32_t *offsets, Py_ssize_t n_offsets, Py_ssize_t n)
{
    for (Py_ssize_t i = 1; i < n_offsets; i++)
        if (offsets[i] < offsets[i - 1])
            return 0;
    return n_offsets > 0 && offsets[n_offsets - 1] <= (uint64_t)n;
}

static int are_below(const int32_t *ids, Py_ssize_t n, int64_t least, int64_t limit)
{
    for (Py_ssize_t i = 0; i < n; i++)
        if (ids[i] < least || ids[i] >= limit)
            return 0;
    return 1;
}

static int is_valid(Model *model)
{
    Py_ssize_t *n = model->n, n_states = n[FOLLOWER_STARTS] - 1, base = model->n_tags + 1;
    Py_ssize_t n_followers = n[FOLLOWER_TAGS];
    model->n_states = n_states;
    model->n_guesses = n[LENGTH_VALUES] / (LONGEST_LENGTH + 1);
    return model->n_tags > 0 && model->n_tags < 1000 && n[TRANSITIONS] == base * base * (base - 1)
           && n_states > 0 && n[FOLLOWER_STATES] == n_followers && n[FOLLOWER_GUESSES] == n_followers
           && n[FOLLOWER_VALUES] == n_followers && n[END_STARTS] == n_states + 1
           && n[END_VALUES] == n[END_STATES] && model->n_guesses > 0
           && are_offsets(TABLE(model, uint32_t, FOLLOWER_STARTS), n_states + 1, n_followers)
           && are_offsets(TABLE(model, uint32_t, END_STARTS), n_states + 1, n[END_STATES])
           && are_below(TABLE(model, int32_t, FOLLOWER_STATES), n_followers, 0, n_states)
           && are_below(TABLE(model, int32_t, FOLLOWER_GUESSES), n_followers, -1, model->n_guesses)
           && are_below(TABLE(model, int32_t, END_STATES), n[END_STATES], 0, model->n_ends)
           && n[ITEM_STARTS] == model->morphemes->n_texts + 1 && n[ITEM_TAGS] == n[ITEM_VALUES]
           && are_offsets(TABLE(model, uint32_t, ITEM_STARTS), n[ITEM_STARTS], n[ITEM_TAGS])
           && n[SUFFIX_VALUES] == model->suffixes->n_texts * model->n_guesses && n[SUFFIX_VALUES] > 0
           && n[LENGTH_VALUES] == (LONGEST_LENGTH + 1) * model->n_guesses;
}

/* model(morphemes, suffixes, tables, n_tags, n_ends): keep two indexes and the tables, once checked,
   for the functions below. */
static PyObject *new_model(PyObject *self, PyObject *args)
{
    PyObject *morphemes, *suffixes, *tables;
    Py_ssize_t n_tags, n_ends;
    if (!PyArg_ParseTuple(args, "OOO!nn", &morphemes, &suffixes, &PyTuple_Type, &tables, &n_tags,
                          &n_ends))
        return NULL;
    Model *model = calloc(1, sizeof(Model));
    if (!model)
        return PyErr_NoMemory();
    model->n_tags = n_tags;
    model->n_ends = n_ends;
    model->indexes[0] = Py_NewRef(morphemes);
    model->indexes[1] = Py_NewRef(suffixes);
    model->morphemes = PyCapsule_GetPointer(morphemes, INDEX);
    model->suffixes = model->morphemes ? PyCapsule_GetPointer(suffixes, INDEX) : NULL;
    int valid = model->suffixes && PyTuple_Size(tables) == N_TABLES;
    for (int i = 0; valid && i < N_TABLES; i++) {
        model->tables[i] = array(&model->arrays, tables, i, SIZES[i], 0, &model->n[i]);
        valid = model->tables[i] != NULL;
    }
    PyObject *capsule = valid && is_valid(model) ? PyCapsule_New(model, MODEL, free_capsule) : NULL;
    if (capsule)
        return capsule;
    free_model(model);
    return fail("The tables of the tagger's model do not fit.");
}

/* The (k + 1)-th largest of more than k values. */
static double rank(const double *values, Py_ssize_t n, int k)
{
    double best[TAG_BEAM + 1];
    int found = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        if (found > k && values[i] <= best[k])
            continue;
        int place = found > k ? k : found++;
        for (; place > 0 && best[place - 1] < values[i]; place--)
            best[place] = best[place - 1];
        best[place] = values[i];
    }
    return best[k];
}

/* --- tags of a sentence ------------------------------------------------------------------------ */

typedef struct {
    int32_t key, previous; /* (previous tag, last tag), and the state before in the row before */
    double value;
} State;

/* tag(model, own_tags, end): the most probable tags. own_tags has a tuple of (tag, value) a word. */
static PyObject *tag(PyObject *self, PyObject *args)
{
    PyObject *capsule, *words, *result = NULL;
    Py_ssize_t end;
    if (!PyArg_ParseTuple(args, "OO!n", &capsule, &PyList_Type, &words, &end))
        return NULL;
    Model *model = PyCapsule_GetPointer(capsule, MODEL);
    if (!model)
        return NULL;
    const double *transitions = TABLE(model, double, TRANSITIONS);
    Py_ssize_t n_tags = model->n_tags, base = n_tags + 1, n_words = PyList_Size(words);
    Py_ssize_t used = 1, room = 16 * (n_words + 1), first = 0, best = -1;
    State *states = malloc(room * sizeof(State));
    Py_ssize_t *starts = malloc((n_words + 2) * sizeof(Py_ssize_t));
    int32_t *place = malloc(base * base * sizeof(int32_t));
    long long *own = malloc(n_tags * sizeof(long long));
    double *own_values = malloc(n_tags * sizeof(double)), *values = NULL;
    if (!states || !starts || !place || !own || !own_values || end < 0 || end >= n_tags)
        goto done;
    memset(place, -1, base * base * sizeof(int32_t));
    states[0] = (State){(int32_t)(base * base - 1), -1, 0.0};
    for (Py_ssize_t i = 0; i < n_words; i++) {
        Py_ssize_t last = used, n_own;
        starts[i] = first;
        PyObject *tags = PyList_GetItem(words, i);
        n_own = tags && PyTuple_Check(tags) ? PyTuple_Size(tags) : -1;
        if (n_own < 0 || n_own > n_tags) {
            PyErr_SetString(PyExc_ValueError, "A word's tags must be a tuple of pairs.");
            goto done;
        }
        for (Py_ssize_t k = 0; k < n_own; k++)
            if (!PyArg_ParseTuple(PyTuple_GetItem(tags, k), "Ld", &own[k], &own_values[k]))
                goto done;
            else if (own[k] < 0 || own[k] >= n_tags) {
                PyErr_SetString(PyExc_ValueError, "A tag is out of range.");
                goto done;
            }
        if (last - first > TAG_BEAM || n_own * (last - first) > room - used) {
            double *more = realloc(values, (last - first) * sizeof(double));
            if (!more)
                goto done;
            values = more;
            for (Py_ssize_t s = first; s < last; s++)
                values[s - first] = states[s].value;
        }
        if (n_own * (last - first) > room - used) {
            room = 2 * room + n_own * (last - first);
            State *more = realloc(states, room * sizeof(State));
            if (!more)
                goto done;
            states = more;
        }
        double bound = last - first > TAG_BEAM ? rank(values, last - first, TAG_BEAM) - MARGIN
                                               : -INFINITY;
        for (Py_ssize_t s = first; s < last; s++) {
            if (states[s].value < bound)
                continue;
            const double *row = transitions + states[s].key * n_tags;
            int32_t target = (int32_t)(states[s].key % base * base);
            for (Py_ssize_t k = 0; k < n_own; k++) {
                double value = states[s].value + row[own[k]] + own_values[k];
                int32_t key = target + (int32_t)own[k], old = place[key];
                if (old < 0) {
                    place[key] = (int32_t)used;
                    states[used++] = (State){key, (int32_t)s, value};
                } else if (value > states[old].value) {
                    states[old].value = value;
                    states[old].previous = (int32_t)s;
                }
            }
        }
        for (Py_ssize_t s = last; s < used; s++)
            place[states[s].key] = -1;
        first = last;
    }
    double highest = -INFINITY;
    for (Py_ssize_t s = first; s < used; s++) {
        double value = states[s].value + transitions[states[s].key * n_tags + end];
        if (value > highest) {
            highest = value;
            best = s;
        }
    }
    result = PyList_New(n_words);
    for (Py_ssize_t i = n_words - 1; result && i >= 0; i--) {
        PyObject *number = best < 0 ? NULL : PyLong_FromLong(states[best].key % base);
        if (!number || PyList_SetItem(result, i, number))
            Py_CLEAR(result);
        else
            best = states[best].previous;
    }
done:
    free(states);
    free(starts);
    free(place);
    free(own);
    free(own_values);
    free(values);
    return result || PyErr_Occurred() ? result : PyErr_NoMemory();
}

/* --- morphemes of a word ----------------------------------------------------------------------- */

/* analyze(model, word): (end, value) of each way in which a word, encoded, can end. */
static PyObject *analyze(PyObject *self, PyObject *args)
{
    PyObject *capsule, *result = NULL;
    const unsigned char *word;
    Py_ssize_t size, n = 0;
    if (!PyArg_ParseTuple(args, "Oy#", &capsule, &word, &size))
        return NULL;
    Model *model = PyCapsule_GetPointer(capsule, MODEL);
    if (!model)
        return NULL;
    const uint32_t *starts = TABLE(model, uint32_t, FOLLOWER_STARTS);
    const int32_t *tags = TABLE(model, int32_t, FOLLOWER_TAGS);
    const int32_t *targets = TABLE(model, int32_t, FOLLOWER_STATES);
    const int32_t *guesses = TABLE(model, int32_t, FOLLOWER_GUESSES);
    const double *steps = TABLE(model, double, FOLLOWER_VALUES);
    const uint32_t *end_starts = TABLE(model, uint32_t, END_STARTS);
    const uint32_t *item_starts = TABLE(model, uint32_t, ITEM_STARTS);
    const int16_t *item_tags = TABLE(model, int16_t, ITEM_TAGS);
    const double *item_values = TABLE(model, double, ITEM_VALUES);
    const double *suffix_values = TABLE(model, double, SUFFIX_VALUES);
    const double *length_values = TABLE(model, double, LENGTH_VALUES);
    Py_ssize_t n_states = model->n_states, n_guesses = model->n_guesses, n_final = 0;
    Py_ssize_t rows = (size + 1) * n_states;
    Py_ssize_t *letters = malloc((size + 1) * sizeof(Py_ssize_t));
    int64_t *suffixes = malloc((size + 1) * (LONGEST_ENDING + 1) * sizeof(int64_t));
    int64_t *morphemes = malloc((size + 1) * sizeof(int64_t));
    Py_ssize_t *counts = calloc(size + 1, sizeof(Py_ssize_t));
    int32_t *states = malloc(rows * sizeof(int32_t)), *place = malloc(rows * sizeof(int32_t));
    double *values = malloc(rows * sizeof(double));
    int32_t *final = malloc(model->n_ends * sizeof(int32_t));
    int32_t *final_place = malloc(model->n_ends * sizeof(int32_t));
    double *final_values = malloc(model->n_ends * sizeof(double));
    if (!letters || !suffixes || !morphemes || !counts || !states || !place || !values || !final
        || !final_place || !final_values)
        goto done;
    memset(place, -1, rows * sizeof(int32_t));
    memset(final_place, -1, model->n_ends * sizeof(int32_t));
    for (Py_ssize_t i = 0; i < size; i++)
        if ((word[i] & 0xC0) != 0x80) /* the first byte of a letter */
            letters[n++] = i;
    letters[n] = size;
    for (Py_ssize_t j = 0; j <= n; j++) {
        /* The longest known ending of at most 0, 1, ... letters. */
        int64_t *longest = suffixes + j * (LONGEST_ENDING + 1);
        for (Py_ssize_t k = 0; k <= LONGEST_ENDING; k++) {
            Py_ssize_t start = letters[k < j ? j - k : 0], length = letters[j] - start;
            uint32_t crc = extend(FIRST_CRC, word + start, length);
            longest[k] = lookup(model->suffixes, crc, word + start, length);
            if (longest[k] < 0)
                longest[k] = k ? longest[k - 1] : 0;
        }
    }
    states[0] = place[0] = 0; /* the start is the first state */
    values[0] = 0.0;
    counts[0] = 1;
    Py_ssize_t shortest = n < 4 ? 1 : 3; /* of unknown morphemes */
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_ssize_t row = i * n_states;
        double bound = counts[i] > MORPHEME_BEAM
                           ? rank(values + row, counts[i], MORPHEME_BEAM) - MARGIN : -INFINITY;
        uint32_t crc = FIRST_CRC;
        for (Py_ssize_t j = i + 1; counts[i] && j <= n; j++) {
            crc = extend(crc, word + letters[j - 1], letters[j] - letters[j - 1]);
            Py_ssize_t length = letters[j] - letters[i];
            morphemes[j] = lookup(model->morphemes, crc, word + letters[i], length);
        }
        for (Py_ssize_t s = row; s < row + counts[i]; s++) {
            int32_t state = states[s];
            if (values[s] < bound || starts[state] == starts[state + 1])
                continue;
            for (Py_ssize_t j = i + 1; j <= n; j++) {
                Py_ssize_t length = j - i, target = j * n_states;
                int64_t listed = morphemes[j];
                if (listed < 0 && length < shortest)
                    continue;
                Py_ssize_t ending = length - 1 < LONGEST_ENDING ? length - 1 : LONGEST_ENDING;
                Py_ssize_t size_row = length < LONGEST_LENGTH ? length : LONGEST_LENGTH;
                const double *by_ending =
                    suffix_values + suffixes[j * (LONGEST_ENDING + 1) + ending] * n_guesses;
                const double *by_length = length_values + size_row * n_guesses;
                for (uint32_t f = starts[state]; f < starts[state + 1]; f++) {
                    double value = -INFINITY;
                    uint32_t k = listed < 0 ? 0 : item_starts[listed];
                    uint32_t last = listed < 0 ? 0 : item_starts[listed + 1];
                    while (k < last && item_tags[k] != tags[f])
                        k++;
                    if (k < last)
                        value = item_values[k];
                    else if (guesses[f] >= 0 && length >= shortest)
                        value = by_length[guesses[f]] + by_ending[guesses[f]]
                                - (length == n ? WHOLE_WORD : 0.0);
                    value = values[s] + steps[f] + value;
                    if (!(value > LEAST))
                        continue;
                    int32_t old = place[target + targets[f]];
                    if (old < 0) {
                        old = (int32_t)counts[j]++;
                        place[target + targets[f]] = old;
                        states[target + old] = targets[f];
                        values[target + old] = value;
                    } else if (value > values[target + old])
                        values[target + old] = value;
                }
            }
        }
    }
    for (Py_ssize_t s = n * n_states; s < n * n_states + counts[n]; s++)
        for (uint32_t e = end_starts[states[s]]; e < end_starts[states[s] + 1]; e++) {
            double value = values[s] + TABLE(model, double, END_VALUES)[e];
            int32_t end = TABLE(model, int32_t, END_STATES)[e];
            if (!(value > LEAST))
                continue;
            if (final_place[end] < 0) {
                final_place[end] = (int32_t)n_final;
                final[n_final] = end;
                final_values[n_final++] = value;
            } else if (value > final_values[final_place[end]])
                final_values[final_place[end]] = value;
        }
    result = PyList_New(n_final);
    for (Py_ssize_t i = 0; result && i < n_final; i++) {
        PyObject *item = Py_BuildValue("id", final[i], final_values[i]);
        if (!item || PyList_SetItem(result, i, item))
            Py_CLEAR(result);
    }
done:
    free(letters);
    free(suffixes);
    free(morphemes);
    free(counts);
    free(states);
    free(place);
    free(values);
    free(final);
    free(final_place);
    free(final_values);
    return result || PyErr_Occurred() ? result : PyErr_NoMemory();
}

/* --- path similarities of words --------------------------------------------------------------- */

#define FAR 100 /* as in _sense_graph.py: more steps than any path has */

typedef struct { /* the arrays of a SenseGraph, and the senses of the words of a call */
    const int32_t *starts, *ancestors;
    const int8_t *steps, *to_root;
    const int64_t *senses, *ends;
    int64_t n_senses, n_ancestors, n_nouns, n_listed, n_words;
} Graph;

/* Of the words of one side of a pair: the fewest steps from any to each ancestor and to the root. */
typedef struct {
    int8_t *nearest;
    char *words; /* which words the side has */
    int root, root_no_noun;
} Reach;

static int are_in_range(const Graph *graph, const int64_t *ids, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (ids[i] < 0 || ids[i] >= graph->n_words)
            return 0;
    return 1;
}

static int is_valid_graph(const Graph *graph)
{
    for (int64_t w = 0; w < graph->n_words; w++)
        if (graph->ends[w] < 0 || graph->ends[w] > graph->ends[w + 1])
            return 0;
    if (graph->ends[graph->n_words] > graph->n_listed)
        return 0;
    for (int64_t k = 0; k < graph->n_listed; k++) {
        int64_t sense = graph->senses[k];
        if (sense < 0 || sense >= graph->n_senses || graph->starts[sense] < 0
            || graph->starts[sense + 1] > graph->n_ancestors)
            return 0;
        for (int32_t a = graph->starts[sense]; a < graph->starts[sense + 1]; a++)
            if (graph->ancestors[a] < 0 || graph->ancestors[a] >= graph->n_senses)
                return 0;
    }
    return 1;
}

static int smaller(int a, int b) { return a < b ? a : b; }

/* Enter the words of a side; with clear=1, undo that. */
static void enter(const Graph *graph, Reach *reach, const int64_t *ids, int64_t n, int clear)
{
    reach->root = reach->root_no_noun = FAR;
    for (int64_t i = 0; i < n; i++) {
        reach->words[ids[i]] = !clear;
        for (int64_t k = graph->ends[ids[i]]; k < graph->ends[ids[i] + 1]; k++) {
            int64_t sense = graph->senses[k];
            int to_root = graph->to_root[sense];
            for (int32_t a = graph->starts[sense]; a < graph->starts[sense + 1]; a++) {
                int8_t *nearest = reach->nearest + graph->ancestors[a];
                *nearest = (int8_t)(clear ? FAR : smaller(*nearest, graph->steps[a]));
            }
            reach->root = smaller(reach->root, to_root);
            if (sense >= graph->n_nouns)
                reach->root_no_noun = smaller(reach->root_no_noun, to_root);
        }
    }
}

/* The largest similarity of each word to any of those that were entered. */
static void compare(const Graph *graph, const Reach *reach, const int64_t *ids, int64_t n, double *out)
{
    for (int64_t i = 0; i < n; i++) {
        int distance = reach->words[ids[i]] ? 0 : FAR;
        for (int64_t k = graph->ends[ids[i]]; k < graph->ends[ids[i] + 1]; k++) {
            int64_t sense = graph->senses[k];
            /* Two nouns do not meet in the added root: one of both senses must not be a noun. */
            int root = sense < graph->n_nouns ? reach->root_no_noun : reach->root;
            distance = smaller(distance, graph->to_root[sense] + root);
            for (int32_t a = graph->starts[sense]; a < graph->starts[sense + 1]; a++)
                distance = smaller(distance,
                                   graph->steps[a] + reach->nearest[graph->ancestors[a]]);
        }
        out[i] = distance < FAR ? 1.0 / (1 + distance) : 0.0;
    }
}

/* largest_similarities(starts, ancestors, steps, to_root, n_nouns, senses, ends, left, left_sizes,
   right, right_sizes): as the method of SenseGraph, the bytes of both results. */
static PyObject *largest_similarities(PyObject *self, PyObject *args)
{
    Arrays arrays = {.n = 0};
    PyObject *results[2] = {NULL, NULL}, *result = NULL;
    Graph graph = {.n_nouns = PyLong_AsLongLong(PyTuple_GetItem(args, 4))};
    Reach reach = {NULL, NULL, FAR, FAR};
    const int64_t *ids[2], *sizes[2];
    Py_ssize_t n[2], n_pairs, n_right, n_starts, n_ancestors, n_steps, n_senses, n_listed, n_ends;
    int valid = (graph.starts = array(&arrays, args, 0, 4, 0, &n_starts)) &&
                (graph.ancestors = array(&arrays, args, 1, 4, 0, &n_ancestors)) &&
                (graph.steps = array(&arrays, args, 2, 1, 0, &n_steps)) &&
                (graph.to_root = array(&arrays, args, 3, 1, 0, &n_senses)) &&
                (graph.senses = array(&arrays, args, 5, 8, 0, &n_listed)) &&
                (graph.ends = array(&arrays, args, 6, 8, 0, &n_ends)) &&
                (ids[0] = array(&arrays, args, 7, 8, 0, &n[0])) &&
                (sizes[0] = array(&arrays, args, 8, 8, 0, &n_pairs)) &&
                (ids[1] = array(&arrays, args, 9, 8, 0, &n[1])) &&
                (sizes[1] = array(&arrays, args, 10, 8, 0, &n_right));
    if (!valid)
        goto done;
    graph.n_senses = n_senses;
    graph.n_ancestors = n_ancestors;
    graph.n_listed = n_listed;
    graph.n_words = n_ends - 1;
    valid = n_steps == n_ancestors && n_starts == n_senses + 1 && n_right == n_pairs && n_ends > 0 &&
            is_valid_graph(&graph);
    for (int side = 0; valid && side < 2; side++) {
        int64_t total = 0;
        for (int64_t p = 0; valid && p < n_pairs; p++) {
            valid = sizes[side][p] >= 0 && sizes[side][p] <= n[side] - total;
            total += sizes[side][p];
        }
        valid = valid && total == n[side] && are_in_range(&graph, ids[side], n[side]);
    }
    if (!valid) {
        fail("The words, senses and sizes do not match.");
        goto done;
    }
    reach.nearest = malloc(graph.n_senses + 1);
    reach.words = calloc(graph.n_words + 1, 1);
    for (int side = 0; side < 2; side++)
        results[side] = PyBytes_FromStringAndSize(NULL, n[side] * (Py_ssize_t)sizeof(double));
    if (!reach.nearest || !reach.words || !results[0] || !results[1]) {
        if (!PyErr_Occurred())
            PyErr_NoMemory();
        goto done;
    }
    memset(reach.nearest, FAR, graph.n_senses + 1);
    double *out[2] = {(double *)PyBytes_AsString(results[0]), (double *)PyBytes_AsString(results[1])};
    int64_t start[2] = {0, 0};
    for (int64_t p = 0; p < n_pairs; p++) {
        for (int side = 0; side < 2; side++) {
            const int64_t *own = ids[side] + start[side], *other = ids[!side] + start[!side];
            enter(&graph, &reach, other, sizes[!side][p], 0);
            compare(&graph, &reach, own, sizes[side][p], out[side] + start[side]);
            enter(&graph, &reach, other, sizes[!side][p], 1);
        }
        start[0] += sizes[0][p];
        start[1] += sizes[1][p];
    }
    result = PyTuple_Pack(2, results[0], results[1]);
done:
    release(&arrays);
    free(reach.nearest);
    free(reach.words);
    Py_XDECREF(results[0]);
    Py_XDECREF(results[1]);
    return result;
}

static PyMethodDef methods[] = {
    {"index", new_index, METH_VARARGS, NULL},
    {"find", find, METH_VARARGS, NULL},
    {"find_all", find_all, METH_VARARGS, NULL},
    {"model", new_model, METH_VARARGS, NULL},
    {"tag", tag, METH_VARARGS, NULL},
    {"analyze", analyze, METH_VARARGS, NULL},
    {"largest_similarities", largest_similarities, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "skpara.resources._native", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__native(void)
{
    for (uint32_t i = 0; i < 256; i++) { /* the table of zlib's crc32 */
        uint32_t crc = i;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? 0xEDB88320u ^ (crc >> 1) : crc >> 1;
        crc_table[i] = crc;
    }
    return PyModule_Create(&module);
}
