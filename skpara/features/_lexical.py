"""Pairs of sentences to lexical features."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from numbers import Integral
from typing import Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from skpara._pairs import PairEstimatorMixin, as_sentences
from skpara._public import set_module
from skpara._warnings import warn
from skpara.features._batch import Cell, Knowledge, PairBatch, Tagged
from skpara.features._catalogue import FAMILIES, FAMILY_OF, select
from skpara.features._document_frequencies import count_documents
from skpara.resources import Tagger, WordFrequencies, WordNet, WordVectors

# Pairs, and characters, looked at together: enough to share the work on words, few enough for
# 100 MB of memory.
_BATCH = 1024
_CHARACTERS = 2_000_000
# A sentence with a word that no table holds.
_FIRST = "Zyxqwv saw 12 dogs."


@set_module("skpara", trusted=True)
class LexicalFeatures(PairEstimatorMixin, TransformerMixin, BaseEstimator):
    """Numbers that compare the words of two sentences.

    The features of two systems of the SemEval shared tasks, TakeLab (Šarić et al., 2012) and DCU
    (Hokamp and Arora, 2016), and of the kinds that the systems after them added. Put it beside an
    encoder, in front of a regressor:
    ``make_pipeline(make_union(ParagramEncoder(), LexicalFeatures()), FusionRegressor())``.

    Parameters
    ----------
    features : "all", str or list of str, default="all"
        Names of features or groups; see below. Columns come in the order asked for.
    wordnet : "auto", bool, path or WordNet, default="auto"
        Where WordNet is; see :meth:`skpara.resources.WordNet.load`. "auto" leaves out the
        features that need it where it is not installed, with a warning that says how to install
        it; ``True`` raises instead; ``False`` leaves them out.
    tagger : "auto", bool, "hanta", "nltk", callable or Tagger, default="auto"
        What finds parts of speech; see :meth:`skpara.resources.Tagger.load`. "auto" is the
        Hanover Tagger, which skpara installs.
    frequencies : "default", path, mapping or WordFrequencies, default="default"
        How common words are; see :meth:`skpara.WordFrequencies.load`.
    vectors : "default", path, KeyedVectors, mapping or WordVectors, default="default"
        Word vectors; see :meth:`skpara.WordVectors.load`.
    n_jobs : int, default=None
        Processes for ``transform``, each with 1,024 pairs at least; ``None`` is one unless a
        :func:`joblib.parallel_config` says otherwise, -1 all processors. The result does not
        depend on it.

    Attributes
    ----------
    features_ : list of str
        Names of the columns.
    frequencies_ : WordFrequencies or None
        Loaded when a feature needs it; so are the next three.
    vectors_ : WordVectors or None
    wordnet_ : WordNet or None
    tagger_ : Tagger or None
    document_frequencies_ : dict
        "word" and "char": in how many sentences each word, and each character n-gram, stands.
    n_features_in_ : int
        2, the columns of a pair.
    feature_names_in_ : ndarray of str
        Only for a data frame: the names of its columns.

    See Also
    --------
    skpara.ParagramEncoder : Similarity of sentence vectors.
    skpara.FusionRegressor : Turns features into scores.

    Notes
    -----
    ==================  ==========================================================================
    group               features
    ==================  ==========================================================================
    numbers             number_len, number_f, number_subset
    case                case_match_len, case_match_f: capitalised tokens
    stocks              stocks_match_len, stocks_match_f: stock symbols such as ".DJI"
    word_ngrams         n_gram_match_lc_1 to _3: F of shared content word n-grams;
                        n_gram_match_1 to _3: of all words
    char_ngrams         char_n_gram_match_2 to _5: Dice of shared character n-grams inside words
    weighted_match      weight_word_match_olc: F of the information in shared words
    word_overlap        word_jaccard, word_containment
    lengths             rel_len_diff_lc, rel_ic_diff_olc, len_sum, len_ratio
    counts              cosine, cosine_icf, cosine_icf_char, cosine_icf_char_2_4: of counts of
                        words, and of words and character n-grams weighted by inverse document
                        frequency
    vectors             sum_w2v, weighted_dist_sim, product_w2v: of combined word vectors
    alignment           align_f, align_min: each word with the most similar one of the other side;
                        align_ic_f, _min, _worst: weighted by information content;
                        align_icf_f, _min, _worst: by inverse document frequency and importance
    strings             edit_words, edit_chars, lcs_words, lcs_chars, substring_words,
                        token_sort_ratio, token_set_ratio: text in the same order
    translation         bleu, chrf, nist, ter: measures of machine translation
    quantities          quantity_f, percent_f, money_f, date_f: what numbers stand for
    function_words      det_1, det_2: determiners; negation_mismatch
    lemmas              n_gram_match_lem_1 to _3, weight_word_match_lem (tagger, WordNet)
    wordnet             wn_sim_lem, antonym_mismatch (tagger, WordNet)
    tagged_vectors      nn_w2v, vb_w2v: sum_w2v of nouns, of verbs (tagger)
    word_alignment      aligned_content, aligned_content_ic: content words aligned one to one, in
                        like company (tagger, WordNet)
    fast                all that need neither a tagger nor WordNet: four times as fast as all
    takelab             the features of TakeLab's "simple" system
    dcu                 those of table 6 of Hokamp and Arora (2016)
    ==================  ==========================================================================

    The guide lists the formula, range and source of each. The DCU paper's names number_features,
    case_matches, weighted_word_match, wn_sim_match, relative_len_difference and
    relative_ic_difference select the features that they stand for.

    All are finite for any text, and do not change when the two sentences are swapped, but for
    number_f and number_subset, which are directional by definition.

    Time and memory grow with the number of pairs, and, for the groups that compare every word
    with every other (alignment, wordnet, word_alignment), with the square of the length of a
    sentence.

    References
    ----------
    Frane Šarić, Goran Glavaš, Mladen Karan, Jan Šnajder and Bojana Dalbelo Bašić.
    "TakeLab: Systems for Measuring Semantic Text Similarity", SemEval 2012.

    Chris Hokamp and Piyush Arora. "DCU-SEManiacs at SemEval-2016 Task 1: Synthetic Paragram
    Embeddings for Semantic Textual Similarity", SemEval 2016.

    Examples
    --------
    >>> from skpara import LexicalFeatures
    >>> pairs = [("Two dogs run.", "2 dogs are running."), ("A cat sleeps.", "Prices rose 3%.")]
    >>> lexical = LexicalFeatures(["cosine", "number_f", "quantity_f"]).fit(pairs)
    >>> lexical.transform(pairs).round(2).tolist()
    [[0.29, 0.0, 1.0], [0.0, 0.0, 0.0]]
    >>> lexical.get_feature_names_out().tolist()
    ['cosine', 'number_f', 'quantity_f']
    """

    # With metadata routing on, unlabeled sentences given to a pipeline come here unasked for.
    __metadata_request__fit = {"unlabeled": True}
    _parameter_constraints: dict[str, Any] = {
        "features": [str, "array-like"],
        "wordnet": [str, "boolean", os.PathLike, WordNet, None],
        "tagger": [str, "boolean", callable, Tagger, None],
        "frequencies": "no_validation",
        "vectors": "no_validation",
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        features: str | Sequence[str] = "all",
        *,
        wordnet: Any = "auto",
        tagger: Any = "auto",
        frequencies: Any = "default",
        vectors: Any = "default",
        n_jobs: int | None = None,
    ) -> None:
        self.features = features
        self.wordnet = wordnet
        self.tagger = tagger
        self.frequencies = frequencies
        self.vectors = vectors
        self.n_jobs = n_jobs

    def fit(
        self, X: Any, y: Any = None, *, unlabeled: Iterable[str] | None = None
    ) -> LexicalFeatures:
        """Learn in how many sentences words and character n-grams stand.

        Parameters
        ----------
        X : pairs of sentences, shape (n_pairs, 2)
        y : ignored
        unlabeled : sentences, shape (n_sentences,), optional
            More sentences of the domain, such as those to be scored later: the counts then fit
            them too, which helps. Each distinct sentence counts once.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a feature is unknown, or none is left without WordNet or a tagger.
        FileNotFoundError
            With ``wordnet=True``, if WordNet is not installed.

        Warns
        -----
        UserWarning
            With ``wordnet="auto"``, if WordNet is not installed and a feature needs it.
        """
        self._validate_params()
        pairs = self._check_pairs(X, reset=True)
        more = [] if unlabeled is None else as_sentences(unlabeled)
        selected = select(self.features)
        needs = _needs(selected)
        self.wordnet_, no_wordnet = _optional("wordnet" in needs, self.wordnet, WordNet.load)
        self.tagger_, no_tagger = _optional("tagger" in needs, self.tagger, Tagger.load)
        self.features_ = self._available(selected, " ".join(filter(None, (no_wordnet, no_tagger))))
        needs = _needs(self.features_)
        self.frequencies_ = (
            WordFrequencies.load(self.frequencies) if "frequencies" in needs else None
        )
        self.vectors_ = WordVectors.load(self.vectors) if "vectors" in needs else None
        self.document_frequencies_ = (
            count_documents([*pairs.ravel().tolist(), *more])
            if "document_frequencies" in needs
            else {}
        )
        # Tables are read and indexed when first used: now, rather than in the first transform.
        self._compute(np.array([[_FIRST, _FIRST]], dtype=object))
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Compute the features.

        Parameters
        ----------
        X : pairs of sentences, shape (n_pairs, 2)

        Returns
        -------
        ndarray of float64, shape (n_pairs, n_features)
            A row depends on its own pair alone, but for rounding.
        """
        check_is_fitted(self)
        return self._compute(self._check_pairs(X, reset=False))

    def transform_tokens(
        self,
        first: Sequence[Sequence[tuple[str, str]]],
        second: Sequence[Sequence[tuple[str, str]]],
    ) -> NDArray[np.float64]:
        """Compute the features of sentences that are cut into tokens and tagged already.

        Parameters
        ----------
        first, second : sequences of sequences of (token, tag), length n_pairs
            The tokens of both sentences of each pair, cut as in the Penn Treebank, with its tags.
            They are taken as they are: nothing is replaced, joined or tagged. Features of
            characters see them joined by spaces.

        Returns
        -------
        ndarray of float64, shape (n_pairs, n_features)

        Raises
        ------
        ValueError
            If the two differ in length.
        TypeError
            If a token is not a pair of two strings; the message names where.

        Examples
        --------
        >>> from skpara import LexicalFeatures
        >>> lexical = LexicalFeatures(["n_gram_match_lc_1", "det_1"]).fit([("", "")])
        >>> first = [[("A", "DT"), ("dog", "NN"), ("barks", "VBZ")]]
        >>> second = [[("A", "DT"), ("dog", "NN"), ("sleeps", "VBZ")]]
        >>> lexical.transform_tokens(first, second).round(3).tolist()
        [[0.5, 0.333]]
        """
        check_is_fitted(self)
        if len(first) != len(second):
            raise ValueError(
                f"first holds {len(first)} sentences and second {len(second)}; pass as many."
            )
        pairs = np.empty((len(first), 2), dtype=object)
        for column, (name, side) in enumerate((("first", first), ("second", second))):
            for row, sentence in enumerate(side):
                pairs[row, column] = _as_tagged(sentence, f"{name}[{row}]")
        return self._compute(pairs)

    def _compute(self, pairs: NDArray[np.object_]) -> NDArray[np.float64]:
        batches = _batches(pairs)
        # Asking how many workers there are may take a message to a cluster.
        n_jobs = effective_n_jobs(self.n_jobs) if len(batches) > 1 else 1
        work = [[pairs[rows] for rows in block] for block in _blocks(batches, pairs, n_jobs)]
        if len(work) > 1:
            parts = Parallel(n_jobs=self.n_jobs)(delayed(_features)(self, some) for some in work)
        else:
            parts = [_features(self, some) for some in work]
        return np.vstack([np.empty((0, len(self.features_))), *parts])

    def _knowledge(self) -> Knowledge:
        return Knowledge(
            frequencies=self.frequencies_,
            vectors=self.vectors_,
            wordnet=self.wordnet_,
            tagger=self.tagger_,
            document_frequencies=self.document_frequencies_,
        )

    def _available(self, selected: Sequence[str], missing: str) -> list[str]:
        """The features that can be computed; a warning names the others, and the remedy."""
        lacking = {name for name in ("wordnet", "tagger") if getattr(self, f"{name}_") is None}
        kept = [name for name in selected if lacking.isdisjoint(FAMILY_OF[name].needs)]
        dropped = [name for name in selected if name not in kept]
        asked = [self.features] if isinstance(self.features, str) else list(self.features)
        named = [name for name in dropped if name in asked]
        if not missing and (named or not kept):
            raise ValueError(
                f"{', '.join(named or dropped)}: these features need WordNet or a tagger, which "
                f"are off (wordnet={self.wordnet!r}, tagger={self.tagger!r}); pass 'auto', or "
                "leave the features out."
            )
        if missing and dropped:
            message = f"Without {', '.join(dropped)}: {missing}"
            if not kept:
                raise ValueError(f"No feature is left. {message}")
            warn(message)
        return kept

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the features.

        Parameters
        ----------
        input_features : ignored
            The names do not depend on those of the columns.

        Returns
        -------
        ndarray of str, shape (n_features,)
        """
        check_is_fitted(self)
        return np.array(self.features_, dtype=object)


def _needs(names: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*(FAMILY_OF[name].needs for name in names))


def _optional(needed: bool, source: Any, load: Callable[[Any], Any]) -> tuple[Any, str]:
    """A resource, or None and, where "auto" finds none, why."""
    if not needed or source is None or source is False:
        return None, ""
    if not (isinstance(source, str) and source == "auto"):
        return load("auto" if source is True else source), ""
    try:
        return load("auto"), ""
    except (FileNotFoundError, ModuleNotFoundError) as missing:
        return None, str(missing)


def _as_tagged(sentence: Sequence[tuple[str, str]], place: str) -> Tagged:
    """Tokens and tags as tuples, which can be compared."""
    for k, token in enumerate(sentence):
        if not (
            isinstance(token, tuple | list)
            and len(token) == 2
            and isinstance(token[0], str)
            and isinstance(token[1], str)
            and token[0]
        ):
            raise TypeError(
                f"{place}[{k}] is {token!r:.60}; pass each token as a tuple (token, tag) of two "
                "strings, the token not empty."
            )
    return tuple((token, tag) for token, tag in sentence)


def _batches(pairs: NDArray[np.object_]) -> list[slice]:
    """Runs of pairs that are looked at together, the same for any number of processes."""
    size = np.array([[_size(cell) for cell in pair] for pair in pairs], dtype=np.int64)
    ends = np.cumsum(size.reshape(-1, 2).sum(axis=1))
    starts = [0]
    while starts[-1] < len(pairs):
        start = starts[-1]
        before = int(ends[start - 1]) if start else 0
        fit = int(np.searchsorted(ends, before + _CHARACTERS, side="right"))
        starts.append(min(start + _BATCH, max(fit, start + 1), len(pairs)))
    return [slice(start, end) for start, end in pairwise(starts)]


def _blocks(batches: list[slice], pairs: NDArray[np.object_], n_jobs: int) -> list[list[slice]]:
    """One run of batches for each process, about as much text in each.

    Neighbours often are of one kind and share words, which a process looks up once.
    """
    sizes = [sum(_size(cell) for cell in pairs[rows].ravel()) for rows in batches]
    middles = np.cumsum(sizes) - np.array(sizes) / 2
    owners = np.floor(n_jobs * middles / max(1, sum(sizes))).astype(int)
    return [
        [rows for rows, own in zip(batches, owners, strict=True) if own == k]
        for k in np.unique(owners)
    ]


def _size(cell: Cell) -> int:
    return len(cell) if isinstance(cell, str) else sum(len(token) + 1 for token, _ in cell)


def _features(
    lexical: LexicalFeatures, batches: Sequence[NDArray[np.object_]]
) -> NDArray[np.float64]:
    """The columns of all pairs, batch by batch."""
    names, known = lexical.features_, lexical._knowledge()
    families = [family for family in FAMILIES if not set(names).isdisjoint(family.names)]
    computed = [name for family in families for name in family.names]
    columns = [computed.index(name) for name in names]
    parts = []
    for pairs in batches:
        batch = PairBatch(pairs, known)
        parts.append(np.hstack([family.compute(batch) for family in families])[:, columns])
    return np.vstack(parts)
