"""Pairs and sentences: a sample in the package, public data sets, files of your own.

``load_*`` reads files of the package. ``fetch_*`` reads a data folder and, if the terms of a data
set allow it, downloads missing files into it. ``read_pairs`` and ``iter_pairs`` read files of your
own. A missing file is an ``OSError`` that says where to get it; a malformed one is a
``ValueError`` that names the file, the line and the remedy.
"""

from __future__ import annotations

from skpara.datasets._pair_arrays import iter_pairs, read_pairs
from skpara.datasets._sick import fetch_sick
from skpara.datasets._sources import get_data_home
from skpara.datasets._sts import fetch_sts, load_sts_sample
from skpara.datasets._sts_benchmark import fetch_sts_benchmark

# isort: split
# For other rooms of the package, and for loaders that are scripts (examples/paraphrases.py).
from skpara.datasets._cells import cell_text as cell_text
from skpara.datasets._cells import write_json as write_json
from skpara.datasets._download import DAMAGED as DAMAGED
from skpara.datasets._pair_arrays import make_bunch as make_bunch
from skpara.datasets._pair_files import NUMBER as NUMBER
from skpara.datasets._pair_files import PairFile as PairFile
from skpara.datasets._pair_files import Row as Row
from skpara.datasets._sources import Source as Source
from skpara.datasets._sources import require_files as require_files
from skpara.datasets._sts import read_sets as read_sets
from skpara.datasets._tables import Table as Table
from skpara.datasets._tables import read_table as read_table
from skpara.datasets._tables import unused_names as unused_names
from skpara.datasets._text_files import SUFFIXES as SUFFIXES
from skpara.datasets._text_files import TYPED as TYPED
from skpara.datasets._text_files import parse_score as parse_score
from skpara.datasets._text_files import read_sentences as read_sentences
from skpara.datasets._typed_files import write_typed as write_typed

__all__ = [
    "fetch_sick",
    "fetch_sts",
    "fetch_sts_benchmark",
    "get_data_home",
    "iter_pairs",
    "load_sts_sample",
    "read_pairs",
]
