"""The compiled modules, and the ragged lists that they read.

A function in C describes its arguments beside it, and in the stub of its module. It checks every
size, id and offset, so that a wrong array is an error and not a crash.
"""

from __future__ import annotations

# Increased here and in kernels.h with each change of a function in C: a module that was built from
# other code would read its arguments wrongly.
ABI = 15

_REMEDY = (
    "Install a wheel (pip install skpara). In a checkout, a C compiler builds them: "
    "python setup.py build_ext --inplace"
)

try:
    from skpara._core import list_kernels as list_kernels
    from skpara._core import text_kernels as text_kernels
except ImportError as error:
    raise ImportError(f"The compiled modules of skpara are missing: {error}. {_REMEDY}") from error

for _module in (list_kernels, text_kernels):
    if _module.ABI != ABI:
        raise ImportError(f"{_module.__name__} was built from other code of skpara. {_REMEDY}")

from skpara._core._ragged import Integers as Integers  # noqa: E402
from skpara._core._ragged import Ragged as Ragged  # noqa: E402
from skpara._core._ragged import distinct as distinct  # noqa: E402
from skpara._core._ragged import offsets_of as offsets_of  # noqa: E402
from skpara._core._ragged import ranges as ranges  # noqa: E402
from skpara._core._word_index import word_index as word_index  # noqa: E402

__all__: list[str] = []
