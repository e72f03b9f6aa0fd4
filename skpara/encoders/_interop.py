"""Conversion of encoders to other libraries, with the same tokens."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from skpara._compatibility import import_optional
from skpara._normal_form import INVISIBLE
from skpara._pairs import as_sentences
from skpara._typing import Oov, SentencesLike, Vectors
from skpara.networks import Network
from skpara.resources import WordVectors

if TYPE_CHECKING:
    from gensim.models import KeyedVectors
    from model2vec import StaticModel
    from sentence_transformers import SentenceTransformer

UNKNOWN = "[UNK]"  # words are lower-cased, so no word is equal to it
# The rule of skpara.text.tokenize with its character classes spelled out: \w differs between
# regular expression engines.
_LETTER = r"[\p{L}\p{N}]"
_WORD = rf"{_LETTER}+(?:'{_LETTER}+|(?<=[0-9])[.,](?=[0-9]){_LETTER}+)*"
_MARK = r"[^\p{L}\p{N}\s]"
_TOKEN = f"{_WORD}|{_MARK}"
# The start and the end of a word, and the outside of a word for a mark.
_START = rf"(?<!{_LETTER})(?<!{_LETTER}')(?!(?<=[0-9][.,])[0-9])"
_END = rf"(?!{_LETTER})(?!'{_LETTER})(?!(?<=[0-9])[.,][0-9])"
_OUTSIDE = rf"(?!(?<={_LETTER})'{_LETTER})(?!(?<=[0-9])[.,][0-9])"
# Tokens that occur again later in the text. Both libraries take the mean over all tokens, so the
# tokenizer leaves these out where a word counts once.
_REPEATED = [
    rf"{_START}({_WORD}){_END}(?=[\s\S]*{_START}\1{_END})",
    rf"{_OUTSIDE}({_MARK})(?=[\s\S]*{_OUTSIDE}\1)",
]
# Replacements of skpara.text.normalize, before and after lower-casing: the common HTML entities
# ("&amp;" comes last, so that "&amp;lt;" becomes "&lt;").
_ENTITIES = {
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&apos;": "'",
    "&#39;": "'",
    "&#34;": '"',
    "&nbsp;": "\u00a0",
    "&#38;": "&",
    "&amp;": "&",
}
# Lower-cased as by Python, other than within a word.
_LAST_SIGMA = r"\p{Cased}\p{Case_Ignorable}*\K\u03a3(?!\p{Case_Ignorable}*\p{Cased})"
_CLITIC = rf"(?<={_LETTER})\s+(?=(?:n't|'(?:d|ll|m|re|s|t|ve))(?!['\p{{L}}\p{{N}}_]))"
# Measured on STS 2012-2015 with the packaged vectors.
_PLAIN_MEAN = (
    "{} computes the plain mean of the word vectors, without the weights of "
    "Average(redundancy=...): cosines differ by .02 on average. Encode with "
    "ParagramEncoder(Average(redundancy=0)) for the same vectors in both."
)
_TREEBANK = {
    "``": '"',
    "''": '"',
    "-lrb-": "(",
    "-rrb-": ")",
    "-lsb-": "[",
    "-rsb-": "]",
    "-lcb-": "{",
    "-rcb-": "}",
}


class Table(NamedTuple):
    """Words and vectors of an encoder, with rows for the unknown words of a vocabulary."""

    network: Network
    words: list[str]
    matrix: Vectors
    unknown: Vectors  # the row of all other words

    @classmethod
    def of(
        cls, network: Network, vectors: WordVectors, oov: Oov, vocabulary: SentencesLike
    ) -> Table:
        words, matrix = vectors.words, vectors.matrix
        _, unknown = vectors.vocabulary.token_ids(as_sentences(vocabulary))
        if unknown:
            words = [*words, *unknown]
            matrix = np.vstack([matrix, vectors.unknown_vectors(unknown, oov)])
        other: Oov = "rare" if oov == "rare" else "zero"
        return cls(network, words, matrix, vectors.unknown_vectors([UNKNOWN], other))

    def tokenizer(self) -> Any:
        return make_tokenizer(self.words, distinct=self.network.distinct_words)


def to_keyed_vectors(table: Table) -> KeyedVectors:
    """Convert a table to gensim's class."""
    models = import_optional("gensim.models", "to_keyed_vectors")
    keyed = models.KeyedVectors(table.matrix.shape[1])
    keyed.add_vectors(table.words, table.matrix)
    return keyed


def to_sentence_transformer(table: Table) -> SentenceTransformer:
    """Convert an average of word vectors to a ``StaticEmbedding`` of sentence-transformers."""
    package = import_optional(
        "sentence_transformers", "to_sentence_transformer", install="sentence-transformers"
    )
    if table.network.redundancy:
        warnings.warn(_PLAIN_MEAN.format("sentence-transformers"), stacklevel=3)
    try:  # since version 6
        modules = import_module("sentence_transformers.sentence_transformer.modules")
    except ImportError:
        modules = import_module("sentence_transformers.models")
    matrix = np.vstack([table.matrix, table.unknown])
    embedding = modules.StaticEmbedding(table.tokenizer(), embedding_weights=matrix)
    return package.SentenceTransformer(modules=[embedding], device="cpu")


def to_model2vec(table: Table) -> StaticModel:
    """Convert an average of word vectors to a ``StaticModel`` of model2vec."""
    package = import_optional("model2vec", "to_model2vec", install="model2vec")
    if table.network.redundancy:
        warnings.warn(_PLAIN_MEAN.format("model2vec"), stacklevel=3)
    # model2vec leaves unknown tokens out, but wants a row for them.
    matrix = np.vstack([table.matrix, np.zeros_like(table.unknown)])
    return package.StaticModel(matrix, table.tokenizer(), max_length=None)


def make_tokenizer(words: Sequence[str], *, distinct: bool) -> Any:
    """Return a tokenizer of the package tokenizers that splits text as skpara does.

    Full width characters and ligatures stay: there, no rule changes one character at a time.
    With ``distinct`` it gives each word of a text once.
    """
    tokenizers = import_optional("tokenizers", "A tokenizer")
    index = {word: i for i, word in enumerate([*words, UNKNOWN])}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(index, unk_token=UNKNOWN))
    normalizers = tokenizers.normalizers
    regex = tokenizers.Regex
    repeated = [normalizers.Replace(regex(pattern), " ") for pattern in _REPEATED]
    tokenizer.normalizer = normalizers.Sequence(
        [
            *(normalizers.Replace(entity, text) for entity, text in _ENTITIES.items()),
            normalizers.Replace(regex(INVISIBLE), ""),
            normalizers.NFC(),
            normalizers.Replace(regex("[\u2019\u02bc]"), "'"),
            normalizers.Replace(regex(_LAST_SIGMA), "\u03c2"),
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
