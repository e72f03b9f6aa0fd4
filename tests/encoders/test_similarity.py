from __future__ import annotations

import numpy as np

from skpara.encoders._similarity import cosine, feature_names, pair_features, unit


def test_units_have_length_one_and_zeros_stay():
    found = unit(np.array([[3.0, 4.0], [0.0, 0.0]], dtype=np.float32))
    np.testing.assert_allclose(found, [[0.6, 0.8], [0.0, 0.0]], atol=1e-7)
    assert cosine(found, found).tolist() == [1.0, 0.0]


def test_columns_and_their_names():
    u, v = np.array([[1.0, 0.0]]), np.array([[0.6, 0.8]])
    np.testing.assert_allclose(pair_features(u, v, "both"), [[0.6, 0.4, 0.8, 0.6, 0.0]])
    assert feature_names(2, "both").tolist() == [
        "paragram_similarity",
        "paragram_difference_0",
        "paragram_difference_1",
        "paragram_product_0",
        "paragram_product_1",
    ]
