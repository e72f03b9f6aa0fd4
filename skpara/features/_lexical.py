"""Pairs of sentences to lexical features."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import gen_batches
from sklearn.utils.validation import check_is_fitted

from skpara._pairs import PairEstimatorMixin, as_sentences
from skpara.features._batch import Knowledge, PairBatch
from skpara.features._catalogue import FAMILIES, FAMILY_OF, select
from skpara.features._document_frequencies import count_documents
from skpara.resources import WordFrequencies, WordVectors

# Pairs looked at together: enough to share the work on words, few enough for 100 MB of memory.
_BATCH = 2048


class LexicalFeatures(PairEstimatorMixin, TransformerMixin, BaseEstimator):
    """Numbers that compare the words of two sentences.

    The features of two systems of the SemEval shared tasks, TakeLab (Šarić et al., 2012) and DCU
    (Hokamp and Arora, 2016), and some of their kind. Put it beside an encoder, in front of a
    regressor:
    ``make_pipeline(make_union(ParagramEncoder(), LexicalFeatures()), FusionRegressor())``.

    Parameters
    ----------
    features : "all", str or list of str, default="all"
        Names of features or groups; see below. Columns come in the order asked for.
    frequencies : "default", path, mapping or WordFrequencies, default="default"
        How common words are; see :meth:`skpara.WordFrequencies.load`.
    vectors : "default", path, KeyedVectors, mapping or WordVectors, default="default"
        Word vectors; see :meth:`skpara.WordVectors.load`.
    n_jobs : int, default=None
        Processes for ``transform``, each with 2,048 pairs at least; ``None`` is one unless a
        :func:`joblib.parallel_config` says otherwise, -1 all processors. The result does not
        depend on it.

    Attributes
    ----------
    features_ : list of str
        Names of the columns.
    frequencies_ : WordFrequencies or None
        Loaded when a feature needs it; so are the next two.
    vectors_ : WordVectors or None
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
    counts              cosine, cosine_icf, cosine_icf_char: of counts of words, and of words and
                        character n-grams weighted by inverse document frequency
    vectors             sum_w2v, weighted_dist_sim, product_w2v: of combined word vectors
    alignment           align_f, align_min: each word with the most similar one of the other side;
                        align_ic_f, _min, _worst: weighted by information content;
                        align_icf_f, _min, _worst: by inverse document frequency and importance
    ==================  ==========================================================================

    The DCU paper's names number_features, case_matches, weighted_word_match,
    relative_len_difference and relative_ic_difference select the features that they stand for.

    All are finite for any text, and do not change when the two sentences are swapped, but for
    number_f and number_subset, which are directional by definition.

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
    >>> lexical = LexicalFeatures(["cosine", "number_f", "word_jaccard"]).fit(pairs)
    >>> lexical.transform(pairs).round(2).tolist()
    [[0.29, 0.0, 0.17], [0.0, 0.0, 0.0]]
    >>> lexical.get_feature_names_out().tolist()
    ['cosine', 'number_f', 'word_jaccard']
    """

    def __init__(
        self,
        features: str | Sequence[str] = "all",
        *,
        frequencies: Any = "default",
        vectors: Any = "default",
        n_jobs: int | None = None,
    ) -> None:
        self.features = features
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
        """
        pairs = self._check_pairs(X, reset=True)
        more = [] if unlabeled is None else as_sentences(unlabeled)
        self.features_ = select(self.features)
        needs = frozenset().union(*(FAMILY_OF[name].needs for name in self.features_))
        self.frequencies_ = (
            WordFrequencies.load(self.frequencies) if "frequencies" in needs else None
        )
        self.vectors_ = WordVectors.load(self.vectors) if "vectors" in needs else None
        self.document_frequencies_ = (
            count_documents([*pairs.ravel().tolist(), *more])
            if "document_frequencies" in needs
            else {}
        )
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
        pairs = self._check_pairs(X, reset=False)
        known = Knowledge(self.frequencies_, self.vectors_, self.document_frequencies_)
        blocks = _blocks(len(pairs), effective_n_jobs(self.n_jobs))
        parts = Parallel(n_jobs=self.n_jobs if len(blocks) > 1 else 1)(
            delayed(_features)(pairs[block], self.features_, known, _BATCH) for block in blocks
        )
        return np.vstack([np.empty((0, len(self.features_))), *parts])

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


def _blocks(n_pairs: int, n_jobs: int) -> list[slice]:
    """One run of whole batches for each process, so that batches are the same for any number."""
    n_batches = -(-n_pairs // _BATCH)
    size = max(1, -(-n_batches // n_jobs)) * _BATCH
    return [slice(start, start + size) for start in range(0, n_pairs, size)]


def _features(
    pairs: NDArray[np.object_], names: Sequence[str], known: Knowledge, batch_size: int
) -> NDArray[np.float64]:
    """Columns ``names`` of ``pairs``, batch by batch."""
    families = [family for family in FAMILIES if not set(names).isdisjoint(family.names)]
    computed = [name for family in families for name in family.names]
    columns = [computed.index(name) for name in names]
    parts = []
    for rows in gen_batches(len(pairs), batch_size):
        batch = PairBatch(pairs[rows], known)
        parts.append(np.hstack([family.compute(batch) for family in families])[:, columns])
    return np.vstack(parts)
