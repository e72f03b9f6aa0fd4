from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _no_window():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    yield
    import matplotlib.pyplot as plt

    plt.close("all")
