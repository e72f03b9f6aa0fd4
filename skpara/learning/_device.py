"""Where torch computes."""

from __future__ import annotations

from skpara._warnings import warn


def resolve_device(device: str, *, fall_back: bool = False) -> str:
    """The device to use: "auto" takes CUDA, then MPS, then the CPU.

    Of several GPUs "cuda" is the current one, which ``torch.cuda.set_device`` chooses.

    Parameters
    ----------
    device : {"auto", "cpu", "cuda", "mps"}
    fall_back : bool
        Whether a device that is not there is a warning, and the CPU taken: for models that were
        fitted elsewhere and are only asked now.

    Raises
    ------
    ValueError
        If a device is asked for by name that is not there.
    """
    import torch

    there = {
        "cpu": True,
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
    }
    if device == "auto":
        return next(name for name in ("cuda", "mps", "cpu") if there[name])
    if there[device]:
        return device
    if not fall_back:
        raise ValueError(
            f"device={device!r} was asked for, but torch finds none; use device='auto' or 'cpu'."
        )
    warn(
        f"device={device!r} was asked for, but torch finds none here; the CPU is used, which "
        "gives the same to rounding. set_params(device='auto') takes whatever there is.",
    )
    return "cpu"
