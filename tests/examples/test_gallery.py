"""The scripts of the gallery run on the packaged sample, draw a figure, and give no warning."""

from __future__ import annotations

import os
import runpy
import time
from pathlib import Path

import pytest

GALLERY = Path(__file__).parents[2] / "examples" / "gallery"
SCRIPTS = sorted(path.relative_to(GALLERY).as_posix() for path in GALLERY.rglob("plot_*.py"))
# The others run by `make examples`, and all of them by `make docs`.
QUICK = {"tables/plot_fuzzy_join.py", "score/plot_spanish_pairs.py"}
NEEDS = {
    "scale/plot_dask.py": ("dask.dataframe",),
    "scale/plot_sentence_transformers.py": ("sentence_transformers",),
}
every = bool(os.environ.get("SKPARA_ALL_EXAMPLES"))


@pytest.mark.parametrize("script", [s for s in SCRIPTS if every or s in QUICK])
def test_it_runs_in_half_a_minute_and_draws(script, monkeypatch):
    for module in NEEDS.get(script, ()):
        pytest.importorskip(module)
    pyplot = pytest.importorskip("matplotlib.pyplot")
    monkeypatch.setattr(pyplot, "show", lambda: None)
    pyplot.switch_backend("agg")
    start = time.process_time()
    try:
        runpy.run_path(str(GALLERY / script), run_name="__main__")
        assert time.process_time() - start < 30
        assert pyplot.get_fignums()
    finally:
        pyplot.close("all")
