"""A second device, by the CPU, that refuses what a GPU refuses: tensors of another device.

``python second_device.py`` trains and encodes on it and on the CPU; it prints what differs.
"""

from __future__ import annotations

from unittest import mock

import numpy as np
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

NAME = "second"
_aten = torch.ops.aten


class Placed(torch.Tensor):
    """Says that it is on the device, and holds its numbers in a tensor on the CPU."""

    @staticmethod
    def __new__(cls, raw):
        return torch.Tensor._make_wrapper_subclass(
            cls, raw.shape, strides=raw.stride(), dtype=raw.dtype, device=f"{NAME}:0"
        )

    def __init__(self, raw):
        self.raw = raw

    def tolist(self):
        return self.raw.tolist()

    @classmethod
    def __torch_dispatch__(cls, operator, types, args=(), kwargs=None):
        return computed(operator, args, kwargs or {})


class SecondDevice(TorchDispatchMode):
    """Within it the device is there."""

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        return computed(operator, args, kwargs or {})


def computed(operator, args, kwargs):
    """The operator on the numbers; all on the device, or all elsewhere."""
    device = kwargs.get("device")
    tensors = [x for x in tree_flatten((args, kwargs))[0] if isinstance(x, torch.Tensor)]
    if operator is _aten.copy_.default:
        raw(args[0]).copy_(raw(args[1]))
        return args[0]
    if operator is _aten._to_copy.default:
        there = isinstance(args[0], Placed) if device is None else device.type == NAME
        args = (raw(args[0]), *args[1:])
    elif any(isinstance(x, Placed) for x in tensors) or (device and device.type == NAME):
        there = True
        for one in tensors:
            if not isinstance(one, Placed) and one.dim():
                raise RuntimeError(f"{operator} was given a tensor on {one.device}.")
    else:
        return operator(*args, **kwargs)
    given = {id(x.raw): x for x in tensors if isinstance(x, Placed)}
    found = operator(*tree_map(raw, args), **tree_map(raw, kwargs))

    def placed(value):
        if not there or not isinstance(value, torch.Tensor):
            return value
        return given[id(value)] if id(value) in given else Placed(value)

    return tree_map(placed, found)


def raw(value):
    """What the CPU is given."""
    if isinstance(value, torch.device):
        return torch.device("cpu")
    return value.raw if isinstance(value, Placed) else value


def results(device):
    """What estimators give that compute on ``device``, and what of their state is no array."""
    from skpara import ParagramEncoder, SiameseRegressor, WordVectors
    from skpara.augment.filters import ReferenceFilter

    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(60)]
    vectors = WordVectors(words, rng.standard_normal((60, 8)).astype(np.float32))
    texts = [" ".join(words[i] for i in row) for row in rng.integers(0, 60, (80, 5))]
    pairs = list(zip([*texts[:39], ""], [*texts[40:79], "w1 new"], strict=True))
    common = {"vectors": vectors, "max_iter": 1, "random_state": 0, "device": "cuda"}
    found = {}
    with (
        mock.patch("skpara.learning._device.resolve_device", return_value=device),
        mock.patch("skpara.learning._session.resolve_device", return_value=device),
    ):
        for network in ("average", "dan", "rnn", "lstm", "gran", "charagram"):
            encoder = ParagramEncoder(
                network,
                negatives="mix",
                megabatch_size=2,
                batch_size=10,
                network_decay=1e-3,
                dropout=0.1,
                word_dropout=0.1,
                gradient_clip=1.0,
                optimizer="adam" if network == "dan" else "adadelta",
                early_stopping=True,
                **common,
            )
            found[network] = encoder.fit(pairs).encode(texts)
        scores = rng.uniform(0, 5, len(pairs))
        regressor = SiameseRegressor("lstm", early_stopping=True, **common)
        found["siamese"] = regressor.fit(pairs, scores).predict(pairs)
        reference = ReferenceFilter("lstm", negatives="hardest", **common)
        found["reference"] = reference.fit(pairs[:39]).score_pairs(pairs[:39])
        stream = ParagramEncoder("projection", **common).fit_stream([pairs[:20], pairs[20:]])
        found["stream"] = stream.partial_fit(pairs).encode(texts)
    return found


if __name__ == "__main__":
    torch.set_num_threads(1)
    _setup_privateuseone_for_python_backend(NAME)  # so that torch knows the name
    with SecondDevice():
        there = results(NAME)
    here = results("cpu")
    for name, found in there.items():
        assert type(found) is np.ndarray
        worst = np.abs(found - here[name]).max()
        print(f"{name:16} {worst:.1e}")
        assert worst < 1e-4, name
