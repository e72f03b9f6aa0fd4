"""Pairs of words with a similarity score, for the evaluation of word vectors."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from sklearn.utils import Bunch

from skpara.datasets._documentation import document_loader
from skpara.datasets._pair_arrays import make_bunch
from skpara.datasets._pair_files import PairFile, Row
from skpara.datasets._sources import require_local_files

_FOLDER = "word-sim"
_PAPERS = {
    "MC-30": "Miller and Charles (1991)",
    "MEN-TR-3k": "Bruni et al. (2012)",
    "MTurk-287": "Radinsky et al. (2011)",
    "MTurk-771": "Halawi et al. (2012)",
    "RG-65": "Rubenstein and Goodenough (1965)",
    "RW-STANFORD": "Luong et al. (2013)",
    "SIMLEX-999": "Hill et al. (2015)",
    "SimVerb-3500": "Gerz et al. (2016)",
    "VERB-143": "Baker et al. (2014)",
    "WS-353-ALL": "Finkelstein et al. (2002)",
    "WS-353-REL": "Agirre et al. (2009)",
    "WS-353-SIM": "Agirre et al. (2009)",
    "YP-130": "Yang and Powers (2006)",
}


@document_loader
def fetch_word_similarity(
    name: str | None = None,
    *,
    data_home: str | os.PathLike[str] | None = None,
    as_frame: bool = False,
    return_X_y: bool = False,
) -> Bunch | tuple[Any, Any]:
    """Load English word pairs with similarity scores from files that you downloaded yourself.

    The sets are those of github mfaruqui/eval-word-vectors: ``EN-MC-30.txt`` and so on, in the
    folder ``word-sim`` of the data folder. Nothing is downloaded. The error for a missing set
    says where to get it.

    Parameters
    ----------
    name : str, default=None
        "MC-30", "MEN-TR-3k", "MTurk-287", "MTurk-771", "RG-65", "RW-STANFORD", "SIMLEX-999",
        "SimVerb-3500", "VERB-143", "WS-353-ALL", "WS-353-REL", "WS-353-SIM" or "YP-130". By
        default all 13 sets.
    %(data_home, as_frame, return_X_y)s

    Returns
    -------
    %(bunch)s
            Mean judgments. Each set has a scale of its own, so correlations must be computed set
            by set.
        groups : ndarray of shape (n_pairs,), str
            Name of the set.
    %(bunch_names)s

    References
    ----------
    Faruqui and Dyer (2014). Community evaluation and exchange of word vectors at
    wordvectors.org. ACL.

    Examples
    --------
    >>> from skpara.datasets import fetch_word_similarity
    >>> fetch_word_similarity("SIMLEX-999").data.shape  # doctest: +SKIP
    (999, 2)
    """
    if name is not None and name not in _PAPERS:
        raise ValueError(f"name must be one of {list(_PAPERS)} or None, got {name!r}.")
    names = list(_PAPERS) if name is None else [name]
    files = require_local_files(
        data_home,
        _FOLDER,
        [f"EN-{name}.txt" for name in names],
        title="Word similarity",
        source="the sets of github mfaruqui/eval-word-vectors, folder data/word-sim,",
    )
    rows = [row for name, file in zip(names, files, strict=True) for row in _read(name, file)]
    papers = "".join(f"\n  {name}: {_PAPERS[name]}" for name in names)
    descr = f"Word similarity: {len(rows)} pairs of English words.\nPapers:{papers}"
    return make_bunch(rows, descr, files, as_frame, return_X_y)


def _read(name: str, file: Path) -> list[Row]:
    pairs = PairFile(file, format="tsv", columns=(0, 1), score_column=2, header=False)
    return [row._replace(group=name) for row in pairs]
