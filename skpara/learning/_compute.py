"""How torch computes: the device, the precision of products, what is compiled."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import torch
from torch import Tensor

from skpara.networks import SentenceModule


@dataclass(frozen=True)
class Compute:
    """The fields are parameters of the estimators, the device resolved.

    Attributes
    ----------
    device : str
    precision : {"float32", "bfloat16"}
        Of matrix products; weights, vectors and the loss are float32 in any case.
    compile : bool
        Whether modules are compiled.
    """

    device: str = "cpu"
    precision: str = "float32"
    compile: bool = False

    def ready(self, module: SentenceModule) -> SentenceModule:
        """Return the module on the device."""
        return module.to(self.device)

    def run(self, module: SentenceModule, rows: Tensor, ids: Tensor, offsets: Tensor) -> Tensor:
        """What the module makes of sentences, as float32."""
        with self._autocast():
            outputs: Tensor = module(rows, ids, offsets)
        return outputs.float()

    def _autocast(self) -> AbstractContextManager[object]:
        if self.precision == "float32":
            return nullcontext()
        return torch.autocast(torch.device(self.device).type, torch.bfloat16)
