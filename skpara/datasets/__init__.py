"""Scored sentence pairs: a sample in the package, and the public STS and SICK data sets.

``load_*`` reads what ships with the package. ``fetch_*`` reads a data folder, and downloads into
it what is missing.
"""

from __future__ import annotations

from skpara.datasets._home import get_data_home
from skpara.datasets._sample import load_sts_sample
from skpara.datasets._sick import fetch_sick
from skpara.datasets._sts import fetch_sts
from skpara.datasets._sts_benchmark import fetch_sts_benchmark

__all__ = ["fetch_sick", "fetch_sts", "fetch_sts_benchmark", "get_data_home", "load_sts_sample"]
