"""Parts of docstrings that several loaders share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from skpara._docstrings import fill_docstring

D = TypeVar("D", bound=Callable[..., object])

_TEXTS = {
    "path": """path : str or path-like
    A UTF-8 file; ``"-"`` is standard input, which can be read only once. A file whose name ends
    in ``.gz`` is decompressed.""",
    "format": """format : {{"tsv", "csv", "jsonl"}}, default={default}
    By default the suffix decides: ``.tsv`` and ``.txt`` are TSV, ``.csv`` is CSV, ``.jsonl`` and
    ``.ndjson`` are JSON lines. Standard input is TSV. In TSV, ``"`` is an ordinary character; in
    CSV, quoted cells may hold commas and line ends.""",
    "columns": """columns : pair of str or int, default={default}
    Names, or positions from 0, of the two sentences. By default those with usual names where the
    first row has them, ``sentence1`` and ``sentence2`` before others such as ``question1`` and
    ``question2``, ``sentence_A`` and ``sentence_B``, ``s1`` and ``s2``, ``text1`` and ``text2``,
    ``premise`` and ``hypothesis``, ``left`` and ``right``; else the first two columns. Case does
    not matter in names. JSON lines have names only.""",
    "score_column": """score_column : str or int, default={default}
    Name or position of the score; None reads no scores. With ``"auto"`` it is the third column
    or, where the first row holds the names of the columns, ``score`` or another usual name, such
    as ``similarity``, ``relatedness_score``, ``label`` and ``is_duplicate``.""",
    "group_column": """group_column : str or int, default={default}
    Name or position of the group of a pair, such as its data set; None reads no groups.""",
    "header": """header : bool, default={default}
    Whether the first row holds the names of the columns. By default it does if a column is
    selected by name, or if it has the usual names of two sentences. A first row that may be
    either, such as two single words, is an error, and so is a number in place of a sentence.""",
    "data_home": """data_home : str or path-like, default={default}
    Data folder, see :func:`get_data_home`.""",
    "download_if_missing": """download_if_missing : bool, default={default}
    If False, missing files are an error.""",
    "as_frame": """as_frame : bool, default={default}
    If True, ``data`` is a pandas DataFrame and ``target`` a Series; ``frame`` has all columns.""",
    "return_X_y": """return_X_y : bool, default={default}
    If True, return ``(data, target)`` only.""",
    "bunch": """sklearn.utils.Bunch or tuple
    With ``return_X_y``, a tuple ``(data, target)``, else a Bunch of

    data : ndarray of shape (n_pairs, 2), object
        The two sentences.
    target : ndarray of shape (n_pairs,), float64""",
    "bunch_names": """    feature_names, target_names, filenames, DESCR
        Names of the columns, of the target and of the files, and a description with the terms of
        use.""",
}


def document_loader(documented: D) -> D:
    """Fill in the shared parts of a docstring."""
    return fill_docstring(documented, _TEXTS)
