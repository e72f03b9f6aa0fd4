"""Train on an emulated device that refuses what a GPU refuses: tensors of another device.

``python second_device.py`` trains and encodes on the CPU and on the emulated device, which
computes with the CPU too, and checks that the results are the same.
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


class DeviceTensor(torch.Tensor):
    """Says that it is on the device, and holds its numbers in a tensor on the CPU."""

    @staticmethod
    def __new__(cls, data_on_cpu):
        layout = {"strides": data_on_cpu.stride(), "dtype": data_on_cpu.dtype}
        make = torch.Tensor._make_wrapper_subclass
        return make(cls, data_on_cpu.shape, device=f"{NAME}:0", **layout)

    def __init__(self, data_on_cpu):
        self.data_on_cpu = data_on_cpu
        DeviceTensor.n_made += 1

    def tolist(self):
        return self.data_on_cpu.tolist()

    n_made = 0
    n_waits = 0  # numbers that Python has asked for, and a GPU must have computed before

    @classmethod
    def __torch_dispatch__(cls, operator, types, args=(), kwargs=None):
        return compute(operator, args, kwargs or {})


class SecondDevice(TorchDispatchMode):
    """Within it the device exists."""

    @classmethod
    def _should_skip_dynamo(cls):
        return False  # torch would import its compiler, to tell it to stay away

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        return compute(operator, args, kwargs or {})


def compute(operator, args, kwargs):
    """Apply the operator; its tensors are either all on the device or all elsewhere."""
    device = kwargs.get("device")
    if operator is _aten._local_scalar_dense.default and isinstance(args[0], DeviceTensor):
        DeviceTensor.n_waits += 1
    tensors = [x for x in tree_flatten((args, kwargs))[0] if isinstance(x, torch.Tensor)]
    if operator is _aten.copy_.default:
        on_cpu(args[0]).copy_(on_cpu(args[1]))
        return args[0]
    if operator is _aten._to_copy.default:
        on_device = isinstance(args[0], DeviceTensor) if device is None else device.type == NAME
        args = (on_cpu(args[0]), *args[1:])
    elif any(isinstance(x, DeviceTensor) for x in tensors) or (device and device.type == NAME):
        on_device = True
        for tensor in tensors:
            if not isinstance(tensor, DeviceTensor) and tensor.dim():
                raise RuntimeError(f"{operator} was called with a tensor on {tensor.device}.")
    else:
        return operator(*args, **kwargs)
    inputs = {id(x.data_on_cpu): x for x in tensors if isinstance(x, DeviceTensor)}
    result = operator(*tree_map(on_cpu, args), **tree_map(on_cpu, kwargs))

    def on_second_device(value):
        if not on_device or not isinstance(value, torch.Tensor):
            return value
        # An operator that works in place returns its input.
        return inputs[id(value)] if id(value) in inputs else DeviceTensor(value)

    return tree_map(on_second_device, result)


def on_cpu(value):
    """Return what the CPU computes with."""
    if isinstance(value, torch.device):
        return torch.device("cpu")
    return value.data_on_cpu if isinstance(value, DeviceTensor) else value


def waits_of_a_step(network):
    """Return how many numbers a training step asks for."""
    from skpara import ParagramEncoder, WordVectors
    from skpara.learning import Adam

    words = [f"w{i}" for i in range(40)]
    vectors = WordVectors(words, np.eye(40, 8, dtype=np.float32) + 1)
    pairs = list(zip(words[:20], words[20:], strict=True))
    n_waits = []
    for n_epochs in (1, 3):
        before = DeviceTensor.n_waits
        with mock.patch("skpara.learning._device.resolve_device", return_value=NAME):
            ParagramEncoder(
                network,
                vectors=vectors,
                optimizer=Adam(gradient_clip=1.0),
                word_decay=1e-6,
                network_decay=1e-6,
                batch_size=5,
                max_iter=n_epochs,
                random_state=0,
                device="cuda",
            ).fit(pairs)
        n_waits.append(DeviceTensor.n_waits - before)
    return (n_waits[1] - n_waits[0]) / 8


def results(device):
    """Return what estimators that compute on ``device`` return, by name."""
    from skpara import ParagramEncoder, SentenceClassifier, SiameseRegressor, WordVectors
    from skpara.augment.filters import ReferenceFilter
    from skpara.learning import AdaDelta, Adam, Negatives
    from skpara.networks import as_network

    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(60)]
    vectors = WordVectors(words, rng.standard_normal((60, 8)).astype(np.float32))
    texts = [" ".join(words[i] for i in row) for row in rng.integers(0, 60, (60, 5))]
    pairs = list(zip([*texts[:29], ""], [*texts[30:59], "w1 new"], strict=True))
    common = {"vectors": vectors, "max_iter": 1, "random_state": 0, "device": "cuda"}
    outputs = {}
    with mock.patch("skpara.learning._device.resolve_device", return_value=device):
        for network in ("average", "dan", "rnn", "lstm", "gran", "charagram"):
            encoder = ParagramEncoder(as_network(network, dropout=0.1, word_dropout=0.1), **common)
            optimizer = (Adam if network == "dan" else AdaDelta)(gradient_clip=1.0)
            encoder.set_params(optimizer=optimizer, negatives=Negatives("mix", megabatch_size=2))
            encoder.set_params(batch_size=10, network_decay=1e-3, early_stopping=True)
            outputs[network] = encoder.fit(pairs).encode(texts)
        scores = rng.uniform(0, 5, len(pairs))
        regressor = SiameseRegressor("lstm", early_stopping=True, **common)
        outputs["siamese"] = regressor.fit(pairs, scores).predict(pairs)
        classifier = SentenceClassifier("lstm", early_stopping=True, **common)
        outputs["classifier"] = classifier.fit(texts, [0, 1] * 30).predict_proba(texts)
        reference = ReferenceFilter("lstm", negatives="hardest", **common)
        outputs["reference"] = reference.fit(pairs[:29]).score_pairs(pairs[:29])
        stream = ParagramEncoder("projection", **common).partial_fit(pairs[:20])
        outputs["stream"] = stream.partial_fit(pairs).encode(texts)
    return outputs


if __name__ == "__main__":
    torch.set_num_threads(1)
    _setup_privateuseone_for_python_backend(NAME)  # tells torch the name
    with SecondDevice():
        device_results = results(NAME)
        # Whether a sentence is empty, the loss, and its decay: not one for each weight.
        for network in ("average", "dan", "gran"):
            assert waits_of_a_step(network) == 3, network
    n_made = DeviceTensor.n_made
    assert n_made > 1000, n_made
    cpu_results = results("cpu")
    # The device that a user has made torch's default is used for nothing.
    with SecondDevice(), torch.device(NAME):
        default_results = results("cpu")
    assert DeviceTensor.n_made == n_made
    for name, result in default_results.items():
        np.testing.assert_array_equal(result, cpu_results[name], err_msg=name)
    for name, result in device_results.items():
        assert type(result) is np.ndarray
        difference = np.abs(result - cpu_results[name]).max()
        print(f"{name:16} {difference:.1e}")
        assert difference < 1e-4, name
