"""Files of a release agree with one another."""

from __future__ import annotations

import re
from pathlib import Path

from skpara import __version__

ROOT = Path(__file__).parents[2]


def read(name):
    return (ROOT / name).read_text("utf8")


def test_the_version_is_the_same_everywhere():
    assert re.search(r"^version: (.*)$", read("CITATION.cff"), re.MULTILINE)[1] == __version__
    versions = re.findall(r"^## \[([\d.]+)\]", read("CHANGELOG.md"), re.MULTILINE)
    assert versions[0] == __version__


def test_the_notice_names_every_source_of_the_packaged_vectors():
    text = read("docs/model_card.rst").partition("\nText\n----\n")[2].partition("**The vectors")[0]
    sources = re.findall(r"^([A-Z][\w:-]+)\b.* [\d,]{5,}$", text, re.MULTILINE)
    assert len(sources) == 11
    names = {
        "BYU": "Brigham Young University", "Captions": "captions", "Headlines": "headlines",
        "Families": "families of captions",
    }
    notice = read("NOTICE")
    assert [name for name in sources if names.get(name, name) not in notice] == []
    for license_file in re.findall(r"LICENSES/[\w.-]+\.txt", notice):
        assert (ROOT / license_file).exists()


def test_everything_that_the_license_expression_names_is_explained():
    expression = re.search(r'license_expression="(.*)"', read("setup.py"))[1]
    names = ["BSD-3-Clause", "CC-BY-SA-4.0", "Apache-2.0", "LicenseRef-WordNet-3.0"]
    assert expression.split(" AND ") == names
    notice = read("NOTICE")
    for name in ("BSD 3-Clause", "CC BY-SA 4.0", "Apache License 2.0", "WordNet 3.0 Copyright"):
        assert name in notice
