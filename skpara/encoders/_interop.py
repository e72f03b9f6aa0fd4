"""Encoders for other libraries, with skpara's tokens."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from skpara._optional import import_optional
from skpara._pairs import as_sentences
from skpara._typing import Oov, SentencesLike, Vectors
from skpara.networks import Network
from skpara.resources import WordVectors

if TYPE_CHECKING:
    from gensim.models import KeyedVectors
    from model2vec import StaticModel
    from sentence_transformers import SentenceTransformer

_UNKNOWN = "[UNK]"  # words are lower-cased, so no word is equal to it
# The rule of skpara.text.tokenize with its character classes spelled out: \w differs between
# regular expression engines.
_LETTER = r"[\p{L}\p{N}]"
_WORD = rf"{_LETTER}+(?:'{_LETTER}+|(?<=[0-9])[.,](?=[0-9]){_LETTER}+)*"
_MARK = r"[^\p{L}\p{N}\s]"
_TOKEN = f"{_WORD}|{_MARK}"
# Where a word starts and ends, and where a mark is not within a word.
_START = rf"(?<!{_LETTER})(?<!{_LETTER}')(?!(?<=[0-9][.,])[0-9])"
_END = rf"(?!{_LETTER})(?!'{_LETTER})(?!(?<=[0-9])[.,][0-9])"
_OUTSIDE = rf"(?!(?<={_LETTER})'{_LETTER})(?!(?<=[0-9])[.,][0-9])"
# Tokens that occur again later in the text. Both libraries take the mean over all tokens, so the
# tokenizer leaves these out where a word counts once.
_REPEATED = [
    rf"{_START}({_WORD}){_END}(?=[\s\S]*{_START}\1{_END})",
    rf"{_OUTSIDE}({_MARK})(?=[\s\S]*{_OUTSIDE}\1)",
]
# What skpara.text.normalize replaces, before and after letters become small. Of HTML's entities
# the common ones; "&amp;" comes last, so that "&amp;lt;" becomes "&lt;".
_ENTITIES = {
    **{"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&#39;": "'", "&#34;": '"'},
    **{"&nbsp;": "\u00a0", "&#38;": "&", "&amp;": "&"},
}
_CLITIC = rf"(?<={_LETTER})\s+(?=(?:n't|'(?:d|ll|m|re|s|t|ve))(?!['\p{{L}}\p{{N}}_]))"
_TREEBANK = {"``": '"', "''": '"', "-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]"}
_TREEBANK |= {"-lcb-": "{", "-rcb-": "}"}


class InteropMixin:
    """Conversion of encoders to those of other libraries."""

    oov: Oov

    @property
    def word_vectors(self) -> WordVectors:
        """The vectors in use."""
        raise NotImplementedError

    @property
    def averages(self) -> bool:
        """Whether a sentence's vector is the mean of its word vectors."""
        raise NotImplementedError

    @property
    def current_network(self) -> Network:
        """The network in use."""
        raise NotImplementedError

    def to_keyed_vectors(self, vocabulary: SentencesLike = ()) -> KeyedVectors:
        """Convert the table of vectors to gensim's ``KeyedVectors``.

        Parameters
        ----------
        vocabulary : sequence of str, default=()
            Sentences or words. Those of their words that the table lacks, numbers among them,
            become rows too, with the vectors that they have here by ``oov``.

        Returns
        -------
        gensim.models.KeyedVectors
            The same words and vectors. A network is not part of it, and gensim's means of words
            count a word as often as it is passed.
        """
        models = import_optional("gensim.models", "to_keyed_vectors")
        words, matrix = self._table(vocabulary)
        keyed = models.KeyedVectors(matrix.shape[1])
        keyed.add_vectors(words, matrix)
        return keyed

    def to_sentence_transformer(self, vocabulary: SentencesLike = ()) -> SentenceTransformer:
        """Convert the encoder to a ``StaticEmbedding`` of sentence-transformers.

        Parameters
        ----------
        vocabulary : sequence of str, default=()
            Sentences or words, such as those that will be encoded. Those of their words that the
            table lacks, numbers among them, become rows, with the vectors that they have here by
            ``oov``. All other unknown words are zeros; with ``oov="rare"`` they have the vector of
            the rarest word.

        Returns
        -------
        sentence_transformers.SentenceTransformer
            Its vectors are the same where all words are known or in ``vocabulary``. Each word of
            a text counts once if it does so here; the time that this takes grows with the square
            of the length of a text, to 40 milliseconds for 1,500 words.

        Raises
        ------
        ValueError
            If the network is not the average: what else a network computes is no table of vectors.
        """
        self._check_averages()
        package = import_optional(
            "sentence_transformers", "to_sentence_transformer", install="sentence-transformers"
        )
        try:  # since version 6
            modules = import_module("sentence_transformers.sentence_transformer.modules")
        except ImportError:
            modules = import_module("sentence_transformers.models")
        matrix, tokenizer = self._with_unknown(vocabulary)
        embedding = modules.StaticEmbedding(tokenizer, embedding_weights=matrix)
        return package.SentenceTransformer(modules=[embedding], device="cpu")

    def to_static_model(self, vocabulary: SentencesLike = ()) -> StaticModel:
        """Convert the encoder to a ``StaticModel`` of model2vec.

        Parameters
        ----------
        vocabulary : sequence of str, default=()
            Sentences or words whose unknown words become rows, as for
            :meth:`to_sentence_transformer`. All other unknown words are left out of the mean.

        Returns
        -------
        model2vec.StaticModel
            Its vectors of sentences of words that are known or in ``vocabulary`` are the same.
            Older versions cut text at 512 tokens unless called with ``max_length=None``.

        Raises
        ------
        ValueError
            If the network is not the average: what else a network computes is no table of vectors.
        """
        self._check_averages()
        package = import_optional("model2vec", "to_static_model")
        matrix, tokenizer = self._with_unknown(vocabulary)
        # Newer versions cut text off after 512 tokens by default.
        truncates = "max_length" in inspect.signature(package.StaticModel).parameters
        options: dict[str, Any] = {"max_length": None} if truncates else {}
        return package.StaticModel(matrix, tokenizer, normalize=False, **options)

    def _check_averages(self) -> None:
        if not self.averages:
            raise ValueError("Only the average of word vectors can be converted, not a network.")

    def _table(self, vocabulary: SentencesLike) -> tuple[list[str], Vectors]:
        """Return words and vectors: those of the table, and those of other words in sentences."""
        vectors = self.word_vectors
        texts = as_sentences(vocabulary)
        unknown = vectors.vocabulary.token_ids(texts).unknown if texts else []
        if not unknown:
            return vectors.words, vectors.matrix
        rows = vectors.unknown_vectors(unknown, self.oov)
        return [*vectors.words, *unknown], np.vstack([vectors.matrix, rows])

    def _with_unknown(self, vocabulary: SentencesLike) -> tuple[Vectors, Any]:
        """Return the table with a row for unknown words, and a tokenizer for it."""
        words, matrix = self._table(vocabulary)
        other: Oov = "rare" if self.oov == "rare" else "zero"
        matrix = np.vstack([matrix, self.word_vectors.unknown_vectors([_UNKNOWN], other)])
        return matrix, make_tokenizer(words, distinct=self.current_network.distinct_words)


def make_tokenizer(words: Sequence[str], *, distinct: bool) -> Any:
    """Return a tokenizer of the package tokenizers that splits text as skpara does.

    With ``distinct`` it gives each word of a text once.
    """
    tokenizers = import_module("tokenizers")
    index = {word: i for i, word in enumerate([*words, _UNKNOWN])}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(index, unk_token=_UNKNOWN))
    normalizers, regex = tokenizers.normalizers, tokenizers.Regex
    repeated = [normalizers.Replace(regex(pattern), " ") for pattern in _REPEATED]
    tokenizer.normalizer = normalizers.Sequence(
        [
            *(normalizers.Replace(entity, text) for entity, text in _ENTITIES.items()),
            normalizers.NFC(),
            normalizers.Replace(regex("[\u2019\u02bc\uff07]"), "'"),
            normalizers.Lowercase(),
            normalizers.Replace(regex(_CLITIC), ""),
            *(normalizers.Replace(mark, text) for mark, text in _TREEBANK.items()),
            *(repeated if distinct else []),
        ]
    )
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Split(
        regex(_TOKEN), behavior="removed", invert=True
    )
    return tokenizer
