"""Files of a release agree with one another."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.version import Version

from skpara import __version__

ROOT = Path(__file__).parents[2]


def read(name):
    return (ROOT / name).read_text("utf8")


def test_the_changelog_has_the_version_or_says_that_it_is_not_released():
    headings = re.findall(r"^## (.*)$", read("CHANGELOG.md"), re.MULTILINE)
    released = [heading for heading in headings if heading != "[Unreleased]"]
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", x) for x in released)
    version, date = re.fullmatch(r"\[(.*)\] - (.*)", released[0]).groups()
    if headings[0] == "[Unreleased]":  # two wheels must not have one version
        assert re.fullmatch(r"\d+\.\d+\.\d+\.dev\d+", __version__)
        assert Version(__version__) > Version(version)
    else:
        assert __version__ == version
    citation = read("CITATION.cff")
    cited = dict(re.findall(r"^(version|date-released): (.*)$", citation, re.MULTILINE))
    assert cited == {"version": version, "date-released": date}


def test_what_is_unreleased_begins_with_a_few_lines_for_users():
    text = read("CHANGELOG.md")
    if "## [Unreleased]\n" in text:
        summary = text.partition("## [Unreleased]\n")[2].partition("\n### ")[0]
        assert 4 <= len(summary.strip().splitlines()) <= 10


def test_actions_are_named_by_their_hashes():
    used = [
        line.partition("uses: ")[2]
        for path in (ROOT / ".github/workflows").glob("*.yml")
        for line in path.read_text("utf8").splitlines()
        if "uses: " in line
    ]
    assert used
    assert [x for x in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}  # v[\d.]+", x)] == []


def test_extras_are_for_users_and_groups_for_developers():
    groups = tomllib.loads(read("pyproject.toml"))["dependency-groups"]
    extras = re.findall(r'^    "([\w-]+)": \[', read("setup.py"), re.MULTILINE)
    assert groups.keys().isdisjoint(extras)
    page = read("docs/installation.rst").partition("Optional dependencies\n")[2]
    listed = re.findall(r"^``([\w-]+)``  ", page, re.MULTILINE)
    assert set(extras) | {"all"} == set(listed)


def test_the_notice_names_every_source_of_the_packaged_vectors():
    text = read("docs/model_card.rst").partition("\nText\n----\n")[2].partition("**The vectors")[0]
    sources = re.findall(r"^([A-Z][\w:-]+)\b.* [\d,]{5,}$", text, re.MULTILINE)
    assert len(sources) == 11
    names = {
        "BYU": "Brigham Young University",
        "Synthetic": "captions, families of captions and headlines",
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
