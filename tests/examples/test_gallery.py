"""The scripts of the gallery run on the packaged sample, draw a figure, and give no warning."""

from __future__ import annotations

import runpy
import shutil
import time
from pathlib import Path

import pytest

GALLERY = Path(__file__).parents[2] / "examples" / "gallery"
SCRIPTS = sorted(path.relative_to(GALLERY).as_posix() for path in GALLERY.rglob("plot_*.py"))
NEEDS = {
    "scale/plot_dask.py": ("dask.dataframe",),
    "scale/plot_sentence_transformers.py": ("sentence_transformers",),
}


@pytest.mark.parametrize("script", SCRIPTS)
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


def test_its_notebooks_run_and_show_tables_and_figures(tmp_path):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    converter = pytest.importorskip("sphinx_gallery.notebook")
    parts = []
    for script in ("score/plot_fusion.py", "inspect/plot_why.py", "tables/plot_fuzzy_join.py"):
        path = Path(shutil.copy(GALLERY / script, tmp_path))
        converter.python_to_jupyter_cli([str(path)])
        parts.append(nbformat.read(path.with_suffix(".ipynb"), as_version=4))
        parts[-1].cells.insert(0, nbformat.v4.new_code_cell("%reset -f"))
    whole = parts[0].copy()  # one kernel, since each imports everything anew
    whole.cells = [cell for part in parts for cell in part.cells]
    nbclient.NotebookClient(whole, timeout=300).execute()
    for part in parts:
        outputs = [output for cell in part.cells for output in cell.get("outputs", ())]
        shown = {kind for output in outputs for kind in output.get("data", ())}
        assert {"image/png", "text/html"} <= shown
