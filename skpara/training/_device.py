"""Where torch computes."""

from __future__ import annotations


def resolve_device(device: str) -> str:
    """The device to use: "auto" takes CUDA, then MPS, then the CPU.

    Raises
    ------
    ValueError
        If a device is asked for by name that is not there.
    """
    import torch

    there = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": _has_mps()}
    if device == "auto":
        return next(name for name in ("cuda", "mps", "cpu") if there[name])
    if not there[device]:
        raise ValueError(
            f"device={device!r} was asked for, but torch finds none; use device='auto' or 'cpu'."
        )
    return device


def _has_mps() -> bool:
    import torch

    return torch.backends.mps.is_available()
