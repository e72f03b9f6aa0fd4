"""Docstrings that share the text of some parameters."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import TypeVar

D = TypeVar("D", bound=Callable[..., object])


def fill_docstring(documented: D, texts: Mapping[str, str]) -> D:
    """Replace each line ``%(name, name)s`` of a docstring by the texts of these names.

    ``{default}`` in a text becomes the default in the signature, so that the two always agree.
    """
    signature = inspect.signature(documented).parameters
    lines = []
    for line in (documented.__doc__ or "").split("\n"):
        match = re.fullmatch(r"( *)%\(([\w, ]+)\)s", line)
        if match is None:
            lines.append(line)
            continue
        for name in match[2].split(", "):
            default = signature[name].default if name in signature else None
            shown = f'"{default}"' if isinstance(default, str) else repr(default)
            text = texts[name].format(default=shown)
            lines += [(match[1] + part).rstrip() for part in text.split("\n")]
    documented.__doc__ = "\n".join(lines)
    return documented
