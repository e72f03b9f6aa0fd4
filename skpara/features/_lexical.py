"""LexicalFeatures: from pairs of sentences to numbers that compare their words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, fields
from functools import lru_cache
from typing import Any, ClassVar, Literal, Self

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted

from skpara._compatibility import no_collection
from skpara._estimators import restore_on_failure
from skpara._pairs import PairEstimatorMixin, as_sentences
from skpara._public import set_module, with_fields
from skpara._sklearn import BaseEstimator, TransformerMixin, checks_parameters
from skpara._typing import Constraints, Floats, Pairs, PairsLike, SentencesLike
from skpara._validation import N_JOBS
from skpara.features._bags import DocumentFrequencies, count_documents
from skpara.features._batch import Family, Knowledge, PairBatch, split
from skpara.features._catalogue import FAMILIES, FAMILY_OF, select
from skpara.resources import Tagger, WordFrequencies, WordNet, WordVectors

# With an unknown word and a number, so that every table is used.
_WARM_UP = "Zyxqwv saw 12 dogs."


@set_module("skpara", trusted=True)
@with_fields
class LexicalFeatures(PairEstimatorMixin, TransformerMixin, BaseEstimator):
    """Numbers that compare the words of two sentences.

    Each number is a column. The features come from two systems of the SemEval shared tasks,
    TakeLab (Šarić et al., 2012) and DCU (Hokamp and Arora, 2016), and from later systems. Combine
    them with an encoder, in front of a regressor:
    ``make_pipeline(make_union(ParagramEncoder(), LexicalFeatures()), FusionRegressor())``.

    Parameters
    ----------
    features : "all", str or list of str, default="all"
        Names of features or of groups, in the order of the columns; see below. "all" is every
        group but "contrast" and "unmatched"; ``["all", "unmatched"]`` adds the latter.
    wordnet : "auto" or bool, default="auto"
        ``False`` leaves the features that need WordNet out of groups.
    tagger : "auto", bool, "hanta", callable or Tagger, default="auto"
        Part-of-speech tagger. "auto" is the Hanover Tagger, which is installed with skpara. A
        callable gets the tokens of a sentence and returns their Penn Treebank tags.
    frequencies : "default", mapping or WordFrequencies, default="default"
        How common words are; see :meth:`skpara.resources.WordFrequencies.load`.
    vectors : "default", path, KeyedVectors, mapping or WordVectors, default="default"
        Word vectors; see :meth:`skpara.WordVectors.load`.
    n_jobs : int, default=None
        Number of processes of ``transform``; fewer start if there are fewer than 1,024 pairs
        for each. ``None`` means 1 unless in a :func:`joblib.parallel_config` context, -1 all
        processors. The result does not depend on it.

    Attributes
    ----------
    features_ : list of str
        Names of the columns.
    frequencies_ : WordFrequencies or None
        Loaded if a feature needs it, like the next three.
    vectors_ : WordVectors or None
        Word vectors.
    wordnet_ : WordNet or None
        WordNet.
    tagger_ : Tagger or None
        Part-of-speech tagger.
    document_frequencies_ : dict of str to DocumentFrequencies
        Numbers of sentences with each word ("word") and each character n-gram ("char"); empty if
        no feature needs it.
    n_features_in_ : int
        2, the columns of a pair.

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
    case                case_match_len, case_match_f: capitalized tokens
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
    alignment           align_f, align_min: each word with the most similar word of the other;
                        align_ic_f, _min, _worst: weighted by information content;
                        align_icf_f, _min, _worst: by inverse document frequency and importance
    strings             edit_words, edit_chars, lcs_words, lcs_chars, substring_words,
                        token_sort_ratio, token_set_ratio: text in the same order
    quantities          quantity_f, percent_f, money_f, date_f: numbers by their meaning
    function_words      det_1, det_2: determiners; negation_mismatch
    lemmas              n_gram_match_lem_1 to _3, weight_word_match_lem (tagger, WordNet)
    wordnet             wn_sim_lem, antonym_mismatch (tagger, WordNet)
    tagged_vectors      nn_w2v, vb_w2v: sum_w2v of nouns, of verbs (tagger)
    word_alignment      aligned_content, aligned_content_ic: content words aligned one to one by
                        their similarity and their neighbors' similarity (tagger, WordNet)
    contrast            flips of the meaning, not part of "all" (tagger, WordNet):
                        negation_flip, antonym_flip, roles_swapped, modifiers_swapped, number_flip,
                        time_flip, name_flip, quantifier_flip, attribute_flip, scope_flip, their
                        sum, flips, and 12 others
    unmatched           tokens that only one sentence has, not part of "all": 15 numbers, the
                        larger one of both sides (unmatched_share_more ...), then the smaller
    fast                all that need neither a tagger nor WordNet, faster than the others
    takelab             the features of TakeLab's "simple" system
    dcu                 the features of table 6 of Hokamp and Arora (2016)
    ==================  ==========================================================================

    The guide defines each feature, with its range and source. The DCU paper does not define its
    features cosine_icf, product_w2v, nn_w2v, vb_w2v, det_1 and det_2; the formulas here follow
    their names. You can also use the paper's names number_features, case_matches,
    weighted_word_match, wn_sim_match, relative_len_difference and relative_ic_difference.

    The group "unmatched" is for labels of pairs, see :func:`skpara.make_pair_classifier`. The
    group "contrast" is for labels such as contradiction, which depend on a "not" or on the order
    of two names; it hardly changes similarity scores.

    All features are finite for any text. All are symmetric except number_f and number_subset,
    which can change when the two sentences are swapped.

    Time and memory grow with the number of pairs and the length of the sentences. Features that
    compare every word with every other read only the beginning of long sentences: 512 words
    (alignment, word_alignment, contrast, unmatched), or 4,096 tokens and 8,192 characters
    (strings).

    References
    ----------
    F. Šarić, G. Glavaš, M. Karan, J. Šnajder, B. Dalbelo Bašić (2012). TakeLab: systems for
    measuring semantic text similarity. SemEval.

    C. Hokamp, P. Arora (2016). DCU-SEManiacs at SemEval-2016 Task 1: synthetic paragram
    embeddings for semantic textual similarity. SemEval.

    R. Mihalcea, C. Corley, C. Strapparava (2006). Corpus-based and knowledge-based measures of
    text semantic similarity. AAAI. (alignment)

    J. Wieting, M. Bansal, K. Gimpel, K. Livescu (2016). Towards universal paraphrastic sentence
    embeddings. ICLR. (alignment)

    D. Bär, C. Biemann, I. Gurevych, T. Zesch (2012). UKP: computing semantic textual similarity
    by combining multiple content similarity measures. SemEval. (strings)

    M. A. Sultan, S. Bethard, T. Sumner (2014). Back to basics for monolingual alignment:
    exploiting word similarity and contextual evidence. TACL. (word_alignment)

    H. Wu, H. Huang, P. Jian, Y. Guo, C. Su (2017). BIT at SemEval-2017 Task 1: using semantic
    information space to evaluate semantic textual similarity. SemEval. (word_alignment)

    Examples
    --------
    >>> from skpara import LexicalFeatures
    >>> pairs = [("Two dogs run.", "2 dogs are running."), ("A cat sleeps.", "Prices rose 3%.")]
    >>> lexical = LexicalFeatures(["cosine", "number_f", "quantity_f"]).fit(pairs)
    >>> lexical.transform(pairs).round(2).tolist()
    [[0.29, 0.0, 1.0], [0.0, 0.0, 0.0]]
    >>> lexical.get_feature_names_out().tolist()
    ['cosine', 'number_f', 'quantity_f']

    Columns for differences that a cosine cannot see:

    >>> pairs = [("The dog bit a man.", "A man bit the dog."), ("It rains.", "It never rains.")]
    >>> contrast = LexicalFeatures("contrast").fit(pairs).set_output(transform="pandas")
    >>> contrast.transform(pairs)[["negation_flip", "roles_swapped", "flips"]].to_numpy().tolist()
    [[0.0, 1.0, 1.0], [1.0, 0.0, 1.0]]
    """

    features: str | Sequence[str] = "all"
    _: KW_ONLY
    wordnet: bool | Literal["auto"] | WordNet | None = "auto"
    tagger: Any = "auto"
    frequencies: Any = "default"
    vectors: Any = "default"
    n_jobs: int | None = None

    _replaced_in_files = ("wordnet", "tagger", "frequencies", "vectors")
    # With metadata routing, a pipeline passes unlabeled sentences on without set_fit_request.
    __metadata_request__fit = {"unlabeled": True}
    _parameter_constraints: ClassVar[Constraints] = {
        "features": [str, "array-like"],
        "wordnet": [StrOptions({"auto"}), "boolean", WordNet, None],
        "tagger": [str, "boolean", callable, Tagger, None],
        "frequencies": "no_validation",
        "vectors": "no_validation",
        "n_jobs": N_JOBS,
    }

    # Not skipped inside: a tagger may be an object of the user.
    @checks_parameters
    @restore_on_failure
    def fit(self, X: PairsLike, y: Any = None, *, unlabeled: SentencesLike | None = None) -> Self:
        """Load the resources and count the sentences with each word and n-gram.

        Parameters
        ----------
        X : pairs of sentences, shape (n_pairs, 2)
            Pairs with the sentences to count.
        y : Ignored
            Not used, present for API consistency.
        unlabeled : sentences, shape (n_sentences,), optional
            More sentences of the domain to count, such as those that will be scored. Each
            distinct sentence counts once.

        Returns
        -------
        LexicalFeatures
            The fitted estimator.

        Raises
        ------
        ValueError
            If a feature is unknown, or needs WordNet or a tagger, which is off.
        """
        pairs = self.check_pairs(X, reset=True)
        more = [] if unlabeled is None else as_sentences(unlabeled)
        selected = select(self.features)
        needs = _needs(selected)
        has_tagger = self.tagger is not None and self.tagger is not False
        self.wordnet_ = WordNet.load() if "wordnet" in needs and self.wordnet else None
        self.tagger_ = Tagger.load(self.tagger) if "tagger" in needs and has_tagger else None
        self.features_ = self._available(selected)
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
        # Tables are read and indexed on first use: do it now, not in the first transform.
        self._compute(np.array([[_WARM_UP, _WARM_UP]], dtype=object))
        return self

    def transform(self, X: PairsLike) -> Floats:
        """Compute the features of pairs.

        Parameters
        ----------
        X : pairs of sentences, shape (n_pairs, 2)
            Pairs to compare.

        Returns
        -------
        ndarray of float64, shape (n_pairs, n_features)
            The features. A row depends on its own pair only, to the last bit.
        """
        check_is_fitted(self)
        return self._compute(self.check_pairs(X, reset=False))

    def _check_loaded(self) -> None:
        """Raise a ValueError unless the features of a file are known and have their tables."""
        if not isinstance(self.features_, list) or not set(self.features_) <= FAMILY_OF.keys():
            raise ValueError("its features_ are not the names of features")
        needs = _needs(self.features_)
        types = {"wordnet": WordNet, "tagger": Tagger, "frequencies": WordFrequencies}
        types["vectors"] = WordVectors
        known = {field.name: getattr(self, f"{field.name}_") for field in fields(Knowledge)}
        tables = [(known[name], types[name]) for name in needs & types.keys()]
        if "document_frequencies" in needs:
            counts = self.document_frequencies_
            tables += [(counts[kind], DocumentFrequencies) for kind in ("word", "char")]
        for table, expected in tables:
            if not isinstance(table, expected):
                raise ValueError(f"{expected.__name__} is a {type(table).__name__}")

    def _compute(self, pairs: Pairs) -> Floats:
        batches = split(pairs)
        # With some backends the number of workers costs a message to a cluster: ask if needed.
        n_jobs = min(effective_n_jobs(self.n_jobs), len(batches)) if len(batches) > 1 else 1
        if n_jobs > 1:
            # Runs of batches: neighbors often come from one source and share words.
            runs = np.array_split(np.arange(len(batches)), n_jobs)
            work = [[batches[i] for i in run] for run in runs]
            parts = Parallel(n_jobs=n_jobs)(delayed(_features)(self, run) for run in work)
        else:
            parts = [_features(self, batches)]
        return np.vstack(parts)

    def _available(self, selected: Sequence[str]) -> list[str]:
        """Return the features that can be computed without a resource that is off."""
        lacking = {name for name in ("wordnet", "tagger") if getattr(self, f"{name}_") is None}
        available = [name for name in selected if lacking.isdisjoint(FAMILY_OF[name].needs)]
        dropped = [name for name in selected if name not in available]
        explicit = [self.features] if isinstance(self.features, str) else list(self.features)
        refused = [name for name in dropped if name in explicit]
        if refused or not available:
            raise ValueError(
                f"{', '.join(refused or dropped)}: these features need WordNet or a tagger, which "
                f"are off (wordnet={self.wordnet!r}, tagger={self.tagger!r}); pass 'auto' or "
                "remove the features."
            )
        return available

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the features.

        Parameters
        ----------
        input_features : Ignored
            Not used, present for API consistency.

        Returns
        -------
        ndarray of str, shape (n_features,)
            ``features_`` as an array.
        """
        check_is_fitted(self)
        return np.array(self.features_, dtype=object)


def _needs(names: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*(FAMILY_OF[name].needs for name in names))


@lru_cache
def _plan(names: tuple[str, ...]) -> tuple[list[Family], NDArray[np.intp]]:
    """Return the families that have some features, and where these are among all of theirs."""
    families = [family for family in FAMILIES if not set(names).isdisjoint(family.names)]
    computed = [name for family in families for name in family.names]
    return families, np.array([computed.index(name) for name in names])


def _features(lexical: LexicalFeatures, batches: Sequence[Pairs]) -> Floats:
    """Compute the columns of all pairs, batch by batch."""
    knowledge = Knowledge(**{f.name: getattr(lexical, f"{f.name}_") for f in fields(Knowledge)})
    families, columns = _plan(tuple(lexical.features_))
    parts = [np.empty((0, len(columns)))]
    for pairs in batches:
        with no_collection():
            batch = PairBatch(pairs, knowledge)
            parts.append(np.hstack([family.compute(batch) for family in families])[:, columns])
            del batch  # before it is looked through
    return np.vstack(parts)
