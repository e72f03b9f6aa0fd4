"""What a bug report should contain: versions, devices, threads, and where files are."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, requires, version

from skpara._compiled import MODULES, compiled
from skpara._version import __version__

_TOOLS = ("docs", "dev")  # extras that skpara itself never imports


def show_versions() -> None:
    """Print what a bug report should contain.

    This is the system, which compiled modules are in use, the versions of skpara and of its
    dependencies, the devices and threads for computation, and the locations of the data folder,
    WordNet and Apertium. It imports torch, which takes a second or two, and downloads nothing.

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
    needed, optional = _dependencies()
    parts = {
        "System": {
            "python": sys.version.replace("\n", " "),
            "executable": sys.executable,
            "machine": platform.platform(),
        },
        "Compiled modules": _compiled_modules(),
        "Python dependencies": {"skpara": __version__, **_versions(needed)},
        "Optional dependencies": _versions(optional),
        "Devices": _devices(),
        "Threads": _threads(),
        "Locations": _locations(),
    }
    for title, lines in parts.items():
        print(f"\n{title}:")
        for name, value in lines.items():
            print(f"{name:>21}: {value}")


def _compiled_modules() -> dict[str, str]:
    """Return which modules in C are in use; NumPy code takes the place of the others."""
    off = (
        "switched off"
        if os.environ.get("SKPARA_NATIVE") == "0"
        else "not built, or from older code: NumPy instead"
    )
    return {name: "in use" if compiled(f"skpara.{name}") else off for name in MODULES}


def _dependencies() -> tuple[list[str], list[str]]:
    """Return the packages that skpara needs, and those of its extras."""
    needed: list[str] = []
    optional: list[str] = []
    try:
        requirements = requires("skpara") or []
    except PackageNotFoundError:  # a source tree that is on the path but not installed
        requirements = []
    for requirement in requirements:
        name = re.split(r"[^\w.-]", requirement)[0]
        extra = re.search(r"extra == ['\"]([\w-]+)", requirement)
        if extra is None:
            needed.append(name)
        elif extra[1] not in _TOOLS and name not in (*needed, *optional):
            optional.append(name)
    return needed, optional


def _versions(names: Iterable[str]) -> dict[str, str]:
    """Return the versions of installed packages without importing them."""
    versions = {}
    for name in names:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            versions[name] = "not installed"
    return versions


def _devices() -> dict[str, str]:
    """Return the devices that torch can use."""
    devices = {"cpu": platform.processor() or platform.machine()}
    try:
        import torch
    except ImportError:  # only training of networks and other devices need it
        return devices
    for i in range(torch.cuda.device_count()):
        memory = torch.cuda.get_device_properties(i).total_memory / 2**30
        devices[f"cuda:{i}"] = f"{torch.cuda.get_device_name(i)}, {memory:.0f} GiB"
    if torch.version.cuda:
        devices["CUDA of torch"] = torch.version.cuda
    if torch.backends.mps.is_available():
        devices["mps"] = "available"
    return devices


def _threads() -> dict[str, str]:
    """Return the number of threads of each library that has a pool of them."""
    from joblib import cpu_count
    from threadpoolctl import threadpool_info

    threads = {"processors": str(cpu_count())}
    try:
        import torch

        threads["torch"] = str(torch.get_num_threads())
    except ImportError:
        threads["torch"] = "not installed"
    for pool in threadpool_info():
        library = f"{pool['internal_api']} {pool['version'] or ''}".rstrip()
        threads[pool["prefix"]] = f"{pool['num_threads']} ({library}, {pool['filepath']})"
    return threads


def _locations() -> dict[str, str]:
    """Return the locations of folders and programs that are not Python packages."""
    from skpara.datasets import get_data_home
    from skpara.resources import WordNet

    home = get_data_home()
    return {
        "data folder": str(home) if home.is_dir() else f"{home} (does not exist yet)",
        "WordNet": str(WordNet.installed_folder() or "not installed"),
        "Apertium": _apertium(),
    }


def _apertium() -> str:
    """Return the path of the program and its pairs of languages."""
    program = shutil.which("apertium")
    if program is None:
        return "not installed"
    try:
        done = subprocess.run(
            [program, "-l"], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{program} (does not run: {error})"
    return f"{program}, with {', '.join(done.stdout.split()) or 'no pair of languages'}"
