/* What the features compute for each pair of sentences, on arrays of ids.

   skpara/features/_kernels.py calls these functions and describes them. Lists of ids are one array
   of ids and one of offsets: list k is ids[offsets[k]:offsets[k + 1]]. Pairs are two arrays of
   positions of lists. Every id, offset and position is checked here, so that a wrong array is an
   error and not a crash. */

#include "kernels.h"

/* --- arguments -------------------------------------------------------------------------------- */

typedef struct {
    Arrays arrays;
    const int64_t *ids, *offsets, *left, *right;
    Py_ssize_t n_items, n_lists, n_pairs;
} Call;

/* Return an output of n or more items of 8 bytes. */
static void *output(Call *call, PyObject *args, Py_ssize_t position, Py_ssize_t n)
{
    Py_ssize_t size;
    void *data = array(&call->arrays, args, position, 8, 1, &size);
    return data && size < n ? fail("an output is too small") : data;
}

static int lists(Call *call, PyObject *args)
{
    Py_ssize_t n;
    call->ids = array(&call->arrays, args, 0, 8, 0, &call->n_items);
    call->offsets = call->ids ? array(&call->arrays, args, 1, 8, 0, &n) : NULL;
    if (!call->offsets)
        return 0;
    call->n_lists = n - 1;
    if (n < 1 || call->offsets[0] < 0 || call->offsets[n - 1] > call->n_items)
        return fail("offsets are outside the items") != NULL;
    for (Py_ssize_t k = 1; k < n; k++)
        if (call->offsets[k] < call->offsets[k - 1])
            return fail("offsets decrease") != NULL;
    return 1;
}

static int pairs(Call *call, PyObject *args)
{
    Py_ssize_t n;
    if (!lists(call, args))
        return 0;
    call->left = array(&call->arrays, args, 2, 8, 0, &call->n_pairs);
    call->right = call->left ? array(&call->arrays, args, 3, 8, 0, &n) : NULL;
    if (!call->right)
        return 0;
    if (n != call->n_pairs)
        return fail("left and right differ in length") != NULL;
    for (Py_ssize_t p = 0; p < n; p++)
        if (call->left[p] < 0 || call->left[p] >= call->n_lists || call->right[p] < 0 ||
            call->right[p] >= call->n_lists)
            return fail("a pair is outside the lists") != NULL;
    return 1;
}

static int ids_below(const Call *call, Py_ssize_t n)
{
    for (Py_ssize_t k = 0; k < call->n_items; k++)
        if (call->ids[k] < 0 || call->ids[k] >= n)
            return fail("an id is outside the table") != NULL;
    return 1;
}

typedef struct {
    const int64_t *ids;
    Py_ssize_t start, n;
} List;

static List list_of(const Call *call, int64_t k)
{
    List list = {call->ids + call->offsets[k], (Py_ssize_t)call->offsets[k],
                 (Py_ssize_t)(call->offsets[k + 1] - call->offsets[k])};
    return list;
}

/* The items of the longest pair. */
static Py_ssize_t longest_pair(const Call *call)
{
    Py_ssize_t longest = 0;
    for (Py_ssize_t p = 0; p < call->n_pairs; p++) {
        Py_ssize_t n = list_of(call, call->left[p]).n + list_of(call, call->right[p]).n;
        longest = n > longest ? n : longest;
    }
    return longest;
}

/* --- counts and overlaps ---------------------------------------------------------------------- */

/* (ids, offsets, n_ids, distinct, counts, new_offsets) -> None */
static PyObject *distinct(PyObject *self, PyObject *args)
{
    Call call = {0};
    Py_ssize_t n_ids = PyLong_AsSsize_t(PyTuple_GetItem(args, 2));
    int64_t *number, *items, *new_offsets;
    double *counts;
    /* number: one more than where an item of this list is, or a number of an earlier list. */
    if (!lists(&call, args) || !ids_below(&call, n_ids) ||
        !(items = output(&call, args, 3, call.n_items)) ||
        !(counts = output(&call, args, 4, call.n_items)) ||
        !(new_offsets = output(&call, args, 5, call.n_lists + 1)) ||
        !(number = scratch(&call.arrays, (size_t)n_ids, sizeof *number)))
        return finish(&call.arrays, 0);
    int64_t n = new_offsets[0] = 0;
    for (Py_ssize_t k = 0; k < call.n_lists; k++) {
        List list = list_of(&call, k);
        for (Py_ssize_t i = 0; i < list.n; i++) {
            int64_t id = list.ids[i];
            if (number[id] <= new_offsets[k]) {
                items[n] = id;
                counts[n++] = 0.0;
                number[id] = n;
            }
            counts[number[id] - 1] += 1.0;
        }
        new_offsets[k + 1] = n;
    }
    return finish(&call.arrays, 1);
}

static int is_equal_key(const void *keys, int32_t number, const void *key)
{
    return ((const int64_t *)keys)[number] == *(const int64_t *)key;
}

static double ratio(double part, double whole) { return whole != 0 ? part / whole : 0.0; }

/* (ids, offsets, left, right, longest, shared) -> None; the numbers of shared n-grams, then F, 1
   where a side has none. */
static PyObject *shared_ngrams(PyObject *self, PyObject *args)
{
    Call call = {0};
    double *shared;
    long longest = PyLong_AsLong(PyTuple_GetItem(args, 4));
    if (!pairs(&call, args) || !(shared = output(&call, args, 5, 2 * longest * call.n_pairs)))
        return finish(&call.arrays, 0);
    size_t most = (size_t)longest_pair(&call);
    Table table = new_table(&call.arrays, mask_for(most));
    int32_t *counts = scratch(&call.arrays, most, sizeof *counts);
    int64_t *first = scratch(&call.arrays, most, sizeof *first);
    int64_t *grams = scratch(&call.arrays, most, sizeof *grams);
    int64_t *keys = scratch(&call.arrays, most, sizeof *keys);
    if (!table.slots || !counts || !first || !grams || !keys)
        return finish(&call.arrays, 0);
    for (Py_ssize_t p = 0; p < call.n_pairs; p++) {
        List sides[2] = {list_of(&call, call.left[p]), list_of(&call, call.right[p])};
        Py_ssize_t total = sides[0].n + sides[1].n;
        for (long n = 1; n <= longest; n++) {
            int64_t n_shared = 0;
            int32_t n_grams = 0;
            table.mask = mask_for((size_t)total);
            memset(table.slots, -1, (table.mask + 1) * sizeof *table.slots);
            for (int side = 0; side < 2; side++) {
                Py_ssize_t base = side ? sides[0].n : 0;
                for (Py_ssize_t i = 0; i + n <= sides[side].n; i++) {
                    /* The numbers of the n-gram without its last item, and of this item. On the
                       right side only n-grams of the left one have numbers. */
                    int64_t *gram = &grams[base + i], last = n > 1 ? first[base + i + n - 1] : 0;
                    int64_t key = n > 1 ? *gram * total + last : sides[side].ids[i];
                    if (n > 1 && (*gram < 0 || last < 0)) {
                        *gram = -1;
                        continue;
                    }
                    uint64_t hash = (uint64_t)key * FACTOR >> 20;
                    int32_t *slot = slot_of(&table, hash, is_equal_key, keys, &key);
                    if (!side && *slot < 0) {
                        *slot = n_grams;
                        counts[n_grams] = 0;
                        keys[n_grams++] = key;
                    }
                    *gram = *slot;
                    if (!side)
                        counts[*gram]++;
                    else if (*gram >= 0 && counts[*gram] > 0) {
                        counts[*gram]--;
                        n_shared++;
                    }
                }
            }
            if (n == 1)
                memcpy(first, grams, (size_t)total * sizeof *first);
            int64_t n_left = sides[0].n - n + 1, n_right = sides[1].n - n + 1;
            int has_both = n_left > 0 && n_right > 0;
            double *own = &shared[(n - 1) * call.n_pairs + p];
            own[0] = (double)n_shared;
            own[longest * call.n_pairs] =
                has_both ? 2 * (double)n_shared / (double)(n_left + n_right) : 1.0;
        }
    }
    return finish(&call.arrays, 1);
}

/* (ids, offsets, left, right, weights, n_ids, sums) -> None; the sums are of what both sides share,
   of the left side and of the right side, and F of the shared ones, 0 where there are none. */
static PyObject *shared_weights(PyObject *self, PyObject *args)
{
    Call call = {0};
    Py_ssize_t n_weights, n_ids = PyLong_AsSsize_t(PyTuple_GetItem(args, 5));
    int64_t *counts;
    const double *weights;
    double *sums;
    if (!pairs(&call, args) || !ids_below(&call, n_ids) ||
        !(weights = array(&call.arrays, args, 4, 8, 0, &n_weights)))
        return finish(&call.arrays, 0);
    Py_ssize_t n_rows = n_ids ? n_weights / n_ids : 0, step = n_rows * call.n_pairs;
    if (!(sums = output(&call, args, 6, 4 * step)) ||
        !(counts = scratch(&call.arrays, (size_t)n_ids, sizeof *counts)))
        return finish(&call.arrays, 0);
    for (Py_ssize_t p = 0; p < call.n_pairs; p++) {
        List left = list_of(&call, call.left[p]), right = list_of(&call, call.right[p]);
        for (Py_ssize_t j = 0; j < right.n; j++) {
            counts[right.ids[j]]++;
            for (Py_ssize_t row = 0; row < n_rows; row++)
                sums[2 * step + row * call.n_pairs + p] += weights[row * n_ids + right.ids[j]];
        }
        for (Py_ssize_t i = 0; i < left.n; i++) {
            int is_shared = counts[left.ids[i]] > 0;
            counts[left.ids[i]] -= is_shared;
            for (Py_ssize_t row = 0; row < n_rows; row++) {
                double weight = weights[row * n_ids + left.ids[i]];
                sums[step + row * call.n_pairs + p] += weight;
                if (is_shared)
                    sums[row * call.n_pairs + p] += weight;
            }
        }
        for (Py_ssize_t j = 0; j < right.n; j++)
            counts[right.ids[j]] = 0;
        for (Py_ssize_t row = 0; row < n_rows; row++) {
            double *own = &sums[row * call.n_pairs + p];
            own[3 * step] = ratio(2 * own[0], own[step] + own[2 * step]);
        }
    }
    return finish(&call.arrays, 1);
}

/* (ids, offsets, left, right, weights, n_ids, damped, cosines) -> None

   `damped` has the number that stands for each count. */
static PyObject *weighted_cosines(PyObject *self, PyObject *args)
{
    Call call = {0};
    Py_ssize_t n_weights, n_damped, n_ids = PyLong_AsSsize_t(PyTuple_GetItem(args, 5));
    int64_t *counts;
    const double *weights, *damped;
    double *dots, *squares;
    if (!pairs(&call, args) || !ids_below(&call, n_ids) ||
        !(weights = array(&call.arrays, args, 4, 8, 0, &n_weights)) ||
        !(damped = array(&call.arrays, args, 6, 8, 0, &n_damped)))
        return finish(&call.arrays, 0);
    Py_ssize_t n_rows = n_ids ? n_weights / n_ids : 0, n_pairs = call.n_pairs;
    if (longest_pair(&call) >= n_damped)
        fail("damped is shorter than a list");
    if (!(dots = output(&call, args, 7, n_rows * n_pairs)) ||
        !(squares = scratch(&call.arrays, 2 * (size_t)n_rows, sizeof *squares)) ||
        !(counts = scratch(&call.arrays, 2 * (size_t)n_ids, sizeof *counts)))
        return finish(&call.arrays, 0);
    for (Py_ssize_t p = 0; p < n_pairs; p++) {
        List sides[2] = {list_of(&call, call.left[p]), list_of(&call, call.right[p])};
        memset(squares, 0, 2 * (size_t)n_rows * sizeof *squares);
        for (Py_ssize_t row = 0; row < n_rows; row++)
            dots[row * n_pairs + p] = 0;
        for (int side = 0; side < 2; side++)
            for (Py_ssize_t i = 0; i < sides[side].n; i++)
                counts[2 * sides[side].ids[i] + side]++;
        for (int side = 0; side < 2; side++)
            for (Py_ssize_t i = 0; i < sides[side].n; i++) {
                int64_t id = sides[side].ids[i], *count = &counts[2 * id];
                if (!count[side])
                    continue;
                for (Py_ssize_t row = 0; row < n_rows; row++) {
                    double own = damped[count[side]] * weights[row * n_ids + id];
                    squares[side * n_rows + row] += own * own;
                    /* The right side's count is still there while the left side is read. */
                    if (!side && count[1])
                        dots[row * n_pairs + p] +=
                            own * (damped[count[1]] * weights[row * n_ids + id]);
                }
                count[side] = 0;
            }
        for (Py_ssize_t row = 0; row < n_rows; row++) {
            double *cosine = &dots[row * n_pairs + p];
            *cosine = ratio(*cosine, sqrt(squares[row]) * sqrt(squares[n_rows + row]));
            *cosine = *cosine > 1 ? 1.0 : *cosine;
        }
    }
    return finish(&call.arrays, 1);
}

/* (ids, offsets, left, right, marks, n_ids, pairs, places) -> n_missing

   The pair and the place of each marked item on the left that the right side lacks. */
static PyObject *missing(PyObject *self, PyObject *args)
{
    Call call = {0};
    Py_ssize_t n_marks, n_left = 0, n_missing = 0, n_ids = PyLong_AsSsize_t(PyTuple_GetItem(args, 5));
    const uint8_t *marks;
    int64_t *of_pair, *places;
    Py_ssize_t *seen; /* one more than the pair on whose right side an id was last */
    if (!pairs(&call, args) || !ids_below(&call, n_ids) ||
        !(marks = array(&call.arrays, args, 4, 1, 0, &n_marks)))
        return finish(&call.arrays, 0);
    if (n_marks < call.n_items)
        fail("there are fewer marks than items");
    for (Py_ssize_t p = 0; p < call.n_pairs; p++)
        n_left += list_of(&call, call.left[p]).n;
    if (!(of_pair = output(&call, args, 6, n_left)) ||
        !(places = output(&call, args, 7, n_left)) ||
        !(seen = scratch(&call.arrays, (size_t)n_ids, sizeof *seen)))
        return finish(&call.arrays, 0);
    for (Py_ssize_t p = 0; p < call.n_pairs; p++) {
        List left = list_of(&call, call.left[p]), right = list_of(&call, call.right[p]);
        for (Py_ssize_t j = 0; j < right.n; j++)
            seen[right.ids[j]] = p + 1;
        for (Py_ssize_t i = 0; i < left.n; i++)
            if (marks[left.start + i] && seen[left.ids[i]] != p + 1) {
                of_pair[n_missing] = p;
                places[n_missing++] = i;
            }
    }
    Py_XDECREF(finish(&call.arrays, 1));
    return PyLong_FromSsize_t(n_missing);
}

/* --- pieces of text: n-grams, and terms ------------------------------------------------------- */

/* Pieces are characters[starts[k]:starts[k] + lengths[k]]. */
typedef struct {
    const uint32_t *characters;
    const int64_t *starts, *lengths;
    Py_ssize_t n_characters, n_pieces;
} Pieces;

typedef struct {
    const uint32_t *characters;
    int64_t length;
} Piece;

static uint64_t hash_step(uint64_t hash, uint32_t character)
{
    return (hash ^ character) * FACTOR;
}

static uint64_t hash_end(uint64_t hash, int64_t length)
{
    return (hash ^ hash >> 29) + (uint64_t)length;
}

static int is_inside(const Pieces *pieces, int64_t start, int64_t length)
{
    return start >= 0 && length >= 0 && length <= pieces->n_characters &&
           start <= pieces->n_characters - length;
}

/* A number that is out of range has no equal. */
static int is_equal_piece(const void *keys, int32_t number, const void *key)
{
    const Pieces *pieces = keys;
    const Piece *piece = key;
    return number < pieces->n_pieces && pieces->lengths[number] == piece->length &&
           is_inside(pieces, pieces->starts[number], piece->length) &&
           !memcmp(pieces->characters + pieces->starts[number], piece->characters,
                   (size_t)piece->length * sizeof *piece->characters);
}

/* For keys that are known to be distinct. */
static int is_never_equal(const void *keys, int32_t number, const void *key)
{
    return 0;
}

/* (characters, offsets, ends, shortest, longest, ids, new_offsets, starts, lengths) -> n_ngrams

   Word k is characters[offsets[k]:offsets[k + 1]] and sentence s has the words before ends[s]. */
static PyObject *cut(PyObject *self, PyObject *args)
{
    Call call = {0};
    Pieces known = {NULL};
    Table table;
    Py_ssize_t n_offsets, n_sentences, n_ids, total = 0, word = 0;
    int64_t shortest = PyLong_AsLong(PyTuple_GetItem(args, 3));
    int64_t longest = PyLong_AsLong(PyTuple_GetItem(args, 4));
    uint64_t *hashes;
    int64_t *ids, *new_offsets, *starts, *lengths;
    const uint32_t *characters = array(&call.arrays, args, 0, 4, 0, &known.n_characters);
    const int64_t *offsets = characters ? array(&call.arrays, args, 1, 8, 0, &n_offsets) : NULL;
    const int64_t *ends = offsets ? array(&call.arrays, args, 2, 8, 0, &n_sentences) : NULL;
    if (!ends || !(ids = array(&call.arrays, args, 5, 8, 1, &n_ids)) ||
        !(new_offsets = output(&call, args, 6, n_sentences + 1)) ||
        !(starts = output(&call, args, 7, n_ids)) || !(lengths = output(&call, args, 8, n_ids)) ||
        !(hashes = scratch(&call.arrays, (size_t)n_ids, sizeof *hashes)) ||
        !(table = new_table(&call.arrays, 4095)).slots)
        return finish(&call.arrays, 0);
    known.characters = characters, known.starts = starts, known.lengths = lengths;
    new_offsets[0] = 0;
    for (Py_ssize_t sentence = 0; sentence < n_sentences; sentence++) {
        for (; word < ends[sentence]; word++) {
            if (word + 1 >= n_offsets || offsets[word] < 0 ||
                offsets[word + 1] > known.n_characters)
                return finish(&call.arrays, fail("a word is outside the text") != NULL);
            for (int64_t i = offsets[word]; i < offsets[word + 1]; i++) {
                uint64_t so_far = 0;
                for (int64_t size = 1; size <= longest && i + size <= offsets[word + 1]; size++) {
                    so_far = hash_step(so_far, characters[i + size - 1]);
                    if (size < shortest)
                        continue;
                    if (total >= n_ids || known.n_pieces == INT32_MAX)
                        return finish(&call.arrays, fail("more n-grams than places") != NULL);
                    Piece piece = {characters + i, size};
                    uint64_t hash = hash_end(so_far, size);
                    int32_t *slot = slot_of(&table, hash, is_equal_piece, &known, &piece);
                    ids[total++] = *slot < 0 ? known.n_pieces : *slot;
                    if (*slot >= 0)
                        continue;
                    *slot = (int32_t)known.n_pieces;
                    hashes[known.n_pieces] = hash;
                    starts[known.n_pieces] = i;
                    lengths[known.n_pieces++] = size;
                    if (2 * (size_t)known.n_pieces <= table.mask)
                        continue;
                    table = new_table(&call.arrays, 4 * table.mask + 3);
                    if (!table.slots)
                        return finish(&call.arrays, 0);
                    for (int32_t gram = 0; gram < known.n_pieces; gram++)
                        *slot_of(&table, hashes[gram], is_never_equal, NULL, NULL) = gram;
                }
            }
        }
        new_offsets[sentence + 1] = total;
    }
    Py_XDECREF(finish(&call.arrays, 1));
    return PyLong_FromSsize_t(known.n_pieces);
}

/* Read characters, starts, lengths and slots; return the slots. */
static Table terms(Call *call, PyObject *args, Pieces *known)
{
    Py_ssize_t n_lengths = 0, n_slots = 0;
    Table table = {NULL, 0};
    known->characters = array(&call->arrays, args, 0, 4, 0, &known->n_characters);
    known->starts = array(&call->arrays, args, 1, 8, 0, &known->n_pieces);
    known->lengths = array(&call->arrays, args, 2, 8, 0, &n_lengths);
    table.slots = array(&call->arrays, args, 3, 4, 1, &n_slots);
    table.mask = (size_t)n_slots - 1;
    if (n_lengths != known->n_pieces || n_slots <= 2 * n_lengths || n_slots & (n_slots - 1))
        fail("there are too few slots, or lengths");
    return table;
}

/* Return the slot of a piece of text, or a free one; NULL with an error if there is none. */
static int32_t *find_slot(const Table *table, const Pieces *known, const Pieces *text,
                          int64_t start, int64_t length)
{
    if (!is_inside(text, start, length))
        return fail("a term is outside the text");
    Piece piece = {text->characters + start, length};
    uint64_t hash = 0;
    for (int64_t k = 0; k < length; k++)
        hash = hash_step(hash, piece.characters[k]);
    int32_t *slot = slot_of(table, hash_end(hash, length), is_equal_piece, known, &piece);
    return slot ? slot : fail("all slots are taken");
}

/* (characters, starts, lengths, slots) -> None */
static PyObject *index_terms(PyObject *self, PyObject *args)
{
    Call call = {0};
    Pieces known;
    Table table = terms(&call, args, &known);
    for (Py_ssize_t k = 0; !PyErr_Occurred() && k < known.n_pieces; k++) {
        int32_t *slot = find_slot(&table, &known, &known, known.starts[k], known.lengths[k]);
        if (slot)
            *slot = (int32_t)k;
    }
    return finish(&call.arrays, !PyErr_Occurred());
}

/* (characters, starts, lengths, slots, text, starts, lengths, numbers) -> None */
static PyObject *find_terms(PyObject *self, PyObject *args)
{
    Call call = {0};
    Pieces known, text;
    Table table = terms(&call, args, &known);
    Py_ssize_t n_lengths;
    text.characters = array(&call.arrays, args, 4, 4, 0, &text.n_characters);
    text.starts = array(&call.arrays, args, 5, 8, 0, &text.n_pieces);
    text.lengths = array(&call.arrays, args, 6, 8, 0, &n_lengths);
    int64_t *numbers = output(&call, args, 7, text.n_pieces);
    if (n_lengths != text.n_pieces)
        fail("starts and lengths differ in number");
    int success = !PyErr_Occurred();
    for (Py_ssize_t k = 0; success && k < text.n_pieces; k++) {
        int32_t *slot = find_slot(&table, &known, &text, text.starts[k], text.lengths[k]);
        success = slot != NULL;
        numbers[k] = slot ? *slot : -1;
    }
    return finish(&call.arrays, success);
}

/* --- words in the same order ------------------------------------------------------------------ */

/* (ids, offsets, left, right, distances) -> None */
static PyObject *sequences(PyObject *self, PyObject *args)
{
    Call call = {0};
    int64_t *rows, *out;
    if (!pairs(&call, args) || !(out = output(&call, args, 4, 3 * call.n_pairs)) ||
        !(rows = scratch(&call.arrays, 3 * ((size_t)longest_pair(&call) + 1), sizeof *rows)))
        return finish(&call.arrays, 0);
    for (Py_ssize_t p = 0; p < call.n_pairs; p++) {
        List left = list_of(&call, call.left[p]), right = list_of(&call, call.right[p]);
        Py_ssize_t n = left.n, m = right.n;
        int64_t *edit = rows, *common = edit + m + 1, *run = common + m + 1, best = 0;
        for (Py_ssize_t j = 0; j <= m; j++) {
            edit[j] = j;
            common[j] = run[j] = 0;
        }
        for (Py_ssize_t i = 0; i < n; i++) {
            /* Values of the row above in the column before. */
            int64_t last_edit = edit[0]++, last_common = 0, last_run = 0;
            for (Py_ssize_t j = 1; j <= m; j++) {
                int64_t same = left.ids[i] == right.ids[j - 1];
                int64_t e = edit[j], c = common[j], r = run[j];
                int64_t change = (e < edit[j - 1] ? e : edit[j - 1]) + 1;
                int64_t keep = last_edit + !same;
                int64_t longer = c > common[j - 1] ? c : common[j - 1];
                edit[j] = keep < change ? keep : change;
                common[j] = same ? last_common + 1 : longer;
                run[j] = same ? last_run + 1 : 0;
                best = run[j] > best ? run[j] : best;
                last_edit = e, last_common = c, last_run = r;
            }
        }
        out[p] = edit[m];
        out[call.n_pairs + p] = common[m];
        out[2 * call.n_pairs + p] = best;
    }
    return finish(&call.arrays, 1);
}

/* Kinds of tokens, as skpara/features/_families/edits.py numbers them. */
enum { NUMBER, PUNCTUATION, CAPITALIZED };
/* What describes the unmatched tokens of a side, in the order of the features. */
enum {
    SHARE,
    IC,
    IC_MAX,
    NUMBERS,
    PUNCTUATIONS,
    NAMES,
    FUNCTION_WORDS,
    CONTENT_WORDS,
    NAMES_IC,
    CONTENT_WORDS_IC,
    RUNS,
    LONGEST_RUN,
    RUN_IC_MAX,
    AT_START,
    AT_END,
    N_OF_UNMATCHED,
};

/* Mark the items of two lists that are not in their longest common subsequence. There may be
   several: this takes the one of rapidfuzz's LCSseq.editops. `grows` has n * m bytes. */
static void mark_unmatched(List first, List second, char *in_first, char *in_second,
                           int64_t *common, char *grows)
{
    const int64_t *a = first.ids, *b = second.ids;
    Py_ssize_t n = first.n, m = second.n;
    memset(in_first, 0, (size_t)n);
    memset(in_second, 0, (size_t)m);
    for (; n && m && *a == *b; n--, m--)
        a++, b++, in_first++, in_second++;
    while (n && m && a[n - 1] == b[m - 1])
        n--, m--;
    /* The lengths for the beginnings of `a`, and where its last item makes one longer. */
    Py_ssize_t width = n;
    memset(common, 0, (size_t)(n + 1) * sizeof *common);
    for (Py_ssize_t j = 0; j < m; j++) {
        int64_t before = 0; /* of the row above in the column before */
        for (Py_ssize_t i = 0; i < n; i++) {
            int64_t above = common[i + 1], longer = above > common[i] ? above : common[i];
            common[i + 1] = a[i] == b[j] ? before + 1 : longer;
            grows[j * width + i] = common[i + 1] > common[i];
            before = above;
        }
    }
    while (n && m) {
        if (!grows[(m - 1) * width + n - 1])
            in_first[--n] = 1;
        else if (--m && grows[(m - 1) * width + n - 1])
            in_second[m] = 1;
        else
            n--;
    }
    memset(in_first, 1, (size_t)n);
    memset(in_second, 1, (size_t)m);
}

static void add_largest(double *largest, double value)
{
    *largest = value > *largest ? value : *largest;
}

static void describe_unmatched(const char *is_unmatched, const uint8_t *kinds,
                               const double *weights, double least, Py_ssize_t n, double *out)
{
    /* A matched full stop does not end the clause that was added before it. */
    Py_ssize_t start = n, last = -1;
    for (Py_ssize_t i = 0; i < n; i++)
        if (!is_unmatched[i] && kinds[i] != PUNCTUATION) {
            start = start < n ? start : i;
            last = i;
        }
    double run = 0, run_ic = 0, n_unmatched = 0;
    memset(out, 0, N_OF_UNMATCHED * sizeof *out);
    for (Py_ssize_t i = 0; i < n; i++) {
        if (!is_unmatched[i])
            continue;
        if (i == 0 || !is_unmatched[i - 1]) {
            run = run_ic = 0;
            out[RUNS]++;
        }
        n_unmatched++;
        out[IC] += weights[i];
        add_largest(&out[IC_MAX], weights[i]);
        add_largest(&out[LONGEST_RUN], ++run);
        add_largest(&out[RUN_IC_MAX], run_ic += weights[i]);
        out[AT_START] += i < start;
        out[AT_END] += i > last;
        if (kinds[i] == NUMBER)
            out[NUMBERS]++;
        else if (kinds[i] == PUNCTUATION)
            out[PUNCTUATIONS]++;
        else if (kinds[i] == CAPITALIZED && i > 0) {
            out[NAMES]++;
            out[NAMES_IC] += weights[i];
        } else if (weights[i] < least)
            out[FUNCTION_WORDS]++;
        else {
            out[CONTENT_WORDS]++;
            out[CONTENT_WORDS_IC] += weights[i];
        }
    }
    out[SHARE] = n_unmatched / (double)(n > 1 ? n : 1);
}

/* (ids, offsets, left, right, kinds, weights, are_swapped, least, numbers) -> None

   Kinds and weights are those of the items; words of a weight from `least` on are content words.
   For each pair the larger numbers of both sides, then the smaller ones. */
static PyObject *unmatched(PyObject *self, PyObject *args)
{
    Call call = {0};
    Py_ssize_t n_kinds, n_weights, n_swapped, most = 0;
    double least = PyFloat_AsDouble(PyTuple_GetItem(args, 7)), *numbers;
    const uint8_t *kinds, *are_swapped;
    const double *weights;
    int64_t *common;
    char *grows, *marks;
    if (!pairs(&call, args) || !(kinds = array(&call.arrays, args, 4, 1, 0, &n_kinds)) ||
        !(weights = array(&call.arrays, args, 5, 8, 0, &n_weights)) ||
        !(are_swapped = array(&call.arrays, args, 6, 1, 0, &n_swapped)))
        return finish(&call.arrays, 0);
    if (n_kinds < call.n_items || n_weights < call.n_items || n_swapped < call.n_pairs)
        fail("there are fewer kinds, weights or marks than items or pairs");
    for (Py_ssize_t p = 0; p < call.n_pairs; p++) {
        Py_ssize_t cells = list_of(&call, call.left[p]).n * list_of(&call, call.right[p]).n;
        most = cells > most ? cells : most;
    }
    size_t longest = (size_t)longest_pair(&call);
    if (!(numbers = output(&call, args, 8, 2 * N_OF_UNMATCHED * call.n_pairs)) ||
        !(common = scratch(&call.arrays, longest, sizeof *common)) ||
        !(marks = scratch(&call.arrays, longest, 1)) ||
        !(grows = scratch(&call.arrays, (size_t)most, 1)))
        return finish(&call.arrays, 0);
    for (Py_ssize_t p = 0; p < call.n_pairs; p++, numbers += 2 * N_OF_UNMATCHED) {
        List left = list_of(&call, call.left[p]), right = list_of(&call, call.right[p]);
        double *larger = numbers, *smaller = numbers + N_OF_UNMATCHED;
        if (are_swapped[p])
            mark_unmatched(right, left, marks + left.n, marks, common, grows);
        else
            mark_unmatched(left, right, marks, marks + left.n, common, grows);
        describe_unmatched(marks, kinds + left.start, weights + left.start, least, left.n, larger);
        describe_unmatched(marks + left.n, kinds + right.start, weights + right.start, least,
                           right.n, smaller);
        for (int k = 0; k < N_OF_UNMATCHED; k++)
            if (larger[k] < smaller[k]) {
                double less = larger[k];
                larger[k] = smaller[k];
                smaller[k] = less;
            }
    }
    return finish(&call.arrays, 1);
}

/* --- word vectors ----------------------------------------------------------------------------- */

enum { ROWS = 4 };

/* The products of a row with some rows, which are independent, so that additions do not wait. Each
   has eight sums side by side: the same bits whatever instructions the processor has. */
EACH_PROCESSOR static void dots(const float *a, const float *const rows[ROWS], Py_ssize_t n,
                                double *out)
{
    double sums[ROWS][8] = {{0}};
    const float *b[ROWS] = {rows[0], rows[1], rows[2], rows[3]};
    Py_ssize_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++) {
            double own = a[i + k];
            sums[0][k] += own * b[0][i + k];
            sums[1][k] += own * b[1][i + k];
            sums[2][k] += own * b[2][i + k];
            sums[3][k] += own * b[3][i + k];
        }
    for (int row = 0; row < ROWS; row++) {
        double rest = 0, *s = sums[row];
        for (Py_ssize_t j = i; j < n; j++)
            rest += (double)a[j] * b[row][j];
        out[row] = ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7])) + rest;
    }
}

/* Divide by the largest absolute value, if there is one. */
EACH_PROCESSOR static void rescale(double *row, Py_ssize_t n)
{
    double tops[8] = {0}, top = 0;
    for (Py_ssize_t i = 0; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++) {
            double size = row[i + k] < 0 ? -row[i + k] : row[i + k];
            tops[k] = size > tops[k] ? size : tops[k];
        }
    for (int k = 0; k < 8; k++)
        top = tops[k] > top ? tops[k] : top;
    for (Py_ssize_t i = n - n % 8; i < n; i++)
        top = row[i] > top ? row[i] : -row[i] > top ? -row[i] : top;
    for (Py_ssize_t i = 0; top > 0 && i < n; i++)
        row[i] /= top;
}

EACH_PROCESSOR static void add_row(double *sum, const float *row, double weight, Py_ssize_t n)
{
    for (Py_ssize_t i = 0; i < n; i++)
        sum[i] += weight * row[i];
}

EACH_PROCESSOR static void multiply_row(double *product, const float *row, Py_ssize_t n)
{
    for (Py_ssize_t i = 0; i < n; i++)
        product[i] *= row[i];
}

/* (ids, offsets, left, right, matrix, n_dims, norms, cells, keys, n_ids, least, factor) -> None

   Words with one of their keys in common are equal; None is no keys. Other cosines are multiplied
   by a factor, and 0 if they are less than the least. */
static PyObject *cell_cosines(PyObject *self, PyObject *args)
{
    Call call = {0};
    Py_ssize_t n, n_norms, n_keys, n_cells = 0, n_dims = PyLong_AsSsize_t(PyTuple_GetItem(args, 5));
    Py_ssize_t n_ids = PyLong_AsSsize_t(PyTuple_GetItem(args, 9));
    double least = PyFloat_AsDouble(PyTuple_GetItem(args, 10));
    double factor = PyFloat_AsDouble(PyTuple_GetItem(args, 11));
    const float *matrix;
    const double *norms;
    const int64_t *keys;
    double *cells;
    if (n_dims < 1 || n_ids < 1)
        fail("n_dims and n_ids must be positive");
    if (!pairs(&call, args) || !(matrix = array(&call.arrays, args, 4, 4, 0, &n)) ||
        !(norms = array(&call.arrays, args, 6, 8, 0, &n_norms)) || !ids_below(&call, n / n_dims) ||
        !(keys = array(&call.arrays, args, 8, 8, 0, &n_keys)) || !ids_below(&call, n_norms) ||
        !ids_below(&call, n_ids))
        return finish(&call.arrays, 0);
    n_keys /= n_ids;
    for (Py_ssize_t p = 0; p < call.n_pairs; p++)
        n_cells += list_of(&call, call.left[p]).n * list_of(&call, call.right[p]).n;
    if (!(cells = output(&call, args, 7, n_cells)))
        return finish(&call.arrays, 0);
    for (Py_ssize_t p = 0; p < call.n_pairs; p++) {
        List left = list_of(&call, call.left[p]), right = list_of(&call, call.right[p]);
        for (Py_ssize_t i = 0; i < left.n; i++)
            for (Py_ssize_t j = 0; j < right.n; j += ROWS) {
                int64_t a = left.ids[i];
                const float *rows[ROWS];
                double products[ROWS];
                for (int k = 0; k < ROWS; k++) /* the last row again where there are fewer */
                    rows[k] = matrix + right.ids[j + k < right.n ? j + k : right.n - 1] * n_dims;
                dots(matrix + a * n_dims, rows, n_dims, products);
                for (int k = 0; k < ROWS && j + k < right.n; k++) {
                    int64_t b = right.ids[j + k];
                    double both = norms[a] * norms[b], cosine = both > 0 ? products[k] / both : 0;
                    int is_equal = a == b;
                    for (Py_ssize_t key = 0; key < n_keys; key++)
                        is_equal |= keys[key * n_ids + a] == keys[key * n_ids + b];
                    cosine = cosine > 1 ? 1.0 : cosine > 0 && cosine >= least ? cosine : 0.0;
                    *cells++ = is_equal ? 1.0 : factor * cosine;
                }
            }
    }
    return finish(&call.arrays, 1);
}

/* (ids, offsets, left, right, cells, counts, weights, n_ids, means, worst) -> None */
static PyObject *best_of_cells(PyObject *self, PyObject *args)
{
    Call call = {0};
    Py_ssize_t n, n_cells, n_counts, n_ids = PyLong_AsSsize_t(PyTuple_GetItem(args, 7));
    const double *cells, *counts, *weights;
    double *best, *means, *worst;
    if (!pairs(&call, args) || !ids_below(&call, n_ids) ||
        !(cells = array(&call.arrays, args, 4, 8, 0, &n_cells)) ||
        !(counts = array(&call.arrays, args, 5, 8, 0, &n_counts)) ||
        !(weights = array(&call.arrays, args, 6, 8, 0, &n)))
        return finish(&call.arrays, 0);
    Py_ssize_t n_rows = n_ids ? n / n_ids : 0, n_pairs = call.n_pairs;
    if (!(means = output(&call, args, 8, 2 * n_rows * n_pairs)) ||
        !(worst = output(&call, args, 9, 2 * n_rows * n_pairs)) ||
        !(best = scratch(&call.arrays, (size_t)longest_pair(&call), sizeof *best)))
        return finish(&call.arrays, 0);
    for (Py_ssize_t p = 0; p < n_pairs; p++) {
        List sides[2] = {list_of(&call, call.left[p]), list_of(&call, call.right[p])};
        n_cells -= sides[0].n * sides[1].n;
        if (n_cells < 0 || n_counts < call.n_items)
            return finish(&call.arrays, fail("fewer cells or counts than items") != NULL);
        memset(best, 0, (size_t)(sides[0].n + sides[1].n) * sizeof *best);
        for (Py_ssize_t i = 0; i < sides[0].n; i++)
            for (Py_ssize_t j = 0; j < sides[1].n; j++, cells++) {
                double *other = &best[sides[0].n + j];
                best[i] = *cells > best[i] ? *cells : best[i];
                *other = *cells > *other ? *cells : *other;
            }
        for (int side = 0; side < 2; side++)
            for (Py_ssize_t row = 0; row < n_rows; row++) {
                double sum = 0, total = 0, most = 0;
                for (Py_ssize_t i = 0; i < sides[side].n; i++) {
                    double similar = best[(side ? sides[0].n : 0) + i];
                    double weight = weights[row * n_ids + sides[side].ids[i]];
                    double times = weight * counts[sides[side].start + i];
                    double loss = weight * (1 - similar);
                    sum += similar * times;
                    total += times;
                    most = loss > most ? loss : most;
                }
                means[(side * n_rows + row) * n_pairs + p] = total > 0 ? sum / total : 0.0;
                worst[(side * n_rows + row) * n_pairs + p] = most;
            }
    }
    return finish(&call.arrays, 1);
}

typedef struct {
    int64_t score, distance, i, j;
} Candidate;

static int by_score(const void *a, const void *b)
{
    const Candidate *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return (x->i + x->j > y->i + y->j) - (x->i + x->j < y->i + y->j);
}

/* (ids, offsets, left, right, similar, window, weight, pairs, firsts, seconds, similarities)
   -> n_aligned

   For each aligned cell its pair, the places of both items, and their similarity. */
static PyObject *align_cells(PyObject *self, PyObject *args)
{
    Call call = {0};
    Py_ssize_t n_cells, most = 0, n_left = 0, n_aligned = 0;
    Candidate *candidates;
    double *rows, *similarities;
    const double *similar;
    int64_t *partners, *of_pair, *firsts, *seconds;
    char *taken;
    Py_ssize_t window = PyLong_AsSsize_t(PyTuple_GetItem(args, 5));
    double weight = PyFloat_AsDouble(PyTuple_GetItem(args, 6));
    if (!pairs(&call, args) || !(similar = array(&call.arrays, args, 4, 8, 0, &n_cells)))
        return finish(&call.arrays, 0);
    for (Py_ssize_t p = 0, cells = 0; p < call.n_pairs; p++) {
        List left = list_of(&call, call.left[p]), right = list_of(&call, call.right[p]);
        n_left += left.n;
        cells += left.n * right.n;
        most = left.n * right.n > most ? left.n * right.n : most;
        if (cells > n_cells)
            fail("there are fewer cells than items");
    }
    if (!(of_pair = output(&call, args, 7, n_left)) ||
        !(firsts = output(&call, args, 8, n_left)) || !(seconds = output(&call, args, 9, n_left)) ||
        !(similarities = output(&call, args, 10, n_left)) ||
        !(partners = scratch(&call.arrays, (size_t)longest_pair(&call), sizeof *partners)) ||
        !(candidates = scratch(&call.arrays, (size_t)most, sizeof *candidates)) ||
        !(rows = scratch(&call.arrays, (size_t)most, sizeof *rows)) ||
        !(taken = scratch(&call.arrays, (size_t)longest_pair(&call), 1)))
        return finish(&call.arrays, 0);
    for (Py_ssize_t p = 0; p < call.n_pairs; p++) {
        List left = list_of(&call, call.left[p]), right = list_of(&call, call.right[p]);
        Py_ssize_t n = left.n, m = right.n, n_candidates = 0;
        /* Sums along each row first, then along columns. */
        for (Py_ssize_t i = 0; i < n; i++)
            for (Py_ssize_t j = 0; j < m; j++) {
                double sum = 0;
                for (Py_ssize_t k = j > window ? j - window : 0; k <= j + window && k < m; k++)
                    sum += similar[i * m + k];
                rows[i * m + j] = sum;
            }
        for (Py_ssize_t i = 0; i < n; i++)
            for (Py_ssize_t j = 0; j < m; j++) {
                double own = similar[i * m + j], around = 0;
                if (!(own > 0 && own <= 1)) /* no number is no similarity */
                    continue;
                for (Py_ssize_t k = i > window ? i - window : 0; k <= i + window && k < n; k++)
                    around += rows[k * m + j];
                around = (around - own) / (2.0 * (double)window);
                around = around > 1.0 ? 1.0 : around > 0.0 ? around : 0.0;
                double score = 1e6 * ((1 - weight) * own + weight * around);
                candidates[n_candidates++] = (Candidate){(int64_t)(score + .5), llabs(i - j), i, j};
            }
        qsort(candidates, (size_t)n_candidates, sizeof *candidates, by_score);
        memset(taken, 0, (size_t)(n + m));
        for (Py_ssize_t i = 0; i < n; i++)
            partners[i] = -1;
        for (Py_ssize_t k = 0; k < n_candidates; k++) {
            Candidate *best = &candidates[k];
            if (taken[best->i] || taken[n + best->j])
                continue;
            taken[best->i] = taken[n + best->j] = 1;
            partners[best->i] = best->j;
        }
        for (Py_ssize_t i = 0; i < n; i++) {
            if (partners[i] < 0)
                continue;
            of_pair[n_aligned] = p;
            firsts[n_aligned] = left.start + i;
            seconds[n_aligned] = right.start + partners[i];
            similarities[n_aligned++] = similar[i * m + partners[i]];
        }
        similar += n * m;
    }
    Py_XDECREF(finish(&call.arrays, 1));
    return PyLong_FromSsize_t(n_aligned);
}

/* (ids, offsets, left, right, matrix, n_dims, weights, n_ids, cosines) -> None

   Cosines of the weighted sums of rows, for each row of weights; without weights, of products. */
static PyObject *vector_cosines(PyObject *self, PyObject *args)
{
    Call call = {0};
    Py_ssize_t n, n_weights, n_dims = PyLong_AsSsize_t(PyTuple_GetItem(args, 5));
    Py_ssize_t n_ids = PyLong_AsSsize_t(PyTuple_GetItem(args, 7));
    const float *matrix;
    const double *weights;
    double *rows, *cosines;
    if (n_dims < 1)
        fail("n_dims must be positive");
    if (!pairs(&call, args) || !(matrix = array(&call.arrays, args, 4, 4, 0, &n)) ||
        !(weights = array(&call.arrays, args, 6, 8, 0, &n_weights)) || !ids_below(&call, n_ids) ||
        !ids_below(&call, n / n_dims))
        return finish(&call.arrays, 0);
    Py_ssize_t n_rows = n_weights ? n_weights / (n_ids ? n_ids : 1) : 1;
    if (!(cosines = output(&call, args, 8, n_rows * call.n_pairs)) ||
        !(rows = scratch(&call.arrays, 2 * (size_t)n_dims, sizeof *rows)))
        return finish(&call.arrays, 0);
    for (Py_ssize_t p = 0; p < call.n_pairs; p++)
        for (Py_ssize_t k = 0; k < n_rows; k++) {
            double dots[3] = {0};
            for (int side = 0; side < 2; side++) {
                List list = list_of(&call, side ? call.right[p] : call.left[p]);
                double *row = rows + side * n_dims;
                for (Py_ssize_t d = 0; d < n_dims; d++)
                    row[d] = n_weights || !list.n ? 0.0 : 1.0;
                for (Py_ssize_t i = 0; i < list.n; i++) {
                    const float *vector = matrix + list.ids[i] * n_dims;
                    if (n_weights) {
                        double weight = weights[k * n_ids + list.ids[i]];
                        if (weight != 0.0)
                            add_row(row, vector, weight, n_dims);
                        continue;
                    }
                    multiply_row(row, vector, n_dims);
                    /* Products of many numbers leave the range; a cosine needs no scale. */
                    if (i % 4 == 3)
                        rescale(row, n_dims);
                }
            }
            for (Py_ssize_t d = 0; d < n_dims; d++) {
                dots[0] += rows[d] * rows[n_dims + d];
                dots[1] += rows[d] * rows[d];
                dots[2] += rows[n_dims + d] * rows[n_dims + d];
            }
            double norms = sqrt(dots[1]) * sqrt(dots[2]);
            double cosine = norms > 0 ? dots[0] / norms : 0.0;
            cosines[k * call.n_pairs + p] = cosine > 1 ? 1 : cosine < -1 ? -1 : cosine;
        }
    return finish(&call.arrays, 1);
}

/* --- similarity of words in WordNet ------------------------------------------------------------ */

#define FAR 100       /* more steps than any path has */
#define MOST_ABOVE 512 /* senses above one: WordNet has a tenth of them */

typedef struct {
    int32_t sense, steps; /* the fewest up to it */
} Ancestor;

typedef struct {
    Py_ssize_t start, end;      /* of the ancestors of a word */
    int32_t root, root_no_noun; /* the fewest steps to the root of all, from any sense, and from any
                                   that is no noun */
} Paths;

typedef struct {
    const int32_t *parents;
    const int64_t *offsets; /* sense s has parents[offsets[s]:offsets[s + 1]] */
    Py_ssize_t n_parents, n_senses, n_ancestors, n_room;
    Ancestor *ancestors; /* of all words */
    int32_t *places;     /* of senses, where they were last put among the ancestors */
} Graph;

/* Note that a sense is so many steps above the word whose ancestors begin at `start`. */
static int add_ancestor(Graph *graph, Py_ssize_t start, int32_t sense, int32_t steps)
{
    Py_ssize_t place = graph->places[sense];
    if (place >= start && place < graph->n_ancestors && graph->ancestors[place].sense == sense) {
        if (steps < graph->ancestors[place].steps)
            graph->ancestors[place].steps = steps;
        return 1;
    }
    if (graph->n_ancestors == graph->n_room) {
        size_t n = 2 * (size_t)graph->n_room + 1024;
        Ancestor *more = n < INT32_MAX ? realloc(graph->ancestors, n * sizeof *more) : NULL;
        if (!more)
            return 0;
        graph->ancestors = more;
        graph->n_room = (Py_ssize_t)n;
    }
    graph->places[sense] = (int32_t)graph->n_ancestors;
    graph->ancestors[graph->n_ancestors++] = (Ancestor){sense, steps};
    return 1;
}

/* Add what is above a sense to the ancestors of its word. Return the steps to the farthest of them,
   -1 for an error. */
static int32_t climb(Graph *graph, Py_ssize_t start, int64_t sense)
{
    int32_t above[MOST_ABOVE], n = 1, n_nearer = 1, steps = 0;
    if (sense < 0 || sense >= graph->n_senses)
        return fail("an id is outside the table"), -1;
    above[0] = (int32_t)sense;
    for (int32_t i = 0; i < n; i++) {
        if (i == n_nearer) {
            n_nearer = n;
            steps++;
        }
        int64_t first = graph->offsets[above[i]], end = graph->offsets[above[i] + 1];
        if (first < 0 || end > graph->n_parents || steps >= FAR)
            return fail("offsets are outside the items"), -1;
        if (!add_ancestor(graph, start, above[i], steps))
            return -1;
        for (int64_t k = first; k < end; k++) {
            int32_t parent = graph->parents[k], j = 0;
            while (j < n && above[j] != parent)
                j++;
            if (parent < 0 || parent >= graph->n_senses || j == MOST_ABOVE)
                return fail("an id is outside the table"), -1;
            above[j] = parent;
            n += j == n;
        }
    }
    return steps;
}

/* Return the mean, over the words of a side, of the largest similarity to a word of the other side.
   `nearest` has the fewest steps to each sense from there, and `is_there` its words; both have
   zeros, and get them again. */
static double mean_similarity(const Graph *graph, const Paths *paths, List own, List other,
                              uint8_t *nearest, uint8_t *is_there)
{
    int32_t root = FAR, root_no_noun = FAR;
    double sum = 0.0;
    for (Py_ssize_t j = 0; j < other.n; j++) {
        const Paths *word = &paths[other.ids[j]];
        is_there[other.ids[j]] = 1;
        root = word->root < root ? word->root : root;
        root_no_noun = word->root_no_noun < root_no_noun ? word->root_no_noun : root_no_noun;
        for (Py_ssize_t k = word->start; k < word->end; k++) {
            uint8_t *least = &nearest[graph->ancestors[k].sense]; /* and one more */
            if (!*least || *least > graph->ancestors[k].steps + 1)
                *least = (uint8_t)(graph->ancestors[k].steps + 1);
        }
    }
    for (Py_ssize_t i = 0; i < own.n; i++) {
        const Paths *word = &paths[own.ids[i]];
        if (is_there[own.ids[i]]) { /* even if it has no sense */
            sum += 1.0;
            continue;
        }
        /* Two nouns do not meet in the added root: one of the two senses must be none. */
        int32_t steps = word->root_no_noun + root, through = word->root + root_no_noun;
        steps = through < steps ? through : steps;
        for (Py_ssize_t k = word->start; k < word->end; k++) {
            int32_t rest = nearest[graph->ancestors[k].sense];
            through = graph->ancestors[k].steps + rest - 1;
            steps = rest && through < steps ? through : steps;
        }
        sum += steps < FAR ? 1.0 / (1 + steps) : 0.0;
    }
    for (Py_ssize_t j = 0; j < other.n; j++) {
        const Paths *word = &paths[other.ids[j]];
        is_there[other.ids[j]] = 0;
        for (Py_ssize_t k = word->start; k < word->end; k++)
            nearest[graph->ancestors[k].sense] = 0;
    }
    return own.n ? sum / (double)own.n : 0.0;
}

/* By senses, for all calls, which hold the GIL: to take half a megabyte from the system and give it
   back takes longer than one pair of sentences. */
static struct {
    int32_t *places;
    uint8_t *nearest; /* zeros between calls */
    Py_ssize_t n_senses;
} by_sense;

static int reserve_senses(Py_ssize_t n)
{
    if (n <= by_sense.n_senses)
        return 1;
    free(by_sense.places);
    free(by_sense.nearest);
    by_sense.places = calloc((size_t)n, sizeof *by_sense.places);
    by_sense.nearest = calloc((size_t)n, 1);
    by_sense.n_senses = by_sense.places && by_sense.nearest ? n : 0;
    return by_sense.n_senses == n;
}

/* (ids, offsets, left, right, senses of words, their offsets, parents of senses, their offsets,
   n_nouns, means) -> None; the means are of the left side, then of the right side. */
static PyObject *path_similarities(PyObject *self, PyObject *args)
{
    Call call = {0};
    Graph graph = {NULL};
    Py_ssize_t n_senses, n_offsets, n_graph_offsets;
    int64_t n_nouns = PyLong_AsLong(PyTuple_GetItem(args, 8));
    const int64_t *senses, *offsets;
    double *means;
    if (!pairs(&call, args) || !(senses = array(&call.arrays, args, 4, 8, 0, &n_senses)) ||
        !(offsets = array(&call.arrays, args, 5, 8, 0, &n_offsets)) ||
        !(graph.parents = array(&call.arrays, args, 6, 4, 0, &graph.n_parents)) ||
        !(graph.offsets = array(&call.arrays, args, 7, 8, 0, &n_graph_offsets)) ||
        !ids_below(&call, n_offsets - 1) || !(means = output(&call, args, 9, 2 * call.n_pairs)))
        return finish(&call.arrays, 0);
    graph.n_senses = n_graph_offsets - 1;
    Paths *paths = scratch(&call.arrays, (size_t)n_offsets, sizeof *paths);
    uint8_t *is_there = scratch(&call.arrays, (size_t)n_offsets, 1);
    int valid = paths && is_there && reserve_senses(n_graph_offsets);
    uint8_t *nearest = by_sense.nearest;
    graph.places = by_sense.places;
    for (Py_ssize_t w = 0; valid && w < n_offsets - 1; w++) {
        Paths path = {graph.n_ancestors, 0, FAR, FAR};
        if (offsets[w] < 0 || offsets[w + 1] > n_senses)
            valid = fail("offsets are outside the items") != NULL;
        for (int64_t k = offsets[w]; valid && k < offsets[w + 1]; k++) {
            int32_t farthest = climb(&graph, path.start, senses[k]) + 1;
            valid = farthest > 0;
            path.root = farthest < path.root ? farthest : path.root;
            if (senses[k] >= n_nouns && farthest < path.root_no_noun)
                path.root_no_noun = farthest;
        }
        path.end = graph.n_ancestors;
        paths[w] = path;
    }
    for (Py_ssize_t p = 0; valid && p < call.n_pairs; p++) {
        List left = list_of(&call, call.left[p]), right = list_of(&call, call.right[p]);
        means[p] = mean_similarity(&graph, paths, left, right, nearest, is_there);
        means[call.n_pairs + p] = mean_similarity(&graph, paths, right, left, nearest, is_there);
    }
    free(graph.ancestors);
    return finish(&call.arrays, valid);
}

/* --- fitted trees ------------------------------------------------------------------------------ */

/* (rows, n_features, features, thresholds, left, values, n_trees, baseline, predictions) -> None

   Each node compares a feature with a threshold; the next node is on the left, or behind it where
   the feature is larger. A leaf is its own child. Values are added in the order of the trees. */
static PyObject *trees(PyObject *self, PyObject *args)
{
    Call call = {0};
    Py_ssize_t n_numbers, n_nodes, n_thresholds, n_left, n_values, n_rows;
    Py_ssize_t n_features = PyLong_AsSsize_t(PyTuple_GetItem(args, 1));
    Py_ssize_t n_trees = PyLong_AsSsize_t(PyTuple_GetItem(args, 6));
    double baseline = PyFloat_AsDouble(PyTuple_GetItem(args, 7)), *predictions;
    const double *rows = array(&call.arrays, args, 0, 8, 0, &n_numbers);
    const int32_t *features = array(&call.arrays, args, 2, 4, 0, &n_nodes);
    const double *thresholds = array(&call.arrays, args, 3, 8, 0, &n_thresholds);
    const int32_t *left = array(&call.arrays, args, 4, 4, 0, &n_left);
    const double *values = array(&call.arrays, args, 5, 8, 0, &n_values);
    if (n_features < 1 || n_trees > n_nodes || n_nodes != n_thresholds || n_nodes != n_left ||
        n_nodes != n_values)
        fail("trees have other numbers of features or nodes");
    n_rows = n_features > 0 ? n_numbers / n_features : 0;
    if (!(predictions = output(&call, args, 8, n_rows)))
        return finish(&call.arrays, 0);
    int valid = 1;
    for (Py_ssize_t row = 0; valid && row < n_rows; row++, rows += n_features) {
        double sum = baseline;
        for (Py_ssize_t tree = 0; valid && tree < n_trees; tree++) {
            Py_ssize_t node = tree, last = -1;
            while (valid && node != last) {
                valid = node > last && node < n_nodes && features[node] >= 0 &&
                        features[node] < n_features;
                last = node;
                if (valid)
                    node = left[node] + (rows[features[node]] > thresholds[node]);
            }
            sum += valid ? values[node] : 0.0;
        }
        predictions[row] = sum;
    }
    return finish(&call.arrays, valid || fail("a tree has inconsistent nodes") != NULL);
}

/* --- numbers of items -------------------------------------------------------------------------- */

/* (list of lists, dict of the numbers of known items, numbers to write) -> None. An item that is
   not known gets the next number. */
static PyObject *number(PyObject *self, PyObject *args)
{
    Arrays arrays = {.n = 0};
    Py_ssize_t n_ids, n = 0;
    PyObject *lists = PyTuple_GetItem(args, 0), *numbers = PyTuple_GetItem(args, 1);
    int64_t *ids = array(&arrays, args, 2, 8, 1, &n_ids);
    for (Py_ssize_t i = 0; !PyErr_Occurred() && i < PyList_Size(lists); i++) {
        PyObject *list = PyList_GetItem(lists, i);
        Py_ssize_t n_items = PyList_Size(list);
        if (n_items > n_ids - n)
            fail("there are more items than numbers to write");
        for (Py_ssize_t k = 0; !PyErr_Occurred() && k < n_items; k++) {
            PyObject *item = PyList_GetItem(list, k), *known;
            if ((known = item ? PyDict_GetItemWithError(numbers, item) : NULL)) {
                ids[n++] = PyLong_AsLongLong(known);
            } else if (!PyErr_Occurred() && (known = PyLong_FromSsize_t(PyDict_Size(numbers)))) {
                ids[n++] = PyDict_Size(numbers);
                PyDict_SetItem(numbers, item, known);
                Py_DECREF(known);
            }
        }
    }
    if (!PyErr_Occurred() && n != n_ids)
        fail("there are fewer items than numbers to write");
    return finish(&arrays, !PyErr_Occurred());
}

/* --- tokens ----------------------------------------------------------------------------------- */

typedef struct {
    char *text, *spare; /* each of `size` bytes */
    Py_ssize_t n, size;
    char has[256]; /* the characters that the text may have */
} Text;

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
}

static int is_one_of(char c, const char *characters)
{
    return c && strchr(characters, c) != NULL;
}

/* A substitution: a character of `before`, one of the pieces, a character of `after`.

   A set that starts with "^" has all other characters, the empty set is the end of the text, and
   NULL is nothing. Around the piece, or what is written `instead`, come spaces: `spaces` is 1 for
   one before it, 2 for one after it, 3 for both. */
typedef struct {
    const char *before, *pieces[9], *after, *instead;
    int spaces;
} Rule;

static const Rule PLAIN[] = {
    {NULL, {"``"}, NULL, "\"", 0},
    {NULL, {"''"}, NULL, "\"", 0},
    {NULL, {"-", "/"}, NULL, "", 1},
};
static const Rule STEPS[] = {
    {NULL, {"$US"}, "0123456789", "$", 0},
    {NULL, {"``"}, NULL, NULL, 3},
    {" ([{<", {"\"", "''"}, NULL, "``", 3},
    {NULL, {":", ","}, "^0123456789", NULL, 3},
    {NULL, {":", ","}, "", NULL, 3},
    {NULL, {"..."}, NULL, NULL, 3},
    {NULL, {";", "@", "#", "$", "%", "&"}, NULL, NULL, 3},
};
static const Rule MORE[] = {
    {NULL, {"?", "!"}, NULL, NULL, 3},
    {"^'", {"'"}, " ", NULL, 1},
    {NULL, {"]", "[", "(", ")", "{", "}", "<", ">"}, NULL, NULL, 3},
};
static const Rule AFTER[] = {
    {NULL, {"''"}, NULL, NULL, 3},
    {NULL, {"\""}, NULL, "''", 3},
    {"^' ", {"'s", "'S", "'m", "'M", "'d", "'D", "'"}, " ", NULL, 1},
    {"^' ", {"'ll", "'LL", "'re", "'RE", "'ve", "'VE", "n't", "N'T"}, " ", NULL, 1},
};

static int matches(const Text *t, Py_ssize_t i, const char *set)
{
    if (!*set || i == t->n)
        return !*set && i == t->n;
    return *set == '^' ? !is_one_of(t->text[i], set + 1) : is_one_of(t->text[i], set);
}

/* Apply rules one after another, each from left to right; return 0 where memory is short. */
static int substitute(Text *t, const Rule *rules, size_t n_rules)
{
    for (const Rule *rule = rules; rule < rules + n_rules; rule++) {
        /* No rule writes more than four bytes for one byte read. */
        if (t->size < 4 * t->n + 16) {
            t->size = 8 * t->n + 64;
            char *text = realloc(t->text, (size_t)t->size);
            char *spare = realloc(t->spare, (size_t)t->size);
            t->text = text ? text : t->text;
            t->spare = spare ? spare : t->spare;
            if (!text || !spare)
                return 0;
        }
        /* Most sentences have all characters of few pieces, and few places where one may begin. */
        Py_ssize_t n = 0, i = 0, n_pieces = 0;
        char begins[256] = {0};
        for (const char *const *piece = rule->pieces; *piece; piece++) {
            const char *c = *piece;
            while (*c && t->has[(unsigned char)*c])
                c++;
            if (*c)
                continue;
            begins[(unsigned char)**piece] = 1;
            n_pieces++;
        }
        if (!n_pieces)
            continue;
        for (const char *c = rule->instead ? rule->instead : ""; *c; c++)
            t->has[(unsigned char)*c] = 1;
        while (i < t->n) {
            Py_ssize_t start = i + (rule->before != NULL), end = 0;
            const char *const *piece = rule->pieces;
            if (start < t->n && !begins[(unsigned char)t->text[start]]) {
                t->spare[n++] = t->text[i++];
                continue;
            }
            for (; start < t->n && *piece; piece++) {
                if (t->text[start] != **piece)
                    continue;
                Py_ssize_t size = (Py_ssize_t)strlen(*piece);
                if ((!rule->before || matches(t, i, rule->before)) && start + size <= t->n &&
                    !memcmp(t->text + start, *piece, (size_t)size) &&
                    (!rule->after || matches(t, start + size, rule->after))) {
                    end = start + size;
                    break;
                }
            }
            if (!end) {
                t->spare[n++] = t->text[i++];
                continue;
            }
            const char *written = rule->instead ? rule->instead : *piece;
            if (rule->before)
                t->spare[n++] = t->text[i];
            if (rule->spaces & 1)
                t->spare[n++] = ' ';
            memcpy(t->spare + n, written, strlen(written));
            n += (Py_ssize_t)strlen(written);
            if (rule->spaces & 2)
                t->spare[n++] = ' ';
            if (rule->after && *rule->after)
                t->spare[n++] = t->text[end++];
            i = end;
        }
        char *text = t->text;
        t->text = t->spare;
        t->spare = text;
        t->n = n;
    }
    return 1;
}

/* The full stop that ends the text, before closing marks and white space. */
static int last_stop(Text *t)
{
    Py_ssize_t end = t->n, stop;
    while (end && is_space(t->text[end - 1]))
        end--;
    for (stop = end; stop && is_one_of(t->text[stop - 1], "])}>\"'");)
        stop--;
    if (stop < 2 || t->text[stop - 1] != '.' || t->text[stop - 2] == '.')
        return 1;
    if (t->size < end + 2)
        return 0;
    memmove(t->text + stop, t->text + stop - 1, (size_t)(end - stop + 1));
    t->text[stop - 1] = ' ';
    t->text[end + 1] = ' ';
    t->n = end + 2;
    return 1;
}

/* Remove the first "<" and the last ">" between two spaces if there is something between them. */
static void remove_angles(Text *t)
{
    Py_ssize_t n = 0;
    for (Py_ssize_t start = 0, end; start < t->n; start = end) {
        Py_ssize_t open = -1, close = -1;
        for (end = start; end < t->n && (end == start || t->text[end] != ' '); end++) {
            if (t->text[end] == '<' && open < 0)
                open = end;
            if (t->text[end] == '>')
                close = end;
        }
        for (Py_ssize_t i = start; i < end; i++)
            if (open < 0 || close <= open + 1 || (i != open && i != close))
                t->text[n++] = t->text[i];
    }
    t->n = n;
}

/* Whether the text has a word that the tokenizer splits: "cannot", "gonna", "'tis" ... */
static int has_contraction(const char *text, Py_ssize_t n)
{
    static const char *const pieces[] = {"cannot", "d'ye", "gimme", "gonna", "gotta", "lemme",
                                         "more'n", "wanna", "'tis", "'twas", NULL};
    char begins[256] = {0};
    for (const char *const *piece = pieces; *piece; piece++)
        begins[(unsigned char)**piece] = 1;
    for (Py_ssize_t i = 0; i < n; i++)
        for (const char *const *piece = pieces; begins[(unsigned char)(text[i] | 0x20)] && *piece;
             piece++) {
            Py_ssize_t k = 0;
            while ((*piece)[k] && i + k < n && (text[i + k] | 0x20) == ((*piece)[k] | 0x20))
                k++;
            if (!(*piece)[k])
                return 1;
        }
    return 0;
}

/* (sentence) -> list of tokens; None for a sentence that only the regular expressions can split */
static PyObject *tokens(PyObject *self, PyObject *sentence)
{
    Py_ssize_t n;
    const char *text = PyUnicode_AsUTF8AndSize(sentence, &n);
    PyObject *result = NULL;
    if (!text) {
        PyErr_Clear(); /* a lone surrogate */
        Py_RETURN_NONE;
    }
    if (n != PyUnicode_GetLength(sentence) || memchr(text, 0, (size_t)n))
        Py_RETURN_NONE;
    while (n && is_space(text[n - 1]))
        n--;
    while (n && is_space(*text))
        text++, n--;
    Text t = {malloc((size_t)n + 64), malloc((size_t)n + 64), n, n + 64, {0}};
    if (!t.text || !t.spare)
        goto end;
    memcpy(t.text, text, (size_t)n);
    for (Py_ssize_t i = 0; i < n; i++)
        t.has[(unsigned char)text[i]] = 1;
    if (!substitute(&t, PLAIN, sizeof PLAIN / sizeof *PLAIN))
        goto end;
    remove_angles(&t);
    if (t.n && *t.text == '"') {
        memmove(t.text + 2, t.text + 1, (size_t)t.n - 1);
        memcpy(t.text, "``", 2);
        t.has['`'] = 1;
        t.n++;
    }
    if (!substitute(&t, STEPS, sizeof STEPS / sizeof *STEPS) || !last_stop(&t) ||
        !substitute(&t, MORE, sizeof MORE / sizeof *MORE))
        goto end;
    memmove(t.text + 1, t.text, (size_t)t.n);
    t.text[0] = t.text[t.n + 1] = ' ';
    t.n += 2;
    if (!substitute(&t, AFTER, sizeof AFTER / sizeof *AFTER))
        goto end;
    if (has_contraction(t.text, t.n)) {
        free(t.text);
        free(t.spare);
        Py_RETURN_NONE;
    }
    if (!(result = PyList_New(0)))
        goto end;
    for (Py_ssize_t i = 0, start; i < t.n; i++) {
        while (i < t.n && is_space(t.text[i]))
            i++;
        for (start = i; i < t.n && !is_space(t.text[i]);)
            i++;
        if (i == start)
            break;
        Py_ssize_t size = i - start;
        const char *written = t.text + start;
        if (size == 3 && !memcmp(written, "n't", 3))
            written = "not";
        else if (size == 2 && !memcmp(written, "'m", 2))
            written = "am";
        PyObject *token = PyUnicode_FromStringAndSize(written, size);
        if (!token || PyList_Append(result, token)) {
            Py_XDECREF(token);
            Py_CLEAR(result);
            break;
        }
        Py_DECREF(token);
    }
end:
    free(t.text);
    free(t.spare);
    return result || PyErr_Occurred() ? result : PyErr_NoMemory();
}

static PyMethodDef methods[] = {
    {"distinct", distinct, METH_VARARGS, NULL},
    {"shared_ngrams", shared_ngrams, METH_VARARGS, NULL},
    {"shared_weights", shared_weights, METH_VARARGS, NULL},
    {"weighted_cosines", weighted_cosines, METH_VARARGS, NULL},
    {"missing", missing, METH_VARARGS, NULL},
    {"cut", cut, METH_VARARGS, NULL},
    {"index_terms", index_terms, METH_VARARGS, NULL},
    {"find_terms", find_terms, METH_VARARGS, NULL},
    {"sequences", sequences, METH_VARARGS, NULL},
    {"unmatched", unmatched, METH_VARARGS, NULL},
    {"cell_cosines", cell_cosines, METH_VARARGS, NULL},
    {"best_of_cells", best_of_cells, METH_VARARGS, NULL},
    {"align_cells", align_cells, METH_VARARGS, NULL},
    {"vector_cosines", vector_cosines, METH_VARARGS, NULL},
    {"path_similarities", path_similarities, METH_VARARGS, NULL},
    {"trees", trees, METH_VARARGS, NULL},
    {"number", number, METH_VARARGS, NULL},
    {"tokens", tokens, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "skpara._core.list_kernels", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_list_kernels(void) { return create_module(&module); }
