"""Pairs and sentences: a sample in the package, public data sets, files of your own.

``load_*`` reads files of the package. ``fetch_*`` reads a data folder and, if the terms of a data
set allow it, downloads missing files into it. ``read_pairs`` and ``iter_pairs`` read files of your
own. A missing file is an ``OSError`` that says where to get it; a malformed one is a
``ValueError`` that names the file, the line and the remedy.
"""

import lazy_loader

# The stub also has the names that only other rooms use.
__getattr__, __dir__, _ = lazy_loader.attach_stub(__name__, __file__)
__all__ = [
    "fetch_sick",
    "fetch_sts",
    "fetch_sts_benchmark",
    "get_data_home",
    "iter_pairs",
    "load_sts_sample",
    "read_pairs",
]
