"""The name that is meant by one that does not exist: of the package, a column or an option."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec

# Names with less in common are seldom meant: "item" is not "title".
_LEAST_SIMILARITY = 0.75
# What is here under another name than elsewhere, or than in earlier versions: names of the
# package, then commands, options, and values of options.
_OTHER_NAMES: dict[str, tuple[str, ...]] = {
    "Deduplicator": (
        "Dedupe",
        "Deduper",
        "Duplicates",
        "dedup",
        "dedupe",
        "deduplicate",
        "drop_duplicates",
    ),
    "FusionClassifier": ("PairClassifier",),
    "ParagramEncoder": ("Encoder", "SentenceEncoder", "SentenceTransformer"),
    "ParagramEncoder().encode": ("embed", "encode"),
    "ParagramEncoder().similarity": ("Similarity", "cosine", "cosine_similarity", "similarity"),
    "TableMatcher": ("FuzzyMatcher", "Joiner", "Linker", "Matcher", "RecordLinker", "link"),
    "TableMatcher().join": ("fuzzy_join", "join", "match", "match_tables", "merge"),
    "load_model": ("load",),
    "load_pair_classifier().decide": ("classify", "decide", "is_same"),
    "make_sts_pipeline": ("predict", "score", "train"),
    "save_model": ("dump", "save"),
    "dedupe": ("dedup", "deduplicate", "duplicates", "unique"),
    "encode": ("embed", "embeddings", "vectors"),
    "evaluate": ("benchmark", "eval", "test"),
    "match": ("join", "link", "merge"),
    "predict": ("classify", "compare", "decide", "score", "similarity"),
    "train": ("fit", "learn"),
    "--threshold": (
        "--cutoff",
        "--min-cosine",
        "--min-probability",
        "--min-score",
        "--min-similarity",
    ),
    "--precision": ("--confidence", "--min-precision", "--target-precision"),
    "--on": ("--by", "--column", "--cols", "--columns", "--fields", "--key", "--keys"),
    "--columns": ("--column", "--cols", "--fields", "--label", "--on", "--score", "--target"),
    "--top-k": ("--k", "--limit", "--max-matches", "--n", "--n-matches", "--top"),
    "--delimiter": ("--delim", "--fs", "--sep", "--separator"),
    "--out": ("--outfile", "--output", "--output-file", "--save", "--to", "--write"),
    "--quiet": ("--no-progress", "--silent"),
    "--no-header": ("--header", "--headerless", "--skip-header"),
    "--labels": ("--classes", "--classifier"),
    "--with-pairs": ("--keep-columns", "--pairs"),
    "off": ("false", "no", "none"),
    "on": ("all", "true", "yes"),
}


def near_name(name: str, known: Sequence[str]) -> str | None:
    """Return the known name that others call so, or one that is spelled alike, or None."""
    for known_name in known:
        if name in _OTHER_NAMES.get(known_name, ()):
            return known_name
    return next(iter(get_close_matches(name, known, 1, _LEAST_SIMILARITY)), None)


def remedy_of_package_name(name: str, known: Sequence[str]) -> str:
    """Return what a name that the package does not have may mean, or ""."""
    if name.startswith("_"):
        return ""
    rooms = [room for room in known if find_spec(f"skpara.{room}")]
    homes = [x for x in rooms if name in getattr(import_module(f"skpara.{x}"), "__all__", ())]
    imports = [f"from skpara.{room} import {name}" for room in homes]
    near = near_name(name, [*(x for x in _OTHER_NAMES if "(" in x), *known])
    meant = [*imports, near] if near else imports
    return f" Did you mean {' or '.join(meant)}?" if meant else ""
