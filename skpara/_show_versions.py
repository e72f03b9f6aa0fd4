"""What a report of a fault should hold: versions, devices, threads, where things are found."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version

from skpara._version import __version__

# As in setup.py: what skpara needs, then what its extras add.
_NEEDED = (
    "numpy",
    "scipy",
    "scikit-learn",
    "joblib",
    "torch",
    "gensim",
    "nltk",
    "wordfreq",
    "HanTa",
    "rapidfuzz",
    "safetensors",
    "tqdm",
    "pooch",
    "platformdirs",
)
_OPTIONAL = (
    "pandas",
    "polars",
    "matplotlib",
    "transformers",
    "sentencepiece",
    "sacremoses",
    "py3langid",
    "kenlm",
    "sentence-transformers",
    "model2vec",
    "imbalanced-learn",
    "skops",
    "huggingface-hub",
    "dask",
    "distributed",
)


def show_versions() -> None:
    """Print the versions of skpara and of what it uses; paste it into a report of a fault.

    The system, the packages with their versions, where computation can run and with how many
    threads, and where the data folder, WordNet and Apertium are found. Torch is imported for it,
    which takes a second or two; nothing is downloaded.

    Examples
    --------
    >>> import skpara
    >>> skpara.show_versions()
    <BLANKLINE>
    System:
    ...
                   skpara: ...
    ...
    """
    parts = {
        "System": _system(),
        "Python dependencies": _versions(["skpara", *_NEEDED]),
        "Optional dependencies": _versions(_OPTIONAL),
        "Devices": _devices(),
        "Threads": _threads(),
        "Found": _found(),
    }
    for title, lines in parts.items():
        print(f"\n{title}:")
        for name, value in lines.items():
            print(f"{name:>21}: {value}")


def _system() -> dict[str, str]:
    return {
        "python": sys.version.replace("\n", " "),
        "executable": sys.executable,
        "machine": platform.platform(),
    }


def _versions(names: Iterable[str]) -> dict[str, str]:
    """Of installed packages, without importing them."""
    found = {}
    for name in names:
        try:
            found[name] = __version__ if name == "skpara" else version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def _devices() -> dict[str, str]:
    """Those that torch sees."""
    import torch

    found = {"cpu": platform.processor() or platform.machine()}
    for i in range(torch.cuda.device_count()):
        memory = torch.cuda.get_device_properties(i).total_memory / 2**30
        found[f"cuda:{i}"] = f"{torch.cuda.get_device_name(i)}, {memory:.0f} GiB"
    if torch.version.cuda:
        found["CUDA of torch"] = torch.version.cuda
    if torch.backends.mps.is_available():
        found["mps"] = "available"
    return found


def _threads() -> dict[str, str]:
    """Of each library that has a pool of them."""
    import torch
    from joblib import cpu_count
    from threadpoolctl import threadpool_info

    found = {"processors": str(cpu_count()), "torch": str(torch.get_num_threads())}
    for pool in threadpool_info():
        said = f"{pool['num_threads']} ({pool['internal_api']} {pool['version'] or ''}".rstrip()
        found[pool["prefix"]] = f"{said}, {pool['filepath']})"
    return found


def _found() -> dict[str, str]:
    """Folders and programs that are no packages."""
    from skpara.datasets import get_data_home
    from skpara.resources import WordNet

    home = get_data_home()
    return {
        "data folder": str(home) if home.is_dir() else f"{home} (not there yet)",
        "WordNet": str(WordNet.installed_folder() or "not installed"),
        "Apertium": _apertium(),
    }


def _apertium() -> str:
    """Its path, and the pairs of languages that it has."""
    program = shutil.which("apertium")
    if program is None:
        return "not installed"
    try:
        listed = subprocess.run(
            [program, "-l"], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{program} (does not run: {error})"
    return f"{program}, with {', '.join(listed.stdout.split()) or 'no pair of languages'}"
