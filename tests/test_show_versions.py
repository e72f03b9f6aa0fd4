"""show_versions prints the versions that a bug report needs."""

from __future__ import annotations

import re
from importlib.metadata import version

import skpara
from skpara import show_versions


def test_versions_are_printed(capsys, monkeypatch):
    def printed():
        show_versions()
        return dict(re.findall(r"^ *([\w.-]+): (.*)$", capsys.readouterr().out, re.MULTILINE))

    versions = printed()
    assert versions["skpara"] == skpara.__version__
    for name in ("numpy", "joblib", "torch"):
        assert versions[name] == version(name)
    monkeypatch.setattr("skpara._show_versions._OPTIONAL", ("no-such-package",))
    assert printed()["no-such-package"] == "not installed"
