"""Package metadata and dependencies. Tools: pyproject.toml. Tested versions: constraints.txt."""

import re
import sys
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError, PlatformError

HERE = Path(__file__).parent
VERSION = re.search(r'__version__ = "(.+)"', (HERE / "skpara/_version.py").read_text("utf-8"))[1]
REPOSITORY = "https://github.com/skpara/skpara"
DOCUMENTATION = "https://skpara.github.io/skpara/stable"
# A package index shows README.md without the files that it links to.
REVISION = "main" if ".dev" in VERSION else f"v{VERSION}"
README = re.sub(
    r"(!?)(\[[^]]*\]\()(?![a-z]+:)",
    lambda m: f"{m[1]}{m[2]}{REPOSITORY}/{'raw' if m[1] else 'blob'}/{REVISION}/",
    (HERE / "README.md").read_text("utf-8"),
)

# What scoring, training averages and pipelines, matching and the command need. It is small on
# purpose: torch alone is several times as large, and only other networks need it.
INSTALL = [
    "numpy>=2.0",
    "scipy>=1.13",
    "scikit-learn>=1.6",
    "joblib>=1.4",
    "narwhals>=2.0.1",
    "HanTa>=1.2",
    "rapidfuzz>=3.10",
    "safetensors>=0.4.3",
    "tqdm>=4.66",
    "platformdirs>=4.0",
    "lazy_loader>=0.4",
]

# For users. What developers need are the dependency groups of pyproject.toml.
EXTRAS = {
    "networks": ["torch>=2.4"],
    "plot": ["matplotlib>=3.9"],
    "download": ["pooch>=1.8", "urllib3>=2.2"],
    "translate": [
        "transformers>=4.44",
        "sentencepiece>=0.2",
        "sacremoses>=0.1",
        "py3langid>=0.4",
    ],
    "interop": ["gensim>=4.4", "sentence-transformers>=3.2", "model2vec>=0.5"],
    "nltk": ["nltk>=3.9"],
    "hub": ["huggingface-hub>=0.34"],
    "duckdb": ["duckdb>=1.1", "pyarrow>=17.0"],
    "dask": ["dask[dataframe,distributed]>=2024.8"],
    "spark": ["pyspark>=4.0", "pyarrow>=17.0", "pandas>=2.2"],
}
# Spark has 500 MB, and is of no use without Java.
EXTRAS["all"] = sorted(
    {package for name, packages in EXTRAS.items() if name != "spark" for package in packages}
)

# Modules in C. They use the limited API: one wheel serves all versions of Python from 3.11 on. No
# contraction of a product and a sum into one operation: processors with and without it would give
# different bits.
MODULES = ["list_kernels", "text_kernels"]
UNIX_FLAGS = ["-std=c11", "-O3", "-g0", "-ffp-contract=off"]
EXTENSIONS = [
    Extension(
        f"skpara._core.{name}",
        [f"skpara/_core/{name}.c"],
        depends=["skpara/_core/kernels.h"],
        define_macros=[("Py_LIMITED_API", "0x030B0000")],
        extra_compile_args=["/std:c11"] if sys.platform == "win32" else UNIX_FLAGS,
        py_limited_api=True,
    )
    for name in MODULES
]


class BuildExtensions(build_ext):
    """Build without the folders of the machine's Python, and say what is missing."""

    def build_extensions(self) -> None:
        """Build all modules."""
        linker = getattr(self.compiler, "linker_so", None)  # compilers of Windows have none
        if linker:
            self.compiler.linker_so = [part for part in linker if "-rpath" not in part]
        super().build_extensions()

    def build_extension(self, ext: Extension) -> None:
        """Build a module."""
        try:
            super().build_extension(ext)
        except (CCompilerError, PlatformError) as error:
            raise SystemExit(
                f"{ext.name} could not be compiled: {error}\nskpara needs a C compiler and the "
                "headers of Python (Debian: apt install gcc python3-dev; macOS: xcode-select "
                "--install; Windows: Build Tools for Visual Studio), or install a wheel: "
                "pip install --only-binary skpara skpara"
            ) from error


setup(
    name="skpara",
    version=VERSION,
    description="Join tables worded differently, drop duplicates, score sentence similarity",
    long_description=README,
    long_description_content_type="text/markdown",
    author="skpara developers",
    url=DOCUMENTATION,
    project_urls={
        "Documentation": DOCUMENTATION,
        "Source": REPOSITORY,
        "Issues": f"{REPOSITORY}/issues",
        "Changelog": f"{REPOSITORY}/blob/main/CHANGELOG.md",
    },
    # The code, the packaged vectors and frequencies, rules from NLTK, and WordNet: see NOTICE.
    license_expression="BSD-3-Clause AND CC-BY-SA-4.0 AND Apache-2.0 AND LicenseRef-WordNet-3.0",
    license_files=["LICENSE", "NOTICE", "LICENSES/*.txt"],
    keywords=["semantic textual similarity", "paraphrase", "sentence embeddings", "scikit-learn"],
    classifiers=[
        "Development Status :: 4 - Beta",
        "Intended Audience :: Developers",
        "Intended Audience :: Science/Research",
        "Natural Language :: English",
        "Operating System :: MacOS",
        "Operating System :: Microsoft :: Windows",
        "Operating System :: POSIX :: Linux",
        "Programming Language :: Python :: 3",
        "Programming Language :: Python :: 3 :: Only",
        "Programming Language :: Python :: 3.11",
        "Programming Language :: Python :: 3.12",
        "Programming Language :: Python :: 3.13",
        "Programming Language :: Python :: 3.14",
        "Programming Language :: C",
        "Topic :: Scientific/Engineering :: Artificial Intelligence",
        "Topic :: Text Processing :: Linguistic",
        "Typing :: Typed",
    ],
    python_requires=">=3.11",
    packages=find_packages(include=["skpara", "skpara.*"]),
    package_data={
        "": ["*.pyi"],
        "skpara": ["py.typed", "other_names.json"],
        "skpara.cli": ["*.css", "*.html"],
        "skpara.explanation": ["*.css"],
        "skpara.fusion": ["*.json"],
        "skpara.features": ["_families/*.json", "contrast/*.json"],
        "skpara.matching": ["*_model.json"],
        "skpara.quantities": ["*.json"],
        "skpara.resources": ["data/*"],
        "skpara.datasets": ["data/*"],
    },
    ext_modules=EXTENSIONS,
    cmdclass={"build_ext": BuildExtensions},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
    install_requires=INSTALL,
    extras_require=EXTRAS,
    entry_points={"console_scripts": ["skpara = skpara.cli:main"]},
    zip_safe=False,
)
