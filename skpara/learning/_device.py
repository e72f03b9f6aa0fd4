"""Device and precision of a network's computations."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from skpara._compatibility import require_torch
from skpara._messages import warn
from skpara.learning._parameters import Device

if TYPE_CHECKING:
    from torch import Tensor

    from skpara.networks import SentenceModule


def resolve_device(device: str | Device, *, fall_back: bool = False) -> str:
    """Return the name of the device to use: "auto" is CUDA if there is a GPU, else the CPU.

    Of several GPUs "cuda" is the current one, which ``torch.cuda.set_device`` selects, and
    "cuda:1", for example, the second. With ``fall_back``, for models that were fitted on another
    machine, a missing device causes a warning, and the CPU is used; otherwise a ValueError.
    """
    require_torch()
    import torch

    name = Device.of(device).name
    n_gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if name == "auto":
        # Never MPS, which has not been tested; older versions of torch lack an operation there.
        return "cuda" if n_gpus else "cpu"
    usable = ["cpu"]
    if torch.backends.mps.is_available():
        usable.append("mps")
    if n_gpus > 0:
        usable.append("cuda")
    if name in usable or name in [f"cuda:{number}" for number in range(n_gpus)]:
        return name
    if not fall_back:
        raise ValueError(
            f"device={name!r} is not available to torch, which has {n_gpus} CUDA device(s); use "
            "device='auto' or 'cpu'."
        )
    warn(
        f"device={name!r} is not available to torch; the CPU is used instead, with the same "
        "results up to rounding. set_params(device='auto') uses whatever is available.",
    )
    return "cpu"


# Larger arrays, such as a table of vectors, are copied once: pinning them would take as long, and
# torch keeps pinned memory for the next array of the size.
_MOST_PINNED_BYTES = 2**24


@dataclass(frozen=True)
class Compute:
    """The device and the precision that a network runs with."""

    device: str = "cpu"
    precision: str = "float32"

    @classmethod
    def of(cls, device: str | Device, *, fall_back: bool = False) -> Compute:
        """Resolve the parameter ``device`` of an estimator; see :func:`resolve_device`."""
        return cls(resolve_device(device, fall_back=fall_back), Device.of(device).precision)

    def tensors(self, *arrays: NDArray[np.generic]) -> tuple[Tensor, ...]:
        """Copy arrays to the device; on the CPU they share memory with the arrays.

        A batch reaches a GPU from pinned memory, for which the CPU does not wait.
        """
        return tuple(self._tensor(np.ascontiguousarray(array)) for array in arrays)

    def _tensor(self, array: NDArray[np.generic]) -> Tensor:
        import torch

        tensor = torch.from_numpy(array)
        if self.device.startswith("cuda") and array.nbytes <= _MOST_PINNED_BYTES:
            return tensor.pin_memory().to(self.device, non_blocking=True)
        return tensor.to(self.device)

    def run(self, module: SentenceModule, rows: Tensor, ids: Tensor, offsets: Tensor) -> Tensor:
        """Call the module; the outputs are float32."""
        import torch

        context: AbstractContextManager[Any] = nullcontext()
        if self.precision != "float32":
            context = torch.autocast(torch.device(self.device).type, torch.bfloat16)
        with context:
            outputs: Tensor = module(rows, ids, offsets)
        return outputs.float()
