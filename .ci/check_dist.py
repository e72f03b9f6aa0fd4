"""Install the files of dist/ into clean environments, and try them there.

    python .ci/check_dist.py [--pythons python3.11 ...]

The wheel is installed with the versions of constraints.txt under every Python from 3.11 to 3.14
that is found, on the path or among pyenv's, and tests/install/smoke.py runs outside of the
repository; no module may name a folder of the machine. Under the first Python,
tests/install/plain.py runs as well, all commands and the examples of the pages, and the sdist, if
there is one, is built and installed. The sizes of the environments are printed.
``--extra`` installs extras too, for example to measure them.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
SMOKE, PLAIN = (ROOT / "tests" / "install" / name for name in ("smoke.py", "plain.py"))
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
_NOT_OURS = {"pip", "setuptools", "pkg_resources", "__pycache__"}
PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check")


def interpreter(version: str) -> str | None:
    """Return a Python that starts; a shim of pyenv may stand for one that does not."""
    of_pyenv = Path.home() / ".pyenv" / "versions"
    places = [shutil.which(f"python{version}"), *of_pyenv.glob(f"{version}.*/bin/python")]
    for place in filter(None, places):
        code = "import ensurepip, sys; print('%d.%d' % sys.version_info[:2])"
        done = subprocess.run(
            [str(place), "-c", code], capture_output=True, text=True, check=False
        )
        if done.stdout.strip() == version:
            return str(place)
    return None


def megabytes(folder: Path) -> float:
    """Return the size of the files of a folder, without bytecode and what a new one has."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    others = [path for path in files if not _NOT_OURS & set(path.parts)]
    return sum(path.stat().st_size for path in others) / 1e6


def check(python: str, file: Path, extra: str, *, pages: bool = False) -> None:
    """Install a file into a new environment, and run the smoke test there, and the pages."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([python, "-m", "venv", folder / "env"], check=True)
        inside = folder / "env" / "bin" / "python"
        target = f"{file}[{extra}]" if extra else str(file)
        options = ["--no-compile", "-c", ROOT / "constraints.txt"]
        subprocess.run([inside, *PIP, "install", *options, target], check=True)
        subprocess.run([inside, *PIP, "check"], check=True, stdout=subprocess.DEVNULL)
        packages = next((folder / "env" / "lib").glob("python3*/site-packages"))
        for module in packages.glob("skpara/**/*.so"):
            if str(Path.home()).encode() in module.read_bytes():
                sys.exit(f"{file.name}: {module.name} names a folder of this machine (RUNPATH).")
        size, n_packages = megabytes(packages), len(list(packages.glob("*.dist-info")))
        if not extra:
            # Not with what the caller has on its path, and with an empty cache folder.
            environment = {
                name: value for name, value in os.environ.items() if name != "PYTHONPATH"
            } | {"XDG_CACHE_HOME": str(folder / "cache")}
            for script in [[PLAIN], [SMOKE, "--installed"]] if pages else [[SMOKE, "--installed"]]:
                done = subprocess.run(
                    [inside, "-I", *script],
                    cwd=folder, env=environment, capture_output=True, text=True, check=False,
                )  # fmt: skip
                if done.returncode:
                    sys.exit(f"{file.name} fails under {python}:\n{done.stdout}{done.stderr}")
            print(done.stdout.strip().split("\n")[-1], end=", ")
        print(f"{file.name}[{extra}]: {size:,.0f} MB in {n_packages} packages", flush=True)


def main() -> None:
    """Check all files under all versions of Python."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pythons", nargs="+", help="interpreters to use")
    parser.add_argument("--extra", default="", help="extras, with commas; no smoke test")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="folder of the files")
    args = parser.parse_args()
    pythons = args.pythons or [found for version in VERSIONS if (found := interpreter(version))]
    for version in VERSIONS:
        if not args.pythons and not any(version in python for python in pythons):
            print(f"Python {version} was not found and is not checked.")
    (wheel,) = args.dist.glob("*.whl")
    sources = list(args.dist.glob("*.tar.gz"))
    for python in pythons:
        check(python, wheel, args.extra, pages=python == pythons[0])
    for source in [] if args.extra else sources:
        check(pythons[0], source, "")


if __name__ == "__main__":
    main()
