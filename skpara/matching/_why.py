"""Reasons why texts differ, without a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skpara._pairs import as_sentences
from skpara._typing import SentencesLike
from skpara.features import CONTRAST_KINDS
from skpara.features.contrast import Detector
from skpara.matching._guard import LANGUAGE, Guard


def why_different(
    a: SentencesLike, b: SentencesLike, *, guard: bool | str | Sequence[str | Detector] = True
) -> list[Any]:
    """Return the reasons why texts that look alike do not mean the same.

    These are the reasons of the guard of :class:`~skpara.Deduplicator` and
    :class:`~skpara.TableMatcher`: a different number, name or time, a negation, an opposite,
    swapped roles. They depend only on the two texts, and need neither a model nor scikit-learn.

    Parameters
    ----------
    a, b : str, or sentences of shape (n_pairs,)
        Two texts, or two lists of texts, which are compared one by one. If only one is a list, the
        text is compared with each in the list. Ten pairs at a time take a third of the time of ten
        single ones.
    guard : bool, "identifiers" or list of str and detectors, default=True
        The kinds of reasons, see :class:`~skpara.Deduplicator`; True means all. With the kind
        "language", pairs that are not English also have a reason.

    Returns
    -------
    list of str, or list of lists of str
        The reasons for two texts, or those for each pair: none if the rules, which are for
        English, find no difference. Two texts without a reason may still differ.

    Raises
    ------
    ValueError
        If there are two lists of different lengths, or a cell is not a string.

    See Also
    --------
    load_pair_classifier : The probability that two sentences mean the same.
    explain : The reasons why a model gives a score.

    Examples
    --------
    >>> from skpara import why_different
    >>> why_different("The shop opens at 8.", "The shop opens at 9.")
    ['9, not 8']
    >>> why_different("Turn on the lights.", ["Turn the lights on.", "Do not turn on the lights."])
    [[], ['negation of Turn']]
    """
    first, second = ([x] if isinstance(x, str) else as_sentences(x) for x in (a, b))
    if isinstance(a, str):
        first *= len(second)
    elif isinstance(b, str):
        second *= len(first)
    if len(first) != len(second):
        raise ValueError(
            f"a has {len(first)} texts and b has {len(second)}: they are compared one by one."
        )
    found = Guard(guard, (*CONTRAST_KINDS, LANGUAGE)).find(list(zip(first, second, strict=True)))
    return found[0] if isinstance(a, str) and isinstance(b, str) else found
